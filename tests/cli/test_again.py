"""``--reach-only`` and ``--clusters-only``: rerun the last stages, with the same result as a full compile."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.store.hdf import read_compiled
from tests.conftest import ROOT


def aascompile(*arguments: object) -> int:
    return run(compile_maps, "aascompile", ["-q", *(str(argument) for argument in arguments)])


@pytest.fixture
def stairs(tmp_path) -> Path:
    """Source of a map that has been compiled."""
    path = tmp_path / "stairs.map"
    shutil.copy(ROOT / "samples" / "stairs.map", path)
    assert aascompile(path) == 0
    return path


def edit(path: Path, pattern: str, new: str) -> None:
    text, count = re.subn(pattern, new, path.read_text(), count=1)
    assert count == 1
    path.write_text(text)


def output(path: Path) -> Path:
    return path.with_suffix(".aas.hdf")


def full_compile(path: Path) -> bytes:
    """Output of a full compile."""
    other = path.parent / "whole" / output(path).name
    assert aascompile(path, "-o", other) == 0
    return other.read_bytes()


@pytest.mark.parametrize("option", ["--reach-only", "--clusters-only"])
@pytest.mark.parametrize("name", ["stairs", "pillars", "jumppad", "door", "swim", "clusterportal"])
def test_an_unchanged_map_gives_the_same_bytes(tmp_path, name, option):
    path = tmp_path / f"{name}.bsp"
    shutil.copy(ROOT / "samples" / path.name, path)
    assert aascompile(path) == 0
    before = output(path).read_bytes()
    assert aascompile(path, option) == 0
    assert output(path).read_bytes() == before


def test_a_leaking_map_gives_the_same_bytes(tmp_path):
    path = tmp_path / "leak.bsp"
    shutil.copy(ROOT / "samples" / path.name, path)
    assert aascompile(path, "--allow-leak") == 0
    before = output(path).read_bytes()
    assert aascompile(path, "--reach-only") == 0
    assert output(path).read_bytes() == before


def test_reach_only_follows_a_moved_entity(stairs, capsys):
    old = read_compiled(str(output(stairs)))
    edit(stairs, r'("classname" "item_health"\n"origin") "[^"]*"', r'\1 "-200 40 24"')
    assert aascompile(stairs, "--clusters-only") == 1
    assert "the map's entities have changed, so its links may have changed; use --reach-only" in capsys.readouterr().err
    assert aascompile(stairs, "--reach-only") == 0
    assert output(stairs).read_bytes() == full_compile(stairs)
    new = read_compiled(str(output(stairs)))
    assert new.provenance.geometry == old.provenance.geometry
    assert new.places.area.tolist() != old.places.area.tolist()


def test_changed_geometry_is_rejected(stairs, capsys):
    before = output(stairs).read_bytes()
    edit(stairs, r"\( (-?\d+) ", lambda found: f"( {int(found[1]) - 1} ")
    for option in ("--reach-only", "--clusters-only"):
        assert aascompile(stairs, option) == 1
        err = capsys.readouterr().err
        assert err.startswith(f"error: {output(stairs)}: its areas do not match {stairs}: ")
        assert err.count("\n") == 1
    assert output(stairs).read_bytes() == before


def test_changed_settings_are_rejected_where_they_matter(stairs, tmp_path, capsys):
    links, areas = tmp_path / "links.toml", tmp_path / "areas.toml"
    links.write_text("[physics]\nwalk_speed = 300.0\n")
    areas.write_text("[physics]\nmax_step = 10.0\n")
    assert aascompile(stairs, "--clusters-only", "--settings", links) == 1
    assert "was compiled with other settings" in capsys.readouterr().err
    assert aascompile(stairs, "--reach-only", "--settings", areas) == 1
    assert "its areas do not match" in capsys.readouterr().err
    assert aascompile(stairs, "--reach-only", "--settings", links) == 0
    other = tmp_path / "whole" / output(stairs).name
    assert aascompile(stairs, "--settings", links, "-o", other) == 0
    assert output(stairs).read_bytes() == other.read_bytes()


def test_a_new_entity_outside_all_areas_is_rejected(stairs, capsys):
    with stairs.open("a") as file:
        file.write('{\n"classname" "item_health"\n"origin" "9000 0 0"\n}\n')
    assert aascompile(stairs, "--reach-only") == 1
    err = capsys.readouterr().err
    assert ": has no area at item_health (entity " in err
    assert err.endswith("at (9000 0 0), which is new; run a full compile\n")


def test_missing_file_and_conflicting_options(stairs, tmp_path, capsys):
    missing = tmp_path / "none.aas.hdf"
    assert aascompile(stairs, "--reach-only", "-o", missing) == 1
    assert capsys.readouterr().err == f"error: {missing}: cannot be read (no such file or directory)\n"
    assert aascompile(stairs, "--reach-only", "--clusters-only") == 2
    assert "cannot be combined" in capsys.readouterr().err
    assert aascompile(stairs, "--reach-only", "--dump", "tree") == 2
    assert "--dump tree: this stage is skipped" in capsys.readouterr().err
    assert aascompile(stairs, "--reach-only", "--dump", "reach") == 0
    assert (tmp_path / "stairs.reach.glb").exists()
