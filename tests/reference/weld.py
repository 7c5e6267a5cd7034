"""Slow twin of welding: compares every corner with every vertex, and every vertex with every edge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt

Point = tuple[float, float, float]


@dataclass
class Weld:
    """Vertices made from corners, and the polygons between them."""

    near: float
    vertex: list[Point] = field(default_factory=list)
    kept: list[bool] = field(default_factory=list)

    def place(self, point: Point, kept: bool) -> int:
        """Lowest vertex within ``near`` of a corner, or a new vertex. A corner to be kept gets its own vertex."""
        if not kept:
            for row, other in enumerate(self.vertex):
                if not self.kept[row] and sum((a - b) * (a - b) for a, b in zip(other, point, strict=True)) <= (
                    self.near * self.near
                ):
                    return row
        self.vertex.append(point)
        self.kept.append(kept)
        return len(self.vertex) - 1

    def on_edge(self, a: int, b: int) -> int | None:
        """Vertex on an edge that is nearest to it, seen from its lower end; the lowest if several are equal."""
        a, b = min(a, b), max(a, b)
        if (self.kept[a] and self.kept[b]) or self.vertex[a] == self.vertex[b]:
            return None
        start = self.vertex[a]
        along = [q - p for p, q in zip(start, self.vertex[b], strict=True)]
        length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2])
        along = [part / length for part in along]
        best: tuple[float, int] | None = None
        for row, point in enumerate(self.vertex):
            if row in (a, b) or self.kept[row]:
                continue
            away = [q - p for p, q in zip(start, point, strict=True)]
            t = away[0] * along[0] + away[1] * along[1] + away[2] * along[2]
            away = [x - t * e for x, e in zip(away, along, strict=True)]
            off = away[0] * away[0] + away[1] * away[1] + away[2] * away[2]
            # Both pieces are shorter than the edge.
            splits = 0 < t < length and off < t * (2 * length - t) and off < length * length - t * t
            if splits and off <= self.near * self.near and (best is None or (off, row) < best):
                best = (off, row)
        return None if best is None else best[1]

    def walk(self, a: int, b: int) -> Iterator[int]:
        """Vertices on the edge from a to b, without a."""
        if a == b:
            return
        middle = self.on_edge(a, b)
        if middle is None:
            yield b
        else:
            yield from self.walk(a, middle)
            yield from self.walk(middle, b)

    def loops(self, corners: Sequence[int]) -> list[list[int]]:
        """Polygons that a polygon becomes. A repeated vertex cuts off the loop since its first occurrence."""
        found: list[list[int]] = []
        path = list(corners[:1])
        for a, b in zip(corners, [*corners[1:], *corners[:1]], strict=True):
            for vertex in self.walk(a, b):
                if vertex in path:
                    first = path.index(vertex)
                    found += [path[first:]] if len(path) - first > 2 else []
                    path = path[: first + 1]
                else:
                    path.append(vertex)
        return found


def pinched(faces: Sequence[Sequence[int]]) -> dict[int, int]:
    """Edges of a body, given by the edges of its faces, that do not bound two of them, with their marks: 1 if they
    bound an even number, 2 if an odd one."""
    times = Counter(edge for face in faces for edge in face)
    return {edge: 1 + count % 2 for edge, count in times.items() if count != 2}
