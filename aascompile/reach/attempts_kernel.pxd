# Declarations of the table of attempts, which the prober extends. Meanings are documented in attempts_kernel.py.

from aascompile.player.follow_kernel cimport Attempt, Follower


cdef class Attempts(Follower):
    cdef int[:, ::1] number
    cdef double[:, ::1] place
    cdef readonly int rows

    cdef public bint noting
    cdef int[:, ::1] note_number
    cdef double[:, ::1] note_place
    cdef int notes

    cdef Attempt attempt(self, int kind, int source, int target, int rim, double x, double y, double z) noexcept nogil
    cdef void note(self, Attempt tried, int why, double x, double y, double z, double measure) noexcept nogil
    cdef void note_replay(self, Attempt tried) noexcept nogil
    cdef bint keep(self, Attempt tried) noexcept nogil
    cdef bint has(self, int first, int kind, int target, bint hard) noexcept nogil
    cdef void call_hard(self, bint hard) noexcept nogil
    cdef void call_gap(self, double gap) noexcept nogil
