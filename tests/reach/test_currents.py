"""Currents: nobody swims against a strong one, and a weak one costs time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.checks.check_compiled import failures
from aascompile.mapio.game_format import contents_in_quake3
from aascompile.model.compiled import Compiled
from aascompile.model.contents import CURRENT_BITS, CURRENTS, FLOWS, Contents, Kind
from aascompile.model.links import Travel
from aascompile.nav.explain import Explainer
from aascompile.pipeline import compile_map
from aascompile.player.reason import Reason
from aascompile.reach.currents import current_of, progress
from aascompile.report import Report
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.settings import QUAKE3, Settings
from aascompile.settings_file import find_preset
from aascompile.store.engine import read_engine, write_engine
from tests.conftest import ROOT

QUAKE2 = find_preset("quake2")
WEST, FLOW, EAST = (-180, 0, -60), (0, 0, -60), (180, 0, -60)
"""Points in the still water on both sides, and in the current between them."""


def canal(settings: Settings = QUAKE2) -> Compiled:
    return compile_map(str(ROOT / "samples" / "current.map"), settings, Report("current"))


def test_areas_with_currents_are_sound():
    compiled = canal()
    assert [failure.sentence() for failure in failures(compiled)] == []
    flows = compiled.areas.area_contents[areas_at(tree_of(compiled.areas), [FLOW])[0]]
    assert flows & np.uint32(FLOWS)


def test_stray_bits_in_water_of_quake_iii_are_no_currents():
    raw = np.array([Contents.WATER | 0xF800], np.uint32)
    assert contents_in_quake3(raw, QUAKE3).tolist() == [Contents.WATER | Contents.AREAPORTAL | 0x4000]


def between(compiled: Compiled, here: tuple, there: tuple) -> list[tuple[Travel, int]]:
    """Travel types and times of the links from one point to another."""
    links = compiled.links
    source, target = areas_at(tree_of(compiled.areas), [here, there]).tolist()
    rows = np.flatnonzero((links.source == source) & (links.target == target))
    return [(Travel(int(links.kind[row])), int(links.time[row])) for row in rows]


def test_players_are_carried_along_and_do_not_get_back():
    """A current adds 400 to a wish of 300."""
    compiled = canal()
    assert between(compiled, WEST, FLOW) == between(compiled, FLOW, EAST) == [(Travel.SWIM, 1)]
    assert between(compiled, EAST, FLOW) == between(compiled, FLOW, WEST) == [], "neither swimming nor on the bottom"
    places = compiled.places
    flow, west = areas_at(tree_of(compiled.areas), [FLOW, WEST]).tolist()
    verdicts = Explainer(compiled.areas, compiled.links, places, QUAKE2).explain(flow, west)
    assert next(each.why for each in verdicts if each.kind == Travel.SWIM) == Reason.UPSTREAM


def test_a_weak_current_costs_time():
    """At 100 against a wish of 300 two thirds of the speed are left: 224 units take half as long again."""
    compiled = canal(replace(QUAKE2, physics=replace(QUAKE2.physics, current=100.0)))
    assert between(compiled, FLOW, EAST) == [(Travel.SWIM, 1)]
    assert between(compiled, FLOW, WEST) == [(Travel.SWIM, round(1 + QUAKE2.costs.swim * 224 / 2))]
    assert between(compiled, EAST, FLOW) == [(Travel.SWIM, 1)]


def test_quake3_reads_still_water():
    compiled = canal(QUAKE3)
    assert len(set(areas_at(tree_of(compiled.areas), [WEST, FLOW, EAST]).tolist())) == 1


def test_speeds_by_hand():
    east = np.full(4, int(Kind.WATER | Kind.CURRENT_2), np.uint32)
    ahead = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, 0, -1)], np.float64)
    assert progress(east, ahead, QUAKE2.physics) == pytest.approx([1.0, -1 / 3, 0.6, 0.6])
    still = np.full(4, int(Kind.WATER), np.uint32)
    assert progress(still, ahead, QUAKE2.physics).tolist() == [1.0] * 4


def test_directions_have_numbers():
    table = dict(QUAKE2.contents)
    raw = np.array([table["water"] | table[name] for name in CURRENTS] + [table["water"] | 0xC0000], np.uint32)
    made = contents_in_quake3(raw, QUAKE2)
    assert ((made & Contents.WATER) != 0).all()
    kinds = np.zeros(len(made), np.uint32)
    for _, ours, kind in CURRENT_BITS:
        kinds[(made & np.uint32(ours)) != 0] |= np.uint32(kind)
    assert current_of(kinds).tolist() == [*map(list, CURRENTS.values()), [0.0, 0.0, 0.0]], "two at once are none"


def test_the_engines_file_has_no_currents():
    read = read_engine(write_engine(canal()), "current.aas")
    assert set(read.areas.area_contents.tolist()) <= {0, int(Kind.WATER), 0x200, 0x200 | int(Kind.WATER)}
