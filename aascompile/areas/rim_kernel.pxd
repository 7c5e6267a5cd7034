# Declarations of the rim of a cut, so that the mesh can close it. Documented in rim_kernel.py.

cimport cython

from aascompile.geometry.polygon_kernel cimport Polys


@cython.final
cdef class Rim:
    cdef public double[:, ::1] xyz
    cdef public int points
    cdef int[:, ::1] edge
    cdef int edges
    cdef public int[::1] corner
    cdef int corners
    cdef public int[::1] start
    cdef public int loops
    cdef int[::1] path
    cdef double same
    cdef public double widest

    cdef void clear(self) noexcept nogil
    cdef int point(self, double x, double y, double z) noexcept nogil
    cdef void add(self, double ax, double ay, double az, double bx, double by, double bz) noexcept nogil
    cdef void push(self, int a, int b) noexcept nogil
    cdef void drop(self, int row) noexcept nogil
    cdef bint lies_on(self, int row, int p) noexcept nogil
    cdef void split_edges(self) noexcept nogil
    cdef void cancel(self) noexcept nogil
    cdef int loose(self, int sign) noexcept nogil
    cdef void join_ends(self) noexcept nogil
    cdef void keep(self, int first, int last) noexcept nogil
    cdef void chain(self) noexcept nogil
    cdef bint is_near_polygon(self, int point, Polys polys, int poly, double most) noexcept nogil
    cdef bint is_near_loop(self, Polys polys, int vertex, double most) noexcept nogil
    cdef bint strays(self, Polys polys, int poly, double most) noexcept nogil
    cdef void close(self) noexcept nogil
