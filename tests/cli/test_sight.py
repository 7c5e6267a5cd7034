"""``aas sight`` and ``aascompile --sight``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.cli.main import aas
from aascompile.store.read import load_compiled


def ask(*words: object) -> int:
    """Exit code of ``aas``."""
    return run(aas, "aas", [str(word) for word in words])


@pytest.fixture(scope="module")
def folder(samples, tmp_path_factory) -> Path:
    """pillars compiled three times: without sight, with it, and as the engine's file."""
    place = tmp_path_factory.mktemp("sight")
    source = str(samples / "pillars.bsp")
    assert run(compile_maps, "aascompile", [source, "-o", str(place / "blind.aas.hdf"), "--aas", "-q"]) == 0
    assert run(compile_maps, "aascompile", [source, "-o", str(place / "seeing.aas.hdf"), "--sight", "-q"]) == 0
    return place


def test_sight_is_added_once(folder, tmp_path, capsys):
    path = tmp_path / "x.aas.hdf"
    shutil.copy(folder / "blind.aas.hdf", path)
    assert load_compiled(str(path)).sight is None
    capsys.readouterr()
    assert ask("sight", path) == 0
    first = capsys.readouterr().out
    assert ask("sight", path) == 0
    assert capsys.readouterr().out == first.replace(", measured now", "")
    assert "measured now" in first
    stored, made = load_compiled(str(path)).sight, load_compiled(str(folder / "seeing.aas.hdf")).sight
    assert stored is not None
    assert made is not None
    assert (stored.area.tolist(), stored.share.tolist()) == (made.area.tolist(), made.share.tolist())


def test_text_and_json_agree(folder, capsys):
    path = folder / "seeing.aas.hdf"
    capsys.readouterr()
    assert ask("sight", path, "--spots", 2) == 0
    text = capsys.readouterr().out
    assert ask("sight", path, "--spots", 2, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert not found["added"]
    assert len(found["hiding"]) == len(found["exposed"]) == 2
    assert f"{found['pairs']:,} see each other" in text
    for spot in found["hiding"] + found["exposed"]:
        assert f"area {spot['area']} (" in text


def test_what_a_place_sees(folder, capsys):
    path = folder / "seeing.aas.hdf"
    capsys.readouterr()
    assert ask("sight", path, "--from", "spawn:0", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["shares"] == sorted(found["shares"], reverse=True)
    assert found["from"] in found["areas"]
    assert ask("sight", path, "--from", "spawn:0") == 0
    assert f"area {found['from']} (" in capsys.readouterr().out
    assert ask("sight", path, "--from", "nowhere") == 2


def test_a_file_without_the_map_cannot_tell(folder, capsys):
    assert ask("sight", folder / "blind.aas") == 1
    assert "has no faces of the map, so it is not known what blocks sight" in capsys.readouterr().err


def test_info_counts_views(folder, capsys):
    assert ask("info", folder / "seeing.aas.hdf") == 0
    assert "views" in capsys.readouterr().out
    assert ask("info", folder / "blind.aas.hdf") == 0
    assert "sight     not computed" in capsys.readouterr().out
