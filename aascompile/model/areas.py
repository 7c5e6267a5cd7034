"""Areas: convex pieces of space in which a player can move in a straight line, bounded by shared faces and edges."""

from __future__ import annotations

from enum import IntFlag

import numpy as np

from aascompile.model.mapdata import Bits, Float, Index, Int, Planes
from aascompile.records import dataclass

SOLID = -1
"""Child of a node that leads to no area."""


class FaceFlag(IntFlag):
    """Properties of a face, numbered as in the engine's file."""

    SOLID = 1
    """One side is solid."""
    LADDER = 2
    """It can be climbed."""
    GROUND = 4
    """A player can stand on it."""
    GAP = 8
    """A player falls through it, out of the area above."""
    LIQUID = 16
    """It bounds a liquid."""
    LIQUIDSURFACE = 32
    """It has liquid on one side only."""


class AreaFlag(IntFlag):
    """Properties of an area, numbered as in the engine's file."""

    GROUNDED = 1
    """It has ground."""
    LADDER = 2
    """It has a ladder."""
    LIQUID = 4
    """A player swims in it."""
    DISABLED = 8
    """Routing ignores it."""


@dataclass(frozen=True, slots=True)
class Areas:
    """All areas of a map, their boundaries, and the tree that finds the area of a point.

    Requirements: a face has an area in front or behind, or both, never the same; its normal points into the front
    area; its corners run counter-clockwise seen from there; every area is convex and has at least four faces; no
    dry area has both ground and a gap; every area is the child of at least one node.
    """

    planes: Planes
    vertex: Float
    """(v, 3) distinct points."""
    edge: Int
    """(e, 2) vertex rows, the lower row first."""
    face_plane: Int
    """(f,) plane id; its normal points into the front area."""
    face_front: Int
    """(f,) area; −1: solid."""
    face_back: Int
    """(f,) area; −1: solid."""
    face_flags: Bits
    """(f,) FaceFlag bits."""
    face_start: Index
    """(f + 1,) CSR into the two columns below."""
    face_vertex: Int
    """(k,) vertex row of each corner of the faces."""
    face_edge: Int
    """(k,) edge from each corner to the next."""
    area_start: Index
    """(a + 1,) CSR into ``area_face``."""
    area_face: Int
    """(j,) faces of the areas, ascending within an area."""
    area_contents: Bits
    """(a,) Kind bits of what fills it: the engine's AreaContents, and HURT."""
    area_flags: Bits
    """(a,) AreaFlag bits."""
    area_presence: Bits
    """(a,) presence bits of the boxes that fit into it."""
    area_model: Int
    """(a,) model of the door it is in; −1: none."""
    area_trigger: Int
    """(a,) model of the teleporter or jump pad it is in; −1: none. ``filling`` decides where several overlap."""
    area_cost: Float
    """(a,) factor of what walking in it costs; 1 unless the mapper says otherwise (``by_hand``)."""
    area_mins: Float
    """(a, 3)"""
    area_maxs: Float
    """(a, 3)"""
    area_centre: Float
    """(a, 3) a point in its middle: on its floor, as a player's origin; without ground its centre of mass, or any point
    in it if that lies outside."""
    area_volume: Float
    """(a,) cubic units."""
    node_plane: Int
    """(n,) plane id; the root is node 0."""
    node_child: Int
    """(n, 2) front and back child: ≥ 0 a node, −1 solid, ≤ −2 area −2 − child. Several may lead to the same area."""

    def __len__(self) -> int:
        return len(self.area_flags)


def unit_costs(areas: Areas, standing: int, walk: float, crouch: float, swim: float) -> Float:
    """(areas,) 1/100 s for a unit of distance: swimming, crouched where there is no room to stand, or walking.

    ``standing``: presence of the standing box.
    """
    stands = areas.area_presence & np.uint32(standing) != 0
    liquid = areas.area_flags & np.uint32(AreaFlag.LIQUID) != 0
    unit: Float = np.where(liquid, swim, np.where(stands, walk, crouch))
    return unit
