# mypy: ignore-errors
"""Branches: subtrees that are still to be built, each with its polygons and its cell.

The builder of the trunk sets them aside, other builders take them over: on any thread, in any order. What a builder
makes of a branch depends on the branch alone.
"""

import cython
import numpy as np
from cython.cimports.aascompile.geometry.polygon_kernel import Polys

from aascompile.columns import grown


class Branches:
    """Polygons and cells of branches; a row for each: parent node, side, first polygon, polygons, first face, faces, nodes
    above it."""

    def __init__(self):
        self.polys = Polys(1024, 256)
        self.plane = np.empty(256, np.intc)
        self.facet = np.empty(256, np.intc)
        self.urge = np.empty(256, np.int8)
        self.cells = Polys(1024, 256)
        self.cell_plane = np.empty(256, np.intc)
        self.row = np.empty((64, 7), np.intc)
        self.count = 0

    def load(self, plane, facet, urge, vertex_start, xyz, cell_plane, cell_xyz):
        """Make the whole tree a single branch: polygons sorted by (plane, facet), and the root cell of quads."""
        self.polys.load(vertex_start, xyz)
        self.plane, self.facet, self.urge = plane, facet, urge
        self.cells.load(np.arange(len(cell_plane) + 1, dtype=np.int64) * 4, cell_xyz)
        self.cell_plane = cell_plane
        self.row = np.array([[-1, 0, 0, len(plane), 0, len(cell_plane), 0]], np.intc)
        self.count = 1

    def add_poly(self, polys, poly, plane, facet, urge):
        """Add a polygon to the branch that is being set aside."""
        new: cython.int = self.polys.copy_from(polys, poly)
        if self.polys.start.shape[0] > self.plane.shape[0]:
            with cython.gil:
                self.plane, self.facet, self.urge = grown(self.polys.start.shape[0], self.plane, self.facet, self.urge)
        self.plane[new] = plane
        self.facet[new] = facet
        self.urge[new] = urge

    def add_face(self, cells, face, plane):
        """Add a face of the cell of the branch that is being set aside."""
        new: cython.int = self.cells.copy_from(cells, face)
        if self.cells.start.shape[0] > self.cell_plane.shape[0]:
            with cython.gil:
                (self.cell_plane,) = grown(self.cells.start.shape[0], self.cell_plane)
        self.cell_plane[new] = plane

    def close(self, parent, side, polys, faces, depth):
        """End a branch: the polygons and faces added last are its own."""
        b: cython.int = self.count
        if b >= self.row.shape[0]:
            with cython.gil:
                (self.row,) = grown(b + 1, self.row)
        self.count = b + 1
        self.row[b, 0] = parent
        self.row[b, 1] = side
        self.row[b, 2] = self.polys.poly_count - polys
        self.row[b, 3] = polys
        self.row[b, 4] = self.cells.poly_count - faces
        self.row[b, 5] = faces
        self.row[b, 6] = depth

    def places(self):
        """Parent node and side of each branch."""
        return np.asarray(self.row)[: self.count, :2].copy()

    def sizes(self):
        """Number of polygons of each branch."""
        return np.asarray(self.row)[: self.count, 3].copy()
