# Declarations of the polygon store, so that the stages' kernels can call it without the Python interpreter.
# Meanings and shapes are documented in polygon_kernel.py.

cimport cython

@cython.final
cdef class Polys:
    cdef public double[:, ::1] xyz
    cdef public int[::1] start
    cdef public int[::1] size
    cdef public int vertex_count
    cdef public int poly_count
    cdef public int front
    cdef public int back
    cdef double[::1] distance
    cdef int[::1] where
    cdef double[::1] vector
    cdef double[::1] box

    cdef void reserve(self, int vertices, int polys) noexcept nogil
    cdef void release(self, int vertices, int polys) noexcept nogil
    cdef int release_but(self, int vertices, int polys, int kept) noexcept nogil
    cdef int begin(self, int vertices) noexcept nogil
    cdef void push(self, double x, double y, double z) noexcept nogil
    cdef void close(self, int poly) noexcept nogil
    cdef int copy_from(self, Polys other, int poly) noexcept nogil
    cdef int reversed_copy(self, int poly) noexcept nogil
    cdef int base(self, double nx, double ny, double nz, double d, double extent) noexcept nogil
    cdef int classify(self, int poly, double nx, double ny, double nz, double d, double eps) noexcept nogil
    cdef int split(self, int poly, double nx, double ny, double nz, double d, double eps) noexcept nogil
    cdef int part(self, int first, int n, int side, double nx, double ny, double nz, double d) noexcept nogil
    cdef double area(self, int poly) noexcept nogil
    cdef void centre(self, int poly, double[::1] out) noexcept nogil
    cdef void bounds(self, int poly) noexcept nogil
