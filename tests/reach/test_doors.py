"""Doors that something else opens: links into them include the time to reach the opener."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aascompile.model.entity_facts import Opener
from aascompile.model.links import Links
from aascompile.reach.doors import Gate, gates, through_doors
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
