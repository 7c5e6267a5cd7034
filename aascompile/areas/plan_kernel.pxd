# Declarations of the floor plan, so that the kernels that cut and merge floors can work on it. Documented in
# plan_kernel.py.

cimport cython

from aascompile.areas.mesh_kernel cimport AreaMesh
from aascompile.geometry.outline_kernel cimport Outline


@cython.final
cdef class FloorPlan:
    cdef double shortest
    cdef double flat
    cdef double dent
    cdef double broad
    cdef double clip
    cdef public AreaMesh mesh
    cdef public int[::1] into

    cdef public int[::1] poly_area
    cdef public int[::1] poly_start
    cdef public int[::1] poly_size
    cdef public int[::1] poly_plane
    cdef public int[::1] poly_planes
    cdef public int[::1] poly_head
    cdef public double[::1] poly_wide
    cdef public double[::1] poly_over
    cdef public int poly_count

    cdef public double[:, ::1] xy
    cdef public int xy_count
    cdef public double[:, ::1] height
    cdef public int height_count

    cdef public double[:, ::1] seg_xy
    cdef public int[:, ::1] seg_poly
    cdef public int[:, ::1] seg_next
    cdef public char[::1] seg_kind
    cdef public int seg_count

    cdef public int[::1] trail
    cdef public int trails
    cdef public int at_poly
    cdef public long long passed  # polygons that all walks came to

    cdef int add_poly(self, int area, int start, int size, int plane, int planes, double wide) noexcept nogil
    cdef void add_point(self, double x, double y) noexcept nogil
    cdef int add_seg(self, int kind, int i, int j, double ax, double ay, double bx, double by) noexcept nogil
    cdef void hang(self, int poly, int seg, int side) noexcept nogil
    cdef double z_at(self, int poly, double x, double y) noexcept nogil
    cdef double size_of(self, int poly) noexcept nogil
    cdef int area_at(self, double x, double y, double z) noexcept nogil
    cdef double leaves(self, int poly, double x, double y, double dx, double dy) noexcept nogil
    cdef double walk(self, int poly, double x, double y, double dx, double dy, double far) noexcept nogil
    cdef double beside(self, int seg, double x, double y) noexcept nogil
    cdef void outline(self, int seg, Outline outline) noexcept nogil
    cdef double depth(self, int seg, Outline outline) noexcept nogil
    cdef void add_floor(self, int area, Outline outline) noexcept nogil
    cdef void add_height(self, double at, double x, double y) noexcept nogil
    cdef bint is_dented(self, int area, Outline outline) noexcept nogil
    cdef bint is_covered(self, int area, double x, double y) noexcept nogil
    cdef bint is_over(self, int poly, double x, double y) noexcept nogil
