"""``aas area``, ``aas route`` and ``aas times``: names of places, text and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import aascompile
from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.errors import RouteError
from aascompile.nav.names import place_named
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Compiled samples, and one as an engine file."""
    place = tmp_path_factory.mktemp("route")
    for name in ("ledge", "pillars", "rocketjump"):
        compiled = aascompile.compile_map(ROOT / "samples" / f"{name}.bsp")
        compiled.save(place / f"{name}.aas.hdf")
    compiled.save_engine(place / "rocketjump.aas")
    return place


def ask(*words: object) -> int:
    return run(aas, "aas", [str(word) for word in words])


def answer(capsys, *words: object):
    assert ask(*words, "--json") == 0
    return json.loads(capsys.readouterr().out)


def test_every_kind_of_name_finds_its_place(folder):
    nav = aascompile.load(folder / "ledge.aas.hdf")
    compiled, (item,) = nav.compiled, nav.items
    for text in (
        item.classname,
        item.classname.upper(),
        f"{item.classname}:0",
        "item",
        "item:0",
        f"entity:{item.entity}",
    ):
        found = place_named(compiled, text)
        assert (found.area, found.point, found.is_area, found.name) == (item.area, item.point, False, text)
    for number, spawn in enumerate(nav.spawns):
        assert place_named(compiled, f"spawn:{number}").point == spawn.point
    assert place_named(compiled, "1").is_area
    point = "{:g},{:g},{:g}".format(*item.point)
    assert place_named(compiled, point).area == place_named(compiled, point.replace(",", " ")).area == item.area


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("spawn", "there are 2 of them: choose spawn:0 to spawn:1"),
        ("spawn:2", "there is no such spawn: they are numbered spawn:0 to spawn:1"),
        ("item_quad", "is neither an area number nor a point x,y,z, nor an item or spawn"),
        ("entity:0", r"is an entity without a place \(worldspawn\)"),
        ("99", "there is no such area; areas are numbered 0 to 2"),
        ("0,0,9000", "no player fits there"),
        ("a b", "is neither"),
        ("", "is neither"),
    ],
)
def test_wrong_names_are_reported(folder, capsys, text: str, message: str):
    compiled = aascompile.read_compiled(folder / "ledge.aas.hdf")
    with pytest.raises(RouteError, match=message):
        place_named(compiled, text)
    assert ask("area", folder / "ledge.aas.hdf", text) == 2


def test_engine_files_have_no_names(folder, capsys):
    assert ask("route", folder / "rocketjump.aas", "--from", "spawn:0", "--to", "1") == 2
    assert "this file has no entities" in capsys.readouterr().err
    assert ask("times", folder / "rocketjump.aas") == 1
    assert "has no items and spawns" in capsys.readouterr().err
    assert ask("area", folder / "rocketjump.aas", "1") == 0


def test_an_area_is_described(folder, capsys):
    nav = aascompile.load(folder / "ledge.aas.hdf")
    spawn = nav.spawns[0]
    by_name, by_number = answer(capsys, "area", folder / "ledge.aas.hdf", "spawn:0", str(spawn.area))
    assert by_name["area"] == by_number["area"] == spawn.area
    assert by_name["point"] == list(spawn.point)
    assert (by_name["flags"], by_name["stand"], by_name["links_from"]) == (["grounded"], True, 1)
    assert spawn.entity in by_name["entities"]
    assert ask("area", folder / "ledge.aas.hdf", "spawn:0") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"spawn:0: area {spawn.area} (")
    assert lines[-1].startswith("  contains  entity ")


def test_routes_are_those_of_the_library(folder, capsys):
    path = folder / "pillars.aas.hdf"
    nav = aascompile.load(path)
    start = nav.spawns[0]
    times = nav.times([start.area], range(len(nav)))[0]
    goal = int(np.where(np.isfinite(times), times, -1.0).argmax())
    found = answer(capsys, "route", path, "--from", "spawn:0", "--to", goal, "--alternatives", 3)
    expected = nav.alternatives(start.point, goal, 3)
    assert [route["time"] for route in found["routes"]] == [round(route.seconds, 2) for route in expected]
    assert [[step["link"] for step in route["steps"]] for route in found["routes"]] == [
        route.rows.tolist() for route in expected
    ]
    assert ask("route", path, "--from", "spawn:0", "--to", goal) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"  route: {expected[0].seconds:.1f} s, {len(expected[0])} link{'s' * (len(expected[0]) != 1)}"
    assert len(lines) == 2 + len(expected[0])


def test_travel_types_can_be_avoided(folder, capsys):
    path = folder / "rocketjump.aas.hdf"
    nav = aascompile.load(path)
    link = next(nav.link(row) for row in range(99) if nav.link(row).travel == aascompile.Travel.ROCKET_JUMP)
    ends = ("--from", link.source, "--to", link.target)
    (step,) = answer(capsys, "route", path, *ends)["routes"][0]["steps"]
    assert step["kind"] == "rocket_jump"
    assert ask("route", path, *ends, "--avoid", "rocket_jump") == 1
    assert "there is no route" in capsys.readouterr().err
    assert ask("route", path, *ends, "--avoid", "flying") == 1
    assert "'flying' cannot be avoided: choose among walk" in capsys.readouterr().err
    all_times, few = (answer(capsys, "times", path, *words) for words in ((), ("--avoid", "rocket_jump")))
    assert [item["seconds"] for item in all_times["items"]] != [item["seconds"] for item in few["items"]]


def test_times_from_spawns_to_items(folder, capsys):
    path = folder / "ledge.aas.hdf"
    nav = aascompile.load(path)
    found = answer(capsys, "times", path)
    assert found["spawns"] == [spawn.entity for spawn in nav.spawns]
    for item, place in zip(found["items"], nav.items, strict=True):
        for time, spawn in zip(item["seconds"], nav.spawns, strict=True):
            try:
                assert time == round(nav.route(spawn.point, place.point).seconds, 2)
            except RouteError:
                assert time is None
    assert ask("times", path) == 0
    assert capsys.readouterr().out.startswith("seconds from 2 spawns to 1 item\n")
