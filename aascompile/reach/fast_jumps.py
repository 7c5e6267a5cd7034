"""Jumps that need more speed than a runner has (circle and strafe jumps), and ramp and double jumps.

They are looked for between the nearest points of grounds, like other jumps, if ``reach.jump_tier`` says so. A simulated
player makes each of them, from the beginning of the run-up, in frames of 8 ms, before it is kept.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from aascompile.geometry.vectors import flat_lengths, norm
from aascompile.model.areas import Areas
from aascompile.model.links import Tier, Travel, tier_speeds, tiers_of
from aascompile.model.mapdata import Float, Index
from aascompile.player.flight import fall_time, highest, needed_speed
from aascompile.player.movement import Movement
from aascompile.player.reason import Reason
from aascompile.player.strafe import FastJumps, hops_of, level_run_ups, take_fast
from aascompile.reach import times
from aascompile.reach.adjoining import ABOVE
from aascompile.reach.attempts import Confirmed, Table
from aascompile.reach.candidates import Candidates
from aascompile.reach.local import GROUNDS, detours, grid_of, maker_of_probers, nearest_of, rims_of, worth
from aascompile.sampling.ground import GroundEdges
from aascompile.settings import Physics, Settings
from aascompile.threads import over_ranges

Record = TypeVar("Record", Confirmed, FastJumps)

RAMP_LIFT: Final = 10.0
"""Units/s above the velocity of a jump: the slope of the ground added to it."""


def wanted_tier(name: str) -> Tier:
    """The Tier that a setting names."""
    return Tier[name.upper()]


def fast_jump_links(
    candidates: Candidates, areas: Areas, edges: GroundEdges, movement: Movement, threads: int = 1
) -> None:
    """Add jumps up to the tier of the settings, between grounds that have no link yet."""
    settings = movement.settings
    most = wanted_tier(settings.reach.jump_tier)
    if most <= Tier.RUNNING:
        return
    found = _proposed(candidates, areas, edges, movement, most, threads)
    number = np.column_stack((found.source, found.target, found.kind))
    place = np.hstack((found.start, found.end))
    rise = found.end[:, 2] - found.start[:, 2] + ABOVE
    needed = needed_speed(found.gap, rise, settings.physics)
    left = np.ones(len(number), np.bool_)
    for kind, tier in ways(settings.physics, most):
        rows = np.flatnonzero(left)
        if kind == Travel.STRAFE_JUMP:
            rows = rows[np.isfinite(needed[rows]) & (tiers_of(needed[rows], settings.physics.walk_speed) <= tier)]
        hops = hops_of(np.full(len(rows), tier), needed[rows], settings.physics)
        hops[:, 2] = kind == Travel.DOUBLE_JUMP
        taken = take_fast(areas, movement, number[rows], place[rows], hops, threads)
        good = succeeds(taken, kind, settings.physics)
        kept = rows[good]
        left[kept] = False
        _add(candidates, kind, tier, _rows(found, kept), _rows(taken, good), needed[kept], edges, settings)


def ways(physics: Physics, most: Tier) -> list[tuple[Travel, Tier]]:
    """Ways to jump that are tried one after another: the easiest first."""
    ways = [(Travel.RAMP_JUMP, Tier.RUNNING)] if physics.jump_adds else []
    ways += [(Travel.DOUBLE_JUMP, Tier.RUNNING)] if physics.double_jump > 0.0 else []
    return ways + [(Travel.STRAFE_JUMP, tier) for tier in (Tier.CIRCLE, Tier.STRAFE) if tier <= most]


def succeeds(taken: FastJumps, kind: Travel, physics: Physics) -> NDArray[np.bool_]:
    """Which jumps arrive, in the way that their travel type names."""
    good: NDArray[np.bool_] = taken.why == Reason.ARRIVES
    if kind == Travel.RAMP_JUMP:
        good &= taken.velocity[:, 2] > physics.jump_velocity + RAMP_LIFT
    if kind == Travel.DOUBLE_JUMP:
        good &= taken.jumps > 1
    return good


def top_speed(most: Tier, physics: Physics) -> float:
    """Speed of the fastest jumps of a tier, with the longest run-up."""
    return float(level_run_ups(physics)[1][-1] if most == Tier.STRAFE else tier_speeds(physics.walk_speed)[most])


def proposals(physics: Physics) -> int:
    """What ``Prober.leaps`` proposes: jumps over gaps; 2: also jumps up, because a double jump needs no gap."""
    return 2 if physics.double_jump > 0.0 else 1


def _top_lift(physics: Physics) -> float:
    """Upward velocity of the highest jump: off the steepest floor; for a double jump, of a jump as high as both."""
    up = physics.walk_speed * float(np.sqrt(1.0 - physics.floor_up**2)) if physics.jump_adds else 0.0
    again = physics.jump_velocity + physics.double_jump if physics.double_jump > 0.0 else 0.0
    return norm((physics.jump_velocity + up, again))


def _proposed(
    candidates: Candidates, areas: Areas, edges: GroundEdges, movement: Movement, most: Tier, threads: int
) -> Confirmed:
    """Jumps between the nearest points of grounds, if they need more than a runner's jump and are quicker than the
    detour. Their rims are rows of the grounds' edges."""
    settings, physics = movement.settings, movement.settings.physics
    rims = rims_of(edges, movement, threads)
    grid, linked, detour = grid_of(rims), candidates.linked(len(areas)), detours(candidates.finish(areas), settings)
    prober = maker_of_probers(areas, rims, movement)
    speed, lift = top_speed(most, physics), _top_lift(physics)

    def across(first: int, last: int) -> Table:
        near = nearest_of(rims, linked, grid, settings, speed, lift)
        near.run(rims.ground, first, last, len(areas))
        pairs, points = near.result()
        gap, rise = flat_lengths(points[:, 3:5] - points[:, :2]), points[:, 5] - points[:, 2]
        seconds = np.minimum(fall_time(rise, lift, physics), gap / speed)
        keep = needed_speed(gap, rise, physics) > physics.walk_speed
        keep[keep] = worth(
            detour(), rims.ground[pairs[keep, 0]], rims.ground[pairs[keep, 1]], points[keep], settings,
            times.fast_jump(seconds[keep], settings),
        )  # fmt: skip
        with movement.lent_mover() as mover:
            worker = prober(mover)
            worker.leaps(pairs[keep], points[keep], rims.ground, 0, int(keep.sum()), proposals(physics))
            found: Table = worker.result()
        return found

    tables = over_ranges(across, len(rims.ground), GROUNDS, threads)
    found = Confirmed.of(tables or [(np.zeros((0, 5), np.int32), np.zeros((0, 11)))])
    return replace(found, rim=rims.row[found.rim].astype(np.int32))


def _add(
    candidates: Candidates, kind: Travel, tier: Tier, found: Confirmed, taken: FastJumps, needed: Float,
    edges: GroundEdges, settings: Settings,
) -> None:  # fmt: skip
    """Add jumps that succeeded."""
    start, end, velocity, physics = found.start, found.end, taken.velocity, settings.physics
    if kind == Travel.RAMP_JUMP:
        needed = needed_speed(found.gap, end[:, 2] - start[:, 2] + ABOVE, physics, velocity[:, 2])
    if kind != Travel.STRAFE_JUMP:
        fast = np.minimum(flat_lengths(velocity), physics.walk_speed)
        needed = np.minimum(needed, fast)
    fall = start[:, 2] - end[:, 2] + highest(velocity[:, 2], physics)
    candidates.add(
        kind, found.source, found.target, start, end,
        times.fast_jump(taken.seconds, settings) + times.fall_damage(np.maximum(fall, 0.0), settings),
        face=edges.face[found.rim], edge=edges.edge[found.rim], velocity=velocity, needed_speed=needed, tier=int(tier),
    )  # fmt: skip


def _rows(record: Record, rows: Index | NDArray[np.bool_]) -> Record:
    """The chosen rows of a record of columns."""
    return replace(record, **{column.name: getattr(record, column.name)[rows] for column in fields(record)})
