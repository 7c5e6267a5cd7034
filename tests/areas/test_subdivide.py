"""Subdivision and merging of the mesh: space is preserved, and every result is a valid area."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from aascompile import tolerances
from aascompile.geometry.hull import hulls
from aascompile.model.contents import Kind
from aascompile.settings import QUAKE3
from tests.builders import Layout, block, layouts, walls
from tests.examples import examples
from tests.reference.solids import leak, volume, width
from tests.stages import Run, Shapes, cells, run_layout

FLOOR_UP, GAP_UP = QUAKE3.physics.floor_up, QUAKE3.areas.gap_up


def outward(shapes: Shapes, area: int) -> list[np.ndarray]:
    """Faces of an area, facing outward."""
    return [shapes.polygon(face)[:: -int(into)] for face, into in shapes.faces_of(area)]


def living(shapes: Shapes) -> list[int]:
    """Areas that were not merged into another."""
    return np.flatnonzero(shapes.into == np.arange(len(shapes.into))).tolist()


def underside(shapes: Shapes, area: int) -> tuple[float, float]:
    """Width of the widest ground and of the widest gap, seen from above; 0 if there is none."""
    ground = gap = 0.0
    for face, into in shapes.faces_of(area):
        up = into * shapes.planes.normal[shapes.plane[face], 2]
        far = shapes.back[face] if into > 0 else shapes.front[face]
        shadow = width(shapes.polygon(face) * (1, 1, 0))
        if far < 0 and up >= FLOOR_UP:
            ground = max(ground, shadow)
        if far >= 0 and up >= GAP_UP:
            gap = max(gap, shadow)
    return ground, gap


def dent(shapes: Shapes, area: int) -> float:
    """Greatest distance of a corner outside a face that is not thin."""
    corners = np.concatenate(outward(shapes, area))
    worst = 0.0
    for face, into in shapes.faces_of(area):
        if width(shapes.polygon(face)) > tolerances.ON_PLANE:
            height = corners @ shapes.planes.normal[shapes.plane[face]] - shapes.planes.dist[shapes.plane[face]]
            worst = max(worst, float((-into * height).max()))
    return worst


def leaf_volume(found: Run) -> float:
    """Volume of all open leaves of the tree."""
    planes, start, plane = cells(found, found.tree)
    return float(hulls(planes.normal, planes.dist, start, plane).volume[found.tree.leaf_blocks != 3].sum())


@settings(max_examples=examples(3), derandomize=True)
@given(layouts())
def test_subdivision_keeps_space_and_leaves_no_gap_beside_ground(layout: Layout) -> None:
    found = run_layout(layout)
    assert found.counts("gravity")["stuck"] == 0
    total = 0.0
    for area in range(len(found.split.key)):
        faces = outward(found.split, area)
        assert leak(faces) < 0.01
        assert dent(found.split, area) < 2 * tolerances.MERGE, "planes are interned within MERGE of each other"
        total += volume(faces)
        ground, gap = underside(found.split, area)
        if not found.split.wet[area]:
            assert min(ground, gap) <= tolerances.ON_PLANE
    assert total == pytest.approx(leaf_volume(found), rel=1e-6)


@settings(max_examples=examples(3), derandomize=True)
@given(layouts())
def test_merging_keeps_space_kind_and_shape(layout: Layout) -> None:
    found = run_layout(layout)
    before, after = found.split, found.merged
    assert np.array_equal(after.into[after.into], after.into)
    assert np.array_equal(after.key[after.into], after.key), "only what is of one kind"
    for area in living(after):
        faces = outward(after, area)
        parts = np.flatnonzero(after.into == area)
        assert volume(faces) == pytest.approx(sum(volume(outward(before, part)) for part in parts), rel=1e-6, abs=1e-4)
        assert leak(faces) < 0.01
        assert dent(after, area) <= tolerances.CONVEX + 2 * tolerances.MERGE
        ground, gap = underside(after, area)
        if not after.wet[area]:
            assert min(ground, gap) <= tolerances.ON_PLANE


@settings(max_examples=examples(4), derandomize=True)
@given(layouts(most=5))
def test_nothing_more_can_be_merged(layout: Layout) -> None:
    """The union of two neighbours of the same kind is not convex, or has ground and a gap."""
    found = run_layout(layout)
    shapes = found.merged
    pairs = {(int(min(pair)), int(max(pair))) for pair in zip(shapes.front, shapes.back, strict=True) if min(pair) >= 0}
    for a, b in pairs:
        if shapes.key[a] == shapes.key[b]:
            assert sticks_out(shapes, a, b) or sticks_out(shapes, b, a) or mixed(shapes, a, b)


def sticks_out(shapes: Shapes, a: int, b: int) -> bool:
    """Whether a corner of b lies outside a face of a that does not lead to b."""
    corners = np.concatenate(outward(shapes, b))
    for face, into in shapes.faces_of(a):
        far = shapes.back[face] if into > 0 else shapes.front[face]
        if far != b and width(shapes.polygon(face)) > tolerances.ON_PLANE - tolerances.CLIP:
            height = into * (
                corners @ shapes.planes.normal[shapes.plane[face]] - shapes.planes.dist[shapes.plane[face]]
            )
            if height.min() < -tolerances.CONVEX + tolerances.CLIP:
                return True
    return False


def mixed(shapes: Shapes, a: int, b: int) -> bool:
    """Whether the union of two areas has ground and a gap."""
    ground = gap = False
    for area, other in ((a, b), (b, a)):
        for face, into in shapes.faces_of(area):
            up = into * shapes.planes.normal[shapes.plane[face], 2]
            far = shapes.back[face] if into > 0 else shapes.front[face]
            if far != other and width(shapes.polygon(face) * (1, 1, 0)) > tolerances.ON_PLANE - tolerances.CLIP:
                ground |= far < 0 and up >= FLOOR_UP
                gap |= far >= 0 and up >= GAP_UP
    return ground and gap


def test_a_hole_is_cut_out_along_its_edges() -> None:
    """Figures 6.12 and 6.13: a shaft in the middle of a floor divides the floor into four parts."""
    floor = [block((0, 0, 0), (256, 96, 64)), block((0, 160, 0), (256, 256, 64))]
    floor += [block((0, 96, 0), (96, 160, 64)), block((160, 96, 0), (256, 160, 64))]
    found = run_layout(Layout((*walls((256, 256, 256)), *floor), ((32, 32, 100),)))
    areas = found.areas
    grounded = np.flatnonzero(areas.area_flags & np.uint32(1))
    floors = [area for area in grounded if areas.area_mins[area, 2] == 88]
    assert len(floors) == 4
    total = sum(float(np.prod(areas.area_maxs[area, :2] - areas.area_mins[area, :2])) for area in floors)
    assert total == 226**2 - 34**2
    (shaft,) = set(grounded.tolist()) - set(floors)
    assert (areas.area_mins[shaft].tolist(), areas.area_maxs[shaft].tolist()) == ([111, 111, 24], [145, 145, 224])


def test_liquids_are_not_subdivided() -> None:
    """Players do not fall in water, so the ground of a pool may have a shaft in it."""
    floor = [block((0, 0, 0), (256, 96, 64)), block((0, 160, 0), (256, 256, 64))]
    floor += [block((0, 96, 0), (96, 160, 64)), block((160, 96, 0), (256, 160, 64))]
    water = block((0, 0, 0), (256, 256, 200), Kind.WATER)
    found = run_layout(Layout((*walls((256, 256, 256)), *floor, water), ((32, 32, 100),)))
    assert found.counts("gravity")["splits"] == 0
    wet = np.flatnonzero(found.areas.area_contents & np.uint32(Kind.WATER))
    assert len(wet) == 2, "the pool and its shaft"
