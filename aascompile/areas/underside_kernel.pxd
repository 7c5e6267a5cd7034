# Declarations of an area's underside, which gravity and headroom extend. Meanings are documented in underside_kernel.py.

from aascompile.areas.mesh_kernel cimport AreaMesh


cdef class Underside:
    cdef AreaMesh mesh
    cdef int[::1] under
    cdef int[::1] tag
    cdef int unders
    cdef double min_edge
    cdef readonly int splits

    cdef void add_under(self, int face, int tag) noexcept nogil
    cdef int sides(self, int i, double nx, double ny, double d) noexcept nogil
    cdef double score(self, double nx, double ny, double d) noexcept nogil
    cdef int choose(self) noexcept nogil
    cdef int cut(self, int area) noexcept nogil
