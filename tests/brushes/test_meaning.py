"""Meaning of brushes, class by class, and the requirements of the Meaning record."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.brushes.entity_facts import read_entities
from aascompile.brushes.meaning import RULES, TOO_MANY, classify, classify_patches
from aascompile.model.contents import FLOWS, TAKES_AWAY, AreaContents, Contents, Kind, SurfaceFlag
from aascompile.model.filling import MOST_MODEL
from aascompile.model.mapdata import MapData
from aascompile.model.meaning import Meaning
from aascompile.settings import QUAKE3
from tests.brushes.hand_made import Solid, Thing, make_map, thing, world

TRIGGER = Solid(Contents.TRIGGER)
SOLID = Solid(Contents.SOLID)


def checked(map_data: MapData, *, patches: bool = False) -> Meaning:
    """Meaning of a map's brushes, after checking the record's requirements."""
    facts = read_entities(map_data, QUAKE3.physics.gravity)
    meaning = (classify_patches if patches else classify)(map_data, facts)
    source = map_data.patches if patches else map_data.brushes
    n = len(source)
    assert [len(c) for c in (meaning.kind, meaning.model, meaning.entity, meaning.reason)] == [n] * 4
    assert meaning.offset.shape == (n, 3)
    assert meaning.kind.dtype == np.uint32
    assert meaning.offset.dtype == np.float64
    assert np.array_equal(meaning.reason == -1, meaning.kind != 0)
    assert np.array_equal(meaning.model >= 0, (meaning.kind & (Kind.MOVER | TAKES_AWAY)) != 0)
    assert np.array_equal(meaning.entity, source.entity)
    assert sorted(set(meaning.reason.tolist()) - {-1}) == list(range(len(meaning.reasons)))
    assert len(set(meaning.reasons)) == len(meaning.reasons)
    return meaning


def outcome(*things: Thing) -> tuple[Kind, str]:
    """Kind and reason of the last entity's first brush."""
    meaning = checked(make_map(world(SOLID), *things))
    row = int(np.flatnonzero(meaning.entity == max(meaning.entity))[0])
    return Kind(int(meaning.kind[row])), meaning.reasons[meaning.reason[row]] if meaning.reason[row] >= 0 else ""


@pytest.mark.parametrize(
    ("contents", "kind"),
    [
        (Contents.SOLID, Kind.SOLID),
        (Contents.SOLID | Contents.DETAIL | Contents.TRANSLUCENT, Kind.SOLID),
        (Contents.PLAYERCLIP, Kind.SOLID),
        (Contents.BOTCLIP, Kind.SOLID),
        (Contents.WINDOW, Kind.SOLID),
        (Contents.WATER, Kind.WATER),
        (Contents.LAVA | Contents.FOG, Kind.LAVA),
        (Contents.SLIME, Kind.SLIME),
        (Contents.AREAPORTAL, Kind.CLUSTERPORTAL),
        (Contents.CLUSTERPORTAL, Kind.CLUSTERPORTAL),
        (Contents.DONOTENTER, Kind.DONOTENTER),
        (Contents.DONOTENTER | Contents.WATER, Kind.DONOTENTER | Kind.WATER),
        (Contents.NOTTEAM1, Kind.NOTTEAM1),
        (Contents.NOTTEAM2, Kind.NOTTEAM2),
        (Contents.SOLID | Contents.ORIGIN, Kind.NOTHING),
        (Contents.FOG, Kind.NOTHING),
        (Contents.TRIGGER, Kind.NOTHING),
        (Contents.MONSTERCLIP, Kind.NOTHING),
        (Contents.DETAIL, Kind.NOTHING),
        (0, Kind.NOTHING),
    ],
)
@pytest.mark.parametrize("owner", ["worldspawn", "func_group", "func_static", "func_wall"])
def test_brushes_that_do_not_move_mean_their_contents(owner, contents, kind):
    solid = Solid(int(contents))
    things = [world(solid)] if owner == "worldspawn" else [world(), thing(owner, solid)]
    assert checked(make_map(*things)).kind.tolist() == [kind]


def test_the_first_entity_is_the_world_whatever_its_class():
    assert checked(make_map(thing("nonsense", SOLID))).kind.tolist() == [Kind.SOLID]


def test_ladders_are_solid_and_hints_are_not():
    ladder, hint = int(SurfaceFlag.LADDER), int(SurfaceFlag.HINT)
    meaning = checked(
        make_map(
            world(
                Solid(Contents.PLAYERCLIP, flags=ladder),
                Solid(Contents.WATER, flags=ladder),
                Solid(Contents.STRUCTURAL, flags=hint),
                Solid(Contents.SOLID, flags=hint),
                Solid(Contents.ORIGIN, flags=hint),
            )
        )
    )
    assert meaning.kind.tolist() == [Kind.SOLID | Kind.LADDER, Kind.WATER, Kind.HINT, Kind.SOLID, 0]


def test_unused_brushes_have_a_reason():
    meaning = checked(make_map(world(Solid(Contents.DETAIL), Solid(Contents.FOG), SOLID, Solid(Contents.FOG))))
    assert meaning.reasons == ("not solid: blocks no player", "fog")
    assert meaning.reason.tolist() == [0, 1, -1, 1]


@pytest.mark.parametrize("flags", ["0", "1"])
def test_doors_are_movers_with_their_model(flags):
    glow = Solid(Contents.DETAIL)
    meaning = checked(
        make_map(world(SOLID), thing("func_static", SOLID), thing("func_door", SOLID, glow, spawnflags=flags))
    )
    assert meaning.kind.tolist() == [Kind.SOLID, Kind.SOLID, Kind.MOVER, 0]
    assert meaning.model.tolist() == [-1, -1, 2, -1]
    assert meaning.reasons == ("part of a door that blocks no player",)


def test_a_rotating_door_counts_only_if_it_stands_open():
    assert outcome(thing("func_door_rotating", SOLID, spawnflags="1")) == (Kind.MOVER, "")
    kind, reason = outcome(thing("func_door_rotating", SOLID))
    assert kind == Kind.NOTHING
    assert "starts closed" in reason


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        ({}, Kind.HURT),
        ({"dmg": "9999", "spawnflags": "12"}, Kind.HURT),
        ({"spawnflags": "1"}, Kind.NOTHING),
        ({"dmg": "0"}, Kind.NOTHING),
        ({"dmg": "-10"}, Kind.NOTHING),
    ],
)
def test_a_hurt_trigger_counts_only_if_it_hurts(keys, kind):
    assert outcome(thing("trigger_hurt", TRIGGER, **keys))[0] == kind


def test_a_push_needs_a_target_above():
    goal = thing("info_notnull", targetname="t", origin="0 0 300")
    below = thing("info_notnull", targetname="t", origin="0 0 -300")
    assert outcome(goal, thing("trigger_push", TRIGGER, target="t")) == (Kind.JUMPPAD, "")
    assert outcome(below, thing("trigger_push", TRIGGER, target="t")) == (
        Kind.NOTHING,
        "trigger_push: its target is not above it",
    )
    assert outcome(thing("trigger_push", TRIGGER, target="t")) == (
        Kind.NOTHING,
        "trigger_push: its target 't' does not exist",
    )


def test_teleporters_for_spectators_are_not_used():
    goal = thing("misc_teleporter_dest", targetname="t")
    assert outcome(goal, thing("trigger_teleport", TRIGGER, target="t")) == (Kind.TELEPORTER, "")
    spectators = outcome(goal, thing("trigger_teleport", TRIGGER, target="t", spawnflags="1"))
    assert spectators == (Kind.NOTHING, "trigger_teleport: it is for spectators only")


@pytest.mark.parametrize(("flags", "teams"), [("0", Kind(0)), ("1", Kind.NOTTEAM2), ("2", Kind.NOTTEAM1)])
def test_trigger_multiple_means_what_it_fires(flags, teams):
    goal = thing("info_notnull", targetname="t", origin="0 0 300")
    relay = thing("target_relay", targetname="fire", target="do")
    trigger = thing("trigger_multiple", TRIGGER, target="fire", spawnflags=flags)
    teleporter = thing("target_teleporter", targetname="do", target="t")
    push = thing("target_push", targetname="do", target="t")
    assert outcome(goal, relay, teleporter, trigger) == (Kind.TELEPORTER | teams, "")
    assert outcome(goal, relay, push, trigger) == (Kind.JUMPPAD | teams, "")
    assert outcome(goal, relay, trigger) == (Kind.NOTHING, "trigger_multiple: it moves no player")


def test_a_trigger_counts_whatever_its_contents():
    goal = thing("info_notnull", targetname="t", origin="0 0 300")
    pad = thing("trigger_push", SOLID, TRIGGER, Solid(Contents.ORIGIN), Solid(0), target="t")
    assert checked(make_map(world(), goal, pad)).kind.tolist() == [Kind.JUMPPAD, Kind.JUMPPAD, 0, 0]


@pytest.mark.parametrize("name", sorted(name for name, rule in RULES.items() if rule.become == Kind.NOTHING))
def test_movers_give_no_geometry(name):
    kind, reason = outcome(thing(name, SOLID))
    assert kind == Kind.NOTHING
    assert reason == f"{name}: {RULES[name].why}"


def test_unknown_classes_are_listed():
    meaning = checked(make_map(world(SOLID), thing("func_\x1bodd", SOLID, SOLID), thing("func_bee", SOLID)))
    assert meaning.unknown == ("func_\\x1bodd", "func_bee")
    assert meaning.reasons[0] == "gives no geometry: unknown class 'func_\\x1bodd'"
    assert meaning.kind.tolist() == [Kind.SOLID, 0, 0, 0]


def test_a_model_without_an_entity_is_not_used():
    meaning = checked(make_map(world(SOLID), orphan=SOLID))
    assert meaning.kind.tolist() == [Kind.SOLID, 0]
    assert meaning.reasons == ("its model is used by no entity",)


def test_geometry_of_any_game_type_counts():
    assert outcome(thing("func_static", SOLID, notfree="1", notsingle="1"))[0] == Kind.SOLID
    assert outcome(thing("func_static", SOLID, gametype="ctf"))[0] == Kind.SOLID
    absent = thing("func_static", SOLID, notfree="1", notsingle="1", notteam="1")
    assert outcome(absent) == (Kind.NOTHING, "its entity is in no game type")


def test_offset_is_the_entitys_origin_but_never_the_worlds():
    meaning = checked(
        make_map(
            world(SOLID, origin="1 1 1"), thing("func_static", SOLID, origin="8 -16 24"), thing("func_wall", SOLID)
        )
    )
    assert meaning.offset.tolist() == [[0, 0, 0], [8, -16, 24], [0, 0, 0]]


def test_teleporters_and_jump_pads_have_their_model():
    goal = thing("info_notnull", targetname="t", origin="0 0 500")
    names = ("trigger_push", "trigger_teleport", "trigger_hurt", "trigger_multiple")
    meaning = checked(make_map(world(SOLID), *(thing(name, TRIGGER, TRIGGER, target="t") for name in names), goal))
    assert meaning.model.tolist() == [-1, 1, 1, 2, 2, -1, -1, -1, -1]


def test_a_door_or_trigger_with_too_high_a_model_is_left_out():
    goal = thing("info_notnull", targetname="t", origin="0 0 500")
    data = make_map(world(SOLID), thing("trigger_push", TRIGGER, target="t"), thing("func_door", SOLID), goal)
    for high, kinds in ((MOST_MODEL, [Kind.SOLID, Kind.JUMPPAD, Kind.MOVER]), (MOST_MODEL + 1, [Kind.SOLID, 0, 0])):
        model = np.where(data.brushes.model > 0, high, 0).astype(np.int32)
        meaning = checked(replace(data, brushes=replace(data.brushes, model=model)))
        assert meaning.kind.tolist() == kinds
        assert meaning.reasons == (() if high == MOST_MODEL else (TOO_MANY,))


def test_patches_only_block():
    def patch(contents: int, flags: int = 0) -> Solid:
        return Solid(int(contents), flags=flags, patch=True)

    meaning = checked(
        make_map(
            world(patch(Contents.SOLID), patch(Contents.WATER), patch(Contents.PLAYERCLIP, int(SurfaceFlag.LADDER))),
            thing("func_door", patch(Contents.SOLID), patch(Contents.FOG)),
            thing("trigger_hurt", patch(Contents.SOLID)),
            thing("func_plat", patch(Contents.SOLID)),
        ),
        patches=True,
    )
    assert meaning.kind.tolist() == [Kind.SOLID, 0, Kind.SOLID | Kind.LADDER, Kind.MOVER, 0, 0, 0]
    assert meaning.model.tolist() == [-1, -1, -1, 1, -1, -1, -1]
    assert "curve of a trigger: only brushes trigger" in meaning.reasons


def test_a_map_without_brushes_has_an_empty_meaning():
    assert len(checked(make_map(world()))) == 0
    assert len(checked(make_map(world()), patches=True)) == 0


def test_low_bits_of_kinds_are_the_engines():
    for kind in Kind:
        if kind & FLOWS:
            continue  # the engine's file has no currents
        if kind < 1 << 16:
            assert AreaContents[str(kind.name)] == kind
        else:
            assert kind.name not in AreaContents.__members__


def test_every_rule_says_why():
    assert all(rule.why and not rule.why.endswith(".") for rule in RULES.values())
