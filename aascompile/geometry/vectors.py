"""Lengths and products of vectors that are the same on every machine.

numpy's products of vectors and matrices, and its norm of a single vector, are computed by BLAS, which adds in another
order on another processor. Its hypot is that of the C library, which rounds differently from system to system. The last
digits would differ, and so would the bytes of a compiled file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]


def norm(vector: Iterable[float]) -> float:
    """Length of a vector."""
    return math.hypot(*vector)


def lengths(vectors: Float) -> Float:
    """(n,) lengths of the vectors ``(n, k)``. numpy's own function gives the same, but must be imported first."""
    found: Float = np.sqrt(np.add.reduce(vectors * vectors, axis=1))
    return found


def flat_lengths(vectors: Float) -> Float:
    """(…) lengths of the vectors ``(…, k)`` in plan: of their first two components."""
    x, y = vectors[..., 0], vectors[..., 1]
    found: Float = np.sqrt(x * x + y * y)
    return found


def dot(a: Float, b: Float) -> float:
    """Product of two vectors."""
    return float((a * b).sum())


def products(a: Float, b: Float) -> Float:
    """(n, m) products of the vectors ``a (n, k)`` with the vectors ``b (m, k)``."""
    found: Float = (a[:, None] * b[None]).sum(axis=2)
    return found
