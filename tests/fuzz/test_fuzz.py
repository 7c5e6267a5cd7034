"""A short run over damaged maps. ``python -m tests.mapio.mutation_run`` does a long one."""

from __future__ import annotations

import sys

import pytest

from tests.conftest import ROOT
from tests.mapio.mutation_run import make_case, read_samples, run

SEED = 7
CASES = 300


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux to limit memory")
def test_damaged_maps_give_a_result_or_one_error() -> None:
    outcome = run(list(range(CASES)), SEED, jobs=2)
    assert outcome.faults == {}
    assert outcome.results + outcome.errors.total() == CASES
    # Damage that changes nothing, or always breaks the header, would test little.
    assert outcome.results > CASES // 10
    assert len(outcome.errors) > 10


def test_a_case_depends_only_on_its_number() -> None:
    samples = read_samples(ROOT / "samples")
    assert make_case(samples, SEED, 5) == make_case(samples, SEED, 5)
    cases = [make_case(samples, SEED, case) for case in range(30)]
    assert len({data for _, data in cases}) == len(cases)
    assert {name[-4:] for name, _ in cases} == {".bsp", ".map", ".pk3"}
