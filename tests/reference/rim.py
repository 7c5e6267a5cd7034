"""Slow twins of the rim: edges on a grid of whole numbers, cut into pieces of length 1 and counted; distances."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable

import numpy as np

Point = tuple[int, int]


def pieces(a: Point, b: Point) -> list[tuple[Point, Point]]:
    """Pieces of length 1 of an axial edge, each with its direction."""
    steps = max(abs(b[0] - a[0]), abs(b[1] - a[1]))
    step = ((b[0] - a[0]) // steps, (b[1] - a[1]) // steps)
    at = [(a[0] + k * step[0], a[1] + k * step[1]) for k in range(steps + 1)]
    return list(itertools.pairwise(at))


def free_pieces(edges: Iterable[tuple[Point, Point]]) -> Counter[tuple[Point, Point]]:
    """Pieces of edges that no other edge covers in the opposite direction."""
    count: Counter[tuple[Point, Point]] = Counter()
    for edge in edges:
        for a, b in pieces(*edge):
            if count[b, a] > 0:
                count[b, a] -= 1
            else:
                count[a, b] += 1
    return +count


def farthest(points: np.ndarray, polygon: np.ndarray) -> float:
    """The greatest distance of one of these points from the outline of a polygon."""
    along = np.roll(polygon, -1, axis=0) - polygon
    to = points[:, None] - polygon
    share = np.clip((to * along).sum(axis=2) / (along * along).sum(axis=1), 0.0, 1.0)
    return float(np.linalg.norm(to - share[..., None] * along, axis=2).min(axis=1).max())
