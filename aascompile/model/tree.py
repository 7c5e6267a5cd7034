"""The BSP tree of the map, and the polygons between its leaves."""

from __future__ import annotations

from aascompile.model.mapdata import Bits, Float, Index, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class LeafContents:
    """Contents of n leaves, or of the areas made from them."""

    blocks: Bits
    """(n,) boxes that do not fit there; the leaf is solid if that is all of them."""
    contains: Index
    """(n,) as in Volumes.contains."""


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes from the root (row 0) down. The children of a node have higher rows.

    Requirements: every leaf is the child of exactly one node; a node's section lies on its plane, inside its cell.
    """

    node: Int
    """(n, 3) plane id, front child, back child; a child is ≥ 0: node, < 0: leaf −1 − child."""
    section_start: Index
    """(n + 1,) CSR: the part of the node's plane inside its cell."""
    section_xyz: Float
    """(k, 3) corners of the sections, counter-clockwise seen from the front."""
    leaf_point: Float
    """(m, 3) point inside each leaf."""
    leaf_box: Float
    """(m, 6) minima, maxima of each leaf."""
    leaf_blocks: Bits
    """(m,) boxes that do not fit there; the leaf is solid if that is all of them."""
    leaf_contains: Index
    """(m,) as in Volumes.contains."""

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return len(self.leaf_point)


@dataclass(frozen=True, slots=True)
class Portals:
    """Exact polygons between neighbouring leaves, at least one of them open."""

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
