"""Small compiled rooms with a player in them, and the slow twin's world of the same brushes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from aascompile.pipeline import make_areas, understand
from aascompile.player.movement import Movement
from aascompile.report import Report
from aascompile.settings import QUAKE3
from tests.conftest import ROOT
from tests.furniture import STONE, WATER, Text
from tests.reference.movement import World
from tests.stages import EXACT

HALF = 1024
"""Half the width of a room in units; its floor is at z = 0."""
HIGH = 2048


class Room:
    """A compiled map with convex areas, its movement, and the twin's world of the same brushes."""

    def __init__(self, path: Path) -> None:
        report = Report(str(path))
        understood = understand(str(path), report, EXACT)
        self.areas = make_areas(understood, EXACT, report).areas
        self.movement = Movement(self.areas, QUAKE3)
        self.world = World(understood.map)

    def area_at(self, *point: float) -> int:
        from aascompile.sampling.sample import areas_at

        return int(areas_at(self.movement.tree, np.array(point, float))[0])


@cache
def sample_room(name: str) -> Room:
    """The room of a sample."""
    return Room(ROOT / "samples" / f"{name}.bsp")


def make_room(folder: Path, fill: Callable[[Text], None], floor: bool = True) -> Room:
    """A large closed room with a floor at z = 0 (or without one) and whatever ``fill`` adds."""
    text = Text()
    low = 0 if floor else -HIGH
    for x0, y0, z0, x1, y1, z1 in (
        (-HALF - 16, -HALF - 16, low - 16, HALF + 16, HALF + 16, low),
        (-HALF - 16, -HALF - 16, HIGH, HALF + 16, HALF + 16, HIGH + 16),
        (-HALF - 16, -HALF - 16, low, -HALF, HALF + 16, HIGH),
        (HALF, -HALF - 16, low, HALF + 16, HALF + 16, HIGH),
        (-HALF, -HALF - 16, low, HALF, -HALF, HIGH),
        (-HALF, HALF, low, HALF, HALF + 16, HIGH),
    ):
        text.box((x0, y0, z0), (x1, y1, z1), STONE)
    fill(text)
    text.point("info_player_start", -HALF + 100, -HALF + 100, HIGH - 100)
    path = folder / "room.map"
    path.write_text('{\n"classname" "worldspawn"\n' + "".join(text.world) + "}\n" + "".join(text.entities))
    return Room(path)


def block(height: float, x: float = 0, texture: str = STONE) -> Callable[[Text], None]:
    """A function that raises the eastern part of the room, from x on, by ``height``."""
    return lambda text: text.box((x, -HALF, 0), (HALF, HALF, height), texture)


__all__ = ["HALF", "HIGH", "STONE", "WATER", "Room", "block", "make_room", "sample_room"]
