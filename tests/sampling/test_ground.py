"""Edges of the ground, behind which other ground of the same area goes on."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.sampling.ground import SHARES, going_on, ground_edges, inner_edges
from aascompile.sampling.sample import tree_of
from aascompile.settings import QUAKE3
from tests.reference.ground import BEYOND, NARROW, behind


@pytest.mark.parametrize("name", ["stairs", "rises", "terrain"])
def test_ground_behind_edges_matches_the_slow_twin(compiled_sample, name):
    areas = compiled_sample(name).areas
    edges, tree = ground_edges(areas), tree_of(areas)
    row = np.flatnonzero(edges.length > 0)[::-1].copy()
    point, found = going_on(edges, row, tree, QUAKE3.physics)
    slow = np.stack([behind(edges, row, share, tree, (*BEYOND, NARROW)) for share in SHARES])
    assert 0 < slow.sum() < slow.size
    assert np.array_equal(found, slow)
    assert np.allclose(point[2], edges.middle[row])
    slow = np.stack([behind(edges, row, share, tree) for share in SHARES])
    for threads in (1, 3):
        assert np.array_equal(inner_edges(edges, row, tree, QUAKE3.physics, threads), row[slow.all(axis=0)])
