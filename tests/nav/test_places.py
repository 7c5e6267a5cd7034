"""Items, flags and spawns: kind, team, and how soon they come back."""

from __future__ import annotations

import math

import pytest

import aascompile
from aascompile.model.entity_classes import PlaceKind, place_kind, respawn_of, team_of
from aascompile.model.mapdata import Entity

FACTS = [
    ("weapon_rocketlauncher", "weapon", "", 5),
    ("ammo_shells", "ammo", "", 40),
    ("item_armor_shard", "armor", "", 25),
    ("item_health_mega", "health", "", 35),
    ("item_quad", "powerup", "", 120),
    ("holdable_medkit", "holdable", "", 60),
    ("team_CTF_redflag", "flag", "red", math.inf),
    ("team_blueobelisk", "obelisk", "blue", math.inf),
    ("team_CTF_bluespawn", "spawn", "blue", math.inf),
    ("info_player_deathmatch", "spawn", "", math.inf),
    ("item_botroam", "other", "", math.inf),
]
"""Class, kind, team and seconds."""


@pytest.mark.parametrize(("name", "kind", "team", "seconds"), FACTS)
def test_kind_team_and_respawn_of_a_class(name: str, kind: str, team: str, seconds: float):
    assert (place_kind(name), team_of(name)) == (PlaceKind(kind), team)
    assert respawn_of(Entity((("classname", name),))) == seconds
    assert respawn_of(Entity((("classname", name), ("wait", "7")))) == 7
    assert respawn_of(Entity((("classname", name), ("wait", "-1")))) == math.inf


@pytest.mark.corpus
def test_both_teams_have_a_flag_and_spawns(corpus):
    nav = aascompile.Navigation(aascompile.compile_map(corpus / "oa_ctf2.bsp"))
    flags = [item for item in nav.items if item.kind is PlaceKind.FLAG]
    assert {"red", "blue"} <= {flag.team for flag in flags}
    assert {"red", "blue"} <= {spawn.team for spawn in nav.spawns}
    assert all(spawn.kind is PlaceKind.SPAWN and spawn.respawn == math.inf for spawn in nav.spawns)
    assert {item.respawn for item in nav.items if item.kind is PlaceKind.AMMO} <= {40.0}
