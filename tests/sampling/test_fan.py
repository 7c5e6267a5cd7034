"""Fans of lines: the free part of every line is that of a trace, to the last bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from aascompile.model.compiled import Compiled
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.sampling.fan import fan_of, fan_tree
from aascompile.sampling.fan_kernel import fan_traces
from aascompile.sampling.sample import traces, tree_of
from aascompile.settings import QUAKE3
from tests.nav.test_routes import sample


def same(compiled: Compiled, points: int, presence: int) -> float:
    """Compare fans with single traces from points all over the map; return the share of lines that are blocked."""
    dice, areas = np.random.default_rng(8), compiled.areas
    low, high = areas.area_mins.min(axis=0) - 9.0, areas.area_maxs.max(axis=0) + 9.0
    area = dice.integers(0, len(areas), points)
    at = dice.uniform(areas.area_mins[area], areas.area_maxs[area])
    at[::5] = areas.area_centre[area[::5]]  # points on planes
    at[::7] = np.round(at[::7])
    at[::11] = dice.uniform(low, high, (len(at[::11]), 3))
    angle = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    level = 1024.0 * np.column_stack((np.cos(angle), np.sin(angle), np.zeros(8)))
    short = [(0.0, 0.0, -0.25), (300.0, 0.0, 0.0), (0.0, 0.0, 0.0)]
    offsets = np.vstack((level, short, dice.uniform(-400, 400, (4, 3))))
    tree = tree_of(areas)
    fraction, hit = np.empty((points, len(offsets))), np.empty((points, len(offsets)), np.int32)
    pruned = fan_tree(tree, presence)
    fan_traces(fan_of(pruned, offsets), at, fraction, hit)
    ends = at[:, None] + offsets
    expected = traces(tree, np.repeat(at, len(offsets), axis=0), ends.reshape(-1, 3), presence)
    assert np.array_equal(fraction.reshape(-1), expected.fraction)
    assert np.array_equal(hit.reshape(-1) >= 0, expected.plane >= 0)
    struck = hit.reshape(-1) >= 0
    normal = pruned.node[hit.reshape(-1)[struck], :3]
    assert np.array_equal(np.abs(normal), np.abs(expected.normal[struck]))
    return float((fraction < 1.0).mean())


@pytest.mark.parametrize("name", ["pillars", "pool_steps", "crouch", "slanted", "stairs", "terrain_cliff"])
def test_fans_are_traces(name: str):
    compiled = sample(name)
    for presence in compiled.boxes.presence.tolist():
        assert 0.05 < same(compiled, 400, presence) < 1.0


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["oa_dm1", "wrackdm17"])
def test_fans_are_traces_on_real_maps(name: str, corpus: Path):
    compiled = compile_map(str(corpus / f"{name}.bsp"), QUAKE3, Report(name), threads=2, allow_leak=True)
    assert 0.05 < same(compiled, 5000, int(compiled.boxes.presence[-1])) < 1.0
