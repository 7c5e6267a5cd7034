"""Expansion of planes by a box."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile.geometry.box import expansion
from tests.geometry.shapes import STANDING, directions
from tests.reference import bevels as slow

sizes = st.floats(0, 500)


@given(normal=directions(), low=st.tuples(sizes, sizes, sizes), high=st.tuples(sizes, sizes, sizes))
def test_expansion_matches_the_slow_twin(normal: np.ndarray, low: tuple[float, ...], high: tuple[float, ...]) -> None:
    mins, maxs = -np.array(low), np.array(high)
    assert expansion(normal, mins, maxs)[0] == pytest.approx(slow.expansion(normal, mins, maxs), abs=1e-9)


def test_a_standing_origin_is_24_above_the_floor_and_32_below_the_ceiling() -> None:
    axes = np.vstack((np.eye(3), -np.eye(3)))
    assert expansion(axes, *STANDING).tolist() == [15, 15, 24, 15, 15, 32]


def test_no_planes_give_no_expansions() -> None:
    assert expansion(np.empty((0, 3)), *STANDING).shape == (0,)
