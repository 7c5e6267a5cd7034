# mypy: ignore-errors
"""Binary space partitioning of the visible surface into few convex leaves (thesis §6.2).

Glossary (more in node_kernel, choice_kernel, cell_kernel and branch_kernel)
    task        a node still to be built: a list of polygons and a cell, on a stack of their own.
    trunk       the nodes of more than ``branch`` polygons.
    branch      a subtree that is built apart from others: below a node of more than ``fork`` polygons.
    roll-out    a subtree built by score alone to see how many leaves inside the map it has; then discarded.
    plan        the best roll-out so far of a node: a tree of planes, with the number of leaves inside below each.

A branch of at most ``small`` polygons is built with roll-outs. The best ``tries`` planes of a node compete: the subtree
is built by score alone under each, and the plane with the fewest leaves inside the map wins. The winner's subtree is the
plan of the nodes below. It is the first competitor there, and no plan is made twice: where no roll-out beats it, or
nothing can, it is followed. Roll-outs end as soon as they cannot win. Their work is limited: the polygons of all nodes
built in roll-outs are counted, at most ``effort`` for each polygon of the branch. What a node leaves of its share goes to
its children, by their polygons.

Deep down in the trunk, where plane after plane has split off a few polygons only, fewer planes are scored: the tree of
many parallel sides is as deep as there are sides.

A plane whose section is empty, or that leaves all of the cell on one side, lies on the cell's boundary: its polygons
are dropped. The stack is explicit: trees of real maps are more than a hundred nodes deep.
"""

import cython
import numpy as np
from cython.cimports.aascompile.bsp.branch_kernel import Branches
from cython.cimports.aascompile.bsp.choice_kernel import FEWER, MOST
from cython.cimports.aascompile.bsp.node_kernel import NodeStore

from aascompile.columns import grown

FEW = cython.declare(cython.int, 2)
"""A plan with at most this many leaves inside the map is followed: roll-outs hardly ever beat it."""

DEEP = cython.declare(cython.int, 256)
"""Nodes above a node of the trunk from which on fewer planes are scored. In real maps the trunk is 100 deep."""

Task = cython.struct(
    parent=cython.int,  # node, and side of it, that the new node is hung under; −1 for the root
    side=cython.int,
    first=cython.int,  # polygons in ``listed``
    count=cython.int,
    cell_first=cython.int,  # faces in ``cells``
    cell_count=cython.int,
    plan=cython.int,  # plan to follow or to beat; −1 if there is none
    budget=cython.int,  # work that roll-outs may take
    depth=cython.int,  # nodes above it
)


@cython.final
@cython.cclass
class TreeBuilder(NodeStore):
    task: cython.int[:, ::1]
    tasks: cython.int

    branch: cython.int
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
    root: cython.int
    rolled = cython.declare(cython.longlong, visibility="readonly")

    def __init__(self, planes, weights, tolerances, search, branch, rough, reached):
        NodeStore.__init__(self, planes, weights, tolerances)
        self.task = np.empty((256, 9), np.intc)
        self.tasks = 0
        self.branch = branch
        self.fork = 0
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
        self.root = -1
        self.rolled = 0

    # --- tasks --------------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_task(self, task: Task) -> cython.void:
        """Put a node to be built on the stack."""
        t: cython.int = self.tasks
        if t >= self.task.shape[0]:
            with cython.gil:
                (self.task,) = grown(t + 1, self.task)
        self.task[t, 0] = task.parent
        self.task[t, 1] = task.side
        self.task[t, 2] = task.first
        self.task[t, 3] = task.count
        self.task[t, 4] = task.cell_first
        self.task[t, 5] = task.cell_count
        self.task[t, 6] = task.plan
        self.task[t, 7] = task.budget
        self.task[t, 8] = task.depth
        self.tasks = t + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pop_task(self) -> Task:
        """Take the topmost node to be built off the stack."""
        self.tasks -= 1
        t: cython.int = self.tasks
        task: Task
        task.parent = self.task[t, 0]
        task.side = self.task[t, 1]
        task.first = self.task[t, 2]
        task.count = self.task[t, 3]
        task.cell_first = self.task[t, 4]
        task.cell_count = self.task[t, 5]
        task.plan = self.task[t, 6]
        task.budget = self.task[t, 7]
        task.depth = self.task[t, 8]
        return task

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def attach(self, parent: cython.int, side: cython.int, child: cython.int) -> cython.void:
        """Hang a child under its parent; without one it is the root."""
        if parent >= 0:
            self.node[parent, 1 + side] = child
        elif not self.rolling:
            self.root = child

    # --- roll-outs ----------------------------------------------------------------------------------------------------

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
    def roll_out(self, pair: cython.int, task: Task, most: cython.int, budget: cython.int) -> cython.int:
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
        task.parent = -1
        task.plan = -1
        task.budget = 0
        if self.section(pair, task.cell_first, task.cell_count) >= 0:
            found = 0
            self.rolling = True
            self.rolled += task.count
            self.split(pair, task)
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
    def compete(self, task: Task) -> cython.int:
        """Let the best planes by score compete. Returns the best plan, or −1, and uses up the task's budget.

        Of equals the first wins. The first is the task's own plan, if it has one.
        """
        pairs: cython.int[8]
        n: cython.int = self.choices
        i: cython.int
        found: cython.int
        most: cython.int = 1 << 30
        began: cython.longlong = self.rolled
        self.best_plan = task.plan
        for i in range(n):
            pairs[i] = self.plane[self.listed[self.run_first[self.choice[i]]]]
        if task.plan >= 0:
            most = self.plan[task.plan, 3]
        for i in range(n):
            if self.rolled - began >= task.budget:
                break
            if task.plan >= 0 and pairs[i] == self.plan[task.plan, 0]:
                continue
            found = self.roll_out(pairs[i], task, most, task.budget - cython.cast(cython.int, self.rolled - began))
            if found < most:
                most = found
        return self.best_plan

    # --- building -----------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step(self) -> cython.void:
        """Build the node on top of the stack: a leaf, or a split with two more tasks. A branch is set aside."""
        task: Task = self.pop_task()
        if 0 < task.count <= self.fork:
            self.set_aside(task)
            return
        if self.rolling:
            self.rolled += task.count
        careful: cython.bint = (
            task.budget > 0 and 1 < task.count <= self.small and (task.plan < 0 or self.plan[task.plan, 3] > FEW)
        )
        pair: cython.int = -1
        run: cython.int
        if task.plan >= 0 and not careful:
            pair = self.plan[task.plan, 0]
        else:
            self.tries = self.most_tries if careful else 1
            self.most = FEWER if task.depth > DEEP and task.count > self.branch else MOST
            while task.count > 0:
                self.find_runs(task.first, task.count)
                run = self.choose(task.first, task.count, task.cell_first, task.cell_count)
                if run >= 0:
                    pair = self.plane[self.listed[self.run_first[run]]]
                    break
                task.count = self.drop_run(-1 - run, task.first, task.count)
            if careful and task.count > 0 and self.choices > 1:
                began: cython.longlong = self.rolled
                task.plan = self.compete(task)
                task.budget -= cython.cast(cython.int, self.rolled - began)
                if task.plan >= 0:
                    pair = self.plan[task.plan, 0]
        if task.count == 0:
            self.attach(task.parent, task.side, self.add_leaf(task.cell_first, task.cell_count))
        elif self.section(pair, task.cell_first, task.cell_count) < 0:
            # A sliver: its area was just large enough, its polygon is not. Build the node without this plane.
            task.count = self.drop_plane(pair, task.first, task.count)
            task.plan = -1
            task.budget = 0
            self.push_task(task)
        else:
            self.split(pair, task)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split(self, pair: cython.int, task: Task) -> cython.void:
        """Split a node by a plane whose section is the last cap; its children become tasks, empty ones leaves."""
        cap: cython.int = self.caps.poly_count - 1
        keep: cython.bint = task.parent < 0 and self.rolling
        node: cython.int = self.add_node(pair)
        self.attach(task.parent, task.side, node)
        back: Task
        front: Task
        back.parent = front.parent = node
        back.depth = front.depth = task.depth + 1
        back.side = 1
        front.side = 0
        back.count = self.partition(pair, task.first, task.count)
        front.count = self.fronts
        back.plan = self.plan[task.plan, 2] if task.plan >= 0 else -1
        front.plan = self.plan[task.plan, 1] if task.plan >= 0 else -1
        back.budget = front.budget = 0
        if task.budget > 0 and back.count + front.count > 0:
            back.budget = cython.cast(
                cython.int, cython.cast(cython.double, task.budget) * back.count / (back.count + front.count)
            )
            front.budget = task.budget - back.budget
        # The children's cells stand after this one's; once both are made, they are moved down over it.
        back.cell_first = self.cells.poly_count
        back_vertices: cython.int = self.cells.vertex_count
        back.cell_count = front.cell_count = 0
        if back.count == 0 or (task.plan >= 0 and back.plan < 0):
            self.node[node, 2] = self.add_part_leaf(pair, task.cell_first, task.cell_count, cap, False)
        else:
            back.cell_count = self.split_cell(pair, task.cell_first, task.cell_count, cap, False)
        front.cell_first = self.cells.poly_count
        if front.count == 0 or (task.plan >= 0 and front.plan < 0):
            self.node[node, 1] = self.add_part_leaf(pair, task.cell_first, task.cell_count, cap, True)
        else:
            front.cell_count = self.split_cell(pair, task.cell_first, task.cell_count, cap, True)
        back.first = task.first + task.count
        if not keep:
            self.move_down(
                task.first, task.count, back.count + front.count, task.cell_first, back.cell_first, back_vertices
            )
            back.first = task.first
            front.cell_first -= back.cell_first - task.cell_first
            back.cell_first = task.cell_first
        front.first = back.first + back.count
        if back.cell_count > 0:
            self.push_task(back)
        if front.cell_count > 0:
            self.push_task(front)

    # --- branches -----------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def set_aside(self, task: Task) -> cython.void:
        """Make a node a branch for another builder."""
        i: cython.int
        p: cython.int
        for i in range(task.first, task.first + task.count):
            p = self.listed[i]
            self.branches.add_poly(self.polys, p, self.plane[p], self.facet[p], self.urge[p])
        for i in range(task.cell_first, task.cell_first + task.cell_count):
            self.branches.add_face(self.cells, i, self.cell_plane[i])
        self.branches.close(task.parent, task.side, task.count, task.cell_count, task.depth)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take(self, source: Branches, branch: cython.int) -> cython.void:
        """Take over a branch as the only task."""
        first: cython.int = source.row[branch, 2]
        face: cython.int = source.row[branch, 4]
        i: cython.int
        p: cython.int
        task: Task
        task.parent = task.plan = -1
        task.side = task.first = task.cell_first = 0
        task.depth = source.row[branch, 6]
        task.count = source.row[branch, 3]
        task.cell_count = source.row[branch, 5]
        task.budget = self.effort * task.count if task.count <= self.small else 0
        self.polys.release(0, 0)
        self.cells.release(0, 0)
        self.plans = 0
        if 4 * task.count > self.listed.shape[0]:
            with cython.gil:
                self.listed, self.other = grown(4 * task.count, self.listed, self.other)
        for i in range(task.count):
            p = self.polys.copy_from(source.polys, first + i)
            self.describe(p, source.plane[first + i], source.facet[first + i], source.urge[first + i])
            self.listed[i] = p
        for i in range(task.cell_count):
            p = self.cells.copy_from(source.cells, face + i)
            self.add_cell_face(p, source.cell_plane[face + i])
        self.push_task(task)

    def build(self, source: Branches, first: cython.int, last: cython.int, fork: cython.int):
        """Build branches first..last−1, and forget what was built before. Returns the root of each: a node, or −1 − leaf.

        Subtrees of at most ``fork`` polygons are set aside in ``branches``.
        """
        self.fork = fork
        self.branches = Branches()
        self.nodes = self.leaves = 0
        self.caps.release(0, 0)
        self.rolled = 0
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
