"""Parallel work over fixed ranges. The ranges, and so the results, do not depend on the number of threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def over_ranges(work: Callable[[int, int], T], count: int, chunk: int, threads: int) -> list[T]:
    """Results of ``work(first, end)`` for consecutive ranges of ``chunk`` rows (``end`` excluded), in order."""
    ranges = [(first, min(first + chunk, count)) for first in range(0, count, chunk)]
    if threads <= 1 or len(ranges) <= 1:
        return [work(first, end) for first, end in ranges]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda ends: work(*ends), ranges))
