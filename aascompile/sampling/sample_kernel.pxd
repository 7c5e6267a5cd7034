# Declarations of the area tree and its sampler, so that movement and links can use them without the Python interpreter.
# Meanings are documented in sample_kernel.py.

cimport cython

cdef unsigned int ANY_PRESENCE
cdef unsigned int LIQUID
cdef double NEARLY_ONE

@cython.final
cdef class AreaTree:
    cdef public double[:, ::1] node
    cdef public int[::1] node_plane
    cdef public int[:, ::1] node_child
    cdef public unsigned int[::1] presence
    cdef public unsigned int[::1] contents
    cdef public double[:, ::1] bounds
    cdef public int depth
    cdef public int root
    cdef public list idle


@cython.final
cdef class Sampler:
    cdef double[:, ::1] node
    cdef int[::1] node_plane
    cdef int[:, ::1] node_child
    cdef public unsigned int[::1] presence
    cdef public unsigned int[::1] contents
    cdef public double[:, ::1] bounds
    cdef int root
    cdef int near_root
    cdef bint has_near
    cdef double[:, ::1] near_plane
    cdef int[:, ::1] near_child
    cdef int[::1] near_node
    cdef int near_count
    cdef bint remembers
    cdef double* planes  # rows of node, and of the other three tables, one after the other
    cdef int* children
    cdef double* near_planes
    cdef int* near_children
    cdef int[::1] cell_root
    cdef int[:, ::1] cell_key
    cdef int[::1] rough_node
    cdef int[::1] rough_place
    cdef int[:, ::1] rough_child
    cdef double near_x
    cdef double near_y
    cdef double near_z
    cdef double stop_before
    cdef double[:, ::1] nudge
    cdef int[::1] stack_node
    cdef int[::1] stack_entry
    cdef double[::1] stack_first
    cdef double[::1] stack_last
    cdef int[::1] stamp
    cdef int round

    cdef public double fraction
    cdef public double distance
    cdef public double x
    cdef public double y
    cdef public double z
    cdef public double normal_x
    cdef public double normal_y
    cdef public double normal_z
    cdef public int plane
    cdef public int start_solid
    cdef public int start_area
    cdef public int end_area
    cdef public int blocker
    cdef public int passed_count
    cdef public int[::1] passed_area
    cdef public double[::1] passed_at
    cdef public int found_count
    cdef public int[::1] found

    cdef int crossing(self, int node, double x, double y, double z, double reach) noexcept nogil
    cdef bint holds(self, double x, double y, double z) noexcept nogil
    cdef bint is_near(self, double x0, double y0, double z0, double x1, double y1, double z1) noexcept nogil
    cdef bint turn_to(self, int i, int j, int k) noexcept nogil
    cdef int copy_near(self, double x, double y, double z, double reach) noexcept nogil
    cdef int pack_near(self, int root) noexcept nogil
    cdef int area_at(self, double x, double y, double z) noexcept nogil
    cdef bint is_free(self, double x, double y, double z, unsigned int presence) noexcept nogil
    cdef bint free_near(self, double x, double y, double z, unsigned int presence) noexcept nogil
    cdef bint trace(self, double x0, double y0, double z0, double x1, double y1, double z1, unsigned int presence) noexcept nogil
    cdef bint block(self, int leaf, int entry, double first, double x0, double y0, double z0, double x1, double y1, double z1, unsigned int presence) noexcept nogil
    cdef void arrive(self, double x, double y, double z, double fraction) noexcept nogil
    cdef void pass_area(self, int area, double at) noexcept nogil
    cdef double liquid_above(self, double x, double y, double z, double most) noexcept nogil
    cdef int areas_in_box(self, double x0, double y0, double z0, double x1, double y1, double z1) noexcept nogil
    cdef bint overlaps(self, int area, double x0, double y0, double z0, double x1, double y1, double z1) noexcept nogil
