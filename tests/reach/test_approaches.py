"""How bots come to links."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

import aascompile
from aascompile.model.links import SPECIAL, Links, Travel
from aascompile.player.movement import Movement
from aascompile.reach.approaches import BOTS, LANDING, MOMENTS, ON_THE_WAY, SIMULATED, TURNS, approaches
from aascompile.reach.risk import try_links
from aascompile.settings import QUAKE3
from tests.reach.carrying import SAMPLES


def coming(name: str, safe: bool = False, ways: bool = True):
    """The links of a sample, the rows of its walks, and how bots come to them, if all links and all ways between them
    are safe, or none."""
    compiled = aascompile.compile_map(SAMPLES / f"{name}.bsp")
    links = compiled.links
    rows = np.flatnonzero(links.kind == Travel.WALK)
    return links, rows, approaches(links, rows, compiled.areas, QUAKE3, np.full(len(links), safe), all_are(ways))


def all_are(safe: bool):
    """A function that calls all places safe, or none."""
    return lambda places: np.full(len(places), safe)


@pytest.mark.parametrize("name", ["slanted", "beam_corner", "stairs"])
def test_bots_come_by_links_that_routes_join(name):
    links, rows, (begin, onto, origin, sure, _, _) = coming(name)
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
    links, rows, (begin, onto, origin, *_) = coming("slanted")
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
    _, _, (begin, onto, *_) = coming("slanted", safe=True)
    assert len(onto) == begin[-1] == 0


def test_bots_try_walks_after_a_way_with_danger_on_it():
    """Both links are safe, but not the way between them, if it is longer than 96 units."""
    links, rows, (begin, onto, origin, sure, *_) = coming("slanted", safe=True, ways=False)
    certain = sure.view(np.bool_) & (onto[:, 2] >= 0)
    far = np.hypot(*(origin[:, 3:5] - links.start[rows[np.repeat(np.arange(len(rows)), np.diff(begin))], :2]).T)
    assert 0 < certain.sum() < (onto[:, 2] >= 0).sum()
    assert (far[certain] < ON_THE_WAY).all()
    assert (far[~certain & (onto[:, 2] >= 0)] >= ON_THE_WAY).all()


def test_bots_that_land_go_on_to_all_links_that_routes_join():
    compiled = aascompile.compile_map(SAMPLES / "slanted.bsp")
    links = compiled.links
    rows = np.flatnonzero(np.isin(links.kind, LANDING))
    safe = np.zeros(len(links), np.bool_)
    begin, _, _, _, then, beyond = approaches(links, rows, compiled.areas, QUAKE3, safe, all_are(True))
    for number, row in enumerate(rows.tolist()):
        mine = slice(begin[number], begin[number + 1])
        expected = {
            tuple(links.start[out])
            for out in np.flatnonzero(links.source == links.target[row]).tolist()
            if row in joined(links, out)[0]
        }
        gone = then[mine, 2] >= 0
        assert gone.all() == bool(expected)
        assert gone.any() == bool(expected)
        went = {tuple(start) for start in beyond[mine, :3][gone]}
        assert went <= expected
        assert len(went) == min(len(expected), begin[number + 1] - begin[number])


def test_walks_between_safe_links_are_not_tried():
    """Among the blocks of the sample there is no danger around some walks."""
    compiled = aascompile.compile_map(SAMPLES / "slanted.bsp")
    links, movement = compiled.links, Movement(compiled.areas, QUAKE3)
    wary, all_ = (try_links(links, compiled.areas, movement, wary=wary) for wary in (True, False))
    walks = links.kind[wary.rows] == Travel.WALK
    assert (wary.tried[walks] == 0).any()
    assert (all_.tried[walks & (wary.tried == 0)] > 0).any()


def test_links_tried_in_parts_fare_as_all_at_once(monkeypatch):
    compiled = aascompile.compile_map(SAMPLES / "slanted.bsp")
    given = compiled.links, compiled.areas, Movement(compiled.areas, QUAKE3)
    whole = try_links(*given)
    monkeypatch.setattr("aascompile.reach.risk.AT_ONCE", 7)
    parts = try_links(*given)
    assert len(whole.rows) > 7
    for field in fields(whole):
        np.testing.assert_array_equal(getattr(parts, field.name), getattr(whole, field.name))
