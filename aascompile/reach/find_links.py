"""Links that are not found edge by edge: those of entities and ladders, and those that need a weapon (thesis §6.4)."""

from __future__ import annotations

from aascompile.model.areas import Areas
from aascompile.model.entity_facts import EntityFacts
from aascompile.model.mapdata import MapData
from aascompile.model.places import Places
from aascompile.player.movement import Movement
from aascompile.reach.candidates import Candidates
from aascompile.reach.elevator import elevator_links
from aascompile.reach.grapple import grapple_links
from aascompile.reach.jumppad import jumppad_links
from aascompile.reach.ladder import ladder_links
from aascompile.reach.rides import ride_links
from aascompile.reach.rocketjump import rocketjump_links
from aascompile.reach.teleport import teleport_links


def entity_links(
    candidates: Candidates,
    areas: Areas,
    map_data: MapData,
    facts: EntityFacts,
    movement: Movement,
    places: Places,
) -> None:
    """Add the links of every travel type that an entity, a ladder or a weapon makes possible."""
    teleport_links(candidates, areas, facts, movement)
    elevator_links(candidates, areas, map_data, facts, movement)
    jumppad_links(candidates, areas, facts, movement, places)
    ride_links(candidates, areas, map_data, facts, movement)
    ladder_links(candidates, areas, movement)
    rocketjump_links(candidates, areas, places, movement)
    grapple_links(candidates, areas, movement)
