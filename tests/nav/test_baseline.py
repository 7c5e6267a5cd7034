"""Expected counts: what changed, what may change, and the file they are kept in."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from aascompile.errors import StoreError
from aascompile.model.areas import AreaFlag
from aascompile.model.contents import Kind
from aascompile.model.links import Travel
from aascompile.nav.baseline import FORMAT, Baseline, Move, name_of, read_baseline
from aascompile.nav.counts import count_all
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from tests.nav.boxes import boxes_map

BOXES = [(0, 0, 0, 100, 100, 80), (100, 0, 0, 200, 100, 80), (200, 0, 0, 300, 100, 80)]


# --- counting ---------------------------------------------------------------------------------------------------------


def test_everything_is_counted_by_kind() -> None:
    links = [(0, 1, Travel.WALK), (1, 0, Travel.WALK), (1, 2, Travel.JUMP)]
    compiled = boxes_map(BOXES, links, [1])
    compiled.areas.area_contents[0] = Kind.WATER | Kind.DONOTENTER
    compiled.areas.area_flags[0] = AreaFlag.LIQUID
    compiled.areas.area_presence[2] = 4
    assert list(count_all(compiled).items()) == [
        ("areas", 3), ("areas.grounded", 2), ("areas.liquid", 1), ("areas.water", 1), ("areas.donotenter", 1),
        ("areas.low", 1), ("links", 3), ("links.walk", 2), ("links.jump", 1), ("clusters", 2), ("portals", 1),
        ("leaks", 0),
    ]  # fmt: skip


def test_what_was_not_computed_is_not_counted() -> None:
    bare = replace(boxes_map(BOXES), links=None, clusters=None)
    assert list(count_all(bare)) == ["areas", "areas.grounded", "leaks"]


def test_counts_of_a_sample_add_up(samples) -> None:
    found = count_all(compile_map(str(samples / "lava.bsp"), QUAKE3, Report("lava")))
    assert found["areas"] > found["areas.lava"] > 0
    assert found["links"] == sum(count for name, count in found.items() if name.startswith("links."))
    assert (found["spawns"], found["spawns.unreached"], found["items.unreached"]) == (2, 0, 0)


# --- comparing --------------------------------------------------------------------------------------------------------

BEFORE = {"areas": 100, "areas.grounded": 40, "areas.water": 3, "links": 200, "links.walk": 200, "items": 5}


def moves(now: dict[str, int], tolerance: dict | None = None, own: dict | None = None) -> list[Move]:
    baseline = Baseline({"m": BEFORE}, tolerance or {}, {"m": own} if own else {})
    return baseline.moves("m", now)


def test_equal_counts_are_no_moves() -> None:
    assert moves(BEFORE) == []
    assert moves(dict(reversed(BEFORE.items()))) == [], "order does not count"


def test_moves_are_in_the_order_of_the_counts() -> None:
    now = {"areas": 101, "areas.grounded": 40, "areas.lava": 1, "links": 200, "links.walk": 190, "links.jump": 10}
    assert moves(now) == [
        Move("areas", 100, 101, 0),
        Move("areas.lava", 0, 1, 0),
        Move("areas.water", 3, 0, 0),
        Move("links.walk", 200, 190, 0),
        Move("links.jump", 0, 10, 0),
        Move("items", 5, None, 0),
    ]


def test_a_count_missing_from_the_baseline_is_a_move() -> None:
    assert moves({**BEFORE, "spawns": 0}) == [Move("spawns", None, 0, 0)]


@pytest.mark.parametrize(
    ("tolerance", "own", "allowed"),
    [
        ({}, {}, 0),
        ({"areas": 2}, {}, 2),
        ({"areas": "2.9%"}, {}, 2),
        ({"areas": "0%"}, {}, 0),
        ({"*": 3}, {}, 3),
        ({"*": 3, "areas": 1}, {}, 1),
        ({"a*": 5, "*": 3}, {}, 5),
        ({"areas": 9}, {"*": 4}, 4),
        ({"areas": 9}, {"links": 4}, 9),
        ({"areas.*": 9}, {}, 0),
    ],
)
def test_the_most_specific_tolerance_applies(tolerance: dict, own: dict, allowed: int) -> None:
    for now in (100 - allowed, 100 + allowed):
        assert moves({**BEFORE, "areas": now}, tolerance, own) == []
    for now in (99 - allowed, 101 + allowed):
        assert moves({**BEFORE, "areas": now}, tolerance, own) == [Move("areas", 100, now, allowed)]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("samples/box.bsp", "box"),
        ("out/box.aas.hdf", "box"),
        ("box.AAS", "box"),
        ("x.hdf", "x"),
        ("pak.pk3/maps/q3dm1.bsp", "q3dm1"),
        ("C:\\maps\\a.b.map", "a.b"),
        ("odd", "odd"),
    ],
)
def test_maps_and_their_compiled_files_have_the_same_name(path: str, name: str) -> None:
    assert name_of(path) == name


# --- the file ---------------------------------------------------------------------------------------------------------


def test_a_baseline_is_read_back_and_rewritten_unchanged(tmp_path) -> None:
    path = str(tmp_path / "counts.json")
    first = Baseline({"b": {"areas": 2, "links": 1}, "a": BEFORE}, {"links.*": "1%"}, {"b": {"areas": 1}})
    first.write(path)
    again = read_baseline(path)
    assert again == first
    assert again.text() == first.text()
    lines = first.text().splitlines()
    assert [line.strip(' ":{') for line in lines if line.strip() in ('"a": {', '"b": {')] == ["a", "b"]
    assert '    "areas.grounded": 40,' in lines, "a count has a line of its own"
    again.maps["c"] = {"areas": 7}
    added = [line for line in again.text().splitlines() if line not in lines]
    assert [line.strip() for line in added] == ['"c": {', '"areas": 7'], "another map changes no other line"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a baseline, because it is not JSON (line 1, column 1)"),
        ("[" * 100_000, "is not a baseline"),
        ("\xff", "is not a baseline"),
        ("[]", 'it has no "format"'),
        ('{"format": "aas counts 2"}', 'it has no "format"'),
        ({"maps": []}, "maps is not an object"),
        ({"maps": {"m": 1}}, "m is not an object"),
        ({"maps": {"m": {"counts": [1]}}}, "m is not an object"),
        ({"maps": {"m": {"counts": {"areas": "many"}}}}, 'm: areas is "many", but must be a whole number'),
        ({"maps": {"m": {"counts": {"areas": True}}}}, "m: areas is true"),
        ({"maps": {"m": {"counts": {"areas": -1}}}}, "m: areas is -1"),
        ({"tolerance": 1}, "tolerance is not an object"),
        ({"tolerance": {"[" * 40_000: 1}}, "tolerance has a name of 40,000 characters, more than 100"),
        ({"tolerance": {"areas": -1}}, "tolerance of areas is -1, but must be a whole number or a share"),
        ({"tolerance": {"areas": "2"}}, 'tolerance of areas is "2"'),
        ({"tolerance": {"areas": "x%"}}, 'tolerance of areas is "x%"'),
        ({"tolerance": {"areas": "inf%"}}, 'tolerance of areas is "inf%"'),
        ({"tolerance": {"areas": True}}, "tolerance of areas is true"),
        ({"maps": {"m": {"tolerance": {"areas": 0.5}}}}, "m: tolerance of areas is 0.5"),
    ],
)
def test_broken_baselines_are_rejected(tmp_path, text, message: str) -> None:
    path = tmp_path / "counts.json"
    path.write_bytes((text if isinstance(text, str) else json.dumps({"format": FORMAT} | text)).encode("latin-1"))
    with pytest.raises(StoreError) as caught:
        read_baseline(str(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
