"""The faces of a mesh of areas, copied out of it."""

from __future__ import annotations

from aascompile.model.mapdata import Float, Index, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class MeshFaces:
    """Polygons between areas, each with corners of its own."""

    plane: Int
    """(f,) plane id; its normal points into the front area."""
    front: Int
    """(f,) area; −1: solid."""
    back: Int
    """(f,) area; −1: solid."""
    marks: Int
    """(f,) 1 on a ladder."""
    start: Index
    """(f + 1,) CSR into ``xyz``."""
    xyz: Float
    """(k, 3) corners, counter-clockwise seen from the front."""
