# Declarations of the area mesh, so that the area stages' kernels can work on it. Documented in mesh_kernel.py.

cimport cython

from aascompile.areas.rim_kernel cimport Rim
from aascompile.geometry.notch_kernel cimport Notches
from aascompile.geometry.polygon_kernel cimport Polys


@cython.final
cdef class AreaMesh:
    cdef public Polys polys
    cdef public double[:, ::1] normal
    cdef public double[::1] dist
    cdef public int plane_count

    cdef public int[::1] face_poly
    cdef public int[::1] face_plane
    cdef public int[:, ::1] face_area
    cdef public int[:, ::1] face_next
    cdef public int[::1] face_flags
    cdef public char[::1] face_thin
    cdef public int face_count

    cdef public int[::1] area_head
    cdef public long long[::1] area_key
    cdef public char[::1] area_liquid
    cdef public int[::1] area_slot
    cdef public int area_count

    cdef public int[:, ::1] node
    cdef public int[:, ::1] slot_next
    cdef public int node_count

    cdef int[::1] list
    cdef public double on_plane
    cdef public double beside
    cdef public double clip
    cdef public double extent
    cdef public double floor_up
    cdef public double gap_up
    cdef public double step
    cdef public double ladder_foot
    cdef double hole
    cdef double seam
    cdef Rim rim
    cdef Notches notches

    cdef int add_plane(self, double nx, double ny, double nz, double d) noexcept nogil
    cdef int add_face(self, int poly, int plane, int front, int back, int flags) noexcept nogil
    cdef bint is_narrow(self, int poly, double nx, double ny, double nz, double limit) noexcept nogil
    cdef void shape(self, int face, int poly) noexcept nogil
    cdef int add_area(self, long long key, char liquid) noexcept nogil
    cdef int add_node(self, int plane, int front, int back) noexcept nogil
    cdef void link(self, int area, int face, int side) noexcept nogil
    cdef int gather(self, int area) noexcept nogil
    cdef double up(self, int face, int side) noexcept nogil
    cdef bint is_thin(self, int face) noexcept nogil
    cdef bint is_ground(self, int face, int side) noexcept nogil
    cdef bint is_gap(self, int face, int side) noexcept nogil
    cdef bint hangs(self, int a, int b) noexcept nogil
    cdef bint encloses(self, int area, int side) noexcept nogil
    cdef int section(self, int area, double nx, double ny, double nz, double d) noexcept nogil
    cdef double opening(self, int area, int caps, int count) noexcept nogil
    cdef int find_rim(self, int area, double nx, double ny, double nz, double d) noexcept nogil
    cdef bint is_on(self, int vertex, double nx, double ny, double nz, double d) noexcept nogil
    cdef int loop(self, int number) noexcept nogil
    cdef void add_cap(self, int area, int new, int cap, int plane) noexcept nogil
    cdef int split_area(self, int area, int plane) noexcept nogil
    cdef void take(self, int area, int other) noexcept nogil
