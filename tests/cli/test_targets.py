"""Outputs: endings are checked, and inputs, maps and files of other kinds are never overwritten without --force."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.cli.main import aas


@pytest.fixture
def place(samples, tmp_path) -> Path:
    """A folder with a map and its compiled file."""
    for name in ("box.bsp", "box.map", "ledge.bsp"):
        shutil.copy(samples / name, tmp_path / name)
    assert run(compile_maps, "aascompile", [str(tmp_path / "box.bsp"), "--aas", "-q"]) == 0
    return tmp_path


def call(*words: object) -> int:
    return run(aas, "aas", [str(word) for word in words])


def compiles(*words: object) -> int:
    return run(compile_maps, "aascompile", [*(str(word) for word in words), "-q"])


def test_written_files_are_named(place, capsys):
    capsys.readouterr()
    assert compiles(place / "box.bsp", "--aas") == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"  wrote     {place / 'box.aas'}",
        f"  wrote     {place / 'box.aas.hdf'}",
    ]
    assert compiles(place / "box.bsp", place / "ledge.bsp", "-o", place / "out/") == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"wrote 2 files to {place / 'out'}"


@pytest.mark.parametrize(
    ("words", "ends"),
    [
        (("import", "box.aas", "-o", "x.bsp"), "must end in .hdf"),
        (("import", "box.aas", "-o", "x.aas"), "must end in .hdf"),
        (("bsp", "box.map", "-o", "x.map"), "must end in .bsp"),
        (("regress", "box.bsp", "--baseline", "x.json", "--update", "--junit", "x.bsp"), "must end in .xml"),
        (("regress", "box.bsp", "--baseline", "x.json", "--update", "--markdown", "x.txt"), "must end in .md or "),
        (("regress", "box.bsp", "--baseline", "x.bsp", "--update"), "must end in .json"),
    ],
)  # fmt: skip
def test_endings(place, capsys, monkeypatch, words, ends):
    monkeypatch.chdir(place)
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    capsys.readouterr()
    assert call(*words) == 2
    error, hint = capsys.readouterr().err.splitlines()
    assert error.startswith("error: ")
    assert ends in error
    assert hint == f"  aas {words[0]} --help says more"
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before


def test_a_file_of_another_kind_is_kept(place, capsys):
    for name, words in (
        ("y.aas", ("export", place / "box.aas.hdf", place / "y.aas")),
        ("y.hdf", ("import", place / "box.aas", "-o", place / "y.hdf")),
        (
            "y.xml",
            ("regress", place / "box.bsp", "--baseline", place / "x.json", "--update", "--junit", place / "y.xml"),
        ),
        ("y.json", ("regress", place / "box.bsp", "--baseline", place / "y.json", "--update")),
        ("y.png", ("view", place / "box.aas.hdf", "--screenshot", place / "y.png")),
        ("y.html", ("view", place / "box.aas.hdf", "--html", place / "y.html")),
    ):
        shutil.copy(place / "box.bsp", place / name)
        capsys.readouterr()
        assert call(*words) == 1, name
        assert "--force replaces it" in capsys.readouterr().err or name == "y.json"
        assert (place / name).read_bytes() == (place / "box.bsp").read_bytes(), name
    assert call("export", place / "box.aas.hdf", place / "y.aas", "--force") == 0
    assert (place / "y.aas").read_bytes() == (place / "box.aas").read_bytes()


def test_a_map_is_never_overwritten(place, capsys):
    before = (place / "box.bsp").read_bytes()
    for words in (("bsp", place / "box.map"), ("bsp", place / "box.map", "-o", place / "box.bsp")):
        assert call(*words) == 1
        assert "exists already; --force replaces it" in capsys.readouterr().err
    assert (place / "box.bsp").read_bytes() == before
    assert call("bsp", place / "box.map", "--force") == 0


def test_an_input_is_never_overwritten(place, capsys):
    """A hard link has another name, but is the same file."""
    (place / "link.aas.hdf").hardlink_to(place / "ledge.bsp")
    before = (place / "ledge.bsp").read_bytes()
    assert compiles(place / "ledge.bsp", "-o", place / "link.aas.hdf") == 1
    assert "is the input" in capsys.readouterr().err
    assert (place / "ledge.bsp").read_bytes() == before


def test_several_maps_into_one_file(place, capsys):
    assert compiles(place / "box.bsp", place / "ledge.bsp", "-o", place / "all.aas.hdf") == 2
    assert "names one file, but there are 2 maps" in capsys.readouterr().err
    assert not (place / "all.aas.hdf").exists()


def test_a_stale_point_file_is_removed(place, samples):
    shutil.copy(samples / "leak.bsp", place / "box.bsp")
    assert compiles(place / "box.bsp") == 1
    assert (place / "box.lin").exists()
    shutil.copy(samples / "box.bsp", place / "box.bsp")
    assert compiles(place / "box.bsp") == 0
    assert not (place / "box.lin").exists()
    (place / "box.lin").write_text("notes of mine\n")
    assert compiles(place / "box.bsp") == 1
    assert (place / "box.lin").read_text() == "notes of mine\n"


def test_nobody_knows_who_made_an_engine_file(place, capsys):
    capsys.readouterr()
    assert call("info", place / "box.aas") == 0
    assert "  made by   not known: the engine's format does not say\n" in capsys.readouterr().out
