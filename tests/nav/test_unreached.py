"""What players cannot reach or leave."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from aascompile.graph.components import components
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.nav.unreached import Routes, find_routes, graph_of
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.hdf import read_compiled, write_compiled
from tests.cluster.hand_made import links_of
from tests.conftest import ROOT


@cache
def sample(name: str) -> Compiled:
    return compile_map(str(ROOT / "samples" / f"{name}.bsp"), QUAKE3, Report(name))


@cache
def routes(name: str) -> Routes:
    found = find_routes(sample(name))
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["box", "doorway", "stairs", "crouch", "pool_deep", "elevator"])
def test_a_sound_map_has_no_findings(name):
    found = routes(name)
    assert (found.spawns, found.items, found.reached) == (2, 1, 1)
    assert (found.unreached, found.traps, found.hazards) == ((), (), ())


def test_an_item_that_needs_a_weapon_is_unreached():
    found = routes("rocketjump")
    (item, *spawns) = found.unreached
    assert (item.classname, item.item, found.items, found.reached) == ("item_quad", True, 2, 1)
    assert item.reason == "only a weapon jump or the grapple leads to it"
    assert item.area == sample("rocketjump").places.area[-1]
    assert item.nearest == sample("rocketjump").places.area[0]
    assert [(spawn.item, spawn.reason) for spawn in spawns] == [(False, "no link leads out of its area")] * 2


def test_the_floor_below_a_ledge_is_a_trap():
    (trap,) = routes("ledge").traps
    links = sample("ledge").links
    assert trap.areas.tolist() == [1]
    assert (links.source[trap.link], links.target[trap.link]) == (2, 1)
    assert np.array_equal(trap.point, links.end[trap.link])
    assert [sample("ledge").entities.classname[row] for row in trap.entities] == ["item_health"]


def test_areas_joined_by_links_are_one_trap():
    (trap,) = routes("ledge_obstacle").traps
    assert trap.areas.tolist() == [1, 2], "the floor and the beam"


def test_touching_hazards_are_one_piece():
    found = routes("lava").hazards
    areas = sample("lava").areas
    assert [hazard.kind for hazard in found] == ["lava", "lava"]
    assert (
        sorted(area for hazard in found for area in hazard.areas.tolist())
        == np.flatnonzero(areas.area_contents & np.uint32(Kind.LAVA)).tolist()
    )
    (hurt,) = routes("hurt").hazards
    assert (hurt.kind, hurt.mins.tolist(), hurt.maxs.tolist()) == ("hurt", [-79, 23, 24], [79, 113, 88])


def test_an_item_behind_a_barred_area_is_unreached():
    """The item lies behind an area marked DONOTENTER: a player can get to it, a bot has no route."""
    compiled = sample("doorway")
    links, places = compiled.links, compiled.places
    assert find_routes(compiled).unreached == ()
    contents = compiled.areas.area_contents.copy()
    start = np.unique(places.area[~places.item])
    inner = np.setdiff1d(links.target[np.isin(links.source, start)], places.area)
    contents[inner] |= np.uint32(Kind.DONOTENTER)
    barred = replace(compiled, areas=replace(compiled.areas, area_contents=contents))
    (item,) = find_routes(barred).unreached
    assert (item.item, item.reason) == (True, "the route to it is barred (do not enter)")
    none = replace(links_of([], len(compiled.areas)))
    assert [place.reason for place in find_routes(replace(compiled, links=none)).unreached if place.item] == [
        "no spawn has a route to it"
    ]


def test_files_without_links_or_places_have_no_findings():
    compiled = sample("doorway")
    assert find_routes(replace(compiled, links=None)) is None
    assert find_routes(replace(compiled, places=None)) is None


def test_places_are_stored_and_read_back(tmp_path):
    for name in ("ledge", "rocketjump"):
        path = str(tmp_path / f"{name}.aas.hdf")
        write_compiled(path, sample(name))
        read, made = read_compiled(path).places, sample(name).places
        for column in ("entity", "item", "point", "area"):
            assert np.array_equal(getattr(read, column), getattr(made, column))
            assert getattr(read, column).dtype == getattr(made, column).dtype
        assert read.reason == made.reason


def test_reach_agrees_with_a_search_by_hand():
    pairs = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (5, 3), (6, 5)]
    graph = graph_of(links_of(pairs, 7), np.ones(len(pairs), np.bool_))
    seed = np.array([1])
    assert np.flatnonzero(graph.forward.reach(seed)).tolist() == [0, 1, 2, 3, 4]
    assert np.flatnonzero(graph.backward.reach(np.array([3]))).tolist() == [0, 1, 2, 3, 5, 6]
    closed = np.arange(7) == 3
    assert np.flatnonzero(graph.forward.reach(seed, closed)).tolist() == [0, 1, 2]


def test_components_are_labelled_by_their_lowest_row():
    label = components(8, np.array([7, 1, 4, 5]), np.array([3, 7, 5, 6]))
    assert label.tolist() == [0, 1, 2, 1, 4, 4, 4, 1]
