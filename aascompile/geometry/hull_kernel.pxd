# Declarations of the hull builder, so that brush expansion can call it without the Python interpreter.
# Meanings are documented in hull_kernel.py.

cimport cython

from aascompile.geometry.polygon_kernel cimport Polys
from aascompile.geometry.solid_kernel cimport Solid


@cython.final
cdef class Hull(Solid):
    cdef int[::1] side_face
    cdef public double[::1] box
    cdef public double volume
    cdef double min_edge
    cdef double min_volume
    cdef double min_area

    cdef int build(
        self, const double[:, ::1] normal, const double[::1] dist, const int[::1] side_plane, long long first, int count
    ) noexcept nogil
    cdef int finish(self) noexcept nogil
    cdef int emit(self, Polys out, int count) noexcept nogil

    cdef void contract(self) noexcept nogil
    cdef int tidy(self, int start, int size) noexcept nogil
    cdef void measure(self) noexcept nogil
    cdef int at_the_edge(self) noexcept nogil
