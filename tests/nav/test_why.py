"""Why something is not reached: a map for each cause, the sentence, and that its remedy works."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from aascompile.model.compiled import Compiled
from aascompile.nav.unreached import Cause, find_routes
from aascompile.nav.why import Investigator, Why
from aascompile.nav.why_text import island_text, names, sentence
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from tests.furniture import STONE, WATER
from tests.reach.carrying import Box, draw

ITEM = "item_quad"
HURT = "trigger_hurt"

Entity = tuple[dict[str, str], tuple[Box, ...]]


def item(x: float, y: float, z: float, name: str = ITEM, **keys: str) -> Entity:
    return {"classname": name, "origin": f"{x} {y} {z}", **keys}, ()


def spawn(x: float, y: float, z: float) -> Entity:
    return {"classname": "info_player_deathmatch", "origin": f"{x} {y} {z}"}, ()


def compiled(folder: Path, boxes: list[Box], *entities: Entity, texture: str = STONE) -> Compiled:
    path = draw(folder, [(box, texture) for box in boxes], *entities)
    return compile_map(str(path), QUAKE3, Report("hall"))


def explained(it: Compiled) -> list[Why]:
    routes = find_routes(it)
    assert routes is not None
    return Investigator(it).explain(routes)


def of_items(it: Compiled) -> list[Why]:
    """Explanations of items."""
    return [why for why in explained(it) if it.entities.classname[why.entities[0]] != "info_player_deathmatch"]


def the_only(it: Compiled) -> tuple[Why, str]:
    (why,) = of_items(it)
    return why, sentence(it, why)


def cell(top: int = 512, door: tuple[int, int] = (0, 0), lintel: int = 0) -> list[Box]:
    """Walls that cut off the hall's east end at x = 256, with an opening between two y, up to a lintel."""
    if door == (0, 0):
        return [((256, -256, 0), (272, 256, top))]
    low, high = door
    walls: list[Box] = [((256, -256, 0), (272, low, top)), ((256, high, 0), (272, 256, top))]
    return [*walls, ((256, low, lintel), (272, high, top))] if lintel else walls


def gap(near: int, far: int, top: int = 200) -> list[Box]:
    """Two platforms with lava-free depth between them: the west ends at ``near``, the east starts at ``far``."""
    return [((-512, -256, 0), (near, 256, 200)), ((far, -256, 0), (512, 256, top))]


FROM_WEST = spawn(-440, 0, 232)


def gap_map(folder: Path, far: int, top: int = 200) -> Compiled:
    """A jump from x = −100; the floor between is deadly, and so is the hall's own spawn's corner filled in."""
    pit: Entity = ({"classname": HURT}, (((-100, -256, 0), (far, 256, 64)),))
    return compiled(folder, gap(-100, far, top), pit, FROM_WEST, item(400, 0, top + 16))


def test_a_gap_that_is_too_wide(tmp_path):
    why, text = the_only(gap_map(tmp_path, 150))
    assert why.cause is Cause.MISSED
    assert why.attempt is not None
    assert why.attempt.verdict.measure > 0.0
    match = re.fullmatch(
        r"a jump of \d+ units from \(.*\) to \(.*\) is [\d.]+ units too far: "
        r"move the far side (\d+) units nearer, or lower it by (\d+)(; only a weapon jump leads there)?",
        text,
    )
    assert match, text
    assert of_items(gap_map(tmp_path, 150 - int(match[1]))) == []
    assert of_items(gap_map(tmp_path, 150, 200 - int(match[2]))) == []


@pytest.mark.parametrize("rise", [70, 100])
def test_a_rise_that_is_too_high(tmp_path, rise):
    def stage(height: int, step: int = 0) -> Compiled:
        boxes: list[Box] = [((256, -256, 0), (512, 256, height))]
        if step:
            boxes.append(((128, -256, 0), (256, 256, step)))
        return compiled(tmp_path, boxes, item(400, 0, height + 16))

    why, text = the_only(stage(rise))
    assert why.cause is Cause.MISSED
    match = re.match(rf"a rise of {rise} units from .* is (\d+) units too high to climb \(less than 60\): ", text)
    assert match, text
    assert int(match[1]) == rise - 60
    match = re.search(r": lower it by (\d+), or put a step of at least (\d+) before it", text)
    assert match, text
    assert explained(stage(rise - int(match[1]))) == []
    assert explained(stage(rise, int(match[2]))) == []


def test_a_rise_without_a_small_remedy(tmp_path):
    boxes: list[Box] = [((256, -256, 0), (512, 256, 250))]
    _, text = the_only(compiled(tmp_path, boxes, item(400, 0, 266)))
    assert text.startswith("a rise of 250 units from (")
    assert ": add stairs, a ladder, a lift or a jump pad" in text


def test_an_item_that_hangs_too_high(tmp_path):
    why, text = the_only(compiled(tmp_path, [], item(0, 0, 300, spawnflags="1")))
    assert why.cause is Cause.IN_AIR
    assert why.height == pytest.approx(300.0, abs=0.2)
    match = re.match(
        r"hangs 300 units above the floor, and players who jump touch items up to 105: lower it by (\d+), ", text
    )
    assert match, text
    assert explained(compiled(tmp_path, [], item(0, 0, 300 - int(match[1]), spawnflags="1"))) == []


def test_an_item_in_the_flight_of_a_jump_pad_is_reached(tmp_path):
    pad: Entity = ({"classname": "trigger_push", "target": "up"}, (((-32, -32, 0), (32, 32, 16)),))
    apex: Entity = ({"classname": "target_position", "targetname": "up", "origin": "96 0 400"}, ())
    stage: list[Box] = [((160, -256, 0), (512, 256, 200))]
    hanging = item(40, 0, 260, spawnflags="1")
    assert [why.cause for why in explained(compiled(tmp_path, stage, hanging))] == [Cause.IN_AIR]
    assert explained(compiled(tmp_path, stage, hanging, pad, apex)) == []


def test_an_item_in_a_wall(tmp_path):
    block: list[Box] = [((100, 100, 0), (200, 200, 100))]
    why, text = the_only(compiled(tmp_path, block, item(150, 150, 50), item(150, 140, 50)))
    assert (why.cause, len(why.entities)) == (Cause.IN_SOLID, 2)
    assert text == "start in solid, so the game removes them: move them out of the wall or floor"


def test_an_item_in_a_hurt_trigger(tmp_path):
    hurt: Entity = ({"classname": HURT}, (((100, 0, 0), (400, 200, 128)),))
    why, text = the_only(compiled(tmp_path, [], item(250, 100, 16), hurt))
    assert why.cause is Cause.HAZARD
    assert text.startswith("lies in a trigger_hurt: move it out")


def test_an_item_in_lava(tmp_path):
    lava: list[Box] = [((100, 0, 0), (400, 200, 100))]
    why, text = the_only(compiled(tmp_path, lava, item(250, 100, 16), texture="liquids/lavahell"))
    assert why.cause is Cause.HAZARD
    assert text.startswith("lies in lava: move it out")


@pytest.mark.parametrize("opens", [False, True])
def test_an_item_behind_a_door_that_nothing_opens(tmp_path, opens):
    keys = {"classname": "func_door", "angle": "-1", "targetname": "gate"}
    door: Entity = (keys, (((256, -64, 0), (272, 64, 128)),))
    relay = {"classname": "target_relay", "targetname": "start" if opens else "never", "target": "gate"}
    trigger: Entity = (
        {"classname": "trigger_multiple", "target": "start"}, (((0, -64, 0), (64, 64, 64)),),
    )  # fmt: skip
    it = compiled(tmp_path, cell(512, (-64, 64), 128), door, (relay, ()), trigger, item(400, 0, 16))
    if opens:
        assert explained(it) == []
        return
    why, text = the_only(it)
    assert why.cause is Cause.SHUT
    assert text.startswith(f"behind a func_door (entity {why.entity}) that nothing opens: target its targetname")
    assert it.entities.classname[why.entity] == "func_door"


def test_an_item_behind_a_donotenter_brush(tmp_path):
    barred = [(box, STONE) for box in cell(512, (-64, 64))]
    barred.append((((240, -64, 0), (288, 64, 512)), "common/donotenter"))
    it = compile_map(str(draw(tmp_path, barred, item(400, 0, 16))), QUAKE3, Report("hall"))
    why, text = the_only(it)
    assert why.cause is Cause.BARRED
    assert text == "behind areas that bots must not enter: remove the donotenter brush"


def test_things_behind_a_wall_are_one_island(tmp_path):
    """The wall has no opening: two items and a weapon behind it are one message."""
    things = (item(400, 0, 16), item(400, 100, 16), item(300, -100, 16, "weapon_railgun"), spawn(480, 200, 32))
    it = compiled(tmp_path, cell(), *things)
    found = explained(it)
    assert {why.cause for why in found} <= {Cause.CLOSED, Cause.STUCK}
    it = compiled(tmp_path, cell(), *things[:3], ({"classname": "info_notnull", "origin": "480 200 32"}, ()))
    why, text = the_only(it)
    assert (why.cause, why.items, names(it, why)) == (Cause.CLOSED, 3, "2 item_quad and weapon_railgun")
    assert text.startswith("walls close it off; the nearest floor that players reach is 46 units away, at (")


@pytest.mark.parametrize(("door", "lintel"), [((-12, 12), 0), ((-64, 64), 36)])
def test_an_opening_that_is_too_small(tmp_path, door, lintel):
    why, text = the_only(compiled(tmp_path, cell(512, door, lintel), item(400, 0, 16)))
    assert why.cause is Cause.NARROW
    match = re.fullmatch(r"the opening at \(264 (\S+) \S+\) is too small: players need 30 x 56 units, .*", text)
    assert match, text
    assert door[0] < float(match[1]) < door[1]


def test_an_item_on_a_steep_slope(tmp_path):
    """A wedge of 58 degrees in the hall's corner, with a lid 100 above the item: no floor is near."""
    from tests.furniture import Text

    path = draw(tmp_path, [], item(400, 0, 400))
    wedge = Text()
    wedge.ramp((200, -256, 0), (512, 256, 500), STONE)
    path.write_text(path.read_text().replace("}\n}\n", f"}}\n{wedge.world[0]}}}\n", 1))
    why, text = the_only(compile_map(str(path), QUAKE3, Report("hall")))
    assert why.cause is Cause.STEEP
    slope = np.degrees(np.arctan2(500, 312))
    assert text == f"lies on a slope of {slope:.0f} degrees, too steep to stand on: flatten it to 46, or move the item"


def test_a_bank_that_is_too_high(tmp_path):
    """A pool with a platform 50 above the water: players swim to it but do not get out."""

    def pool(water: int, top: int) -> Compiled:
        boxes = [
            (((-512, -256, 0), (0, 256, 160)), STONE),
            (((0, -256, 0), (256, 256, water)), WATER),
            (((256, -256, 0), (512, 256, top)), STONE),
        ]
        return compile_map(
            str(draw(tmp_path, boxes, spawn(-400, 0, 200), item(400, 0, top + 16))), QUAKE3, Report("hall")
        )

    why, text = the_only(pool(150, 180))
    assert why.cause is Cause.MISSED
    match = re.match(
        r"the bank at \(.* 204\) is 12 units too high to leave the water: lower it, or raise the water, by (\d+)", text
    )
    assert match, text
    assert of_items(pool(150, 180 - int(match[1]))) == []
    assert of_items(pool(150 + int(match[1]), 180)) == []


def test_a_spawn_without_a_passage(tmp_path):
    """A wall cuts off one spawn of three: it is stuck, and items do not lack it again."""
    it = compiled(
        tmp_path, [((-100, -256, 0), (-84, 256, 512))], spawn(400, 0, 32), spawn(400, 9, 32), item(300, 0, 16)
    )
    (why,) = explained(it)
    assert (why.cause, why.entities, why.spawns) == (Cause.STUCK, (1,), ())
    assert sentence(it, why) == "nothing leads out: open a passage, or add a teleporter or jump pad"


def test_a_spawn_in_a_pit(tmp_path):
    """A spawn 70 below the floor that the two others stand on."""
    boxes: list[Box] = [((-512, -256, 0), (100, 256, 70))]
    it = compiled(tmp_path, boxes, spawn(-400, 0, 102), spawn(-300, 0, 102), spawn(400, 0, 32), item(-300, 90, 86))
    (why,) = [why for why in explained(it) if why.cause is not Cause.NO_ROOM]
    assert (why.cause, why.entities) == (Cause.STUCK, (4,))
    assert re.match(
        r"a rise of 70 units from .* is 10 units too high to climb \(less than 60\): lower it by 11", sentence(it, why)
    )


def test_items_that_some_spawns_reach(tmp_path):
    """A ledge leads down only: the spawn below does not reach the item above."""
    stage: list[Box] = [((256, -256, 0), (512, 256, 200))]
    it = compiled(tmp_path, stage, spawn(400, 0, 232), item(400, 100, 216), item(400, -100, 216, "weapon_railgun"))
    routes = find_routes(it)
    assert (routes.items, routes.reached, routes.pairs) == (2, 2, 2)
    assert [rare.classname for rare in routes.rare] == [ITEM, "weapon_railgun"]
    why, text = the_only(it)
    assert (len(why.entities), len(why.spawns)) == (2, 1)
    assert text.startswith("a rise of 200 units from (")


def test_an_island_is_described(tmp_path):
    boxes: list[Box] = [((256, -256, 0), (512, 256, 200)), ((400, -256, 200), (512, 256, 240))]
    why, _ = the_only(compiled(tmp_path, boxes, item(300, 0, 216), item(450, 0, 256)))
    assert island_text(why) == f"on an island of {len(why.areas)} areas with 2 items"
    assert len(why.areas) >= 2
