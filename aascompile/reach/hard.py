"""Drop hard links whose target is otherwise reachable: steered jump pads, late jumps, slow drops, doors to be shot, and
all that bots miss or on which they die.

From most pads a player who steers well reaches a dozen floors, nearly all of them a few steps from where the pad leads
without steering. The game's bots cannot choose between them: in the air they steer to the end of the last jump-pad link
of the area they left. They also jump some 24 units before a rim, with a run-up that stays within the area. So they fall
short of jumps that a player clears, often into lava. Hard jumps that are kept cost so much more that they are no short
cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.distinct import distinct
from aascompile.geometry.vectors import flat_lengths
from aascompile.graph.flood import flood
from aascompile.model.areas import Areas
from aascompile.model.contents import Kind
from aascompile.model.entity_facts import Door
from aascompile.model.links import MOST_TIME, RIDES, SPECIAL, Links, Travel, are_of, select_links
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.flight import fall_time
from aascompile.reach import times
from aascompile.reach.reachable_sets import ReachableSets
from aascompile.settings import Settings

MOST_WORK: Final = 20_000_000
"""Components that searches may come to before the rest of the hard links is kept unexamined. Real maps need less than a
hundredth of it; thousands of wild patches would take hours."""


def drop_needless(
    links: Links,
    hard: NDArray[np.bool_],
    deadly: NDArray[np.bool_],
    areas: Areas,
    doors: Sequence[Door],
    settings: Settings,
) -> Links:
    """Drop hard and deadly links whose target is otherwise reachable from the same area.

    Other routes do not count if they pass an area marked DONOTENTER. Links into doors that have to be shot are the
    hardest, and are dropped for any other route. Next come lifts and bridges that have to be started elsewhere, then
    steered throws by which no bot arrives. A pad that leads nowhere without steering keeps the link that needs least
    steering. A deadly throw is dropped if its target is reachable from everywhere around the pad.
    """
    hard = hard | deadly
    barred = (areas.area_contents & np.uint32(Kind.DONOTENTER)) != 0
    passed = _round_doors(links, areas.area_model, doors, barred)
    links, hard, deadly = select_links(links, passed), hard[passed], deadly[passed]
    if not hard.any():
        return links
    onward = ReachableSets(links, ~hard & ~are_of(links.kind, SPECIAL), barred)
    called = are_of(links.kind, RIDES)
    thrown = links.kind == Travel.JUMP_PAD
    vain = thrown & hard & (links.arrives == 0.0)
    pads, target = set(links.source[thrown].tolist()), links.target.tolist()
    for mine in (hard & ~called & ~vain, vain, hard & called):
        rows_of = _by_area(links, np.flatnonzero(mine), settings)
        for area in sorted(rows_of):
            if onward.work > MOST_WORK:
                onward.used |= mine & (links.source >= area)
                break
            rows = rows_of[area]
            if area in pads:
                own = slice(*links.area_start[area : area + 2].tolist())
                if (thrown & deadly)[own].any():
                    needless = _needless_throws(links, rows, deadly, areas.area_trigger, onward)
                    rows = [row for row in rows if row not in needless]
                throws = [row for row in rows if thrown[row]]
                if throws and not (onward.used & thrown)[own].any():
                    onward.use(throws[0])
            for row in rows:
                if onward.component[target[row]] not in onward.after(area):
                    onward.use(row)
    late = hard & (links.kind == Travel.JUMP)
    time = np.minimum(links.time + np.where(late, times.late_jump(settings), 0), MOST_TIME).astype(np.int32)
    return select_links(replace(links, time=time), onward.used | ~hard)


def _by_area(links: Links, rows: Index, settings: Settings) -> dict[int, list[int]]:
    """The links ``rows`` by area, the quickest first, of equals that with the least steering."""
    rows = rows[np.lexsort((rows, _steering(links, rows, settings), links.time[rows]))]
    by_area: dict[int, list[int]] = {}
    for area, row in zip(links.source[rows].tolist(), rows.tolist(), strict=True):
        by_area.setdefault(area, []).append(row)
    return by_area


def _needless_throws(
    links: Links, rows: list[int], deadly: NDArray[np.bool_], trigger: Int, onward: ReachableSets
) -> set[int]:
    """Those of the links ``rows`` of an area that are deadly throws of a jump pad to where everybody around the pad can
    go anyway. No other link leads off a pad, so that the question is not what its own area leads to."""
    pad = trigger == trigger[links.source[rows[0]]]
    around = distinct(links.source[onward.used & pad[links.target] & ~pad[links.source]]).tolist()
    needless = set()
    for row in rows:
        if deadly[row] and links.kind[row] == Travel.JUMP_PAD and around:
            component = onward.component[links.target[row]]
            if all(component in onward.after(area) for area in around):
                needless.add(row)
    return needless


def _round_doors(links: Links, area_model: Int, doors: Sequence[Door], barred: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which links to keep: all but those into doors that have to be shot, if there is a route round the door.

    A bot that wants to pass such a door stops where it is, and waits unless it sees the door from there. Links by hand
    are kept.
    """
    keep = np.ones(len(links), np.bool_)
    for door in doors:
        if not door.shot:
            continue
        inside = area_model == door.model
        enters = inside[links.target] & ~inside[links.source] & keep & (links.entity < 0)
        used = keep & ~enters & ~are_of(links.kind, SPECIAL)
        beyond = links.target[inside[links.source] & ~inside[links.target] & keep]
        for area in distinct(links.source[enters]).tolist():
            within = flood(links.area_start, links.target, np.array([area]), used=used, ends=barred)
            if not within[beyond].all():
                break
        else:
            keep &= ~enters
    return keep


def _steering(links: Links, rows: Index, settings: Settings) -> Float:
    """(n,) units by which flights would miss their ends without steering."""
    offset, velocity = links.end[rows] - links.start[rows], links.velocity[rows]
    seconds = np.maximum(fall_time(offset[:, 2], velocity[:, 2], settings.physics), 0.0)
    miss: Float = flat_lengths(offset - seconds[:, None] * velocity)
    return miss
