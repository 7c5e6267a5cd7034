"""The path of each link through space: jumps, falls and jump pads as arcs under gravity, rides from stop to stop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from aascompile.csr import owners_of, starts_of
from aascompile.model.compiled import Compiled, stored_number
from aascompile.model.links import FLIGHTS, JUMPS, RIDES, Links, Travel, are_of
from aascompile.model.mapdata import Float, Index
from aascompile.nav.rides import ride_of, ride_path
from aascompile.player.flight import fall_time
from aascompile.settings import QUAKE3

PIECES: Final = 16
"""Straight segments of an arc."""

CLEARANCE: Final = 8.0
"""Units that an arc rises above an end that its own speed would not reach: the last of it is a step."""


def link_paths(compiled: Compiled, links: Links, pieces: int = PIECES) -> tuple[Index, Float]:
    """The path of each link as a chain of points (CSR): an arc for a flight, a ride from stop to stop, otherwise start
    and end."""
    flies = are_of(links.kind, FLIGHTS)
    rides = _rides(compiled, links)
    count = np.where(flies, pieces + 1, 2)
    count[list(rides)] = [len(path) for path in rides.values()]
    start = starts_of(count)
    link = owners_of(start)
    share = (np.arange(start[-1]) - start[link]) / (count - 1)[link]
    straight = links.end - links.start
    xyz = links.start[link] + share[:, None] * straight[link]
    # A flight under gravity g that takes T and rises by h is this far above the straight line: g T² s (1 − s) / 2.
    gravity = stored_number(compiled, "physics", "gravity")
    height = gravity * _seconds(compiled, links, gravity) ** 2 / 2.0
    xyz[:, 2] += np.where(flies, height, 0.0)[link] * share * (1.0 - share)
    for row, path in rides.items():
        xyz[start[row] : start[row + 1]] = path
    return start, xyz


def _rides(compiled: Compiled, links: Links) -> dict[int, Float]:
    """The paths of links on movers, by row."""
    found = {}
    for row in np.flatnonzero(are_of(links.kind, RIDES)).tolist():
        ride = ride_of(compiled, row, links)
        if ride is not None:
            found[row] = np.vstack((links.start[row], ride_path(ride), links.end[row]))
    return found


def _seconds(compiled: Compiled, links: Links, gravity: float) -> Float:
    """(n,) seconds until a player who leaves with the link's upward speed comes down to the link's end."""
    up = links.velocity[:, 2].copy()
    for kind, name in _LEAST_UP.items():
        chosen = links.kind == kind
        up[chosen] = np.maximum(up[chosen], stored_number(compiled, "physics", name))
    rise = links.end[:, 2] - links.start[:, 2]
    # Too slow for the rise: there is a step at the end, or the file does not contain the speed.
    needed = np.sqrt(2.0 * gravity * np.maximum(rise + CLEARANCE, 0.0))
    up = np.where(up**2 < 2.0 * gravity * rise, needed, up)
    return fall_time(rise, up, replace(QUAKE3.physics, gravity=gravity))


_LEAST_UP: Final[Mapping[Travel, Any]] = {
    Travel.BARRIER_JUMP: "jump_velocity",
    **dict.fromkeys(JUMPS, "jump_velocity"),
    Travel.WATER_JUMP: "waterjump_up",
    Travel.ROCKET_JUMP: "rocket_jump_velocity",
    Travel.BFG_JUMP: "bfg_jump_velocity",
}
"""Travel type of a flight → setting with its upward speed. A ledge is left level; a jump pad's link has its own."""
