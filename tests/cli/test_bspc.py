"""``bspc``: the calls that scripts make of the C compiler, unchanged."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from aascompile.cli.bspc import bspc, usage
from aascompile.cli.bspc_line import FLAGS, IGNORED, VALUES, WORK
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.mapio.load import load_map
from aascompile.store.engine_lumps import unpack
from aascompile.store.read import load_compiled
from tests.conftest import ROOT


def call(*words: object) -> int:
    return run(bspc, "bspc", [str(word) for word in words])


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def maps(samples, tmp_path, monkeypatch) -> Path:
    """The working folder: three samples, one of them with its source."""
    for name in ("box.bsp", "box.map", "ladder.bsp", "doorway.bsp"):
        shutil.copy(samples / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BSPC_LOG", raising=False)
    return tmp_path


@pytest.fixture(scope="session")
def reference(tmp_path_factory) -> dict[str, bytes]:
    """The engine's files of aascompile, whole and optimized."""
    place = tmp_path_factory.mktemp("reference")
    made = {}
    for name in ("box", "ladder", "doorway"):
        for optimize in ([], ["--optimize"]):
            options = ["-o", f"{place}/", "--aas", "-q", *optimize]
            assert run(compile_maps, "aascompile", [str(ROOT / "samples" / f"{name}.bsp"), *options]) == 0
            made[name + "".join(optimize)] = (place / f"{name}.aas").read_bytes()
    return made


def test_the_steps_of_deepmind_lab(samples, tmp_path, reference):
    """The compiler's line of the level generator, then mv and zip, in a shell."""
    (tmp_path / "maps").mkdir()
    for name in ("box.map", "box.bsp"):
        shutil.copy(samples / name, tmp_path / "maps" / name)
    command = tmp_path / "bspc"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "from aascompile.cli.bspc import main; main()" "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    pack = "zip -r" if shutil.which("zip") else f"{sys.executable} -m zipfile -c"
    script = f"""
set -e
A=maps/box
mkdir -p out
./bspc -optimize -forcesidesvisible -bsp2aas "$A".map -output out
mv out/box.aas maps/
{pack} box.pk3 maps/
"""
    subprocess.run(["sh", "-c", script], cwd=tmp_path, check=True, env={"PYTHONPATH": str(ROOT)}, capture_output=True)
    with zipfile.ZipFile(tmp_path / "box.pk3") as pack_file:
        inside = {name for name in pack_file.namelist() if not name.endswith("/")}
        assert inside == {"maps/box.map", "maps/box.bsp", "maps/box.aas"}
        assert pack_file.read("maps/box.aas") == reference["box--optimize"]
    assert not list((tmp_path / "out").iterdir()), "nothing else is written"


def test_files_come_before_or_after_switches(maps, reference):
    for words in (
        ["-bsp2aas", "ladder.bsp", "-forcesidesvisible", "-optimize", "-grapplereach"],
        ["-forcesidesvisible", "-optimize", "-grapplereach", "-bsp2aas", "ladder.bsp"],
        ["ladder.bsp", "-BSP2AAS", "-ForceSidesVisible", "-OPTIMIZE", "-GrappleReach"],
    ):
        before = names(maps)
        assert call(*words) == 0
        assert names(maps) - before == {"ladder.aas"}
        (maps / "ladder.aas").unlink()
    assert call("-bsp2aas", "ladder.bsp") == 0
    assert (maps / "ladder.aas").read_bytes() == reference["ladder"]


def test_each_size_of_player_has_a_file(maps):
    for ext, width in (("_b0", 18), ("_b1", 30)):
        box = f"mins {{-{width} -{width} -24}} maxs {{{width} {width} 48}}"
        (maps / "aascfg.c").write_text(f"bbox {{ presencetype PRESENCE_NORMAL flags 0 {box} }}")
        words = ["-threads", "1", "-ext", ext, "-cfg", "aascfg.c", "-forcesidesvisible", "-bsp2aas", "doorway"]
        assert call(*words, "-output", "out") == 0
        assert unpack((maps / "out" / f"doorway{ext}.aas").read_bytes())[0]["boxes"]["maxs"].tolist() == [
            [width, width, 48]
        ]
    assert names(maps / "out") == {"doorway_b0.aas", "doorway_b1.aas"}
    assert call("-bsp2aas", "doorway", "-game", "rtcw", "-ext", "_b0") == 0
    assert (maps / "doorway_b0.aas").read_bytes()[4] == 8


def test_patterns_and_archives(maps, reference):
    (maps / "base").mkdir()
    with zipfile.ZipFile(maps / "base" / "pak.pk3", "w") as pack:
        for name in ("box", "ladder"):
            pack.write(f"{name}.bsp", f"maps/{name}.bsp")
    assert call("-bsp2aas", "base/pak.pk3/maps/*.bsp") == 0
    assert names(maps / "base") == {"pak.pk3", "maps/box.aas", "maps/ladder.aas"}
    assert (maps / "base" / "maps" / "ladder.aas").read_bytes() == reference["ladder"]
    assert call("-bsp2aas", "*.bsp", "-output", "out") == 0
    assert names(maps / "out") == {"box.aas", "ladder.aas", "doorway.aas"}


def test_all_maps_of_a_game(maps, samples):
    (maps / "game" / "maps").mkdir(parents=True)
    shutil.copy(samples / "doorway.bsp", maps / "game" / "maps" / "doorway.bsp")
    for pak, inside in (("pak0", ("box", "doorway")), ("pak1", ("box",))):
        with zipfile.ZipFile(maps / "game" / f"{pak}.pk3", "w") as pack:
            for name in inside:
                pack.write(samples / f"{'ladder' if pak == 'pak1' else name}.bsp", f"maps/{name}.bsp")
    assert call("-aasall", "game") == 0
    made = maps / "game" / "maps"
    assert names(made) == {"doorway.bsp", "doorway.aas", "box.aas"}
    assert load_compiled(str(made / "box.aas")).provenance.checksum == load_map(str(samples / "ladder.bsp")).checksum
    (maps / "none").mkdir()
    assert call("-aasall", "none") == 1
    assert call("-aasall", "nowhere") == 1


@pytest.mark.parametrize("switch", ["-reach", "-cluster"])
def test_renewed_files_equal_those_of_a_full_compile(maps, reference, switch):
    assert call("-bsp2aas", "doorway.bsp") == 0
    assert call(switch, "doorway.aas") == 0
    assert (maps / "doorway.aas").read_bytes() == reference["doorway"]


def test_existing_files_are_stripped_and_shown(maps, reference, capsys):
    (maps / "ladder.aas").write_bytes(reference["ladder"])
    assert call("-aasopt", "ladder.aas", "-output", ".") == 0
    assert (maps / "ladder.aas").read_bytes() == reference["ladder--optimize"]
    (maps / "ladder.aas").write_bytes(reference["ladder"])
    assert call("-aasopt", "*.aas") == 0
    assert (maps / "ladder.aas").read_bytes() == reference["ladder--optimize"]
    capsys.readouterr()
    assert call("-aasinfo", "ladder.bsp") == 0
    out = capsys.readouterr().out
    assert "  areas     6, " in out
    assert "       2  ladder" in out


def test_flags_without_meaning_are_silent(maps, capsys):
    assert call(*(f"-{name}" for name in IGNORED), "-noverbose", "-bsp2aas", "box") == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["-bsp2aas", "box.bsp", "-nodetial"], 2, "-nodetial: no such switch"),
        (["-bsp2aas", "nowhere.bsp"], 1, "error: nowhere.bsp: no such file"),
        (["-bsp2aas", "nowhere.map"], 1, "error: nowhere.bsp: no such file"),
        (["-bsp2aas", "no*.bsp"], 1, "error: no*.bsp: matches no map"),
        (["-bsp2aas", "no.pk3/maps/*.bsp"], 1, "error: no.pk3: no such file"),
        (["-aasinfo", "nowhere.aas"], 1, "error: nowhere.aas: cannot be read (no such file or directory)"),
        (["-aasinfo", "*.aas"], 1, "error: *.aas: matches no file"),
        (["-aasopt", "nowhere"], 1, "error: nowhere.aas: cannot be read (no such file or directory)"),
        (["-bsp2aas", "box", "-cfg", "no.c"], 1, "error: no.c: cannot be read: no such file or directory"),
        (["-bsp2aas", "box", "-output"], 2, "-output: needs a value: DIR"),
        (["-bsp2aas", "box", "-threads", "many"], 2, "-threads many: must be a number"),
        (["-bsp2aas"], 2, "-bsp2aas: needs a file: FILE..."),
        (["box.bsp"], 2, "nothing to do: give one of -bsp2aas"),
        ([], 2, "nothing to do"),
        (["-bsp2aas", "box", "-reach", "box"], 2, "-bsp2aas and -reach cannot be combined"),
        (["-bsp2aas", "a/box.bsp", "box.bsp", "-output", "out"], 2, "would both be written to"),
    ],
)
def test_errors_have_a_message_and_a_code(maps, capsys, words, code, message):
    assert call(*words) == code
    assert message in capsys.readouterr().err
    assert not list(maps.glob("*.aas"))


def test_a_map_that_fails_does_not_stop_the_others(maps, samples, capsys):
    shutil.copy(samples / "leak.bsp", maps / "leak.bsp")
    assert call("-bsp2aas", "leak", "nowhere", "box") == 1
    assert (maps / "box.aas").exists()
    assert not (maps / "leak.aas").exists()
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_the_log_is_written_only_if_asked(maps, monkeypatch, capsys):
    assert call("-bsp2aas", "box") == 0
    assert not (maps / "bspc.log").exists()
    capsys.readouterr()
    assert call("-bsp2aas", "box", "nowhere", "-log") == 1
    out, err = capsys.readouterr()
    assert set((maps / "bspc.log").read_text().splitlines()) == {*out.splitlines(), *err.splitlines()}
    (maps / "bspc.log").unlink()
    monkeypatch.setenv("BSPC_LOG", "1")
    assert call("-bsp2aas", "box", "-noverbose") == 0
    assert "wrote     box.aas" in (maps / "bspc.log").read_text()


def test_help_lists_every_switch(capsys):
    for words in (["-help"], ["--help"], ["-h"]):
        assert call(*words) == 0
        assert capsys.readouterr().out.rstrip("\n") == usage()
    for name in (*WORK, *VALUES, *FLAGS, *IGNORED):
        assert f"-{name}" in usage()
    assert call("--version") == 0


def test_the_command_is_installed():
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts["bspc"] == "aascompile.cli.bspc:main"


def test_aascompile_has_the_same_abilities(maps, samples, capsys):
    def aascompile(*words: str) -> int:
        return run(compile_maps, "aascompile", [*words, "-q"])

    assert aascompile("box.bsp", "--checksum-of", "ladder.bsp", "--ext", "_b0", "--optimize") == 0
    assert {"box_b0.aas", "box_b0.aas.hdf"} <= names(maps)
    real = load_map("ladder.bsp").checksum
    for name in ("box_b0.aas", "box_b0.aas.hdf"):
        assert load_compiled(name).provenance.checksum == real
    assert len(unpack((maps / "box_b0.aas").read_bytes())[0]["vertices"]) == 0
    capsys.readouterr()
    for words, code, message in (
        (["box.bsp", "ladder.bsp", "--checksum-of", "ladder.bsp"], 2, "--checksum-of takes a single map"),
        (["box.bsp", "--checksum-of", "box.map"], 1, "box.map: has no checksum; expected a .bsp file"),
        (["box.bsp", "--checksum-of", "no.bsp"], 1, "no.bsp: no such file"),
        (["box.bsp", "--ext", "a/b"], 2, "--ext a/b: must be part of a file name"),
        (["box.bsp", "--ext", "_b0", "-o", "x.aas.hdf"], 2, "--ext cannot be combined with -o FILE"),
    ):
        assert aascompile(*words) == code
        assert message in capsys.readouterr().err


def test_files_of_other_kinds_are_kept(maps, capsys):
    """No output replaces a file that is not of its kind, unless -force says so."""
    (maps / "box.aas").write_text("my notes")
    assert call("-bsp2aas", "box.bsp", "ladder.bsp") == 1
    assert capsys.readouterr().err == "error: box.aas: exists, and is not an engine file; -force replaces it\n"
    assert (maps / "box.aas").read_text() == "my notes"
    assert (maps / "ladder.aas").exists(), "the other map is compiled"
    assert call("-bsp2aas", "box.bsp", "-force") == 0
    assert (maps / "box.aas").read_bytes()[:4] == b"EAAS"
    assert call("-bsp2aas", "box.bsp") == 0, "an engine file is renewed"
    (maps / "out").mkdir()
    (maps / "out" / "box.aas").write_text("my notes")
    assert call("-aasopt", "box.aas", "-output", "out") == 1
    assert (maps / "out" / "box.aas").read_text() == "my notes"
    (maps / "bspc.log").write_bytes(b"\0binary")
    capsys.readouterr()
    assert call("-aasinfo", "box.aas", "-log") == 1
    assert "bspc.log: exists, and is not a log" in capsys.readouterr().err
    assert (maps / "bspc.log").read_bytes() == b"\0binary"


def test_the_help_fits_80_columns():
    from aascompile.cli.fold import folded

    assert max(map(len, folded(usage(), 80).splitlines())) <= 80
    assert all(len(line) <= 80 for line in usage().split("\n\n")[0].splitlines())
