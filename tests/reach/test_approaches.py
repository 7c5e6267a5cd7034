"""How bots come to links."""

from __future__ import annotations

import numpy as np
import pytest

import aascompile
from aascompile.model.links import SPECIAL, Links, Travel
from aascompile.player.movement import Movement
from aascompile.reach.approaches import BOTS, MOMENTS, SIMULATED, TURNS, approaches
from aascompile.reach.risk import try_links
from aascompile.settings import QUAKE3
from tests.reach.carrying import SAMPLES


def coming(name: str, safe: bool = False):
    """The links of a sample, the rows of its walks, and how bots come to them."""
    compiled = aascompile.compile_map(SAMPLES / f"{name}.bsp")
    links = compiled.links
    rows = np.flatnonzero(links.kind == Travel.WALK)
    return links, rows, approaches(links, rows, compiled.areas, QUAKE3, np.full(len(links), safe))


@pytest.mark.parametrize("name", ["slanted", "beam_corner", "stairs"])
def test_bots_come_by_links_that_routes_join(name):
    links, rows, (begin, onto, origin, sure) = coming(name)
    assert not sure.any()
    for number, row in enumerate(rows):
        mine = slice(begin[number], begin[number + 1])
        by = onto[mine][onto[mine, 2] >= 0]
        assert (by[:, 1] == links.source[row]).all(), "they come into the source"
        assert (by[:, 0] != links.target[row]).all(), "nobody turns back"
        assert len(by) <= BOTS
        assert (onto[mine, 2] < 0).sum() >= len(TURNS), "and from behind"
        moments = np.rint(MOMENTS * origin[mine, 6])
        assert set(moments.tolist()) <= set(range(MOMENTS))


def joined(links: Links, row: int) -> tuple[set[int], int]:
    """The links by which routes come to a link, found one by one, and the number of links into its source."""

    def far(a: np.ndarray, b: np.ndarray) -> float:
        return QUAKE3.costs.walk * np.hypot(*(a - b)[:2])

    into = np.flatnonzero((links.target == links.source[row]) & ~np.isin(links.kind, SPECIAL))
    found = set()
    for by in into.tolist():
        via = links.time[by] + far(links.end[by], links.start[row]) + links.time[row]
        direct = np.flatnonzero((links.source == links.source[by]) & (links.target == links.target[row]))
        ways = [
            far(links.start[by], links.start[d]) + links.time[d] + far(links.end[d], links.end[row]) for d in direct
        ]
        if links.source[by] != links.target[row] and min(ways, default=np.inf) >= via:
            found.add(by)
    return found, len(into)


def test_nobody_turns_back_or_comes_by_a_detour():
    links, rows, (begin, onto, origin, _) = coming("slanted")
    left_out = 0
    for number, row in enumerate(rows.tolist()):
        expected, into = joined(links, row)
        left_out += into - len(expected)
        assert len(expected) <= BOTS
        mine = [k for k in range(begin[number], begin[number + 1]) if onto[k, 2] >= 0]
        came = {(*onto[k].tolist(), *origin[k, :6].tolist()) for k in mine}
        simulated = [by for by in expected if links.kind[by] in SIMULATED]
        assert came == {
            (
                *(int(column[by]) for column in (links.source, links.target, links.kind)),
                *links.start[by],
                *links.end[by],
            )
            for by in simulated
        }
    assert left_out > 0


def test_nobody_comes_where_nothing_can_go_wrong():
    _, _, (begin, onto, _, _) = coming("slanted", safe=True)
    assert len(onto) == begin[-1] == 0


def test_walks_between_safe_links_are_not_tried():
    """Among the blocks of the sample there is no danger around some walks."""
    compiled = aascompile.compile_map(SAMPLES / "slanted.bsp")
    links, movement = compiled.links, Movement(compiled.areas, QUAKE3)
    wary, all_ = (try_links(links, compiled.areas, movement, wary=wary) for wary in (True, False))
    walks = links.kind[wary.rows] == Travel.WALK
    assert (wary.tried[walks] == 0).any()
    assert (all_.tried[walks & (wary.tried == 0)] > 0).any()
