# Declarations of the branches of a tree that are still to be built. Meanings are documented in branch_kernel.py.

cimport cython

from aascompile.geometry.polygon_kernel cimport Polys


@cython.final
cdef class Branches:
    cdef Polys polys
    cdef int[::1] plane
    cdef int[::1] facet
    cdef signed char[::1] urge
    cdef Polys cells
    cdef int[::1] cell_plane
    cdef int[:, ::1] row
    cdef public int count

    cdef void add_poly(self, Polys polys, int poly, int plane, int facet, signed char urge) noexcept nogil
    cdef void add_face(self, Polys cells, int face, int plane) noexcept nogil
    cdef void close(self, int parent, int side, int polys, int faces, int depth) noexcept nogil
