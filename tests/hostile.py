"""Maps that once took minutes, of any size: ``python -m tests.hostile cone 5000 out.map``.

Each is a sealed room with shapes in it that few maps have, but that any editor can write.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.furniture import STONE, Text

SIZE = 4096  # of the room
WALL = 16


def brush(sides: Iterable[NDArray[np.float64]]) -> str:
    """A brush from three points on each side, counter-clockwise seen from outside."""
    lines = []
    for points in sides:
        corners = " ".join(f"( {x:.6f} {y:.6f} {z:.6f} )" for x, y, z in (points[0], points[2], points[1]))
        lines.append(f"{corners} {STONE} 0 0 0 0.5 0.5 0 0 0\n")
    return "{\n" + "".join(lines) + "}\n"


def convex(normal: NDArray[np.float64], dist: NDArray[np.float64]) -> str:
    """A brush behind planes."""
    aside = np.where(np.abs(normal[:, 2:]) < 0.9, [[0.0, 0.0, 1.0]], [[1.0, 0.0, 0.0]])
    right = np.cross(aside, normal)
    right /= np.linalg.norm(right, axis=1)[:, None]
    up = np.cross(normal, right)
    middle = normal * dist[:, None]
    return brush(np.stack([middle, middle + 64 * right, middle + 64 * up], axis=1))


def box(low: NDArray[np.float64], high: NDArray[np.float64]) -> str:
    """An axial brush."""
    return convex(np.concatenate([-np.eye(3), np.eye(3)]), np.concatenate([-low, high]))


def cone(count: int) -> str:
    """Wedges round one axis: as many volumes overlap at the axis, once they are grown."""
    middle, radius, height = SIZE / 2, 1024.0, 256.0
    turn = 2 * np.pi * np.arange(count + 1) / count
    rim = np.stack([middle + radius * np.cos(turn), middle + radius * np.sin(turn), np.zeros(count + 1)], axis=1)
    foot, top = np.array([middle, middle, 0.0]), np.array([middle, middle, height])
    return "".join(
        brush([np.array(side) for side in ((foot, b, a), (foot, a, top), (foot, top, b), (a, b, top))])
        for a, b in pairwise(rim)
    )


def balls(count: int, sides: int = 200) -> str:
    """Balls of many sides in random directions, side by side."""
    chance = np.random.default_rng(1)
    out = []
    for n in range(count):
        normal = chance.normal(size=(sides, 3))
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        centre = np.array([256.0 + 384 * (n % 10), 256.0 + 384 * (n // 10), 160.0])
        out.append(convex(normal, 96.0 + normal @ centre))
    return "".join(out)


def near(count: int) -> str:
    """Boxes that are 0.06 apart along all axes."""
    step = 0.06 * np.arange(count)[:, None]
    low, high = np.array([64.0, 64.0, 0.0]) + step, np.array([264.0, 264.0, 100.0]) + step
    return "".join(box(a, b) for a, b in zip(low, high, strict=True))


def patch(points: NDArray[np.float64]) -> str:
    """A patch with control points (columns, rows, 3)."""
    columns = "".join(
        "( " + " ".join(f"( {x:.3f} {y:.3f} {z:.3f} 0 0 )" for x, y, z in column) + " )\n" for column in points
    )
    return f"{{\npatchDef2\n{{\n{STONE}\n( {len(points)} {len(points[0])} 0 0 0 )\n(\n{columns})\n}}\n}}\n"


def wild(count: int) -> str:
    """Patches of 3 by 3 control points at random."""
    chance = np.random.default_rng(3)
    return "".join(patch(chance.uniform(0, 3500, 3) + chance.uniform(0, 500, (3, 3, 3))) for _ in range(count))


SHAPES: dict[str, Callable[[int], str]] = {"cone": cone, "balls": balls, "near": near, "wild": wild}


def hostile(shape: str, count: int) -> str:
    """Text of a .map with that many of a shape in a room."""
    return room(SHAPES[shape](count))


def room(shapes: str) -> str:
    """Text of a .map: a room with these brushes and patches in it."""
    text = Text()
    for axis in range(3):
        for end in (0, 1):
            low, high = [-WALL] * 3, [SIZE + WALL] * 3
            low[axis], high[axis] = (SIZE, SIZE + WALL) if end else (-WALL, 0)
            text.box((low[0], low[1], low[2]), (high[0], high[1], high[2]), STONE)
    text.point("info_player_deathmatch", 32, 32, 32)
    world = "".join(text.world) + shapes
    return f'{{\n"classname" "worldspawn"\n{world}}}\n' + "".join(text.entities)


def main() -> None:
    """Write a map."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__.splitlines()[0])
    parser.add_argument("shape", choices=sorted(SHAPES))
    parser.add_argument("count", type=int)
    parser.add_argument("target", type=Path)
    chosen = parser.parse_args()
    chosen.target.write_text(hostile(chosen.shape, chosen.count))


if __name__ == "__main__":
    main()
