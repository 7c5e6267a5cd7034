# Declarations of the cuts at notches, so that the stages' kernels can call them without the Python interpreter.
# Meanings are documented in notch_kernel.py.

cimport cython

from aascompile.geometry.polygon_kernel cimport Polys


@cython.final
cdef class Notches:
    cdef Polys polys
    cdef double deep
    cdef double nx
    cdef double ny
    cdef double nz

    cdef void face(self, double nx, double ny, double nz) noexcept nogil
    cdef double turn(self, int a, int b, int c) noexcept nogil
    cdef double apart(self, int a, int b) noexcept nogil
    cdef bint is_lid(self, int first, int n, int p, int q, double least) noexcept nogil
    cdef bint is_notch(self, int first, int n, int i) noexcept nogil
    cdef bint points_inside(self, int first, int n, int i, int k) noexcept nogil
    cdef bint is_diagonal(self, int first, int n, int i, int k) noexcept nogil
    cdef bint cut(self, int poly) noexcept nogil
    cdef int part(self, int first, int n, int a, int b) noexcept nogil
    cdef int cut_all(self, int first) noexcept nogil
