"""Formatting of the lines that ``aas info`` and other commands print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from aascompile.escaping import printable

MAX_LISTED = 10
"""Limit on the rows of a list in text; --json has all of them."""


def row(title: str, value: str) -> str:
    """A line with a title and a value."""
    return f"  {title:<10}{value}"


def counted(number: int, what: str) -> str:
    """A number of things: "1 item", "2 items"."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def counts(numbers: Mapping[str, int], width: int) -> Iterator[str]:
    """Lines of counts with their names, aligned."""
    for name, number in numbers.items():
        yield f"      {number:>{width},}  {printable(name, 120)}"


def listed(title: str, rows: Sequence[str]) -> Iterator[str]:
    """A heading with the number of rows, then the first rows."""
    yield row(title, f"{len(rows):,}" if rows else "none")
    for text in rows[:MAX_LISTED]:
        yield f"      {printable(text, 1000)}"
    if len(rows) > MAX_LISTED:
        yield f"      ... and {len(rows) - MAX_LISTED:,} more (--json lists all)"


def screen_width() -> int:
    """Columns of the terminal; unlimited if output is piped."""
    import sys

    from aascompile.cli import fold

    return fold.width_of(sys.stdout)


def vector(point: Sequence[float]) -> str:
    """Coordinates as text."""
    return " ".join(f"{value:g}" for value in point)


def rounded(point: Sequence[float]) -> str:
    """Coordinates as text, rounded to a tenth."""
    return vector([round(value, 1) + 0.0 for value in point])


def bounds(mins: Sequence[float], maxs: Sequence[float]) -> str:
    """A box and its size as text."""
    size = " x ".join(f"{high - low:g}" for low, high in zip(mins, maxs, strict=True))
    return f"({vector(mins)}) to ({vector(maxs)}), {size} units"
