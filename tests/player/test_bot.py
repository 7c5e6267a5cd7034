"""Bots that take links, compared with a slow twin, and what they do on the samples that are about them."""

from __future__ import annotations

import numpy as np
import pytest

import aascompile
from aascompile.model.links import Links, Travel
from aascompile.player.bot import Tries, bots_take
from aascompile.player.movement import Movement
from aascompile.reach.approaches import approaches_by
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


def appearing(number: np.ndarray, place: np.ndarray, origin: list[float]) -> Tries:
    """Bots that appear at a place, with a velocity, and take a link: at three moments between two decisions."""
    rows = np.array([[*origin, 0.0, moment / 3] for moment in range(3)])
    return Tries(number, place, np.array([0, 3]), np.full((3, 3), -1, np.int32), rows, np.zeros(3, np.uint8))


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
    tried, _, died = takes("jump_late", 100, 0)[0]
    assert died > 0.2 * tried


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
    found = bots_take(compiled.areas, movement, Tries(number, place, *approaches_by(links, then, by, QUAKE3)))
    assert found[:, 0].sum() > 0
    for row, first, last in zip(found[:, :3].tolist(), by, then, strict=True):
        outcomes = []
        for moment in range(3):
            came = slow_bot(movement, links, first).coming(moment / 3)
            if came is not None:
                outcomes.append(slow_bot(movement, links, last).outcome(*came))
        assert row == [len(outcomes) - outcomes.count("strays"), outcomes.count("arrives"), outcomes.count("dies")]


def slow_bot(movement: Movement, links: Links, row: int) -> SlowBot:
    """The twin that takes a link."""
    source, target, kind = (int(column[row]) for column in (links.source, links.target, links.kind))
    return SlowBot(movement, source, target, kind, links.start[row], links.end[row])
