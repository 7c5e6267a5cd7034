"""``aas check``, ``export``, ``import`` and ``info`` of compiled files."""

from __future__ import annotations

import json
import re

import h5py
import numpy as np
import pytest

from aascompile.checks.check_compiled import REQUIREMENTS
from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.model.links import Travel
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.engine import read_engine, write_engine
from aascompile.store.hdf import read_compiled, write_compiled
from tests.conftest import ROOT
from tests.store.hand_made import with_links
from tests.store.same import different

KEYS = [
    *("file", "generator", "source", "bounds", "areas", "faces", "edges", "vertices", "planes", "nodes"),
    *("links", "clusters", "routes", "views", "rides", "context", "entities", "by_hand", "leak", "settings", "stages"),
]


def call(*arguments: object) -> int:
    """Run ``aas`` in this process."""
    return run(aas, "aas", [str(argument) for argument in arguments])


@pytest.fixture
def doorway(compiled_sample, tmp_path):
    """A compiled file with links and clusters."""
    path = tmp_path / "doorway.aas.hdf"
    write_compiled(str(path), with_links(compiled_sample("doorway")))
    return path


@pytest.fixture
def broken(compiled_sample, tmp_path):
    """A compiled file with doubled volumes of areas, and without times for two links."""
    path = tmp_path / "broken.aas.hdf"
    write_compiled(str(path), with_links(compiled_sample("doorway")))
    with h5py.File(path, "r+") as file:
        file["aas/areas/volume"][:] *= 2
        file["aas/links/time"][1:3] = 0
    return path


def test_check_of_a_valid_file(doorway, capsys):
    assert call("check", doorway) == 0
    assert capsys.readouterr() == (f"{doorway}: all requirements hold\n", "")
    assert call("check", "--json", doorway) == 0
    assert json.loads(capsys.readouterr().out) == [{"file": str(doorway), "ok": True, "failed": []}]


def compiled_with_links(folder, name):
    path = folder / f"{name}.aas.hdf"
    write_compiled(str(path), compile_map(str(ROOT / "samples" / f"{name}.bsp"), QUAKE3, Report(name)))
    return path


def test_check_replays_links(tmp_path, capsys):
    path = compiled_with_links(tmp_path, "stairs")
    assert call("check", "--replay", path) == 0
    out = capsys.readouterr().out
    assert "  replayed 2 links: 100 % arrive (99 % required)\n" in out
    assert re.search(r"\n    walk                   2 of        2  100 %  +\d+ bots: 100.0 % arrive, 0.0 % die\n", out)
    assert call("check", "--replay", "--json", path) == 0
    (done,) = json.loads(capsys.readouterr().out)
    walk = done["replay"]["kinds"]["walk"]
    assert (walk["links"], walk["arrived"]) == (2, 2)
    assert 0 < walk["bots"] == walk["bots_arrived"], "bots run up and down stairs"
    assert sum(row["bots"] for row in done["replay"]["bots"]) == walk["bots"]
    assert done["replay"]["failed"] == []


def test_check_lets_bots_follow_routes(tmp_path, capsys):
    path = compiled_with_links(tmp_path, "jumppad_short")
    call("check", "--replay", path)
    out = capsys.readouterr().out
    assert "\n  bots follow 3 routes from spawns and items to items:\n" in out
    assert re.search(r"\n    walk  +\d+ times +\d+\.\d\d % arrive, \d+\.\d\d % die\n", out)
    call("check", "--replay", "--json", path)
    (done,) = json.loads(capsys.readouterr().out)
    assert done["replay"]["routes"] == 3
    assert 0.0 <= done["replay"]["on_routes"]["walk"]["arrived"] <= 1.0


def test_check_replays_rides_and_says_what_it_does_not_replay(tmp_path, capsys):
    path = compiled_with_links(tmp_path, "bobbing_vertical")
    assert call("check", "--replay", path) == 0
    out = capsys.readouterr().out
    assert "  replayed 3 links: 100 % arrive (99 % required)\n" in out
    assert "\n    bobbing                2 of        2  100 %\n" in out
    assert out.endswith("\n    not replayed: 1 with a weapon\n")
    path = compiled_with_links(tmp_path, "rotating")
    assert call("check", "--replay", path) == 0
    assert capsys.readouterr().out.endswith("\n    bobbing                6 of        6  100 %\n")


def test_check_lists_links_that_miss(tmp_path, capsys):
    path = compiled_with_links(tmp_path, "barrier_high")
    with h5py.File(path, "r+") as file:
        kind, point = file["aas/links/kind"][:], file["aas/links/point"]
        row = int(np.flatnonzero(kind == Travel.BARRIER_JUMP)[0])
        point[2 * row] = point[2 * row] - [100.0, 0.0, 0.0]
        source, target = int(file["aas/links/source"][row]), int(file["aas/links/target"][row])
    assert call("check", "--replay", path) == 1
    out = capsys.readouterr().out
    assert "replayed 2 links: 50.00 % arrive (99 % required)" in out
    assert f"link {row}, barrier jump from area {source} (" in out
    assert f"to area {target} (" in out
    assert "gets stuck: it ends in area" in out
    assert call("check", "--replay", "--least", 0.5, path) == 0
    capsys.readouterr()
    assert call("check", "--replay", "--json", path) == 1
    (done,) = json.loads(capsys.readouterr().out)
    (miss,) = done["replay"]["failed"]
    assert (miss["link"], miss["kind"], miss["reason"], miss["area"]) == (row, "barrier_jump", "held_up", source)


def test_check_lists_requirements_and_rows(doorway, broken, capsys):
    assert call("check", broken, doorway) == 1
    out, err = capsys.readouterr()
    assert err == ""
    first, volume, time, last = out.splitlines()
    assert first == f"{broken}: 2 of {len(REQUIREMENTS)} requirements do not hold"
    assert volume.startswith("  A10: ")
    assert volume.endswith("; not so: areas 0, 1, 2, 3, 4, 5")
    assert time == "  L8: time is 1 to 65,535; not so: links 1, 2"
    assert last == f"{doorway}: all requirements hold"
    assert call("check", "--json", broken) == 1
    (checked,) = json.loads(capsys.readouterr().out)
    assert [(row["id"], row["count"], row["rows"]) for row in checked["failed"]] == [
        ("A10", 6, [0, 1, 2, 3, 4, 5]),
        ("L8", 2, [1, 2]),
    ]


def test_check_reports_broken_structure(doorway, capsys):
    with h5py.File(doorway, "r+") as file:
        file["aas/nodes/child"][0] = 0
    assert call("check", doorway) == 1
    assert "  T1: " in capsys.readouterr().out
    assert call("info", doorway) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {doorway}: is damaged (T1: ")


@pytest.mark.parametrize("command", ["check", "info"])
def test_unreadable_files_are_reported(command, doorway, tmp_path, capsys):
    bad = tmp_path / "bad.aas.hdf"
    bad.write_bytes(doorway.read_bytes()[:1000])
    assert call(command, bad, tmp_path / "none.aas.hdf", doorway) == 1
    out, err = capsys.readouterr()
    assert err.count("error: ") == err.count("\n") == 2
    assert f"error: {bad}: is damaged (" in err
    assert out.startswith(str(doorway))


def test_export_and_import(doorway, tmp_path, capsys):
    target = tmp_path / "doorway.aas"
    assert call("export", doorway, target) == 0
    out, err = capsys.readouterr()
    assert out == f"{target}: 6 areas, {target.stat().st_size:,} bytes\n"
    assert err == ""
    assert target.read_bytes() == write_engine(read_compiled(str(doorway)))
    assert call("import", target, "-o", tmp_path / "other.hdf") == 0
    assert capsys.readouterr().out == f"{tmp_path / 'other.hdf'}: 6 areas\n"
    found = read_compiled(str(tmp_path / "other.hdf"))
    assert different(found, read_engine(target.read_bytes(), str(target))) == []
    assert call("export", tmp_path / "other.hdf", tmp_path / "again.aas") == 0
    assert (tmp_path / "again.aas").read_bytes() == target.read_bytes()


def test_import_never_overwrites_by_default(doorway, tmp_path, capsys):
    before = doorway.read_bytes()
    assert call("export", doorway, tmp_path / "doorway.aas") == 0
    assert call("import", tmp_path / "doorway.aas") == 1
    assert doorway.read_bytes() == before
    assert capsys.readouterr().err == f"error: {doorway}: already exists; --force replaces it\n"
    (tmp_path / "doorway.aas").rename(tmp_path / "other.aas")
    assert call("import", tmp_path / "other.aas") == 0
    assert capsys.readouterr().out == f"{tmp_path / 'other.aas.hdf'}: 6 areas\n"


def test_export_of_map_source_warns(doorway, tmp_path, capsys):
    with h5py.File(doorway, "r+") as file:
        file.attrs["checksum"] = np.int64(0)
    assert call("export", doorway, tmp_path / "x.aas") == 0
    assert capsys.readouterr().err.startswith("warning: it was compiled from map source")


def test_export_and_import_of_wrong_files(doorway, tmp_path, capsys):
    assert call("export", tmp_path / "none", tmp_path / "x.aas") == 1
    assert call("import", doorway) == 1
    assert call("export", doorway, tmp_path / "none" / "x.aas") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        f"error: {tmp_path / 'none'}: cannot be read (no such file or directory)",
        f"error: {doorway}: is not an engine .aas file",
        f"error: {tmp_path / 'none' / 'x.aas'}: cannot be written (no such file or directory)",
    ]
    assert list(tmp_path.iterdir()) == [doorway]


def test_info_text(doorway, capsys):
    assert call("info", doorway) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == str(doorway)
    for line in ("  areas     6, ", "    by flags", "    by presence", "  links     ", "  clusters  2, 1 portals, "):
        assert line in out
    assert "  leak      none" in lines
    assert "from      doorway.bsp, sha256 " in out
    assert max(len(line) for line in lines[1:]) <= 120


def test_info_json(doorway, compiled_sample, samples, tmp_path, capsys):
    leaking = tmp_path / "leak.aas.hdf"
    write_compiled(str(leaking), compiled_sample("leak"))
    assert call("info", "--json", doorway, samples / "box.map", leaking) == 0
    first, box, leak = json.loads(capsys.readouterr().out)
    assert list(first) == list(leak) == KEYS
    assert "map" in box
    assert first["areas"]["count"] == 6
    assert sum(first["areas"]["presence"].values()) == 6
    assert set(first["areas"]["presence"]) == {"standing or crouched", "crouched"}
    assert first["links"]["kinds"] == {"walk": first["links"]["count"]}
    assert first["clusters"] == {"count": 2, "portals": 1, "largest": first["clusters"]["largest"]}
    assert first["settings"]["name"] == "quake3"
    assert first["leak"] == []
    assert len(leak["leak"]) > 1
    assert leak["links"] is None
    assert leak["clusters"] is None


def test_info_of_an_engine_file(doorway, tmp_path, capsys):
    target = tmp_path / "doorway.aas"
    assert call("export", doorway, target) == 0
    capsys.readouterr()
    assert call("info", target) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == str(target)
    assert "  areas     6, " in out
    assert "box 2 or box 4" in out


def test_names_cannot_contain_terminal_codes(doorway, capsys):
    with h5py.File(doorway, "r+") as file:
        file.attrs["name"] = "ev\x1b[31mil"
    assert call("info", doorway) == 0
    assert "\x1b" not in capsys.readouterr().out
