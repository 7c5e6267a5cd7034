# Declarations of the writer's tree. Meanings and shapes are documented in leaves_kernel.py.

cimport cython

from aascompile.geometry.polygon_kernel cimport Polys


@cython.final
cdef class LeafTree:
    cdef const double[:, ::1] normal
    cdef const double[::1] dist
    cdef double eps
    cdef double[::1] box
    cdef double extent

    cdef public int[::1] plane
    cdef public int[:, ::1] child
    cdef public int[::1] parent
    cdef public int node_count
    cdef public int leaf_count

    cdef Polys polys
    cdef int[::1] poly_plane
    cdef int[::1] rows
    cdef int row_count
    cdef int[:, ::1] todo
    cdef int todo_count

    cdef public int[:, ::1] portal
    cdef public int portal_count
    cdef public double[:, ::1] leaf_box
    cdef public double[:, ::1] leaf_sum
    cdef public int[::1] leaf_open

    cdef public int[:, ::1] pair
    cdef public int pair_count

    cdef void room_nodes(self) noexcept nogil
    cdef void room_rows(self, int rows) noexcept nogil
    cdef void push(self, int a, int b, int c, int d) noexcept nogil
    cdef int choose(self, int first, int count) noexcept nogil
    cdef double score(self, int plane, int first, int count) noexcept nogil
    cdef void divide(self, int node, int first, int count) noexcept nogil
    cdef int add_node(self, int plane, int parent, int side) noexcept nogil
    cdef void add_leaf(self, int parent, int side) noexcept nogil
    cdef int section(self, int node) noexcept nogil
    cdef int clip_to_box(self, int poly) noexcept nogil
    cdef int clip_to_node(self, int poly, int node) noexcept nogil
    cdef int agrees(self, int plane, int other) noexcept nogil
    cdef void filter(self, int poly, int node, int facing, int back_node) noexcept nogil
    cdef void touch(self, int leaf, int poly) noexcept nogil
    cdef void add_portal(self, int front, int back) noexcept nogil
    cdef void add_pair(self, int item, int leaf) noexcept nogil
    cdef int apart(self, int leaf, const double[::1] box) noexcept nogil
