"""Walkable areas: a floor is one area as far as players walk straight over it, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

from aascompile.areas import walkable
from aascompile.checks.check_compiled import failures
from aascompile.geometry.outline_kernel import Outline
from aascompile.model.areas import AreaFlag, Areas, FaceFlag
from aascompile.pipeline import make_areas, understand
from aascompile.report import Report
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.settings import QUAKE3
from tests.builders import Layout, layouts
from tests.conftest import ROOT
from tests.examples import examples
from tests.furniture import STONE
from tests.generate import generate
from tests.hostile import balls, room
from tests.reach.carrying import build, draw
from tests.reference.floors import depths, floor_below, ground_points, walks_straight
from tests.stages import EXACT, run, run_layout
from tests.terrain import terrain

WIDE = replace(QUAKE3.areas, widest=4096.0)
SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.bsp"))


@cache
def divided(name: str, walkable: bool) -> Areas:
    """Areas of a sample."""
    path, wanted = str(ROOT / "samples" / f"{name}.bsp"), QUAKE3 if walkable else EXACT
    report = Report(path)
    return make_areas(understand(path, report, wanted), wanted, report, allow_leak=True).areas


def grounded(areas: Areas) -> np.ndarray:
    """Areas with ground that are dry."""
    flags = areas.area_flags
    return np.flatnonzero(((flags & AreaFlag.GROUNDED) != 0) & ((flags & AreaFlag.LIQUID) == 0))


@pytest.mark.parametrize("seed", range(20))
def test_depths_inside_a_hull_are_those_of_its_half_planes(seed):
    dice = np.random.default_rng(seed)
    corners, points = dice.uniform(-100, 100, (3 + seed, 2)), dice.uniform(-120, 120, (50, 2))
    outline = Outline()
    outline.enclose(corners)
    assert outline.depths(points) == pytest.approx(depths(corners, points), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_points_that_lie_together_do_not_spoil_a_hull(seed):
    """Corners that are the same but for rounding, as those of neighbouring polygons are; some of them above others."""
    dice = np.random.default_rng(seed)
    points = dice.uniform(-500, 500, (50, 2))
    scattered, upright = dice.uniform(-400, 400, (3 + seed, 2)), dice.integers(-2, 3, (3 + seed, 2)) * 20.0
    for corners in (scattered, np.vstack([upright, [(-60.0, -60.0), (60.0, -60.0), (60.0, 60.0)]])):
        for apart in (0.0, 1e-14, 1e-12, 1e-9):
            again = np.vstack([corners + dice.integers(-2, 3, corners.shape) * apart for _ in range(3)])
            outline = Outline()
            outline.enclose(dice.permutation(again))
            assert outline.depths(points) == pytest.approx(depths(corners, points), abs=1e-4)


def test_a_hull_knows_its_size_length_and_extent():
    outline = Outline()
    outline.enclose(np.array([(0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (0.0, 30.0), (20.0, 10.0), (40.0, 0.0)]))
    assert (outline.size, outline.around, outline.extent) == pytest.approx((1200.0, 140.0, 40.0))


def test_stairs_are_one_floor_but_for_its_width():
    assert len(grounded(divided("stairs", False))) == 9
    assert len(grounded(divided("stairs", True))) == 2  # wider than areas.widest
    path, whole = str(ROOT / "samples" / "stairs.bsp"), replace(QUAKE3, areas=WIDE)
    report = Report(path)
    assert len(grounded(make_areas(understand(path, report, whole), whole, report).areas)) == 1


@pytest.mark.parametrize(("wall", "floors"), [(256, 1), (64, 1), (16, 2), (-96, 2)])
def test_long_corridors_are_cut_and_halls_are_not(tmp_path, wall, floors):
    """The floor is a convex area, 994 units long, and a hall if it is at least 256 wide. Bots treat everything on it as
    near, so they ran up the corridors of am_galmevish2 for a single item."""
    room = build(tmp_path, [(((-512, wall, 0), (512, 256, 512)), STONE)] if wall < 256 else [])
    widths = (room.areas.area_maxs - room.areas.area_mins)[grounded(room.areas), 0]
    assert widths == pytest.approx([994.0 / floors] * floors, abs=0.5)


@pytest.mark.parametrize("name", SAMPLES)
def test_space_is_the_same_and_so_is_what_fills_it(name):
    exact, walkable = divided(name, False), divided(name, True)
    assert len(walkable) <= len(exact) + 2
    dice = np.random.default_rng(1)
    points = dice.uniform(exact.area_mins.min(axis=0) - 8, exact.area_maxs.max(axis=0) + 8, (4000, 3))
    before, after = areas_at(tree_of(exact), points), areas_at(tree_of(walkable), points)
    assert ((before >= 0) == (after >= 0)).all()
    inside = before >= 0
    for column in ("area_contents", "area_presence", "area_model", "area_trigger"):
        old, new = getattr(exact, column), getattr(walkable, column)
        assert (old[before[inside]] == new[after[inside]]).all()
    assert walkable.area_volume.sum() == pytest.approx(exact.area_volume.sum(), rel=1e-4)


@pytest.mark.parametrize("name", SAMPLES)
def test_players_walk_straight_from_any_point_of_a_floor_to_any_other(name):
    areas, dice = divided(name, True), np.random.default_rng(2)
    step = QUAKE3.physics.max_step
    for area in grounded(areas).tolist():
        points = ground_points(areas, area, 8, dice)
        for start, end in zip(points[:4], points[4:], strict=True):
            assert walks_straight(areas, area, start, end, step), (area, start, end)


@pytest.mark.parametrize("name", SAMPLES)
def test_whatever_falls_in_a_floors_area_lands_in_it(name):
    areas, dice = divided(name, True), np.random.default_rng(3)
    low, high = areas.area_mins.min(axis=0), areas.area_maxs.max(axis=0)
    points = dice.uniform(low, high, (3000, 3))
    at = areas_at(tree_of(areas), points)
    mine = np.isin(at, grounded(areas))
    landed, _ = floor_below(areas, points[mine])
    assert (landed == at[mine]).all()


def test_liquids_doors_and_cluster_portals_keep_their_areas():
    for name in ("pool_deep", "swim", "door", "clusterportal"):
        exact, walkable = divided(name, False), divided(name, True)
        kept = 0x1 | 0x8 | 0x400
        assert sorted(exact.area_volume[(exact.area_contents & kept) != 0].round(3).tolist()) == sorted(
            walkable.area_volume[(walkable.area_contents & kept) != 0].round(3).tolist()
        )


def test_the_middle_of_an_area_is_in_it_and_on_its_floor():
    for name in ("stairs", "slanted", "wedge", "pillars"):
        areas = divided(name, True)
        assert areas_at(tree_of(areas), areas.area_centre).tolist() == list(range(len(areas)))
        floors = grounded(areas)
        _, z = floor_below(areas, areas.area_centre[floors])
        assert areas.area_centre[floors, 2] == pytest.approx(z, abs=0.2)


@settings(max_examples=examples(3), derandomize=True)
@given(layouts())
def test_areas_of_random_rooms_meet_all_requirements(layout: Layout):
    assert [failure.sentence() for failure in failures(run_layout(layout, QUAKE3).compiled)] == []


def test_areas_of_a_generated_building_meet_all_requirements(tmp_path):
    path = tmp_path / "building.map"
    path.write_text(generate(400, 5))
    found, exact = run(str(path)), run(str(path), EXACT)
    assert [failure.sentence() for failure in failures(found.compiled)] == []
    assert len(grounded(found.areas)) < len(grounded(exact.areas))


@pytest.mark.parametrize(("height", "floors"), [(18.0, 1), (18.04, 1), (18.2, 2), (18.8, 2)])
def test_a_rise_that_players_do_not_step_up_parts_floors(tmp_path, height, floors):
    """A standing player is 0.125 above the ground, and the game lifts it by 18."""
    room = build(tmp_path, [(((100, -256, 0), (512, 256, height)), STONE)], settings=replace(QUAKE3, areas=WIDE))
    assert len({room.area(-300, 0, 25), room.area(300, 0, height + 25)}) == floors


@pytest.mark.parametrize(("room", "floors"), [(4, 2), (8, 2), (12, 1), (40, 1)])
def test_a_step_below_a_lintel_parts_floors_if_players_lift_themselves_higher(tmp_path, room, floors):
    """The game lifts players by 18 units, even if the step is 8 high: they need room for 10 more above it."""
    step, lintel = ((100, -256, 0), (512, 256, 8)), ((100, -256, 8 + 56 + room), (512, 256, 256))
    found = build(tmp_path, [(step, STONE), (lintel, STONE)], settings=replace(QUAKE3, areas=WIDE))
    assert len({found.area(-300, 0, 25), found.area(300, 0, 33)}) == floors


def test_stairs_with_treads_narrower_than_a_unit_meet_all_requirements(tmp_path):
    """The check looked for ground farther behind a riser than the tread is wide: the floor seemed to end there (A9)."""
    steps = [(((300 + 0.75 * n, -256, 18 * n), (512, 256, 18 * n + 18)), STONE) for n in range(8)]
    assert failures(run(str(draw(tmp_path, steps))).compiled) == []


def test_air_that_waits_in_a_ring_is_cut(monkeypatch, tmp_path):
    """Plateaus: slanted gaps lead from air to air in rings. All of it stayed air once, down to the floor, and players
    on a twentieth of some hills were in no area with ground."""
    made: list[walkable.Headroom] = []
    original = walkable.Headroom

    def make(*arguments):
        made.append(original(*arguments))
        return made[-1]

    monkeypatch.setattr(walkable, "Headroom", make)
    target = tmp_path / "plateaus.map"
    target.write_text(terrain(3000, 1, cliffs=True))
    areas = run(str(target)).areas
    assert made[0].rings > 0
    assert (made[0].result() != walkable.AIR).all()
    assert share_in_the_air(areas) < 0.001


def test_air_close_above_a_floor_belongs_to_it(tmp_path):
    """Beside a cliff, air lies above a floor and above anything else. It was cut only where it touched the area that
    has the floor, not where thin air of that floor lay between the two."""
    target = tmp_path / "plateaus.map"
    target.write_text(terrain(3000, 2, cliffs=True))
    assert share_in_the_air(run(str(target)).areas) < 0.0005


def share_in_the_air(areas: Areas) -> float:
    """Share of places on the ground at which players are in an area without ground."""
    inside = []
    for face in np.flatnonzero((areas.face_flags & FaceFlag.GROUND) != 0):
        corner = areas.vertex[areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]]]
        middle = corner.mean(axis=0)
        inside += [middle, *(middle + 0.98 * (corner - middle))]
    above = areas_at(tree_of(areas), np.array(inside) + np.array([0.0, 0.0, 1.0]))
    assert len(above) > 5000
    return 1.0 - np.isin(above, grounded(areas)).mean()


def test_air_above_a_sliver_belongs_to_the_floor_beside_it(tmp_path):
    """A ball of many sides: a gap of a fiftieth of a unit led to another floor, and all air above it stayed air.
    Players on the floor left its area (A17)."""
    path = tmp_path / "ball.map"
    last = "{\n" + balls(19).rpartition("{\n")[2]
    path.write_text(room(last))
    assert failures(run(str(path)).compiled) == []


@pytest.mark.parametrize(
    ("seed", "rocks", "cliffs"),
    [
        (9, 10, False),  # a cap fell short by a triangle of .01 × .1, in an area too thin to weld (E4, A7)
        (15, 10, True),  # a slanted gap as narrow as a crack, but for its height, was wider seen from above (A14)
        (21, 10, True),  # short edges, turned by the weld, hid how thin an area is there (T5)
    ],
)
def test_areas_of_landscapes_with_rocks_meet_all_requirements(tmp_path, seed, rocks, cliffs):
    (tmp_path / "rocks.map").write_text(terrain(400, seed, rocks, cliffs))
    assert failures(run(str(tmp_path / "rocks.map")).compiled) == []


@pytest.mark.parametrize(
    ("seed", "rocks", "cliffs"),
    [
        (4, 10, False),  # an area is .05 thick between two faces whose corners the weld moved by more than that (T5)
        (13, 0, True),  # the ground of an area ended in a tip too thin to count, 1.9 long (A9)
        (12, 50, False),  # a wall was deepest inside the hull of its floor between its middle and its end (A9)
    ],
)
def test_areas_of_large_landscapes_meet_all_requirements(tmp_path, seed, rocks, cliffs):
    (tmp_path / "large.map").write_text(terrain(3000, seed, rocks, cliffs))
    assert failures(run(str(tmp_path / "large.map")).compiled) == []


def test_cuts_between_rocks_reach_from_wall_to_wall(tmp_path):
    """Some ended halfway, so the floor was cut again along whole lines, 74 times. A walk along a cut passed beside a
    polygon, on whose far side it seemed to end long before; and slivers across its way were not cut."""
    (tmp_path / "rocks.map").write_text(terrain(200, 3, 50))
    found = run(str(tmp_path / "rocks.map"))
    assert found.counts("walkable")["forced"] < 10
    assert failures(found.compiled) == []
