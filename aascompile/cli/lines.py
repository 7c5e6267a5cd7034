"""Lines of a summary, as ``aas info`` prints them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from aascompile.cli.common import plain

MOST_LISTED = 10
"""Things named one by one in text; --json names all."""


def row(title: str, value: str) -> str:
    """A line that is one value."""
    return f"  {title:<10}{value}"


def counts(numbers: Mapping[str, int], width: int) -> Iterator[str]:
    """Counts with their names, the numbers in one column."""
    for name, number in numbers.items():
        yield f"      {number:>{width},}  {plain(name, 120)}"


def listed(title: str, rows: Sequence[str]) -> Iterator[str]:
    """A heading with its count, then the first few rows."""
    yield row(title, f"{len(rows):,}" if rows else "none")
    for one in rows[:MOST_LISTED]:
        yield f"      {plain(one, 200)}"
    if len(rows) > MOST_LISTED:
        yield f"      ... and {len(rows) - MOST_LISTED:,} more (--json lists all)"


def vector(point: Sequence[float]) -> str:
    """Three numbers."""
    return " ".join(f"{value:g}" for value in point)


def rounded(point: Sequence[float]) -> str:
    """Three numbers, to a tenth."""
    return vector([round(value, 1) + 0.0 for value in point])


def bounds(mins: Sequence[float], maxs: Sequence[float]) -> str:
    """A box and its size."""
    size = " x ".join(f"{high - low:g}" for low, high in zip(mins, maxs, strict=True))
    return f"({vector(mins)}) to ({vector(maxs)}), {size} units"
