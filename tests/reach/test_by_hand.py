"""Links and volumes that a mapper adds by hand: what becomes of them in a compiled map."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace

import numpy as np
import pytest

import aascompile
from aascompile.errors import MapError, StoreError
from aascompile.model.contents import Kind
from aascompile.model.links import Travel
from aascompile.nav.by_hand import added_by, removed_between, summary, volumes_at
from aascompile.pipeline import compile_again
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.engine import for_engine, read_engine, write_engine
from tests.conftest import ROOT

SAMPLES = ROOT / "samples"

UP = {"from": [128, 0, 0], "to": [-128, 0, 96], "travel": "jump"}
"""In ``ledge``: from the floor to the ledge, 96 higher."""
DOOR = {"mins": [-8, -32, 0], "maxs": [8, 32, 96]}
"""In ``doorway``: the doorway."""


def compiled(name: str, **tables: list[dict]) -> aascompile.CompiledMap:
    return aascompile.compile_map(SAMPLES / f"{name}.bsp", links=tables, threads=1)


def fault(name: str, **tables: list[dict]) -> str:
    with pytest.raises(MapError) as caught:
        compiled(name, **tables)
    return str(caught.value)


def area(it: aascompile.Compiled, *point: float) -> int:
    return aascompile.Navigation(it).area_at(point)


def ours(it: aascompile.Compiled) -> np.ndarray:
    assert it.links is not None
    return np.flatnonzero(it.links.entity >= 0)


def test_a_link_is_added_as_the_mapper_says():
    it = compiled("ledge", link=[UP | {"cost": 2.5}])
    (row,) = ours(it)
    links = it.links
    assert (links.source[row], links.target[row]) == (area(it, 128, 0, 24.2), area(it, -128, 0, 120.2))
    assert (links.kind[row], links.time[row]) == (Travel.JUMP, 250)
    assert links.start[row] == pytest.approx((128, 0, 24), abs=0.2), "settled on the floor"
    assert links.end[row] == pytest.approx((-128, 0, 120), abs=0.2)
    assert it.entities.classname[links.entity[row]] == "aas_link"
    assert added_by(it, int(row)) == "added by hand in links, link 1"
    assert added_by(it, 1 - int(row)) == ""
    assert it.warnings == ("links: link 1: a simulated player does not arrive from (128 0 24) to (-128 0 120)",)


def test_a_link_both_ways_and_its_time_as_for_its_type():
    it = compiled("ledge", link=[UP | {"both_ways": True}])
    back, there = ours(it)
    assert it.links.source[there] == it.links.target[back]
    assert (it.links.start[there] == it.links.end[back]).all()
    assert it.links.time[there] == round(300 + 240 * 256 / 320)


def test_a_link_that_the_compiler_finds_too_is_kept_with_a_warning():
    down = {"from": [0, 0, 96], "to": [40, 0, 0], "travel": "walk off ledge", "cost": 5}
    it = compiled("ledge", link=[down])
    assert np.count_nonzero(it.links.kind == Travel.WALK_OFF_LEDGE) == 2
    assert "links: link 1: the compiler finds a walk off ledge link between these areas without it" in it.warnings


def test_a_link_counts_for_routes():
    it = aascompile.compile_map(SAMPLES / "by_hand.bsp", threads=1)
    nav = aascompile.Navigation(it)
    east = next(item for item in nav.items if item.classname == "item_armor_body")
    route = nav.route(nav.spawns[0].point, east.point)
    assert [link.travel for link in route.links] == [Travel.WALK, Travel.TELEPORT]
    assert it.entities.classname[route.links[1].entity] == "aas_link"
    without = aascompile.compile_map((SAMPLES / "by_hand.bsp").read_bytes(), name="by_hand.bsp", threads=1)
    assert len(without.links) == len(it.links) - 1
    with pytest.raises(aascompile.RouteError):
        aascompile.Navigation(without).route(nav.spawns[0].point, east.point)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"link": [UP | {"from": [128, 0, -40]}]}, "link 1: from (128 0 -40) is in solid or outside the map"),
        ({"link": [UP | {"to": [5000, 0, 0]}]}, "link 1: to (5000 0 0) is in solid or outside the map"),
        ({"link": [UP | {"to": [64, 0, 0]}]}, "link 1: from and to are both in area 1, within which routes need no"),
        ({"link": [UP, UP]}, "link 2: is the same as link 1"),
        ({"link": [UP | {"travel": "teleport"}]}, "link 1: travel is teleport, but no teleporter is at (128 0 24"),
        ({"link": [UP | {"travel": "jump_pad"}]}, "link 1: travel is jump_pad, but no jump pad is at (128 0 24"),
        ({"unlink": [{"from": [128, 0, 0], "to": [64, 0, 0]}]}, "unlink 1: from and to are both in area 1"),
        ({"block": [{"mins": [900, 0, 0], "maxs": [950, 9, 9]}]}, "block 1: lies outside the map"),
    ],
)
def test_what_cannot_be_meant_is_an_error(tables, message):
    assert fault("ledge", **tables).startswith(f"links: {message}")


def test_an_end_in_lava_and_a_start_in_a_pad_are_errors():
    lava = {"from": [-200, 0, 0], "to": [0, 100, 0], "travel": "walk_off_ledge"}
    assert "in lava, slime or a trigger that hurts" in fault("lava", link=[lava])
    it = compiled("teleporter")
    out = {"from": [-292, 0, 0], "to": [-100, 0, 0], "travel": "walk"}
    assert "in a jump pad or teleporter, which takes players away first" in fault("teleporter", link=[out])
    assert ours(it).size == 0


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"link": [UP | {"from": [128, 0, 100]}]}, "link 1: from (128 0 100) is 100 units above the floor at (128 0 0"),
        ({"unlink": [{"from": [128, 0, 0], "to": [-128, 0, 96]}]}, "unlink 1: removes nothing: there is no such link"),
        ({"block": [{"mins": [-100, 0, 10], "maxs": [-60, 9, 40]}]}, "block 1: does nothing: no player can be in it"),
    ],
)
def test_what_looks_wrong_is_a_warning(tables, message):
    assert any(warning.startswith(f"links: {message}") for warning in compiled("ledge", **tables).warnings)


def test_links_are_removed_of_one_type_or_all_one_way_or_both():
    plain = compiled("doorway")
    west, east = {"from": [-200, 0, 0], "to": [0, 0, 0]}, {"from": [200, 0, 0], "to": [0, 0, 0]}
    one = compiled("doorway", unlink=[west])
    assert len(one.links) == len(plain.links) - 1
    source, target = area(one, -200, 0, 25), area(one, 0, 0, 25)
    assert not ((one.links.source == source) & (one.links.target == target)).any()
    assert removed_between(one, source, target) == ["all links removed by hand in links, unlink 1"]
    assert removed_between(one, target, source) == []
    both = compiled("doorway", unlink=[west | {"both_ways": True}, east | {"travel": "walk"}])
    assert len(both.links) == len(plain.links) - 3
    assert removed_between(both, area(both, 200, 0, 25), target) == ["walk links removed by hand in links, unlink 2"]
    other = compiled("doorway", unlink=[west | {"travel": "jump"}])
    assert len(other.links) == len(plain.links)


def test_a_removed_link_can_be_added_otherwise():
    west = {"from": [-200, 0, 0], "to": [0, 0, 0]}
    it = compiled("doorway", unlink=[west], link=[west | {"travel": "walk", "cost": 9}])
    (row,) = ours(it)
    assert it.links.time[row] == 900
    assert it.warnings == ()


def test_a_block_closes_its_areas_and_cuts_at_its_border():
    it = compiled("box", block=[{"mins": [-40, -20, 0], "maxs": [40, 20, 64]}])
    blocked = np.flatnonzero(it.areas.area_contents & np.uint32(Kind.DONOTENTER))
    assert area(it, 0, 0, 25) in blocked
    assert it.areas.area_mins[blocked].min(axis=0)[:2] == pytest.approx((-55, -35)), "grown by the player's box"
    assert it.areas.area_maxs[blocked].max(axis=0)[:2] == pytest.approx((55, 35))
    nav = aascompile.Navigation(it)
    across = nav.route((-100, 0, 25), (100, 0, 25))
    assert not set(across.areas.tolist()) & set(blocked.tolist()), "round it"
    assert volumes_at(it, area(it, 0, 0, 25)) == ["blocked by hand in links, block 1"]
    assert volumes_at(it, area(it, 100, 0, 25)) == []
    back = read_engine(write_engine(for_engine(it)), "box.aas")
    assert (back.areas.area_contents & np.uint32(Kind.DONOTENTER) != 0).nonzero()[0].tolist() == blocked.tolist()


def test_a_cost_makes_routes_choose_another_way():
    name = "donotenter"
    south, north = (0, -96, 25), (0, 96, 25)
    bare = [{"mins": [-8, -128, 0], "maxs": [8, -64, 96], "factor": 4}]
    it = compiled(name, cost=bare)
    assert it.areas.area_cost[area(it, *south)] == 4.0
    assert it.areas.area_cost[area(it, *north)] == 1.0
    assert volumes_at(it, area(it, *south)) == ["cost factor 4 in links, cost 1"]
    nav, plain = aascompile.Navigation(it), aascompile.Navigation(compiled(name))
    start, goal = (-200, -96, 25), (200, -96, 25)
    assert nav.route(start, goal).seconds == pytest.approx(plain.route(start, goal).seconds), "times have no factor"


def test_of_two_costs_the_higher_counts_and_each_volume_knows_its_own():
    inner, outer = ([-20, -20, 0], [20, 20, 64]), ([-80, -80, 0], [80, 80, 64])
    for factors in ((2.0, 5.0), (0.5, 5.0)):
        low, high = factors
        it = compiled(
            "box",
            cost=[
                {"mins": inner[0], "maxs": inner[1], "factor": low},
                {"mins": outer[0], "maxs": outer[1], "factor": high},
            ],
        )
        assert it.areas.area_cost[area(it, 0, 0, 25)] == high
    it = compiled("box", cost=[{"mins": inner[0], "maxs": inner[1], "factor": 0.5}])
    assert sorted(set(it.areas.area_cost.tolist())) == [0.5, 1.0]


def test_the_engine_gets_factors_in_the_times_of_links_into_the_volume():
    it = compiled("doorway", cost=[DOOR | {"factor": 3}])
    door = area(it, 0, 0, 25)
    there = for_engine(it).links
    (into,) = np.flatnonzero((there.target == door) & (there.start[:, 0] < 0))
    # 3 times the stroke of 1, and twice the walk of 41 units from (−18, 0) to the way out at (23, 0).
    unit = 33 / 100
    assert there.time[into] == round(3 + 2 * unit * 41)
    assert (there.time[there.target != door] == it.links.time[it.links.target != door]).all()


def test_a_portal_volume_asks_for_a_portal():
    text = (SAMPLES / "clusterportal.map").read_text()
    bare = re.sub(r"\{\n(\(.*common/clusterportal.*\n){6}\}\n", "", text)
    assert "common/clusterportal" not in bare
    boxes = [{"mins": [x - 8, -32, 0], "maxs": [x + 8, 32, 96]} for x in (-160, 160)]
    it = aascompile.compile_map(bare.encode(), name="x.map", links={"portal": boxes}, threads=1)
    doors = [area(it, x, 0, 25) for x in (-160, 160)]
    assert sorted(it.clusters.portal_area.tolist()) == sorted(doors)
    assert volumes_at(it, doors[1]) == ["a portal is wanted in links, portal 2"]
    it = compiled("doorway", portal=[DOOR])
    assert it.areas.area_contents[area(it, 0, 0, 25)] & np.uint32(Kind.CLUSTERPORTAL)
    assert len(it.warnings) == 1, "in so small a map no portal is worth its cost"


def test_entities_do_the_same_as_a_side_file():
    it = aascompile.compile_map(SAMPLES / "by_hand_entities.map", threads=1)
    assert summary(it) == {"link": 1, "unlink": 1, "block": 1, "cost": 1}
    north, south = area(it, 0, 96, 25), area(it, 0, -96, 25)
    assert it.areas.area_contents[north] & np.uint32(Kind.DONOTENTER)
    assert it.areas.area_cost[south] == 4.0
    (row,) = ours(it)
    number = int(it.links.entity[row])
    assert added_by(it, int(row)) == f"added by hand by aas_link (entity {number})"
    assert volumes_at(it, north)[0].startswith("blocked by hand by aas_block (entity ")
    assert removed_between(it, south, area(it, -200, 0, 25))[0].startswith("all links removed by hand by aas_unlink")
    assert it.warnings == ()


def test_a_recompile_of_links_reads_the_side_file_again_and_otherwise_keeps_it(tmp_path):
    path = tmp_path / "x.bsp"
    shutil.copy(SAMPLES / "by_hand.bsp", path)
    side = tmp_path / "x.links.toml"
    side.write_text((SAMPLES / "by_hand.links.toml").read_text())
    old = aascompile.compile_map(path, threads=1)
    side.write_text(side.read_text().replace("cost = 1.0", "cost = 7.0"))
    report = Report("x")
    again = compile_again(str(path), old, "x.aas.hdf", QUAKE3, report)
    assert again.links.time[ours(again)].tolist() == [700]
    assert report.warnings == []
    side.unlink()
    kept = compile_again(str(path), again, "x.aas.hdf", QUAKE3, report)
    assert kept.links.time[ours(kept)].tolist() == [700]
    assert report.warnings == ["x.links.toml was not found; its 1 entries are taken from the existing output"]
    side.write_text("[[block]]\nmins = [0, 0, 0]\nmaxs = [64, 64, 64]\n")
    with pytest.raises(StoreError, match="have changed; run a full compile"):
        compile_again(str(path), again, "x.aas.hdf", QUAKE3, report)


def test_a_cache_knows_the_side_file(tmp_path):
    path, cache = tmp_path / "x.bsp", tmp_path / "cache"
    shutil.copy(SAMPLES / "ledge.bsp", path)
    plain = aascompile.compile_map(path, cache=cache, threads=1)
    assert ours(plain).size == 0
    (tmp_path / "x.links.toml").write_text('[[link]]\nfrom=[128,0,0]\nto=[-128,0,96]\ntravel="jump"\n')
    for _ in range(2):
        found = aascompile.compile_map(path, cache=cache, threads=1)
        assert ours(found).size == 1
        assert len(found.warnings) == 1
    assert (found.areas.area_mins == plain.areas.area_mins).all()
    (tmp_path / "x.links.toml").write_text("[[cost]]\nmins=[-200,-50,96]\nmaxs=[-100,50,128]\nfactor=3\n")
    costly = aascompile.compile_map(path, cache=cache, threads=1)
    assert costly.areas.area_cost.max() == 3.0
    (tmp_path / "x.links.toml").unlink()
    assert ours(aascompile.compile_map(path, cache=cache, threads=1)).size == 0


def test_two_hundred_and_fifty_six_factors_are_too_many():
    boxes = [{"mins": [0, 0, 0], "maxs": [8, 8, 8], "factor": 1 + number / 100} for number in range(256)]
    assert fault("box", cost=boxes) == "links: has 256 different cost factors; the limit is 255"


def test_a_file_keeps_everything(tmp_path):
    it = compiled("box", cost=[{"mins": [-20, -20, 0], "maxs": [20, 20, 64], "factor": 0.25}])
    it.save(tmp_path / "box.aas.hdf")
    back = aascompile.read_compiled(tmp_path / "box.aas.hdf")
    assert (back.areas.area_cost == it.areas.area_cost).all()
    assert back.entities.keys == it.entities.keys
    assert replace(it.provenance) == back.provenance
