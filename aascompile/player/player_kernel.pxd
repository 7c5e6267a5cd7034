# Declarations of the player, which the mover extends. Meanings are documented in player_kernel.py.

from aascompile.player.body_kernel cimport Body

cdef class Player(Body):
    cdef public double friction
    cdef public double water_friction
    cdef public double stop_speed
    cdef public double walk_speed
    cdef public double crouch_speed
    cdef public double swim_speed
    cdef public double walk_accelerate
    cdef public double air_accelerate
    cdef public double swim_accelerate
    cdef public double jump_velocity
    cdef public bint jump_adds
    cdef public double double_jump
    cdef double since_jump
    cdef public double sink_speed
    cdef public double waterjump_forward
    cdef public double waterjump_up
    cdef public unsigned int standing
    cdef public unsigned int crouched
    cdef public double half_width
    cdef public double feet
    cdef public double eyes
    cdef public double eyes_crouched

    cdef double want_x
    cdef double want_y
    cdef double want_z
    cdef double want_speed
    cdef bint wants_jump
    cdef bint wants_crouch
    cdef public bint ducked
    cdef public int water_level
    cdef bint jumped
    cdef bint jumping_out
    cdef bint leapt

    cdef void frame(self, double dt) noexcept nogil
    cdef void duck(self) noexcept nogil
    cdef void look_about(self) noexcept nogil
    cdef void find_water(self) noexcept nogil
    cdef void walk(self, double dt) noexcept nogil
    cdef void fly(self, double dt) noexcept nogil
    cdef void swim(self, double dt) noexcept nogil
    cdef bint at_bank(self) noexcept nogil
    cdef void jump_out(self, double dt) noexcept nogil
    cdef void slow_down(self, double dt) noexcept nogil
    cdef void accelerate(self, double x, double y, double z, double speed, double rate, double dt) noexcept nogil
