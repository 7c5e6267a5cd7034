"""``aascompile``: output files, text, JSON and exit codes."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from aascompile.checks.check_compiled import failures
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.stages import STAGES
from aascompile.store.read import load_compiled


def aascompile(*arguments: object) -> int:
    return run(compile_maps, "aascompile", [str(argument) for argument in arguments])


@pytest.fixture
def maps(samples, tmp_path) -> Path:
    """A folder with copies of two samples and the leak."""
    for name in ("box", "doorway", "leak"):
        shutil.copy(samples / f"{name}.bsp", tmp_path / f"{name}.bsp")
    return tmp_path


def names(folder: Path) -> set[str]:
    """Names of all files in a folder, including hidden ones."""
    return {path.name for path in folder.iterdir()}


def test_the_output_is_written_beside_the_map(maps, capsys):
    before = names(maps)
    assert aascompile(maps / "doorway.bsp") == 0
    out, err = capsys.readouterr()
    heading, row, routes, wrote = out.splitlines()
    assert routes == "  routes    every spawn has a route to every item (2 spawns, 1 item)"
    assert wrote == f"  wrote     {maps / 'doorway.aas.hdf'}"
    assert heading.split() == [
        "map",
        "areas",
        "grounded",
        "liquid",
        "faces",
        "links",
        "clusters",
        "seconds",
        "MB",
    ]
    assert row.split()[:4] == [str(maps / "doorway.bsp"), "6", "3", "0"]
    assert err == ""
    assert names(maps) - before == {"doorway.aas.hdf"}
    compiled = load_compiled(str(maps / "doorway.aas.hdf"))
    assert len(compiled.areas) == 6
    assert failures(compiled) == []


def test_the_engine_file_is_written_beside_the_output(maps):
    assert aascompile(maps / "box.bsp", "-o", maps / "new" / "x.aas.hdf", "--aas") == 0
    assert names(maps / "new") == {"x.aas", "x.aas.hdf"}
    ours, engine = load_compiled(str(maps / "new" / "x.aas.hdf")), load_compiled(str(maps / "new" / "x.aas"))
    assert len(ours.areas) == len(engine.areas) == 2
    assert ours.provenance.checksum == engine.provenance.checksum != 0


def test_several_maps_go_into_a_folder(maps, capsys):
    assert aascompile(maps / "box.bsp", maps / "doorway.bsp", "-o", maps / "out") == 0
    assert names(maps / "out") == {"box.aas.hdf", "doorway.aas.hdf"}
    _, first, second, total, wrote = capsys.readouterr().out.splitlines()
    assert total.split()[:2] == ["2", "maps"]
    assert wrote == f"wrote 2 files to {maps / 'out'}"
    for column in (1, 2, 4):
        assert int(total.split()[column + 1]) == int(first.split()[column]) + int(second.split()[column])


def test_maps_in_an_archive_are_compiled_into_the_current_folder(maps, monkeypatch):
    with zipfile.ZipFile(maps / "pak.pk3", "w") as pack:
        pack.write(maps / "box.bsp", "maps/box.bsp")
        pack.write(maps / "doorway.bsp", "maps/doorway.bsp")
    (maps / "here").mkdir()
    monkeypatch.chdir(maps / "here")
    assert aascompile(maps / "pak.pk3/maps/*.bsp") == 0
    assert names(maps / "here") == {"box.aas.hdf", "doorway.aas.hdf"}


def test_a_failing_map_does_not_stop_the_others(maps, capsys):
    (maps / "broken.bsp").write_bytes(b"IBSP")
    assert aascompile(maps / "broken.bsp", maps / "none.bsp", maps / "leak.bsp", maps / "box.bsp") == 1
    out, err = capsys.readouterr()
    assert [line.split(": ")[:2] for line in err.splitlines()] == [
        ["error", str(maps / f"{name}.bsp")] for name in ("broken", "none", "leak")
    ]
    lines = out.splitlines()
    assert lines[0] == str(maps / "leak.bsp"), "notes on a map come before the table"
    assert lines[1].startswith("  trail out of the map: ")
    assert [line.split()[1] for line in lines[3:-2]] == ["failed", "failed", "failed", "2"]
    assert lines[-2].startswith("4 maps, 3 failed ")
    assert not (maps / "leak.aas.hdf").exists()
    assert (maps / "box.aas.hdf").exists()


def test_output_does_not_depend_on_jobs(maps, capsys):
    (maps / "broken.bsp").write_bytes(b"IBSP")
    named = [maps / f"{name}.bsp" for name in ("broken", "box", "none", "doorway", "leak")]
    assert aascompile(*named, "--aas", "-o", maps / "one") == 1
    single, single_err = capsys.readouterr()
    assert aascompile(*named, "--aas", "-o", maps / "two", "--jobs", "3") == 1
    several, several_err = capsys.readouterr()
    assert several_err == single_err
    assert single_err.count("error: ") == 3

    def without_time(text: str) -> list[list[str]]:
        return [line.replace(str(maps / "one"), str(maps / "two")).split()[:-2] for line in text.splitlines()]

    assert without_time(several) == without_time(single), "rows in the order of the maps"
    assert several.splitlines()[-2].split()[:4] == ["5", "maps,", "3", "failed"]
    assert names(maps / "two") == names(maps / "one") == {
        "box.aas", "box.aas.hdf", "doorway.aas", "doorway.aas.hdf", "leak.lin",
    }  # fmt: skip
    for name in names(maps / "one"):
        assert (maps / "one" / name).read_bytes() == (maps / "two" / name).read_bytes()
    assert aascompile(*named, "-o", maps / "two", "--jobs", "2", "--json") == 1
    assert [result["map"] for result in json.loads(capsys.readouterr().out)] == [str(path) for path in named]


def test_a_leak_is_reported_with_its_trail(maps, capsys):
    before = names(maps)
    assert aascompile(maps / "leak.bsp") == 1
    out, err = capsys.readouterr()
    assert err == (
        f"error: {maps / 'leak.bsp'}: leaks: "
        "item_health (entity 3) at (128 0 16) can reach the outside at (319 0 124)\n"
    )
    assert "(128 0 16) (241 0 60) (287 0 60) (319 0 124)" in out
    assert names(maps) - before == {"leak.lin"}
    assert (maps / "leak.lin").read_text() == "128 0 16\n241 0 60\n287 0 60\n319 0 124\n"


def test_an_allowed_leak_is_compiled_with_its_trail(maps, capsys):
    before = names(maps)
    assert aascompile(maps / "leak.bsp", "--allow-leak") == 0
    assert "  warning   item_health (entity 3) at (128 0 16) can reach the outside at (" in capsys.readouterr().out
    assert names(maps) - before == {"leak.aas.hdf", "leak.lin"}
    compiled = load_compiled(str(maps / "leak.aas.hdf"))
    assert np.array_equal(compiled.leak, np.loadtxt(maps / "leak.lin"))
    assert failures(compiled) == []


def test_the_report_as_json(maps, capsys):
    (maps / "broken.bsp").write_bytes(b"IBSP")
    assert aascompile(maps / "doorway.bsp", maps / "broken.bsp", maps / "leak.bsp", "--aas", "--json") == 1
    done, broken, leak = json.loads(capsys.readouterr().out)
    keys = {"map", "error", "files", "leak", "counts", "routes", "seconds", "peak_mb", "dropped", "warnings", "stages"}
    assert set(done) == set(broken) == set(leak) == keys
    assert done["error"] is None
    assert done["files"] == [str(maps / "doorway.aas"), str(maps / "doorway.aas.hdf")]
    assert (done["counts"]["areas"], done["counts"]["grounded"]) == (6, 3)
    assert [stage["name"] for stage in done["stages"]][-6:] == [
        "finish",
        "places",
        "reach",
        "cluster",
        "routes",
        "write",
    ]
    assert sum(stage["seconds"] for stage in done["stages"]) <= done["seconds"]
    assert broken["error"].startswith(f"{maps / 'broken.bsp'}: ")
    assert (broken["files"], broken["counts"]) == ([], {})
    assert (len(leak["leak"]), leak["files"]) == (4, [str(maps / "leak.lin")])


def test_every_stage_is_shown(maps, capsys):
    assert aascompile(maps / "box.bsp", "-v") == 0
    out = capsys.readouterr().out
    for stage in STAGES:
        assert f"\n  {stage.number:>2} {stage.name:<10}" in out
    assert "\n     routes    " in out, "work that is not a stage has no number"
    assert f"  wrote     {maps / 'box.aas.hdf'}\n" in out


def test_dropped_brushes_are_listed(samples, tmp_path, capsys):
    flat = "{\n" + "( 0 0 0 ) ( 8 0 0 ) ( 0 8 0 ) common/caulk 0 0 0 1 1\n" * 4 + "}\n"
    text = (samples / "box.map").read_text().replace("// ceiling", flat * 12 + "// ceiling")
    (tmp_path / "odd.map").write_text(text)
    assert aascompile(tmp_path / "odd.map") == 0
    out = capsys.readouterr().out
    assert out.count("  dropped   brush ") == 10
    assert "  dropped   ... and 2 more (--json lists all)" in out


def test_settings_are_used_and_stored(maps, tmp_path):
    (tmp_path / "small.toml").write_text(
        '[[boxes]]\nname = "small"\npresence = 2\nmins = [-8, -8, -24]\nmaxs = [8, 8, 8]\n'
    )
    assert aascompile(maps / "box.bsp", "--settings", tmp_path / "small.toml", "--preset", "quake3") == 0
    compiled = load_compiled(str(maps / "box.aas.hdf"))
    assert len(compiled.areas) == 1, "one box, one room, one area"
    assert json.loads(compiled.provenance.settings)["boxes"][0]["name"] == "small"


def test_invalid_settings_stop_everything(maps, capsys):
    (maps / "wrong.toml").write_text("[physics]\ngravity = -1\n")
    assert aascompile(maps / "box.bsp", "--settings", maps / "wrong.toml") == 1
    out, err = capsys.readouterr()
    assert (out, err) == (
        "",
        f"error: {maps / 'wrong.toml'}: physics.gravity is -1, but must be 1 to 10000, in units/s²\n",
    )
    assert not (maps / "box.aas.hdf").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["box.bsp", "-o", "x.aas"], "the name of a compiled file must end in .aas.hdf"),
        (["box.bsp", "doorway.bsp", "-o", "leak.bsp"], "-o leak.bsp: must be a folder when there are several maps"),
        (["box.bsp", "sub/box.bsp", "-o", "out"], "would both be written to out/box.aas.hdf"),
        (["box.bsp", "--dump", "walls"], "'walls' cannot be drawn; expected one of hulls, patches, expand"),
        (["box.bsp", "--dump", "hulls=x.png"], "'x.png' must end in .glb or .obj"),
        (["box.bsp", "doorway.bsp", "--dump", "hulls=x.obj"], "--dump STAGE=FILE takes a single map"),
        (["box.bsp", "--threads", "0"], "0 is not in the range 1<=x<=256"),
        (["box.bsp", "--preset", "doom"], "'doom' is not one of quake2, quake3, rtcw, and not a .toml file"),
        ([], "MAP is missing"),
    ],
)
def test_wrong_usage(maps, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(maps)
    (maps / "sub").mkdir()
    shutil.copy(maps / "box.bsp", maps / "sub" / "box.bsp")
    before = names(maps)
    assert aascompile(*arguments) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert names(maps) == before


def test_unwritable_outputs_are_reported(maps, capsys):
    (maps / "file").write_text("")
    assert aascompile(maps / "box.bsp", "-o", maps / "file" / "x.aas.hdf") == 1
    assert "cannot be created (" in capsys.readouterr().err
    (maps / "x.aas.hdf").mkdir()
    (maps / "x.aas.hdf" / "x").mkdir()
    assert aascompile(maps / "x.bsp", "-o", maps / "x.aas.hdf") == 1
    if os.geteuid():
        (maps / "shut").mkdir(mode=0o500)
        assert aascompile(maps / "box.bsp", "-o", maps / "shut" / "x.aas.hdf") == 1
        assert "cannot be written to" in capsys.readouterr().err


def test_dump_draws_stages(maps, monkeypatch):
    assert aascompile(maps / "doorway.bsp", "--dump", "finish", "--dump", "hulls=" + str(maps / "h.obj")) == 0
    assert (maps / "doorway.finish.glb").read_bytes()[:4] == b"glTF"
    assert (maps / "h.obj").read_bytes().count(b"\nf ") == 9 * 6 * 2


def test_check_rejects_a_faulty_result(maps, capsys, monkeypatch):
    assert aascompile(maps / "box.bsp", "--check", "-v") == 0
    assert "\n     check     " in capsys.readouterr().out
    (maps / "box.aas.hdf").unlink()

    class Faulty:
        def sentence(self) -> str:
            return "A1: areas are areas; not so: areas 0"

    monkeypatch.setattr("aascompile.checks.check_compiled.failures", lambda compiled: [Faulty(), Faulty()])
    assert aascompile(maps / "box.bsp", "--check") == 1
    assert capsys.readouterr().err == f"error: {maps / 'box.bsp'}: A1: areas are areas; not so: areas 0 (and 1 more)\n"
    assert not (maps / "box.aas.hdf").exists()


def test_check_rejects_a_faulty_stage(maps, capsys, monkeypatch):
    monkeypatch.setattr(
        "aascompile.checks.check_stages.stage_faults", lambda records: iter(["Tree 7: leaves are leaves"])
    )
    assert aascompile(maps / "box.bsp", "--check") == 1
    assert capsys.readouterr().err == (
        f"error: {maps / 'box.bsp'}: what 'hulls' made is wrong: Tree 7: leaves are leaves\n"
    )
    assert not (maps / "box.aas.hdf").exists()


def test_an_interrupt_leaves_no_files(maps, capsys, monkeypatch):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    before = names(maps)
    monkeypatch.setattr("aascompile.cli.compile_task.compile_map", interrupted)
    assert aascompile(maps / "box.bsp", maps / "doorway.bsp") == 130
    assert names(maps) == before


def test_out_of_memory_is_reported(maps, capsys, monkeypatch):
    def exhausted(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("aascompile.cli.compile_task.compile_map", exhausted)
    assert aascompile(maps / "box.bsp") == 1
    assert capsys.readouterr().err == f"error: {maps / 'box.bsp'}: out of memory\n"
