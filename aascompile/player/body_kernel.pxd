# Declarations of the body, which the player extends. Meanings are documented in body_kernel.py.

from aascompile.sampling.sample_kernel cimport Sampler

cdef double lost(double into) noexcept nogil

cdef class Body:
    cdef public Sampler sampler
    cdef public double gravity
    cdef public double step
    cdef public double floor_up
    cdef double ground_near

    cdef public double x
    cdef public double y
    cdef public double z
    cdef public double vx
    cdef public double vy
    cdef public double vz
    cdef public int area
    cdef public bint on_ground
    cdef unsigned int presence
    cdef bint has_ground
    cdef double ground_x
    cdef double ground_y
    cdef double ground_z
    cdef double looked_x
    cdef double looked_y
    cdef double looked_z
    cdef unsigned int looked_for
    cdef bint below
    cdef double below_x
    cdef double below_y
    cdef double below_z
    cdef double below_far
    cdef bint hit_wall
    cdef bint hit_head
    cdef double[:, ::1] wall
    cdef double end_x
    cdef double end_y
    cdef double end_z
    cdef int step_count
    cdef int[::1] step_area
    cdef double[:, ::1] step_point

    cdef void find_ground(self) noexcept nogil
    cdef void look_down(self) noexcept nogil
    cdef void lift_off(self) noexcept nogil
    cdef void clip(self, double nx, double ny, double nz) noexcept nogil
    cdef void keep_speed_on_ground(self) noexcept nogil
    cdef bint slide(self, bint falling, double dt) noexcept nogil
    cdef bint turn(self, int walls) noexcept nogil
    cdef bint turn_along(self, int i, int walls) noexcept nogil
    cdef void step_slide(self, bint falling, double dt) noexcept nogil
    cdef void go(self, double begun, double span) noexcept nogil
    cdef void note(self, int area, double x, double y, double z, double time) noexcept nogil
