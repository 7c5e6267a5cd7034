"""Teleporters (thesis §6.4): from every area of a trigger to where the player stands after arriving."""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.model.areas import Areas
from aascompile.model.contents import TAKES_AWAY
from aascompile.model.entity_facts import EntityFacts, Teleport
from aascompile.model.links import Travel
from aascompile.player.movement import HAZARDS, Command, Event, Movement, Prediction
from aascompile.reach import times
from aascompile.reach.candidates import Candidates
from aascompile.sampling.middle import floor_points

LIFTS: Final = (0.0, 8.0, 16.0, 24.0)
"""Units: destinations may be sunk into the floor by the height of a player's origin. The first free lift is used."""

ARRIVES: Final = Event.LANDED | Event.SWIM | Event.TELEPORTER | Event.JUMP_PAD | HAZARDS
"""Events that end an arrival. A teleporter or jump pad that is entered has links of its own."""


def teleport_links(candidates: Candidates, areas: Areas, facts: EntityFacts, movement: Movement) -> None:
    """Add a link from each of a teleporter's areas, starting in the middle of its floor."""
    if not facts.teleports:
        return
    floor = floor_points(areas)
    start = np.where(np.isnan(floor), areas.area_centre, floor)
    settings = movement.settings
    for teleport in facts.teleports:
        source = np.flatnonzero(areas.area_trigger == teleport.model)
        arrived = arrival(teleport, movement) if len(source) else None
        if arrived is not None:
            time = times.teleport(settings)
            candidates.add(Travel.TELEPORT, source, arrived.area, start[source], arrived.end, time)


def arrival(teleport: Teleport, movement: Movement) -> Prediction | None:
    """Where a teleported player first stands, swims or is taken away again; None if the destination is blocked or the
    fall never ends."""
    x, y, z = teleport.destination
    for lift in LIFTS:
        place = (x, y, z + lift)
        at_once = movement.predict(place, (0.0, 0.0, 0.0), Command(), ARRIVES, max_time=0.0)
        if at_once.seen & Event.START_SOLID:
            continue
        taken = int(movement.tree.contents[at_once.area]) & int(TAKES_AWAY)
        if at_once.on_ground or at_once.water_level > 1 or taken:
            return at_once
        fallen = movement.predict(place, teleport.velocity, Command(), ARRIVES)
        return fallen if fallen.stopped & ARRIVES else None
    return None
