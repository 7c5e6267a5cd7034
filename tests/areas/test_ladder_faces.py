"""Ladders: exactly the climbable side is marked, and a ladder out of reach from the ground has an area of its own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from aascompile.checks.check_compiled import failures
from aascompile.model.areas import AreaFlag, Areas, FaceFlag
from aascompile.model.contents import Kind
from aascompile.settings import QUAKE3
from tests.builders import Layout, Piece, block, climbs, walls
from tests.examples import examples
from tests.reference.areas import faces_of, inward, polygon
from tests.reference.solids import area_vector, inside_polygon
from tests.stages import run, run_layout

ROOM = (256, 256, 384)
START = ((64, 128, 32),)


def compiled(*pieces: Piece) -> Areas:
    """A room with these brushes in it."""
    found = run_layout(Layout((*walls(ROOM), *pieces), START))
    assert [failure.sentence() for failure in failures(found.compiled)] == []
    return found.areas


def ladders(areas: Areas) -> list[int]:
    return np.flatnonzero(areas.face_flags & np.uint32(FaceFlag.LADDER)).tolist()


def box_of(areas: Areas, faces: list[int]) -> tuple[list[float], list[float]]:
    """Bounds of faces."""
    points = np.concatenate([polygon(areas, face) for face in faces])
    return points.min(axis=0).tolist(), points.max(axis=0).tolist()


def climbed_area(areas: Areas) -> float:
    return float(sum(np.linalg.norm(area_vector(polygon(areas, face))) for face in ladders(areas)))


def test_only_the_climbable_side_of_a_ladder_is_marked() -> None:
    areas = compiled(block((240, 96, 0), (256, 160, 192), climbed=(-1, 0, 0)))
    (face,) = ladders(areas)
    assert box_of(areas, [face]) == ([225, 81, 24], [225, 175, 216])
    area = max(areas.face_front[face], areas.face_back[face])
    assert areas.area_flags[area] == AreaFlag.LADDER | AreaFlag.GROUNDED, "a player steps up to it from the ground"
    assert np.flatnonzero(areas.area_flags & np.uint32(AreaFlag.LADDER)).tolist() == [area]


def test_a_ladder_flush_with_the_wall_is_cut_out_of_it() -> None:
    areas = compiled(
        block((240, 96, 0), (256, 160, 192), climbed=(-1, 0, 0)),
        block((240, 0, 0), (256, 96, 384)),
        block((240, 160, 0), (256, 256, 384)),
        block((240, 96, 192), (256, 160, 384)),
    )
    (face,) = ladders(areas)
    assert box_of(areas, [face]) == ([225, 81, 24], [225, 175, 216])
    wall = [f for f in range(len(areas.face_plane)) if (polygon(areas, f)[:, 0] == 225).all() and f != face]
    total = climbed_area(areas) + sum(np.linalg.norm(area_vector(polygon(areas, f))) for f in wall)
    assert total == pytest.approx((256 - 30) * (384 - 24 - 16)), "the wall is whole but for what is climbed"
    assert len(areas) == 2, "a room and the layer under its ceiling"


def test_two_ladders_side_by_side_are_marked_once_each() -> None:
    areas = compiled(
        block((240, 64, 0), (256, 128, 192), climbed=(-1, 0, 0)),
        block((240, 128, 0), (256, 192, 192), climbed=(-1, 0, 0)),
    )
    assert box_of(areas, ladders(areas)) == ([225, 49, 24], [225, 207, 216])
    assert climbed_area(areas) == (207 - 49) * (216 - 24)


def test_only_visible_walls_are_ladders() -> None:
    assert ladders(compiled(block((96, 96, 0), (160, 160, 32), climbed=(0, 0, 1)))) == [], "a floor"
    assert ladders(compiled(block((96, 96, 128), (160, 160, 160), climbed=(0, 0, -1)))) == [], "a ceiling"
    water = block((96, 96, 0), (160, 160, 64), Kind.WATER, climbed=(-1, 0, 0))
    assert ladders(compiled(water)) == [], "water"
    buried = (block((100, 100, 0), (120, 120, 64), climbed=(-1, 0, 0)), block((96, 96, 0), (160, 160, 128)))
    assert ladders(compiled(*buried)) == [], "a side inside another brush"


def test_a_leaning_ladder_is_marked() -> None:
    """A side that leans back by 1 in 4, grown by the crouched box, as everything solid is."""
    prism = Piece(((192, 96, 0), (256, 96, 0), (192, 160, 0), (256, 160, 0), (240, 96, 192), (256, 96, 192),
                   (240, 160, 192), (256, 160, 192)), climbed=(-4, 0, 1))  # fmt: skip
    areas = compiled(prism)
    assert ladders(areas)
    for face in ladders(areas):
        normal = areas.planes.normal[areas.face_plane[face]] * (1 if areas.face_front[face] >= 0 else -1)
        assert normal == pytest.approx(np.array((-4, 0, 1)) / np.sqrt(17))
    low, high = box_of(areas, ladders(areas))
    assert low == pytest.approx([177, 81, 24])
    assert high == pytest.approx([225, 175, 216])


def test_a_ladder_out_of_reach_has_an_area_of_its_own() -> None:
    areas = compiled(block((240, 96, 128), (256, 160, 256), climbed=(-1, 0, 0)))
    (face,) = ladders(areas)
    low, high = box_of(areas, [face])
    assert (low, high) == ([225, 81, 112], [225, 175, 280]), "from where the crouched player's head touches it"
    area = max(areas.face_front[face], areas.face_back[face])
    assert areas.area_flags[area] == AreaFlag.LADDER
    assert areas.area_mins[area, 2] == 112
    below = [
        int(areas.face_back[f] if areas.face_front[f] == area else areas.face_front[f])
        for f in faces_of(areas, area)
        if inward(areas, area, f) * areas.planes.normal[areas.face_plane[f], 2] == 1
    ]
    assert any(areas.area_flags[other] == AreaFlag.GROUNDED for other in below), "below lies the room's floor"


def test_a_ladder_within_a_step_of_the_ground_leaves_its_area_whole() -> None:
    step = QUAKE3.physics.max_step
    for foot in (16 + int(step), 17 + int(step)):
        # The ladder starts where the head of a crouched player, 16 units above the origin, first touches it.
        areas = compiled(block((240, 0, foot + 24), (256, 256, 352), climbed=(-1, 0, 0)))
        face = min(ladders(areas), key=lambda row: polygon(areas, row)[:, 2].min())
        assert polygon(areas, face)[:, 2].min() == foot + 24 - 16
        area = max(areas.face_front[face], areas.face_back[face])
        assert bool(areas.area_flags[area] & AreaFlag.GROUNDED) == (foot - 16 <= step)


def test_a_ladder_in_water_splits_no_area() -> None:
    water = block((0, 0, 0), (256, 256, 300), Kind.WATER)
    ladder = block((240, 96, 128), (256, 160, 256), climbed=(-1, 0, 0))
    areas = compiled(water, ladder)
    (face,) = ladders(areas)
    area = max(areas.face_front[face], areas.face_back[face])
    assert areas.area_mins[area, 2] == 24, "a player swims to it"


def test_the_ladder_of_the_sample_is_part_of_the_room(samples) -> None:
    """The ladder stands on the floor, so it is in the room's area. Above it is ground at the platform's height."""
    areas = run(str(samples / "ladder.map")).areas
    (face,) = ladders(areas)
    assert box_of(areas, [face]) == ([41, -47, 24], [41, 47, 216])
    (area,) = np.flatnonzero(areas.area_flags & np.uint32(AreaFlag.LADDER))
    assert areas.area_flags[area] == AreaFlag.LADDER | AreaFlag.GROUNDED
    assert areas.area_mins[area].tolist() == [-241, -113, 24]
    # Its upper edge is also an edge of the ground above, as a link needs.
    top = {
        int(edge)
        for edge in areas.face_edge[areas.face_start[face] : areas.face_start[face + 1]]
        if (areas.vertex[areas.edge[edge]][:, 2] == 216).all()
    }
    out = [
        f
        for f in np.flatnonzero(areas.face_flags & np.uint32(FaceFlag.GROUND))
        if top & set(areas.face_edge[areas.face_start[f] : areas.face_start[f + 1]].tolist())
    ]
    assert len(top) == len(out) == 1
    assert (polygon(areas, out[0])[:, 2] == 216).all()


@settings(max_examples=examples(8), derandomize=True)
@given(climbs())
def test_a_face_is_a_ladder_exactly_where_it_lies_on_one(pieces: list[Piece]) -> None:
    areas = compiled(*pieces)
    climbed = []
    for piece in pieces:
        if piece.climbed is not None:
            low, high = np.min(piece.points, axis=0), np.max(piece.points, axis=0)
            x, (y0, z0), (y1, z1) = low[0] - 15, (low[1:] - (15, 16)), np.add(high[1:], (15, 24))
            climbed.append(np.array([(x, y0, z0), (x, y0, z1), (x, y1, z1), (x, y1, z0)], float))
    for face in range(len(areas.face_plane)):
        solid = areas.face_flags[face] & np.uint32(FaceFlag.SOLID)
        facing = areas.planes.normal[areas.face_plane[face]] * (1 if areas.face_front[face] >= 0 else -1)
        corners = polygon(areas, face)
        point = corners.mean(axis=0)
        on = [side for side in climbed if side[0, 0] == point[0] and inside_polygon(side, point[None])[0] > 0]
        expected = bool(solid and facing[0] == -1 and on)
        assert bool(areas.face_flags[face] & np.uint32(FaceFlag.LADDER)) == expected
