"""Why a link exists or not: samples confirm every travel type, and rejections have the right reason and number."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from aascompile.model.links import Travel
from aascompile.nav.explain import Explainer, Verdict
from aascompile.pipeline import link_areas
from aascompile.player.reason import Reason
from aascompile.report import Report
from aascompile.settings import QUAKE3
from tests.furniture import STONE, WATER
from tests.reach.carrying import Room, build, sample
from tests.stages import EXACT


def explainer(room: Room) -> Explainer:
    report = Report("test")
    settings = room.understood.settings
    found = link_areas(room.understood, room.areas, settings, report)
    return Explainer(room.areas, found.links, found.places, settings)


@cache
def of_sample(name: str) -> Explainer:
    return explainer(sample(name))


def verdict(it: Explainer, source: int, target: int, kind: Travel) -> Verdict:
    """The verdict on one travel type. There is exactly one for each."""
    verdicts = it.explain(source, target)
    assert len({found.kind for found in verdicts}) == len(verdicts)
    (found,) = [found for found in verdicts if found.kind == kind]
    return found


def linked(it: Explainer, kind: Travel) -> list[int]:
    return np.flatnonzero(it.links.kind == int(kind)).tolist()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("stairs", Travel.WALK),
        ("crouch", Travel.CROUCH),
        ("barrier_high", Travel.BARRIER_JUMP),
        ("gap", Travel.JUMP),
        ("ladder", Travel.LADDER),
        ("ledge", Travel.WALK_OFF_LEDGE),
        ("swim", Travel.SWIM),
        ("pool_deep", Travel.WATER_JUMP),
        ("teleporter", Travel.TELEPORT),
        ("elevator", Travel.ELEVATOR),
        ("rocketjump", Travel.ROCKET_JUMP),
        ("jumppad", Travel.JUMP_PAD),
        ("bobbing_vertical", Travel.BOBBING),
    ],
)
def test_every_link_is_explained_by_itself(name, kind):
    """Every link is found again, with its row, its ends and its time."""
    it = of_sample(name)
    rows = linked(it, kind)
    assert rows
    for row in rows:
        found = verdict(it, int(it.links.source[row]), int(it.links.target[row]), kind)
        assert (found.why, found.link, found.measure) == (Reason.ARRIVES, row, it.links.time[row])
        assert (list(found.start), list(found.place)) == (it.links.start[row].tolist(), it.links.end[row].tolist())


@pytest.mark.parametrize("name", ["stairs", "pillars", "slanted", "pool_steps", "jumppad", "low_gravity"])
def test_probes_confirm_exactly_the_links(name):
    """Probes confirm exactly the links of the file."""
    it = of_sample(name)
    pairs = {(s, t) for s, t in zip(it.links.source.tolist(), it.links.target.tolist(), strict=True)}
    dice = np.random.default_rng(1)
    grounds = it.rims.ground.tolist()
    pairs |= {tuple(dice.choice(grounds, 2, replace=False).tolist()) for _ in range(40)}
    for source, target in sorted(pairs):
        for found in it.explain(source, target):
            assert (found.why == Reason.ARRIVES) == (found.link >= 0), (source, target, found)


def floor_and_top(folder, boxes) -> tuple[Explainer, int, int]:
    """A hall with a block from x = 0 eastwards and more; the areas west of it and on top of it."""
    it = explainer(room := build(folder, boxes, settings=EXACT))
    return it, room.area(-300, 0, 24.5), room.area(300, 0, boxes[0][0][1][2] + 24.5)


def rise(height: float) -> tuple:
    return ((0, -256, 0), (512, 256, height)), STONE


def test_a_barrier_is_too_high_by_4(tmp_path):
    it, low, high = floor_and_top(tmp_path, [rise(64)])
    found = verdict(it, low, high, Travel.BARRIER_JUMP)
    assert (found.why, found.area) == (Reason.TOO_HIGH, high)
    assert found.measure == pytest.approx(4.0, abs=1e-6)
    assert found.start[0] == pytest.approx(-15.0)
    walk = verdict(it, low, high, Travel.WALK)
    assert (walk.why, walk.measure) == (Reason.TOO_HIGH, pytest.approx(64 - 18.125))
    jump = verdict(it, low, high, Travel.JUMP)
    assert (jump.why, jump.measure) == (Reason.TOO_HIGH, pytest.approx(64 - 270**2 / 1600))
    down = verdict(it, high, low, Travel.WALK)
    assert (down.why, down.measure) == (Reason.TOO_DEEP, pytest.approx(64 - 19))


def test_a_step_is_too_low_for_a_barrier_jump(tmp_path):
    it, low, high = floor_and_top(tmp_path, [rise(16)])
    assert verdict(it, low, high, Travel.WALK).why == Reason.ARRIVES
    found = verdict(it, low, high, Travel.BARRIER_JUMP)
    assert (found.why, found.measure) == (Reason.TOO_LOW, pytest.approx(2.125))
    found = verdict(it, low, high, Travel.WALK_OFF_LEDGE)
    assert (found.why, found.measure) == (Reason.NOT_LOWER, pytest.approx(16.0))


@pytest.mark.parametrize("height", [18.1875, 18.5, 18.9375, 19, 19.0625, 19.125, 19.1875])
def test_limits_are_those_of_the_probes(tmp_path, height):
    """A standing player is 0.125 above the ground: drops of less than 19 + 0.125 are walked, and rises of less than 18
    + 0.125, because the game lifts a player by 18."""
    it, low, high = floor_and_top(tmp_path, [rise(height)])
    up = verdict(it, low, high, Travel.WALK)
    assert (up.why, up.measure) == (Reason.TOO_HIGH, pytest.approx(height - 18.125))
    assert verdict(it, low, high, Travel.BARRIER_JUMP).why == Reason.ARRIVES
    walk, fall = (verdict(it, high, low, kind) for kind in (Travel.WALK, Travel.WALK_OFF_LEDGE))
    if height < 19 + 0.125:
        assert (walk.why, fall.why) == (Reason.ARRIVES, Reason.NOT_LOWER)
    else:
        assert (walk.why, fall.why) == (Reason.TOO_DEEP, Reason.ARRIVES)
        assert walk.measure == pytest.approx(height - 19)


def test_a_low_ceiling_prevents_a_barrier_jump(tmp_path):
    """A barrier of 40 can be jumped onto if there is headroom; 56 + 40 + 4 is not enough for the jump."""
    boxes = [rise(40), (((-512, -256, 44 + 24), (0, 256, 512)), STONE)]
    it = explainer(room := build(tmp_path, boxes))
    low, high = room.area(-300, 0, 24.5), room.area(300, 0, 64.5)
    found = verdict(it, low, high, Travel.BARRIER_JUMP)
    assert found.why != Reason.ARRIVES
    assert found.link == -1


def two_platforms(folder, between: int, *more) -> tuple[Explainer, int, int]:
    """Two platforms 256 high with ``between`` units between them."""
    half = between // 2
    boxes = [(((-440, -256, 0), (-half, 256, 256)), STONE), (((half, -256, 0), (512, 256, 256)), STONE), *more]
    it = explainer(room := build(folder, boxes, settings=EXACT))
    return it, room.area(-400, 0, 280.5), room.area(400, 0, 280.5)


def test_a_jump_is_too_far_by_44(tmp_path):
    """A level jump covers 216 units from rim to rim, and rims are 15 units out from the stone."""
    it, west, east = two_platforms(tmp_path, 290)
    found = verdict(it, west, east, Travel.JUMP)
    assert (found.why, found.area) == (Reason.TOO_FAR, east)
    assert found.measure == pytest.approx(44.0)
    walk = verdict(it, west, east, Travel.WALK)
    assert (walk.why, walk.measure) == (Reason.APART, pytest.approx(260.0))


def test_an_arc_is_blocked_by_a_beam(tmp_path):
    """A beam across the gap, at the height of the jumping player's chest."""
    it, west, east = two_platforms(tmp_path, 190, (((-8, -256, 290), (8, 256, 340)), STONE))
    found = verdict(it, west, east, Travel.JUMP)
    assert (found.why, found.hit) in ((Reason.HELD_UP, "wall"), (Reason.LATE, "wall"))
    assert found.place[0] == pytest.approx(-23.0, abs=0.5)
    free, west, east = two_platforms(tmp_path, 190)
    assert verdict(free, west, east, Travel.JUMP).why == Reason.ARRIVES


def test_an_arc_is_blocked_by_a_ceiling(tmp_path):
    it, west, east = two_platforms(tmp_path, 230, (((-440, -256, 256 + 60), (512, 256, 512)), STONE))
    found = verdict(it, west, east, Travel.JUMP)
    assert (found.why in (Reason.HELD_UP, Reason.LATE), found.hit) == (True, "ceiling")
    assert 280 < found.place[2] < 256 + 60 - 32


def test_a_fall_only_leads_down():
    it = of_sample("ledge")
    found = verdict(it, 1, 2, Travel.WALK_OFF_LEDGE)
    assert (found.why, found.measure) == (Reason.NOT_LOWER, pytest.approx(96.0))


def test_a_groove_is_entered_from_its_open_end(tmp_path):
    """Two floors 12 high with a groove of 40 between them that opens to the hall's floor. Runners overshoot it."""
    floors = [(((-512, -256, 0), (-20, 100, 12)), STONE), (((20, -256, 0), (512, 100, 12)), STONE)]
    it = explainer(room := build(tmp_path, floors, settings=EXACT))
    floor, groove, hall = room.area(-200, -200, 40), room.area(0, -200, 26), room.area(-200, 200, 26)
    assert len({floor, groove, hall}) == 3
    assert verdict(it, floor, groove, Travel.WALK).why == Reason.NEEDLESS
    assert verdict(it, groove, floor, Travel.WALK).why == Reason.ARRIVES
    assert verdict(it, floor, hall, Travel.WALK).why == Reason.ARRIVES


def test_dry_areas_and_high_banks_are_reasons(tmp_path):
    it = of_sample("ledge")
    assert verdict(it, 1, 2, Travel.SWIM).why == Reason.NO_LIQUID
    assert verdict(it, 1, 2, Travel.WATER_JUMP).why == Reason.NO_LIQUID
    # Water 100 deep below a bank that rises 60 above it.
    pool = explainer(room := build(tmp_path, [rise(160), (((-512, -256, 0), (0, 256, 100)), WATER)]))
    wet, bank = room.area(-100, 0, 74.5), room.area(300, 0, 184.5)
    found = verdict(pool, wet, bank, Travel.WATER_JUMP)
    assert found.why in (Reason.HELD_UP, Reason.LATE)
    assert found.place[2] < 184


def test_missing_entities_are_reasons():
    it = of_sample("teleporter")
    (row,) = linked(it, Travel.TELEPORT)
    pad, room = int(it.links.source[row]), int(it.links.target[row])
    assert verdict(it, room, pad, Travel.TELEPORT).why == Reason.NO_TELEPORTER
    beside = int(it.links.source[it.links.target == pad][0])
    found = verdict(it, pad, beside, Travel.TELEPORT)
    assert (found.why, found.areas) == (Reason.ELSEWHERE, (room,))
    for kind in (Travel.ELEVATOR, Travel.BOBBING):
        assert verdict(it, pad, room, kind).why == Reason.NO_PLATFORM
    assert verdict(it, pad, room, Travel.LADDER).why == Reason.NO_LADDER
    assert verdict(it, pad, room, Travel.JUMP_PAD).why == Reason.NO_PAD


def test_a_pad_that_leads_back_to_its_own_floor_has_no_link():
    it = of_sample("jumppad")
    (row,) = linked(it, Travel.JUMP_PAD)
    pad = int(it.links.source[row])
    beside = int(it.links.source[(it.links.target == pad) & (it.links.kind == int(Travel.WALK))][0])
    found = verdict(it, pad, beside, Travel.JUMP_PAD)
    assert (found.why, found.areas) == (Reason.SAME_FLOOR, (pad,))
    found = verdict(it, pad, beside, Travel.WALK)
    assert (found.why, found.area) == (Reason.TAKEN, pad)


def test_reasons_against_rocket_jumps():
    it = of_sample("rocketjump")
    found = verdict(it, 1, 2, Travel.ROCKET_JUMP)
    assert (found.why, found.measure) == (Reason.TOO_LOW, pytest.approx(264.0))
    assert verdict(it, 2, 1, Travel.BFG_JUMP).why == Reason.OFF
    assert verdict(it, 2, 1, Travel.GRAPPLE).why == Reason.OFF
    off = Explainer(it.areas, it.links, replace(it.places, item=np.zeros(len(it.places), np.bool_)), QUAKE3)
    weak = replace(QUAKE3, physics=replace(QUAKE3.physics, rocket_jump_velocity=400.0))
    links = replace(it.links, kind=np.full_like(it.links.kind, Travel.WALK_OFF_LEDGE))
    found = verdict(Explainer(it.areas, links, it.places, weak), 2, 1, Travel.ROCKET_JUMP)
    assert (found.why, found.measure) == (Reason.TOO_HIGH, pytest.approx(200 - 400**2 / 1600))
    assert verdict(replace(off, links=links), 2, 1, Travel.ROCKET_JUMP).why == Reason.NO_ITEM


def test_missing_ground_is_a_reason():
    it = of_sample("swim")
    air = int(np.flatnonzero((it.areas.area_flags & np.uint32(5)) == 0)[0])
    for kind in (Travel.WALK, Travel.CROUCH, Travel.JUMP, Travel.WALK_OFF_LEDGE, Travel.BARRIER_JUMP):
        verdicts = [found for found in it.explain(1, air) if found.kind == kind]
        assert all((found.why, found.area) == (Reason.NO_GROUND, air) for found in verdicts)


def test_an_area_has_no_verdicts_on_itself():
    assert of_sample("box").explain(0, 0) == []
