# Declarations of the follower, so that probes replay links without the Python interpreter.
# Meanings are documented in follow_kernel.py.

from aascompile.player.move_kernel cimport Mover

cdef int ARRIVES
cdef int START_BLOCKED
cdef int HARMED
cdef int HELD_UP
cdef int LATE
cdef int TAKEN
cdef double CLOSE

cdef struct Attempt:
    int kind
    int source
    int target
    int rim
    double sx
    double sy
    double sz
    double vx
    double vy
    double vz
    double ex
    double ey
    double ez


cdef class Follower:
    cdef public Mover mover
    cdef unsigned int standing
    cdef unsigned int[::1] presence
    cdef signed char[::1] liquid
    cdef unsigned char[::1] ground
    cdef unsigned char[::1] trigger
    cdef double speed
    cdef double crouch_speed
    cdef double ahead_x
    cdef double ahead_y
    cdef readonly int why
    cdef readonly int land_area
    cdef readonly double land_x
    cdef readonly double land_y
    cdef readonly double land_z

    cdef bint is_low(self, int area) noexcept nogil
    cdef bint replay(self, Attempt tried) noexcept nogil
    cdef bint follow(
        self, int source, int goal, double x, double y, double z, double vx, double vy, double vz
    ) noexcept nogil
    cdef bint fails(self, int why) noexcept nogil
    cdef bint is_there(self) noexcept nogil


cdef Attempt attempt_of(int[:, ::1] number, double[:, ::1] place, int i) noexcept nogil
