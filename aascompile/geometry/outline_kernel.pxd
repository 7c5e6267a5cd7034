# Declarations of outlines. Documented in outline_kernel.py.

cimport cython

@cython.final
cdef class Outline:
    cdef public double[:, ::1] point
    cdef int points
    cdef int[::1] order
    cdef public int[::1] corner
    cdef public int corners
    cdef public double size
    cdef public double around
    cdef public double extent

    cdef void begin(self) noexcept nogil
    cdef void add(self, double x, double y) noexcept nogil
    cdef bint before(self, int a, int b) noexcept nogil
    cdef void sift(self, int root, int end) noexcept nogil
    cdef void sort(self) noexcept nogil
    cdef double left_of(self, int a, int b, int c) noexcept nogil
    cdef bint is_passed(self, int n, int k) noexcept nogil
    cdef void close(self) noexcept nogil
    cdef double depth_at(self, double x, double y) noexcept nogil
    cdef double depth(self, double ax, double ay, double bx, double by) noexcept nogil
