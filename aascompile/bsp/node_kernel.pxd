# Declarations of a tree's nodes and leaves, which the tree's builder extends. Meanings are documented in node_kernel.py.

from aascompile.bsp.choice_kernel cimport PlaneChooser
from aascompile.geometry.polygon_kernel cimport Polys


cdef class NodeStore(PlaneChooser):
    cdef int[::1] other
    cdef int fronts

    cdef int[:, ::1] node
    cdef int nodes
    cdef double[:, ::1] leaf_point
    cdef double[:, ::1] leaf_box
    cdef int leaves

    cdef int add_node(self, int pair) noexcept nogil
    cdef int begin_leaf(self) noexcept nogil
    cdef int add_corners(self, int leaf, Polys polys, int poly) noexcept nogil
    cdef int close_leaf(self, int leaf, int corners) noexcept nogil
    cdef int add_leaf(self, int cell_first, int cell_count) noexcept nogil
    cdef int add_part_leaf(self, int pair, int cell_first, int cell_count, int cap, bint front) noexcept nogil
    cdef int drop_run(self, int run, int first, int count) noexcept nogil
    cdef int drop_plane(self, int pair, int first, int count) noexcept nogil
    cdef int partition(self, int pair, int first, int count) noexcept nogil
    cdef void move_down(
        self, int first, int count, int polys, int cell_first, int back_first, int back_vertices
    ) noexcept nogil
