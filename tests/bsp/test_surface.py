"""The visible surface: pieces that are kept can be touched, dropped pieces cannot, and none is kept twice."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from aascompile.bsp.surface import visible_surface, volume_grid
from aascompile.csr import owners_of
from aascompile.model.contents import Kind
from aascompile.model.mapdata import Planes
from aascompile.model.volumes import Surface, Volumes
from aascompile.settings import QUAKE3
from tests.builders import Layout, Piece, block, layouts, walls
from tests.examples import examples
from tests.reference.solids import area_vector, inside_polygon, scattered
from tests.stages import Run, run_layout

NEAR = 0.11
"""Slightly more than twice the distance at which a polygon still counts as on a plane."""


class Judge:
    """Brute force over all volumes of a run."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.volumes, self.planes = run.volumes, run.planes
        self.owner = owners_of(run.volumes.side_start)
        self.piece_owner = self.owner[run.surface.side]

    def covers(self, b: int, a: int) -> bool:
        """Whether the surface of volume a is hidden inside b."""
        blocks, contains = self.volumes.blocks, self.volumes.contains
        if blocks[a]:
            return bool(blocks[b] & blocks[a] == blocks[a])
        return bool(blocks[b] == QUAKE3.all_boxes or (blocks[b] == 0 and contains[b] == contains[a]))

    def depth(self, volume: int, points: np.ndarray) -> np.ndarray:
        """Distances of points outside a volume; negative inside."""
        plane = self.volumes.side_plane[self.volumes.side_start[volume] : self.volumes.side_start[volume + 1]]
        return (points @ self.planes.normal[plane].T - self.planes.dist[plane]).max(axis=1)

    def outside(self, a: int, points: np.ndarray) -> np.ndarray:
        """Distances of points outside all volumes that cover a; negative inside any."""
        low, high = points.min(axis=0) - 1, points.max(axis=0) + 1
        bounds = self.volumes.bounds
        near = ((bounds[:, :3] <= high) & (bounds[:, 3:] >= low)).all(axis=1)
        others = [self.depth(b, points) for b in np.flatnonzero(near) if b != a and self.covers(b, a)]
        return np.min(others, axis=0) if others else np.full(len(points), np.inf)

    def side(self, row: int) -> np.ndarray:
        """Corners of a volume's side."""
        return self.volumes.xyz[self.volumes.vertex_start[row] : self.volumes.vertex_start[row + 1]]

    def piece(self, row: int) -> np.ndarray:
        """Corners of a piece of the surface."""
        surface = self.run.surface
        return surface.xyz[surface.vertex_start[row] : surface.vertex_start[row + 1]]


@settings(max_examples=examples(4), derandomize=True)
@given(layouts())
def test_pieces_that_are_kept_can_be_touched(layout: Layout) -> None:
    run = run_layout(layout)
    judge, rng = Judge(run), np.random.default_rng(1)
    for row, side in enumerate(run.surface.side):
        corners = judge.piece(row)
        normal = run.planes.normal[run.volumes.side_plane[side]]
        assert np.abs(corners @ normal - run.planes.dist[run.volumes.side_plane[side]]).max() < 1e-3
        assert area_vector(corners) @ normal > 0, "it faces out of its volume"
        points = scattered(corners, 20, rng)
        points = points[inside_polygon(corners, points) > NEAR]
        if len(points):
            assert judge.outside(int(judge.owner[side]), points).min() > -NEAR / 2


@settings(max_examples=examples(4), derandomize=True)
@given(layouts())
def test_dropped_pieces_cannot_be_touched_and_none_is_kept_twice(layout: Layout) -> None:
    run = run_layout(layout)
    judge, rng = Judge(run), np.random.default_rng(1)
    volumes, surface = run.volumes, run.surface
    means = np.stack([volumes.blocks[judge.piece_owner].astype(np.int64), volumes.contains[judge.piece_owner]], axis=1)
    facing = volumes.side_plane[surface.side]
    for side in np.flatnonzero(np.diff(volumes.vertex_start) > 0):
        corners, plane, a = judge.side(side), volumes.side_plane[side], int(judge.owner[side])
        points = scattered(corners, 30, rng)
        points = points[inside_polygon(corners, points) > NEAR]
        mine = [inside_polygon(judge.piece(row), points) for row in np.flatnonzero(surface.side == side)]
        deep = np.max(mine, axis=0) if mine else np.full(len(points), -np.inf)
        gone = points[deep < -NEAR]
        if len(gone):
            assert judge.outside(a, gone).max() < NEAR, "inside of what covers it, or on its surface"
        # Pieces on one plane with the same direction and meaning do not overlap, whichever volumes they belong to.
        same = np.flatnonzero((facing == plane) & (means == (int(volumes.blocks[a]), volumes.contains[a])).all(axis=1))
        kept = [inside_polygon(judge.piece(row), points) > NEAR for row in same]
        if kept:
            assert np.sum(kept, axis=0).max(initial=0) <= 1


def cut(run: Run, volumes: Volumes, hints: bool = False, threads: int = 1) -> Surface:
    return visible_surface(run.planes, volumes, volume_grid(volumes), QUAKE3.all_boxes, hints, threads)


def test_the_surface_is_sorted_and_the_same_for_any_number_of_threads(samples) -> None:
    from tests.stages import run

    found = run(str(samples / "slanted.map"))
    surface = found.surface
    assert np.array_equal(np.lexsort((surface.side, surface.plane)), np.arange(len(surface)))
    for threads in (2, 3):
        again = cut(found, found.volumes, threads=threads)
        for name in ("plane", "side", "vertex_start", "xyz"):
            assert np.array_equal(getattr(again, name), getattr(surface, name))


def visible_area(run: Run, kind: Kind, normal: tuple[float, ...], blocks: int) -> float:
    """Area of the surface with a meaning and a direction."""
    judge = Judge(run)
    total = 0.0
    for row, side in enumerate(run.surface.side):
        owner = judge.owner[side]
        means = run.volumes.contains[owner] & 0xFFFFFFFF if blocks == 0 else int(Kind.SOLID)
        facing = run.planes.normal[run.volumes.side_plane[side]]
        if run.volumes.blocks[owner] == blocks and means == kind and np.allclose(facing, normal):
            total += float(np.linalg.norm(area_vector(judge.piece(row))))
    return total


def test_visible_areas_match_those_worked_out_by_hand() -> None:
    """A block half sunk into the floor of a room of 256 × 256, with water around it."""
    layout = Layout(
        (
            *walls((256, 256, 192)),
            block((96, 96, -8), (160, 160, 40)),
            block((64, 64, 0), (192, 192, 20), Kind.WATER),
        ),
        ((30, 30, 30),),
    )
    run = run_layout(layout)
    top = (64 + 30) ** 2
    assert visible_area(run, Kind.SOLID, (0, 0, 1), 3) == (256 - 30) ** 2 - top + top + outer_top(288)
    side = (40 + 24 - 24) * (64 + 30)
    assert visible_area(run, Kind.SOLID, (-1, 0, 0), 3) == side + (192 - 24 - 16) * (256 - 30) + outer_side(288, 224)
    # The water reaches 44 units above the floor. The block rises above it.
    assert visible_area(run, Kind.WATER, (0, 0, 1), 0) == (128 + 30) ** 2 - top
    assert visible_area(run, Kind.WATER, (-1, 0, 0), 0) == (20 + 24 - 24) * (128 + 30)


def outer_top(length: float) -> float:
    """Area of the map's upper side from outside, grown by half a player's width on all sides."""
    return (length + 30) ** 2


def outer_side(length: float, height: float) -> float:
    """Area of a side of the map from outside."""
    return (length + 30) * (height + 24 + 16)


def test_enclosed_blocks_are_hidden_and_of_equal_blocks_one_is_kept() -> None:
    room = walls((256, 256, 192))
    outer = block((96, 96, 0), (160, 160, 40))
    inner = block((112, 112, 0), (144, 144, 24))
    once = run_layout(Layout((*room, outer), ((30, 30, 30),)))
    for more in ((outer, inner), (outer, outer), (inner, outer, outer)):
        again = run_layout(Layout((*room, *more), ((30, 30, 30),)))
        assert polygons(again) == polygons(once)
        assert len(again.areas) == len(once.areas)


def polygons(run: Run) -> list[list[tuple[float, ...]]]:
    """All pieces of a surface, in an order that does not depend on plane numbers."""
    judge = Judge(run)
    return sorted(sorted(map(tuple, judge.piece(row).tolist())) for row in range(len(run.surface)))


def test_water_hides_only_water() -> None:
    room = walls((256, 256, 192))
    pools = [block((64, 64, 0), (160, 160, 40), Kind.WATER), block((96, 96, 0), (192, 192, 40), kind=Kind.WATER)]
    water = run_layout(Layout((*room, *pools), ((30, 30, 150),)))
    union = 2 * (96 + 30) ** 2 - (64 + 30) ** 2
    assert visible_area(water, Kind.WATER, (0, 0, 1), 0) == union
    other = Piece(pools[1].points, Kind.LAVA)
    mixed = run_layout(Layout((*room, pools[0], other), ((30, 30, 150),)))
    assert visible_area(mixed, Kind.WATER, (0, 0, 1), 0) == (96 + 30) ** 2
    assert visible_area(mixed, Kind.LAVA, (0, 0, 1), 0) == (96 + 30) ** 2


def test_hints_count_only_if_the_setting_is_on(samples) -> None:
    from tests.stages import run

    found = run(str(samples / "hint.map"))
    owner = owners_of(found.volumes.side_start)
    for hints, sides in ((False, 0), (True, 1)):
        surface = cut(found, found.volumes, hints)
        volume = owner[surface.side]
        hint = (found.volumes.blocks[volume] == 0) & (found.volumes.contains[volume] == 0)
        assert len(np.unique(surface.side[hint])) == sides


def test_no_volumes_give_no_surface() -> None:
    none = Volumes(
        side_start=np.zeros(1, np.int64), side_plane=np.zeros(0, np.int32), side_flags=np.zeros(0, np.uint32),
        vertex_start=np.zeros(1, np.int64), xyz=np.zeros((0, 3)), bounds=np.zeros((0, 6)),
        blocks=np.zeros(0, np.uint32), contains=np.zeros(0, np.int64), brush=np.zeros(0, np.int32),
    )  # fmt: skip
    planes = Planes(np.zeros((0, 3)), np.zeros(0))
    assert len(visible_surface(planes, none, volume_grid(none), 3, False, 2)) == 0
