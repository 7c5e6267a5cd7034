"""Areas without links out of them get a loop in the engine's file, which refuses routes to them otherwise."""

from __future__ import annotations

import numpy as np

from aascompile.api import compile_map
from aascompile.store.engine import for_engine, read_engine, write_engine
from aascompile.store.engine_links import with_loops
from tests.conftest import ROOT


def test_only_the_pit_gets_a_loop():
    compiled = compile_map(ROOT / "samples" / "pit.map")
    links = compiled.links
    (pit,) = set(links.target.tolist()) - set(links.source.tolist())
    looped = with_loops(links, compiled.places)
    assert len(looped) == len(links) + 1
    (row,) = np.flatnonzero(looped.source == looped.target).tolist()
    assert looped.source[row] == pit
    assert looped.area_start[pit : pit + 2].tolist() == [row, row + 1]
    assert np.diff(looped.area_start).sum() == len(looped)
    assert with_loops(looped, compiled.places) is looped


def test_a_room_that_is_one_floor_gets_a_loop():
    compiled = compile_map(ROOT / "samples" / "box.map")
    assert not len(compiled.links)
    looped = for_engine(compiled).links
    assert looped.source.tolist() == looped.target.tolist() == np.unique(compiled.places.area).tolist()
    assert (looped.start == looped.end).all()


def test_loops_are_dropped_when_the_file_is_read():
    compiled = compile_map(ROOT / "samples" / "pit.map")
    read = read_engine(write_engine(for_engine(compiled)), "pit.aas")
    assert read.links.source.tolist() == compiled.links.source.tolist()
    assert read.links.target.tolist() == compiled.links.target.tolist()
    assert read.links.area_start.tolist() == compiled.links.area_start.tolist()


def test_areas_with_a_loop_are_in_a_cluster():
    """No link leads anywhere in this sample. The engine crashed at routes between floors in no cluster."""
    compiled = for_engine(compile_map(ROOT / "samples" / "elevator_crush.map"))
    assert compiled.links.source.tolist() == compiled.links.target.tolist()
    assert len(compiled.links) == 2
    assert len(compiled.clusters) == 1
    assert compiled.clusters.area_cluster[compiled.links.source].tolist() == [0, 0]
    assert sorted(compiled.clusters.area_number[compiled.links.source].tolist()) == [0, 1]
    assert compiled.clusters.cluster_routing.tolist() == [2]
