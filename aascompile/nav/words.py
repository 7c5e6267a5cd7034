"""Numbers in sentences."""

from __future__ import annotations

from collections.abc import Iterable


def point_text(point: Iterable[float]) -> str:
    """Coordinates as text, rounded to a tenth."""
    return " ".join(f"{round(float(value), 1) + 0.0:g}" for value in point)


def units(measure: float) -> str:
    """A length in words."""
    number = f"{measure:.2f}" if measure < 1.0 else f"{measure:.1f}"
    number = number.rstrip("0").rstrip(".")
    return f"{number} unit" + "s" * (number != "1")
