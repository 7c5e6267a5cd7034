"""Landscapes of a chosen size, for benchmarks: ``python -m tests.generate 8000 --terrain --seed 1 out.map``.

A height field as terrain tools write it: each cell of a square grid is two triangular prisms, whose bottom lies some
units below their lowest corner. It fills a sealed box under a sky. All slopes can be walked. Rocks and cliffs are
optional. What depends on chance depends on the seed alone, and twice the brushes are twice the area.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.furniture import CAULK, DETAIL, STONE, Dice, Point2, Point3, Text

CELL = 128
DEPTH = 32  # of a prism's bottom below its lowest corner
ROOM = 512  # of air between the highest point and the sky
SLOPE = 0.45  # limit of the rise along the edges of the grid: 0.64 down the slope, and 1.02 would be too steep
CLIFF = 192  # height of a cliff; it is as wide as a cell
CLIFF_SPAN = 12  # cells between two points that are on a cliff or not
WALL = 16
MIN_BRUSHES = 100
GRASS, SKY = "terrain/grass", "skies/day"

OCTAVES = ((16, 1.0), (5, 0.35))
"""Cells between two lattice points of a layer of hills, and the share of its slope."""


@dataclass(frozen=True)
class Field:
    """Heights of the corners of nx × ny cells."""

    nx: int
    ny: int
    height: list[list[int]]
    """By column and row: nx + 1 columns of ny + 1 heights."""

    @classmethod
    def rolling(cls, nx: int, ny: int, dice: Dice, cliffs: bool) -> Field:
        """Hills in layers; with cliffs, plateaus."""
        height = [[0.0] * (ny + 1) for _ in range(nx + 1)]
        share = sum(part for _, part in OCTAVES)
        for span, part in OCTAVES:
            # A smooth step over a span rises 1.5 times as steeply in its middle as a straight line.
            swing = SLOPE * CELL * span / 1.5 * part / share
            layer = _noise(nx, ny, span, dice)
            for i in range(nx + 1):
                for j in range(ny + 1):
                    height[i][j] += swing * layer[i][j]
        if cliffs:
            plateau = _noise(nx, ny, CLIFF_SPAN, dice)
            for i in range(nx + 1):
                for j in range(ny + 1):
                    height[i][j] += CLIFF if plateau[i][j] > 0.55 else 0.0
        return cls(nx, ny, [[int(value) for value in column] for column in height])

    def corner(self, i: int, j: int) -> Point3:
        """A corner of the grid."""
        return i * CELL, j * CELL, self.height[i][j]

    def triangles(self, i: int, j: int) -> list[list[Point3]]:
        """The two triangles of a cell, counter-clockwise. Diagonals alternate, as on a draughtboard."""
        a, b, c, d = (self.corner(*at) for at in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
        return [[a, b, c], [a, c, d]] if (i + j) % 2 == 0 else [[a, b, d], [b, c, d]]

    @property
    def extent(self) -> Point2:
        """The lowest and the highest corner."""
        return min(map(min, self.height)), max(map(max, self.height))


def _noise(nx: int, ny: int, span: int, dice: Dice) -> list[list[float]]:
    """Values from 0 to 1 at the corners of the grid, smooth between random values every ``span`` cells."""
    width, depth = nx // span + 2, ny // span + 2
    lattice = [[dice.below(1025) / 1024 for _ in range(depth)] for _ in range(width)]

    def smooth(t: float) -> float:
        return t * t * (3 - 2 * t)

    result = []
    for i in range(nx + 1):
        a, s = i // span, smooth(i % span / span)
        west, east = lattice[a], lattice[a + 1]
        column = []
        for j in range(ny + 1):
            b, t = j // span, smooth(j % span / span)
            south = west[b] + s * (east[b] - west[b])
            north = west[b + 1] + s * (east[b + 1] - west[b + 1])
            column.append(south + t * (north - south))
        result.append(column)
    return result


def shell(text: Text, field: Field, sky: int) -> None:
    """Floor, walls, and a sky of that many strips."""
    low, high = field.extent
    bottom, top = low - DEPTH - WALL, high + ROOM
    width, depth = field.nx * CELL, field.ny * CELL
    text.box((-WALL, -WALL, bottom - WALL), (width + WALL, depth + WALL, bottom), CAULK)
    for n in range(sky):
        west, east = -WALL + (width + 2 * WALL) * n // sky, -WALL + (width + 2 * WALL) * (n + 1) // sky
        text.box((west, -WALL, top), (east, depth + WALL, top + WALL), SKY)
    for x0, y0, x1, y1 in (
        (-WALL, -WALL, 0, depth + WALL),
        (width, -WALL, width + WALL, depth + WALL),
        (0, -WALL, width, 0),
        (0, depth, width, depth + WALL),
    ):
        text.box((x0, y0, bottom), (x1, y1, top), STONE)


def rock(text: Text, dice: Dice, field: Field, i: int, j: int) -> None:
    """A tapering block in the middle of a cell, too high to step onto; players pass between two of them."""
    x, y = i * CELL + CELL // 2, j * CELL + CELL // 2
    a, b = dice.between(16, 28, 4), dice.between(-12, 12, 4)
    around = [field.height[i + p][j + q] for p in (0, 1) for q in (0, 1)]
    z0, z1 = min(around) - 8, max(around) + dice.between(64, 112, 8)
    base = [(x + a, y + b), (x - b, y + a), (x - a, y - b), (x + b, y - a)]
    top = [(x + (px - x) // 2, y + (py - y) // 2) for px, py in base]
    text.solid(base, top, (z0, z1), STONE, DETAIL)


def terrain(brushes: int, seed: int, rocks: int = 0, cliffs: bool = False) -> str:
    """Text of a .map with that many brushes; ``rocks``: on how many of 100 cells one stands."""
    if brushes < MIN_BRUSHES:
        raise ValueError(f"a landscape of fewer than {MIN_BRUSHES} brushes is too small")
    dice, text = Dice(seed), Text()
    cells = (brushes - 6) * 100 // (200 + rocks)
    nx = int(cells**0.5)
    ny = cells // nx
    field = Field.rolling(nx, ny, dice, cliffs)
    free = [(i, j) for i in range(nx) for j in range(ny)]
    standing = sorted(free.pop(dice.below(len(free))) for _ in range(nx * ny * rocks // 100))
    # The sky takes the brushes that are left over.
    shell(text, field, brushes - 5 - 2 * nx * ny - len(standing))
    for i in range(nx):
        for j in range(ny):
            for triangle in field.triangles(i, j):
                text.prism(triangle, min(z for _, _, z in triangle) - DEPTH, GRASS)
    for i, j in standing:
        rock(text, dice, field, i, j)
    people(text, dice, field)
    title = f"{brushes} brushes of terrain"
    head = f'// {title} from seed {seed}\n{{\n"classname" "worldspawn"\n"message" "{title}"\n'
    return head + "".join(text.world) + "}\n" + "".join(text.entities)


def people(text: Text, dice: Dice, field: Field) -> None:
    """Player starts and items, at corners of cells inside the walls."""
    for i in range(1, field.nx):
        for j in range(1, field.ny):
            x, y, z = field.corner(i, j)
            if any(abs(field.height[i + p][j + q] - z) > 2 * SLOPE * CELL for p in (-1, 0, 1) for q in (-1, 0, 1)):
                continue  # beside a cliff
            if i == j == 1 or dice.chance(1):
                text.point("info_player_deathmatch", x, y, z + 40, angle=dice.between(0, 270, 90))
            elif dice.chance(2):
                item = ("item_health", "item_armor_shard", "weapon_rocketlauncher", "ammo_shells")[dice.below(4)]
                text.point(item, x, y, z + 32)
