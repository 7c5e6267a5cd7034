# mypy: ignore-errors
"""Binary space partitioning of the visible surface into few convex leaves (thesis §6.2).

Glossary (more in choice_kernel, cell_kernel and branch_kernel)
    task        a node still to be built: a list of polygons and a cell, on a stack of their own.
    trunk       the nodes of more than ``fork`` polygons; what is below them are branches.
    roll-out    a subtree built by score alone to see how many leaves inside the map it has; then discarded.
    plan        the best roll-out so far of a node: a tree of planes, with the number of leaves inside below each.

A branch of at most ``small`` polygons is built with roll-outs. The best ``tries`` planes of a node compete: the subtree
is built by score alone under each, and the plane with the fewest leaves inside the map wins. The winner's subtree is the
plan of the nodes below. It is the first competitor there, and no plan is made twice: where no roll-out beats it, or
nothing can, it is followed. Roll-outs end as soon as they cannot win. Their work is limited: the polygons of all nodes
built in roll-outs are counted, at most ``effort`` for each polygon of the branch. What a node leaves of its share goes to
its children, by their polygons.

A plane whose section is empty, or that leaves all of the cell on one side, lies on the cell's boundary: its polygons
are dropped. The stack is explicit: trees of real maps are more than a hundred nodes deep.
"""

import cython
import numpy as np
from cython.cimports.aascompile.bsp.branch_kernel import Branches
from cython.cimports.aascompile.bsp.choice_kernel import PlaneChooser

from aascompile.columns import grown

FEW = cython.declare(cython.int, 2)
"""A plan with at most this many leaves inside the map is followed: roll-outs hardly ever beat it."""


@cython.final
@cython.cclass
class TreeBuilder(PlaneChooser):
    task: cython.int[:, ::1]
    tasks: cython.int
    other: cython.int[::1]
    fronts: cython.int

    fork: cython.int
    small: cython.int
    most_tries: cython.int
    effort: cython.int
    rolling: cython.bint
    rough: cython.int[:, ::1]
    reached: cython.char[::1]
    branches: Branches

    plan: cython.int[:, ::1]
    plans: cython.int
    best_plan: cython.int

    node: cython.int[:, ::1]
    nodes: cython.int
    root: cython.int
    leaf_point: cython.double[:, ::1]
    leaf_box: cython.double[:, ::1]
    leaves: cython.int
    rolled = cython.declare(cython.longlong, visibility="readonly")

    def __init__(self, planes, weights, tolerances, search, fork, rough, reached):
        PlaneChooser.__init__(self, planes, weights, tolerances)
        self.task = np.empty((256, 8), np.intc)
        self.tasks = 0
        self.other = np.empty(1024, np.intc)
        self.fronts = 0
        self.fork = fork
        self.small = search.small
        self.most_tries = min(search.tries, 8)
        self.effort = search.effort
        self.rolling = False
        self.rough = rough
        self.reached = reached
        self.branches = Branches()
        self.plan = np.empty((1024, 4), np.intc)
        self.plans = 0
        self.best_plan = -1
        self.node = np.empty((256, 3), np.intc)
        self.nodes = 0
        self.root = -1
        self.leaf_point = np.empty((256, 3))
        self.leaf_box = np.empty((256, 6))
        self.leaves = 0
        self.rolled = 0

    # --- roll-outs --------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def inside(self, leaf: cython.int) -> cython.bint:
        """Whether a leaf's point lies in space that the flood reached; without a rough tree everything counts."""
        x: cython.double = self.leaf_point[leaf, 0]
        y: cython.double = self.leaf_point[leaf, 1]
        z: cython.double = self.leaf_point[leaf, 2]
        at: cython.int = 0
        p: cython.int
        if self.rough.shape[0] == 0:
            return True
        while at >= 0:
            p = self.rough[at, 0]
            if self.normal[p, 0] * x + self.normal[p, 1] * y + self.normal[p, 2] * z >= self.dist[p]:
                at = self.rough[at, 1]
            else:
                at = self.rough[at, 2]
        return self.reached[-1 - at] != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def roll_out(
        self,
        pair: cython.int,
        first: cython.int,
        count: cython.int,
        cell_first: cython.int,
        cell_count: cython.int,
        most: cython.int,
        budget: cython.int,
    ) -> cython.int:
        """Leaves inside the map when a node is split by a plane and all below it by score.

        If there are fewer than ``most``, the subtree becomes ``best_plan``. It is given up as soon as it cannot have
        fewer, because each task on the stack has a leaf inside at least, or ``budget`` is used up. The node itself
        and everything below it on the stack stay as they are.
        """
        nodes: cython.int = self.nodes
        leaves: cython.int = self.leaves
        tasks: cython.int = self.tasks
        cap_vertices: cython.int = self.caps.vertex_count
        cap_polys: cython.int = self.caps.poly_count
        cell_vertices: cython.int = self.cells.vertex_count
        cell_polys: cython.int = self.cells.poly_count
        vertices: cython.int = self.polys.vertex_count
        polys: cython.int = self.polys.poly_count
        found: cython.int = most
        seen: cython.int = leaves
        end: cython.longlong = self.rolled + budget
        if self.section(pair, cell_first, cell_count) >= 0:
            found = 0
            self.rolling = True
            self.rolled += count
            self.split(-1, 0, pair, first, count, cell_first, cell_count, -1, 0)
            while self.tasks > tasks and found + self.tasks - tasks < most and self.rolled < end:
                self.step()
                while seen < self.leaves:
                    found += self.inside(seen)
                    seen += 1
            while seen < self.leaves:
                found += self.inside(seen)
                seen += 1
            if self.tasks > tasks:
                found = most
            elif found < most:
                self.keep_plan(nodes, leaves)
            self.rolling = False
        self.nodes = nodes
        self.leaves = leaves
        self.tasks = tasks
        self.caps.release(cap_vertices, cap_polys)
        self.cells.release(cell_vertices, cell_polys)
        self.polys.release(vertices, polys)
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep_plan(self, nodes: cython.int, leaves: cython.int) -> cython.void:
        """Store the subtree from node ``nodes`` on as a plan: plane pair, children (−1: a leaf), leaves inside."""
        n: cython.int = self.nodes - nodes
        if self.plans + n > self.plan.shape[0]:
            with cython.gil:
                (self.plan,) = grown(self.plans + n, self.plan)
        i: cython.int
        k: cython.int
        c: cython.int
        at: cython.int
        for i in range(n - 1, -1, -1):
            at = self.plans + i
            self.plan[at, 0] = self.node[nodes + i, 0] >> 1
            self.plan[at, 3] = 0
            for k in range(1, 3):
                c = self.node[nodes + i, k]
                if c >= 0:
                    self.plan[at, k] = self.plans + c - nodes
                    self.plan[at, 3] += self.plan[self.plans + c - nodes, 3]
                else:
                    self.plan[at, k] = -1
                    self.plan[at, 3] += self.inside(-1 - c)
        self.best_plan = self.plans
        self.plans += n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def compete(
        self,
        first: cython.int,
        count: cython.int,
        cell_first: cython.int,
        cell_count: cython.int,
        plan: cython.int,
        budget: cython.int,
    ) -> cython.int:
        """Let the best planes by score compete. Returns the best plan, or −1, and uses up ``budget``.

        Of equals the first wins. The first is ``plan``, if there is one already.
        """
        pairs: cython.int[8]
        n: cython.int = self.choices
        i: cython.int
        found: cython.int
        most: cython.int = 1 << 30
        began: cython.longlong = self.rolled
        self.best_plan = plan
        for i in range(n):
            pairs[i] = self.plane[self.listed[self.run_first[self.choice[i]]]]
        if plan >= 0:
            most = self.plan[plan, 3]
        for i in range(n):
            if self.rolled - began >= budget:
                break
            if plan >= 0 and pairs[i] == self.plan[plan, 0]:
                continue
            found = self.roll_out(
                pairs[i],
                first,
                count,
                cell_first,
                cell_count,
                most,
                budget - cython.cast(cython.int, self.rolled - began),
            )
            if found < most:
                most = found
        return self.best_plan

    # --- building -------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_task(
        self,
        parent: cython.int,
        side: cython.int,
        first: cython.int,
        count: cython.int,
        cell_first: cython.int,
        cell_count: cython.int,
        plan: cython.int,
        budget: cython.int,
    ) -> cython.void:
        """Put a node to be built on the stack."""
        t: cython.int = self.tasks
        if t >= self.task.shape[0]:
            with cython.gil:
                (self.task,) = grown(t + 1, self.task)
        self.task[t, 0] = parent
        self.task[t, 1] = side
        self.task[t, 2] = first
        self.task[t, 3] = count
        self.task[t, 4] = cell_first
        self.task[t, 5] = cell_count
        self.task[t, 6] = plan
        self.task[t, 7] = budget
        self.tasks = t + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def attach(self, parent: cython.int, side: cython.int, child: cython.int) -> cython.void:
        """Hang a child under its parent; without one it is the root."""
        if parent >= 0:
            self.node[parent, 1 + side] = child
        elif not self.rolling:
            self.root = child

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_leaf(self) -> cython.int:
        """A new leaf without any corners."""
        leaf: cython.int = self.leaves
        a: cython.int
        if leaf >= self.leaf_point.shape[0]:
            with cython.gil:
                self.leaf_point, self.leaf_box = grown(leaf + 1, self.leaf_point, self.leaf_box)
        self.leaves = leaf + 1
        for a in range(3):
            self.leaf_point[leaf, a] = 0.0
            self.leaf_box[leaf, a] = 1e300
            self.leaf_box[leaf, 3 + a] = -1e300
        return leaf

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_corner(self, leaf: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Add a corner to a leaf's sum of corners and to its box."""
        self.leaf_point[leaf, 0] += x
        self.leaf_point[leaf, 1] += y
        self.leaf_point[leaf, 2] += z
        if x < self.leaf_box[leaf, 0]:
            self.leaf_box[leaf, 0] = x
        if y < self.leaf_box[leaf, 1]:
            self.leaf_box[leaf, 1] = y
        if z < self.leaf_box[leaf, 2]:
            self.leaf_box[leaf, 2] = z
        if x > self.leaf_box[leaf, 3]:
            self.leaf_box[leaf, 3] = x
        if y > self.leaf_box[leaf, 4]:
            self.leaf_box[leaf, 4] = y
        if z > self.leaf_box[leaf, 5]:
            self.leaf_box[leaf, 5] = z

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_leaf(self, cell_first: cython.int, cell_count: cython.int) -> cython.int:
        """A leaf with a point inside it (the mean of its corners) and its box. Returns its child number."""
        leaf: cython.int = self.begin_leaf()
        n: cython.int = 0
        f: cython.int
        k: cython.int
        for f in range(cell_first, cell_first + cell_count):
            for k in range(self.cells.start[f], self.cells.start[f] + self.cells.size[f]):
                n += 1
                self.add_corner(leaf, self.cells.xyz[k, 0], self.cells.xyz[k, 1], self.cells.xyz[k, 2])
        for k in range(3):
            self.leaf_point[leaf, k] /= n
        return -1 - leaf

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_part_leaf(
        self, pair: cython.int, cell_first: cython.int, cell_count: cython.int, cap: cython.int, front: cython.bint
    ) -> cython.int:
        """A leaf as ``add_leaf`` makes it of what ``split_cell`` would append, without appending anything."""
        id: cython.int = 2 * pair
        nx: cython.double = self.normal[id, 0]
        ny: cython.double = self.normal[id, 1]
        nz: cython.double = self.normal[id, 2]
        d: cython.double = self.dist[id]
        leaf: cython.int = self.begin_leaf()
        vertices: cython.int = self.cells.vertex_count
        polys: cython.int = self.cells.poly_count
        keep: cython.int = 1 if front else 2
        n: cython.int = 0
        f: cython.int
        p: cython.int
        k: cython.int
        found: cython.int
        for f in range(cell_first, cell_first + cell_count):
            found = self.cells.classify(f, nx, ny, nz, d, self.clip)
            if found != keep and found != 3:
                continue
            p = f
            if found == 3:
                p = self.cells.part(self.cells.start[f], self.cells.size[f], keep, nx, ny, nz, d)
            for k in range(self.cells.start[p], self.cells.start[p] + self.cells.size[p]):
                n += 1
                self.add_corner(leaf, self.cells.xyz[k, 0], self.cells.xyz[k, 1], self.cells.xyz[k, 2])
            self.cells.release(vertices, polys)
        for k in range(self.caps.start[cap], self.caps.start[cap] + self.caps.size[cap]):
            n += 1
            self.add_corner(leaf, self.caps.xyz[k, 0], self.caps.xyz[k, 1], self.caps.xyz[k, 2])
        for k in range(3):
            self.leaf_point[leaf, k] /= n
        return -1 - leaf

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drop_run(self, run: cython.int, first: cython.int, count: cython.int) -> cython.int:
        """Take a run's polygons out of a node's list. Returns the new count."""
        a: cython.int = self.run_first[run]
        n: cython.int = self.run_count[run]
        i: cython.int
        for i in range(a + n, first + count):
            self.listed[i - n] = self.listed[i]
        return count - n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drop_plane(self, pair: cython.int, first: cython.int, count: cython.int) -> cython.int:
        """Take a plane's polygons out of a node's list. Returns the new count."""
        i: cython.int
        n: cython.int = 0
        for i in range(first, first + count):
            if self.plane[self.listed[i]] != pair:
                self.listed[first + n] = self.listed[i]
                n += 1
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def partition(self, pair: cython.int, first: cython.int, count: cython.int) -> cython.int:
        """Sort a node's polygons to both sides: the back ones into ``listed`` after the node's own list, the front
        ones into ``other``. Returns the number of back polygons; ``fronts`` is that of the front polygons.
        """
        id: cython.int = 2 * pair
        nx: cython.double = self.normal[id, 0]
        ny: cython.double = self.normal[id, 1]
        nz: cython.double = self.normal[id, 2]
        d: cython.double = self.dist[id]
        if first + 3 * count > self.listed.shape[0]:
            with cython.gil:
                self.listed, self.other = grown(first + 3 * count, self.listed, self.other)
        backs: cython.int = 0
        fronts: cython.int = 0
        at: cython.int = first + count
        i: cython.int
        p: cython.int
        found: cython.int
        a: cython.int
        b: cython.int
        ax: cython.int = 0 if nx > 0 else 3
        ay: cython.int = 1 if ny > 0 else 4
        az: cython.int = 2 if nz > 0 else 5
        for i in range(first, at):
            p = self.listed[i]
            if self.plane[p] == pair:
                continue
            if nx * self.box[p, ax] + ny * self.box[p, ay] + nz * self.box[p, az] - d > self.on_plane:
                self.other[fronts] = p
                fronts += 1
                continue
            if nx * self.box[p, 3 - ax] + ny * self.box[p, 5 - ay] + nz * self.box[p, 7 - az] - d < -self.on_plane:
                self.listed[at + backs] = p
                backs += 1
                continue
            found = self.polys.split(p, nx, ny, nz, d, self.on_plane)
            if found == 1:
                self.other[fronts] = p
                fronts += 1
            elif found == 2:
                self.listed[at + backs] = p
                backs += 1
            elif found == 3:
                a = self.polys.front
                b = self.polys.back
                self.describe(a, self.plane[p], self.facet[p], self.urge[p])
                self.describe(b, self.plane[p], self.facet[p], self.urge[p])
                if self.area[a] >= self.min_area:
                    self.other[fronts] = a
                    fronts += 1
                if self.area[b] >= self.min_area:
                    self.listed[at + backs] = b
                    backs += 1
        for i in range(fronts):
            self.listed[at + backs + i] = self.other[i]
        self.fronts = fronts
        return backs

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step(self) -> cython.void:
        """Build the node on top of the stack: a leaf, or a split with two more tasks. A branch is set aside."""
        self.tasks -= 1
        t: cython.int = self.tasks
        parent: cython.int = self.task[t, 0]
        side: cython.int = self.task[t, 1]
        first: cython.int = self.task[t, 2]
        count: cython.int = self.task[t, 3]
        cell_first: cython.int = self.task[t, 4]
        cell_count: cython.int = self.task[t, 5]
        plan: cython.int = self.task[t, 6]
        budget: cython.int = self.task[t, 7]
        if 0 < count <= self.fork:
            self.set_aside(parent, side, first, count, cell_first, cell_count)
            return
        if self.rolling:
            self.rolled += count
        careful: cython.bint = budget > 0 and 1 < count <= self.small and (plan < 0 or self.plan[plan, 3] > FEW)
        pair: cython.int = -1
        run: cython.int
        if plan >= 0 and not careful:
            pair = self.plan[plan, 0]
        else:
            self.tries = self.most_tries if careful else 1
            while count > 0:
                self.find_runs(first, count)
                run = self.choose(first, count, cell_first, cell_count)
                if run >= 0:
                    pair = self.plane[self.listed[self.run_first[run]]]
                    break
                count = self.drop_run(-1 - run, first, count)
            if careful and count > 0 and self.choices > 1:
                began: cython.longlong = self.rolled
                plan = self.compete(first, count, cell_first, cell_count, plan, budget)
                budget -= cython.cast(cython.int, self.rolled - began)
                if plan >= 0:
                    pair = self.plan[plan, 0]
        if count == 0:
            self.attach(parent, side, self.add_leaf(cell_first, cell_count))
        elif self.section(pair, cell_first, cell_count) < 0:
            # A sliver: its area was just large enough, its polygon is not. Build the node without this plane.
            count = self.drop_plane(pair, first, count)
            self.push_task(parent, side, first, count, cell_first, cell_count, -1, 0)
        else:
            self.split(parent, side, pair, first, count, cell_first, cell_count, plan, budget)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split(
        self,
        parent: cython.int,
        side: cython.int,
        pair: cython.int,
        first: cython.int,
        count: cython.int,
        cell_first: cython.int,
        cell_count: cython.int,
        plan: cython.int,
        budget: cython.int,
    ) -> cython.void:
        """Split a node by a plane whose section is the last cap; its children become tasks, empty ones leaves."""
        cap: cython.int = self.caps.poly_count - 1
        node: cython.int = self.nodes
        keep: cython.bint = parent < 0 and self.rolling
        if node >= self.node.shape[0]:
            with cython.gil:
                (self.node,) = grown(node + 1, self.node)
        self.nodes = node + 1
        self.node[node, 0] = 2 * pair
        self.attach(parent, side, node)
        backs: cython.int = self.partition(pair, first, count)
        fronts: cython.int = self.fronts
        back_plan: cython.int = self.plan[plan, 2] if plan >= 0 else -1
        front_plan: cython.int = self.plan[plan, 1] if plan >= 0 else -1
        back_budget: cython.int = 0
        front_budget: cython.int = 0
        if budget > 0 and backs + fronts > 0:
            back_budget = cython.cast(cython.int, cython.cast(cython.double, budget) * backs / (backs + fronts))
            front_budget = budget - back_budget
        # The children's cells stand after this one's; once both are made, they are moved down over it.
        back_first: cython.int = self.cells.poly_count
        back_vertices: cython.int = self.cells.vertex_count
        back_count: cython.int = 0
        front_count: cython.int = 0
        if backs == 0 or (plan >= 0 and back_plan < 0):
            self.node[node, 2] = self.add_part_leaf(pair, cell_first, cell_count, cap, False)
        else:
            back_count = self.split_cell(pair, cell_first, cell_count, cap, False)
        front_first: cython.int = self.cells.poly_count
        if fronts == 0 or (plan >= 0 and front_plan < 0):
            self.node[node, 1] = self.add_part_leaf(pair, cell_first, cell_count, cap, True)
        else:
            front_count = self.split_cell(pair, cell_first, cell_count, cap, True)
        shift: cython.int = 0
        at: cython.int = first + count
        if not keep:
            shift = back_first - cell_first
            at = first
            self.move_down(first, count, backs + fronts, cell_first, back_first, back_vertices)
        if back_count > 0:
            self.push_task(node, 1, at, backs, back_first - shift, back_count, back_plan, back_budget)
        if front_count > 0:
            self.push_task(node, 0, at + backs, fronts, front_first - shift, front_count, front_plan, front_budget)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move_down(
        self,
        first: cython.int,
        count: cython.int,
        polys: cython.int,
        cell_first: cython.int,
        back_first: cython.int,
        back_vertices: cython.int,
    ) -> cython.void:
        """Move the lists and cells of a node's children down over those of the node."""
        shift_v: cython.int = back_vertices - self.cells.start[cell_first]
        shift_p: cython.int = back_first - cell_first
        i: cython.int
        k: cython.int
        for i in range(back_vertices, self.cells.vertex_count):
            for k in range(3):
                self.cells.xyz[i - shift_v, k] = self.cells.xyz[i, k]
        for i in range(back_first, self.cells.poly_count):
            self.cells.start[i - shift_p] = self.cells.start[i] - shift_v
            self.cells.size[i - shift_p] = self.cells.size[i]
            self.cell_plane[i - shift_p] = self.cell_plane[i]
        self.cells.release(self.cells.vertex_count - shift_v, self.cells.poly_count - shift_p)
        for i in range(polys):
            self.listed[first + i] = self.listed[first + count + i]

    # --- branches -------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def set_aside(
        self,
        parent: cython.int,
        side: cython.int,
        first: cython.int,
        count: cython.int,
        cell_first: cython.int,
        cell_count: cython.int,
    ) -> cython.void:
        """Make a node a branch for another builder."""
        i: cython.int
        p: cython.int
        for i in range(first, first + count):
            p = self.listed[i]
            self.branches.add_poly(self.polys, p, self.plane[p], self.facet[p], self.urge[p])
        for i in range(cell_first, cell_first + cell_count):
            self.branches.add_face(self.cells, i, self.cell_plane[i])
        self.branches.close(parent, side, count, cell_count)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take(self, source: Branches, branch: cython.int) -> cython.void:
        """Take over a branch as the only task."""
        first: cython.int = source.row[branch, 2]
        count: cython.int = source.row[branch, 3]
        face: cython.int = source.row[branch, 4]
        faces: cython.int = source.row[branch, 5]
        i: cython.int
        p: cython.int
        self.polys.release(0, 0)
        self.cells.release(0, 0)
        self.plans = 0
        if 4 * count > self.listed.shape[0]:
            with cython.gil:
                self.listed, self.other = grown(4 * count, self.listed, self.other)
        for i in range(count):
            p = self.polys.copy_from(source.polys, first + i)
            self.describe(p, source.plane[first + i], source.facet[first + i], source.urge[first + i])
            self.listed[i] = p
        for i in range(faces):
            p = self.cells.copy_from(source.cells, face + i)
            self.add_cell_face(p, source.cell_plane[face + i])
        i = self.effort * count if count <= self.small else 0
        self.push_task(-1, 0, 0, count, 0, faces, -1, i)

    def build(self, source: Branches, first: cython.int, last: cython.int):
        """Build branches first..last−1. Returns the root of each: a node, or −1 − leaf.

        With a ``fork``, subtrees of at most so many polygons are set aside in ``branches``.
        """
        b: cython.int
        roots = np.full(last - first, -1, np.intc)
        root: cython.int[::1] = roots
        with cython.nogil:
            for b in range(first, last):
                self.take(source, b)
                while self.tasks > 0:
                    self.step()
                root[b - first] = self.root
        return roots

    def set_aside_branches(self):
        """The branches that were set aside."""
        return self.branches

    def result(self):
        """Node table (plane, front, back), sections (start, vertices), leaf points and boxes."""
        caps: cython.int = self.caps.poly_count
        start = np.append(np.asarray(self.caps.start)[:caps].astype(np.int64), self.caps.vertex_count)
        return (
            np.asarray(self.node)[: self.nodes].copy(),
            start,
            np.asarray(self.caps.xyz)[: self.caps.vertex_count].copy(),
            np.asarray(self.leaf_point)[: self.leaves].copy(),
            np.asarray(self.leaf_box)[: self.leaves].copy(),
        )


def in_order(
    node: cython.int[:, ::1], root: cython.int, node_order: cython.int[::1], leaf_order: cython.int[::1]
) -> None:
    """Fill in nodes and leaves in the order of a walk down the tree: parents before children, the front first."""
    stack: cython.int[::1] = np.empty(node.shape[0] + 2, np.intc)
    depth: cython.int = 1
    nodes: cython.int = 0
    leaves: cython.int = 0
    at: cython.int
    stack[0] = root
    with cython.nogil:
        while depth > 0:
            depth -= 1
            at = stack[depth]
            if at < 0:
                leaf_order[leaves] = -1 - at
                leaves += 1
                continue
            node_order[nodes] = at
            nodes += 1
            stack[depth] = node[at, 2]
            stack[depth + 1] = node[at, 1]
            depth += 2
