"""The tree: it agrees with brute force about every point, and its leaves fill space without overlap."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings

from aascompile import tolerances
from aascompile.bsp.surface import volume_grid
from aascompile.bsp.tree import QUICK, THOROUGH, Reached, build_tree, point_contents, root_cell
from aascompile.geometry.hull import HullStatus, hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.model.contents import Kind
from aascompile.model.filling import unpacked
from aascompile.model.tree import Tree
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.settings import QUAKE3
from tests.builders import Layout, block, layouts, walls
from tests.examples import examples
from tests.reference.solids import area_vector
from tests.reference.space import Space
from tests.reference.tree import locate
from tests.stages import Run, cells, run, run_layout
from tests.terrain import terrain

MARGIN = 0.06
"""Polygons this close to a plane count as on it, so the tree must be right at points farther from any surface."""


def room_points(run: Run, count: int, seed: int = 1) -> np.ndarray:
    """Random points in and around a map."""
    outer = root_cell(PlaneTable(), run.volumes).box
    return np.random.default_rng(seed).uniform(outer[:3], outer[3:], (count, 3))


@settings(max_examples=examples(4), derandomize=True)
@given(layouts())
def test_leaves_contain_what_brute_force_finds_there(layout: Layout) -> None:
    found = run_layout(layout)
    points = room_points(found, 400)
    presence, kind, sure = Space(layout).at(points, MARGIN)
    leaf = locate(found.planes, found.rough, points)
    blocks = sum(np.where(presence & np.uint32(box.presence), 0, 1 << bit) for bit, box in enumerate(QUAKE3.boxes))
    assert sure.mean() > 0.9
    assert np.array_equal(found.rough.leaf_blocks[leaf][sure], blocks[sure])
    door, trigger = Space(layout).owners(points)
    rough = unpacked(found.rough.leaf_contains[leaf])
    assert np.array_equal(rough[0][sure], kind[sure])
    free = sure & (kind != 0)
    assert np.array_equal(rough[1][free], door[free])
    assert np.array_equal(rough[2][free], trigger[free])
    # The final tree agrees where the flood reached, and is solid elsewhere.
    inside = found.reached[leaf]
    final = locate(found.planes, found.tree, points)
    assert np.array_equal(found.tree.leaf_blocks[final][sure & inside], blocks[sure & inside])
    assert np.array_equal(
        found.tree.leaf_contains[final][sure & inside], found.rough.leaf_contains[leaf][sure & inside]
    )
    assert (found.tree.leaf_blocks[final][sure & ~inside] == QUAKE3.all_boxes).all()


def test_planes_through_edges_of_cells_divide_them(tmp_path) -> None:
    """All corners of a landscape lie on edges of cells. An edge of a section was lost there by rounding, and leaves
    reached from the air into the ground."""
    target = tmp_path / "landscape.map"
    target.write_text(terrain(1000, 2))
    found = run(str(target))
    surface, grid = found.surface, volume_grid(found.volumes)
    middle = np.add.reduceat(surface.xyz, surface.vertex_start[:-1]) / np.diff(surface.vertex_start)[:, None]
    normal = found.planes.normal[found.volumes.side_plane[surface.side]]
    points = np.concatenate([middle + height * normal for height in (-0.6, -0.2)])

    def blocks(points: np.ndarray) -> np.ndarray:
        return point_contents(found.planes, found.volumes, grid, np.ascontiguousarray(points), 1).blocks

    there = blocks(points)
    aside = [sign * MARGIN * axis for axis in np.eye(3) for sign in (-1, 1)]
    sure = np.all([blocks(points + offset) == there for offset in aside], axis=0)
    inside = found.reached[locate(found.planes, found.rough, points)] | (there == QUAKE3.all_boxes)
    final = found.tree.leaf_blocks[locate(found.planes, found.tree, points)]
    assert (sure & inside).mean() > 0.4, "the rest is outside"
    assert np.array_equal(final[sure & inside], there[sure & inside])


@settings(max_examples=examples(4), derandomize=True)
@given(layouts())
def test_leaves_fill_the_root_cell(layout: Layout) -> None:
    found = run_layout(layout)
    outer = root_cell(PlaneTable(), found.volumes).box
    for tree in (found.rough, found.tree):
        planes, start, plane = cells(found, tree)
        shape = hulls(planes.normal, planes.dist, start, plane)
        assert (shape.status == HullStatus.CLOSED).mean() > 0.99, "but for needles"
        assert shape.volume.sum() == pytest.approx(np.prod(outer[3:] - outer[:3]), rel=1e-6)
        solid = shape.status == HullStatus.CLOSED
        assert np.allclose(tree.leaf_box[solid], shape.bounds[solid], atol=1e-3)
        own = locate(found.planes, tree, tree.leaf_point[solid])
        assert np.array_equal(own, np.flatnonzero(solid)), "a leaf's point lies in it"


@settings(max_examples=examples(4), derandomize=True)
@given(layouts())
def test_sections_lie_in_their_nodes(layout: Layout) -> None:
    found = run_layout(layout)
    outer = root_cell(PlaneTable(), found.volumes).box
    tree = found.tree
    above: dict[int, list[int]] = {0: []}
    for node, (plane, front, back) in enumerate(tree.node.tolist()):
        section = tree.section_xyz[tree.section_start[node] : tree.section_start[node + 1]]
        assert np.abs(section @ found.planes.normal[plane] - found.planes.dist[plane]).max() < 1e-4
        assert area_vector(section) @ found.planes.normal[plane] > tolerances.MIN_AREA
        assert (section >= outer[:3] - 1e-4).all()
        assert (section <= outer[3:] + 1e-4).all()
        for outward in above[node]:
            assert (section @ found.planes.normal[outward] - found.planes.dist[outward]).max() < 1e-4
        for child, outward in ((front, plane ^ 1), (back, plane)):
            if child >= 0:
                above[child] = [*above[node], outward]


@settings(max_examples=examples(3), derandomize=True)
@given(layouts())
def test_neighbouring_leaves_differ(layout: Layout) -> None:
    """No node has two equal leaves, because it would be redundant."""
    found = run_layout(layout)
    for tree in (found.rough, found.tree):
        both = tree.node[(tree.node[:, 1:] < 0).all(axis=1), 1:]
        front, back = -1 - both[:, 0], -1 - both[:, 1]
        same = (tree.leaf_blocks[front] == tree.leaf_blocks[back]) & (
            tree.leaf_contains[front] == tree.leaf_contains[back]
        )
        assert not same.any()


def test_searching_gives_fewer_leaves_with_the_same_contents(samples) -> None:
    found = run(str(samples / "slanted.map"))
    table = PlaneTable.of(found.planes.normal, found.planes.dist)
    cell = root_cell(table, found.volumes)
    grid = volume_grid(found.volumes)
    points = room_points(found, 2000)
    blocks = point_contents(found.planes, found.volumes, grid, points, 1).blocks
    for search, inside in ((QUICK, None), (THOROUGH, Reached(found.rough, found.reached))):
        made = build_tree(found.planes, found.volumes, found.surface, cell, QUAKE3.all_boxes, search, inside)
        of_leaf = point_contents(found.planes, found.volumes, grid, made.leaf_point, 1).blocks
        columns = (getattr(made, field.name) for field in fields(made) if field.name != "rolled")
        tree = Tree(*columns, of_leaf, np.zeros(len(of_leaf), np.int64))
        leaf = locate(found.planes, tree, points)
        assert (of_leaf[leaf] == blocks).mean() > 0.999


def test_an_empty_room_has_a_leaf_for_each_presence() -> None:
    found = run_layout(Layout(tuple(walls((256, 256, 128))), ((128, 128, 32),)))
    blocks = found.tree.leaf_blocks
    assert sorted(blocks[blocks != 3].tolist()) == [0, 1]
    standing = found.tree.leaf_box[np.flatnonzero(blocks == 0)[0]]
    assert standing.tolist() == [15, 15, 24, 241, 241, 96]


def test_of_overlapping_doors_the_higher_model_counts() -> None:
    doors = [block((64, 64, 0), (128, 128, 64), Kind.MOVER), block((96, 96, 0), (160, 160, 64), Kind.MOVER)]
    found = run_layout(Layout((*walls((256, 256, 192)), *doors), ((200, 30, 32),)))
    leaf = locate(found.planes, found.rough, np.array([[70.0, 70, 30], [112, 112, 30], [150, 150, 30]]))
    kind, door, trigger = unpacked(found.rough.leaf_contains[leaf])
    assert door.tolist() == [1, 2, 2]
    assert kind.tolist() == [Kind.MOVER] * 3
    assert trigger.tolist() == [-1] * 3


PAD, GATE, DOOR = Kind.JUMPPAD, Kind.TELEPORTER, Kind.MOVER


@pytest.mark.parametrize(
    ("kinds", "triggers", "doors"),
    [
        ((PAD, PAD), [1, 1, 2], [-1, -1, -1]),
        ((GATE, GATE), [1, 1, 2], [-1, -1, -1]),
        ((PAD, GATE), [1, 2, 2], [-1, -1, -1]),
        ((GATE, PAD), [1, 1, 2], [-1, -1, -1]),
        ((PAD, DOOR), [1, 1, -1], [-1, 2, 2]),
        ((DOOR, GATE), [-1, 2, 2], [1, 1, -1]),
    ],
)
def test_of_overlapping_triggers_a_teleporter_counts_then_the_lower_model(kinds, triggers, doors) -> None:
    """A player who is teleported is not thrown, and the game touches the first trigger last."""
    places = (((64, 64, 0), (128, 128, 64)), ((96, 96, 0), (160, 160, 64)))
    both = [block(*place, kind) for place, kind in zip(places, kinds, strict=True)]
    found = run_layout(Layout((*walls((256, 256, 192)), *both), ((200, 30, 32),)))
    points = np.array([[70.0, 70, 30], [112, 112, 30], [150, 150, 30]])
    kind, door, trigger = unpacked(found.rough.leaf_contains[locate(found.planes, found.rough, points)])
    assert kind.tolist() == [kinds[0], kinds[0] | kinds[1], kinds[1]]
    assert trigger.tolist() == triggers
    assert door.tolist() == doors
    area = areas_at(tree_of(found.areas), points)
    assert found.areas.area_contents[area].tolist() == kind.tolist()
    assert found.areas.area_trigger[area].tolist() == triggers
    assert found.areas.area_model[area].tolist() == doors


def test_overlapping_contents_are_combined() -> None:
    both = [block((64, 64, 0), (128, 128, 64), Kind.WATER), block((96, 96, 0), (160, 160, 64), Kind.JUMPPAD)]
    found = run_layout(Layout((*walls((256, 256, 192)), *both), ((200, 30, 32),)))
    leaf = locate(found.planes, found.rough, np.array([[70.0, 70, 30], [112, 112, 30], [150, 150, 30]]))
    kind, _, trigger = unpacked(found.rough.leaf_contains[leaf])
    assert kind.tolist() == [Kind.WATER, Kind.WATER | Kind.JUMPPAD, Kind.JUMPPAD]
    assert trigger.tolist() == [-1, 1, 1]
