"""Furniture of generated maps: what stands in a room, and how a brush is written down."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

PITCH, STOREY, WALL, SLAB = 512, 256, 16, 16
HALF = WALL // 2
HEIGHT = STOREY - SLAB  # of a room, floor to ceiling
SLOT = (PITCH - WALL) // 4
INSET = 20  # furniture keeps this far from the slot's edge, so that a player passes between two pieces
ROOM = SLOT - 2 * INSET  # side of the square that furniture may fill

STONE, FLOOR, TRIM, CAULK = "base_wall/concrete", "base_floor/concrete", "base_trim/block", "common/caulk"
WATER, CLIP = "liquids/water", "common/clip"
DETAIL = 0x8000000

Point2 = tuple[int, int]
Point3 = tuple[int, int, int]


class Dice:
    """Chance from a seed; built on ``random()`` alone, which gives the same numbers in every Python."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, n: int) -> int:
        """0 … n − 1."""
        return int(self._random.random() * n)

    def between(self, low: int, high: int, step: int = 1) -> int:
        """low, low + step, … up to high."""
        return low + step * self.below((high - low) // step + 1)

    def chance(self, percent: int) -> bool:
        """True that often."""
        return self.below(100) < percent


@dataclass
class Text:
    """The map as it grows: lines of the world's brushes and of the entities behind it."""

    world: list[str] = field(default_factory=list)
    entities: list[str] = field(default_factory=list)
    brushes: int = 0

    def solid(self, base: list[Point2], top: list[Point2], z: Point2, texture: str, contents: int = 0) -> None:
        """A brush between two polygons, counter-clockwise, whose edges are parallel one to one; z: lower and upper."""
        z0, z1 = z
        tail = f") {texture} 0 0 0 0.5 0.5 {contents} 0 0\n"
        (ax, ay), (bx, by), (cx, cy) = base[:3]
        lines = [f"{{\n( {ax} {ay} {z0} ) ( {bx} {by} {z0} ) ( {cx} {cy} {z0} {tail}"]
        (ax, ay), (bx, by), (cx, cy) = top[:3]
        lines.append(f"( {ax} {ay} {z1} ) ( {cx} {cy} {z1} ) ( {bx} {by} {z1} {tail}")
        for i, (px, py) in enumerate(base):
            qx, qy = base[i + 1 - len(base)]
            tx, ty = top[i]
            lines.append(f"( {px} {py} {z0} ) ( {tx} {ty} {z1} ) ( {qx} {qy} {z0} {tail}")
        self.world.append("".join(lines) + "}\n")
        self.brushes += 1

    def box(self, low: Point3, high: Point3, texture: str, contents: int = 0) -> None:
        """An axial brush."""
        square = rectangle(low[0], low[1], high[0], high[1])
        self.solid(square, square, (low[2], high[2]), texture, contents)

    def prism(self, top: list[Point3], bottom: int, texture: str) -> None:
        """A brush below a polygon, counter-clockwise from above, down to a height."""
        tail = f") {texture} 0 0 0 0.5 0.5 0 0 0\n"
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = top[:3]
        lines = [
            f"{{\n( {ax} {ay} {bottom} ) ( {bx} {by} {bottom} ) ( {cx} {cy} {bottom} {tail}",
            f"( {ax} {ay} {az} ) ( {cx} {cy} {cz} ) ( {bx} {by} {bz} {tail}",
        ]
        for i, (px, py, pz) in enumerate(top):
            qx, qy, _ = top[i + 1 - len(top)]
            lines.append(f"( {px} {py} {bottom} ) ( {px} {py} {pz} ) ( {qx} {qy} {bottom} {tail}")
        self.world.append("".join(lines) + "}\n")
        self.brushes += 1

    def ramp(self, low: Point3, high: Point3, texture: str) -> None:
        """A wedge whose top rises from nothing in the west to ``high`` in the east."""
        (x0, y0, z0), (x1, y1, z1) = low, high
        tail = f") {texture} 0 0 0 0.5 0.5 {DETAIL} 0 0\n"
        self.world.append(
            f"{{\n( {x0} {y0} {z0} ) ( {x1} {y0} {z0} ) ( {x1} {y1} {z0} {tail}"
            f"( {x0} {y0} {z0} ) ( {x1} {y1} {z1} ) ( {x1} {y0} {z1} {tail}"
            f"( {x1} {y0} {z0} ) ( {x1} {y0} {z1} ) ( {x1} {y1} {z0} {tail}"
            f"( {x0} {y0} {z0} ) ( {x1} {y0} {z1} ) ( {x1} {y0} {z0} {tail}"
            f"( {x0} {y1} {z0} ) ( {x1} {y1} {z0} ) ( {x1} {y1} {z1} {tail}}}\n"
        )
        self.brushes += 1

    def drum(self, x: int, y: int, radius: int, z0: int, z1: int) -> None:
        """A round column: one patch of nine by three control points, seen from outside."""
        ring = [(1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0)]
        levels = (z0, (z0 + z1) // 2, z1)
        rows = "".join(
            "( "
            + " ".join(f"( {x + radius * dx} {y + radius * dy} {z} {i / 8} {j / 2} )" for j, z in enumerate(levels))
            + " )\n"
            for i, (dx, dy) in enumerate(ring)
        )
        self.world.append(f"{{\npatchDef2\n{{\n{TRIM}\n( 9 3 0 0 0 )\n(\n{rows})\n}}\n}}\n")

    def point(self, classname: str, x: int, y: int, z: int, **keys: object) -> None:
        """An entity at a place."""
        more = "".join(f'"{key}" "{value}"\n' for key, value in keys.items())
        self.entities.append(f'{{\n"classname" "{classname}"\n"origin" "{x} {y} {z}"\n{more}}}\n')


def rectangle(x0: int, y0: int, x1: int, y1: int) -> list[Point2]:
    """Corners counter-clockwise."""
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def turned(x: int, y: int, a: int, b: int) -> list[Point2]:
    """A square round (x, y), turned so that its sides run along (a, b) and (−b, a)."""
    p, q = (a, b), (-b, a)
    return [(x + s * p[0] + t * q[0], y + s * p[1] + t * q[1]) for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def octagon(x: int, y: int, half: int, side: int) -> list[Point2]:
    """An octagon of width 2·half whose axial sides are 2·side long."""
    return [
        (x - side, y - half), (x + side, y - half), (x + half, y - side), (x + half, y + side),
        (x + side, y + half), (x - side, y + half), (x - half, y + side), (x - half, y - side),
    ]  # fmt: skip


# --- furniture: each piece fills one slot, given by its middle and its floor ------------------------------------------


def crate(text: Text, dice: Dice, x: int, y: int, z: int) -> None:
    """A box of any size."""
    w, d, h = dice.between(16, ROOM // 2, 2), dice.between(16, ROOM // 2, 2), dice.between(8, 96, 8)
    text.box((x - w, y - d, z), (x + w, y + d, z + h), TRIM, DETAIL)


def column(text: Text, dice: Dice, x: int, y: int, z: int) -> None:
    """An eight-sided column up to the ceiling."""
    half = dice.between(16, ROOM // 2, 2)
    ring = octagon(x, y, half, half * 2 // 5)
    text.solid(ring, ring, (z, z + HEIGHT), STONE, DETAIL)


def turned_block(text: Text, dice: Dice, x: int, y: int, z: int) -> None:
    """A block turned about the vertical."""
    ring = turned(x, y, dice.between(8, 24), dice.between(3, 16))
    text.solid(ring, ring, (z, z + dice.between(8, 128, 8)), TRIM, DETAIL)


def leaning(text: Text, dice: Dice, x: int, y: int, z: int) -> None:
    """A column that leans, so that two of its sides are slanted, or four."""
    dx, dy = dice.between(-20, 20), dice.between(-20, 20)
    base = rectangle(x - 20 - dx // 2, y - 16 - dy // 2, x + 20 - dx // 2, y + 16 - dy // 2)
    text.solid(base, [(px + dx, py + dy) for px, py in base], (z, z + HEIGHT), STONE, DETAIL)


def boulder(text: Text, dice: Dice, x: int, y: int, z: int) -> None:
    """A turned block that narrows towards the top: no side is axial but top and bottom."""
    a, b = dice.between(12, 24, 2), dice.between(2, 16, 2)
    text.solid(turned(x, y, a, b), turned(x, y, a // 2, b // 2), (z, z + dice.between(16, 96, 8)), STONE, DETAIL)


def clip_box(text: Text, dice: Dice, x: int, y: int, z: int) -> None:
    """A clip brush where mappers want nobody to stand."""
    w = dice.between(16, ROOM // 2, 2)
    text.box((x - w, y - w, z), (x + w, y + w, z + HEIGHT), CLIP)


def round_column(text: Text, dice: Dice, x: int, y: int, z: int) -> None:
    """A patch round a core of caulk."""
    radius = dice.between(24, ROOM // 2, 2)
    half = radius // 2
    text.box((x - half, y - half, z), (x + half, y + half, z + HEIGHT), CAULK, DETAIL)
    text.drum(x, y, radius, z, z + HEIGHT)


def dais(text: Text, dice: Dice, x: int, y: int, z: int) -> None:
    """A ramp and the platform it leads to, two brushes."""
    rise, half = dice.between(16, 40, 4), ROOM // 2
    text.ramp((x - half, y - half, z), (x, y + half, z + rise), FLOOR)
    text.box((x, y - half, z), (x + half, y + half, z + rise), FLOOR, DETAIL)


def steps(text: Text, dice: Dice, x: int, y: int, z: int) -> None:
    """Four steps of 12 to 16 units."""
    half, depth, rise = ROOM // 2, ROOM // 4, dice.between(12, 16)
    for i in range(4):
        text.box((x - half + depth * i, y - half, z), (x - half + depth * (i + 1), y + half, z + rise * (i + 1)), FLOOR)


def basin(text: Text, dice: Dice, x: int, y: int, z: int) -> None:
    """Water between four rims."""
    half, rise, rim = ROOM // 2, dice.between(16, 64, 8), 8
    inner = half - rim
    text.box((x - half, y - half, z), (x - inner, y + half, z + rise), TRIM, DETAIL)
    text.box((x + inner, y - half, z), (x + half, y + half, z + rise), TRIM, DETAIL)
    text.box((x - inner, y - half, z), (x + inner, y - inner, z + rise), TRIM, DETAIL)
    text.box((x - inner, y + inner, z), (x + inner, y + half, z + rise), TRIM, DETAIL)
    text.box((x - inner, y - inner, z), (x + inner, y + inner, z + rise - 4), WATER)


Piece = Callable[[Text, Dice, int, int, int], None]
PIECES: list[tuple[int, int, Piece]] = [
    # (chance in 100, brushes, piece)
    (26, 1, crate), (12, 1, column), (16, 1, turned_block), (10, 1, leaning), (10, 1, boulder), (6, 1, clip_box),
    (3, 1, round_column), (8, 2, dais), (5, 4, steps), (4, 5, basin),
]  # fmt: skip
