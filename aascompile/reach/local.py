"""Ways between near areas that are found by trying them: steps, barriers, ledges, jumps, banks (thesis §6.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import starts_of
from aascompile.geometry.grid_kernel import BoxGrid
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import TAKES_AWAY
from aascompile.model.links import Links, Travel
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.movement import Movement
from aascompile.reach import times
from aascompile.reach.adjoining import ABOVE, SWIM_DEPTH, add_walks
from aascompile.reach.candidates import Candidates
from aascompile.reach.detour_kernel import Detours
from aascompile.reach.ground import GroundEdges
from aascompile.reach.nearest_kernel import Nearest
from aascompile.reach.probe_kernel import Prober
from aascompile.sampling.sample import ANY_PRESENCE, traces
from aascompile.settings import Settings
from aascompile.threads import over_ranges

SPACING: Final = 32.0
"""Units between probes along a rim."""

CELL: Final = 256.0
MOST_CELLS: Final = 64
"""Width and number of the cells of the grid of grounds."""

GROUNDS: Final = 64
"""Grounds from which a thread tries jumps at a time."""

SHARES: Final = (0.02, 0.25, 0.5, 0.75, 0.98)
"""Shares of a rim's length where it is asked whether the ground goes on behind it."""

BEYOND: Final = 1.0
"""Units behind a rim where that is asked."""

LEVEL: Final = 0.1
"""Square units: points this much alike in distance are equally near."""


@dataclass(frozen=True, slots=True)
class Rims:
    """Edges where an area's ground ends and no other area's ground goes on at the same edge, sorted by area."""

    row: Index
    """(n,) row of the edges of the ground."""
    area: Int
    """(n,)"""
    a: Float
    """(n, 3) player origin at its beginning."""
    b: Float
    """(n, 3) player origin at its end."""
    out: Float
    """(n, 2) horizontal unit vector away from the ground."""
    ground: Int
    """(g,) the areas that have rims, ascending."""
    start: Index
    """(g + 1,) CSR: the rims of each of them."""
    bounds: Float
    """(g, 6) box round the rims of each of them."""


def rims_of(areas: Areas, edges: GroundEdges, movement: Movement) -> Rims:
    """All rims, of each area the longest first: the first link found to another area is the one that is taken."""
    _, inverse, uses = np.unique(edges.edge, return_inverse=True, return_counts=True)
    alone = uses[inverse.reshape(-1)] == 1
    length = edges.length
    row = np.flatnonzero(edges.rim & alone & (length > 0))
    row = row[~_goes_on(areas, edges, row, movement)]
    row = row[np.lexsort((row, -length[row], edges.area[row]))]
    area, a, b = edges.area[row], np.ascontiguousarray(edges.a[row]), np.ascontiguousarray(edges.b[row])
    ground, first = np.unique(area, return_index=True)
    bounds = np.zeros((0, 6))
    if len(row):
        low, high = np.minimum(a, b), np.maximum(a, b)
        bounds = np.hstack([np.minimum.reduceat(low, first), np.maximum.reduceat(high, first)])
    start = starts_of(np.diff(np.append(first, len(row))))
    return Rims(row, area, a, b, np.ascontiguousarray(edges.out[row]), ground, start, bounds)


def _goes_on(areas: Areas, edges: GroundEdges, row: Index, movement: Movement) -> NDArray[np.bool_]:
    """(n,) behind which of these edges the ground of the same area goes on, all along, a step up or down at most."""
    share = np.array(SHARES)[:, None, None]
    point = edges.a[row] + share * (edges.b - edges.a)[row]
    point[:, :, :2] += BEYOND * edges.out[row]
    step = movement.settings.physics.max_step
    found = np.zeros(point.shape[:2], np.bool_)
    for up in (step + ABOVE, ABOVE):
        start, end = point + (0.0, 0.0, up), point - (0.0, 0.0, step + ABOVE)
        hit = traces(movement.tree, start, end, ANY_PRESENCE)
        floor = (hit.fraction < 1.0) & ~hit.start_solid & (hit.normal[:, 2] >= movement.settings.physics.floor_up)
        found |= (floor & (hit.end_area == np.tile(edges.area[row], len(SHARES)))).reshape(found.shape)
    goes_on: NDArray[np.bool_] = found.all(axis=0)
    return goes_on


def prober_of(areas: Areas, movement: Movement) -> Prober:
    """A prober for one thread."""
    return _maker_of_probers(areas, movement)()


def _maker_of_probers(areas: Areas, movement: Movement) -> Callable[[], Prober]:
    """What makes probers: all share what is known of the areas, as there are thousands of both on a large map."""
    settings = movement.settings
    liquid = ((areas.area_flags & np.uint32(AreaFlag.LIQUID)) != 0).astype(np.int8)
    grounded = ((areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0).astype(np.uint8)
    trigger = ((areas.area_contents & np.uint32(TAKES_AWAY)) != 0).astype(np.uint8)
    return lambda: Prober(
        movement.mover(), areas.area_presence, liquid, grounded, trigger, settings.physics,
        settings.boxes[0].presence, SWIM_DEPTH,
    )  # fmt: skip


def nearest_of(rims: Rims, linked: Index, grid: BoxGrid, settings: Settings) -> Nearest:
    """A finder of nearest points for one thread; ``linked``: codes of pairs that need no jump."""
    return Nearest(rims, linked, grid, settings.physics, LEVEL)


def grid_of(rims: Rims) -> BoxGrid:
    """The grounds by where they are."""
    return BoxGrid(rims.bounds, CELL, MOST_CELLS)


def local_links(
    candidates: Candidates, areas: Areas, edges: GroundEdges, movement: Movement, settings: Settings, threads: int
) -> None:
    """Steps, barriers and ledges from every rim; jumps to what is still not linked; banks of water."""
    rims, prober = rims_of(areas, edges, movement), _maker_of_probers(areas, movement)

    def at_rims(first: int, last: int) -> Any:
        worker = prober()
        worker.rims(rims.area, rims.a, rims.b, rims.out, first, last, SPACING)
        worker.banks(rims.area, rims.a, rims.b, rims.out, first, last)
        return worker.result()

    _add(candidates, areas, edges, rims.row, over_ranges(at_rims, len(rims.row), 128, threads), settings)
    if not len(rims.row):
        return
    grid, linked, detour = grid_of(rims), candidates.linked(len(areas)), detours(candidates.finish(areas), settings)

    def across(first: int, last: int) -> Any:
        near = nearest_of(rims, linked, grid, settings)
        near.run(rims.ground, first, last, len(areas))
        pairs, points = near.result()
        keep = worth(detour(), rims.ground[pairs[:, 0]], rims.ground[pairs[:, 1]], points, settings)
        worker = prober()
        worker.leaps(pairs[keep], points[keep], rims.ground, 0, int(keep.sum()))
        return worker.result()

    _add(candidates, areas, edges, rims.row, over_ranges(across, len(rims.ground), GROUNDS, threads), settings)


def detours(links: Links, settings: Settings) -> Callable[[], Detours]:
    """What makes finders of ways round, one for each thread."""
    time = links.time.astype(np.float64)
    return lambda: Detours(
        len(links.area_start) - 1, links.area_start, links.target, time, links.start, links.end, times.on_foot(settings)
    )


def worth(detour: Detours, source: Int, goal: Int, points: Float, settings: Settings) -> NDArray[np.bool_]:
    """Which jumps (sorted by source) are quicker than the way round."""
    quicker = np.ones(len(source), np.int8)
    leave, land = np.ascontiguousarray(points[:, :3]), np.ascontiguousarray(points[:, 3:])
    detour.worth(source, goal, leave, land, times.jump(leave, land, settings), 0, len(source), quicker)
    keep: NDArray[np.bool_] = quicker != 0
    return keep


def _add(
    candidates: Candidates, areas: Areas, edges: GroundEdges, rims: Index, parts: list[Any], settings: Settings
) -> None:
    """Turn the rows of probers into links with their times."""
    if not parts:
        return
    number = np.concatenate([part[0] for part in parts])
    place = np.concatenate([part[1] for part in parts])
    source, target, kind = number[:, 0], number[:, 1], number[:, 2]
    face, edge = edges.face[rims[number[:, 3]]], edges.edge[rims[number[:, 3]]]
    start, end, velocity, fall = place[:, :3], place[:, 3:6], place[:, 6:9], place[:, 9]
    for travel in (Travel.WALK, Travel.BARRIER_JUMP, Travel.JUMP, Travel.WALK_OFF_LEDGE, Travel.WATER_JUMP):
        rows = np.flatnonzero(kind == int(travel))
        if travel == Travel.WALK:
            add_walks(
                candidates, areas, source[rows], target[rows], start[rows], end[rows], face[rows], edge[rows], settings,
                number[rows, 4] != 0,
            )  # fmt: skip
            continue
        candidates.add(
            travel, source[rows], target[rows], start[rows], end[rows],
            times.probed(travel, start[rows], end[rows], fall[rows], settings),
            face=face[rows], edge=edge[rows], velocity=velocity[rows], hard=number[rows, 4] != 0,
        )  # fmt: skip
