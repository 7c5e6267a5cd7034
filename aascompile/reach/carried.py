"""All ways that a map's entities make: what teleports, throws and carries players (thesis §6.4)."""

from __future__ import annotations

from aascompile.model.areas import Areas
from aascompile.model.entities import EntityFacts
from aascompile.model.mapdata import MapData
from aascompile.reach.bobbing import bobbing_links
from aascompile.reach.candidates import Candidates
from aascompile.reach.elevator import elevator_links
from aascompile.reach.jumppad import jumppad_links
from aascompile.reach.movement import Movement
from aascompile.reach.teleport import teleport_links


def carried_links(
    candidates: Candidates, areas: Areas, map_data: MapData, facts: EntityFacts, movement: Movement
) -> None:
    """Each kind adds its own."""
    for add in (teleport_links, elevator_links, jumppad_links, bobbing_links):
        add(candidates, areas, map_data, facts, movement)
