"""Areas as players walk them: floors cut anew into few plan-convex pieces, each with the air above it.

An exact division into convex areas falls apart on stairs, ramps, terrain and trim, although players walk straight over
all of that. What they need of an area is less: from any point of its ground, straight ahead in plan view, they get to
any other point of its ground without leaving it, being stopped or falling more than a step; and whatever falls in it
lands in it. So floors that steps and slopes connect are joined, and cut again only at corners of their outline.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.areas.contacts_kernel import Contacts
from aascompile.areas.headroom_kernel import Headroom
from aascompile.areas.mesh import StartMesh
from aascompile.areas.mesh_kernel import AreaMesh
from aascompile.areas.piece_kernel import PieceJoiner
from aascompile.areas.plan_kernel import FloorPlan
from aascompile.areas.recut_kernel import FloorCutter
from aascompile.areas.subdivide import Merged, intern_planes
from aascompile.distinct import distinct
from aascompile.geometry.planes import PlaneTable
from aascompile.geometry.vectors import flat_lengths
from aascompile.graph.components import components
from aascompile.model.contents import WET, Kind
from aascompile.model.filling import unpacked
from aascompile.model.mapdata import Float, Index, Int
from aascompile.records import dataclass

LEAST_BORDER: Final = 16.0
"""Units of a common border below which pieces are not joined: half the width of a player."""

HALL: Final = 0.5
"""Share of ``widest``: a convex area is a hall, and is not cut, if its mean width is at least this. Bots treat all of
their own area as near. In a hall they fetch one item after another, a seventh more than in a hall that is cut. In a
corridor they run a long way for a single item."""

KEPT: Final = WET | Kind.CLUSTERPORTAL | Kind.MOVER
"""Areas with these contents keep their exact shape: players swim in them, doors close them, or routing divides the map
there."""

AIR, ELSEWHERE = -1, -2
"""Owners of areas (see headroom_kernel) before their headroom is known."""


@dataclass(frozen=True, slots=True)
class Walkable:
    """What became of the areas of a mesh."""

    merged: Merged
    floors: int
    """Areas with ground that took part."""
    pieces: int
    """Pieces that their floors were cut into."""
    cuts: int
    """Areas that cuts through floors and through the air above them added."""
    forced: int
    """Cuts along a whole line, where no chord would do."""


def make_walkable(
    start: StartMesh, merged: Merged, table: PlaneTable, stands: Float, widest: float, step: float
) -> Walkable:
    """Join and cut areas with ground so that players walk straight through each; give them the air above; and join the
    air that is left.

    ``stands (n, 6)``: boxes of the origins of players who stand on platforms or touch items in flight, where air is as
    good as ground.
    ``widest``: units that a piece of floor may extend. A hall that is a single convex area may extend farther.
    ``step``: units that the game lifts a player who walks into a step.
    """
    mesh, before = start.mesh, start.mesh.plane_count
    mesh.beside = tolerances.CONVEX  # Merged areas are convex only within that: a thinner part may be no volume.
    areas, alive = mesh.area_count, merged.left
    free = _free(start)[alive]
    grounded = mesh.grounded()[alive]
    floors = alive[free & grounded].astype(np.int32)
    pieces = cut_floors(mesh, merged, floors, widest, step)

    floor_parts = mesh.area_count
    owner = np.full(floor_parts, ELSEWHERE, np.int32)
    owner[alive[free & ~grounded]] = AIR
    of_poly, _, _ = pieces.plan.polygons()
    first = np.full(int(np.max(pieces.piece, initial=-1)) + 1, mesh.area_count, np.int32)
    np.minimum.at(first, pieces.piece, of_poly)
    owner[of_poly] = first[pieces.piece]
    air = np.flatnonzero(owner == AIR).astype(np.int32)
    feet = _feet(mesh.bounds(air), stands)
    stood = np.isfinite(feet)
    room = Headroom(mesh, owner, tolerances.MIN_EDGE, tolerances.CRACK)
    air = np.concatenate([air[~stood], room.keep(air[stood], feet[stood])])
    room.run(air[np.argsort(mesh.bounds(air)[:, 2], kind="stable")])
    owner = room.result()
    intern_planes(mesh, table, before)

    into = np.concatenate([merged.into, np.arange(areas, mesh.area_count, dtype=np.int32)])
    drifting = np.concatenate([air, np.arange(floor_parts, mesh.area_count, dtype=np.int32)])
    target = _joined_air(mesh, drifting[owner[drifting] < 0])
    target = np.where(owner >= 0, owner, target).astype(np.int32)[into]
    left = np.flatnonzero(target == np.arange(len(target)))
    cuts = mesh.area_count - areas
    return Walkable(Merged(target, left), len(floors), len(distinct(pieces.piece)), cuts, pieces.forced)


def _free(start: StartMesh) -> NDArray[np.bool_]:
    """(areas,) which areas of the mesh may change their shape, by what is in them and by what bounds them."""
    mesh, contains = start.mesh, start.contents.contains
    keys = mesh.keys()
    kind, _, _ = unpacked(contains)
    kept = np.zeros(int(np.max(keys, initial=-1)) + 1, np.bool_)
    kept[keys[: len(contains)]] = (kind & np.uint32(KEPT)) != 0
    free: NDArray[np.bool_] = ~kept[keys] & ~mesh.climbed()
    return free


def _feet(bounds: Float, boxes: Float) -> Float:
    """(n,) how low the boxes begin that overlap each of ``bounds (n, 6)``; infinite where none does."""
    lowest = np.full(len(bounds), np.inf)
    for box in boxes:
        here = (bounds[:, :3] <= box[3:]).all(axis=1) & (bounds[:, 3:] >= box[:3]).all(axis=1)
        lowest[here] = np.minimum(lowest[here], box[2])
    return lowest


def _joined_air(mesh: AreaMesh, air: Int) -> Index:
    """(areas,) the area that each area goes into when these are joined with neighbours of the same kind."""
    drifts = np.zeros(mesh.area_count, np.bool_)
    drifts[air] = True
    front, back = mesh.neighbours()
    keys = mesh.keys()
    same = drifts[front] & drifts[back] & (keys[front] == keys[back])
    return components(mesh.area_count, front[same], back[same])


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


def cut_floors(mesh: AreaMesh, merged: Merged, floors: Int, widest: float, step: float) -> Pieces:
    """Cut the floors of these areas into plan-convex pieces; the mesh is cut with them."""
    plan = FloorPlan(
        mesh, merged.into, tolerances.MIN_EDGE, tolerances.PLAN_CONVEX, tolerances.GROUND_CONVEX, HALL * widest
    )
    plan.load(floors)
    # A player stands STOP_BEFORE above the ground, and climbs less than that more than a step.
    rise = min(step + tolerances.ON_PLANE, mesh.step)
    Contacts(plan, tolerances.CRACK, tolerances.CONVEX, tolerances.PLAN_CONVEX, rise).run()
    cutter = FloorCutter(plan, tolerances.PLAN_CONVEX, widest, tolerances.CONVEX)
    cutter.run()
    return Pieces(plan, join_pieces(plan, cutter.result(), widest), cutter.forced, cutter.given_up)


def join_pieces(plan: FloorPlan, piece: Int, widest: float) -> Int:
    """Join neighbouring pieces whose union is plan-convex, those with the longest common border first."""
    _, side, ends = plan.segments()
    between = np.flatnonzero(side[:, 1] >= 0)
    side, length = side[between], flat_lengths(ends[between, 2:] - ends[between, :2])
    joiner = PieceJoiner(plan, piece, tolerances.PLAN_CONVEX, widest)
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
