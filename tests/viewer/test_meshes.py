"""Meshes: selecting, flipping and cutting."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.csr import owners_of
from aascompile.model.areas import FaceFlag
from aascompile.viewer import build
from aascompile.viewer.meshes import Mesh, Shape, cut, empty_mesh, equal_cells, flipped, joined, mesh, outlines
from aascompile.viewer.touched import touched
from tests.viewer.samples import sample, scene

OPEN = np.full(3, np.inf)


def vectors(cells: Mesh) -> np.ndarray:
    """``(n, 3)`` normals of the polygons, each twice as long as the polygon's area."""
    owner = owners_of(cells.start)
    row = np.arange(len(owner))
    after = np.where(row + 1 == cells.start[owner + 1], cells.start[owner], row + 1)
    return np.add.reduceat(np.cross(cells.xyz, cells.xyz[after]), cells.start[:-1])


def volume(cells: Mesh) -> float:
    """Volume enclosed by polygons that face outwards."""
    return float((vectors(cells) * cells.xyz[cells.start[:-1]]).sum() / 6.0)


@pytest.mark.parametrize("name", ["slanted", "arch", "wedge", "pillars"])
def test_shells_are_closed_and_lie_inside_their_areas(name):
    areas = sample(name).areas
    shells = build.shells(areas)
    for area in range(len(areas)):
        own = shells.select(shells.item == area)
        assert np.allclose(vectors(own).sum(axis=0), 0.0, atol=1e-6 * np.abs(vectors(own)).sum())
        assert 0.2 * areas.area_volume[area] < volume(own) < areas.area_volume[area]
        assert np.all(own.xyz >= areas.area_mins[area] - 1e-9)
        assert np.all(own.xyz <= areas.area_maxs[area] + 1e-9)


def test_areas_without_faces_are_boxes():
    areas = sample("box").areas
    bare = type(areas)(
        **{
            **{name: getattr(areas, name) for name in areas.__dataclass_fields__},
            "area_start": np.zeros(len(areas) + 1, np.int64),
            "area_face": np.zeros(0, np.int32),
        }
    )
    shells = build.shells(bare)
    assert len(shells) == 6 * len(areas)
    for area in range(len(areas)):
        own = shells.select(shells.item == area)
        size = areas.area_maxs[area] - areas.area_mins[area] - 2 * build.INSET
        assert volume(own) == pytest.approx(np.prod(size))


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", ["slanted", "curve", "wedge"])
def test_both_sides_of_a_cut_are_closed_and_add_up(name, axis):
    shells = build.shells(sample(name).areas)
    middle = float(np.median(shells.xyz[:, axis])) + 0.3
    low, high = -OPEN, OPEN.copy()
    high[axis] = middle
    below = cut(shells, low, high, capped=True)
    low[axis], high[axis] = middle, np.inf
    above = cut(shells, low, high, capped=True)
    assert below.xyz[:, axis].max() <= middle + 1e-9
    assert above.xyz[:, axis].min() >= middle - 1e-9
    assert volume(below) + volume(above) == pytest.approx(volume(shells))
    for part in (below, above):
        for item in np.unique(part.item).tolist():
            own = part.select(part.item == item)
            assert np.allclose(vectors(own).sum(axis=0), 0.0, atol=1e-6 * np.abs(vectors(own)).sum())
            assert np.array_equal(np.unique(own.colour, axis=0), np.unique(shells.colour, axis=0))


def test_lines_are_cut_at_the_box():
    line = equal_cells(Shape.LINES, np.array([[(0.0, 0, 0), (10, 0, 0)], [(0, 5, 0), (0, 9, 0)]]), np.array([7, 8]))
    left = cut(line, np.array([2.0, -np.inf, -np.inf]), np.array([6.0, np.inf, np.inf]))
    assert left.item.tolist() == [7]
    assert left.xyz.tolist() == [[2.0, 0.0, 0.0], [6.0, 0.0, 0.0]]
    assert cut(line, -OPEN, OPEN) is line
    arc = mesh(Shape.LINES, np.array([0, 3]), np.array([(0.0, 0, 0), (5, 0, 10), (10, 0, 0)]), np.array([3]))
    sides = cut(arc, -OPEN, np.array([np.inf, np.inf, 4.0]))
    assert sides.item.tolist() == [3, 3]  # no line along the cut joins them
    assert sides.xyz.tolist() == [[0.0, 0.0, 0.0], [2.0, 0.0, 4.0], [8.0, 0.0, 4.0], [10.0, 0.0, 0.0]]


def test_joining_selecting_and_outlining():
    square = np.array([[(0.0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]])
    first = equal_cells(Shape.FACES, square, np.array([0])).coloured((1, 2, 3))
    second = equal_cells(Shape.FACES, square[:, :3] + 5, np.array([1])).coloured((4, 5, 6))
    both = joined(first, second)
    assert both.start.tolist() == [0, 4, 7]
    assert both.select(np.array([False, True])).xyz.tolist() == second.xyz.tolist()
    assert both.select(np.array([True, True])) is both
    assert both.select_items(np.array([True, False])).colour.tolist() == [[1, 2, 3]]
    assert both.coloured(np.array([(9, 9, 9), (8, 8, 8)], np.uint8)).colour.tolist() == [[9, 9, 9], [8, 8, 8]]
    assert np.allclose(vectors(flipped(both, np.array([True, False]))), vectors(both) * np.array([[-1], [1]]))
    assert len(empty_mesh()) == len(cut(empty_mesh(), np.zeros(3), np.ones(3), capped=True)) == 0
    sides = outlines(both)
    assert len(sides) == 7
    assert sides.item.tolist() == [0] * 4 + [1] * 3
    assert sides.xyz[6:8].tolist() == [[0, 1, 0], [0, 0, 0]]


def test_faces_face_the_side_they_are_visible_from():
    for name, flag in (("stairs", FaceFlag.GROUND), ("hole", FaceFlag.GAP), ("pool_deep", FaceFlag.LIQUIDSURFACE)):
        areas = sample(name).areas
        faces = build.flagged_faces(areas, flag)
        assert len(faces) == np.count_nonzero(areas.face_flags & flag)
        assert np.all(vectors(faces)[:, 2] > 0.0)
        assert np.all(faces.item >= 0)
    ladders = build.flagged_faces(sample("ladder").areas, FaceFlag.LADDER)
    assert len(ladders)
    assert np.allclose(vectors(ladders)[:, 2], 0.0)


def test_only_map_faces_around_players_are_drawn():
    compiled = sample("box")
    seen = touched(compiled.context, compiled.areas, compiled.boxes)
    faces = build.map_faces(compiled.context, seen)
    # Floor, ceiling and four walls, all facing inwards. The outer sides of the brushes are left out.
    assert len(faces) == 6
    assert len(compiled.context) == 36
    middle = (compiled.areas.area_mins.min(axis=0) + compiled.areas.area_maxs.max(axis=0)) / 2.0
    inwards = ((middle - faces.xyz[faces.start[:-1]]) * vectors(faces)).sum(axis=1)
    assert np.all(inwards > 0.0)
    assert build.is_floor(faces).sum() == 1


def test_arrow_heads_point_along_the_last_segment():
    line = mesh(Shape.LINES, np.array([0, 3]), np.array([(0.0, 0, 0), (50, 0, 0), (50, 60, 0)]), np.array([4]))
    heads = build.arrow_heads(line.coloured((9, 8, 7)), 10.0)
    assert heads.item.tolist() == [4, 4]
    assert heads.colour.tolist() == [[9, 8, 7]] * 2
    for dart in heads.xyz.reshape(2, 3, 3):
        assert dart[0].tolist() == [50.0, 60.0, 0.0]
        assert dart[1:].mean(axis=0) == pytest.approx([50.0, 50.0, 0.0])
    upright = equal_cells(Shape.LINES, np.array([[(0.0, 0, 0), (0, 0, 40)]]), np.array([0]))
    assert np.isfinite(build.arrow_heads(upright).xyz).all()


def test_short_links_are_lengthened():
    shown = scene("stairs")
    lines = shown.link_lines
    length = np.linalg.norm(lines.xyz[lines.start[1:] - 1] - lines.xyz[lines.start[:-1]], axis=1)
    assert length.min() >= build.MIN_LINK_LENGTH - 1e-6
