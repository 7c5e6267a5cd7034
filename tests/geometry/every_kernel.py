"""A small case that runs every geometry kernel. As a script, it writes the results to a file."""

from __future__ import annotations

import sys

import numpy as np

from aascompile.geometry import hull_kernel, winding
from aascompile.geometry.bevels import bevels
from aascompile.geometry.box import expansion
from aascompile.geometry.hull import hulls
from aascompile.geometry.merging import merge_polygons
from aascompile.geometry.overlap import overlaps, touching
from aascompile.geometry.planes import PlaneTable
from aascompile.graph.strong_kernel import strong_components
from tests.geometry.shapes import convex_shapes


def results() -> dict[str, np.ndarray]:
    """Results of the kernels for a few brushes: solid, flat, with duplicates and bevels, open, inside out."""
    rng = np.random.default_rng(3)
    normals, dists, starts = [], [], [0]
    for i in range(24):
        centre, size = np.round(rng.uniform(-900, 900, 3)), np.round(rng.uniform(8, 200, 3))
        if i % 5 == 0:
            size[2] = 0.0
        if i % 11 == 10:
            size[1] = -4.0
        cuts = rng.normal(size=(i % 7, 3))
        cuts /= np.linalg.norm(cuts, axis=1, keepdims=True)
        reach = np.abs(cuts) @ np.abs(size) * rng.choice([0.7, 1.0, 1.3], len(cuts))
        sides = np.vstack((np.eye(3), -np.eye(3), cuts, np.eye(3)[:1]))
        dist = np.concatenate((centre + size, size - centre, cuts @ centre + reach, centre[:1] + size[:1]))
        order = rng.permutation(len(dist))
        if i == 7:
            order = order[order != 2]
        normals.append(sides[order])
        dists.append(dist[order])
        starts.append(starts[-1] + len(order))
    table = PlaneTable()
    planes = table.intern(np.vstack(normals), np.concatenate(dists))
    first = hulls(table.normal, table.dist, starts, planes)
    sides = bevels(table, starts, planes, first)
    normal = table.normal
    grown = hulls(
        normal, table.dist + expansion(normal, [-15, -15, -24], [15, 15, 32]), sides.side_start, sides.side_plane
    )
    quads = [
        np.array([[x, y, 5], [x + 9, y, 5], [x + 9, y + 9, 5], [x, y + 9, 5.0]]) for x in (0, 9) for y in (0, 9, 18)
    ]
    merged = merge_polygons(np.arange(0, 25, 4), np.vstack(quads), [0, 0, 0, 0, 0, 1], [[0, 0, 1]] * 2)
    parts = winding.split(winding.from_plane([0.6, 0.0, 0.8], 7.0, 100.0), [0.0, 0.6, 0.8], 3.0)
    crowd = convex_shapes(rng, 12, 60.0)
    every = np.arange(len(crowd))
    shared = overlaps(crowd, crowd, touching(crowd, crowd, every, every))
    ring = strong_components(np.arange(0, 7, 2), np.array([1, 0, 2, 0, 2, 2], np.int32), np.ones(6, np.uint8))
    return {
        "ring": ring,
        "shared": shared.volume,
        "sticks_out": shared.sticks_out,
        "planes": planes,
        "normal": normal,
        "status": first.status,
        "vertex_start": first.vertex_start,
        "xyz": first.xyz,
        "volume": first.volume,
        "sides": sides.side_plane,
        "grown": grown.xyz,
        "merged": merged.xyz,
        "part_of": merged.part_of,
        "parts": np.vstack([part for part in parts if part is not None]),
    }


if __name__ == "__main__":
    np.savez(sys.argv[1], kernel=np.array(hull_kernel.__file__), **results())
