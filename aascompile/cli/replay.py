"""What ``aas check --replay`` says: whether links lead where they say, by kind, and the worst that do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from aascompile.cli.lines import MOST_LISTED, rounded
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel

MOST_FAILED = 100
"""Links that --json names."""

TOLD = {
    "start_blocked": "nobody can be where it starts",
    "harmed": "leads into harm",
    "held_up": "is held up",
    "late": "never comes to stand there",
    "taken": "a jump pad or teleporter takes one away",
}
"""A clause for each reason."""


def replay_file(path: str, compiled: Compiled, threads: int) -> dict[str, Any]:
    """Replay a file's links; the answer is in JSON's types with keys that stay."""
    from aascompile.nav.replay import replay_links
    from aascompile.player.reason import Why
    from aascompile.settings_file import stored_settings

    links = compiled.links
    if links is None:
        return {"links": 0, "arrived": 0, "share": 1.0, "kinds": {}, "failed": []}
    found = replay_links(compiled.areas, links, stored_settings(compiled.provenance.settings, path), threads)
    kind = links.kind[found.rows]
    failed = np.flatnonzero(~found.good)
    miss = np.linalg.norm(found.place[failed] - links.end[found.rows[failed]], axis=1)
    failed, miss = failed[np.argsort(-miss, kind="stable")], np.sort(miss)[::-1]
    return {
        "links": len(found),
        "arrived": int(found.good.sum()),
        "share": float(found.good.mean()) if len(found) else 1.0,
        "kinds": {
            Travel(number).name.lower(): {"links": int((kind == number).sum()), "arrived": int(arrived.sum())}
            for number in np.unique(kind).tolist()
            for arrived in [found.good[kind == number]]
        },
        "failed": [
            {
                "link": int(row),
                "kind": Travel(int(links.kind[row])).name.lower(),
                "from": int(links.source[row]),
                "to": int(links.target[row]),
                "start": links.start[row].tolist(),
                "end": links.end[row].tolist(),
                "reason": Why(int(found.why[i])).name.lower(),
                "area": int(found.area[i]),
                "place": found.place[i].tolist(),
                "miss": round(float(far), 3),
            }
            for i, far in zip(failed[:MOST_FAILED].tolist(), miss.tolist(), strict=False)
            for row in [found.rows[i]]
        ],
    }


def replay_lines(done: Mapping[str, Any], least: float) -> Iterator[str]:
    """The same as text; the links that miss by most come first."""
    told = "enough" if done["share"] >= least else f"less than {100 * least:g} %"
    yield f"  replayed {done['links']:,} links: {_percent(done)} arrive, {told}"
    for name, counts in done["kinds"].items():
        yield f"    {name.replace('_', ' '):<16}{counts['arrived']:>8,} of {counts['links']:>8,}  {_percent(counts)}"
    for one in done["failed"][:MOST_LISTED]:
        yield (
            f"    link {one['link']}, {one['kind'].replace('_', ' ')} from area {one['from']} "
            f"({rounded(one['start'])}) to area {one['to']} ({rounded(one['end'])}), {TOLD[one['reason']]}: "
            f"in area {one['area']} at ({rounded(one['place'])}), {one['miss']:.1f} from its end"
        )
    more = done["links"] - done["arrived"] - MOST_LISTED
    if more > 0:
        yield f"    ... and {more:,} more (--json lists {MOST_FAILED})"


def _percent(counts: Mapping[str, Any]) -> str:
    """A share that is 100 % only if nothing is missing."""
    if counts["arrived"] == counts["links"]:
        return "100 %"
    return f"{min(100 * counts['arrived'] / counts['links'], 99.99):.2f} %"
