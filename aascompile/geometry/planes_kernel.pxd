# Declarations of the plane store, so that kernels can intern the planes they create without the Python interpreter.
# Meanings are documented in planes_kernel.py.

cimport cython

@cython.final
cdef class PlaneStore:
    cdef readonly double[:, ::1] normal
    cdef readonly double[::1] dist
    cdef readonly int count
    cdef int[::1] chain
    cdef int[::1] head
    cdef double normal_eps
    cdef double dist_eps
    cdef double snap
    cdef double shortest
    cdef double farthest

    cdef int add(self, double nx, double ny, double nz, double d) noexcept nogil
    cdef long long cell(self, double value, double per_unit) noexcept nogil
    cdef int bucket(self, long long a, long long b, long long c, long long d) noexcept nogil
    cdef void link(self, int row) noexcept nogil
    cdef int lookup(self, double nx, double ny, double nz, double d) noexcept nogil
    cdef int find(self, int b, double nx, double ny, double nz, double d, int best) noexcept nogil
    cdef int leads_backward(self, double nx, double ny, double nz) noexcept nogil
    cdef int append(self, double nx, double ny, double nz, double d) noexcept nogil
