# Declarations of an area's underside, which gravity and headroom extend. Meanings are documented in underside_kernel.py.

from aascompile.areas.mesh_kernel cimport AreaMesh


cdef class Underside:
    cdef AreaMesh mesh
    cdef int[::1] under
    cdef int[::1] tag
    cdef int unders
    cdef double[:, ::1] around
    cdef char[::1] found
    cdef int fronts
    cdef int backs
    cdef int cuts
    cdef double min_edge
    cdef readonly int splits
    cdef readonly long long looks

    cdef void add_under(self, int face, int tag) noexcept nogil
    cdef void enclose(self) noexcept nogil
    cdef bint divide(self, double nx, double ny, double d, double most) noexcept nogil
    cdef double score(self) noexcept nogil
    cdef int choose(self) noexcept nogil
    cdef int cut(self, int area) noexcept nogil
