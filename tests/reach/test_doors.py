"""Doors that something else opens: links into them include the time to reach the opener."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aascompile.model.entity_facts import Opener
from aascompile.model.links import Links
from aascompile.reach import times
from aascompile.reach.doors import Gate, gates, shot_doors, through_doors
from aascompile.settings import QUAKE3
from tests.reach.carrying import sample
from tests.reach.test_reachable_sets import links_between


def gate_of(room, **changes):
    """The facts of the sample with its door changed."""
    (door,) = room.understood.facts.doors
    return replace(room.understood.facts, doors=(replace(door, **changes),))


def test_only_a_closed_door_that_something_else_opens_is_a_gate():
    room = sample("door")
    (door,) = room.understood.facts.doors
    (button,) = room.understood.facts.buttons
    assert list(gates(room.understood.facts)) == [Gate((door.model,), (Opener(button.row),))]
    for change in ({"touch": True}, {"shot": True}, {"start_open": True}):
        assert list(gates(gate_of(room, **change))) == []
    shot = replace(room.understood.facts, buttons=(replace(button, shot=True),))
    assert list(gates(shot)) == []


def test_doors_of_a_team_are_one_gate():
    room = sample("door")
    (door,) = room.understood.facts.doors
    pair = (replace(door, team="both", openers=()), replace(door, model=door.model + 1, team="both"))
    assert list(gates(replace(room.understood.facts, doors=pair))) == [Gate((door.model, door.model + 1), door.openers)]
    half = (pair[0], replace(pair[1], touch=True))
    assert len(list(gates(replace(room.understood.facts, doors=half)))) == 1, "the game gives the name to the team"
    easy = (replace(pair[0], touch=True), replace(pair[1], touch=True))
    assert list(gates(replace(room.understood.facts, doors=easy))) == []


def entered(room, facts, links: Links) -> list[int]:
    """Times of the links into the door."""
    (door,) = room.understood.facts.doors
    inside = room.areas.area_model == door.model
    found = through_doors(links, room.areas, room.understood.map, facts, QUAKE3)
    return found.time[inside[links.target] & ~inside[links.source]].tolist()


def test_openers_set_the_time_of_links_into_a_gate():
    room = sample("door")
    inside = int(np.flatnonzero(room.areas.area_model == room.understood.facts.doors[0].model)[0])
    outside = int(np.flatnonzero(room.areas.area_model < 0)[0])
    links = links_between(len(room.areas), [(outside, inside)])
    assert entered(room, gate_of(room, openers=()), links) == [round(QUAKE3.costs.opening)]
    timer = gate_of(room, openers=(Opener(0),))  # the world stands for an opener without a model of its own
    assert entered(room, timer, links) == [0]
    timer = gate_of(room, openers=(Opener(0, every=8.0),))
    assert entered(room, timer, links) == [400], "half the time between two firings"


def test_a_delay_is_waited_for_where_the_walk_back_is_shorter():
    assert times.shut_door(23.0, 1, 0.0, QUAKE3) == 2 * 23.0 + QUAKE3.costs.shut_door
    assert times.shut_door(23.0, 1, 4.0, QUAKE3) == 23.0 + 400.0 + QUAKE3.costs.shut_door
    assert times.shut_door(500.0, 2, 4.0, QUAKE3) == 1500.0 + QUAKE3.costs.shut_door


def test_a_delay_counts_even_where_the_trigger_is_on_the_way():
    """A player who starts in the trigger walks nowhere, but the door opens four seconds later."""
    room = sample("door")
    (door,) = room.understood.facts.doors
    (button,) = room.understood.facts.buttons
    inside = int(np.flatnonzero(room.areas.area_model == door.model)[0])
    outside = room.area(-200, 0, 25)
    links = links_between(len(room.areas), [(outside, inside)])
    at = np.array([[-24.0, 92.0, 24.0]])
    later = gate_of(room, openers=(Opener(button.row, delay=4.0),))
    assert entered(room, later, replace(links, start=at, time=np.zeros(1, np.int32))) == [400]


def test_shot_doors_take_as_long_as_bots_need_to_shoot():
    room = sample("door_shot")
    facts = room.understood.facts
    (door,) = facts.doors
    assert list(shot_doors(facts)) == [(door.model,)]
    for easy in ({"shot": False, "touch": True}, {"start_open": True}):
        assert list(shot_doors(replace(facts, doors=(replace(door, **easy),)))) == []
    inside = int(np.flatnonzero(room.areas.area_model == door.model)[0])
    links = links_between(len(room.areas), [(room.area(-200, 0, 25), inside)])
    assert entered(room, facts, replace(links, time=np.ones(1, np.int32))) == [1101]


def test_a_door_whose_only_button_has_to_be_shot_is_a_shot_door():
    room = sample("door")
    (door,) = room.understood.facts.doors
    (button,) = room.understood.facts.buttons
    shot = replace(room.understood.facts, buttons=(replace(button, shot=True),))
    assert list(shot_doors(shot)) == [(door.model,)]
    assert list(shot_doors(room.understood.facts)) == []
