# Declarations of the chooser of planes, which the tree's builder extends. Meanings are documented in choice_kernel.py.

from aascompile.bsp.cell_kernel cimport CellStore
from aascompile.geometry.polygon_kernel cimport Polys

cdef int MOST
cdef int FEWER


cdef class PlaneChooser(CellStore):
    cdef Polys polys
    cdef int[::1] plane
    cdef int[::1] facet
    cdef signed char[::1] urge
    cdef double[::1] area
    cdef double[:, ::1] box
    cdef double[:, ::1] sides
    cdef int front_count
    cdef int back_count

    cdef int[::1] listed
    cdef int[::1] run_first
    cdef int[::1] run_count
    cdef int[::1] run_facets
    cdef double[::1] run_area
    cdef signed char[::1] run_urge
    cdef int runs
    cdef int[::1] candidate
    cdef double[::1] base
    cdef int[::1] choice
    cdef double[::1] choice_score
    cdef int choices
    cdef int tries
    cdef int most
    cdef readonly long long scored

    cdef double w_facet
    cdef double w_split
    cdef double w_balance
    cdef double w_cover
    cdef double w_near
    cdef double w_urge
    cdef double w_upright
    cdef double near_miss

    cdef void describe(self, int poly, int plane, int facet, signed char urge) noexcept nogil
    cdef void find_runs(self, int first, int count) noexcept nogil
    cdef int find_candidates(self) noexcept nogil
    cdef void gather_boxes(self, int first, int count) noexcept nogil
    cdef double less_axial(self, int id, int begin, int end, double score, double best) noexcept nogil
    cdef double less_cuts(self, int id, int first, int begin, int end, double score, double best) noexcept nogil
    cdef double score(self, int run, int first, int count, double best) noexcept nogil
    cdef int choose(self, int first, int count, int cell_first, int cell_count) noexcept nogil
    cdef void enter(self, int run, double score) noexcept nogil
