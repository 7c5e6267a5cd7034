# Declarations of the simulated bot. Meanings are documented in bot_kernel.py.

cimport cython

from aascompile.player.follow_kernel cimport Attempt, Follower


@cython.final
cdef class Bot(Follower):
    cdef double gravity
    cdef int[::1] pad
    cdef unsigned char[::1] deadly
    cdef double room
    cdef double land_speed
    cdef double run_x
    cdef double run_y
    cdef bint running
    cdef bint thrown
    cdef bint flown
    cdef bint passes
    cdef int[::1] came_row  # an earlier bot that came so; −1: none
    cdef double[:, ::1] came  # whether it came, its place, and x and y of its velocity

    cdef void ready(self, Attempt link, double x, double y, double z, double vx, double vy) noexcept nogil
    cdef bint comes_by(self, Attempt onto, double phase) noexcept nogil
    cdef bint comes(self, int[:, ::1] onto, double[:, ::1] origin, int k) noexcept nogil
    cdef int came_slot(self, int[:, ::1] onto, double[:, ::1] origin, int k) noexcept nogil
    cdef bint stands(self, double x, double y, double z) noexcept nogil
    cdef int take(
        self, Attempt link, Attempt onward, double x, double y, double z, double vx, double vy
    ) noexcept nogil
    cdef void run_on(self, Attempt link, Attempt onward) noexcept nogil
    cdef void think(self, Attempt link) noexcept nogil
    cdef void off_ledge(self, Attempt link) noexcept nogil
    cdef void falling(self, Attempt link, double beyond) noexcept nogil
    cdef void move_on(self, Attempt link) noexcept nogil
    cdef bint in_pad(self, Attempt link) noexcept nogil
    cdef bint in_other_trigger(self, Attempt link) noexcept nogil
    cdef bint is_taken_to(self, int target) noexcept nogil
    cdef void walking(self, Attempt link) noexcept nogil
    cdef double before_gaps(self, double dx, double dy) noexcept nogil
    cdef void climbing(self, Attempt link) noexcept nogil
    cdef void measure_landing(self) noexcept nogil
    cdef bint is_gap(self, double x, double y, double z) noexcept nogil
    cdef bint is_safe(self, double sx, double sy, double sz) noexcept nogil
    cdef int miss_beside(self, Attempt link) noexcept nogil
    cdef void leaping(self, Attempt link) noexcept nogil
    cdef void find_run_up(self, Attempt link) noexcept nogil
    cdef bint has_passed(self, Attempt link) noexcept nogil
    cdef double distance(self, double x, double y) noexcept nogil
    cdef void jump(self) noexcept nogil
    cdef double speed_of_fall(self, Attempt link) noexcept nogil
    cdef void go(self, double x, double y, double speed) noexcept nogil
    cdef bint appear(
        self, Attempt link, double x, double y, double z, double vx, double vy, double phase
    ) noexcept nogil


cdef bint comes_alike(int[:, ::1] onto, double[:, ::1] origin, int i, int k) noexcept nogil
