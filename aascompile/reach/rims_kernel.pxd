# Declarations of probes off rims, which the prober extends. Meanings are documented in rims_kernel.py.

from aascompile.player.follow_kernel cimport Attempt
from aascompile.reach.attempts_kernel cimport Attempts

cdef int LEDGE
cdef int NO_START
cdef int CROUCHED
cdef double LIFT
cdef double TOUCH

cdef struct Spot:
    int area
    int rim
    int first  # first row of attempts from the area's rims
    double x
    double y
    double z
    double dx
    double dy


cdef class RimProber(Attempts):
    cdef double step
    cdef double climb
    cdef double barrier
    cdef double gravity
    cdef double swim_depth
    cdef int[::1] rim_area
    cdef double[:, ::1] rim_a
    cdef double[:, ::1] rim_b
    cdef double[:, ::1] rim_out
    cdef double start_z
    cdef double end_x
    cdef double end_y
    cdef double lack

    cdef bint probe(self, Spot at, double run, bint jump) noexcept nogil
    cdef bint put_start(self, int area, double x, double y, double z) noexcept nogil
    cdef bint crosses_gap(self, double x, double y, double z, double ex, double ey) noexcept nogil
    cdef int misfit(self, int kind, double rise) noexcept nogil
    cdef bint keep_from_rim(self, Attempt tried, Spot at) noexcept nogil
    cdef bint fall(self, Attempt tried, double dx, double dy) noexcept nogil
    cdef bint is_low_ahead(self, Spot at) noexcept nogil
    cdef bint is_inside(self, int area, double x, double y, double z) noexcept nogil
    cdef void put_end(self, int target, double x, double y, double z, double dx, double dy) noexcept nogil
    cdef bint is_open(self, double x, double y, double z) noexcept nogil
    cdef bint is_pit(self, double x, double y, double z) noexcept nogil
    cdef bint step_down(self, Spot at) noexcept nogil
    cdef bint runs_over(self, Spot at, int target, double floor) noexcept nogil
    cdef void drop(self, Spot at) noexcept nogil
    cdef double floats_at(self, double x, double y, double z) noexcept nogil
    cdef bint goes_on(self, Spot at, double x, double y) noexcept nogil
    cdef void from_rim(self, Spot at) noexcept nogil
    cdef void note_wall(self, Spot at) noexcept nogil
    cdef void straight(self, int rim, int first, double spacing) noexcept nogil
    cdef void askew(self, int rim, int first) noexcept nogil
