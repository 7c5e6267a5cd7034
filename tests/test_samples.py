"""Checks what each sample shows, by brute-force collision with the map itself and without the compiler."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from aascompile.model.contents import BLOCKS_PLAYER, LIQUID, Contents, SurfaceFlag
from aascompile.model.mapdata import Entity, MapData
from aascompile.quickbsp.write import write_ibsp
from tests.build_samples import SAMPLES, read_sample
from tests.reference.collision import CROUCHED, FEET, GRAVITY, ITEM, JUMP, RUN, STANDING, STEP, Point, Solids

NAMES = sorted(path.stem for path in SAMPLES.glob("*.map"))
WALKABLE = 0.7
JUMP_HEIGHT = JUMP**2 / (2 * GRAVITY)
VOXEL = 8.0
SKIN = 0.125
"""Distance that tests keep from surfaces, units."""


@cache
def sample(name: str) -> MapData:
    return read_sample(SAMPLES / f"{name}.map")


@cache
def room(name: str) -> Solids:
    return Solids(sample(name))


def origin(entity: Entity) -> Point:
    found = entity.vector("origin")
    assert found is not None
    return found


def only(name: str, classname: str) -> Entity:
    """The one entity of a class."""
    ((_, entity),) = sample(name).each_class(classname)
    return entity


def model_box(name: str, entity: Entity) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where an entity's brushes stand in the world."""
    number = int(entity.get("model").removeprefix("*"))
    offset = np.array(entity.vector("origin") or (0.0, 0.0, 0.0))
    return sample(name).models.mins[number] + offset, sample(name).models.maxs[number] + offset


def profile(name: str, x0: float, x1: float, y: float = 0.0, top: float = 120.0) -> list[float]:
    """Height of the feet of a player dropped every four units from x0 to x1."""
    return [room(name).rest(x, y, top) for x in np.arange(x0, x1 + 1, 4.0)]


def rises(heights: list[float]) -> list[float]:
    return [round(b - a, 3) for a, b in pairwise(heights) if abs(b - a) > SKIN]


def walkway(name: str, x0: float, x1: float, y: float, height: float = 0.0) -> bool:
    """Whether the standing box can move from x0 to x1 on level ground."""
    path = [(x, y, height + FEET + SKIN) for x in np.arange(x0, x1 + 1, 4.0)]
    return not room(name).hit(path, STANDING).any()


def voxels(name: str, closed_to: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Labels of connected air in and around a map (0: filled), and the centre of the first voxel."""
    from scipy import ndimage

    source = sample(name)
    low = np.floor(source.models.mins[0] / VOXEL) * VOXEL - 1.5 * VOXEL
    shape = np.ceil((source.models.maxs[0] - low) / VOXEL).astype(int) + 2
    grid = low + VOXEL * np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1)
    filled = Solids(source, closed_to).hit(grid.reshape(-1, 3)).reshape(shape)
    labels, _ = ndimage.label(~filled)
    return labels, low


def label_at(labels: NDArray[np.int32], low: NDArray[np.float64], point: Point) -> int:
    return int(labels[tuple(np.round((np.array(point) - low) / VOXEL).astype(int))])


# --- all samples ------------------------------------------------------------------------------------------------------


def test_the_readme_lists_every_sample() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", (SAMPLES / "README.md").read_text(), re.MULTILINE)
    assert len(NAMES) >= 24
    assert sorted(listed) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_source_is_clean(name: str) -> None:
    """No brush is dropped, the first line says what is shown, and all corners lie on whole units. The exception is a
    rise that is half a unit too high."""
    source = sample(name)
    text = (SAMPLES / f"{name}.map").read_text()
    assert source.dropped == ()
    assert text.startswith(f"// {name}.map: ")
    assert source.entities[0].get("message")
    words = [word for line in re.findall(r"^\( .*\) [a-z]", text, re.MULTILINE) for word in line.split()]
    assert {word for word in words if "." in word} == ({"36.5"} if name == "rises" else set())


@pytest.mark.parametrize("name", NAMES)
def test_bsp_is_up_to_date(name: str) -> None:
    assert (SAMPLES / f"{name}.bsp").read_bytes() == write_ibsp(sample(name)), "run `make samples`"


def test_no_bsp_is_left_over() -> None:
    assert sorted(path.stem for path in SAMPLES.glob("*.bsp")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_players_start_free_and_fall_at_most_a_step(name: str) -> None:
    starts = [origin(entity) for _, entity in sample(name).each_class("info_player_deathmatch")]
    assert len(starts) >= 2
    for x, y, z in starts:
        assert room(name).free((x, y, z))
        assert 0 <= z - FEET - room(name).rest(x, y, z) <= STEP


@pytest.mark.parametrize("name", NAMES)
def test_items_are_free_and_lie_on_something(name: str) -> None:
    items = [entity for entity in sample(name).entities if entity.classname.startswith(("item_", "weapon_"))]
    assert items
    for item in items:
        x, y, z = origin(item)
        assert room(name).free((x, y, z), ITEM)
        fall = z + ITEM.mins[2] - room(name).rest(x, y, z, ITEM)
        if (name == "item_high" and z > 100) or item.get("spawnflags") == "1":
            assert fall > 150, "farther than the engine looks for it, or suspended"
        else:
            assert 0 <= fall <= STEP


@pytest.mark.parametrize("name", NAMES)
def test_only_the_leak_leaks(name: str) -> None:
    labels, low = voxels(name, Contents.SOLID)
    outside = labels[0, 0, 0]
    starts = [origin(entity) for _, entity in sample(name).each_class("info_player_deathmatch")]
    assert {label_at(labels, low, start) == outside for start in starts} == {name == "leak"}


# --- walking ----------------------------------------------------------------------------------------------------------


def test_box_is_level_from_wall_to_wall() -> None:
    assert len(room("box")) == 6
    assert set(np.round(profile("box", -240, 240), 3)) == {0.0}


def test_doorway_lets_the_standing_box_through() -> None:
    assert walkway("doorway", -192, 192, 0)
    assert not walkway("doorway", -192, 192, 64)


def test_stairs_rise_by_steps_that_are_walked() -> None:
    heights = profile("stairs", -224, 224, top=200)
    assert rises(heights) == [16.0] * 8
    assert heights[-1] == pytest.approx(128)


def slope_of(name: str) -> float:
    """How far the one slanted floor of a map points up."""
    up = sample(name).planes.normal[np.unique(sample(name).brushes.side_plane)][:, 2]
    (slope,) = up[(up > 0.01) & (up < 0.99)]
    return float(slope)


def test_shallow_ramp_is_walked() -> None:
    assert slope_of("ramp_shallow") == pytest.approx(2 / sqrt(5))
    assert slope_of("ramp_shallow") >= WALKABLE
    assert max(rises(profile("ramp_shallow", -224, 224, top=200))) < STEP


def test_steep_ramp_is_not_walked() -> None:
    assert slope_of("ramp_steep") == pytest.approx(0.6)
    assert slope_of("ramp_steep") < WALKABLE
    heights = profile("ramp_steep", -192, 224, top=200)
    assert heights == sorted(heights), "a player slides down from the platform to the floor"
    assert (heights[0], heights[-1]) == pytest.approx((0, 128))
    assert JUMP_HEIGHT + STEP < 128, "and cannot jump back up"


def test_crouch_tunnel_is_free_for_the_crouched_box_only() -> None:
    path = [(x, 0, FEET + SKIN) for x in range(-48, 49, 4)]
    assert not room("crouch").hit(path, CROUCHED).any()
    assert room("crouch").hit(path, STANDING).all()
    assert room("crouch").free((-192, 0, FEET + SKIN), STANDING)
    assert room("crouch").free((192, 0, FEET + SKIN), STANDING)


def test_curve_is_walkable_from_the_floor_to_the_platform() -> None:
    point = surface("curve", 0)
    steps = np.diff(point[:, 0], axis=0)
    normal_up = steps[:, 0] / np.hypot(steps[:, 0], steps[:, 2])
    assert point[0, 0, 2] == 0
    assert point[-1, 0, 2] == 64
    assert (np.diff(point[:, 0, 2]) >= 0).all()
    assert normal_up.min() >= WALKABLE
    assert STEP < 64, "without the curve the platform would be a barrier"


def surface(name: str, patch: int, pieces: int = 32) -> NDArray[np.float64]:
    """(pieces + 1, pieces + 1, 3) points of a patch of three by three, along its width and its height."""
    patches = sample(name).patches
    assert (patches.width[patch], patches.height[patch]) == (3, 3)
    control = patches.point[patches.point_start[patch] : patches.point_start[patch + 1]].reshape(3, 3, 3)
    t = np.linspace(0.0, 1.0, pieces + 1)
    weight = np.stack(((1 - t) ** 2, 2 * t * (1 - t), t**2))
    return np.einsum("ja,iu,jik->uak", weight, weight, control)


def test_arch_is_high_enough_in_its_middle_and_too_low_at_its_sides() -> None:
    points = np.concatenate([surface("arch", patch).reshape(-1, 3) for patch in range(len(sample("arch").patches))])

    def meets_curve(at: Point) -> bool:
        inside = (points > np.array(at) + STANDING.mins) & (points < np.array(at) + STANDING.maxs)
        return bool(inside.all(axis=1).any())

    assert walkway("arch", -192, 192, 0)
    assert not meets_curve((0, 0, FEET + SKIN))
    for y in (-44, 44):
        low, high = (0, y, FEET + SKIN), (0, y, 80)
        assert not meets_curve(low), "below the springing the passage is as wide as its piers"
        assert room("arch").free(high), "no brush blocks the space up there"
        assert meets_curve(high), "but the vault is"
    assert points[:, 2].max() == 128


def test_arch_faces_the_passage() -> None:
    """The vault's normals point to the arch's axis, those of the corners away from the wall."""
    for patch in range(len(sample("arch").patches)):
        grid = surface("arch", patch)
        middle = grid[16, 8]
        normal = np.cross(grid[16, 9] - middle, grid[17, 8] - middle)
        if np.ptp(grid[:, :, 0]) > 0:
            assert normal @ (np.array((middle[0], 0, 64)) - middle) > 0
        else:
            assert normal[0] * middle[0] > 0


# --- shapes -----------------------------------------------------------------------------------------------------------


def test_wedge_holds_the_box_at_its_ridge_and_bevels_are_why() -> None:
    bare = Solids(sample("wedge"), bevelled=False)
    assert room("wedge").rest(0, 0, 150) == pytest.approx(32)
    assert bare.rest(0, 0, 150) == pytest.approx(32 + 30, abs=0.1), "slopes of 2 in 1 pushed out by 15 meet 30 higher"
    assert room("wedge").free((128 - 15 - SKIN, 160, FEET + SKIN)), "up to the prow"
    assert not bare.free((128 - 15 - SKIN, 160, FEET + SKIN))
    assert room("wedge").rest(176, -160, 150) == pytest.approx(32), "on the pyramid's apex"
    assert bare.rest(176, -160, 150) > 50


def test_slanted_shapes_are_slanted() -> None:
    source = sample("slanted")
    normal = source.planes.normal[source.brushes.side_plane]
    slanted = np.abs(normal).max(axis=1) < 1
    assert slanted.sum() >= 16
    assert len(np.unique(np.abs(normal[slanted]).round(3), axis=0)) >= 6
    assert ((np.abs(normal) > 0.01).sum(axis=1) == 3).any(), "some lean along all three axes"


# --- up, down and across ----------------------------------------------------------------------------------------------


def test_ledge_leads_down_only() -> None:
    assert rises(profile("ledge", -160, 160, top=200)) == [-96.0]
    assert JUMP_HEIGHT + STEP < 96


def test_ledge_obstacle_stops_the_straight_fall() -> None:
    assert room("ledge_obstacle").rest(-15 + SKIN, 0, 300) == pytest.approx(192)
    assert room("ledge_obstacle").rest(15 + SKIN, 0, 300) == pytest.approx(96), "just past the edge lies the beam"
    assert room("ledge_obstacle").rest(100, 0, 300) == pytest.approx(0)


def test_hole_has_ground_all_round() -> None:
    assert room("hole").rest(0, 0, 100) == pytest.approx(-128)
    for x, y in ((-64, 0), (64, 0), (0, -64), (0, 64)):
        assert room("hole").rest(x, y, 100) == pytest.approx(0)
    assert JUMP_HEIGHT + STEP < 128


def test_gap_is_crossed_by_a_jump_and_not_by_a_run() -> None:
    edge = -80 + 15 - 1.0
    for side in (-1, 1):
        start = (side * -edge, 0, FEET + SKIN)
        jumped = room("gap").fly(start, (-side * RUN, 0, JUMP))
        assert jumped[2] - FEET == pytest.approx(0, abs=2)
        assert abs(jumped[0]) > 65
        assert np.sign(jumped[0]) == -side
        assert room("gap").fly(start, (-side * RUN, 0, 0))[2] < -100


def test_low_gravity_makes_the_gap_jumpable_and_the_pad_land() -> None:
    gravity = sample("low_gravity").entities[0].number("gravity")
    assert gravity == 300
    start = (-185 - SKIN, 0, 192 + FEET + SKIN)
    for pull, height in ((gravity, 192), (GRAVITY, 0)):
        x, _, z = room("low_gravity").fly(start, (RUN, 0, JUMP), gravity=pull)
        assert z - FEET == pytest.approx(height, abs=2)
        assert (x > 185) == (pull == gravity)
    mins, maxs = model_box("low_gravity", only("low_gravity", "trigger_push"))
    centre, apex = (mins + maxs) / 2, np.array(origin(only("low_gravity", "target_position")))
    seconds = sqrt(2 * (apex[2] - centre[2]) / gravity)
    velocity = (*((apex - centre)[:2] / seconds), gravity * seconds)
    for pull, height in ((gravity, 192), (GRAVITY, 0)):
        _, y, z = room("low_gravity").fly((centre[0], centre[1], FEET + SKIN), velocity, gravity=pull)
        assert z - FEET == pytest.approx(height, abs=4), "a throw for this gravity falls short under the usual one"
        assert y == pytest.approx(0)


def test_pillars_are_jumped_one_by_one() -> None:
    tops = [(-304, 160), (-112, 160), (96, 160), (296, 144)]
    for (x, height), (other, lower) in pairwise(tops):
        edge = x + 40
        assert room("pillars").rest(edge, 0, 250) == pytest.approx(height)
        seconds = (JUMP + sqrt(JUMP**2 + 2 * GRAVITY * (height - lower))) / GRAVITY
        speed = (other - edge) / seconds
        assert 0 < speed < RUN, "near enough"
        landed = room("pillars").fly((edge, 0, height + FEET + SKIN), (speed, 0, JUMP))
        assert landed == pytest.approx((other, 0, lower + FEET), abs=4), f"from {x} to {other}"
        between = room("pillars").rest((x + other) / 2, 0, 250)
        assert between == pytest.approx(0), "and a miss ends on the floor"
    assert JUMP_HEIGHT + STEP < 144


@pytest.mark.parametrize(("name", "height"), [("barrier", 32), ("barrier_high", 56)])
def test_barrier_is_too_high_to_step_and_low_enough_to_jump(name: str, height: float) -> None:
    assert rises(profile(name, -160, 160)) == [height]
    assert STEP < height < JUMP_HEIGHT + STEP
    assert (height < 33) == (name == "barrier")
    assert (height > JUMP_HEIGHT) == (name == "barrier_high"), "only with the step at the end of the jump"


def test_rocketjump_ledge_is_out_of_reach_for_all_but_rockets() -> None:
    _, _, z = origin(only("rocketjump", "item_quad"))
    assert rises(profile("rocketjump", -224, 224, top=300)) == [200.0]
    assert z > 200 > JUMP_HEIGHT + STEP
    assert only("rocketjump", "weapon_rocketlauncher")


def test_ladder_faces_the_room_and_reaches_the_platform() -> None:
    source = sample("ladder")
    (side,) = np.flatnonzero(source.brushes.side_flags & SurfaceFlag.LADDER)
    plane = source.brushes.side_plane[side]
    assert tuple(source.planes.normal[plane]) == (-1, 0, 0)
    brush = int(np.searchsorted(source.brushes.side_start, side, side="right")) - 1
    assert source.brushes.contents[brush] & BLOCKS_PLAYER
    assert room("ladder").rest(60, 0, 250) == pytest.approx(192)
    assert JUMP_HEIGHT + STEP < 192


# --- liquids ----------------------------------------------------------------------------------------------------------


def water(name: str) -> Solids:
    return Solids(sample(name), LIQUID)


def test_pool_steps_lead_from_the_bottom_to_the_rim() -> None:
    heights = profile("pool_steps", -64, 240, top=100)
    assert rises(heights) == [16.0] * 8
    assert heights[0] == pytest.approx(-128)
    assert heights[-1] == pytest.approx(0)
    assert water("pool_steps").hit([(0, 0, -9), (0, 0, -7)]).tolist() == [True, False]


def test_pool_deep_is_left_by_a_jump_out_of_the_water_only() -> None:
    assert rises(profile("pool_deep", -192, 192)) == [-160.0, 160.0]
    assert water("pool_deep").hit([(0, 0, -17), (0, 0, -15)]).tolist() == [True, False]
    assert STEP >= 16, "the surface is within a water jump of the rim"


def test_swim_joins_the_rooms_under_water_alone() -> None:
    start = origin(next(entity for _, entity in sample("swim").each_class("info_player_deathmatch")))
    item = origin(only("swim", "item_health"))
    by_air, low = voxels("swim", Contents.SOLID | Contents.WATER)
    assert label_at(by_air, low, start) != label_at(by_air, low, item)
    by_water, low = voxels("swim", Contents.SOLID)
    assert label_at(by_water, low, start) == label_at(by_water, low, item)
    path = [(x, 0, -144) for x in range(-140, 141, 4)]
    assert not room("swim").hit(path, STANDING).any()
    assert water("swim").hit(path).all()


def test_lava_lies_on_both_sides_of_the_bridge() -> None:
    assert walkway("lava", -224, 224, 0)
    assert Solids(sample("lava"), Contents.LAVA).hit([(0, 100, -20), (0, -100, -20), (0, 0, -20)]).tolist() == [
        True,
        True,
        False,
    ]


# --- platforms and pads -----------------------------------------------------------------------------------------------


def test_teleporter_is_the_only_connection() -> None:
    start = origin(next(entity for _, entity in sample("teleporter").each_class("info_player_deathmatch")))
    item = origin(only("teleporter", "item_health"))
    labels, low = voxels("teleporter", Contents.SOLID)
    assert label_at(labels, low, start) != label_at(labels, low, item)
    trigger, goal = only("teleporter", "trigger_teleport"), only("teleporter", "misc_teleporter_dest")
    assert trigger.get("target") == goal.get("targetname")
    touching = (-280, 0, FEET + SKIN)
    assert room("teleporter").free(touching)
    assert Solids(sample("teleporter"), Contents.TRIGGER, model=1).hit(touching, STANDING)[0]
    assert room("teleporter").free(origin(goal))
    assert label_at(labels, low, origin(goal)) == label_at(labels, low, item)


def test_jumppad_throws_onto_the_ledge() -> None:
    mins, maxs = model_box("jumppad", only("jumppad", "trigger_push"))
    centre, apex = (mins + maxs) / 2, np.array(origin(only("jumppad", "target_position")))
    seconds = sqrt(2 * (apex[2] - centre[2]) / GRAVITY)
    velocity = (*((apex - centre)[:2] / seconds), GRAVITY * seconds)
    x, y, z = room("jumppad").fly((centre[0], centre[1], FEET + SKIN), velocity)
    assert z - FEET == pytest.approx(256, abs=4)
    assert x > 0
    assert y == pytest.approx(0)
    assert JUMP_HEIGHT + STEP < 256


def test_elevator_goes_from_the_floor_to_the_platform() -> None:
    plat = only("elevator", "func_plat")
    mins, maxs = model_box("elevator", plat)
    assert maxs[2] == pytest.approx(192), "drawn at its top, level with the platform"
    assert mins[2] - plat.number("height") == pytest.approx(0)
    assert maxs[2] - plat.number("height") <= STEP, "when it is down one steps onto it"
    assert maxs[0] == 64, "it touches the platform's edge"
    assert room("elevator").rest(100, 0, 300) == pytest.approx(192)


def test_bobbing_platform_goes_from_the_floor_to_the_platform() -> None:
    bob = only("bobbing_vertical", "func_bobbing")
    mins, maxs = model_box("bobbing_vertical", bob)
    height = bob.number("height")
    assert bob.flags() == 0
    assert mins[2] - height == pytest.approx(0)
    assert maxs[2] - height <= STEP
    assert maxs[2] + height == pytest.approx(192)


@pytest.mark.parametrize("name", ["bobbing_horizontal", "train"])
def test_platform_crosses_a_pit_too_wide_to_jump(name: str) -> None:
    heights = profile(name, -448, 448)
    down, up = rises(heights)
    assert down < -200
    assert up == -down
    pit = 4.0 * sum(height < -SKIN for height in heights)
    assert pit > RUN * 2 * JUMP / GRAVITY, "the longest running jump"


def test_bobbing_horizontal_nearly_touches_both_sides() -> None:
    bob = only("bobbing_horizontal", "func_bobbing")
    mins, maxs = model_box("bobbing_horizontal", bob)
    assert bob.flags() == 1, "along x"
    assert maxs[2] == 0
    assert mins[0] - bob.number("height") == -256 + 8
    assert maxs[0] + bob.number("height") == 256 - 8


def test_train_stops_beside_both_sides() -> None:
    train = only("train", "func_train")
    corners = {corner.get("targetname"): corner for _, corner in sample("train").each_class("path_corner")}
    first = corners[train.get("target")]
    second = corners[first.get("target")]
    assert second.get("target") == train.get("target")
    assert origin(train) == origin(first), "its origin stands on its first corner"
    mins, maxs = model_box("train", train)
    travel = np.array(origin(second)) - origin(first)
    assert mins[0] == -320 + 8
    assert maxs[0] + travel[0] == 320 - 8
    assert maxs[2] == 0


def test_door_fills_the_doorway_until_the_button_lifts_it() -> None:
    door, button = only("door", "func_door"), only("door", "func_button")
    assert button.get("target") == door.get("targetname")
    mins, maxs = model_box("door", door)
    assert (mins[1], maxs[1], mins[2], maxs[2]) == (-32, 32, 0, 96)
    assert door.get("angle") == "-1", "it moves up"
    lifted = mins[2] + (maxs[2] - mins[2]) - door.number("lip")
    assert lifted >= STANDING.maxs[2] - STANDING.mins[2]
    assert walkway("door", -192, 192, 0), "the door is not part of the world"


# --- special brushes and triggers -------------------------------------------------------------------------------------

SOUTH, NORTH = (0, -96, FEET + SKIN), (0, 96, FEET + SKIN)


@pytest.mark.parametrize(("name", "contents"), [("clip", Contents.PLAYERCLIP), ("botclip", Contents.BOTCLIP)])
def test_clip_brush_closes_the_northern_doorway(name: str, contents: int) -> None:
    assert room(name).free(SOUTH)
    assert not room(name).free(NORTH, CROUCHED)
    assert Solids(sample(name), contents).hit([NORTH])[0]
    assert Solids(sample(name), Contents.SOLID).free(NORTH), "nothing solid stands there"


def test_donotenter_blocks_nothing() -> None:
    assert room("donotenter").free(NORTH)
    assert Solids(sample("donotenter"), Contents.DONOTENTER).hit([NORTH, SOUTH]).tolist() == [True, False]


def test_static_bars_are_a_model_and_hold_everybody() -> None:
    bars = Solids(sample("static"), model=1)
    assert room("static").free(NORTH)
    assert bars.hit([NORTH], CROUCHED)[0]
    assert all(bars.hit([(0, 96, z)], CROUCHED)[0] for z in range(24, 80, 2)), "nobody slips between them"


def test_hint_has_one_side_that_splits() -> None:
    source = sample("hint")
    (side,) = np.flatnonzero(source.brushes.side_flags & SurfaceFlag.HINT)
    normal = source.planes.normal[source.brushes.side_plane[side]]
    assert np.abs(normal).tolist() == pytest.approx([sqrt(0.5), sqrt(0.5), 0])
    assert room("hint").free((-64, -64, FEET + SKIN)), "the hint brush holds nobody"


def test_clusterportals_fill_their_doorways() -> None:
    portal = Solids(sample("clusterportal"), Contents.CLUSTERPORTAL)
    assert len(portal) == 2
    assert walkway("clusterportal", -320, 320, 0)
    for x in (-160, 160):
        across = [(x, y, z) for y in range(-31, 32, 2) for z in range(1, 96, 5)]
        assert portal.hit(across).all()
        assert room("clusterportal").hit([(x, -33, 48), (x, 33, 48), (x, 0, 97)]).all()


def test_hurt_triggers_span_their_lanes_and_one_is_off() -> None:
    flags = {}
    for _, entity in sample("hurt").each_class("trigger_hurt"):
        mins, maxs = model_box("hurt", entity)
        assert maxs[1] - mins[1] == 120
        flags["north" if mins[1] > 0 else "south"] = entity.flags()
        assert entity.number("dmg") > 0
    assert flags == {"north": 0, "south": 1}
    assert walkway("hurt", -240, 240, 68)
    assert walkway("hurt", -240, 240, -68)
    assert not walkway("hurt", -240, 240, 0)


def test_leak_is_a_hole_to_the_outside() -> None:
    assert room("leak").free((264, 0, 64), ITEM)
    assert room("leak").rest(400, 0, 100) == -np.inf, "out there is nothing to stand on"


def test_samples_folder_holds_nothing_else() -> None:
    assert {path.suffix for path in Path(SAMPLES).iterdir()} == {".map", ".bsp", ".md", ".json", ".toml"}
