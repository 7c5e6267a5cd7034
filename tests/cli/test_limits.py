"""``--max-memory`` and ``--max-seconds``: a map that exceeds a limit fails with one sentence, and others go on."""

from __future__ import annotations

import threading
import time

import pytest

import aascompile
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.system import ENDING, memory_used, peak_memory
from aascompile.watchdog import INTERVAL, Ceilings, within


def compiled(*arguments: object) -> int:
    return run(compile_maps, "aascompile", [str(argument) for argument in (*arguments, "-q")])


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (("--max-seconds", "0.001"), "takes more than 0.001 s"),
        (("--max-memory", "8"), "needs more than 8 MB of memory"),
    ],
)
def test_a_map_beyond_a_limit_fails_with_one_sentence(samples, tmp_path, capsys, limit, message):
    assert compiled(samples / "box.bsp", "-o", tmp_path, *limit) == 1
    assert capsys.readouterr().err == f"error: {samples}/box.bsp: {message}\n"
    assert list(tmp_path.iterdir()) == []


def test_maps_within_limits_are_compiled_as_without(samples, tmp_path):
    limits = ("--max-seconds", 1000, "--max-memory", 4000)
    assert compiled(samples / "box.bsp", samples / "gap.bsp", "-o", tmp_path / "limited", *limits) == 0
    assert compiled(samples / "box.bsp", samples / "gap.bsp", "-o", tmp_path / "free") == 0
    for name in ("box.aas.hdf", "gap.aas.hdf"):
        assert (tmp_path / "limited" / name).read_bytes() == (tmp_path / "free" / name).read_bytes()


@pytest.mark.parametrize("options", [("--watch",), ("--dask", "tcp://localhost:1")])
def test_limits_are_for_processes_of_this_machine(samples, capsys, options):
    assert compiled(samples / "box.bsp", "--max-seconds", 1, *options) == 2
    assert "cannot be combined" in capsys.readouterr().err


def test_a_pool_has_limits(samples):
    with aascompile.Pool(1, max_seconds=0.001) as pool:
        [(number, error)] = pool.compile_many([samples / "box.bsp"])
    assert number == 0
    assert isinstance(error, aascompile.MapError)
    assert str(error) == "map 0: ended its worker process: it needs more than 0.001 s"
    with aascompile.Pool(1, max_memory=4000, max_seconds=1000) as pool:
        [(_, found)] = pool.compile_many([samples / "box.bsp"])
    assert isinstance(found, aascompile.CompiledMap)


def test_a_limit_is_looked_at_when_the_time_is_up():
    assert Ceilings(seconds=0.001).next_look(0.0) == 0.001
    assert Ceilings(seconds=5.0).next_look(1.0) == INTERVAL
    assert Ceilings(seconds=5.0).next_look(6.0) == 0.0
    assert Ceilings(megabytes=100.0).next_look(3.0) == INTERVAL


def test_memory_is_measured():
    before = memory_used()
    if before is None:
        pytest.skip("this system does not say")
    block = bytearray(64 << 20)
    block[:: 1 << 12] = b"x" * len(block[:: 1 << 12])
    assert memory_used() > before + 48
    assert peak_memory() is not None


def test_no_process_ends_while_a_temporary_file_has_a_name(monkeypatch):
    ended = threading.Event()
    monkeypatch.setattr("aascompile.watchdog.os._exit", lambda code: ended.set())
    told: list[str] = []
    with within(Ceilings(seconds=0.1), told.append):
        with ENDING:
            time.sleep(0.3)
            assert not ended.is_set()
        assert ended.wait(60)
    assert set(told) == {"takes more than 0.1 s"}
