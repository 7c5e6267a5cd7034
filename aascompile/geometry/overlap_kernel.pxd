# Declarations of overlapping shapes. Meanings are documented in overlap_kernel.py.

cimport cython

from aascompile.geometry.hull_kernel cimport Hull


@cython.final
cdef class Shapes:
    cdef double[:, ::1] normal
    cdef double[::1] dist
    cdef long long[::1] side_start
    cdef long long[::1] corner_start
    cdef double[:, ::1] corner

    cdef double front(self, int i, Shapes other, long long side, double sign) noexcept nogil
    cdef int apart(self, int i, Shapes other, int j, double touch) noexcept nogil
    cdef double sticking(self, int i, Shapes other, int j) noexcept nogil
    cdef void cut_out(self, int i, Hull hull) noexcept nogil
