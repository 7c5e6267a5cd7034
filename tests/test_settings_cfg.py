"""Cfg files of the C compiler: what is read, what is written, and what is wrong with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.errors import SettingsError
from aascompile.settings import QUAKE3, Box
from aascompile.settings_cfg import FIELDS, parse_cfg, to_cfg
from aascompile.settings_file import GROUPS, parse_settings, read_settings

SOLDIER = """
// the box of a soldier
bbox
{
    presencetype PRESENCE_NORMAL
    flags 0x0000
    mins {-18, -18, -24}
    maxs {18, 18, 48}
} //end bbox
bbox { presencetype PRESENCE_CROUCH flags 0x0001 mins {-18 -18 -24} maxs {18 18 24} }
settings
{
    phys_gravitydirection {0, 0, -1}
    phys_gravity 400   /* half of
                          the usual */
    phys_maxwalkvelocity 220
    phys_maxstep 18
    phys_falldelta5 40
    rs_startjump 250
    rs_maxfallheight 0
    rs_allowladders 0
} //end settings
"""


def test_blocks_become_settings():
    found = parse_cfg(SOLDIER, "f")
    assert found.boxes == (
        Box("standing", 2, (-18.0, -18.0, -24.0), (18.0, 18.0, 48.0)),
        Box("crouched", 4, (-18.0, -18.0, -24.0), (18.0, 18.0, 24.0)),
    )
    assert (found.physics.gravity, found.physics.walk_speed, found.costs.start_jump) == (400, 220, 250)
    assert (found.physics.max_step, found.physics.step) == (18, 18)
    assert found.physics.fall_damage_small == pytest.approx(500), "the same speed takes twice the height"
    assert not found.reach.ladder
    assert found.costs.teleport == QUAKE3.costs.teleport, "what is left out stays"
    assert found.engine.version == 8, "only Wolfenstein's compiler knows rs_allowladders"
    assert parse_cfg(SOLDIER, "f", QUAKE3).engine.version == 5, "a preset that is named counts"
    assert parse_cfg(SOLDIER.replace("rs_allowladders 0", ""), "f").engine.version == 5


@pytest.mark.parametrize(("given", "step"), [(16, 16), (18, 18), (18.5, 18), (19, 18), (25, 24)])
def test_the_step_follows_from_the_first_height_that_is_too_high(given, step):
    assert parse_cfg(f"settings {{ phys_maxstep {given} }}", "f").physics.step == step


def test_every_field_has_a_setting_that_exists():
    assert len(FIELDS) == 38, "37 of Quake III, and ladders of Return to Castle Wolfenstein"
    for field in FIELDS:
        table, _, key = field.key.partition(".")
        assert field.note or key
        assert not key or hasattr(getattr(QUAKE3, table), key)
        assert not key or table in GROUPS


def test_writing_and_reading_keeps_what_the_format_can_express():
    assert parse_cfg(to_cfg(QUAKE3), "f") == QUAKE3
    other = parse_cfg(SOLDIER, "f")
    assert parse_cfg(to_cfg(other), "f") == other
    no_ladders = replace(QUAKE3, reach=replace(QUAKE3.reach, ladder=False))
    assert parse_cfg(to_cfg(no_ladders), "f") == QUAKE3, "Quake III's files cannot express it"
    every = {field.name: 0.25 if "steep" in field.name else 21.5 for field in FIELDS if "direction" not in field.name}
    odd = parse_cfg("settings {" + " ".join(f"{name} {value}" for name, value in every.items()) + "}", "f")
    assert odd.costs.bobbing == 21.5
    assert parse_cfg(to_cfg(odd), "f") == odd


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("settings { phys_gravity 0 }", "f: physics.gravity is 0, but must be 1 to 10000, in units/s²"),
        ("settings { phys_gravity x }", "f: phys_gravity is 'x', but must be a number"),
        ("settings { phys_gravty 8 }", "f: phys_gravty is unknown"),
        ("settings { phys_gravity", "f: phys_gravity has no value"),
        ("settings { phys_gravity }", "f: phys_gravity has no value"),
        ("settings { phys_gravity 8", "f: settings is never closed"),
        ("settings { phys_gravitydirection {0 0 1} }", "must be {0, 0, -1}: gravity pulls straight down"),
        ("settings { phys_gravitydirection {0 0", "f: phys_gravitydirection is never closed"),
        ("settings phys_gravity", "f: settings must be followed by {"),
        ("bbox { }", "f: bbox 0: presencetype is missing"),
        ("bbox { presencetype 3 mins {-1 -1 -1} maxs {1 1 1} }", "boxes[0].presence is 3, but must be a power of two"),
        ("bbox { presencetype 2 mins {-1 -1} maxs {1 1 1} }", "f: bbox 0: mins is '-1 -1', but must be 3 numbers"),
        ("bbox { presence 2 }", "f: bbox 0: presence is unknown"),
        ("#include <x>", "f: #include is unknown; expected a block bbox or settings"),
    ],
)
def test_faults_are_one_sentence(text, message):
    with pytest.raises(SettingsError) as caught:
        parse_cfg(text, "f")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_commands_read_and_write_cfg_files(tmp_path, capsys):
    path = tmp_path / "soldier.c"
    path.write_text(SOLDIER)
    assert read_settings(str(path)) == parse_cfg(SOLDIER, "f")
    assert run(aas, "aas", ["settings", "--settings", str(path), "--cfg"]) == 0
    assert parse_cfg(capsys.readouterr().out, "f") == parse_cfg(SOLDIER, "f")
    assert run(aas, "aas", ["settings", "--settings", str(path)]) == 0
    assert parse_settings(capsys.readouterr().out, "f") == parse_cfg(SOLDIER, "f")
