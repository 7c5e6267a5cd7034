"""A short run of the fuzzer, and everything that it has found. ``make fuzz`` does a long run."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.actions import act
from tests.fuzz.inputs import read_samples
from tests.fuzz.minimise import minimised
from tests.fuzz.mutate import KINDS
from tests.fuzz.runner import WEIGHTS, Bench, Run, limited_memory, make_case, run_case

SEED = 7
CASES = 300
FOUND = Path(__file__).parent / "found"


@pytest.fixture(scope="module")
def samples():
    return read_samples()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux to limit memory")
def test_damaged_files_give_a_result_or_one_error() -> None:
    outcome = Run(SEED).run(range(CASES), jobs=2)
    assert outcome.faults == {}
    assert outcome.results + outcome.errors.total() == outcome.done.total() == CASES
    # Damage that changes nothing, or always breaks the header, would test little.
    assert outcome.results > CASES // 10
    assert len(outcome.errors) > 10
    assert set(outcome.done) == set(WEIGHTS)


def test_every_kind_is_damaged_and_used(samples):
    assert set(WEIGHTS) == set(KINDS) == {sample.kind for sample in samples}
    maps = {sample.data[:5] for sample in samples if sample.kind in ("bsp", "raven", "quake2")}
    assert maps == {b"IBSP\x2e", b"IBSP\x2f", b"IBSP\x26", b"RBSP\x01", b"FBSP\x01"}
    assert {sample.data[4] for sample in samples if sample.kind == "aas"} == {4, 5, 8}


def test_a_case_depends_only_on_its_number(samples):
    assert make_case(samples, SEED, 5).data == make_case(samples, SEED, 5).data
    cases = [make_case(samples, SEED, case) for case in range(200)]
    assert len({case.data for case in cases}) > 190
    assert {case.sample.kind for case in cases} == set(WEIGHTS)


def test_faults_are_noticed():
    def fail() -> None:
        raise ZeroDivisionError

    assert run_case(lambda: None, 5) == ("result", "")
    ends, text = run_case(fail, 5)
    assert ends == "fault"
    assert text.endswith("ZeroDivisionError")


def test_exceptions_that_nothing_can_raise_are_noticed():
    """As from an index out of bounds in a kernel that cannot raise."""

    class Kernel:
        def __del__(self) -> None:
            raise IndexError("axis 0")

    ends, text = run_case(lambda: Kernel().__init__(), 5)
    assert ends == "fault"
    assert "IndexError('axis 0')" in text


def test_a_file_that_cannot_be_made_is_a_fault_of_its_case(bench, monkeypatch):
    def fail(*_: object) -> bytes:
        raise MemoryError

    monkeypatch.setattr("tests.fuzz.runner.mutate", fail)
    kind, (ends, text) = bench.try_case(SEED, 5, False)
    assert (kind, ends) == ("unmade", "fault")
    assert text.endswith("MemoryError")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux to limit memory")
def test_memory_is_limited_only_while_a_file_is_used():
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    with limited_memory(1 << 40):
        assert resource.getrlimit(resource.RLIMIT_AS)[0] == 1 << 40
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_files_are_minimised(samples):
    text = next(sample for sample in samples if sample.kind == "map")
    damaged = text.data + b"{ bad }" + text.data
    assert minimised(damaged, text, lambda data: b"bad" in data) == b"bad"
    binary = next(sample for sample in samples if sample.kind == "bsp")
    damaged = bytes(255 - byte for byte in binary.data[:40]) + binary.data[40:]
    left = minimised(damaged, binary, lambda data: data[7] == damaged[7])
    assert [at for at in range(len(left)) if left[at] != binary.data[at]] == [7]


@pytest.fixture(scope="module")
def bench(samples, tmp_path_factory):
    return Bench(tmp_path_factory.mktemp("fuzz"), samples)


@pytest.mark.parametrize("name", sorted(os.listdir(FOUND)) if FOUND.exists() else [])
def test_what_was_found_stays_mended(bench, name):
    """The name of a file is its kind, the seed and number of the case, and the name of the intact file."""
    kind, _, _, intact = name.split("-", 3)
    bench.damaged.mkdir(exist_ok=True)
    path = bench.damaged / intact
    path.write_bytes((FOUND / name).read_bytes())
    ends, text = run_case(lambda: act(kind, path, Random(0), True, bench.intact), 60)
    assert ends != "fault", text
