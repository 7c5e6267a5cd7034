# Declarations of the box grid, so that other kernels can query it without the Python interpreter.

cimport cython

@cython.final
cdef class BoxGrid:
    cdef public double[:, ::1] bounds
    cdef public double[::1] low
    cdef public double[::1] scale
    cdef public int[::1] cells
    cdef public int[::1] cell_start
    cdef public int[::1] cell_item


@cython.final
cdef class BoxQuery:
    cdef double[:, ::1] bounds
    cdef double[::1] low
    cdef double[::1] scale
    cdef int[::1] cells
    cdef int[::1] cell_start
    cdef int[::1] cell_item
    cdef int[::1] stamp
    cdef int round
    cdef public int[::1] found
    cdef public int count

    cdef int column(self, double value, int axis) noexcept nogil
    cdef int overlapping(self, double x0, double y0, double z0, double x1, double y1, double z1) noexcept nogil
