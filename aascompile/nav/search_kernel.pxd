# Declarations of the search for routes, which tables, routes and fields use. Meanings are documented in search_kernel.py.

cimport cython

from aascompile.graph.queue_kernel cimport NodeQueue


@cython.final
cdef class Goals:
    cdef int[::1] area
    cdef double[:, ::1] point
    cdef bint exact


@cython.final
cdef class GoalColumns:
    cdef double[::1] left
    cdef int[::1] after
    cdef unsigned char[::1] filled
    cdef double[::1] area_left
    cdef int[::1] area_first


@cython.final
cdef class RouteSearch:
    cdef int[::1] source
    cdef int[::1] target
    cdef double[:, ::1] begin
    cdef double[:, ::1] end
    cdef long long[::1] out_start
    cdef long long[::1] in_start
    cdef int[::1] in_link
    cdef long long[::1] pair_start
    cdef int[::1] group
    cdef long long[::1] group_start
    cdef int[::1] group_link

    cdef double[::1] time
    cdef double[::1] onward
    cdef double[::1] unit
    cdef double[::1] factor
    cdef unsigned char[::1] closed
    cdef unsigned char[::1] allowed

    cdef NodeQueue queue
    cdef int[::1] taken
    cdef double[::1] left
    cdef int[::1] after

    cdef void use(self, double[::1] left, int[::1] after) noexcept nogil
    cdef void clear(self, int group) noexcept nogil
    cdef double stretch(self, int area, double dx, double dy, double dz) noexcept nogil
    cdef double walk(self, int area, double x, double y, double z, int link) noexcept nogil
    cdef double arrive(self, int area, double x, double y, double z, Goals goals, int row) noexcept nogil
    cdef double cross(self, int before, int link) noexcept nogil
    cdef double finish(self, int link, Goals goals, int row) noexcept nogil
    cdef bint usable(self, int link, int group) noexcept nogil
    cdef void offer(self, int link, double cost, int follower) noexcept nogil
    cdef void aim(self, Goals goals, int group) noexcept nogil
    cdef void spread(self, int link, double cost, int group) noexcept nogil
    cdef void run(self, int group) noexcept nogil
    cdef int first_of(self, int area, double x, double y, double z) noexcept nogil
