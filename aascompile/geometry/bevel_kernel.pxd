# Declarations of the bevel builder. Meanings are documented in bevel_kernel.py.

cimport cython

from aascompile.geometry.planes_kernel cimport PlaneStore


@cython.final
cdef class Beveller:
    cdef public int[::1] plane
    cdef public int[::1] source
    cdef public signed char[::1] bevel
    cdef public int count
    cdef PlaneStore planes
    cdef double[::1] x
    cdef double[::1] y
    cdef double[::1] z
    cdef int corners
    cdef int[::1] stamp
    cdef int brush
    cdef double behind
    cdef double parallel
    cdef double axial

    cdef void push(self, int plane, int source, int bevel) noexcept nogil
    cdef void add(self, double nx, double ny, double nz, double d) noexcept nogil
    cdef void gather(self, const double[:, ::1] xyz, long long first, long long end) noexcept nogil
    cdef void box(self) noexcept nogil
    cdef void edge(self, const double[:, ::1] xyz, long long a, long long b) noexcept nogil
    cdef void through(
        self, double nx, double ny, double nz, double d
    ) noexcept nogil
