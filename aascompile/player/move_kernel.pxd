# Declarations of the mover, so that links are predicted without the Python interpreter.
# Meanings are documented in move_kernel.py.

cimport cython

from aascompile.player.player_kernel cimport Player

# flags of a command
cdef unsigned int JUMP
cdef unsigned int CROUCH
cdef unsigned int STEER
cdef unsigned int TRACK
cdef unsigned int LEVEL

# events
cdef unsigned int LANDED
cdef unsigned int LEFT_GROUND
cdef unsigned int BUMP
cdef unsigned int HEAD
cdef unsigned int LIQUID
cdef unsigned int SWIM
cdef unsigned int LEFT_LIQUID
cdef unsigned int LAVA
cdef unsigned int SLIME
cdef unsigned int HURT
cdef unsigned int JUMP_PAD
cdef unsigned int TELEPORTER
cdef unsigned int DO_NOT_ENTER
cdef unsigned int AREA
cdef unsigned int AREA_GROUND
cdef unsigned int MARKED
cdef unsigned int GAP
cdef unsigned int GOAL
cdef unsigned int STUCK
cdef unsigned int WATER_JUMP
cdef unsigned int TIME
cdef unsigned int START_SOLID

@cython.final
cdef class Mover(Player):
    # the command
    cdef public double wish_x
    cdef public double wish_y
    cdef public double wish_z
    cdef public double wish_speed
    cdef public double goal_x
    cdef public double goal_y
    cdef public double goal_z
    cdef public double goal_near
    cdef public double jump_time
    cdef public double gap_depth
    cdef public double frame_time
    cdef public double max_time
    cdef public unsigned int flags
    cdef public unsigned int stop
    cdef public int goal_area
    cdef public unsigned char[::1] marks

    # the result, besides the place, the velocity and so on of the body and the player
    cdef public unsigned int stopped
    cdef public unsigned int seen
    cdef public double time
    cdef public int frames
    cdef public double land_speed
    cdef public double fall
    cdef public int damage
    cdef public int path_count
    cdef public int[::1] path_area
    cdef public double[:, ::1] path_point

    # inside a run
    cdef public double fall_small
    cdef public double fall_large
    cdef double highest
    cdef int was_area
    cdef double idle

    cdef void reset(self) noexcept nogil
    cdef void wish(self, double x, double y, double z, double speed) noexcept nogil
    cdef void steer(self, double x, double y, double z, double speed) noexcept nogil
    cdef unsigned int run(self, double x, double y, double z, double vx, double vy, double vz) noexcept nogil
    cdef bint begin(self, double x, double y, double z) noexcept nogil
    cdef void aim(self, double dt) noexcept nogil
    cdef double time_to_fall(self) noexcept nogil
    cdef void keep_path(self, int area, double x, double y, double z, double time) noexcept nogil
    cdef unsigned int entered(self, int before, int area) noexcept nogil
    cdef bint along_path(self) noexcept nogil
    cdef unsigned int at_end(self, bint stood, int wet, double z, double vz, double moved, double dt) noexcept nogil
    cdef void land(self, double z, double vz) noexcept nogil
    cdef bint over_gap(self) noexcept nogil
