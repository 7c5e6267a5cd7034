"""Parallel work gives the same results with any number of threads."""

import os
import subprocess
import sys
import threading

import pytest

from aascompile.threads import Begun, both, over_ranges


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_ranges_come_in_order(threads: int) -> None:
    assert over_ranges(lambda first, end: (first, end), 7, 3, threads) == [(0, 3), (3, 6), (6, 7)]


@pytest.mark.parametrize("threads", [1, 2])
def test_both_give_their_results_in_order(threads: int) -> None:
    assert both(lambda: "a", lambda: 2, threads) == ("a", 2)


def test_both_run_at_the_same_time() -> None:
    meet = threading.Barrier(2, timeout=60)
    assert sorted(both(meet.wait, meet.wait, 2)) == [0, 1]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("fails", ["first", "second"])
def test_an_error_of_either_is_raised(threads: int, fails: str) -> None:
    def work(name: str) -> str:
        if name == fails:
            raise ValueError(name)
        return name

    with pytest.raises(ValueError, match=fails):
        both(lambda: work("first"), lambda: work("second"), threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_begun_work_is_done_once(threads: int) -> None:
    done: list[int] = []

    def work() -> str:
        done.append(1)
        return "a"

    begun = Begun(work, threads)
    assert [begun.result(), begun.result()] == ["a", "a"]
    assert done == [1]


def test_begun_work_runs_beside_what_comes_first_only_with_several_threads() -> None:
    meet = threading.Barrier(2, timeout=60)
    begun = Begun(meet.wait, 2)
    assert sorted((meet.wait(), begun.result())) == [0, 1]
    later = Begun(threading.current_thread, 1)
    assert later.result() is threading.current_thread()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("times", [0, 1, 2])
def test_work_that_waits_is_done_once_however_often_it_is_begun(threads: int, times: int) -> None:
    done: list[threading.Thread] = []
    waiting = Begun(lambda: done.append(threading.current_thread()), threads, waits=True)
    assert not done
    for _ in range(times):
        waiting.begin()
    waiting.result()
    waiting.result()
    assert len(done) == 1
    assert (done[0] is threading.current_thread()) == (threads == 1 or times == 0)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_of_begun_work_is_raised_when_its_result_is_needed(threads: int) -> None:
    begun = Begun(lambda: 1 // 0, threads)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            begun.result()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_after_an_error_no_further_range_is_begun(threads: int) -> None:
    begun: list[int] = []
    failed = threading.Event()

    def work(first: int, end: int) -> None:
        begun.append(first)
        if first == 0:
            failed.set()
            raise ValueError("first")
        failed.wait(60)

    with pytest.raises(ValueError, match="first"):
        over_ranges(work, 1000, 1, threads)
    assert len(begun) < 1000


def test_ranges_run_at_the_same_time_in_this_thread_too() -> None:
    meet = threading.Barrier(3, timeout=60)
    names: set[str] = set()

    def work(first: int, end: int) -> None:
        meet.wait()
        names.add(threading.current_thread().name)

    over_ranges(work, 3, 1, 3)
    assert len(names) == 3
    assert threading.current_thread().name in names


def test_threads_are_used_again() -> None:
    names = {both(lambda: 0, lambda: threading.current_thread().name, 2)[1] for _ in range(20)}
    assert len(names) == 1
    assert threading.current_thread().name not in names


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    script = """
import os, threading
from aascompile.threads import both
both(lambda: 0, lambda: 0, 2)
child = os.fork()
if not child:
    os._exit(0 if both(lambda: 1, lambda: 2, 2) == (1, 2) else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=60)
