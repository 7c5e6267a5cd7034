"""Hard links: kept only if no other route leads to their target."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.model.compiled import Rides
from aascompile.model.contents import Kind
from aascompile.model.entity_facts import Door
from aascompile.model.links import Links, Travel
from aascompile.reach.candidates import Candidates
from aascompile.reach.hard import drop_needless
from aascompile.settings import QUAKE3
from aascompile.store.engine_links import links_lump
from tests.reach.carrying import sample
from tests.stages import EXACT

HERE, THERE, BEYOND = 0, 1, 2
DOOR = Door(0, 7, (0, 0, 0), (0, 0, 64), False, 400.0, 2.0, False, True, "")


@pytest.fixture(scope="module")
def areas():
    """Areas of a sample. Only their number, contents and models matter here."""
    found = sample("stairs", EXACT).areas
    return replace(
        found, area_contents=np.zeros_like(found.area_contents), area_model=np.full(len(found), -1, np.int32)
    )


def linked(areas, *rows) -> tuple[Links, np.ndarray]:
    """Links from rows of (travel type, source, target, hard, x of the end)."""
    candidates = Candidates()
    for kind, source, target, hard, x in rows:
        velocity = (0.0, 0.0, 600.0 if kind == Travel.JUMP_PAD else 0.0)
        time = {Travel.JUMP_PAD: 300.0 if hard else 250.0, Travel.JUMP: 400.0}.get(kind, 1.0)
        candidates.add(kind, [source], [target], (0.0, 0.0, 0.0), (x, 0.0, 0.0), time, velocity=velocity, hard=hard)
    return candidates.finish_with_hard(areas)


def kept(areas, *rows, doors=(), deadly=(), arrives=-1.0) -> list[tuple[Travel, int, int, int]]:
    """Travel type, source, target and time of the links that are kept. ``arrives``: share of bots that steered throws
    take where they should."""
    links, hard = linked(areas, *rows)
    steered = hard & (links.kind == Travel.JUMP_PAD)
    links = replace(links, arrives=np.where(steered, arrives, links.arrives))
    links = drop_needless(links, hard, np.isin(np.arange(len(links)), deadly), areas, doors, QUAKE3)
    assert np.array_equal(links.area_start, np.searchsorted(links.source, np.arange(len(areas) + 1)))
    return [
        (Travel(kind), source, target, time)
        for kind, source, target, time in zip(
            links.kind.tolist(), links.source.tolist(), links.target.tolist(), links.time.tolist(), strict=True
        )
    ]


def test_hard_links_are_kept_if_the_search_would_take_too_long(areas, monkeypatch):
    round_it = [(Travel.WALK, HERE, BEYOND, False, 0.0), (Travel.WALK, BEYOND, THERE, False, 0.0)]
    jump = (Travel.JUMP, HERE, THERE, True, 100.0)
    monkeypatch.setattr("aascompile.reach.hard.MOST_WORK", -1)
    assert Travel.JUMP in {kind for kind, *_ in kept(areas, jump, *round_it)}


def test_a_late_jump_is_dropped_if_there_is_a_detour(areas):
    round_it = [(Travel.WALK, HERE, BEYOND, False, 0.0), (Travel.WALK, BEYOND, THERE, False, 0.0)]
    jump = (Travel.JUMP, HERE, THERE, True, 100.0)
    assert Travel.JUMP not in {kind for kind, *_ in kept(areas, jump, *round_it)}
    assert kept(areas, jump, round_it[0])[-1] == (Travel.JUMP, HERE, THERE, 400 + round(QUAKE3.costs.late_jump))


def test_an_easy_jump_is_kept_unchanged(areas):
    rows = [(Travel.WALK, HERE, THERE, False, 0.0), (Travel.JUMP, HERE, THERE, False, 100.0)]
    assert (Travel.JUMP, HERE, THERE, 400) in kept(areas, *rows)


def test_detours_through_barred_areas_or_with_a_weapon_do_not_count(areas):
    jump = (Travel.JUMP, HERE, THERE, True, 100.0)
    armed = (Travel.ROCKET_JUMP, HERE, THERE, False, 0.0)
    assert Travel.JUMP in {kind for kind, *_ in kept(areas, jump, armed)}
    contents = areas.area_contents.copy()
    contents[BEYOND] = Kind.DONOTENTER
    barred = replace(areas, area_contents=contents)
    rows = [jump, (Travel.WALK, HERE, BEYOND, False, 0.0), (Travel.WALK, BEYOND, THERE, False, 0.0)]
    assert Travel.JUMP in {kind for kind, *_ in kept(barred, *rows)}


def test_a_pad_keeps_the_link_that_needs_least_steering(areas):
    near, far = (Travel.JUMP_PAD, HERE, THERE, True, 50.0), (Travel.JUMP_PAD, HERE, BEYOND, True, 300.0)
    both = [(Travel.WALK, THERE, BEYOND, False, 0.0), (Travel.WALK, BEYOND, THERE, False, 0.0)]
    assert (Travel.JUMP_PAD, HERE, THERE, 300) in kept(areas, far, near, *both)
    assert (Travel.JUMP_PAD, HERE, BEYOND, 300) not in kept(areas, far, near, *both)
    assert (Travel.JUMP_PAD, HERE, BEYOND, 300) in kept(areas, far, near)
    unsteered = (Travel.JUMP_PAD, HERE, BEYOND, False, 300.0)
    assert (Travel.JUMP_PAD, HERE, THERE, 300) not in kept(areas, unsteered, near, *both)


def test_a_throw_that_no_bot_reaches_is_dropped_for_any_other_hard_link(areas):
    """The jump leads on from where the pad leads without steering."""
    free, steered = (Travel.JUMP_PAD, HERE, BEYOND, False, 300.0), (Travel.JUMP_PAD, HERE, THERE, True, 50.0)
    jump = (Travel.JUMP, BEYOND, THERE, True, 100.0)
    throw = (Travel.JUMP_PAD, HERE, THERE, 300)
    assert throw not in kept(areas, free, steered, jump, arrives=0.0)
    assert throw in kept(areas, free, steered, jump, arrives=0.5)
    assert throw in kept(areas, free, steered, arrives=0.0), "nothing else leads there"


def test_links_into_a_door_that_must_be_shot_are_dropped_if_there_is_a_detour(areas):
    model = areas.area_model.copy()
    model[THERE] = DOOR.model
    doored = replace(areas, area_model=model)
    through = [
        (Travel.WALK, a, b, False, 0.0) for a, b in ((HERE, THERE), (THERE, HERE), (BEYOND, THERE), (THERE, BEYOND))
    ]
    round_it = [(Travel.WALK, HERE, BEYOND, False, 0.0), (Travel.WALK, BEYOND, HERE, False, 0.0)]
    entered = {(source, target) for _, source, target, _ in kept(doored, *through, *round_it, doors=[DOOR])}
    assert entered == {(THERE, HERE), (THERE, BEYOND), (HERE, BEYOND), (BEYOND, HERE)}
    one_way = kept(doored, *through, round_it[0], doors=[DOOR])
    assert len(one_way) == 5
    touched = replace(DOOR, shot=False)
    assert len(kept(doored, *through, *round_it, doors=[touched])) == 6


def test_a_link_by_hand_into_a_door_that_must_be_shot_is_kept(areas):
    model = areas.area_model.copy()
    model[THERE] = DOOR.model
    doored = replace(areas, area_model=model)
    pairs = ((HERE, THERE), (THERE, HERE), (BEYOND, THERE), (THERE, BEYOND), (HERE, BEYOND), (BEYOND, HERE))
    links, hard = linked(areas, *((Travel.WALK, a, b, False, 0.0) for a, b in pairs))
    entity = np.where(links.source == HERE, 7, -1).astype(links.entity.dtype)
    by_hand = replace(links, entity=entity)
    found = drop_needless(by_hand, hard, np.zeros(len(links), np.bool_), doored, [DOOR], QUAKE3)
    entered = found.source[found.target == THERE].tolist()
    assert entered == [HERE], "the link from the other side is not by hand"


def test_the_engines_file_lists_the_best_jump_pad_link_last(areas):
    """In the air, bots steer to the end of the area's last jump-pad link."""
    steered, free = (Travel.JUMP_PAD, HERE, BEYOND, True, 900.0), (Travel.JUMP_PAD, HERE, THERE, False, 300.0)
    passed = (Travel.JUMP_PAD, HERE, 3, False, 20.0)
    walk = (Travel.WALK, HERE, 4, False, 0.0)
    links, _ = linked(areas, steered, free, passed, walk, (Travel.WALK, THERE, HERE, False, 0.0))
    rows = links_lump(links, Rides.none())[1:]
    assert (rows["target"] - 1).tolist() == [4, BEYOND, 3, THERE, HERE]


def test_a_deadly_throw_is_dropped_if_the_way_to_the_pad_leads_there_too(areas):
    """The pad is THERE, entered from HERE; no other link leads off it."""
    trigger = np.full(len(areas), -1, np.int32)
    trigger[THERE] = 4
    padded = replace(areas, area_trigger=trigger)
    onto, throw = (Travel.WALK, HERE, THERE, False, 0.0), (Travel.JUMP_PAD, THERE, BEYOND, False, 0.0)
    assert kept(padded, onto, throw, deadly=[1]) == kept(padded, onto, throw), "nothing else leads there"
    around = (Travel.WALK, HERE, BEYOND, False, 0.0)
    assert kept(padded, onto, around, throw, deadly=[2]) == [
        (Travel.WALK, HERE, THERE, 1),
        (Travel.WALK, HERE, BEYOND, 1),
    ]
    assert len(kept(padded, onto, around, throw)) == 3, "a throw that is safe stays"
