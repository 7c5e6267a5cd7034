"""Warm workers: the same results as one map at a time, errors as values, and workers that die."""

from __future__ import annotations

import os
import pickle

import pytest

import aascompile
from aascompile.pool import Workers
from aascompile.store.hdf import compiled_bytes
from tests.conftest import ROOT

SAMPLES = [ROOT / "samples" / f"{name}.bsp" for name in ("stairs", "door", "box", "swim", "ledge", "gap")]


@pytest.fixture(scope="module")
def pool():
    with aascompile.Pool(2) as made:
        yield made


def test_results_equal_those_of_one_map_at_a_time(pool):
    found = list(pool.compile_many(SAMPLES))
    assert [number for number, _ in found] == list(range(len(SAMPLES)))
    for path, (_, compiled) in zip(SAMPLES, found, strict=True):
        assert compiled_bytes(compiled) == compiled_bytes(aascompile.compile_map(path))


def test_maps_come_as_bytes_and_files_and_as_completed(pool):
    with open(SAMPLES[1], "rb") as file:
        sources = [SAMPLES[0].read_bytes(), file, str(SAMPLES[2]), bytearray(SAMPLES[3].read_bytes())]
        found = dict(pool.compile_many(sources, in_order=False))
    assert sorted(found) == [0, 1, 2, 3]
    for number, compiled in found.items():
        assert len(compiled.areas) == len(aascompile.compile_map(SAMPLES[number]).areas)


def test_maps_as_bytes_have_links_by_hand(pool):
    """One side file's tables for each map; None where there are none."""
    data = (ROOT / "samples" / "by_hand.bsp").read_bytes()
    link = {"from": [-292, 0, 0], "to": [96, 0, 0], "travel": "teleport", "cost": 1.0}
    found = [made for _, made in pool.compile_many([data, data], links=[{"link": [link]}, None])]
    assert [int((made.links.entity >= 0).sum()) for made in found] == [1, 0]


@pytest.mark.parametrize(
    "error",
    [
        aascompile.MapError("f", "is odd", "lump 3"),
        aascompile.SettingsError("f", "k", "is odd"),
        aascompile.LeakError("f", "spawn", [(0.0, 1.0, 2.0)]),
        aascompile.StoreError("f: is odd"),
    ],
)
def test_errors_can_be_sent(error):
    found = pickle.loads(pickle.dumps(error))
    assert (type(found), str(found), vars(found)) == (type(error), str(error), vars(error))


def test_errors_are_values(pool):
    leak = ROOT / "samples" / "leak.bsp"
    found = [result for _, result in pool.compile_many([b"nonsense", leak, "none.bsp", SAMPLES[2]])]
    assert [type(result).__name__ for result in found] == ["MapError", "LeakError", "MapError", "CompiledMap"]
    assert found[1].trail
    assert "ended its worker" not in str(found[0])
    assert str(found[2]) == "none.bsp: no such file"
    with pytest.raises(aascompile.SettingsError):
        list(pool.compile_many([SAMPLES[2]], "quake9"))


def test_settings_and_options_reach_the_workers(pool):
    ((_, compiled),) = pool.compile_many([SAMPLES[2]], "rtcw")
    assert compiled.boxes.maxs[0].tolist() == [18, 18, 48]
    ((_, compiled),) = pool.compile_many([ROOT / "samples" / "leak.bsp"], allow_leak=True)
    assert len(compiled.leak)


def test_an_endless_list_is_not_read_at_once(pool):
    read = []

    def endless():
        while True:
            read.append(len(read))
            yield SAMPLES[2]

    results = pool.compile_many(endless())
    assert [next(results)[0] for _ in range(3)] == [0, 1, 2]
    results.close()
    assert len(read) < 12


def work(number: int) -> int:
    """Square a number; 3 ends the process."""
    if number == 3:
        os._exit(9)
    return number * number


@pytest.mark.parametrize("in_order", [True, False])
def test_a_worker_that_dies_fails_only_its_own_call(in_order):
    workers = Workers(work, 2)
    found = dict(workers.run(((number,) for number in range(9)), in_order=in_order))
    workers.close()
    assert found == {number: None if number == 3 else number * number for number in range(9)}


def test_a_closed_pool_starts_again():
    pool = aascompile.Pool(1)
    for _ in range(2):
        ((_, compiled),) = pool.compile_many([SAMPLES[2]])
        assert len(compiled.areas) == 2
        pool.close()
