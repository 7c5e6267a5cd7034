"""What ``aas check --replay`` says: whether links lead where they say, by kind, and the worst that do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

import numpy as np

from aascompile.cli.lines import MOST_LISTED, rounded
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel
from aascompile.records import dataclass

MOST_FAILED = 100
"""Links that --json names."""

CLAUSES = {
    "start_blocked": "nobody can be where it starts",
    "harmed": "leads into harm",
    "held_up": "is held up",
    "late": "never comes to stand there",
    "taken": "a jump pad or teleporter takes one away",
}
"""A clause for each reason."""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Links of a travel type that were replayed."""

    links: int
    arrived: int


@dataclass(frozen=True, slots=True)
class Miss:
    """A link that does not lead where it should."""

    link: int
    kind: str
    from_: int
    to: int
    start: list[float]
    end: list[float]
    reason: str
    """A key of CLAUSES."""
    area: int
    """Where the replay ended."""
    place: list[float]
    miss: float
    """Units from ``place`` to ``end``."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """All links of a file, replayed."""

    links: int = 0
    arrived: int = 0
    share: float = 1.0
    """Of the links that arrive."""
    kinds: Mapping[str, Arrivals] = field(default_factory=dict)
    failed: tuple[Miss, ...] = ()
    """Those that miss by most."""


def replay_file(path: str, compiled: Compiled, threads: int) -> Replayed:
    """Replay a file's links."""
    from aascompile.nav.replay import replay_links
    from aascompile.player.reason import Reason
    from aascompile.settings_file import settings_from_json

    links = compiled.links
    if links is None:
        return Replayed()
    found = replay_links(compiled.areas, links, settings_from_json(compiled.provenance.settings, path), threads)
    kind = links.kind[found.rows]
    failed = np.flatnonzero(~found.good)
    miss = np.linalg.norm(found.place[failed] - links.end[found.rows[failed]], axis=1)
    failed, miss = failed[np.argsort(-miss, kind="stable")], np.sort(miss)[::-1]
    return Replayed(
        links=len(found),
        arrived=int(found.good.sum()),
        share=float(found.good.mean()) if len(found) else 1.0,
        kinds={
            Travel(number).name.lower(): Arrivals(int((kind == number).sum()), int(found.good[kind == number].sum()))
            for number in np.unique(kind).tolist()
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
            for i, far in zip(failed[:MOST_FAILED].tolist(), miss.tolist(), strict=False)
            for row in [found.rows[i]]
        ),
    )


def replay_lines(done: Replayed, least: float) -> Iterator[str]:
    """The same as text; the links that miss by most come first."""
    told = "enough" if done.share >= least else f"less than {100 * least:g} %"
    yield f"  replayed {done.links:,} links: {_percent(done)} arrive, {told}"
    for name, counts in done.kinds.items():
        yield f"    {name.replace('_', ' '):<16}{counts.arrived:>8,} of {counts.links:>8,}  {_percent(counts)}"
    for one in done.failed[:MOST_LISTED]:
        yield (
            f"    link {one.link}, {one.kind.replace('_', ' ')} from area {one.from_} "
            f"({rounded(one.start)}) to area {one.to} ({rounded(one.end)}), {CLAUSES[one.reason]}: "
            f"in area {one.area} at ({rounded(one.place)}), {one.miss:.1f} from its end"
        )
    more = done.links - done.arrived - MOST_LISTED
    if more > 0:
        yield f"    ... and {more:,} more (--json lists {MOST_FAILED})"


def _percent(counts: Replayed | Arrivals) -> str:
    """A share that is 100 % only if nothing is missing."""
    if counts.arrived == counts.links:
        return "100 %"
    return f"{min(100 * counts.arrived / counts.links, 99.99):.2f} %"
