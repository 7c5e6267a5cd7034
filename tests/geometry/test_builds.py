"""The three forms of the kernels: compiled, compiled with bounds checks, and plain Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from aascompile.geometry import hull_kernel, winding_kernel
from aascompile.geometry.planes import PlaneTable
from aascompile.geometry.polygon_kernel import Polys
from tests.conftest import ROOT
from tests.geometry.every_kernel import results

checked_only = pytest.mark.skipif(
    not os.environ.get("AASCOMPILE_EXPECT_CHECKED"), reason="only for the bounds-checked build: `make checked` runs it"
)


def test_uncompiled_kernels_give_the_same_results(tmp_path: Path) -> None:
    """The same files run as plain Python, without the compiled modules, give identical bits."""
    shutil.copytree(
        ROOT / "aascompile", tmp_path / "aascompile", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    )
    out = tmp_path / "results.npz"
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.geometry.every_kernel", str(out)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        check=True,
        timeout=300,
    )
    expected = results()
    with np.load(out) as found:
        assert Path(str(found["kernel"])) == tmp_path / "aascompile" / "geometry" / "hull_kernel.py"
        assert set(found) == {*expected, "kernel"}
        for name, column in expected.items():
            assert np.array_equal(found[name], column), name


def test_the_case_covers_every_kind_of_hull() -> None:
    assert set(results()["status"]) == {0, 1, 2, 4}


def test_kernels_are_compiled() -> None:
    assert not hull_kernel.__file__.endswith(".py")


@checked_only
def test_the_checked_build_is_under_test() -> None:
    assert Path(hull_kernel.__file__).is_relative_to(ROOT / "build" / "checked")


@checked_only
def test_an_index_out_of_bounds_raises_an_error() -> None:
    with pytest.raises(IndexError):
        PlaneTable().store.intern(np.eye(3), np.zeros(3), np.empty(2, np.int32))


@checked_only
def test_an_index_out_of_bounds_deep_in_a_kernel_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels without the GIL cannot raise. They report errors instead, which fails tests that do not expect it."""
    reported: list[type[BaseException] | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: reported.append(report.exc_type))
    polys = Polys(16, 16)
    winding_kernel.area_vector(polys, 16)
    assert IndexError in reported
