"""Maps compiled up to the reach stage, and their links of one travel type."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from aascompile.model.areas import Areas
from aascompile.model.links import Links, Travel
from aascompile.model.understood import Understood
from aascompile.pipeline import make_areas, understand
from aascompile.player.movement import Movement
from aascompile.reach.candidates import Candidates
from aascompile.report import Report
from aascompile.sampling.sample import areas_at
from aascompile.settings import QUAKE3, Settings
from tests.furniture import STONE, Text

SAMPLES = Path(__file__).parent.parent.parent / "samples"


@dataclass(frozen=True)
class Room:
    """A map divided into areas."""

    understood: Understood
    areas: Areas
    movement: Movement

    def area(self, x: float, y: float, z: float) -> int:
        """The area at a point."""
        return int(areas_at(self.movement.tree, (x, y, z))[0])

    def links(self, add: Callable[..., None]) -> Links:
        """The links that the module of one travel type finds."""
        candidates = Candidates()
        add(candidates, self.areas, self.understood.map, self.understood.facts, self.movement)
        return candidates.finish(self.areas)


def room_of(path: Path, settings: Settings = QUAKE3) -> Room:
    """Compile a map."""
    report = Report(str(path))
    understood = understand(str(path), report, settings)
    areas = make_areas(understood, understood.settings, report).areas
    return Room(understood, areas, Movement(areas, understood.settings))


@cache
def sample(name: str, settings: Settings = QUAKE3) -> Room:
    """Compile a sample."""
    return room_of(SAMPLES / f"{name}.map", settings)


Box = tuple[tuple[int, int, int], tuple[int, int, int]]

HALL: tuple[Box, ...] = (
    ((-528, -272, -16), (528, 272, 0)),
    ((-528, -272, 512), (528, 272, 528)),
    ((-528, -272, 0), (-512, 272, 512)),
    ((512, -272, 0), (528, 272, 512)),
    ((-512, -272, 0), (512, -256, 512)),
    ((-512, 256, 0), (512, 272, 512)),
)
"""A closed hall, 1024 units from west to east, 512 from south to north and 512 high, with its floor at z = 0."""


def build(
    folder: Path,
    boxes: Iterable[tuple[Box, str]],
    *entities: tuple[dict[str, str], Iterable[Box]],
    settings: Settings = QUAKE3,
) -> Room:
    """Compile the hall with further brushes (box and texture), entities (keys and brushes) and a spawn."""
    return room_of(draw(folder, boxes, *entities), settings)


def draw(folder: Path, boxes: Iterable[tuple[Box, str]], *entities: tuple[dict[str, str], Iterable[Box]]) -> Path:
    """Write the source of such a hall."""
    world = Text()
    for box in HALL:
        world.box(*box, STONE)
    for box, texture in boxes:
        world.box(*box, texture)
    lines = ['{\n"classname" "worldspawn"\n', *world.world, "}\n"]
    start = ({"classname": "info_player_deathmatch", "origin": "-480 -224 32"}, ())
    for keys, own in (start, *entities):
        model = Text()
        for box in own:
            model.box(*box, "common/trigger" if keys["classname"].startswith("trigger") else STONE)
        lines += ["{\n", *(f'"{key}" "{value}"\n' for key, value in keys.items()), *model.world, "}\n"]
    path = folder / "hall.map"
    path.write_text("".join(lines))
    return path


def rows(links: Links, kind: Travel) -> list[tuple[int, int, int]]:
    """Source, target and time of the links of one travel type."""
    mine = links.kind == kind
    columns = (links.source[mine].tolist(), links.target[mine].tolist(), links.time[mine].tolist())
    return list(zip(*columns, strict=True))


def lies_in(room: Room, areas: np.ndarray, points: np.ndarray, near: float = 0.2) -> bool:
    """Whether every point is in its area, or on its boundary."""
    mins, maxs = room.areas.area_mins[areas], room.areas.area_maxs[areas]
    return bool(((points >= mins - near) & (points <= maxs + near)).all())
