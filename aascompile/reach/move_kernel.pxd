# Declarations of the mover, so that links are predicted without Python in between.
# Meanings are documented in move_kernel.py.

from aascompile.geometry.sample_kernel cimport Sampler

# flags of a command
cdef unsigned int JUMP
cdef unsigned int CROUCH
cdef unsigned int STEER
cdef unsigned int TRACK

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

cdef class Mover:
    cdef public Sampler sampler
    cdef public unsigned char[::1] marks

    # the game
    cdef public double gravity
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
    cdef public double step
    cdef public double floor_up
    cdef public double sink_speed
    cdef public double waterjump_forward
    cdef public double waterjump_up
    cdef public double fall_small
    cdef public double fall_large
    cdef public unsigned int standing
    cdef public unsigned int crouched
    cdef public double half_width
    cdef public double feet
    cdef public double eyes
    cdef public double eyes_crouched
    cdef double ground_near

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

    # the state, and the result
    cdef public double x
    cdef public double y
    cdef public double z
    cdef public double vx
    cdef public double vy
    cdef public double vz
    cdef public int area
    cdef public bint on_ground
    cdef public bint ducked
    cdef public int water_level
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

    # inside a frame
    cdef unsigned int presence
    cdef bint has_ground
    cdef bint jumped
    cdef bint jumping_out
    cdef double ground_x
    cdef double ground_y
    cdef double ground_z
    cdef double want_x
    cdef double want_y
    cdef double want_z
    cdef double want_speed
    cdef double highest
    cdef int was_area
    cdef double idle
    cdef unsigned int bumps
    cdef double[:, ::1] wall
    cdef double end_x
    cdef double end_y
    cdef double end_z
    cdef int step_count
    cdef int[::1] step_area
    cdef double[:, ::1] step_point

    cdef void reset(self) noexcept nogil
    cdef void wish(self, double x, double y, double z, double speed) noexcept nogil
    cdef void steer(self, double x, double y, double z, double speed) noexcept nogil
    cdef unsigned int run(self, double x, double y, double z, double vx, double vy, double vz) noexcept nogil
    cdef bint begin(self, double x, double y, double z) noexcept nogil
    cdef void lift_off(self) noexcept nogil
    cdef void frame(self, double dt) noexcept nogil
    cdef void look_near(self, double dt) noexcept nogil
    cdef void duck(self) noexcept nogil
    cdef void aim(self, double dt) noexcept nogil
    cdef double time_to_fall(self) noexcept nogil
    cdef void find_ground(self) noexcept nogil
    cdef void find_water(self) noexcept nogil
    cdef void walk(self, double dt) noexcept nogil
    cdef void fly(self, double dt) noexcept nogil
    cdef void swim(self, double dt) noexcept nogil
    cdef bint at_bank(self) noexcept nogil
    cdef void jump_out(self, double dt) noexcept nogil
    cdef void slow_down(self, double dt) noexcept nogil
    cdef void accelerate(self, double x, double y, double z, double speed, double rate, double dt) noexcept nogil
    cdef void clip(self, double nx, double ny, double nz) noexcept nogil
    cdef void keep_speed_on_ground(self) noexcept nogil
    cdef bint slide(self, bint falling, double dt) noexcept nogil
    cdef bint turn(self, int walls) noexcept nogil
    cdef bint turn_along(self, int i, int walls) noexcept nogil
    cdef void step_slide(self, bint falling, double dt) noexcept nogil
    cdef void go(self, double begun, double span) noexcept nogil
    cdef void note(self, int area, double x, double y, double z, double time) noexcept nogil
    cdef void keep_path(self, int area, double x, double y, double z, double time) noexcept nogil
    cdef unsigned int entered(self, int before, int area) noexcept nogil
    cdef bint along_way(self) noexcept nogil
    cdef unsigned int at_end(self, bint stood, int wet, double z, double vz, double moved, double dt) noexcept nogil
    cdef void land(self, double z, double vz) noexcept nogil
    cdef bint over_gap(self) noexcept nogil
