"""Areas that only the engine takes for those of items get links in the engine's file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.api import compile_map
from aascompile.checks.check_compiled import failures
from aascompile.model.links import Travel
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.store.engine import for_engine, read_engine, write_engine
from aascompile.store.engine_goals import engine_areas, with_goals
from tests.conftest import ROOT


def goals(compiled):
    """The map with the links that the engine needs, or the map itself if it needs none."""
    links, clusters = with_goals(compiled, compiled.links, compiled.places)
    return compiled if links is compiled.links else replace(compiled, links=links, clusters=clusters)


def test_the_engine_looks_for_an_item_at_most_150_units_down():
    compiled = compile_map(ROOT / "samples" / "item_high.map")
    tree = tree_of(compiled.areas)
    water, air, shore = areas_at(tree, np.array([(100.0, 0, -50), (100, 0, 100), (-200, 0, 30)])).tolist()
    assert len({water, air, shore}) == 3
    # The surface of the water is at −8, so a player's origin is in the water below 16.
    height = np.array([140.0, 165.0, 168.0, 240.0])
    origin = np.column_stack((np.full(4, 100.0), np.zeros(4), height))
    assert engine_areas(tree, origin).tolist() == [water, water, air, air]
    assert engine_areas(tree, np.array([(-200.0, 0, 16), (-200, 0, 200), (-200, 0, -40)])).tolist() == [
        shore,
        shore,
        -1,
    ]


def test_the_air_above_the_water_gets_links_from_and_to_the_water():
    compiled = compile_map(ROOT / "samples" / "item_high.map")
    linked = goals(compiled)
    water, air = areas_at(tree_of(compiled.areas), np.array([(100.0, 0, -50), (100, 0, 100)])).tolist()
    links = linked.links
    assert len(links) == len(compiled.links) + 2
    new = np.flatnonzero((links.source == air) | (links.target == air))
    assert {(int(links.source[row]), int(links.target[row])) for row in new} == {(water, air), (air, water)}
    assert set(links.kind[new].tolist()) == {Travel.WALK}
    assert (links.start[new] == links.end[new]).all()
    assert links.start[new[0]] == pytest.approx((128, 0, -103.9), abs=0.1), "where the item lies"
    clusters = linked.clusters
    assert clusters.area_cluster[air] == clusters.area_cluster[water]
    assert clusters.area_number[air] < clusters.cluster_routing[clusters.area_cluster[air]]
    assert [failure.requirement.id for failure in failures(linked)] == ["L5", "L9"], "only where they end"
    assert goals(linked) is linked


def test_nothing_is_added_where_the_engine_finds_the_items():
    compiled = compile_map(ROOT / "samples" / "pit.map")
    assert goals(compiled) is compiled


def test_these_links_are_dropped_when_the_file_is_read():
    compiled = compile_map(ROOT / "samples" / "item_high.map")
    read = read_engine(write_engine(for_engine(compiled)), "item_high.aas")
    assert read.links.source.tolist() == compiled.links.source.tolist()
    assert read.links.target.tolist() == compiled.links.target.tolist()
    assert failures(read) == failures(compiled) == []
    assert read.clusters.area_number.tolist() == compiled.clusters.area_number.tolist()


@pytest.mark.corpus
def test_the_largest_area_of_every_pad_can_be_entered(corpus):
    linked = goals(compile_map(corpus / "q3dm6ish.bsp"))
    areas, links = linked.areas, linked.links
    pads = np.unique(areas.area_trigger[areas.area_trigger >= 0])
    assert len(pads) == 3
    for pad in pads.tolist():
        mine = np.flatnonzero(areas.area_trigger == pad)
        assert mine[areas.area_volume[mine].argmax()] in links.target
