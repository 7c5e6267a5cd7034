"""Comparison of two compiled maps, column by column."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from aascompile.model.compiled import Compiled
from aascompile.store.schema import to_columns

NOT_IN_ENGINE_FILES = (
    "context",
    "entities",
    "places",
    "sight",
    "slopes",
    "rides",
    "leak",
    "areas/trigger",
    "areas/cost",
    "areas/volume",
    "links/ride",
    "links/velocity",
    "links/needed_speed",
    "links/tier",
    "links/entity",
    "links/arrives",
    "links/dies",
    "links/room",
    "links/landing_speed",
    "links/miss",
)
"""Tables and columns that the engine's file cannot store."""


def different(first: Compiled, second: Compiled, *, without: Iterable[str] = (), single: bool = False) -> list[str]:
    """Paths of the columns that differ. ``without``: tables and columns to skip. ``single``: compare as float32."""
    skipped = set(without)
    left, right = (
        {path: column for path, column in to_columns(each).items() if not {path, path.partition("/")[0]} & skipped}
        for each in (first, second)
    )
    assert list(left) == list(right)
    return [path for path in left if not _equal(left[path], right[path], single and left[path].dtype == np.float64)]


def _equal(left: np.ndarray, right: np.ndarray, single: bool) -> bool:
    if left.dtype != right.dtype:
        return False
    if single:
        left, right = left.astype(np.float32), right.astype(np.float32)
    return np.array_equal(left, right, equal_nan=left.dtype.kind == "f")
