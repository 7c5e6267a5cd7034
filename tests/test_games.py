"""Game files: the facts of each game, and a game that a user adds."""

from __future__ import annotations

import shutil
import tomllib

import numpy as np
import pytest

from aascompile import compile_map, read_compiled
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.errors import SettingsError
from aascompile.mapio.game_format import as_quake3
from aascompile.mapio.load import load_map
from aascompile.model.contents import Contents, Kind, SurfaceFlag
from aascompile.settings import GAMES, QUAKE3
from aascompile.settings_file import find_preset, parse_settings
from tests.conftest import ROOT

FOLDER = ROOT / "aascompile" / "games"


def test_every_game_has_a_file_that_is_installed():
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == sorted(GAMES) == ["quake2", "quake3", "rtcw"]
    packaged = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    assert "games/*.toml" in packaged["aascompile"]
    for name in GAMES:
        assert find_preset(name).name == name


def test_the_file_of_quake3_states_the_defaults():
    text = (FOLDER / "quake3.toml").read_text()
    found = parse_settings(text, "quake3.toml")
    elsewhere = Contents.DONOTENTER_LARGE | Contents.CURRENT_1 | Contents.CURRENT_2 | Contents.CURRENT_4
    assert dict(found.contents) == {bit.name.lower(): int(bit) for bit in Contents if not bit & elsewhere}
    assert dict(found.surfaces) == {flag.name.lower(): int(flag) for flag in SurfaceFlag}
    stated = tomllib.loads(text)
    for group in ("physics", "costs", "areas", "reach", "engine"):
        values = getattr(QUAKE3, group)
        assert stated[group] == {name: getattr(values, name) for name in values.__slots__}
    assert found.boxes == QUAKE3.boxes


def test_the_facts_of_wolfenstein():
    found = find_preset("rtcw")
    assert [(box.mins, box.maxs) for box in found.boxes] == [
        ((-18, -18, -24), (18, 18, 48)),
        ((-18, -18, -24), (18, 18, 24)),
    ]
    assert (found.physics.walk_speed, found.physics.step, found.engine.version) == (220, 18, 8)
    assert dict(found.contents)["donotenter_large"] == 0x400000
    assert "botclip" not in dict(found.contents)


def test_the_facts_of_quake2():
    found = find_preset("quake2")
    assert [(box.mins, box.maxs) for box in found.boxes] == [
        ((-16, -16, -24), (16, 16, 32)),
        ((-16, -16, -24), (16, 16, 4)),
    ]
    physics = found.physics
    assert (physics.gravity, physics.walk_speed, physics.jump_velocity, physics.step) == (800, 300, 270, 18)
    assert (physics.floor_up, physics.swim_speed, found.engine.version) == (0.7, 200, 5)
    assert dict(found.contents)["ladder"] == 0x20000000


def test_a_user_adds_a_game_with_a_file_alone(tmp_path, samples):
    """A game whose walls have another bit, with a small player: the room has the same shape, grown by the player."""
    (tmp_path / "mouse.toml").write_text(
        'name = "mouse"\n[[boxes]]\nname = "mouse"\npresence = 2\nmins = [-4, -4, -4]\nmaxs = [4, 4, 4]\n'
        "[contents]\nsolid = 0x1\n[engine]\nversion = 4\n"
    )
    shutil.copy(samples / "box.bsp", tmp_path / "box.bsp")
    words = [str(tmp_path / "box.bsp"), "--game", str(tmp_path / "mouse.toml"), "--aas", "-q"]
    assert run(compile_maps, "aascompile", words) == 0
    mouse, usual = read_compiled(tmp_path / "box.aas.hdf"), compile_map(tmp_path / "box.bsp")
    grown = np.array([-11.0, -11.0, -20.0, 11.0, 11.0, 28.0])
    found, known = (
        np.concatenate([it.areas.area_mins.min(axis=0), it.areas.area_maxs.max(axis=0)]) for it in (mouse, usual)
    )
    np.testing.assert_allclose(found - known, np.where(np.abs(grown) == 28.0, found[5] - known[5], grown))
    assert (tmp_path / "box.aas").read_bytes()[4] == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "quake9"], "'quake9' is not one of quake2, quake3, rtcw, and not a .toml file"),
        (["--game", "none.toml"], "error: none.toml: cannot be read"),
    ],
)
def test_an_unknown_game_is_an_error(samples, capsys, words, message):
    assert run(compile_maps, "aascompile", [str(samples / "box.bsp"), *words]) == (1 if "toml" in words[1] else 2)
    assert message in capsys.readouterr().err


def test_unknown_names_of_bits_are_an_error(samples):
    map_data = load_map(samples / "box.bsp")
    for table, name in (("contents", "solidd"), ("surfaces", "sliick")):
        with pytest.raises(SettingsError, match=rf"^game: {table}\.{name} is unknown; expected one of "):
            as_quake3(map_data, parse_settings(f"[{table}]\n{name} = 1", "f"))


def test_bits_are_translated_and_others_dropped(samples):
    map_data = load_map(samples / "ladder.bsp")
    settings = parse_settings(
        "[contents]\nwater = 0x1\nplayerclip = 0x8000000\nladder = 0x8000001\n[surfaces]\nslick = 0x8\n", "f"
    )
    found, old = as_quake3(map_data, settings), map_data.brushes
    solid, detail = (old.contents & 1) != 0, (old.contents & 0x8000000) != 0
    expected = np.where(solid, int(Contents.WATER), 0) | np.where(detail, int(Contents.PLAYERCLIP), 0)
    np.testing.assert_array_equal(found.brushes.contents, expected)
    climbed = np.repeat(solid | detail, np.diff(old.side_start))
    flags = np.where((old.side_flags & 8) != 0, int(SurfaceFlag.SLICK), 0)
    np.testing.assert_array_equal(found.brushes.side_flags, flags | np.where(climbed, int(SurfaceFlag.LADDER), 0))


def test_a_game_is_never_guessed_from_its_version(samples, tmp_path):
    """IBSP 47 is Wolfenstein's and Quake Live's: without a name it is Quake III's family."""
    data = bytearray((samples / "donotenter.bsp").read_bytes())
    data[4] = 47
    (tmp_path / "x.bsp").write_bytes(data)
    assert compile_map(tmp_path / "x.bsp").boxes.maxs[0].tolist() == [15, 15, 32]
    named = compile_map(tmp_path / "x.bsp", "rtcw")
    assert named.boxes.maxs[0].tolist() == [18, 18, 48]
    assert (named.areas.area_contents & np.uint32(Kind.DONOTENTER)).any()
