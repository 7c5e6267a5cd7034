"""The quick loader of commands: it loads what Python would load, and leaves to Python what is not as usual."""

from __future__ import annotations

import importlib
import os
import py_compile
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from aascompile.cli import quick_loader
from tests.cli.test_imports import python

SAME = """
import sys
from importlib import import_module

if sys.argv[1] == "quick":
    from aascompile.cli.quick_loader import find_quickly

    find_quickly()
modules = [import_module(name) for name in sys.argv[2:]]
for module in modules:
    spec = module.__spec__
    print(module.__name__, module.__file__, module.__package__, spec.name, spec.origin, spec.cached, spec.parent)
    print(getattr(module, "__cached__", None), spec.has_location, spec.submodule_search_locations)
    print(sorted(set(vars(module)) - {"__loader__"}))
    print([value.__code__.co_filename for value in vars(module).values() if hasattr(value, "__code__")])
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Folder of a package with a module that has bytecode, as the quick loader sees it for the first time."""
    folder = tmp_path / "quickly_loaded"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "one.py").write_text("VALUE = 1\n")
    py_compile.compile(str(folder / "one.py"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [quick_loader.QuickFinder, *sys.meta_path])
    yield folder
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        del sys.modules[name]


def test_modules_are_those_that_python_loads() -> None:
    names = "colorsys", "email.charset", "aascompile.geometry.box", "aascompile.geometry.hull_kernel", "click.globals"
    quick, usual = (python(SAME, how, *names) for how in ("quick", "usual"))
    assert quick.returncode == 0, quick.stderr
    assert quick.stdout == usual.stdout
    assert len(quick.stdout.splitlines()) == 4 * len(names)


def test_bytecode_is_used(package: Path) -> None:
    file = package / "one.py"
    before = file.stat()
    file.write_text("VALUE = 2\n")  # of the same size
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    module = importlib.import_module("quickly_loaded.one")
    assert (module.VALUE, type(module.__loader__)) == (1, quick_loader._QuickLoader)


@pytest.mark.parametrize(("value", "later"), [(23, 0), (2, 10)])
def test_bytecode_of_another_source_is_not_used(package: Path, value: int, later: int) -> None:
    """Whether its size differs or its time."""
    file = package / "one.py"
    before = file.stat()
    file.write_text(f"VALUE = {value}\n")
    os.utime(file, (before.st_atime, before.st_mtime + later))
    module = importlib.import_module("quickly_loaded.one")
    assert value == module.VALUE


@pytest.mark.parametrize("damage", [b"", b"\0" * 16, b"short"])
def test_damaged_bytecode_is_made_anew(package: Path, damage: bytes) -> None:
    (bytecode,) = (package / "__pycache__").iterdir()
    bytecode.write_bytes(damage)
    assert importlib.import_module("quickly_loaded.one").VALUE == 1


def test_a_module_without_bytecode_is_loaded(package: Path) -> None:
    (package / "two.py").write_text("VALUE = 2\n")
    assert importlib.import_module("quickly_loaded.two").VALUE == 2


def test_large_bytecode_is_read_whole(package: Path) -> None:
    for size in (quick_loader._PIECE - 40, 3 * quick_loader._PIECE):
        file = package / f"large{size}.py"
        file.write_text(f"VALUE = {'x' * size!r}\n")
        py_compile.compile(str(file))
        assert len(importlib.import_module(f"quickly_loaded.{file.stem}").VALUE) == size


def test_packages_and_missing_modules_are_left_to_python(package: Path) -> None:
    (package / "inner").mkdir()
    (package / "inner" / "__init__.py").write_text("VALUE = 3\n")
    (package / "inner.py").write_text("VALUE = 4\n")
    assert importlib.import_module("quickly_loaded.inner").VALUE == 3
    assert quick_loader.QuickFinder.find_spec("quickly_loaded.missing", [str(package)]) is None
    assert quick_loader.QuickFinder.find_spec("missing", None) is None
    assert quick_loader.QuickFinder.find_spec("x.y", [str(package / "nowhere")]) is None
    assert quick_loader.QuickFinder.find_spec("x.one", [str(package), str(package)]) is None


def test_a_moved_folder_has_its_own_name_in_tracebacks(package: Path) -> None:
    other = package / "other.py"
    (package / "one.py").rename(other)
    (bytecode,) = (package / "__pycache__").iterdir()
    bytecode.rename(bytecode.with_name(bytecode.name.replace("one", "other")))
    code = quick_loader._QuickLoader("quickly_loaded.other", str(other)).get_code("quickly_loaded.other")
    assert code.co_filename == str(other)  # type: ignore[attr-defined]


@pytest.mark.parametrize("options", [["-O"], ["-X", "pycache_prefix=/nowhere"]])
def test_bytecode_in_other_places_is_left_to_python(options: list[str]) -> None:
    import subprocess

    script = "import sys, aascompile.cli.quick_loader as q; q.find_quickly(); print(q.QuickFinder in sys.meta_path)"
    for extra, expected in ((options, "False"), ([], "True")):
        done = subprocess.run([sys.executable, *extra, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected
