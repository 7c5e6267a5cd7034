"""The brush or patch that an attempt ran into."""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.model.compiled import Compiled
from aascompile.nav.explain import Verdict

NEAR: Final = 1.0
"""Limit on the distance from a player's box to the face that it ran into, units."""


def obstacle(compiled: Compiled, verdict: Verdict) -> str:
    """Name of the brush or patch that a player ran into: the nearest face that the player's box touches."""
    context = compiled.context
    if not verdict.hit or not len(context):
        return ""
    place = np.array(verdict.place)
    mins, maxs = place + compiled.boxes.mins[0] - NEAR, place + compiled.boxes.maxs[0] + NEAR
    corner = context.vertex[context.corner]
    low = np.minimum.reduceat(corner, context.start[:-1])
    high = np.maximum.reduceat(corner, context.start[:-1])
    rows = np.flatnonzero(((low <= maxs) & (high >= mins)).all(axis=1))
    best, found = 2.0 * NEAR, -1
    for row in rows.tolist():
        points = context.vertex[context.corner[context.start[row] : context.start[row + 1]]]
        normal = np.cross(points[1] - points[0], points[2] - points[0])
        size = float(np.linalg.norm(normal))
        if size <= 0.0:
            continue
        normal /= size
        nearest = np.where(normal > 0.0, compiled.boxes.mins[0], compiled.boxes.maxs[0])
        away = abs(float(normal @ (place + nearest - points[0])))
        if away < best:
            best, found = away, row
    if found < 0:
        return ""
    if context.brush[found] >= 0:
        return f"a {verdict.hit} (brush {context.brush[found]})"
    return f"a {verdict.hit} (patch {context.patch[found]})"
