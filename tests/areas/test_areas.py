"""Finished areas are disjoint, convex and closed, agree with brute force about their contents, and none is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from aascompile import tolerances
from aascompile.checks.check_compiled import failures
from aascompile.model.areas import Areas
from aascompile.model.contents import Kind
from aascompile.settings import QUAKE3
from tests.builders import Layout, Piece, layouts, walls
from tests.examples import examples
from tests.generate import generate
from tests.reference import areas as slow
from tests.reference.space import Space
from tests.reference.tree import locate
from tests.stages import EXACT, Run, run, run_layout

MARGIN = 0.06
"""Distance from any surface in units. Closer points may be on either side."""

UP = (QUAKE3.physics.floor_up, QUAKE3.areas.gap_up)


def faults(areas: Areas) -> list[str]:
    """All faults of areas, found by the slow twins."""
    return [
        *slow.check_shapes(areas, tolerances.FACE_FLAT, tolerances.AREA_CONVEX, tolerances.ON_PLANE),
        *slow.check_junctions(areas, tolerances.SEAM),
        *slow.check_gravity(areas, *UP, tolerances.CRACK),
    ]


def check(found: Run) -> None:
    """Assert every requirement of a map's areas, by the checker and by the slow twins."""
    assert [failure.sentence() for failure in failures(found.compiled)] == []
    assert faults(found.areas) == []
    assert found.counts("gravity")["stuck"] == 0
    before = sum(slow.volume(faces) for faces in bodies(found))
    assert found.areas.area_volume.sum() == pytest.approx(before, rel=1e-4), "welding moves corners by a hair"


def bodies(found: Run) -> list[list[np.ndarray]]:
    """Merged areas, with faces facing outward."""
    shapes = found.merged
    alive = np.flatnonzero(shapes.into == np.arange(len(shapes.into)))
    return [[shapes.polygon(face)[:: -int(into)] for face, into in shapes.faces_of(area)] for area in alive]


@settings(max_examples=examples(3), derandomize=True)
@given(layouts())
def test_areas_meet_all_requirements(layout: Layout) -> None:
    check(run_layout(layout))


@settings(max_examples=examples(3), derandomize=True)
@given(layouts())
def test_areas_are_where_brute_force_finds_room(layout: Layout) -> None:
    found = run_layout(layout)
    areas, space = found.areas, Space(layout)
    corners = np.concatenate([piece.points for piece in layout.pieces[:6]])
    low, high = corners.min(axis=0), corners.max(axis=0)
    points = np.random.default_rng(1).uniform(low, high, (3000, 3))
    presence, kind, sure = space.at(points, MARGIN)
    area = slow.locate(areas, points)
    inside = sure & (area >= 0)
    assert np.array_equal(areas.area_presence[area[inside]], presence[inside])
    assert np.array_equal(areas.area_contents[area[inside]], kind[inside])
    # A point with room that is in no area must be unreachable: no straight move leads to it from a point in an area.
    lost = np.flatnonzero(sure & (area < 0) & (presence != 0))
    known = np.flatnonzero(inside)
    for point in points[lost[:20]]:
        near = known[np.argsort(((points[known] - point) ** 2).sum(axis=1))[:10]]
        assert all(space.solid_between(point, points[other]) for other in near)
    # Areas do not overlap: the number of points in each matches its volume.
    share = areas.area_volume / np.prod(high - low)
    hits = np.bincount(area[area >= 0], minlength=len(areas))
    spread = np.sqrt(len(points) * share * (1 - share))
    assert (np.abs(hits - len(points) * share) <= 6 * spread + 2).all()
    total = share.sum()
    assert abs((area >= 0).mean() - total) <= 5 * np.sqrt(total * (1 - total) / len(points)) + 1e-3


@settings(max_examples=examples(3), derandomize=True)
@given(layouts())
def test_the_tree_finds_points_in_their_areas(layout: Layout) -> None:
    areas = run_layout(layout).areas
    rng = np.random.default_rng(1)
    for area in range(len(areas)):
        corners = np.concatenate(slow.outward_polygons(areas, area))
        points = rng.dirichlet(np.full(len(corners), 0.5), 20) @ corners
        points = points[slow.depth(areas, area, points, tolerances.ON_PLANE) > 2 * tolerances.CONVEX]
        assert (slow.locate(areas, points) == area).all()


@settings(max_examples=examples(3), derandomize=True)
@given(layouts())
def test_areas_are_the_same_for_any_number_of_threads(layout: Layout) -> None:
    single, double = run_layout(layout).areas, run_layout(layout, threads=2).areas
    for name in Areas.__slots__:
        if name != "planes":
            assert np.array_equal(getattr(single, name), getattr(double, name))


def test_no_area_leaves_the_room_through_a_crack_in_its_floor() -> None:
    """A column 0.3 units wide in a corner, whose pieces of floor and ceiling are too small to keep."""
    solid = Piece(((129, 39, 2), (0, 247, 187), (51, 323, 225), (117, 221, 160)))
    hurt = Piece(((30, 200, 134), (51, 150, 115), (57, 315, 101), (62, 209, 7)), Kind.HURT)
    lava = Piece(((18, 292, 63), (94, 165, 180), (18, 292, 180), (94, 292, 180)), Kind.LAVA)
    room = (128, 352, 224)
    found = run_layout(Layout((*walls(room), solid, hurt, lava), ((88, 81, 25), (30, 39, 187))))
    check(found)
    assert (found.areas.area_mins >= np.array((15, 15, 24)) - tolerances.WELD).all()
    assert (found.areas.area_maxs <= np.array(room) - (15, 15, 16) + tolerances.WELD).all()


@pytest.mark.parametrize("seed", [2])
def test_areas_of_generated_maps_meet_all_requirements(seed: int, tmp_path: Path) -> None:
    """A building of two hundred brushes: stairs, pools, curves, clips and doorways."""
    path = tmp_path / "building.map"
    path.write_text(generate(200, seed))
    found = run(str(path), EXACT)
    check(found)
    areas = found.areas
    low, high = areas.area_mins.min(axis=0), areas.area_maxs.max(axis=0)
    points = np.random.default_rng(seed).uniform(low, high, (4000, 3))
    blocks, sure = by_volumes(found, points)
    area = slow.locate(areas, points)
    inside = sure & (area >= 0)
    presence = sum(np.where(blocks & (1 << bit), 0, box.presence) for bit, box in enumerate(QUAKE3.boxes))
    assert np.array_equal(areas.area_presence[area[inside]], presence[inside])
    open_ = np.flatnonzero(sure & (blocks != QUAKE3.all_boxes))
    leaf = locate(found.planes, found.rough, points[open_])
    assert np.array_equal(area[open_] >= 0, found.reached[leaf]), "an area wherever the flood gets, and nowhere else"


def by_volumes(found: Run, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Boxes blocked at points, volume by volume, and whether no surface is near."""
    volumes, planes = found.volumes, found.planes
    blocks, sure = np.zeros(len(points), np.int64), np.ones(len(points), bool)
    for row in range(len(volumes)):
        near = np.flatnonzero(
            ((points > volumes.bounds[row, :3] - 1) & (points < volumes.bounds[row, 3:] + 1)).all(axis=1)
        )
        plane = volumes.side_plane[volumes.side_start[row] : volumes.side_start[row + 1]]
        deep = (points[near] @ planes.normal[plane].T - planes.dist[plane]).max(axis=1)
        blocks[near[deep < 0]] |= int(volumes.blocks[row])
        sure[near[np.abs(deep) < MARGIN]] = False
    return blocks, sure
