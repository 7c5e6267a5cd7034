"""Real brushes are closed and watertight, and expand to the exact Minkowski sum."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from aascompile import tolerances as tol
from aascompile.geometry.bevels import bevels
from aascompile.geometry.box import expansion
from aascompile.geometry.hull import Hulls, HullStatus, hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.mapio.load import load_map
from tests.geometry.shapes import STANDING, assert_watertight
from tests.reference import bevels as slow

pytestmark = pytest.mark.corpus

STEP = 17  # one brush in this many is examined in detail


def single(hull: Hulls, first: int, end: int) -> Hulls:
    """Hull of one brush out of many."""
    corners = hull.vertex_start[first : end + 1]
    return Hulls(
        corners - corners[0], hull.xyz[corners[0] : corners[-1]], hull.bounds[:1], hull.volume[:1], hull.status[:1]
    )


def test_every_real_brush_is_closed_and_grows_exactly(corpus: Path) -> None:
    from scipy.spatial import ConvexHull

    for path in sorted(corpus.glob("*.bsp")):
        map = load_map(path)
        starts, planes = map.brushes.side_start, map.brushes.side_plane
        table = PlaneTable.of(map.planes.normal, map.planes.dist)
        hull = hulls(table.normal, table.dist, starts, planes)
        assert (hull.status == HullStatus.CLOSED).all(), path.name
        sides = bevels(table, starts, planes, hull)
        normal = table.normal
        moved = table.dist + expansion(normal, *STANDING)
        grown = hulls(normal, moved, sides.side_start, sides.side_plane)
        assert (grown.status == HullStatus.CLOSED).all(), path.name
        low, high = STANDING
        assert np.allclose(grown.bounds, hull.bounds + np.concatenate((-high, -low)), atol=tol.PLANE_DIST), path.name
        for brush in range(0, len(starts) - 1, STEP):
            small = single(hull, starts[brush], starts[brush + 1])
            large = single(grown, sides.side_start[brush], sides.side_start[brush + 1])
            assert_watertight(small)
            assert_watertight(large)
            points = slow.grown(np.unique(small.xyz, axis=0), *STANDING)
            exact = ConvexHull(points - points[0])
            assert grown.volume[brush] == pytest.approx(exact.volume, abs=tol.PLANE_DIST * exact.area), path.name
