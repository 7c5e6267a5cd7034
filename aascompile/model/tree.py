"""The binary space partition of the map and the polygons between its leaves."""

from __future__ import annotations

from aascompile.model.mapdata import Bits, Float, Index, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class LeafContents:
    """What is in leaves, or in the areas that they became: n rows."""

    blocks: Bits
    """(n,) the agent boxes that cannot be there; solid when all."""
    contains: Index
    """(n,) as Volumes.contains."""


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes from the root (row 0) down; a node's children have higher rows than itself.

    Requirements: every leaf hangs on exactly one node; a node's section lies on its plane, inside its cell.
    """

    node: Int
    """(n, 3) plane id, front child, back child; a child is ≥ 0: node, < 0: leaf −1 − child."""
    section_start: Index
    """(n + 1,) CSR: the part of the node's plane inside its cell."""
    section_xyz: Float
    """(k, 3) corners of the sections, counter-clockwise seen from the front."""
    leaf_point: Float
    """(m, 3) a point inside each leaf."""
    leaf_box: Float
    """(m, 6) minima, maxima of each leaf."""
    leaf_blocks: Bits
    """(m,) the agent boxes that cannot be there; solid when all."""
    leaf_contains: Index
    """(m,) as Volumes.contains."""

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return len(self.leaf_point)


@dataclass(frozen=True, slots=True)
class Portals:
    """The exact polygon between every two neighbouring leaves of which at least one is open."""

    plane: Int
    """(n,) plane id; the normal points into the front leaf."""
    front: Int
    """(n,) leaf."""
    back: Int
    """(n,) leaf."""
    vertex_start: Index
    """(n + 1,) CSR into ``xyz``."""
    xyz: Float
    """(k, 3) corners, counter-clockwise seen from the front."""

    def __len__(self) -> int:
        return len(self.plane)
