"""Areas as players walk them: floors cut anew into few plan-convex pieces, each with the air above it.

An exact division into convex areas falls apart on stairs, ramps, terrain and trim, although players walk straight over
all of that. What they need of an area is less: from any point of its ground, straight ahead in plan view, they get to
any other point of its ground without leaving it, being stopped or falling more than a step; and whatever falls in it
lands in it. So floors that steps and slopes connect are joined, and cut again only at corners of their outline.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.areas.contacts_kernel import Contacts
from aascompile.areas.mesh_kernel import AreaMesh
from aascompile.areas.piece_kernel import PieceJoiner
from aascompile.areas.plan_kernel import FloorPlan
from aascompile.areas.recut_kernel import FloorCutter
from aascompile.areas.subdivide import Merged
from aascompile.model.mapdata import Int

LEAST_BORDER: Final = 16.0
"""Units of a common border below which pieces are not joined: half the width of a player."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Floors cut anew."""

    plan: FloorPlan
    piece: Int
    """(p,) the piece of each polygon of the plan."""
    forced: int
    """Cuts along a whole line, where no chord would do."""
    given_up: int
    """Regions left as they were."""


def cut_floors(mesh: AreaMesh, merged: Merged, floors: Int) -> Pieces:
    """Cut the floors of these areas into plan-convex pieces; the mesh is cut with them."""
    plan = FloorPlan(mesh, merged.into, tolerances.MIN_EDGE)
    plan.load(floors)
    Contacts(plan, tolerances.CRACK, tolerances.CONVEX).run()
    cutter = FloorCutter(plan, tolerances.PLAN_CONVEX, tolerances.ON_PLANE)
    cutter.run()
    return Pieces(plan, join_pieces(plan, cutter.result()), cutter.forced, cutter.given_up)


def join_pieces(plan: FloorPlan, piece: Int) -> Int:
    """Join neighbouring pieces whose union is plan-convex, those with the longest common border first."""
    _, side, ends = plan.segments()
    between = np.flatnonzero(side[:, 1] >= 0)
    side, length = side[between], np.hypot(*(ends[between, 2:] - ends[between, :2]).T)
    joiner = PieceJoiner(plan, piece, tolerances.PLAN_CONVEX)
    while True:
        at = np.sort(piece[side], axis=1).astype(np.int64)
        apart = at[:, 0] != at[:, 1]
        code, row = np.unique(at[apart, 0] * (len(piece) + 1) + at[apart, 1], return_inverse=True)
        border = np.bincount(row.reshape(-1), weights=length[apart], minlength=len(code))
        order = np.lexsort((code, -border))
        order = order[border[order] >= LEAST_BORDER]
        first, second = np.divmod(code[order], len(piece) + 1)
        if not joiner.join(first.astype(np.int32), second.astype(np.int32)):
            return piece
        piece = joiner.result()
