"""Parallel work: over fixed ranges, or two pieces at once. Results do not depend on the number of threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")


def over_ranges(work: Callable[[int, int], T], count: int, chunk: int, threads: int) -> list[T]:
    """Results of ``work(first, end)`` for consecutive ranges of ``chunk`` rows (``end`` excluded), in order."""
    ranges = [(first, min(first + chunk, count)) for first in range(0, count, chunk)]
    if threads <= 1 or len(ranges) <= 1:
        return [work(first, end) for first, end in ranges]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda ends: work(*ends), ranges))


def both(first: Callable[[], T], second: Callable[[], U], threads: int) -> tuple[T, U]:
    """Results of two pieces of work that do not need each other: at the same time, with several threads."""
    if threads <= 1:
        return first(), second()
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        later = pool.submit(second)
        return first(), later.result()
