"""``aas diff``: what it says of two files, and its exit codes."""

from __future__ import annotations

import json
from dataclasses import replace
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


def diff(*arguments: object) -> int:
    return run(aas, "aas", ["diff", *(str(one) for one in arguments)])


@pytest.fixture(scope="module")
def doorway(samples, tmp_path_factory) -> Path:
    """The sample doorway, compiled."""
    path = tmp_path_factory.mktemp("diff") / "doorway.aas.hdf"
    write_compiled(str(path), compile_map(str(samples / "doorway.bsp"), QUAKE3, Report("doorway")))
    return path


@pytest.fixture
def block(samples, tmp_path) -> Path:
    """The same room with a block in the middle of its eastern part, as a map."""
    brush = ["{"]
    for a, b, c in (
        ("128 -32 0", "128 -31 0", "128 -32 1"), ("192 -32 0", "192 -32 1", "192 -31 0"),
        ("128 -32 0", "128 -32 1", "129 -32 0"), ("128 32 0", "129 32 0", "128 32 1"),
        ("128 -32 0", "129 -32 0", "128 -31 0"), ("128 -32 96", "128 -31 96", "129 -32 96"),
    ):  # fmt: skip
        brush.append(f"( {a} ) ( {b} ) ( {c} ) base_wall/concrete 0 0 0 0.5 0.5 0 0 0")
    text = (samples / "doorway.map").read_text()
    at = text.index("{", text.index("{") + 1)
    path = tmp_path / "block.map"
    path.write_text(text[:at] + "\n".join([*brush, "}", ""]) + text[at:])
    return path


def test_a_file_and_itself(doorway, samples, capsys):
    assert diff(doorway, doorway) == 0
    assert capsys.readouterr() == (f"{doorway} -> {doorway}\nno difference: 6 areas, 4 links\n", "")
    assert diff(doorway, samples / "doorway.bsp") == 0, "maps are compiled"


def test_a_file_and_the_engines(doorway, tmp_path, capsys):
    from aascompile.store.read import load_compiled

    engine = tmp_path / "doorway.aas"
    engine.write_bytes(write_engine(load_compiled(str(doorway))))
    assert diff(doorway, engine) == 0
    assert diff(engine, doorway) == 0


def test_a_block_takes_space_and_ways(doorway, block, capsys):
    assert diff(doorway, block) == 1
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[1].startswith("areas     6 -> ")
    assert " cubic units lost" in lines[1]
    assert " cubic units gained" not in lines[1]
    assert diff(block, doorway) == 1
    assert " cubic units gained" in capsys.readouterr().out.splitlines()[1]


def test_json_tells_the_volume_that_was_lost(doorway, block, capsys):
    assert diff(doorway, block, "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"old", "new", "equal", "areas", "links", "clusters"}
    assert told["equal"] is False
    areas = told["areas"]
    # No origin gets into the block of 64 x 64 x 96 grown by 15 to the sides and 24 up; they begin 24 above the floor.
    assert areas["volume_lost"] == pytest.approx(94 * 94 * 96, rel=1e-3)
    assert areas["volume_gained"] == pytest.approx(0, abs=5)
    groups = [one for name, found in areas.items() if isinstance(found, list) for one in found]
    old = [area for one in groups for area in one["old"]]
    assert len(old) == len(set(old)) == areas["old"] - areas["same"]
    assert len([area for one in groups for area in one["new"]]) == areas["new"] - areas["same"]
    east = [one for one in groups if len(one["new"]) > 1]
    assert east
    assert all(one["point"][0] > 0 for one in east), "what was cut up lies to the east"


def test_a_link_that_is_gone(doorway, tmp_path, capsys):
    from aascompile.model.links import select_links
    from aascompile.store.read import load_compiled

    compiled = load_compiled(str(doorway))
    links = compiled.links
    fewer = select_links(links, np.arange(len(links)) > 0)
    fewer.time[0] += 50
    path = tmp_path / "fewer.aas.hdf"
    write_compiled(str(path), replace(compiled, links=fewer))
    assert diff(doorway, path) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "areas     6 -> 6, 6 the same"
    assert lines[2] == "links     4 -> 3, 2 the same"
    assert [line.split()[:2] for line in lines[3:5]] == [["lost", "walk"], ["moved", "walk"]]
    assert diff(path, doorway, "--json") == 1
    told = json.loads(capsys.readouterr().out)["links"]
    assert (told["lost"], len(told["gained"]), told["gained"][0]["link"]) == ([], 1, 0)
    assert told["gained"][0]["start"] == pytest.approx(links.start[0], abs=1e-3)
    (moved,) = told["moved"]
    assert moved["time"] - moved["now"]["time"] == 50


def test_an_area_that_is_altered(doorway, tmp_path, capsys):
    from aascompile.store.read import load_compiled

    compiled = load_compiled(str(doorway))
    compiled.areas.area_contents[2] = 0x100
    path = tmp_path / "barred.aas.hdf"
    write_compiled(str(path), compiled)
    assert diff(doorway, path) == 1
    line = capsys.readouterr().out.splitlines()[2]
    assert line.split()[:5] == ["altered", "area", "2", "->", "area"]
    assert line.endswith("contents none -> donotenter")


def test_many_are_shortened(samples, capsys):
    assert diff(samples / "pillars.bsp", samples / "slanted.bsp") == 1
    out = capsys.readouterr().out
    assert " more (--json lists all)\n" in out
    assert max(len(line) for line in out.splitlines()) < 240


@pytest.mark.parametrize("arguments", [[], ["one"], ["one", "two", "three"], ["none.hdf", "none.hdf"]])
def test_trouble(arguments, capsys):
    assert diff(*arguments) == 2
    assert capsys.readouterr().err != ""


def test_files_without_shapes(doorway, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("aascompile.nav.difference.has_shapes", lambda areas: False)
    assert diff(doorway, doorway) == 2
    assert "has areas without faces" in capsys.readouterr().err
