# mypy: ignore-errors
"""Lines of sight: segments among the convex bodies that block sight, and the share of lines between areas that is free.

Bodies are not grown: sight passes where no player fits. A tree of boxes around the bodies is walked without a stack:
nodes are stored in depth-first order, and each knows the node that follows when its box is missed.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs


@cython.final
@cython.cclass
class Bodies:
    """The bodies that block sight, as one thread sees them, with the line that is tested."""

    node_box: cython.double[:, ::1]
    node_skip: cython.int[::1]
    node_first: cython.int[::1]
    node_count: cython.int[::1]
    start: cython.longlong[::1]
    plane: cython.double[:, ::1]
    ax: cython.double
    ay: cython.double
    az: cython.double
    bx: cython.double
    by: cython.double
    bz: cython.double

    def __init__(self, blockers):
        self.node_box = blockers.node_box
        self.node_skip = blockers.node_skip
        self.node_first = blockers.node_first
        self.node_count = blockers.node_count
        self.start = blockers.start
        self.plane = blockers.plane

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def aim(self, a: cython.pointer(cython.double), b: cython.pointer(cython.double)) -> cython.void:
        """Take the line between two points."""
        self.ax = a[0]
        self.ay = a[1]
        self.az = a[2]
        self.bx = b[0]
        self.by = b[1]
        self.bz = b[2]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def stops(self, body: cython.int) -> cython.bint:
        """Whether a body touches the line."""
        k: cython.longlong
        da: cython.double
        db: cython.double
        t: cython.double
        enter: cython.double = 0.0
        leave: cython.double = 1.0
        for k in range(self.start[body], self.start[body + 1]):
            da = self.plane[k, 0] * self.ax + self.plane[k, 1] * self.ay + self.plane[k, 2] * self.az - self.plane[k, 3]
            db = self.plane[k, 0] * self.bx + self.plane[k, 1] * self.by + self.plane[k, 2] * self.bz - self.plane[k, 3]
            if da > 0.0:
                if db > 0.0:
                    return False
                t = da / (da - db)
                if t > enter:
                    enter = t
            elif db > 0.0:
                t = da / (da - db)
                if t < leave:
                    leave = t
            if enter > leave:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def blocker(self) -> cython.int:
        """A body that touches the line; −1 if the line is free."""
        node: cython.int = 0
        nodes: cython.int = cython.cast(cython.int, self.node_skip.shape[0])
        body: cython.int
        # Half lengths and the middle of the line. The box of a node and the line miss each other if they are apart
        # along an axis, or along the cross product of the line with an axis.
        hx: cython.double = 0.5 * (self.bx - self.ax)
        hy: cython.double = 0.5 * (self.by - self.ay)
        hz: cython.double = 0.5 * (self.bz - self.az)
        mx: cython.double = self.ax + hx
        my: cython.double = self.ay + hy
        mz: cython.double = self.az + hz
        wx: cython.double = fabs(hx)
        wy: cython.double = fabs(hy)
        wz: cython.double = fabs(hz)
        x: cython.double
        y: cython.double
        z: cython.double
        ex: cython.double
        ey: cython.double
        ez: cython.double
        while node < nodes:
            ex = self.node_box[node, 3]
            ey = self.node_box[node, 4]
            ez = self.node_box[node, 5]
            x = mx - self.node_box[node, 0]
            y = my - self.node_box[node, 1]
            z = mz - self.node_box[node, 2]
            if (
                fabs(x) > ex + wx
                or fabs(y) > ey + wy
                or fabs(z) > ez + wz
                or fabs(y * hz - z * hy) > ey * wz + ez * wy
                or fabs(z * hx - x * hz) > ez * wx + ex * wz
                or fabs(x * hy - y * hx) > ex * wy + ey * wx
            ):
                node = self.node_skip[node]
                continue
            for body in range(self.node_first[node], self.node_first[node] + self.node_count[node]):
                if self.stops(body):
                    return body
            node += 1
        return -1


def free_rows(
    bodies: Bodies,
    starts: cython.double[:, ::1],
    ends: cython.double[:, ::1],
    first: cython.longlong,
    last: cython.longlong,
    free: cython.uchar[::1],
):
    """Set ``free`` to 1 for each line of a range of rows that no body touches, otherwise to 0."""
    row: cython.longlong
    with cython.nogil:
        for row in range(first, last):
            bodies.aim(cython.address(starts[row, 0]), cython.address(ends[row, 0]))
            free[row] = bodies.blocker() < 0


def seen_rows(
    bodies: Bodies,
    eye: cython.double[:, :, ::1],
    partner: cython.int[:, ::1],
    first: cython.longlong,
    last: cython.longlong,
    seen: cython.int[:, ::1],
    lines: cython.int[:, ::1],
):
    """Count the free lines between the eyes of each place of a range and those of the places after it, and itself.

    ``eye (n, k, 3)`` are the eyes of n places. ``partner (r, k)`` are the rounds: in round r, eye i looks at eye
    ``partner[r, i]``. If all lines of the first round agree, there are no further rounds. ``seen`` and ``lines``, a row
    for each place of the range, become the numbers of free lines and of lines.
    """
    n: cython.longlong = eye.shape[0]
    k: cython.int = cython.cast(cython.int, eye.shape[1])
    rounds: cython.int = cython.cast(cython.int, partner.shape[0])
    a: cython.longlong
    b: cython.longlong
    i: cython.int
    r: cython.int
    hit: cython.int
    free: cython.int
    held: cython.int[::1] = np.full(k, -1, np.int32)
    with cython.nogil:
        for a in range(first, last):
            for b in range(a, n):
                free = 0
                for r in range(rounds):
                    for i in range(k):
                        bodies.aim(cython.address(eye[a, i, 0]), cython.address(eye[b, partner[r, i], 0]))
                        # What hid the place before this one, mostly its neighbour, often hides this one too.
                        if held[i] >= 0 and bodies.stops(held[i]):
                            continue
                        hit = bodies.blocker()
                        if hit >= 0:
                            held[i] = hit
                        else:
                            free += 1
                    lines[a - first, b] = (r + 1) * k
                    if r == 0 and (free == 0 or free == k):
                        break
                seen[a - first, b] = free
