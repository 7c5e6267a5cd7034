"""Every machine computes the same results: digests of all samples are recorded in golden.json."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.golden import digests, recorded, samples


@pytest.mark.parametrize("sample", samples(), ids=lambda path: path.stem)
def test_samples_compile_to_the_recorded_results(sample):
    assert digests(sample) == recorded().get(sample.stem), (
        "if results changed on purpose, `make baselines` records them; if not, this machine computes differently"
    )


def test_nothing_else_is_recorded():
    assert set(recorded()) == {sample.stem for sample in samples()}


def dispatched() -> str:
    """Features of this processor that numpy uses but does not need."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name))


SURROUNDINGS = {
    "another processor": {"NPY_DISABLE_CPU_FEATURES": dispatched(), "OPENBLAS_CORETYPE": "Prescott"},
    "another place": {"LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "4711", "PYTHONUTF8": "0"},
}


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_results_do_not_depend_on_surroundings(surroundings, tmp_path):
    changed = {name: value for name, value in SURROUNDINGS[surroundings].items() if value}
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "golden.py"), "--json"],
        env={**os.environ, "PYTHONPATH": path, **changed},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == recorded()


def test_numpy_has_something_to_disable():
    """Otherwise the test of another processor tests nothing."""
    if np.dtype(np.intp).itemsize == 8 and sys.platform == "linux" and os.uname().machine == "x86_64":
        assert dispatched()
