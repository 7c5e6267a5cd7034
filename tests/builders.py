"""Small maps drawn by hypothesis: a sealed room with brushes of any shape, liquids, marks, triggers and doors in it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from aascompile.model.contents import Kind

Corner = tuple[int, int, int]

TEXTURE = {
    Kind.SOLID: "base_wall/concrete",
    Kind.WATER: "liquids/water",
    Kind.LAVA: "liquids/lavahell",
    Kind.SLIME: "liquids/slime",
    Kind.CLUSTERPORTAL: "common/clusterportal",
    Kind.DONOTENTER: "common/donotenter",
}
"""What a brush of the world with each meaning is painted with."""

ENTITY = {
    Kind.JUMPPAD: ("trigger_push", "common/trigger", '"target" "goal"\n'),
    Kind.TELEPORTER: ("trigger_teleport", "common/trigger", '"target" "goal"\n'),
    Kind.HURT: ("trigger_hurt", "common/trigger", ""),
    Kind.MOVER: ("func_door", "base_door/metal", '"angle" "-1"\n'),
}
"""Class, texture and keys of the entity that gives a brush each meaning."""

WALL = 16


@dataclass(frozen=True)
class Piece:
    """A brush: the convex hull of points with whole coordinates."""

    points: tuple[Corner, ...]
    kind: Kind = Kind.SOLID
    climbed: Corner | None = None
    """Outward normal, not shortened, of the side that is a ladder."""


@dataclass(frozen=True)
class Layout:
    """A map before it is written down."""

    pieces: tuple[Piece, ...]
    """The room's six walls first."""
    starts: tuple[Corner, ...]
    """Origins of players."""

    def text(self) -> str:
        """The map's source."""
        world = "".join(brush_text(piece, TEXTURE[piece.kind]) for piece in self.pieces if piece.kind in TEXTURE)
        out = [f'{{\n"classname" "worldspawn"\n{world}}}\n']
        for piece in self.pieces:
            if piece.kind in ENTITY:
                name, texture, keys = ENTITY[piece.kind]
                out.append(f'{{\n"classname" "{name}"\n{keys}{brush_text(piece, texture)}}}\n')
        out += [f'{{\n"classname" "info_player_deathmatch"\n"origin" "{x} {y} {z}"\n}}\n' for x, y, z in self.starts]
        x, y, z = np.max([piece.points for piece in self.pieces[:6]], axis=(0, 1)) - 1
        out.append(f'{{\n"classname" "target_position"\n"targetname" "goal"\n"origin" "{x} {y} {z}"\n}}\n')
        return "".join(out)

    @contextmanager
    def file(self) -> Iterator[str]:
        """The map in a file of its own."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "drawn.map"
            path.write_text(self.text())
            yield str(path)


def block(low: Corner, high: Corner, kind: Kind = Kind.SOLID, climbed: Corner | None = None) -> Piece:
    """An axial brush."""
    ends = (low, high)
    return Piece(tuple((ends[i & 1][0], ends[i >> 1 & 1][1], ends[i >> 2][2]) for i in range(8)), kind, climbed)


def facets(points: tuple[Corner, ...]) -> list[tuple[Corner, Corner, Corner]]:
    """For each side of the hull three of its corners, counter-clockwise seen from outside; exact, in whole numbers."""
    xyz = np.array(points, dtype=object)
    found: dict[tuple[int, ...], tuple[int, tuple[Corner, Corner, Corner]]] = {}
    for i, j, k in combinations(range(len(points)), 3):
        u, v = xyz[j] - xyz[i], xyz[k] - xyz[i]
        normal = np.array([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])
        if not normal.any():
            continue
        side = [int(normal @ (p - xyz[i])) for p in xyz]
        if min(side) < 0 < max(side):
            continue
        order = (i, j, k) if max(side) <= 0 else (i, k, j)
        outward = normal if max(side) <= 0 else -normal
        shorter = int(np.gcd.reduce([abs(int(n)) for n in normal]))
        key = (*(int(n) // shorter for n in outward), int(outward @ xyz[i]) // shorter)
        size = int(normal @ normal)
        if key not in found or size > found[key][0]:
            a, b, c = (points[n] for n in order)
            found[key] = (size, (a, b, c))
    return [corners for _, corners in found.values()]


def brush_text(piece: Piece, texture: str) -> str:
    """A brush as a map file has it."""
    lines = []
    for a, b, c in facets(piece.points):
        normal = np.cross(np.subtract(b, a), np.subtract(c, a))
        ladder = (
            piece.climbed is not None
            and np.dot(normal, piece.climbed) ** 2 == np.dot(normal, normal) * np.dot(piece.climbed, piece.climbed)
            and np.dot(normal, piece.climbed) > 0
        )
        paint = "common/ladder" if ladder else texture
        corners = " ".join(f"( {x} {y} {z} )" for x, y, z in (a, c, b))
        lines.append(f"{corners} {paint} 0 0 0 0.5 0.5 0 0 0\n")
    return "{\n" + "".join(lines) + "}\n"


def walls(size: Corner) -> list[Piece]:
    """The six walls of a room that reaches from the origin to ``size``."""
    x, y, z = size
    w = WALL
    return [
        block((-w, -w, -w), (x + w, y + w, 0)), block((-w, -w, z), (x + w, y + w, z + w)),
        block((-w, -w, 0), (0, y + w, z)), block((x, -w, 0), (x + w, y + w, z)),
        block((0, -w, 0), (x, 0, z)), block((0, y, 0), (x, y + w, z)),
    ]  # fmt: skip


KINDS = (
    *(6 * [Kind.SOLID]), Kind.WATER, Kind.WATER, Kind.LAVA, Kind.SLIME, Kind.CLUSTERPORTAL, Kind.DONOTENTER,
    Kind.JUMPPAD, Kind.TELEPORTER, Kind.HURT, Kind.MOVER,
)  # fmt: skip


@st.composite
def pieces(draw: st.DrawFn, size: Corner, grid: int, kinds: tuple[Kind, ...] = KINDS) -> Piece:
    """A brush in a room: a block, or the hull of a few points, its corners on a grid."""
    kind = draw(st.sampled_from(kinds))
    corner = st.tuples(*(st.integers(-1, s // grid + 1) for s in size))
    if draw(st.booleans()):
        a, b = draw(corner), draw(corner)
        low = tuple(grid * min(p, q) for p, q in zip(a, b, strict=True))
        high = tuple(grid * max(p, q) + (grid if p == q else 0) for p, q in zip(a, b, strict=True))
        return block(low, high, kind)  # type: ignore[arg-type]
    spots = draw(st.lists(corner, min_size=4, max_size=8, unique=True))
    points = [(grid * x, grid * y, grid * z) for x, y, z in spots]
    base = np.array(points)
    if np.linalg.matrix_rank(base[1:] - base[0]) < 3:
        x, y, z = points[0]
        points += [(x + grid, y, z), (x, y + grid, z), (x, y, z + grid)]
    return Piece(tuple(points), kind)


@st.composite
def layouts(draw: st.DrawFn, most: int = 8, kinds: tuple[Kind, ...] = KINDS) -> Layout:
    """A room with up to ``most`` brushes in it and players at random places, some of them free."""
    grid = draw(st.sampled_from((1, 8, 16, 32)))
    size = (draw(st.integers(4, 12)) * 32, draw(st.integers(4, 12)) * 32, draw(st.integers(3, 8)) * 32)
    inside = draw(st.lists(pieces(size, grid, kinds), max_size=most))
    spot = st.tuples(st.integers(16, size[0] - 16), st.integers(16, size[1] - 16), st.integers(25, size[2] - 33))
    starts = draw(st.lists(spot, min_size=4, max_size=8))
    return Layout((*walls(size), *inside), tuple(starts))


@st.composite
def climbs(draw: st.DrawFn) -> list[Piece]:
    """Blocks against the eastern wall of a room of 256 × 256 × 384, some of them ladders, at places that often meet."""
    pieces = []
    for _ in range(draw(st.integers(1, 6))):
        y0, z0 = 16 * draw(st.integers(0, 12)), 16 * draw(st.integers(0, 20))
        y1, z1 = y0 + 16 * draw(st.integers(1, 5)), z0 + 16 * draw(st.integers(1, 16))
        x0 = 256 - 8 * draw(st.integers(1, 3))
        side: Corner | None = draw(st.sampled_from([None, (-1, 0, 0)]))
        pieces.append(block((x0, y0, z0), (256, min(y1, 256), min(z1, 384)), climbed=side))
    return pieces
