# Declarations of the queue of a search. Meanings are documented in queue_kernel.py.

cimport cython


@cython.final
cdef class NodeQueue:
    cdef double[::1] key
    cdef int[::1] heap
    cdef int[::1] place
    cdef int count

    cdef bint sooner(self, int a, int b) noexcept nogil
    cdef void push(self, int node) noexcept nogil
    cdef int pop(self) noexcept nogil
