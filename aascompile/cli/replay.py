"""Result of ``aas check --replay``: the share of links, and of bots on them, that arrive, and the worst failures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

import numpy as np

from aascompile.cli.lines import MAX_LISTED, rounded
from aascompile.distinct import distinct
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel
from aascompile.records import dataclass

MAX_FAILED = 100
"""Limit on the links that --json lists."""

CLAUSES = {
    "start_blocked": "a player does not fit at its start",
    "harmed": "leads into lava, slime or a hurt trigger",
    "held_up": "gets stuck",
    "late": "does not come to rest there",
    "taken": "a jump pad or teleporter carries the player away",
}
"""Text for each reason."""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Counts of the replayed links of a travel type."""

    links: int
    arrived: int
    bots: int = 0
    """Bots that took them."""
    bots_arrived: int = 0
    bots_died: int = 0


@dataclass(frozen=True, slots=True)
class OnRoutes:
    """Bots that follow routes, on the links of a travel type."""

    uses: int
    """How often routes take such a link."""
    arrived: float
    """Share of these uses that arrive."""
    died: float


@dataclass(frozen=True, slots=True)
class BotRow:
    """What became of the bots that took a link."""

    link: int
    kind: str
    bots: int
    arrived: int
    died: int


@dataclass(frozen=True, slots=True)
class Miss:
    """A link whose replay does not arrive."""

    link: int
    kind: str
    from_: int
    to: int
    start: list[float]
    end: list[float]
    reason: str
    """A key of CLAUSES."""
    area: int
    """Area in which the replay ended."""
    place: list[float]
    miss: float
    """Distance from ``place`` to ``end``, units."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """Result of replaying all links of a file."""

    links: int = 0
    arrived: int = 0
    share: float = 1.0
    """Share of links that arrive."""
    kinds: Mapping[str, Arrivals] = field(default_factory=dict)
    failed: tuple[Miss, ...] = ()
    """Failed links, farthest from their end first."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Number of links that were not replayed, by reason."""
    bots: tuple[BotRow, ...] = ()
    """All links that bots took."""
    routes: int = 0
    """Number of routes from spawns and items to items that bots followed."""
    on_routes: Mapping[str, OnRoutes] = field(default_factory=dict)
    """How they fared, by travel type."""


def replay_file(path: str, compiled: Compiled, threads: int) -> Replayed:
    """Replay the links of a file."""
    from aascompile.nav.replay import replay_all, replay_bots
    from aascompile.nav.route_replay import replay_routes
    from aascompile.player.reason import Reason
    from aascompile.settings_file import settings_from_json

    links = compiled.links
    if links is None:
        return Replayed()
    settings = settings_from_json(compiled.provenance.settings, path)
    found = replay_all(compiled, settings, threads)
    trials = replay_bots(compiled.areas, links, settings, threads)
    followed = replay_routes(compiled, settings, threads)
    used = links.kind[followed.rows]
    took = links.kind[trials.rows]
    kind = links.kind[found.rows]
    failed = np.flatnonzero(~found.good)
    miss = np.linalg.norm(found.place[failed] - links.end[found.rows[failed]], axis=1)
    failed, miss = failed[np.argsort(-miss, kind="stable")], np.sort(miss)[::-1]
    return Replayed(
        links=len(found),
        arrived=int(found.good.sum()),
        share=float(found.good.mean()) if len(found) else 1.0,
        kinds={
            Travel(number).name.lower(): Arrivals(
                int((kind == number).sum()),
                int(found.good[kind == number].sum()),
                *(int(count[took == number].sum()) for count in (trials.tried, trials.arrived, trials.died)),
            )
            for number in distinct(kind).tolist()
        },
        failed=tuple(
            Miss(
                link=int(row),
                kind=Travel(int(links.kind[row])).name.lower(),
                from_=int(links.source[row]),
                to=int(links.target[row]),
                start=links.start[row].tolist(),
                end=links.end[row].tolist(),
                reason=Reason(int(found.why[i])).name.lower(),
                area=int(found.area[i]),
                place=found.place[i].tolist(),
                miss=round(float(far), 3),
            )
            for i, far in zip(failed[:MAX_FAILED].tolist(), miss.tolist(), strict=False)
            for row in [found.rows[i]]
        ),
        skipped=found.skipped,
        bots=tuple(
            BotRow(row, Travel(number).name.lower(), tried, arrived, died)
            for row, number, tried, arrived, died in zip(
                *(column.tolist() for column in (trials.rows, took, trials.tried, trials.arrived, trials.died)),
                strict=True,
            )
        ),
        routes=followed.routes,
        on_routes={
            Travel(number).name.lower(): OnRoutes(
                int(followed.uses[used == number].sum()),
                followed.share(followed.arrived, used == number),
                followed.share(followed.died, used == number),
            )
            for number in distinct(used).tolist()
        },
    )


def replay_lines(replayed: Replayed, least: float) -> Iterator[str]:
    """The result as text."""
    yield f"  replayed {replayed.links:,} links: {_percent(replayed)} arrive ({100 * least:g} % required)"
    for name, counts in replayed.kinds.items():
        line = f"    {name.replace('_', ' '):<16}{counts.arrived:>8,} of {counts.links:>8,}  {_percent(counts):<8}"
        yield (line + _bots(counts)).rstrip()
    if replayed.skipped:
        from aascompile.nav.replay import SKIPPED

        rows = (f"{count:,} {SKIPPED[name]}" for name, count in replayed.skipped.items())
        yield f"    not replayed: {', '.join(rows)}"
    if replayed.on_routes:
        yield f"  bots follow {replayed.routes:,} routes from spawns and items to items:"
    for name, share in replayed.on_routes.items():
        yield (
            f"    {name.replace('_', ' '):<16}{share.uses:>8,} times {100 * share.arrived:>12.2f} % arrive, "
            f"{100 * share.died:.2f} % die"
        )
    for miss in replayed.failed[:MAX_LISTED]:
        yield (
            f"    link {miss.link}, {miss.kind.replace('_', ' ')} from area {miss.from_} "
            f"({rounded(miss.start)}) to area {miss.to} ({rounded(miss.end)}), {CLAUSES[miss.reason]}: "
            f"it ends in area {miss.area} at ({rounded(miss.place)}), {miss.miss:.1f} units off"
        )
    more = replayed.links - replayed.arrived - MAX_LISTED
    if more > 0:
        yield f"    ... and {more:,} more (--json lists {MAX_FAILED})"


def _bots(counts: Arrivals) -> str:
    """How the bots fared."""
    if not counts.bots:
        return ""
    arrive, die = (100 * count / counts.bots for count in (counts.bots_arrived, counts.bots_died))
    return f"{counts.bots:>8,} bots: {arrive:.1f} % arrive, {die:.1f} % die"


def _percent(counts: Replayed | Arrivals) -> str:
    """The share as a percentage; 100 % only if all arrive."""
    if counts.arrived == counts.links:
        return "100 %"
    return f"{min(100 * counts.arrived / counts.links, 99.99):.2f} %"
