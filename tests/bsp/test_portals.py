"""Portals: each lies between its two leaves, and together they close every open leaf."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from hypothesis import given, settings

from aascompile import tolerances
from aascompile.bsp.portals import make_portals
from aascompile.geometry.hull import HullStatus, hulls
from aascompile.model.tree import Portals
from aascompile.settings import QUAKE3
from tests.builders import Layout, layouts, walls
from tests.examples import examples
from tests.reference.solids import area_vector, leak, volume, width
from tests.reference.tree import locate
from tests.stages import cells, run, run_layout


def polygon(portals: Portals, row: int) -> np.ndarray:
    """Corners of a portal."""
    return portals.xyz[portals.vertex_start[row] : portals.vertex_start[row + 1]]


def outward(portals: Portals) -> dict[int, list[np.ndarray]]:
    """For each leaf, its portals facing outward."""
    out = defaultdict(list)
    for row in range(len(portals)):
        out[int(portals.front[row])].append(polygon(portals, row)[::-1])
        out[int(portals.back[row])].append(polygon(portals, row))
    return out


@settings(max_examples=examples(3), derandomize=True)
@given(layouts(most=5))
def test_portals_lie_between_their_leaves(layout: Layout) -> None:
    found = run_layout(layout)
    for tree, portals in ((found.rough, found.rough_portals), (found.tree, found.portals)):
        solid = tree.leaf_blocks == QUAKE3.all_boxes
        assert not (solid[portals.front] & solid[portals.back]).any()
        assert (portals.front != portals.back).all()
        for row in range(len(portals)):
            corners, plane = polygon(portals, row), portals.plane[row]
            normal = found.planes.normal[plane]
            assert np.abs(corners @ normal - found.planes.dist[plane]).max() < 1e-4
            assert area_vector(corners) @ normal > 0 or width(corners) < tolerances.CLIP * 100
        wide = [row for row in range(len(portals)) if width(polygon(portals, row)) > 0.5]
        middle = np.array([polygon(portals, row).mean(axis=0) for row in wide]).reshape(-1, 3)
        normal = found.planes.normal[portals.plane[wide]]
        # Points slightly off the plane. A thinner leaf may be missed.
        for side, leaf in ((1e-4, portals.front), (-1e-4, portals.back)):
            there = locate(found.planes, tree, middle + side * normal)
            assert (there == leaf[wide]).mean() > 0.99


@settings(max_examples=examples(3), derandomize=True)
@given(layouts(most=5))
def test_exact_portals_close_every_open_leaf(layout: Layout) -> None:
    """They are exactly the faces of the cell that the tree's planes bound."""
    found = run_layout(layout)
    planes, start, plane = cells(found, found.tree)
    shape = hulls(planes.normal, planes.dist, start, plane)
    faces = outward(found.portals)
    for leaf in np.flatnonzero(found.tree.leaf_blocks != QUAKE3.all_boxes):
        assert leak(faces[leaf]) < 1e-3
        if shape.status[leaf] != HullStatus.CLOSED:
            continue
        assert np.isclose(volume(faces[leaf]), shape.volume[leaf], rtol=1e-6, atol=1e-4)
        mine = defaultdict(float)
        for corners in faces[leaf]:
            vector = area_vector(corners)
            size = np.linalg.norm(vector)
            if size > tolerances.MIN_AREA:
                row = plane[start[leaf] : start[leaf + 1]]
                match = row[
                    np.argmax(
                        planes.normal[row] @ (vector / size)
                        - np.abs(planes.normal[row] @ corners.mean(axis=0) - planes.dist[row])
                    )
                ]
                mine[int(match)] += float(size)
        for side in range(start[leaf], start[leaf + 1]):
            corners = shape.polygon(side)
            size = float(np.linalg.norm(area_vector(corners))) if len(corners) else 0.0
            if size > 1.0:
                assert abs(mine[int(plane[side])] - size) < 0.01 * size + 20 * tolerances.MIN_AREA


def test_portals_are_the_same_for_any_number_of_threads(samples) -> None:
    found = run(str(samples / "slanted.map"))
    for exact in (True, False):
        single, double = (
            make_portals(found.planes, found.tree, QUAKE3.all_boxes, threads, exact=exact) for threads in (1, 2)
        )
        for name in ("plane", "front", "back", "vertex_start", "xyz"):
            assert np.array_equal(getattr(single, name), getattr(double, name))


def test_a_room_has_one_portal_where_standing_room_ends() -> None:
    found = run_layout(Layout(tuple(walls((256, 256, 128))), ((128, 128, 32),)))
    portals, blocks = found.portals, found.tree.leaf_blocks
    kinds = sorted((int(blocks[f]), int(blocks[b])) for f, b in zip(portals.front, portals.back, strict=True))
    assert sorted(sorted(pair) for pair in kinds) == [[0, 1]] + [[0, 3]] * 5 + [[1, 3]] * 5
    (between,) = (
        row for row in range(len(portals)) if {blocks[portals.front[row]], blocks[portals.back[row]]} == {0, 1}
    )
    assert sorted(map(tuple, polygon(portals, between).tolist())) == [
        (x, y, 96.0) for x in (15.0, 241.0) for y in (15.0, 241.0)
    ]
