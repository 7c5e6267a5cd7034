"""Players whom the brushes of a platform touch, compared with one plane after the other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from aascompile import tolerances
from aascompile.reach.platforms import Brush, _above
from aascompile.settings import STANDING
from tests.reference.platforms import above


def pyramid(rng: np.random.Generator, sides: int) -> Brush:
    """A brush with upright and slanting sides, a top and a bottom."""
    angle = np.arange(sides) * 2.0 * math.pi / sides + rng.uniform(0.0, 1.0)
    up = rng.choice([0.0, 1e-9, 0.3, -0.3], sides)
    flat = np.sqrt(1.0 - up * up)
    normal = np.column_stack((np.cos(angle) * flat, np.sin(angle) * flat, up))
    normal = np.vstack((normal, [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]))
    middle = np.append(rng.uniform(-60.0, 60.0, 2), 0.0)
    return Brush(normal, rng.uniform(4.0, 40.0, len(normal)) + normal @ middle)


@pytest.mark.parametrize("seed", range(6))
def test_touched_players_are_those_of_the_slow_way(seed):
    rng = np.random.default_rng(seed)
    brushes = [pyramid(rng, sides) for sides in rng.integers(3, 8, 5).tolist()]
    points = rng.uniform(-150.0, 150.0, (300, 2))
    bounds = rng.uniform(-30.0, 30.0, (300, 2))
    for low, high in ((-np.inf, np.inf), (-4.0, 12.0), (bounds[:, 0], bounds[:, 0] + 8.0)):
        found = _above(brushes, points, low, high)
        lows, highs = np.full(len(points), low).tolist(), np.full(len(points), high).tolist()
        expected = [
            any(above(brush.normal, brush.dist, point, STANDING.maxs[0], *between) for brush in brushes)
            for point, *between in zip(points, lows, highs, strict=True)
        ]
        assert found.tolist() == expected
        assert any(expected)
        assert not all(expected)
    assert not _above([], points).any()


def test_a_player_at_an_upright_side_is_not_touched():
    """The sides of a box are grown by half the width of a player."""
    normal = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], np.float64)
    edge = 10.0 + STANDING.maxs[0]
    points = np.array([(edge - 1.0, 0.0), (edge, 0.0), (edge - tolerances.TOUCH / 2, 0.0)])
    assert _above([Brush(normal, np.full(6, 10.0))], points).tolist() == [True, False, False]
