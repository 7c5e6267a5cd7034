"""The areas: convex spaces in which an agent moves in a straight line, bounded by shared faces, edges and vertices."""

from __future__ import annotations

from enum import IntFlag

from aascompile.model.mapdata import Bits, Float, Index, Int, Planes
from aascompile.records import dataclass

SOLID = -1
"""A tree child that leads to no area."""


class FaceFlag(IntFlag):
    """What a face is; numbered as in the engine's file."""

    SOLID = 1
    """One side is solid."""
    LADDER = 2
    """It can be climbed."""
    GROUND = 4
    """An agent can stand on it."""
    GAP = 8
    """One falls through it out of the area above."""
    LIQUID = 16
    """It bounds a liquid."""
    LIQUIDSURFACE = 32
    """Liquid on one side, none on the other."""


class AreaFlag(IntFlag):
    """What an area is; numbered as in the engine's file."""

    GROUNDED = 1
    """It has ground."""
    LADDER = 2
    """It has a ladder."""
    LIQUID = 4
    """One swims in it."""
    DISABLED = 8
    """Routing leaves it out."""


@dataclass(frozen=True, slots=True)
class Areas:
    """All areas of a map with their boundary and the tree that finds them.

    Requirements: a face has an area in front or behind, or both, never the same; its normal points into the front
    area; its corners run counter-clockwise seen from there; every area is convex and has at least four faces; no
    dry area has both ground and a gap; every area is the child of at least one node.
    """

    planes: Planes
    vertex: Float
    """(v, 3) no two at the same place."""
    edge: Int
    """(e, 2) vertex rows, the lower one first."""
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
    """(k,) corners of the faces."""
    face_edge: Int
    """(k,) the edge from each corner to the next."""
    area_start: Index
    """(a + 1,) CSR into ``area_face``."""
    area_face: Int
    """(j,) faces of the areas, ascending in each."""
    area_contents: Bits
    """(a,) Kind bits of what fills it (engine's AreaContents, and HURT)."""
    area_flags: Bits
    """(a,) AreaFlag bits."""
    area_presence: Bits
    """(a,) presence bits of the boxes that have room in it."""
    area_model: Int
    """(a,) model of the door it is in; −1: none."""
    area_trigger: Int
    """(a,) model of the teleporter or jump pad it is in; −1: none. Where several overlap, ``filling`` has the order."""
    area_mins: Float
    """(a, 3)"""
    area_maxs: Float
    """(a, 3)"""
    area_centre: Float
    """(a, 3) its centre of mass."""
    area_volume: Float
    """(a,) cubic units."""
    node_plane: Int
    """(n,) plane id; the root is node 0."""
    node_child: Int
    """(n, 2) front, back: ≥ 0 a node, −1 solid, ≤ −2 the area −2 − child. Several may lead to one area."""

    def __len__(self) -> int:
        return len(self.area_flags)
