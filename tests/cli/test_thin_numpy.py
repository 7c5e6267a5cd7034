"""The part of numpy that commands import, compared with all of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT

BOX = str(ROOT / "samples" / "stairs.bsp")

COMPILE = """
import sys
{first}
from aascompile.cli.compile import compile_maps
compile_maps.main([{arguments}], standalone_mode=False)
print("numpy.typing" in sys.modules and sys.modules["numpy.typing"].NDArray.__module__)
"""


def run(tmp_path, first: str, *options: str) -> tuple[bytes, str]:
    target = tmp_path / "x.aas.hdf"
    arguments = ", ".join(map(repr, [BOX, "-o", str(target), "--force", *options]))
    code = COMPILE.format(first=first, arguments=arguments)
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert made.returncode == 0, made.stderr
    return target.read_bytes(), made.stdout.splitlines()[-1]


def test_the_result_is_that_with_all_of_numpy(tmp_path):
    thin, stand_in = run(tmp_path, "")
    whole, real = run(tmp_path, "import numpy.typing")
    assert stand_in == "aascompile.cli.thin_numpy"
    assert real != stand_in
    assert thin == whole


@pytest.mark.parametrize(
    "options", [("--check",), ("--dump", "tree={folder}/tree.glb"), ("--reach-only",), ("--sight",)]
)
def test_what_other_packages_import_later_works(tmp_path, options):
    run(tmp_path, "")
    run(tmp_path, "", *(option.format(folder=tmp_path) for option in options))
