"""Measures links with simulated bots: margins, the time that misses and deaths cost, better starts of jumps."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from aascompile.geometry.vectors import flat_lengths
from aascompile.model.areas import Areas
from aascompile.model.links import Links, Travel
from aascompile.model.mapdata import Float, Index
from aascompile.player.follow import replay_rows
from aascompile.player.movement import Movement
from aascompile.player.reason import Reason
from aascompile.reach.remembered import Remembered
from aascompile.reach.risk import Trials, try_links, with_margins, with_new_margins
from aascompile.sampling.sample import ANY_PRESENCE, traces

BACK: Final = (4.0, 14.0)
"""Units before the rim at which jumps may start. A bot decides every 32 units, counted from the beginning of its
run-up, which is a multiple of 10 units behind the start. So from some starts it jumps too early, or comes to the rim
between two decisions."""


def measured(
    links: Links, areas: Areas, movement: Movement, threads: int = 1, remembered: Remembered | None = None
) -> Links:
    """The links with their margins, and with the time that misses and deaths cost."""
    return with_margins(links, try_links(links, areas, movement, threads, remembered), movement.settings)


def with_better_starts(
    links: Links, areas: Areas, movement: Movement, threads: int = 1, remembered: Remembered | None = None
) -> Links:
    """The links; jumps that some bots miss start farther from the rim, if more bots arrive from there."""
    missed = (links.arrives >= 0.0) & (links.arrives < 1.0) & (links.model < 0) & (links.entity < 0)
    rows = np.flatnonzero(missed & (links.kind == Travel.JUMP))
    if not len(rows):
        return links
    better, safe = links, np.zeros(len(links), np.bool_)  # it matters to walks only
    for back in BACK:
        moved, good = _moved_back(links, rows, back, areas, movement)
        found = try_links(moved, areas, movement, threads, remembered, rows=good, safe=safe)
        better = _taken_over(better, moved, found, movement)
    return better


def _taken_over(links: Links, moved: Links, trials: Trials, movement: Movement) -> Links:
    """The links, with starts and margins of the moved ones on which more bots arrive."""
    trials = trials.of(trials.rows[trials.share(trials.arrived, -1.0) > links.arrives[trials.rows]])
    start, velocity = links.start.copy(), links.velocity.copy()
    start[trials.rows], velocity[trials.rows] = moved.start[trials.rows], moved.velocity[trials.rows]
    return with_new_margins(replace(links, start=start, velocity=velocity), trials, movement.settings)


def _moved_back(links: Links, rows: Index, back: float, areas: Areas, movement: Movement) -> tuple[Links, Index]:
    """The links, with the jumps ``rows`` starting ``back`` units before their starts; and those of the rows for which
    there is ground of the source, from where a player arrives."""
    physics = movement.settings.physics
    across: Float = (links.end - links.start)[rows] * (1.0, 1.0, 0.0)
    far = flat_lengths(across)
    point = links.start[rows] - back * across / far[:, None]
    step = np.array((0.0, 0.0, physics.max_step))
    ground = traces(movement.tree, point + step, point - step, np.full(len(rows), ANY_PRESENCE))
    start, velocity = links.start.copy(), links.velocity.copy()
    start[rows] = ground.end
    speed = flat_lengths(velocity[rows])
    velocity[rows] *= np.minimum((far + back) / far, physics.walk_speed / np.maximum(speed, 1.0))[:, None]
    number = np.column_stack((links.source, links.target, links.kind))[rows].astype(np.int32)
    place = np.ascontiguousarray(np.hstack((start, links.end, velocity))[rows])
    replayed, _ = replay_rows(areas, movement, number, place)
    good = (ground.fraction < 1.0) & (ground.end_area == links.source[rows]) & (replayed[:, 0] == Reason.ARRIVES)
    return replace(links, start=start, velocity=velocity), rows[good]
