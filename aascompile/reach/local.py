"""Links between nearby floors, found by probing: steps, barriers, ledges, jumps, banks (thesis §6.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import starts_of
from aascompile.distinct import occurs
from aascompile.geometry.grid_kernel import BoxGrid
from aascompile.model.areas import Areas
from aascompile.model.links import Links, Tier, Travel, tiers_of
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.flight import needed_speed
from aascompile.player.follow import replay_rows, traits_of
from aascompile.player.move_kernel import Mover
from aascompile.player.movement import Movement
from aascompile.player.reason import Reason
from aascompile.reach import times
from aascompile.reach.adjoining import ABOVE, SWIM_DEPTH, add_walks
from aascompile.reach.attempts import Confirmed, Table
from aascompile.reach.candidates import Candidates
from aascompile.reach.detour_kernel import Detours
from aascompile.reach.nearest_kernel import Nearest
from aascompile.reach.probe_kernel import Prober
from aascompile.records import dataclass
from aascompile.sampling.ground import GroundEdges, inner_edges
from aascompile.settings import Settings
from aascompile.threads import Begun, over_ranges

SPACING: Final = 32.0
"""Units between probes along a rim."""

CELL: Final = 256.0
MOST_CELLS: Final = 64
"""Width of a cell of the grid of grounds, and number of cells along an axis."""

GROUNDS: Final = 64
"""Grounds from which a thread probes jumps at a time."""

LEVEL: Final = 0.1
"""Square units: points whose squared distances differ by less are equally near."""


@dataclass(frozen=True, slots=True)
class Rims:
    """Edges where the ground of an area ends and no other ground continues at the same edge, sorted by area."""

    row: Index
    """(n,) row among the edges of the ground."""
    area: Int
    """(n,) area."""
    a: Float
    """(n, 3) player origin at its first end."""
    b: Float
    """(n, 3) player origin at its second end."""
    out: Float
    """(n, 2) horizontal unit vector away from the ground."""
    ground: Int
    """(g,) areas that have rims, ascending."""
    start: Index
    """(g + 1,) CSR: rims of each of these areas."""
    bounds: Float
    """(g, 6) box around the rims of each of these areas."""


def rims_of(edges: GroundEdges, movement: Movement, threads: int = 1) -> Rims:
    """All rims, the longest of each area first, because the first link found to another area is kept."""
    _, inverse, uses = np.unique(edges.edge, return_inverse=True, return_counts=True)
    alone = uses[inverse.reshape(-1)] == 1
    length = edges.length
    rim = edges.rim & alone & (length > 0)
    rim[inner_edges(edges, np.flatnonzero(rim), movement.tree, movement.settings.physics, threads)] = False
    row = np.flatnonzero(rim)
    row = row[np.lexsort((row, -length[row], edges.area[row]))]
    area, a, b = edges.area[row], np.ascontiguousarray(edges.a[row]), np.ascontiguousarray(edges.b[row])
    ground, first = np.unique(area, return_index=True)
    bounds = np.zeros((0, 6))
    if len(row):
        low, high = np.minimum(a, b), np.maximum(a, b)
        bounds = np.hstack([np.minimum.reduceat(low, first), np.maximum.reduceat(high, first)])
    start = starts_of(np.diff(np.append(first, len(row))))
    return Rims(row, area, a, b, np.ascontiguousarray(edges.out[row]), ground, start, bounds)


def prober_of(areas: Areas, rims: Rims, movement: Movement) -> Prober:
    """A prober for one thread."""
    return maker_of_probers(areas, rims, movement)(movement.mover())


def maker_of_probers(areas: Areas, rims: Rims, movement: Movement) -> Callable[[Mover], Prober]:
    """A function that makes probers. They share the traits of the areas, because large maps have many of both."""
    settings = movement.settings
    traits = traits_of(areas, settings)
    return lambda mover: Prober(mover, traits, settings.physics, rims, SWIM_DEPTH)


def nearest_of(
    rims: Rims, linked: Index, grid: BoxGrid, settings: Settings, speed: float = 0.0, lift: float = 0.0
) -> Nearest:
    """A search for nearest points for one thread; ``linked``: codes of pairs that need no jump. ``speed`` and ``lift``:
    horizontal and upward velocity of the fastest jumps; 0: those of a runner."""
    physics = settings.physics
    return Nearest(rims, linked, grid, physics, LEVEL, speed or physics.walk_speed, lift or physics.jump_velocity)


def grid_of(rims: Rims) -> BoxGrid:
    """Grid of the grounds."""
    return BoxGrid(rims.bounds, CELL, MOST_CELLS)


@dataclass(frozen=True, slots=True)
class Probed:
    """Rims, and what probes from each of them find."""

    rims: Rims
    prober: Callable[[Mover], Prober]
    """Makes probers."""
    found: Begun[list[Table]]
    """Steps, barriers, ledges and banks."""


def probe_rims(areas: Areas, edges: GroundEdges, movement: Movement, threads: int) -> Probed:
    """Begin to probe every rim. That needs neither candidates nor, most of the time, the interpreter."""
    rims = rims_of(edges, movement, threads)
    prober = maker_of_probers(areas, rims, movement)

    def at_rims(first: int, last: int) -> Table:
        with movement.lent_mover() as mover:
            worker = prober(mover)
            worker.rims(first, last, SPACING)
            worker.banks(first, last)
            found: Table = worker.result()
        return found

    found = Begun(lambda: over_ranges(at_rims, len(rims.row), 128, threads), threads)
    return Probed(rims, prober, found)


def local_links(
    candidates: Candidates, areas: Areas, edges: GroundEdges, probed: Probed, movement: Movement, threads: int
) -> None:
    """Add steps, barriers and ledges from every rim, banks of water, and jumps to grounds that are not linked yet."""
    rims, prober, settings = probed.rims, probed.prober, movement.settings
    _add(candidates, areas, edges, rims.row, probed.found.result(), movement)
    if not len(rims.row):
        return
    grid, linked, detour = grid_of(rims), candidates.linked(len(areas)), detours(candidates.finish(areas), settings)

    def across(first: int, last: int) -> Table:
        near = nearest_of(rims, linked, grid, settings)
        near.run(rims.ground, first, last, len(areas))
        pairs, points = near.result()
        keep = worth(detour(), rims.ground[pairs[:, 0]], rims.ground[pairs[:, 1]], points, settings)
        with movement.lent_mover() as mover:
            worker = prober(mover)
            worker.leaps(pairs[keep], points[keep], rims.ground, 0, int(keep.sum()))
            found: Table = worker.result()
        return found

    _add(candidates, areas, edges, rims.row, over_ranges(across, len(rims.ground), GROUNDS, threads), movement)


def detours(links: Links, settings: Settings) -> Callable[[], Detours]:
    """A function that makes searches for detours, one for each thread."""
    time = links.time.astype(np.float64)
    return lambda: Detours(
        len(links.area_start) - 1, links.area_start, links.target, time, links.start, links.end, times.on_foot(settings)
    )


def worth(
    detour: Detours, source: Int, goal: Int, points: Float, settings: Settings, time: Float | None = None
) -> NDArray[np.bool_]:
    """Which jumps (sorted by source) are quicker than the detour. ``time``: how long they take; None: a runner's."""
    quicker = np.ones(len(source), np.int8)
    leave, land = np.ascontiguousarray(points[:, :3]), np.ascontiguousarray(points[:, 3:])
    time = times.jump(leave, land, settings) if time is None else time
    detour.worth(source, goal, leave, land, time, 0, len(source), quicker)
    keep: NDArray[np.bool_] = quicker != 0
    return keep


def _add(
    candidates: Candidates, areas: Areas, edges: GroundEdges, rims: Index, parts: list[Table], movement: Movement
) -> None:
    """Make links with times of the rows that probers found."""
    if not parts:
        return
    settings, found = movement.settings, Confirmed.of(parts)
    if not len(found.source):
        return
    source, target, start, end = found.source, found.target, found.start, found.end
    face, edge = edges.face[rims[found.rim]], edges.edge[rims[found.rim]]
    for travel in (Travel.WALK, Travel.BARRIER_JUMP, Travel.JUMP, Travel.WALK_OFF_LEDGE, Travel.WATER_JUMP):
        rows = np.flatnonzero(found.kind == int(travel))
        if travel == Travel.WALK:
            add_walks(
                candidates, areas, movement, edges, rims[found.rim[rows]], target[rows], start[rows], end[rows],
                hard=found.hard[rows],
            )  # fmt: skip
            linked = candidates.linked(len(areas))
            continue
        if not len(rows):
            continue
        if travel == Travel.WALK_OFF_LEDGE:  # across a gap or the corner of a pit, where a walk leads round it
            level = start[rows, 2] - end[rows, 2] < settings.physics.max_step
            rows = rows[~(level & occurs(source[rows].astype(np.int64) * len(areas) + target[rows], linked))]
        jumped = jump_columns(areas, movement, found, rows) if travel == Travel.JUMP else {}
        candidates.add(
            travel, source[rows], target[rows], start[rows], end[rows],
            times.probed(travel, start[rows], end[rows], found.fall[rows], settings),
            face=face[rows], edge=edge[rows], velocity=found.velocity[rows], hard=found.hard[rows],
            **jumped,
        )  # fmt: skip


def jump_columns(areas: Areas, movement: Movement, found: Confirmed, rows: Index) -> dict[str, NDArray[Any]]:
    """The needed speeds and the tiers of jumps over gaps. A player who jumps from a standstill has to arrive too; else
    the jump takes a run-up."""
    physics = movement.settings.physics
    start, end = found.start[rows], found.end[rows]
    needed = needed_speed(found.gap[rows], end[:, 2] - start[:, 2] + ABOVE, physics)
    tier = tiers_of(needed, physics.walk_speed)
    still = np.flatnonzero(tier == Tier.STANDING)
    number = np.column_stack((found.source[rows], found.target[rows], found.kind[rows]))[still].astype(np.int32)
    place = np.hstack((start, end, np.zeros_like(start)))[still]
    replayed, _ = replay_rows(areas, movement, number, np.ascontiguousarray(place))
    tier[still[replayed[:, 0] != Reason.ARRIVES]] = Tier.RUNNING
    return {"needed_speed": needed, "tier": tier}
