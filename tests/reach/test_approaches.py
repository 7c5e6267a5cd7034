"""How bots come to links."""

from __future__ import annotations

import numpy as np
import pytest

import aascompile
from aascompile.model.links import Travel
from aascompile.player.movement import Movement
from aascompile.reach.approaches import BOTS, MOMENTS, TURNS, approaches
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


def test_nobody_comes_by_a_detour():
    """From the beam's end over its corner: a direct link is quicker for those who are near it, and only for them."""
    links, rows, (begin, onto, origin, _) = coming("slanted")
    for number, row in enumerate(rows):
        mine = slice(begin[number], begin[number + 1])
        for by, place in zip(onto[mine], origin[mine], strict=True):
            direct = (links.source == by[0]) & (links.target == links.target[row])
            if by[2] < 0 or not direct.any():
                continue
            end, far = links.end[row], 0.33
            via = far * np.hypot(*(place[3:5] - links.start[row, :2])) + links.time[row]
            quick = [
                far * (np.hypot(*(place[:2] - links.start[d, :2])) + np.hypot(*(links.end[d] - end)[:2]))
                + links.time[d]
                for d in np.flatnonzero(direct)
            ]
            came = (links.source == by[0]) & (links.target == by[1]) & (links.kind == by[2])
            assert min(quick) >= via + links.time[came].min() - 1e-9


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
