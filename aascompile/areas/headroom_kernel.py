# mypy: ignore-errors
"""The air above floors: whatever falls straight down in an area lands in it, so a piece of floor gets the air above it.

Air all of whose gaps lead to one piece belongs to that piece. Air above several is cut by vertical planes along the
edges of its gaps, as gravity cuts areas, until each part lies above one. Where no plane parts the gaps, those that are
cracks do not count. What lies above anything else stays air. Air above both a piece and anything else is cut only
if the piece is *thin*, so that a player on it would stand in that air.

Air waits until it is known what the air below it belongs to. Slanted gaps can make rings, in which every area has a gap
to the next. There, air that lies above anything known as well is cut without waiting. Where no plane parts that from the
next in the ring, cracks do not count either.

Air in which players stand on platforms keeps its shape. Where it comes close to a floor, it is cut at the height where
the players stand, and only the upper part keeps its shape, if that is not close to a floor itself.

    owner  of an area: the area that stands for its piece; NONE until it is known, ELSEWHERE when there is no piece below.
    tag    of a gap: the owner of the area below it.
"""

import cython
import numpy as np
from cython.cimports.aascompile.areas.underside_kernel import Underside
from cython.cimports.libc.math import fabs, sqrt

from aascompile.columns import grown

NONE = cython.declare(cython.int, -1)
ELSEWHERE = cython.declare(cython.int, -2)
THIN = cython.declare(cython.double, 4.0)  # units above a floor in which the engine looks for the area of a player
DEEPEST = cython.declare(cython.int, 8)  # areas of air, each below the other, under which a floor is looked for


@cython.final
@cython.cclass
class Headroom(Underside):
    owner: cython.int[::1]
    rows: cython.int[::1]  # areas that wait
    waiting: cython.int
    rings = cython.declare(cython.int, visibility="readonly")  # areas that were cut or settled to break one
    crack: cython.double
    seen: cython.int[:, ::1]  # gaps to each owner in front of the plane in hand and behind it; 0 between two planes

    def __init__(self, mesh, owner, min_edge: cython.double, crack: cython.double):
        Underside.__init__(self, mesh, min_edge)
        self.crack = crack
        self.owner = np.array(owner, np.intc)
        self.rings = 0
        self.seen = np.zeros((len(self.owner) - ELSEWHERE, 2), np.intc)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_down(self, area: cython.int) -> cython.int:
        """List the gaps of an area with what is below each. Returns the common owner below, NONE if some are not known yet
        or there are several, ELSEWHERE if any gap leads there and no floor is thin, or if there is no gap."""
        at: cython.int = self.mesh.area_head[area]
        f: cython.int
        below: cython.int
        found: cython.int = ELSEWHERE
        first: cython.bint = True
        waits: cython.bint = False
        lost: cython.bint = False
        self.unders = 0
        while at >= 0:
            f = at >> 1
            if self.mesh.is_gap(f, at & 1):
                below = self.mesh.face_area[f, 1 - (at & 1)]
                below = self.owner[below] if self.mesh.area_key[below] == self.mesh.area_key[area] else ELSEWHERE
                self.add_under(f, below)
                waits = waits or below == NONE
                lost = lost or below == ELSEWHERE
                if first:
                    found = below
                elif found != below:
                    found = NONE
                first = False
            at = self.mesh.face_next[f, at & 1]
        if lost and not self.is_near_floor(area):
            return ELSEWHERE
        return NONE if waits else found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_near_floor(self, area: cython.int) -> cython.bint:
        """Whether a piece below an area, whose gaps are listed, is thin."""
        i: cython.int
        f: cython.int
        for i in range(self.unders):
            f = self.under[i]
            if self.tag[i] >= 0 and self.is_thin(f, self.mesh.face_area[f, self.mesh.face_area[f, 0] == area]):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_thin(self, gap: cython.int, below: cython.int) -> cython.bint:
        """Whether the floor of a piece is so near below a gap that a player on it stands above the gap. ``below`` is the
        area below the gap; it may be air with the floor in another area below."""
        at: cython.int = self.mesh.area_head[below]
        poly: cython.int = self.mesh.face_poly[gap]
        k: cython.int
        while at >= 0:
            if self.mesh.is_ground(at >> 1, at & 1):
                for k in range(self.mesh.polys.start[poly], self.mesh.polys.start[poly] + self.mesh.polys.size[poly]):
                    if fabs(self.height(self.mesh.face_plane[at >> 1], k)) < THIN:
                        return True
            at = self.mesh.face_next[at >> 1, at & 1]
        for k in range(self.mesh.polys.start[poly], self.mesh.polys.start[poly] + self.mesh.polys.size[poly]):
            if self.is_near_ground(k, below, DEEPEST):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_near_ground(self, corner: cython.int, area: cython.int, deepest: cython.int) -> cython.bint:
        """Whether ground is close below a corner: in an area, or in those of the same piece below. Until owners are known,
        all areas below count."""
        at: cython.int = self.mesh.area_head[area]
        f: cython.int
        below: cython.int
        ground: cython.bint
        while at >= 0:
            f = at >> 1
            ground = self.mesh.is_ground(f, at & 1)
            if (
                (ground or self.mesh.is_gap(f, at & 1))
                and fabs(self.height(self.mesh.face_plane[f], corner)) < THIN
                and self.is_over(self.mesh.face_poly[f], corner)
            ):
                if ground:
                    return True
                below = self.mesh.face_area[f, 1 - (at & 1)]
                if (
                    deepest > 0
                    and (self.owner[below] == self.owner[area] or self.owner[area] == NONE)
                    and self.is_near_ground(corner, below, deepest - 1)
                ):
                    return True
            at = self.mesh.face_next[f, at & 1]
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_low(self, area: cython.int) -> cython.bint:
        """Whether ground is close below a gap of an area, so that a player on it would stand in the area."""
        at: cython.int = self.mesh.area_head[area]
        below: cython.int
        while at >= 0:
            if self.mesh.is_gap(at >> 1, at & 1):
                below = self.mesh.face_area[at >> 1, 1 - (at & 1)]
                if self.mesh.area_key[below] == self.mesh.area_key[area] and self.is_thin(at >> 1, below):
                    return True
            at = self.mesh.face_next[at >> 1, at & 1]
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def height(self, plane: cython.int, corner: cython.int) -> cython.double:
        """Distance of a corner of a polygon from a plane."""
        return (
            self.mesh.normal[plane, 0] * self.mesh.polys.xyz[corner, 0]
            + self.mesh.normal[plane, 1] * self.mesh.polys.xyz[corner, 1]
            + self.mesh.normal[plane, 2] * self.mesh.polys.xyz[corner, 2]
            - self.mesh.dist[plane]
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_over(self, poly: cython.int, corner: cython.int) -> cython.bint:
        """Whether a corner lies inside a polygon, or within a crack of its outline, seen from above."""
        first: cython.int = self.mesh.polys.start[poly]
        last: cython.int = first + self.mesh.polys.size[poly] - 1
        left: cython.bint = False
        right: cython.bint = False
        dx: cython.double
        dy: cython.double
        turn: cython.double
        a: cython.int
        b: cython.int
        for a in range(first, last + 1):
            b = a + 1 if a < last else first
            dx = self.mesh.polys.xyz[b, 0] - self.mesh.polys.xyz[a, 0]
            dy = self.mesh.polys.xyz[b, 1] - self.mesh.polys.xyz[a, 1]
            turn = dx * (self.mesh.polys.xyz[corner, 1] - self.mesh.polys.xyz[a, 1]) - dy * (
                self.mesh.polys.xyz[corner, 0] - self.mesh.polys.xyz[a, 0]
            )
            left = left or turn > self.crack * sqrt(dx * dx + dy * dy)
            right = right or turn < -self.crack * sqrt(dx * dx + dy * dy)
        return not (left and right)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def score(self) -> cython.double:
        """How badly the plane in hand parts what is below; less is better."""
        i: cython.int
        owner: cython.int
        mixed: cython.longlong = 0
        # Pairs of gaps to one owner that are left on different sides.
        for i in range(self.unders):
            owner = self.tag[i] - ELSEWHERE
            if self.found[i] == 1:
                mixed += self.seen[owner, 1]
                self.seen[owner, 0] += 1
            elif self.found[i] == 2:
                mixed += self.seen[owner, 0]
                self.seen[owner, 1] += 1
        for i in range(self.unders):
            owner = self.tag[i] - ELSEWHERE
            self.seen[owner, 0] = 0
            self.seen[owner, 1] = 0
        return 1e3 * (self.cuts + mixed) + fabs(cython.cast(cython.double, self.fronts - self.backs))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def part(self, area: cython.int) -> cython.int:
        """Cut an area whose gaps are listed. Returns the new area, whose owner is not known yet; −1 if it cannot be cut."""
        new: cython.int = self.cut(area)
        self.enter(new)
        return new

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def enter(self, new: cython.int) -> cython.void:
        """Make room for an area that was cut off, whose owner is not known yet; nothing for −1."""
        if new >= self.owner.shape[0]:
            with cython.gil:
                (self.owner,) = grown(new + 1, self.owner)
        if new >= 0:
            self.owner[new] = NONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def break_ring(self) -> cython.bint:
        """Cut the first area that waits, but lies above something known too; False if there is none."""
        i: cython.int
        k: cython.int
        new: cython.int
        known: cython.int
        for i in range(self.waiting):
            self.look_down(self.rows[i])
            known = 0
            for k in range(self.unders):
                known += self.tag[k] != NONE
            if known == 0 or known == self.unders:
                continue
            new = self.part(self.rows[i])
            if new < 0:
                continue
            if self.waiting >= self.rows.shape[0]:
                with cython.gil:
                    (self.rows,) = grown(self.waiting + 1, self.rows)
            self.rows[self.waiting] = new
            self.waiting += 1
            self.rings += 1
            return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leave_ring(self) -> cython.bint:
        """Settle the first area that waits only for what is below its cracks; False if there is none."""
        i: cython.int
        found: cython.int
        for i in range(self.waiting):
            self.look_down(self.rows[i])
            found = self.below_wide_gaps()
            if found >= 0:
                self.owner[self.rows[i]] = found
                self.rings += 1
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def below_wide_gaps(self) -> cython.int:
        """The common owner below the gaps that are wider than a crack; ELSEWHERE if there are several, or no such gap; NONE
        if one is not known yet."""
        found: cython.int = ELSEWHERE
        first: cython.bint = True
        i: cython.int
        for i in range(self.unders):
            if self.is_crack(self.mesh.face_poly[self.under[i]]):
                continue
            if self.tag[i] == NONE:
                return NONE
            if not first and found != self.tag[i]:
                found = ELSEWHERE
            if first:
                found = self.tag[i]
            first = False
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_crack(self, poly: cython.int) -> cython.bint:
        """Whether a gap, seen from above, is no wider than a crack."""
        return self.mesh.is_narrow(poly, 0.0, 0.0, 1.0, self.crack)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self, area: cython.int) -> cython.bint:
        """Find the owner of an area, cutting it if there are several below; False when that is not known yet."""
        found: cython.int = self.look_down(area)
        i: cython.int
        if found == NONE:
            for i in range(self.unders):
                if self.tag[i] == NONE:
                    return False
            if self.part(area) >= 0:
                return True
            found = self.below_wide_gaps()
        self.owner[area] = found
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle_all(self, area: cython.int) -> cython.bint:
        """Find the owners of an area and of all that is cut from it; False when it has to wait for others."""
        part: cython.int = self.mesh.area_count
        while self.owner[area] == NONE:
            if not self.settle(area):
                return False
        while part < self.mesh.area_count:
            while self.owner[part] == NONE and self.settle(part):
                pass
            part += 1
        return True

    def keep(self, stood: cython.int[::1], feet: cython.double[::1]):
        """Keep the shape of air in which players stand on platforms, from a height on; run() finds the owners of the rest.

        Call it first: owners of air must not be known. Returns the areas that do not keep their shape, some of them new.
        """
        rest = np.empty(2 * stood.shape[0], np.intc)
        rows: cython.int[::1] = rest
        n: cython.int = 0
        i: cython.int
        new: cython.int
        with cython.nogil:
            for i in range(stood.shape[0]):
                if self.is_low(stood[i]):
                    new = self.mesh.split_area(stood[i], self.mesh.add_plane(0.0, 0.0, 1.0, feet[i]))
                    self.enter(new)
                    if new >= 0:
                        rows[n] = new
                        n += 1
                    if new < 0 or self.is_low(stood[i]):
                        rows[n] = stood[i]
                        n += 1
                        continue
                self.owner[stood[i]] = ELSEWHERE
        return rest[:n]

    def run(self, air: cython.int[::1]):
        """Find the owners of these areas, best sorted from low to high, and of all that is cut from them."""
        self.rows = np.array(air, np.intc)
        self.waiting = self.rows.shape[0]
        with cython.nogil:
            while self.settle_waiting() or self.break_ring() or self.leave_ring():
                pass

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle_waiting(self) -> cython.bint:
        """Find the owners of the areas that wait, as far as they are known now; False if no owner was found."""
        i: cython.int
        kept: cython.int = 0
        before: cython.int = self.waiting
        for i in range(before):
            if not self.settle_all(self.rows[i]):
                self.rows[kept] = self.rows[i]
                kept += 1
        self.waiting = kept
        return kept < before

    def result(self):
        """(areas,) owners."""
        return np.asarray(self.owner)[: self.mesh.area_count].copy()
