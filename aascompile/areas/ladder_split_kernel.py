# mypy: ignore-errors
"""Ladder subdivision: an area with ground and a ladder that begins out of reach above it is cut at the ladder's foot."""

import cython
from cython.cimports.aascompile.areas.mesh_kernel import AreaMesh


@cython.final
@cython.cclass
class Ladders:
    mesh: AreaMesh
    splits = cython.declare(cython.int, visibility="readonly")

    def __init__(self, mesh):
        self.mesh = mesh
        self.splits = 0

    def run(self):
        """Subdivide until no area with ground has a ladder out of reach."""
        area: cython.int = 0
        with cython.nogil:
            while area < self.mesh.area_count:
                if not self.mesh.area_liquid[area] and self.mesh.hangs(area, area):
                    if self.mesh.split_area(area, self.mesh.add_plane(0.0, 0.0, 1.0, self.mesh.ladder_foot)) >= 0:
                        self.splits += 1
                area += 1
