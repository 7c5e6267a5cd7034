"""``aas explain`` as a command: areas and points, text and JSON, and invalid questions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.engine import write_engine
from aascompile.store.hdf import write_compiled
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Compiled samples."""
    place = tmp_path_factory.mktemp("explain")
    for name in ("ledge", "stairs", "clusterportal", "doorway", "rocketjump", "train"):
        compiled = compile_map(str(ROOT / "samples" / f"{name}.bsp"), QUAKE3, Report(name))
        write_compiled(str(place / f"{name}.aas.hdf"), compiled)
        (place / f"{name}.aas").write_bytes(write_engine(compiled))
    return place


def explain(*arguments: object) -> int:
    return run(aas, "aas", ["explain", *(str(argument) for argument in arguments)])


def answer(capsys, *arguments: object) -> dict:
    assert explain(*arguments, "--json") == 0
    return json.loads(capsys.readouterr().out)


def test_a_drop_leads_down_and_nothing_leads_back(folder, capsys):
    assert explain(folder / "ledge.aas.hdf", "--from", 2, "--to", 1) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("from area 2 (")
    assert out[1].startswith("  walk off ledge leads there: from (")
    assert out[1].endswith(" in 0.76 s")
    assert "    walk              too deep by 77 units for a step: from (" in "\n".join(out)
    assert explain(folder / "ledge.aas.hdf", "--from", 1, "--to", 2) == 0
    out = capsys.readouterr().out
    assert "  no direct link:\n" in out
    assert "    barrier jump      too high by 36 units to climb: from (" in out
    assert "    walk off ledge    area 2 is 96 units higher; a fall only leads down\n" in out
    assert "    ladder            neither area has a ladder\n" in out
    assert "  no route: 1 area can be reached; nearest to the goal is area 1 (" in out


def test_points_and_the_fastest_route(folder, capsys):
    result = answer(capsys, folder / "clusterportal.aas.hdf", "--from", "-300,0,0", "--to", "300,0,0")
    steps = result["route"]["steps"]
    assert len(steps) > 3
    assert {step["kind"] for step in steps} == {"walk"}
    assert steps[-1]["area"] == result["to"]["area"]
    assert result["from"]["point"][2] == pytest.approx(24.0, abs=0.2)
    assert result["ends"] is None
    assert explain(folder / "clusterportal.aas.hdf", "--from", "-300 0 0", "--to", "300 0 0") == 0
    out = capsys.readouterr().out
    assert f"  the fastest route has {len(steps)} links and takes " in out
    assert f"    walk to {steps[0]['area']}, walk to " in out


def test_two_points_in_the_same_area(folder, capsys):
    assert explain(folder / "ledge.aas.hdf", "--from", 1, "--to", 1) == 0
    assert capsys.readouterr().out.endswith("\n  both are in the same area, where a player moves in a straight line\n")


def test_json_keys(folder, capsys):
    result = answer(capsys, folder / "ledge.aas.hdf", "--from", 1, "--to", 2)
    assert list(result) == ["file", "from", "to", "kinds", "removed", "blocked", "route", "ends"]
    assert (result["route"], result["ends"]["area"], result["ends"]["reached"]) == (None, 1, 1)
    (jump,) = [kind for kind in result["kinds"] if kind["kind"] == "barrier_jump"]
    keys = [
        "kind",
        "linked",
        "link",
        "reason",
        "measure",
        "start",
        "place",
        "area",
        "areas",
        "hit",
        "by",
        "by_hand",
        "text",
        "margin",
        "ride",
    ]
    assert list(jump) == keys
    assert (jump["linked"], jump["reason"], jump["area"]) == (False, "too_high", 2)
    assert jump["measure"] == pytest.approx(36.0)


def test_an_engine_file_gives_the_same_reasons(folder, capsys):
    ours, engine = (answer(capsys, folder / f"ledge.aas{end}", "--from", 1, "--to", 2) for end in (".hdf", ""))
    ours_reasons, engine_reasons = (
        {kind["kind"]: kind["reason"] for kind in result["kinds"]} for result in (ours, engine)
    )
    assert {name for name, reason in ours_reasons.items() if reason != engine_reasons[name]} <= {"rocket_jump"}
    assert np.allclose([k["measure"] for k in ours["kinds"]], [k["measure"] for k in engine["kinds"]], atol=0.01)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("99", "there is no such area; areas are numbered 0 to "),
        ("-1", "there is no such area"),
        ("1.5", "is neither an area number nor a point x,y,z"),
        ("1,2", "is neither an area number nor a point x,y,z"),
        ("here", "is neither an area number nor a point x,y,z"),
        ("nan,0,0", "is neither an area number nor a point x,y,z"),
        ("0,0,9000", "no player fits there"),
    ],
)
def test_invalid_ends_are_reported(folder, capsys, place, message):
    assert explain(folder / "doorway.aas.hdf", f"--from={place}", "--to", 1) == 2
    assert message in capsys.readouterr().err


def test_a_file_without_links(compiled_sample, tmp_path, capsys):
    path = tmp_path / "box.aas.hdf"
    write_compiled(str(path), compiled_sample("box"))
    assert explain(path, "--from", 0, "--to", 1) == 1
    assert capsys.readouterr().err == f"error: {path}: has no links, so there is nothing to explain\n"


def test_a_goal_that_is_not_reached(folder, capsys):
    """Only a rocket jump leads to the item: the rise is named, with what to change."""
    assert explain(folder / "rocketjump.aas.hdf", "--to", "item_quad") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "item_quad: none of 2 spawns has a route to it"
    assert re.match(r"  item_quad \(entity \d+\) at \(.*\): a rise of \d+ units from \(.*\) to \(.*\) is ", out[1])
    assert out[1].endswith("; only a weapon jump leads there")
    assert not any("teleporter" in line and "add" not in line for line in out), "what cannot apply is left out"
    result = answer(capsys, folder / "rocketjump.aas.hdf", "--to", "item_quad")
    assert list(result) == ["file", "goal", "spawns", "routed", "longest", "why", "tried"]
    (why,) = result["why"]
    assert (result["spawns"], result["routed"], why["cause"]) == (2, 0, "missed")
    everything = answer(capsys, folder / "rocketjump.aas.hdf", "--to", "unreached")
    assert everything["why"] == result["why"]
    by_area = answer(capsys, folder / "rocketjump.aas.hdf", "--to", why["to"])
    assert (by_area["routed"], by_area["why"][0]["from"], by_area["why"][0]["to"]) == (0, why["from"], why["to"])


def test_a_goal_that_is_reached(folder, capsys):
    result = answer(capsys, folder / "stairs.aas.hdf", "--to", "item:0")
    assert (result["routed"], result["why"]) == (result["spawns"], [])
    assert 0.5 < result["longest"] < 5.0
    assert explain(folder / "stairs.aas.hdf", "--to", "item:0") == 0
    assert capsys.readouterr().out.startswith(
        f"item:0: all of {result['spawns']} spawns have a route to it\n  the longest "
    )
    assert explain(folder / "stairs.aas.hdf", "--to", "unreached") == 0
    assert capsys.readouterr().out == "every spawn has a route to every item (2 spawns)\n"


def test_goals_that_do_not_exist(folder, capsys):
    assert explain(folder / "stairs.aas.hdf", "--to", "item_nothing") == 2
    assert "--to item_nothing: is neither an area number nor" in capsys.readouterr().err
    assert explain(folder / "stairs.aas", "--to", 1) == 1
    assert "has no items and spawns, so --from must say" in capsys.readouterr().err


def test_a_ride_is_explained_below_its_link(folder, capsys):
    assert explain(folder / "train.aas.hdf", "--from", "448,0,30", "--to", "-448,0,30") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:5] == [
        "  bobbing leads there: from (328 0 24.1) to (-328 0 24.1) in 8.2 s",
        "    carried by a func_train (model 1, entity 4), 128 × 128 × 16",
        "    waits at (328 0 24), gets on at (296 0 24), gets off at (-296 0 24)",
        "    it comes every 10.2 s, and players wait 5.1 s on average; then the ride, 496 units, takes 3.1 s",
    ]
