# mypy: ignore-errors
"""Queries to the compiled tree (thesis §6.3): the area at a point, a trace of a player's origin, the areas in a box.

Brushes are expanded by the player's box, so a moving box is a moving point here. A point is *free* for a player if it
lies in an area whose presence includes one of the requested boxes. Solid leaves and other areas block.

All threads share one ``AreaTree``. Each thread has its own ``Sampler``, which holds the stacks and the result of the
last trace.

Most traces of a movement are short and close together. A sampler that remembers (``remember``) copies the part of the
tree in a box around each cell of a grid where it is asked something: planes that do not cross the box, and planes between
leaves of one area, are left out. Traces inside the box take the copy, with the same results.

Exactness: a point is in front of a plane if ``n·p − d ≥ 0``, computed in the same order in every method. So a trace
starts in exactly the leaf of its start point and ends in exactly the leaf of its end point. An end that was pulled back
from a plane is looked up; if rounding left it in solid, the trace ends at its start. So movement that begins in free
space and goes only to the ends of traces never gets into solid.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, floor

from aascompile.columns import grown

ANY_PRESENCE = 0xFFFFFFFF  # matches every box
LIQUID = 0x7  # water, lava and slime among an area's contents
NEARLY_ONE = float(np.nextafter(1.0, 0.0))
CELL = cython.declare(cython.double, 64.0)  # units: side of a cell of the grid of copies
MARGIN = cython.declare(cython.double, 48.0)  # units around a cell that its copy covers
REACH = cython.declare(cython.double, 80.0)  # units from the middle of a cell to the end of its copy: both together
FARTHEST = cython.declare(cython.double, 1e6)  # units from the origin: nothing is copied beyond
CELLS = cython.declare(cython.int, 1 << 15)  # copies that are kept; of cells that would share a place, the last one
ROWS = cython.declare(cython.int, 1 << 18)  # nodes of all copies; once they are used up, all copies are made anew
MOST_NEAR = cython.declare(cython.int, 1024)  # nodes in a copy; where there are more, the tree itself is used
NO_CELL = cython.declare(cython.int, 0x7FFFFFFF)
NO_COPY = cython.declare(cython.int, -0x7FFFFFFF)
GRID = cython.declare(cython.int, 40)  # cells along the longest side of the grid in which rows are put in order


def nudges(step):
    """(n, 3) offsets to try for a point that is not free: zero, then around it, up first, near before far.

    The farthest is one unit, the distance by which the game moves a player who is stuck in a wall.
    """
    ring = [(x, y, z) for z in (1, 0, -1) for x in (0, 1, -1) for y in (0, 1, -1)]
    return np.vstack([np.zeros((1, 3))] + [np.array(ring, float) * size for size in (step, 1.0)])


class AreaTree:
    """Tables of the tree: planes and children of the nodes; presence, contents and bounds of the areas. ``idle``:
    samplers that nobody uses now."""

    def __init__(self, normal, dist, node_plane, node_child, presence, contents, mins, maxs):
        rows = np.ascontiguousarray(node_plane, np.intc)
        child = np.ascontiguousarray(node_child, np.intc).reshape(-1, 2)
        self.node = np.ascontiguousarray(np.column_stack((np.asarray(normal)[rows], np.asarray(dist)[rows])), float)
        self.node_plane = rows
        self.node_child = child
        self.presence = np.array(presence, np.uintc)
        self.contents = np.array(contents, np.uintc)
        self.bounds = np.hstack((np.reshape(mins, (-1, 3)), np.reshape(maxs, (-1, 3)))).astype(float)
        self.root = 0 if len(rows) else -1
        self.depth = depth_of(child)
        self.idle = []


def depth_of(child: cython.int[:, ::1]):
    """Nodes on the longest path from the root. ValueError if the tree has a loop, as damaged files may."""
    n: cython.int = child.shape[0]
    seen: cython.int[::1] = np.zeros(n, np.intc)
    level: cython.int[::1] = np.zeros(n + 1, np.intc)
    below: cython.int[::1] = np.zeros(n + 1, np.intc)
    count: cython.int = min(n, 1)
    found: cython.int
    depth: cython.int = 0
    i: cython.int
    k: cython.int
    node: cython.int
    while count > 0:
        depth += 1
        if depth > n:
            raise ValueError("the tree of areas has a loop")
        found = 0
        for i in range(count):
            for k in range(2):
                node = child[level[i], k]
                if node >= 0 and seen[node] != depth:
                    seen[node] = depth
                    below[found] = node
                    found += 1
        level, below = below, level
        count = found
    return depth


class Sampler:
    """Queries of one thread to a tree, and the result of the last trace.

    ``fraction``       fraction of the trace that is free, 0 to 1. ``x``, ``y``, ``z`` is the end of this part.
    ``plane``          id of the plane that was hit, facing the start; −1 if none. ``normal_x``… is its normal.
    ``distance``       distance of the start from that plane, in units.
    ``start_solid``    whether the start is blocked. Then the other results are undefined.
    ``start_area``     area at the start.
    ``end_area``       area at the end of the free part.
    ``blocker``        area without room for the box that stopped the trace; −1 for solid.
    ``passed_area``    areas of the free part in order, ``passed_count`` of them. ``passed_at`` is the fraction at which
                       each begins. An area that is entered twice is listed twice.
    ``found``          areas found by ``areas_in_box``, ``found_count`` of them.
    """

    def __init__(self, tree, stop_before: cython.double):
        self.node = tree.node
        self.node_plane = tree.node_plane
        self.node_child = tree.node_child
        self.presence = tree.presence
        self.contents = tree.contents
        self.bounds = tree.bounds
        self.root = tree.root
        if not cython.compiled:
            self.planes, self.children = np.reshape(tree.node, -1), np.reshape(tree.node_child, -1)
        elif self.node.shape[0] > 0:
            self.planes, self.children = cython.address(self.node[0, 0]), cython.address(self.node_child[0, 0])
        self.remembers = False
        self.has_near = False
        self.near_root = -1
        self.near_x = self.near_y = self.near_z = 0.0
        self.stop_before = stop_before
        self.nudge = nudges(2.0 * stop_before)
        rows = tree.depth + 2
        self.stack_node = np.zeros(rows, np.intc)
        self.stack_entry = np.zeros(rows, np.intc)
        self.stack_first = np.zeros(rows)
        self.stack_last = np.zeros(rows)
        areas = max(len(np.asarray(tree.presence)), 1)
        self.stamp = np.zeros(areas, np.intc)
        self.found = np.zeros(areas, np.intc)
        self.round = 0
        self.found_count = 0
        self.passed_area = np.zeros(64, np.intc)
        self.passed_at = np.zeros(64)
        self.passed_count = 0
        self.fraction = 0.0
        self.distance = 0.0
        self.x = self.y = self.z = 0.0
        self.normal_x = self.normal_y = self.normal_z = 0.0
        self.plane = -1
        self.start_solid = 0
        self.start_area = self.end_area = self.blocker = -1

    def remember(self):
        """Keep copies of the tree around the places of later queries: for many that are close together."""
        if self.remembers:
            return
        self.near_plane = np.empty((ROWS, 4))
        self.near_child = np.empty((ROWS, 2), np.intc)
        self.near_node = np.empty(ROWS, np.intc)
        self.near_count = 0
        if cython.compiled:
            self.near_planes, self.near_children = (
                cython.address(self.near_plane[0, 0]),
                cython.address(self.near_child[0, 0]),
            )
        else:
            self.near_planes, self.near_children = self.near_plane.reshape(-1), self.near_child.reshape(-1)
        self.cell_root = np.empty(CELLS, np.intc)
        self.cell_key = np.full((CELLS, 3), NO_CELL, np.intc)
        self.rough_node = np.empty(MOST_NEAR, np.intc)
        self.rough_place = np.empty(MOST_NEAR, np.intc)
        self.rough_child = np.empty((MOST_NEAR, 2), np.intc)
        self.remembers = True

    def area_at(self, x, y, z):
        """Area of a point; −1 in solid."""
        near: cython.bint = self.remembers and (self.holds(x, y, z) or self.is_near(x, y, z, x, y, z))
        node: cython.int = self.near_root if near else self.root
        plane: cython.pointer(cython.double) = self.near_planes if near else self.planes
        child: cython.pointer(cython.int) = self.near_children if near else self.children
        row: cython.Py_ssize_t
        while node >= 0:
            row = 4 * cython.cast(cython.Py_ssize_t, node)
            if plane[row] * x + plane[row + 1] * y + plane[row + 2] * z - plane[row + 3] >= 0.0:
                node = child[row >> 1]
            else:
                node = child[(row >> 1) + 1]
        return -2 - node if node < -1 else -1

    def is_free(self, x, y, z, presence):
        """Whether any of these boxes fits at a point."""
        area: cython.int = self.area_at(x, y, z)
        return area >= 0 and (self.presence[area] & presence) != 0

    def free_near(self, x, y, z, presence):
        """Set ``x``, ``y``, ``z`` to the point or to the first free point near it, and ``end_area`` to its area. Return
        whether there is one.

        Points computed from faces lie exactly on planes, where rounding decides the side.
        """
        i: cython.int
        for i in range(self.nudge.shape[0]):
            self.x = x + self.nudge[i, 0]
            self.y = y + self.nudge[i, 1]
            self.z = z + self.nudge[i, 2]
            self.end_area = self.area_at(self.x, self.y, self.z)
            if self.end_area >= 0 and (self.presence[self.end_area] & presence) != 0:
                return True
        return False

    def holds(self, x, y, z):
        """Whether a point is in the box of the copy that is in use."""
        return (
            self.has_near
            and fabs(x - self.near_x) <= REACH
            and fabs(y - self.near_y) <= REACH
            and fabs(z - self.near_z) <= REACH
        )

    def is_near(self, x0, y0, z0, x1, y1, z1):
        """Whether there is another copy of the tree, around a line; then ``near_root`` is its root."""
        if not (fabs(x1 - x0) < MARGIN and fabs(y1 - y0) < MARGIN and fabs(z1 - z0) < MARGIN):
            return False
        if not (fabs(x0) < FARTHEST and fabs(y0) < FARTHEST and fabs(z0) < FARTHEST):
            return False
        return self.turn_to(
            cython.cast(cython.int, floor(x0 / CELL)),
            cython.cast(cython.int, floor(y0 / CELL)),
            cython.cast(cython.int, floor(z0 / CELL)),
        )

    def turn_to(self, i, j, k):
        """Use the copy around a cell from now on, and make it first if there is none. Return whether there is one."""
        cell: cython.int = (i * 4099 + j * 67 + k) & (CELLS - 1)  # primes, so that few cells share a place
        x: cython.double = (i + 0.5) * CELL
        y: cython.double = (j + 0.5) * CELL
        z: cython.double = (k + 0.5) * CELL
        if self.cell_key[cell, 0] != i or self.cell_key[cell, 1] != j or self.cell_key[cell, 2] != k:
            if self.near_count + MOST_NEAR > ROWS:
                self.near_count = 0
                self.cell_key[:, 0] = NO_CELL
            self.cell_key[cell, 0] = i
            self.cell_key[cell, 1] = j
            self.cell_key[cell, 2] = k
            self.cell_root[cell] = self.copy_near(x, y, z, REACH)
        self.near_root = self.cell_root[cell]
        self.has_near = self.near_root != NO_COPY
        self.near_x = x
        self.near_y = y
        self.near_z = z
        return self.has_near

    def crossing(self, node, x, y, z, reach):
        """The deepest node below another that contains a box, or the leaf that does."""
        away: cython.double
        wide: cython.double
        while node >= 0:
            away = self.node[node, 0] * x + self.node[node, 1] * y + self.node[node, 2] * z - self.node[node, 3]
            # Half the width of the box along the normal, plus more than rounding could add.
            wide = self.stop_before + reach * (
                fabs(self.node[node, 0]) + fabs(self.node[node, 1]) + fabs(self.node[node, 2])
            )
            if away > wide:
                node = self.node_child[node, 0]
            elif away < -wide:
                node = self.node_child[node, 1]
            else:
                break
        return node

    def copy_near(self, x, y, z, reach):
        """Copy the tree in a box. Return the root of the copy; NO_COPY if it would have too many nodes."""
        count: cython.int = 0
        waiting: cython.int = 1
        root: cython.int = NO_COPY
        node: cython.int
        place: cython.int  # child that leads here, 2 * row + side; −1 for the root
        n: cython.int
        k: cython.int
        self.stack_node[0] = self.root
        self.stack_entry[0] = -1
        while waiting > 0:
            waiting -= 1
            place = self.stack_entry[waiting]
            node = self.crossing(self.stack_node[waiting], x, y, z, reach)
            if node >= 0:
                if count == MOST_NEAR:
                    return NO_COPY
                self.rough_node[count] = node
                self.rough_place[count] = place
                for k in range(2):
                    self.stack_node[waiting + k] = self.node_child[node, k]
                    self.stack_entry[waiting + k] = 2 * count + k
                waiting += 2
                node = count
                count += 1
            if place < 0:
                root = node
            else:
                self.rough_child[place >> 1, place & 1] = node
        # A plane between leaves of one area, or of solid, tells nothing. Rows follow those that lead to them.
        for n in range(count - 1, -1, -1):
            if self.rough_child[n, 0] < 0 and self.rough_child[n, 0] == self.rough_child[n, 1]:
                place = self.rough_place[n]
                if place < 0:
                    root = self.rough_child[n, 0]
                else:
                    self.rough_child[place >> 1, place & 1] = self.rough_child[n, 0]
        return self.pack_near(root)

    def pack_near(self, root):
        """Copy the nodes below a root that are left, without gaps. Return the row of the root."""
        row: cython.int = self.near_count
        waiting: cython.int = 1
        first: cython.int = row
        n: cython.int
        place: cython.int
        k: cython.int
        if root < 0:
            return root
        self.stack_node[0] = root
        self.stack_entry[0] = -1
        while waiting > 0:
            waiting -= 1
            n = self.stack_node[waiting]
            place = self.stack_entry[waiting]
            if n >= 0:
                for k in range(4):
                    self.near_plane[row, k] = self.node[self.rough_node[n], k]
                self.near_node[row] = self.rough_node[n]
                for k in range(2):
                    self.stack_node[waiting + k] = self.rough_child[n, k]
                    self.stack_entry[waiting + k] = 2 * row + k
                waiting += 2
                n = row
                row += 1
            if place >= 0:
                self.near_child[place >> 1, place & 1] = n
        self.near_count = row
        return first

    def pass_area(self, area, at):
        """Record that the trace enters an area."""
        n: cython.int = self.passed_count
        if n > 0 and self.passed_area[n - 1] == area:
            return
        if n >= self.passed_area.shape[0]:
            with cython.gil:
                self._grow_passed()
        self.passed_area[n] = area
        self.passed_at[n] = at
        self.passed_count = n + 1

    def _grow_passed(self):
        self.passed_area, self.passed_at = grown(self.passed_count + 1, self.passed_area, self.passed_at)

    def arrive(self, x, y, z, fraction):
        """Set the end of the free part."""
        self.x = x
        self.y = y
        self.z = z
        self.fraction = fraction
        while self.passed_count > 1 and self.passed_at[self.passed_count - 1] > fraction:
            self.passed_count -= 1
        self.end_area = self.passed_area[self.passed_count - 1] if self.passed_count > 0 else -1

    def block(self, leaf, entry, first, x0, y0, z0, x1, y1, z1, presence):
        """Stop the trace at a leaf that is not free, ``stop_before`` in front of the plane through which it entered."""
        self.blocker = -2 - leaf if leaf < -1 else -1
        if entry < 0:
            self.start_solid = 1
            self.passed_count = 0
            self.arrive(x0, y0, z0, 0.0)
            return True
        nx: cython.double = self.node[entry, 0]
        ny: cython.double = self.node[entry, 1]
        nz: cython.double = self.node[entry, 2]
        d: cython.double = self.node[entry, 3]
        near: cython.double = nx * x0 + ny * y0 + nz * z0 - d
        far: cython.double = nx * x1 + ny * y1 + nz * z1 - d
        self.plane = self.node_plane[entry]
        if near < 0.0:
            nx = -nx
            ny = -ny
            nz = -nz
            near = -near
            far = -far
            self.plane ^= 1
        self.normal_x = nx
        self.normal_y = ny
        self.normal_z = nz
        self.distance = near
        t: cython.double = (near - self.stop_before) / (near - far)
        if t > first:
            t = first
        if t > 0.0:
            self.arrive(x0 + t * (x1 - x0), y0 + t * (y1 - y0), z0 + t * (z1 - z0), t)
            if self.is_free(self.x, self.y, self.z, presence):
                return True
        self.arrive(x0, y0, z0, 0.0)
        return True

    def trace(self, x0, y0, z0, x1, y1, z1, presence):
        """Move a point in a straight line until something blocks it. Return whether it was blocked."""
        near: cython.bint = self.remembers and (
            (self.holds(x0, y0, z0) and self.holds(x1, y1, z1)) or self.is_near(x0, y0, z0, x1, y1, z1)
        )
        node: cython.int = self.near_root if near else self.root
        top: cython.int = 0
        entry: cython.int = -1
        side: cython.int
        first: cython.double = 0.0
        last: cython.double = 1.0
        a: cython.double
        b: cython.double
        t: cython.double
        row: cython.Py_ssize_t
        self.passed_count = 0
        self.plane = -1
        self.blocker = -1
        self.start_solid = 0
        self.start_area = -1
        plane: cython.pointer(cython.double) = self.near_planes if near else self.planes
        child: cython.pointer(cython.int) = self.near_children if near else self.children
        while True:
            while node >= 0:
                row = 4 * cython.cast(cython.Py_ssize_t, node)
                a = plane[row] * x0 + plane[row + 1] * y0 + plane[row + 2] * z0 - plane[row + 3]
                b = plane[row] * x1 + plane[row + 1] * y1 + plane[row + 2] * z1 - plane[row + 3]
                row >>= 1
                # Branches, not arithmetic with the side: most traces take the way of the one before, as foreseen.
                if a >= 0.0:
                    if not b < 0.0:
                        node = child[row]
                        continue
                    side = 0
                else:
                    if b < 0.0:
                        node = child[row + 1]
                        continue
                    side = 1
                t = a / (a - b)
                if last == 1.0 and t >= 1.0:
                    t = NEARLY_ONE  # rounding only: the end does lie behind this plane
                if t >= last:
                    node = child[row + side]
                elif t < first or (t == first and first > 0.0):
                    node = child[row + 1 - side]
                else:
                    self.stack_node[top] = child[row + 1 - side]
                    self.stack_entry[top] = self.near_node[node] if near else node
                    self.stack_first[top] = t
                    self.stack_last[top] = last
                    top += 1
                    last = t
                    node = child[row + side]
            if node == -1 or (self.presence[-2 - node] & presence) == 0:
                return self.block(node, entry, first, x0, y0, z0, x1, y1, z1, presence)
            if top == 0 and self.passed_count == 0:  # most traces stay in one leaf
                self.passed_area[0] = self.start_area = self.end_area = -2 - node
                self.passed_at[0] = 0.0
                self.passed_count = 1
                self.x = x1
                self.y = y1
                self.z = z1
                self.fraction = 1.0
                return False
            self.pass_area(-2 - node, first)
            if first == 0.0 and self.start_area < 0:
                self.start_area = -2 - node
            if top == 0:
                self.arrive(x1, y1, z1, 1.0)
                return False
            top -= 1
            node = self.stack_node[top]
            entry = self.stack_entry[top]
            first = self.stack_first[top]
            last = self.stack_last[top]

    def liquid_above(self, x, y, z, most):
        """Height of liquid straight above a point, at most ``most`` units; 0 if there is no liquid at the point.

        A ceiling below the surface counts as ``most``: a player under it is completely submerged.
        """
        i: cython.int
        self.trace(x, y, z, x, y, z + most, ANY_PRESENCE)
        for i in range(self.passed_count):
            if (self.contents[self.passed_area[i]] & LIQUID) == 0:
                return self.passed_at[i] * most
        return 0.0 if self.start_solid else most

    def areas_in_box(self, x0, y0, z0, x1, y1, z1):
        """Fill ``found`` with the areas that a box of origins touches, each once, and return their number.

        Areas are excluded by their bounds and by the planes of their leaves. Beside slanted planes, an area that is only
        near the box can remain.
        """
        top: cython.int = 1
        node: cython.int
        count: cython.int = 0
        stamp: cython.int
        near: cython.double
        far: cython.double
        self.round += 1
        stamp = self.round
        self.stack_node[0] = self.root
        while top > 0:
            top -= 1
            node = self.stack_node[top]
            while node >= 0:
                near = -self.node[node, 3]
                far = near
                near += self.node[node, 0] * (x0 if self.node[node, 0] >= 0.0 else x1)
                near += self.node[node, 1] * (y0 if self.node[node, 1] >= 0.0 else y1)
                near += self.node[node, 2] * (z0 if self.node[node, 2] >= 0.0 else z1)
                far += self.node[node, 0] * (x1 if self.node[node, 0] >= 0.0 else x0)
                far += self.node[node, 1] * (y1 if self.node[node, 1] >= 0.0 else y0)
                far += self.node[node, 2] * (z1 if self.node[node, 2] >= 0.0 else z0)
                if near > 0.0:
                    node = self.node_child[node, 0]
                elif far < 0.0:
                    node = self.node_child[node, 1]
                else:
                    self.stack_node[top] = self.node_child[node, 1]
                    top += 1
                    node = self.node_child[node, 0]
            if node < -1 and self.stamp[-2 - node] != stamp:
                self.stamp[-2 - node] = stamp
                if self.overlaps(-2 - node, x0, y0, z0, x1, y1, z1):
                    self.found[count] = -2 - node
                    count += 1
        self.found_count = count
        return count

    def overlaps(self, area, x0, y0, z0, x1, y1, z1):
        """Whether an area's bounds touch a box."""
        return (
            self.bounds[area, 0] <= x1
            and self.bounds[area, 3] >= x0
            and self.bounds[area, 1] <= y1
            and self.bounds[area, 4] >= y0
            and self.bounds[area, 2] <= z1
            and self.bounds[area, 5] >= z0
        )


def rows_by_place(point: cython.double[:, ::1], first: cython.int, last: cython.int):
    """The rows first..last−1 of points, those near each other together, in a grid of their own.

    Traces in this order find most of the tree in the cache of the processor, where those before left it.
    """
    low: cython.double[::1] = np.min(point[first:last], axis=0)
    span: cython.double[::1] = np.max(point[first:last], axis=0) - low.base
    per: cython.double = GRID / max(np.max(span), 1.0)
    ny: cython.int = slot(span[1], per) + 1
    nz: cython.int = slot(span[2], per) + 1
    key: cython.int[::1] = np.empty(last - first, np.intc)
    begin: cython.int[::1] = np.zeros((slot(span[0], per) + 1) * ny * nz + 1, np.intc)
    row: cython.int[::1] = np.empty(last - first, np.intc)
    i: cython.int
    k: cython.int
    with cython.nogil:
        for i in range(first, last):
            k = slot(point[i, 0] - low[0], per)
            k = k * ny + slot(point[i, 1] - low[1], per)
            k = k * nz + slot(point[i, 2] - low[2], per)
            key[i - first] = k
            begin[k + 1] += 1
        for k in range(1, begin.shape[0]):
            begin[k] += begin[k - 1]
        for i in range(first, last):
            k = key[i - first]
            row[begin[k]] = i
            begin[k] += 1
    return row.base


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def slot(away: cython.double, per: cython.double) -> cython.int:
    """Cell of a distance from the first, at most GRID; 0 for what is no number."""
    cell: cython.double = away * per
    if cell >= GRID:
        return GRID
    return cython.cast(cython.int, cell) if cell > 0.0 else 0


def areas_of(
    sampler: Sampler, point: cython.double[:, ::1], first: cython.int, last: cython.int, area: cython.int[::1]
):
    """Fill ``area`` for the points first..last−1."""
    i: cython.int
    with cython.nogil:
        for i in range(first, last):
            area[i] = sampler.area_at(point[i, 0], point[i, 1], point[i, 2])


def cell_nodes(
    sampler: Sampler,
    low: cython.double[::1],
    size: cython.double,
    nx: cython.int,
    ny: cython.int,
    nz: cython.int,
    node: cython.int[::1],
):
    """Fill ``node`` with the deepest node that contains each cell of a grid; x varies slowest."""
    i: cython.int
    j: cython.int
    k: cython.int
    half: cython.double = 0.5 * size
    with cython.nogil:
        for i in range(nx):
            for j in range(ny):
                for k in range(nz):
                    node[(i * ny + j) * nz + k] = sampler.crossing(
                        sampler.root, low[0] + i * size + half, low[1] + j * size + half, low[2] + k * size + half, half
                    )


def areas_by_cell(
    sampler: Sampler,
    low: cython.double[::1],
    size: cython.double,
    nx: cython.int,
    ny: cython.int,
    nz: cython.int,
    cell: cython.int[::1],
    point: cython.double[:, ::1],
    first: cython.int,
    last: cython.int,
    area: cython.int[::1],
):
    """Fill ``area`` for the points first..last−1, each from the node of its cell."""
    n: cython.int
    node: cython.int
    x: cython.double
    y: cython.double
    z: cython.double
    per: cython.double = 1.0 / size
    fx: cython.double
    fy: cython.double
    fz: cython.double
    with cython.nogil:
        for n in range(first, last):
            x = point[n, 0]
            y = point[n, 1]
            z = point[n, 2]
            fx = (x - low[0]) * per
            fy = (y - low[1]) * per
            fz = (z - low[2]) * per
            node = sampler.root
            if 0.0 <= fx < nx and 0.0 <= fy < ny and 0.0 <= fz < nz:
                node = cell[
                    (cython.cast(cython.int, fx) * ny + cython.cast(cython.int, fy)) * nz + cython.cast(cython.int, fz)
                ]
            while node >= 0:
                if (
                    sampler.node[node, 0] * x
                    + sampler.node[node, 1] * y
                    + sampler.node[node, 2] * z
                    - sampler.node[node, 3]
                ) >= 0.0:
                    node = sampler.node_child[node, 0]
                else:
                    node = sampler.node_child[node, 1]
            area[n] = -2 - node if node < -1 else -1


def trace_rows(
    sampler: Sampler,
    start: cython.double[:, ::1],
    end: cython.double[:, ::1],
    presence: cython.uint[::1],
    row: cython.int[::1],
    fraction: cython.double[::1],
    reached: cython.double[:, ::1],
    normal: cython.double[:, ::1],
    number: cython.int[:, ::1],
):
    """Fill the results of the traces of some rows. ``number``: plane, start area, end area, blocker, start solid."""
    i: cython.int
    k: cython.Py_ssize_t
    with cython.nogil:
        for k in range(row.shape[0]):
            i = row[k]
            sampler.trace(start[i, 0], start[i, 1], start[i, 2], end[i, 0], end[i, 1], end[i, 2], presence[i])
            fraction[i] = sampler.fraction
            reached[i, 0] = sampler.x
            reached[i, 1] = sampler.y
            reached[i, 2] = sampler.z
            if sampler.plane >= 0:
                normal[i, 0] = sampler.normal_x
                normal[i, 1] = sampler.normal_y
                normal[i, 2] = sampler.normal_z
            number[i, 0] = sampler.plane
            number[i, 1] = sampler.start_area
            number[i, 2] = sampler.end_area
            number[i, 3] = sampler.blocker
            number[i, 4] = sampler.start_solid


def ground_behind(
    sampler: Sampler,
    point: cython.double[:, ::1],
    out: cython.double[:, ::1],
    area: cython.int[::1],
    beyond: cython.double[::1],
    up: cython.double[::1],
    down: cython.double,
    floor_up: cython.double,
    first: cython.int,
    last: cython.int,
    found: cython.uchar[::1],
):
    """``found``: whether the ground of ``area`` goes on behind the points first..last−1 in the directions ``out``: as far
    ``beyond`` as the first of these or the next, seen from as high ``up`` as the first of these or the next, and at most
    ``down`` units lower."""
    i: cython.int
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    x: cython.double
    y: cython.double
    with cython.nogil:
        for i in range(first, last):
            found[i] = 0
            for j in range(beyond.shape[0]):
                x = point[i, 0] + beyond[j] * out[i, 0]
                y = point[i, 1] + beyond[j] * out[i, 1]
                for k in range(up.shape[0]):
                    if (
                        not found[i]
                        and sampler.trace(x, y, point[i, 2] + up[k], x, y, point[i, 2] - down, ANY_PRESENCE)
                        and not sampler.start_solid
                        and sampler.fraction < 1.0
                        and sampler.normal_z >= floor_up
                        and sampler.end_area == area[i]
                    ):
                        found[i] = 1


def passed_of(sampler: Sampler, start: cython.double[::1], end: cython.double[::1], presence: cython.uint):
    """Areas of a trace's free part, and the fractions at which they begin."""
    sampler.trace(start[0], start[1], start[2], end[0], end[1], end[2], presence)
    n: cython.int = sampler.passed_count
    return np.asarray(sampler.passed_area)[:n].copy(), np.asarray(sampler.passed_at)[:n].copy()


def all_passed(
    sampler: Sampler,
    start: cython.double[:, ::1],
    end: cython.double[:, ::1],
    presence: cython.uint,
    count: cython.int[::1],
):
    """Areas of the free parts of all traces, in order, and in ``count`` their number for each."""
    area: cython.int[::1] = np.empty(4 * start.shape[0] + 64, np.intc)
    total: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    k: cython.int
    with cython.nogil:
        for i in range(start.shape[0]):
            sampler.trace(start[i, 0], start[i, 1], start[i, 2], end[i, 0], end[i, 1], end[i, 2], presence)
            count[i] = sampler.passed_count
            if total + sampler.passed_count > area.shape[0]:
                with cython.gil:
                    (area,) = grown(total + sampler.passed_count, area)
            for k in range(sampler.passed_count):
                area[total + k] = sampler.passed_area[k]
            total += sampler.passed_count
    return np.asarray(area)[:total].copy()


def found_in(sampler: Sampler, box: cython.double[::1]):
    """Areas that ``box (6,)``, minima and maxima, touches, ascending."""
    n: cython.int = sampler.areas_in_box(box[0], box[1], box[2], box[3], box[4], box[5])
    return np.sort(np.asarray(sampler.found)[:n])
