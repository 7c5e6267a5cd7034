"""Large maps of a chosen size, for benchmarks: ``python -m tests.generate 4000 --seed 1 out.map`` (or ``out.bsp``).

With ``--terrain`` it is a landscape (tests/terrain.py). Otherwise it is a building of equal cells on several floors.
Every cell is a room of 496 × 496 × 240 units; neighbours are joined by doorways, wide openings or not at all, floors
by stairs through openings. Structure takes some nine brushes a cell, the rest is furniture in slots of 124 units, so
a map twice as big has twice the rooms and the same density. The outer walls have no openings: the map is sealed. What
depends on chance depends on the seed alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.furniture import (
    DETAIL,
    FLOOR,
    HALF,
    HEIGHT,
    PIECES,
    PITCH,
    SLAB,
    SLOT,
    STONE,
    STOREY,
    TRIM,
    WALL,
    WATER,
    Dice,
    Point3,
    Text,
)
from tests.terrain import terrain

POOL_DEPTH = 112
BRUSHES_PER_CELL = 24
MIN_BRUSHES = 200

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
    parser.add_argument("--terrain", action="store_true", help="a landscape instead of a building")
    parser.add_argument("--rocks", type=int, default=0, help="on how many of 100 cells of a landscape one stands")
    parser.add_argument("--cliffs", action="store_true", help="a landscape with plateaus")
    wanted = parser.parse_args()
    if wanted.terrain:
        data = terrain(wanted.brushes, wanted.seed, wanted.rocks, wanted.cliffs).encode()
    else:
        data = generate(wanted.brushes, wanted.seed).encode()
    if wanted.out.suffix == ".bsp":
        from aascompile.mapio.source import read_source
        from aascompile.quickbsp.write import write_ibsp

        data = write_ibsp(read_source(data.decode(), data, str(wanted.out.with_suffix(".map"))))
    wanted.out.write_bytes(data)


if __name__ == "__main__":
    main()
