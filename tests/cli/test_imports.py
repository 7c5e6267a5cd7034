"""Quick imports of commands: what they leave out, and that nothing is missed."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import numpy as np

from aascompile.cli.imports import BY_NUMPY, TYPES, quick_imports
from tests.conftest import ROOT

LOADED = """
import sys

sys.argv[0] = "aascompile"
from types import ModuleType
from aascompile.cli import common, compile
from aascompile.cli.imports import BY_NUMPY, REPLACED, TYPES

code = common.run(compile.compile_maps, "aascompile", sys.argv[1:])
postponed = "datetime", "difflib", "gettext", "inspect", "uuid", *BY_NUMPY, *REPLACED, *TYPES
loaded = [name for name in postponed if type(sys.modules[name]) is ModuleType]
print(code, loaded, {"numpy.ma", "scipy", "h5py"} & set(sys.modules))
"""

USED = """
import sys

sys.argv[0] = "aascompile"
from aascompile.cli.imports import quick_imports

import click
with quick_imports():
    import numpy as np
    from aascompile.model.mapdata import Float
    import aascompile.geometry.hull_kernel
postponed = sys.modules["inspect"]


def pickle_twice(value):
    import pickle
    return pickle.loads(pickle.dumps(value))


flags = {name: value for name, value in vars(type(postponed)).items() if name.startswith("CO_")}
import inspect
import uuid
assert inspect.signature(print) and inspect is postponed and inspect.CO_NESTED == 16
assert len(flags) == 7 and all(getattr(inspect, name) == value for name, value in flags.items())
assert uuid.UUID(int=1).int == 1
option = click.Option(["--x"], help="one line")
assert option.help == "one line" and click.Option(["--y"], help=" two\\n   lines").help == "two\\nlines"
from click.exceptions import NoSuchOption
from click.core import _, ngettext
assert "locale" not in sys.modules and _("x") == "x" and [ngettext("one", "more", n) for n in (1, 2)] == ["one", "more"]
assert NoSuchOption("-x", possibilities=["--xy"]).possibilities == []
assert "heapq" not in sys.modules
assert NoSuchOption("--xz", possibilities=["--xy"]).possibilities == ["--xy"]
import difflib, gettext
assert difflib.SequenceMatcher and gettext.GNUTranslations and gettext.gettext("x") == "x" and "locale" in sys.modules
import datetime
assert datetime.datetime is sys.modules["_datetime"].datetime and datetime.date(1999, 12, 2).isoformat() == "1999-12-02"
assert datetime.__all__ and pickle_twice(datetime.timezone.utc) is datetime.timezone.utc
import ctypes.util
import pickle
import textwrap
from types import ModuleType

import numpy.typing as npt
from numpy.typing import NDArray

kind = NDArray[np.float64]
assert Float is not kind and kind.__origin__ is np.ndarray, kind
assert npt.NDArray is NDArray
assert pickle.loads(pickle.dumps(np.arange(3))).tolist() == [0, 1, 2]
assert textwrap.dedent("  x") == "x" and ctypes.sizeof(ctypes.c_int32) == 4
numpy_docs = sys.modules["numpy._core._add_newdocs"]
assert np.ndarray.__doc__ is None
assert numpy_docs.add_newdoc and "array" in np.ndarray.__doc__
assert np.polyfit([0.0, 1.0], [1.0, 3.0], 1).round(6).tolist() == [2.0, 1.0]
assert np.linalg.norm([3.0, 4.0]) == 5.0
assert type(np.lib._nanfunctions_impl).__name__ == type(np.lib._npyio_impl).__name__ == "_Replaced"
assert np.nanmax([1.0, np.nan]) == 1.0 and np.packbits([1]).tolist() == [128]
assert set(np.lib._nanfunctions_impl.__all__) <= set(np.__all__)
import io
file = io.BytesIO()
np.savez(file, x=np.arange(3))
assert np.load(io.BytesIO(file.getvalue()))["x"].tolist() == [0, 1, 2]
assert np.lib.npyio.NpzFile and set(np.lib._npyio_impl.__all__) <= set(np.__all__)
from numpy.typing import ArrayLike
assert "_Type" not in repr(ArrayLike)
from numpy._utils._inspect import getargspec
assert getargspec(pickle_twice)[0] == ["value"]
import scipy.sparse, h5py, numpy.ma
assert sys.modules["pickle"] is pickle and type(pickle) is ModuleType
"""


def python(script: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own."""
    return subprocess.run([sys.executable, "-c", script, *words], cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_compile_loads_nothing_that_was_postponed(samples: Path, tmp_path: Path) -> None:
    """Nor numpy's masked arrays: np.unique imports them, and np.isin for some values; that takes as long as numpy."""
    maps = [samples / f"{name}.bsp" for name in ("beam_corner", "elevator", "item_high", "jumppad_chain", "rocketjump")]
    done = python(LOADED, *maps, "-o", tmp_path, "--aas", "--quiet")
    assert done.stdout.splitlines()[-1] == "0 [] set()", done


def test_postponed_modules_are_whole_when_they_are_used() -> None:
    done = python(USED)
    assert done.returncode == 0, done.stderr


PARTS = """
import sys

sys.argv[0] = "aascompile"
from aascompile.cli.imports import quick_imports

with quick_imports():
    import numpy as np
package = sys.modules["numpy.linalg"]
import numpy.linalg._umath_linalg
assert type(package).__name__ == "_Replaced"
assert np.linalg is package and np.linalg.det(np.eye(2)) == 1.0 and type(package).__name__ == "module"
"""


def test_a_module_of_a_postponed_package_can_be_imported_first() -> None:
    """Loading the package for it would load the module, which then would be loaded again."""
    done = python(PARTS)
    assert done.returncode == 0, done.stderr


def test_modules_that_are_loaded_stay_as_they_are() -> None:
    assert np.__name__ in sys.modules
    before = {name: sys.modules.get(name) for name in ("inspect", "uuid", *BY_NUMPY, *TYPES)}
    with quick_imports():
        pass
    assert {name: sys.modules.get(name) for name in before} == before


def test_commands_that_import_nothing_leave_no_garbage_behind() -> None:
    """Objects that are frozen while they are garbage are never freed: a process with many commands would grow."""
    with quick_imports():
        pass
    frozen = gc.get_freeze_count()
    for _ in range(3):
        cycle: list[object] = [bytearray(1000)]
        cycle.append(cycle)
        with quick_imports():
            pass
    assert gc.get_freeze_count() <= frozen
