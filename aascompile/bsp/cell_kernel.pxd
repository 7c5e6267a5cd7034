# Declarations of the cells of nodes, which the chooser of planes extends. Meanings are documented in cell_kernel.py.

from aascompile.geometry.polygon_kernel cimport Polys


cdef class CellStore:
    cdef double[:, ::1] normal
    cdef double[::1] dist

    cdef Polys cells
    cdef int[::1] cell_plane
    cdef signed char[::1] touched
    cdef Polys caps

    cdef double on_plane
    cdef double min_area
    cdef double clip
    cdef double extent

    cdef void add_cell_face(self, int poly, int plane) noexcept nogil
    cdef double section_area(self, int pair, int cell_first, int cell_count) noexcept nogil
    cdef int section(self, int pair, int cell_first, int cell_count) noexcept nogil
    cdef int split_cell(self, int pair, int cell_first, int cell_count, int cap, bint front) noexcept nogil
