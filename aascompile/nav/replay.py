"""Replays links: whether a player who takes a link as it is stored arrives in its target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import Areas
from aascompile.model.compiled import Compiled
from aascompile.model.links import FAST_JUMPS, NEEDS_WEAPON, REPLAYED, RIDES, Links, Travel, are_of
from aascompile.model.mapdata import Float, Index, Int
from aascompile.nav.ride_replay import replay_rides
from aascompile.player.follow import replay_rows
from aascompile.player.movement import Movement
from aascompile.player.reason import Reason
from aascompile.reach.jumppad import replay_pads
from aascompile.reach.risk import Trials, try_links
from aascompile.records import dataclass
from aascompile.settings import Settings


@dataclass(frozen=True, slots=True)
class Replays:
    """Results for the links that can be replayed."""

    rows: Index
    """(n,) rows of the links."""
    why: Int
    """(n,) Reason why each fails; ARRIVES if it does not."""
    area: Int
    """(n,) area where each ended."""
    place: Float
    """(n, 3) player origin there."""
    land_area: Int
    """(n,) area where its first flight landed; −1 if none did before it arrived."""
    land: Float
    """(n, 3) player origin there."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Number of links that were not replayed, by reason, a key of SKIPPED."""

    @property
    def good(self) -> NDArray[np.bool_]:
        """(n,) which links lead to their targets."""
        good: NDArray[np.bool_] = self.why == Reason.ARRIVES
        return good

    def __len__(self) -> int:
        return len(self.rows)


SKIPPED: Final = {
    "turning": "on movers that turn, in a file of an older version",
    "unknown": "on movers that the file does not describe",
    "swim": "swimming",
    "ladder": "on ladders",
    "teleport": "by teleporter",
    "weapon": "with a weapon",
    "other": "of other travel types",
}
"""Words for why links are not replayed."""


def replay_bots(areas: Areas, links: Links, settings: Settings, threads: int = 1) -> Trials:
    """Let bots take all links that they run at: from the links into the source area and from behind the start, at
    several moments, with their turns, their slowing down, their aim and their sideways speed."""
    return try_links(links, areas, Movement(areas, settings), threads, wary=False)


def replay_all(compiled: Compiled, settings: Settings, threads: int = 1) -> Replays:
    """Replay all links of a file: those that players take by themselves, then those on movers."""
    links = compiled.links
    assert links is not None
    own, carried = replay_links(compiled.areas, links, settings, threads), replay_rides(compiled, settings)
    none, nowhere = np.full(len(carried.rows), -1, np.int32), np.zeros((len(carried.rows), 3))
    why, area = ([getattr(each, name) for each in carried.arrival] for name in ("why", "area"))
    place = np.array([each.place for each in carried.arrival]).reshape(-1, 3)
    skipped = {"turning": carried.turning, "unknown": carried.unknown, **_other(links)}
    return Replays(
        rows=np.concatenate((own.rows, carried.rows)),
        why=np.concatenate((own.why, np.array(why, np.int32))),
        area=np.concatenate((own.area, np.array(area, np.int32))),
        place=np.concatenate((own.place, place)),
        land_area=np.concatenate((own.land_area, none)),
        land=np.concatenate((own.land, nowhere)),
        skipped={name: count for name, count in skipped.items() if count},
    )


def _other(links: Links) -> dict[str, int]:
    """Number of links of travel types that are not replayed, by key of SKIPPED."""
    kinds = {"swim": (Travel.SWIM,), "ladder": (Travel.LADDER,), "teleport": (Travel.TELEPORT,), "weapon": NEEDS_WEAPON}
    found = {name: int(are_of(links.kind, chosen).sum()) for name, chosen in kinds.items()}
    rest = ~np.isin(links.kind, (*REPLAYED, *RIDES, *(kind for chosen in kinds.values() for kind in chosen)))
    return {**found, "other": int(rest.sum())}


def replay_links(areas: Areas, links: Links, settings: Settings, threads: int = 1) -> Replays:
    """Replay all links that need no mover and can be replayed."""
    rows = np.flatnonzero(are_of(links.kind, REPLAYED) & (links.model < 0))
    movement = Movement(areas, settings)
    number = np.ascontiguousarray(np.stack([links.source, links.target, links.kind], axis=1)[rows], np.int32)
    place = np.ascontiguousarray(np.hstack([links.start, links.end, links.velocity])[rows])
    found, where = replay_rows(areas, movement, number, place, threads)
    thrown = np.flatnonzero(links.kind[rows] == Travel.JUMP_PAD)
    good = replay_pads(areas, links, rows[thrown], movement)
    found[thrown, 0] = np.where(good, int(Reason.ARRIVES), int(Reason.LATE))
    fast = np.flatnonzero(are_of(links.kind[rows], FAST_JUMPS))
    if len(fast):
        from aascompile.player.strafe import replay_fast

        taken = replay_fast(areas, movement, links, rows[fast], threads)
        found[fast] = np.column_stack((taken.why, taken.area, taken.area))
        where[fast] = np.hstack((taken.end, taken.end))
    columns = np.ascontiguousarray(found.T)
    return Replays(rows, columns[0], columns[1], where[:, :3].copy(), columns[2], where[:, 3:].copy())
