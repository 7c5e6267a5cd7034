"""All candidates (thesis §6.4): links along edges and through faces; links of entities, of ladders and with a weapon.

Neither of the two needs the other, so they are found at the same time.
"""

from __future__ import annotations

import numpy as np

from aascompile.model.areas import Areas, FaceFlag
from aascompile.model.entity_facts import EntityFacts
from aascompile.model.mapdata import MapData
from aascompile.model.movers import movers
from aascompile.model.places import Places
from aascompile.player.movement import Movement
from aascompile.reach.adjoining import swim_links, walk_links
from aascompile.reach.candidates import Candidates
from aascompile.reach.local import local_links, probe_rims
from aascompile.reach.rocketjump import rocketjump_links
from aascompile.sampling.ground import ground_edges
from aascompile.settings import TIERS


def edge_links(areas: Areas, movement: Movement, threads: int) -> Candidates:
    """The links between floors that touch or are near each other, and through liquids. They depend on areas alone."""
    candidates, edges, settings = Candidates(), ground_edges(areas), movement.settings
    probed = probe_rims(areas, edges, movement, threads)
    walk_links(candidates, areas, edges, movement)
    swim_links(candidates, areas, movement)
    local_links(candidates, areas, edges, probed, movement, threads)
    if settings.reach.jump_tier != TIERS[0]:
        from aascompile.reach.fast_jumps import fast_jump_links

        fast_jump_links(candidates, areas, edges, movement, threads)
    return candidates


def entity_links(areas: Areas, map_data: MapData, facts: EntityFacts, movement: Movement, places: Places) -> Candidates:
    """The links of every travel type that an entity, a ladder or a weapon makes possible. What a map does not have is
    not imported."""
    candidates = Candidates()
    if facts.teleports:
        from aascompile.reach.teleport import teleport_links

        teleport_links(candidates, areas, facts, movement)
    if facts.plats:
        from aascompile.reach.elevator import elevator_links

        elevator_links(candidates, areas, map_data, facts, movement)
    if facts.pushes:
        from aascompile.reach.jumppad import jumppad_links

        jumppad_links(candidates, areas, facts, movement, places)
    if movers(facts):
        from aascompile.reach.rides import ride_links

        ride_links(candidates, areas, map_data, facts, movement)
    if (areas.face_flags & np.uint32(FaceFlag.LADDER)).any():
        from aascompile.reach.ladder import ladder_links

        ladder_links(candidates, areas, movement)
    rocketjump_links(candidates, areas, places, movement)
    if movement.settings.reach.grapple:
        from aascompile.reach.grapple import grapple_links

        grapple_links(candidates, areas, movement)
    return candidates
