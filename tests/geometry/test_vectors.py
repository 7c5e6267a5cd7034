"""Lengths of vectors, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.geometry.vectors import flat_lengths, lengths


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (1000, 3), (7, 2), (3, 50)])
def test_lengths_are_those_of_numpy(shape: tuple[int, int]) -> None:
    vectors = np.random.default_rng(1).normal(0.0, 1e3, shape)
    for given in (vectors, np.asfortranarray(vectors), vectors[::-1]):
        assert lengths(given).tobytes() == np.linalg.norm(given, axis=1).tobytes()


@pytest.mark.parametrize("shape", [(0, 3), (1, 2), (1000, 3), (7, 5, 3)])
def test_flat_lengths_leave_out_the_height(shape: tuple[int, ...]) -> None:
    vectors = np.random.default_rng(2).normal(0.0, 1e3, shape)
    flat = vectors.reshape(-1, shape[-1])[:, :2]
    assert flat_lengths(vectors).tobytes() == lengths(flat).tobytes()
    assert flat_lengths(vectors).shape == shape[:-1]
