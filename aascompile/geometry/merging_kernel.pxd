# Declarations of the merger, so that the stages' kernels can call it without the Python interpreter.
# Meanings are documented in merging_kernel.py.

cimport cython

from aascompile.geometry.polygon_kernel cimport Polys


@cython.final
cdef class PolygonMerger:
    cdef Polys polys
    cdef double eps
    cdef double[:, ::1] box
    cdef char[::1] concave
    cdef int[::1] row
    cdef int[::1] into

    cdef int merge(self, int a, int b, double nx, double ny, double nz) noexcept nogil
    cdef int strip(self, int poly, double nx, double ny, double nz) noexcept nogil
    cdef bint is_concave(self, int poly, double nx, double ny, double nz) noexcept nogil
    cdef int shared(self, int a, int b, int i) noexcept nogil
    cdef int same(self, int p, int q) noexcept nogil
    cdef double outward(self, int p, int v, int q, double nx, double ny, double nz) noexcept nogil
    cdef int join(self, int a, int b, int i, int j, double nx, double ny, double nz) noexcept nogil
    cdef void enclose(self, int slot) noexcept nogil
    cdef int apart(self, int a, int b) noexcept nogil
    cdef int merge_group(self, int first, int end, double nx, double ny, double nz) noexcept nogil
