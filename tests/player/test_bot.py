"""Bots that take links, compared with a slow twin, and what they do on the samples that are about them."""

from __future__ import annotations

import numpy as np
import pytest

import aascompile
from aascompile.model.links import Links, Travel
from aascompile.player.bot import Tries, bots_take
from aascompile.player.movement import Movement
from aascompile.reach.approaches import approaches, approaches_by
from aascompile.settings import QUAKE3
from tests.reach.carrying import SAMPLES
from tests.reach.rooms import sample_room
from tests.reference.bots import SlowBot

LINKS = {
    "ledge_beam": ((-128, -96, 255), (220, -96, 25), Travel.WALK_OFF_LEDGE, (12.5, -96, 254.125), (220.4, -96, 24.125)),
    "ledge": ((-100, 0, 121), (100, 0, 25), Travel.WALK_OFF_LEDGE, (12.5, 0, 120.125), (132.6, 0, 24.125)),
    "gap_narrow": ((-200, 0, 25), (200, 0, 25), Travel.WALK_OFF_LEDGE, (-18.5, 0, 24.125), (18.1, 0, 24.125)),
    "gap": ((-200, 0, 25), (200, 0, 25), Travel.JUMP, (-65.125, 0, 24.125), (70, 0, 24)),
    "jump_late": ((-200, 0, 25), (200, 0, 25), Travel.JUMP, (-80.125, 0, 24.125), (85, 0, 24)),
}
"""A link of each sample: points in its source and target, travel type, start and end."""

SIDES = [(100, 0), (60, 50), (60, -50), (30, 15), (0, 60)]
"""Places from which bots come, in units behind and beside the start."""


JUMPED = [
    (-163.2, 3.1, 24.1), (-141.6, 2.7, 24.1), (-109.6, 2.3, 24.1), (-77.6, 1.9, 47.1), (-45.6, 1.5, 62.1),
    (-13.6, 1.1, 69.1), (18.4, 0.7, 68.1), (50.4, 0.3, 59.1), (82.4, -0.1, 42.1),
]  # fmt: skip
"""Where a bot in the engine decided that jumped over the gap of ``jump_late``, from the beginning of its run-up on."""


def appearing(
    number: np.ndarray, place: np.ndarray, origin: list[float], then=(-1, -1, -1), beyond=(0.0,) * 6
) -> Tries:
    """Bots that appear at a place, with a velocity, and take a link: at three moments between two decisions. Then they
    go on to the link ``then``."""
    rows = np.array([[*origin, 0.0, moment / 3] for moment in range(3)])
    nobody, onward = np.full((3, 3), -1, np.int32), np.array([then] * 3, np.int32)
    return Tries(number, place, np.array([0, 3]), nobody, rows, np.zeros(3, np.uint8), onward, np.array([beyond] * 3))


def takes(name: str, back: float, aside: float) -> tuple[list[int], list[str]]:
    """What the bots of the kernel do, and what the twin does, coming from beside the start of a sample's link."""
    room = sample_room(name)
    source, target, kind, start, end = LINKS[name]
    areas = room.area_at(*source), room.area_at(*target)
    place = np.array([[*start, *end, 0.0, 0.0, 0.0]])
    at = np.array(start) - (back, aside, 0.0)
    velocity = 320.0 * np.array((back, aside)) / np.hypot(back, aside)
    number = np.array([[*areas, kind]], np.int32)
    found = bots_take(room.areas, room.movement, appearing(number, place, [*at, *velocity]))
    outcomes = []
    for phase in range(3):
        begins = (*(at[:2] + 0.1 * phase / 3 * velocity), at[2])
        outcomes.append(SlowBot(room.movement, *areas, kind, start, end).outcome(begins, (*velocity, 0.0)))
    return found[0, :3].tolist(), outcomes


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize(("back", "aside"), SIDES)
def test_bots_do_what_the_slow_twin_does(name, back, aside):
    (tried, arrived, died), outcomes = takes(name, back, aside)
    assert tried == len(outcomes) - outcomes.count("strays")
    assert (arrived, died) == (outcomes.count("arrives"), outcomes.count("dies"))


def test_bots_run_over_a_narrow_gap_and_fall_past_a_beam():
    assert takes("gap_narrow", 100, 0)[0] == [3, 3, 0]
    assert takes("ledge", 100, 0)[0] == [3, 3, 0]
    assert takes("ledge_beam", 100, 0)[0] == [3, 0, 3]
    assert takes("jump_late", 100, 0)[0] == [3, 3, 0], "with a run-up; in the engine none of 36 falls"
    assert takes("jump_late", 60, 50)[0] == [3, 0, 3], "across the line of the run-up"


class Watched(SlowBot):
    """A bot that notes where it decides."""

    def decide(self, at, velocity, on_ground):
        self.seen = [*getattr(self, "seen", []), tuple(at)]
        return super().decide(at, velocity, on_ground)


def test_bots_jump_as_those_of_the_engine_do():
    """It jumps at once, 29 units before the start."""
    room = sample_room("jump_late")
    source, target, kind, start, end = LINKS["jump_late"]
    bot = Watched(room.movement, room.area_at(*source), room.area_at(*target), kind, start, end)
    assert bot.outcome(JUMPED[0], (7.0, -7.0, 0.0)) == "arrives"
    assert np.abs(np.array(bot.seen) - JUMPED).max() < 0.2


@pytest.mark.parametrize("pressed", [False, True])
def test_a_player_who_presses_the_jump_key_pushes_less(pressed):
    """In the air from a standstill: 214 jumps logged in the engine gained 23 units/s in the first 0.1 s, not 32."""
    room = sample_room("gap")
    source, target, kind, start, end = LINKS["gap"]
    bot = SlowBot(room.movement, room.area_at(*source), room.area_at(*target), kind, start, end)
    _, speed, jumps = bot.decide(np.array(start) - ((20.0 if pressed else 40.0), 0.0, 0.0), np.zeros(3), True)
    assert jumps == pressed
    assert 0.1 * speed / 400.0 * 320.0 == pytest.approx(22.6 if pressed else 32.0, abs=0.1)


def test_the_run_up_slides_along_a_wall():
    """Behind the start of a slanting jump players come to a wall at y = 113. Straight back there is no room at all."""
    room = sample_room("gap")
    source, target, kind, _, _ = LINKS["gap"]
    areas = room.area_at(*source), room.area_at(*target)
    straight = SlowBot(room.movement, *areas, kind, (-65.125, 0, 24.125), (70, 0, 24.0))
    assert straight.run.tolist() == [-145.125, 0.0]
    slanting = SlowBot(room.movement, *areas, kind, (-65.125, 110, 24.125), (70, 20, 24.0))
    assert slanting.run == pytest.approx((-95.0, 112.0), abs=1.0)


def onward(name: str, then: tuple[int, int, int], beyond: tuple[float, ...]) -> tuple[list[int], list[str]]:
    """What the bots of the kernel do, and what the twin does, on a sample's link, if they then go on to another."""
    room = sample_room(name)
    source, target, kind, start, end = LINKS[name]
    areas = room.area_at(*source), room.area_at(*target)
    number, place = np.array([[*areas, kind]], np.int32), np.array([[*start, *end, 0.0, 0.0, 0.0]])
    at = [start[0] - 100.0, *start[1:], 320.0, 0.0]
    found = bots_take(room.areas, room.movement, appearing(number, place, at, then, beyond))
    outcomes = []
    for phase in range(3):
        bot = SlowBot(room.movement, *areas, kind, start, end)
        bot.then = SlowBot(room.movement, *then, beyond[:3], beyond[3:])
        outcomes.append(bot.outcome((at[0] + 32.0 * phase / 3, *start[1:]), (320.0, 0.0, 0.0)))
    return found[0, :3].tolist(), outcomes


@pytest.mark.parametrize(("kind", "x"), [(Travel.WALK, 300.0), (Travel.WALK_OFF_LEDGE, 60.0), (Travel.WALK, 40.0)])
def test_bots_go_on_after_a_landing_as_the_slow_twin_does(kind, x):
    """On to the middle of the floor they stay on it; at full speed to a point beyond the rim behind them they fall."""
    (tried, arrived, died), outcomes = onward("jump_late", (1, 2, int(kind)), (x, 0.0, 24.0, x + 5.0, 0.0, 24.0))
    assert tried == len(outcomes) - outcomes.count("strays")
    assert (arrived, died) == (outcomes.count("arrives"), outcomes.count("dies"))


def thrown(x: float) -> tuple[list[int], list[str]]:
    """What the bots of the kernel do, and what the twin does, running from x into the pad of ``jumppad_short``."""
    room = sample_room("jumppad_short")
    push, start, end = (499.1, 0.0, 240.5), (-104, 0, 65), (236, 0, 24.125)
    source, target = room.area_at(-104, 0, 67), room.area_at(230, 0, 25)
    number, place = np.array([[source, target, Travel.JUMP_PAD]], np.int32), np.array([[*start, *end, *push]])
    found = bots_take(room.areas, room.movement, appearing(number, place, [x, 0.0, 24.125, 320.0, 0.0]))
    outcomes = []
    for phase in range(3):
        bot = SlowBot(room.movement, source, target, Travel.JUMP_PAD, start, end, push, (source,))
        outcomes.append(bot.outcome((x + 32.0 * phase / 3, 0.0, 24.125), (320.0, 0.0, 0.0)))
    return found[0, :3].tolist(), outcomes


@pytest.mark.parametrize("x", [-230, -222, -214, -206])
def test_bots_are_thrown_as_the_slow_twin_is(x):
    (tried, arrived, died), outcomes = thrown(x)
    assert tried == len(outcomes) - outcomes.count("strays")
    assert (arrived, died) == (outcomes.count("arrives"), outcomes.count("dies"))
    assert died > 0, "the friction of the ramp takes a third of the speed"


@pytest.mark.parametrize("name", ["beam_corner", "pit_corner", "slanted", "ledge_beam"])
def test_bots_come_by_a_walk_as_the_slow_twin_does(name):
    """All pairs of walks that follow each other, and the falls after walks."""
    compiled = aascompile.compile_map(SAMPLES / f"{name}.bsp")
    links, movement = compiled.links, Movement(compiled.areas, QUAKE3)
    by, then = np.nonzero(links.target[:, None] == links.source[None])
    chosen = (links.kind[by] == Travel.WALK) & np.isin(links.kind[then], (Travel.WALK, Travel.WALK_OFF_LEDGE))
    by, then = by[chosen][:60], then[chosen][:60]
    number = np.stack([links.source, links.target, links.kind], axis=1)[then].astype(np.int32)
    place = np.hstack([links.start, links.end, links.velocity])[then]
    tries = Tries(number, place, *approaches_by(links, then, by, QUAKE3))
    found = bots_take(compiled.areas, movement, tries)
    assert found[:, 0].sum() > 0
    for i, (row, first, last) in enumerate(zip(found[:, :3].tolist(), by, then, strict=True)):
        outcomes = []
        for moment in range(3):
            came = slow_bot(movement, links, first).coming(moment / 3)
            if came is not None:
                bot, k = slow_bot(movement, links, last), tries.begin[i] + moment
                if tries.then[k, 2] >= 0:
                    bot.then = SlowBot(movement, *tries.then[k].tolist(), tries.beyond[k, :3], tries.beyond[k, 3:])
                outcomes.append(bot.outcome(*came))
        assert row == [len(outcomes) - outcomes.count("strays"), outcomes.count("arrives"), outcomes.count("dies")]


def test_what_bots_do_does_not_depend_on_other_links():
    """The way in which bots come to several links is simulated once."""
    compiled = aascompile.compile_map(SAMPLES / "pillars.bsp")
    links, movement = compiled.links, Movement(compiled.areas, QUAKE3)
    rows = np.flatnonzero(np.isin(links.kind, (Travel.WALK, Travel.WALK_OFF_LEDGE)))
    number = np.stack([links.source, links.target, links.kind], axis=1)[rows].astype(np.int32)
    place = np.hstack([links.start, links.end, links.velocity])[rows]
    nowhere_safe = np.zeros(len(links), np.bool_)
    tries = Tries(
        number,
        place,
        *approaches(links, rows, compiled.areas, QUAKE3, nowhere_safe, lambda at: np.zeros(len(at), bool)),
    )
    alone = [bots_take(compiled.areas, movement, tries.take(np.array([row])))[0] for row in range(len(tries))]
    assert len(np.unique(tries.origin, axis=0)) < len(tries.origin)
    np.testing.assert_array_equal(bots_take(compiled.areas, movement, tries), alone)


def slow_bot(movement: Movement, links: Links, row: int) -> SlowBot:
    """The twin that takes a link."""
    source, target, kind = (int(column[row]) for column in (links.source, links.target, links.kind))
    return SlowBot(movement, source, target, kind, links.start[row], links.end[row])
