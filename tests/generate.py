"""Large maps of a chosen size, for benchmarks: ``python -m tests.generate 4000 --seed 1 out.map`` (or ``out.bsp``).

A building of equal cells on several floors. Every cell is a room of 496 × 496 × 240 units; neighbours are joined by
doorways, wide openings or not at all, floors by stairs through openings. Structure takes some nine brushes a cell, the
rest is furniture in slots of 124 units, so a map twice as big has twice the rooms and the same density. The outer walls
have no openings: the map is sealed. What depends on chance depends on the seed alone.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

PITCH, STOREY, WALL, SLAB = 512, 256, 16, 16
HALF = WALL // 2
HEIGHT = STOREY - SLAB  # of a room, floor to ceiling
SLOT = (PITCH - WALL) // 4
INSET = 20  # furniture keeps this far from the slot's edge, so that a player passes between two pieces
ROOM = SLOT - 2 * INSET  # side of the square that furniture may fill
POOL_DEPTH = 112
BRUSHES_PER_CELL = 24
MIN_BRUSHES = 200

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


def turned(x: int, y: int, a: int, b: int, stretch: int = 1) -> list[Point2]:
    """A rectangle round (x, y), turned so that its sides run along (a, b) and (−b, a)·stretch."""
    p, q = (a, b), (-b * stretch, a * stretch)
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


# --- structure --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """Where a room stands and what it is."""

    i: int
    j: int
    k: int
    kind: str
    """"room", "corridor" (blocks in its four corners), "pool" (lowest floor only)."""
    stairs: bool
    """Stairs along its northern wall lead to the floor above."""
    opening: bool
    """Its floor is open where stairs come up."""

    @property
    def low(self) -> Point3:
        """The room's south-western corner on the floor."""
        return self.i * PITCH + HALF, self.j * PITCH + HALF, self.k * STOREY


@dataclass(frozen=True)
class Building:
    """The cells of a map: nx × ny × nz."""

    nx: int
    ny: int
    nz: int
    cells: list[Cell]

    @classmethod
    def of(cls, brushes: int, dice: Dice) -> Building:
        """As many cells as the brushes can furnish, on two to eight floors."""
        count = max(8, brushes // BRUSHES_PER_CELL)
        nz = min(8, max(2, round((count / 10) ** (1 / 3))))
        nx = max(2, round((count / nz) ** 0.5))
        ny = max(2, round(count / (nz * nx)))
        stairs: set[tuple[int, int, int]] = set()
        for k in range(nz - 1):
            free = [(i, j) for i in range(1, nx) for j in range(ny) if (i, j, k - 1) not in stairs]
            wanted = max(1, len(free) // 8)
            while sum(1 for s in stairs if s[2] == k) < wanted:
                stairs.add((*free[dice.below(len(free))], k))
        cells = []
        for k in range(nz):
            for j in range(ny):
                for i in range(nx):
                    kind = "corridor" if dice.chance(15) else "room"
                    if k == 0 and (i, j, k) not in stairs and dice.chance(12):
                        kind = "pool"
                    if (i, j, k) in stairs or (i, j, k - 1) in stairs:
                        kind = "room"
                    cells.append(Cell(i, j, k, kind, (i, j, k) in stairs, (i, j, k - 1) in stairs))
        return cls(nx, ny, nz, cells)

    def build(self, text: Text, dice: Dice) -> None:
        """Slabs, posts and walls of all cells."""
        for cell in self.cells:
            self._slab(text, cell)
            self._walls(text, dice, cell)
            if cell.kind == "corridor":
                x, y, z = cell.low
                near, far = 184, PITCH - WALL - 184
                for bx, by in ((0, 0), (far, 0), (0, far), (far, far)):
                    text.box((x + bx, y + by, z), (x + bx + near, y + by + near, z + HEIGHT), STONE)
            if cell.stairs:
                x, y, z = cell.low
                north = y + PITCH - WALL
                for n in range(15):
                    left = x + 48 + 24 * n
                    text.box((left, north - 96, z), (left + 24, north, z + 16 * (n + 1)), FLOOR)

    def _slab(self, text: Text, cell: Cell) -> None:
        """The floor of a cell, and the ceiling above the topmost."""
        x0, y0, z = cell.i * PITCH - HALF, cell.j * PITCH - HALF, cell.k * STOREY
        x1 = x0 + PITCH + (WALL if cell.i == self.nx - 1 else 0)
        y1 = y0 + PITCH + (WALL if cell.j == self.ny - 1 else 0)
        x, y, _ = cell.low
        if cell.kind == "pool":
            a, b, c, d = x + SLOT, y + SLOT, x + 3 * SLOT, y + 3 * SLOT
            low = z - POOL_DEPTH
            for west, south, east, north in ((x0, y0, a, y1), (c, y0, x1, y1), (a, y0, c, b), (a, d, c, y1)):
                text.box((west, south, z - SLAB), (east, north, z), FLOOR)
            walls = [(a - WALL, b - WALL, a, d + WALL), (c, b - WALL, c + WALL, d + WALL)]
            for west, south, east, north in (*walls, (a, b - WALL, c, b), (a, d, c, d + WALL)):
                text.box((west, south, low), (east, north, z - SLAB), STONE)
            text.box((a - WALL, b - WALL, low - SLAB), (c + WALL, d + WALL, low), FLOOR)
            text.box((a, b, low), (c, d, z - 8), WATER)
        elif cell.opening:
            west, east, south = x + 264, x + 408, y + PITCH - WALL - 96
            text.box((x0, y0, z - SLAB), (west, y1, z), FLOOR)
            text.box((east, y0, z - SLAB), (x1, y1, z), FLOOR)
            text.box((west, y0, z - SLAB), (east, south, z), FLOOR)
            if cell.j == self.ny - 1:
                text.box((west, y1 - WALL, z - SLAB), (east, y1, z), FLOOR)
        else:
            text.box((x0, y0, z - SLAB), (x1, y1, z), FLOOR)
        if cell.k == self.nz - 1:
            text.box((x0, y0, z + HEIGHT), (x1, y1, z + STOREY), STONE)

    def _walls(self, text: Text, dice: Dice, cell: Cell) -> None:
        """Posts at the corners, the western and southern wall, and the outer walls of the last row and column."""
        x, y, z = cell.low
        last_x, last_y = cell.i == self.nx - 1, cell.j == self.ny - 1
        for px in (cell.i, cell.i + 1) if last_x else (cell.i,):
            for py in (cell.j, cell.j + 1) if last_y else (cell.j,):
                cx, cy = px * PITCH, py * PITCH
                text.box((cx - HALF, cy - HALF, z), (cx + HALF, cy + HALF, z + HEIGHT), STONE)
        span = PITCH - WALL
        # Rows along x are always joined, and so are all rows in the westernmost column: one can get everywhere.
        self._wall(text, (x - WALL, y, z), False, "solid" if cell.i == 0 else _opening(dice, 0))
        south = self.cells[self._row(cell.i, cell.j - 1, cell.k)] if cell.j else None
        blocked = south is None or south.stairs or south.opening
        self._wall(text, (x, y - WALL, z), True, "solid" if blocked else _opening(dice, 10 if cell.i else 0))
        if last_x:
            self._wall(text, (x + span, y, z), False, "solid")
        if last_y:
            self._wall(text, (x, y + span, z), True, "solid")

    def _row(self, i: int, j: int, k: int) -> int:
        return (k * self.ny + j) * self.nx + i

    @staticmethod
    def _wall(text: Text, low: Point3, along_x: bool, opening: str) -> None:
        """A wall between two posts, whole or with an opening in its middle."""
        span = PITCH - WALL
        if opening == "open":
            return

        def piece(start: int, stop: int, bottom: int, top: int) -> None:
            dx, dy = ((start, stop), (0, WALL)) if along_x else ((0, WALL), (start, stop))
            x, y, z = low
            text.box((x + dx[0], y + dy[0], z + bottom), (x + dx[1], y + dy[1], z + top), STONE)

        if opening == "solid":
            piece(0, span, 0, HEIGHT)
            return
        half, top = (32, 96) if opening == "door" else (128, 160)
        piece(0, span // 2 - half, 0, HEIGHT)
        piece(span // 2 + half, span, 0, HEIGHT)
        piece(span // 2 - half, span // 2 + half, top, HEIGHT)


def _opening(dice: Dice, solid_percent: int) -> str:
    roll = dice.below(100)
    if roll < solid_percent:
        return "solid"
    return "open" if roll >= 92 else "wide" if roll >= 70 else "door"


# --- filling ----------------------------------------------------------------------------------------------------------


def slots(cell: Cell) -> Iterator[tuple[int, int]]:
    """Middles of the slots where furniture may stand."""
    x, y, _ = cell.low
    for b in range(4):
        for a in range(4):
            inner = a in (1, 2) and b in (1, 2)
            if cell.kind == "corridor" or (cell.kind == "pool" and inner):
                continue
            if (cell.stairs or cell.opening) and b == 3:
                continue
            yield x + SLOT * a + SLOT // 2, y + SLOT * b + SLOT // 2


def furnish(text: Text, dice: Dice, cell: Cell, budget: int) -> None:
    """Exactly ``budget`` brushes of furniture: pieces in slots, then beams under the ceiling."""
    free = list(slots(cell))
    x, y, z = cell.low
    while budget and free:
        roll = dice.below(100)
        for percent, size, piece in PIECES:
            roll -= percent
            if roll < 0 and size <= budget:
                sx, sy = free.pop(dice.below(len(free)))
                piece(text, dice, sx, sy, z)
                budget -= size
                break
    span = PITCH - WALL
    for n in range(budget):
        row, layer = n % 30, n // 30
        top = z + HEIGHT - 8 * layer
        text.box((x, y + 8 + 16 * row, top - 8), (x + span, y + 16 + 16 * row, top), TRIM, DETAIL)


def people(text: Text, dice: Dice, cell: Cell) -> None:
    """Player starts and items, where the gaps between the slots cross."""
    x, y, z = cell.low
    middle = 2 * SLOT
    if cell.kind == "pool":
        text.point("item_health_large", x + middle, y + middle, z - POOL_DEPTH + 16)
        return
    if cell.i == cell.j == 0 or dice.chance(25):
        text.point("info_player_deathmatch", x + middle, y + middle, z + 32, angle=dice.between(0, 270, 90))
    if dice.chance(50):
        item = ("item_health", "item_armor_shard", "weapon_rocketlauncher", "ammo_shells")[dice.below(4)]
        text.point(item, x + middle, y + SLOT, z + 16)


def generate(brushes: int, seed: int) -> str:
    """Text of a .map with that many brushes."""
    if brushes < MIN_BRUSHES:
        raise ValueError(f"a map of fewer than {MIN_BRUSHES} brushes has no room for furniture")
    dice = Dice(seed)
    text = Text()
    building = Building.of(brushes, dice)
    building.build(text, dice)
    rest = brushes - text.brushes
    cells = len(building.cells)
    for n, cell in enumerate(building.cells):
        furnish(text, dice, cell, rest * (n + 1) // cells - rest * n // cells)
        people(text, dice, cell)
    head = f'// {brushes} brushes from seed {seed}\n{{\n"classname" "worldspawn"\n"message" "{brushes} brushes"\n'
    return head + "".join(text.world) + "}\n" + "".join(text.entities)


def main() -> None:
    """Write one map."""
    parser = argparse.ArgumentParser(description="Write a large map for benchmarks.")
    parser.add_argument("brushes", type=int, help="how many brushes, 1,000 to 64,000 and beyond")
    parser.add_argument("out", type=Path, help="a .map, or a .bsp")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    data = generate(wanted.brushes, wanted.seed).encode()
    if wanted.out.suffix == ".bsp":
        from aascompile.mapio.ibsp_write import write_ibsp
        from aascompile.mapio.source import read_source

        data = write_ibsp(read_source(data.decode(), data, str(wanted.out.with_suffix(".map"))))
    wanted.out.write_bytes(data)


if __name__ == "__main__":
    main()
