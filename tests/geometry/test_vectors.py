"""Lengths of vectors: numpy's, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.geometry.vectors import lengths


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (1000, 3), (7, 2), (3, 50)])
def test_lengths_are_those_of_numpy(shape: tuple[int, int]) -> None:
    vectors = np.random.default_rng(1).normal(0.0, 1e3, shape)
    for given in (vectors, np.asfortranarray(vectors), vectors[::-1]):
        assert lengths(given).tobytes() == np.linalg.norm(given, axis=1).tobytes()
