# mypy: ignore-errors
"""Fans: many lines from one point through the tree of areas, and how far each of them is free.

The lines of a fan pass every plane of the tree from the same side. So a fan goes down the tree once, near side first,
with all lines that are still on their way, and the distance of the point from a plane is computed once for all of
them. Decisions and arithmetic are those of ``Sampler.trace``, so the fractions are the same to the last bit.

node    (nodes, 4) planes. ``sampling.fan`` leaves out nodes below which all leaves are free, or all are not.
child   (nodes, 2) front and back; ``FREE`` and ``BLOCKED`` are leaves.
axis    (nodes,) 0, 1 or 2 if the plane is perpendicular to that axis; 3 if it is slanted.
"""

import cython
import numpy as np

BLOCKED = cython.declare(cython.int, -1)
FREE = cython.declare(cython.int, -2)
NEARLY_ONE = cython.declare(cython.double, float(np.nextafter(1.0, 0.0)))


@cython.final
@cython.cclass
class Fan:
    """The lines of one thread, with the results of the last fan.

    offset     (3, lines) ends of the lines, relative to the point.
    end        (3, lines) ends of the lines.
    fraction   (lines,) free fraction of each.
    hit        (lines,) node of the plane that was hit; −1 if none was hit, or the point is not free.
    line, entry, first, last   lists of lines on their way: number, node by which the space was entered, and the part of
                               the line that is in it. Rows from ``room`` on are unused.
    """

    node: cython.double[:, ::1]
    child: cython.int[:, ::1]
    axis: cython.int[::1]
    root: cython.int
    stop_before: cython.double
    offset: cython.double[:, ::1]
    end: cython.double[:, ::1]
    fraction: cython.double[::1]
    hit: cython.int[::1]
    done: cython.uchar[::1]
    line: cython.int[::1]
    entry: cython.int[::1]
    first: cython.double[::1]
    last: cython.double[::1]
    room: cython.int
    stack_node: cython.int[::1]
    stack_from: cython.int[::1]
    stack_to: cython.int[::1]

    def __init__(self, tree, offsets, stop_before: cython.double):
        self.node = tree.node
        self.child = tree.child
        self.axis = tree.axis
        self.root = tree.root
        self.stop_before = stop_before
        self.offset = np.array(np.asarray(offsets).T, np.float64, order="C")
        lines = len(offsets)
        room = (tree.depth + 2) * max(lines, 1)
        self.end = np.empty((3, lines))
        self.fraction = np.empty(lines)
        self.hit = np.empty(lines, np.intc)
        self.done = np.empty(lines, np.uint8)
        self.line, self.entry = np.empty(room, np.intc), np.empty(room, np.intc)
        self.first, self.last = np.empty(room), np.empty(room)
        self.stack_node, self.stack_from, self.stack_to = (np.empty(tree.depth + 2, np.intc) for _ in range(3))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_free(self, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Whether a point is free."""
        node: cython.int = self.root
        while node >= 0:
            if (self.node[node, 0] * x + self.node[node, 1] * y + self.node[node, 2] * z - self.node[node, 3]) >= 0.0:
                node = self.child[node, 0]
            else:
                node = self.child[node, 1]
        return node == FREE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def block(self, i: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Stop the line of row i of the lists, ``stop_before`` in front of the plane by which it entered."""
        r: cython.int = self.line[i]
        plane: cython.int = self.entry[i]
        near: cython.double
        far: cython.double
        t: cython.double
        self.done[r] = 1
        self.hit[r] = plane
        self.fraction[r] = 0.0
        if plane < 0:
            return
        near = self.node[plane, 0] * x + self.node[plane, 1] * y + self.node[plane, 2] * z - self.node[plane, 3]
        far = (
            self.node[plane, 0] * self.end[0, r]
            + self.node[plane, 1] * self.end[1, r]
            + self.node[plane, 2] * self.end[2, r]
            - self.node[plane, 3]
        )
        if near < 0.0:
            near = -near
            far = -far
        t = (near - self.stop_before) / (near - far)
        if t > self.first[i]:
            t = self.first[i]
        if t > 0.0 and self.is_free(
            x + t * (self.end[0, r] - x), y + t * (self.end[1, r] - y), z + t * (self.end[2, r] - z)
        ):
            self.fraction[r] = t

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def part(self, node: cython.int, begin: cython.int, end: cython.int, away: cython.double) -> cython.int:
        """Divide a list at a plane, ``away`` units from the point. The near part stays, the far part goes to ``room``.

        Return the end of the near part.
        """
        i: cython.int
        r: cython.int
        near: cython.int = begin
        far: cython.int = self.room
        side: cython.int = 0 if away >= 0.0 else 1
        axis: cython.int = self.axis[node]
        b: cython.double
        t: cython.double
        for i in range(begin, end):
            r = self.line[i]
            if self.done[r]:
                continue
            if axis < 3:
                b = self.node[node, axis] * self.end[axis, r] - self.node[node, 3]
            else:
                b = (
                    self.node[node, 0] * self.end[0, r]
                    + self.node[node, 1] * self.end[1, r]
                    + self.node[node, 2] * self.end[2, r]
                    - self.node[node, 3]
                )
            if (b < 0.0) != side:
                t = away / (away - b)
                if self.last[i] == 1.0 and t >= 1.0:
                    t = NEARLY_ONE  # rounding only: the end does lie behind this plane
                if t < self.last[i]:
                    self.line[far] = r
                    self.last[far] = self.last[i]
                    if t < self.first[i] or (t == self.first[i] and t > 0.0):
                        self.entry[far] = self.entry[i]
                        self.first[far] = self.first[i]
                        far += 1
                        continue
                    self.entry[far] = node
                    self.first[far] = t
                    far += 1
                    self.last[i] = t
            self.line[near] = r
            self.entry[near] = self.entry[i]
            self.first[near] = self.first[i]
            self.last[near] = self.last[i]
            near += 1
        self.room = far
        return near

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cast(self, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Follow all lines from a point."""
        lines: cython.int = cython.cast(cython.int, self.fraction.shape[0])
        top: cython.int = 0
        node: cython.int = self.root
        begin: cython.int = 0
        end: cython.int = lines
        far: cython.int
        side: cython.int
        i: cython.int
        away: cython.double
        self.room = lines
        for i in range(lines):
            self.end[0, i] = x + self.offset[0, i]
            self.end[1, i] = y + self.offset[1, i]
            self.end[2, i] = z + self.offset[2, i]
            self.fraction[i] = 1.0
            self.hit[i] = -1
            self.done[i] = 0
            self.line[i] = i
            self.entry[i] = -1
            self.first[i] = 0.0
            self.last[i] = 1.0
        while True:
            while node >= 0 and begin < end:
                away = self.node[node, 0] * x + self.node[node, 1] * y + self.node[node, 2] * z - self.node[node, 3]
                far = self.room
                end = self.part(node, begin, end, away)
                side = 0 if away >= 0.0 else 1
                if self.room > far:
                    self.stack_node[top] = self.child[node, 1 - side]
                    self.stack_from[top] = far
                    self.stack_to[top] = self.room
                    top += 1
                node = self.child[node, side]
            if node == BLOCKED:
                for i in range(begin, end):
                    if not self.done[self.line[i]]:
                        self.block(i, x, y, z)
            if top == 0:
                return
            top -= 1
            node = self.stack_node[top]
            begin = self.stack_from[top]
            end = self.stack_to[top]
            self.room = end


def fan_rows(
    fan: Fan,
    area: cython.int[::1],
    at: cython.double[:, ::1],
    fraction: cython.float[:, ::1],
    up: cython.double[::1],
):
    """Fill ``fraction`` with the free fractions of all lines but the last of each fan, from points in areas.

    ``up`` becomes the upward part of the normal that the last line hits, 0 if it is free. Points outside areas are left
    alone.
    """
    i: cython.Py_ssize_t
    r: cython.int
    last: cython.int = cython.cast(cython.int, fan.fraction.shape[0]) - 1
    hit: cython.int
    x: cython.double
    y: cython.double
    z: cython.double
    with cython.nogil:
        for i in range(at.shape[0]):
            if area[i] < 0:
                continue
            x = at[i, 0]
            y = at[i, 1]
            z = at[i, 2]
            fan.cast(x, y, z)
            for r in range(last):
                fraction[i, r] = cython.cast(cython.float, fan.fraction[r])
            hit = fan.hit[last]
            if hit >= 0:
                up[i] = fan.node[hit, 2]
                if (fan.node[hit, 0] * x + fan.node[hit, 1] * y + fan.node[hit, 2] * z - fan.node[hit, 3]) < 0.0:
                    up[i] = -up[i]


def fan_traces(fan: Fan, at: cython.double[:, ::1], fraction: cython.double[:, ::1], hit: cython.int[:, ::1]):
    """Fill the free fraction of each line from each of the points, and the node of the plane that it hits; −1: none."""
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    with cython.nogil:
        for i in range(at.shape[0]):
            fan.cast(at[i, 0], at[i, 1], at[i, 2])
            for r in range(fan.fraction.shape[0]):
                fraction[i, r] = fan.fraction[r]
                hit[i, r] = fan.hit[r]
