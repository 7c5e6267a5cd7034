# Declarations of the solid, so that hulls and the stages' kernels can cut it without the Python interpreter.
# Meanings are documented in solid_kernel.py.

cdef class Solid:
    cdef double[:, ::1] x
    cdef double[:, ::1] y
    cdef double[:, ::1] z
    cdef double[::1] distance
    cdef int[::1] where
    cdef int[::1] renumber
    cdef int[::1] head
    cdef int[::1] chain
    cdef int[::1] cut_front
    cdef int[::1] cut_row
    cdef int[::1] cap_next
    cdef int[:, ::1] loop
    cdef int[::1] edge_from
    cdef int[::1] edge_to
    cdef int[:, ::1] face_start
    cdef int[:, ::1] face_size
    cdef int[:, ::1] face_side
    cdef public int vertex_count
    cdef public int face_count
    cdef int loop_count
    cdef int new_vertices
    cdef int new_faces
    cdef int cuts
    cdef int edges
    cdef int now
    cdef int flat
    cdef double extent
    cdef double clip

    cdef void start(self) noexcept nogil
    cdef void cut(self, double nx, double ny, double nz, double d, int side) noexcept nogil
    cdef double loop_area(self, int face) noexcept nogil

    cdef void reserve(self, int vertices, int loops, int faces) noexcept nogil
    cdef void clear(self) noexcept nogil
    cdef int classify(self, double nx, double ny, double nz, double d, double eps) noexcept nogil
    cdef int clip_faces(self, double nx, double ny, double nz, double d) noexcept nogil
    cdef int clip_face(self, int face, int write, double nx, double ny, double nz, double d) noexcept nogil
    cdef void open_edge(self, int a, int b) noexcept nogil
    cdef int keep(self, int vertex) noexcept nogil
    cdef int crossing(self, int a, int b, double nx, double ny, double nz, double d) noexcept nogil
    cdef void place(self, int row, int a, int b, double nx, double ny, double nz, double d) noexcept nogil
    cdef int cap_loop(self, int write) noexcept nogil
    cdef int chain_edges(self, int write) noexcept nogil
    cdef void cancel_edges(self) noexcept nogil
    cdef void flatten(self, int side) noexcept nogil
    cdef void cut_flat(self, double nx, double ny, double nz, double d) noexcept nogil
