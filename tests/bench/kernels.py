"""Speed of the geometry kernels compared with the same loops in C, on the same data in one run."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.geometry import winding_kernel
from aascompile.geometry.hull import builder
from aascompile.geometry.planes import PlaneTable
from aascompile.geometry.polygon_kernel import Polys
from tests.bench import twin

TARGET = 1.5
ROUNDS = 15
AT_LEAST = 2.0  # seconds for each pair, so that a short load on the machine does not matter


@dataclass(frozen=True, slots=True)
class Pair:
    """A kernel and its C twin: their name, the number of items per call, and the two calls.

    A call does the timed work once and returns the seconds and the result. Both results must be equal.
    """

    name: str
    item: str
    items: int
    kernel: Callable[[], tuple[float, list[NDArray[np.generic]]]]
    c: Callable[[], tuple[float, list[NDArray[np.generic]]]]


def run() -> None:
    """Print the table of all pairs."""
    library = twin.load()
    rng = np.random.default_rng(7)
    planes, starts, sides = brushes(rng, 1500)
    pairs = [
        clip_pair(library, rng),
        hull_pair(library, "hulls, as in maps", planes, starts, sides),
        hull_pair(library, "hulls, 24 to 40 sides", *brushes(rng, 300, slanted=(18, 34))),
        intern_pair(library, rng),
    ]
    print(f"{'kernel':<24}{'item':<10}{'compiled':>12}{'C -O2':>12}{'ratio':>8}   target ≤ {TARGET}")
    for pair in pairs:
        ours, theirs = measure(pair)
        scale = 1e9 / pair.items
        verdict = "ok" if ours <= TARGET * theirs else "SLOW"
        print(
            f"{pair.name:<24}{pair.item:<10}{ours * scale:>9.1f} ns{theirs * scale:>9.1f} ns"
            f"{ours / theirs:>8.2f}   {verdict}"
        )


def measure(pair: Pair) -> tuple[float, float]:
    """Best times of both over many alternating rounds. Their results must be the same."""
    ours = theirs = float("inf")
    rounds = 0
    end = time.monotonic() + AT_LEAST
    while rounds < ROUNDS or time.monotonic() < end:
        rounds += 1
        seconds, mine = pair.kernel()
        ours = min(ours, seconds)
        seconds, other = pair.c()
        theirs = min(theirs, seconds)
        for a, b in zip(mine, other, strict=True):
            if not np.array_equal(a, b):
                raise AssertionError(f"{pair.name}: the kernel and its C twin disagree")
    return ours, theirs


def clip_pair(library: ctypes.CDLL, rng: np.random.Generator) -> Pair:
    """Quads and hexagons split by planes through their middle."""
    count = 20_000
    sizes = rng.choice([4, 4, 5, 6], count)
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    angle = np.concatenate([np.arange(size) * 2 * np.pi / size for size in sizes])
    centre = rng.uniform(-2000, 2000, (count, 3))
    radius = rng.uniform(20, 300, count)
    flat = np.column_stack((np.cos(angle), np.sin(angle), np.zeros_like(angle)))
    xyz = np.repeat(centre, sizes, axis=0) + flat * np.repeat(radius, sizes)[:, None]
    normal = rng.normal(size=(count, 3))
    normal[::2] = np.eye(3)[rng.integers(0, 2, len(normal[::2]))]
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    dist = (normal * centre).sum(axis=1) + rng.uniform(-20, 20, count)
    eps = tolerances.ON_PLANE

    def kernel() -> tuple[float, list[NDArray[np.generic]]]:
        polys = Polys(8 * len(xyz), 4 * count)
        polys.load(starts, xyz)
        front, back = np.empty(count, np.int32), np.empty(count, np.int32)
        start = time.thread_time()
        winding_kernel.split_all(polys, normal, dist, eps, front, back)
        seconds = time.thread_time() - start
        return seconds, [front, back, np.array(polys.xyz)[: polys.vertex_count]]

    def c() -> tuple[float, list[NDArray[np.generic]]]:
        polys = ctypes.c_void_p(library.polys_new(8 * len(xyz), 4 * count))
        library.polys_load(polys, count, twin.pointer(starts), twin.pointer(xyz))
        front, back = np.empty(count, np.int32), np.empty(count, np.int32)
        start = time.thread_time()
        library.split_all(
            polys, count, twin.pointer(normal), twin.pointer(dist), *twin.doubles(eps),
            twin.pointer(front), twin.pointer(back),
        )  # fmt: skip
        seconds = time.thread_time() - start
        corners = _corners(library, polys)
        library.polys_free(polys)
        return seconds, [front, back, corners]

    return Pair("clip", "polygon", count, kernel, c)


def brushes(
    rng: np.random.Generator, count: int, slanted: tuple[int, int] = (0, 6)
) -> tuple[PlaneTable, NDArray[np.int64], NDArray[np.int32]]:
    """Boxes with some slanted sides, and with as many bevels that bound nothing."""
    normals, dists, starts = [], [], [0]
    for _ in range(count):
        centre = np.round(rng.uniform(-3000, 3000, 3))
        size = np.round(rng.uniform(16, 400, 3))
        cuts = int(rng.integers(*slanted))
        cut = rng.normal(size=(cuts, 3))
        cut /= np.linalg.norm(cut, axis=1, keepdims=True)
        reach = np.abs(cut) @ size * rng.choice([0.6, 0.8, 1.01], cuts)
        normals.append(np.vstack((np.eye(3), -np.eye(3), cut)))
        dists.append(np.concatenate((centre + size, size - centre, cut @ centre + reach)))
        starts.append(starts[-1] + 6 + cuts)
    table = PlaneTable()
    sides = table.intern(np.vstack(normals), np.concatenate(dists))
    return table, np.array(starts, np.int64), sides


def hull_pair(
    library: ctypes.CDLL, name: str, table: PlaneTable, starts: NDArray[np.int64], sides: NDArray[np.int32]
) -> Pair:
    """Polygons of all sides of brushes."""
    normal, dist, count = table.normal, table.dist, len(starts) - 1
    shaped = (tolerances.WORLD_EXTENT, tolerances.CLIP, tolerances.MIN_EDGE, tolerances.MIN_VOLUME, tolerances.MIN_AREA)

    def kernel() -> tuple[float, list[NDArray[np.generic]]]:
        polys = Polys(8 * len(sides), len(sides))
        bounds, volume, status = np.empty((count, 6)), np.empty(count), np.empty(count, np.int32)
        hull = builder()
        start = time.thread_time()
        hull.build_all(normal, dist, starts, sides, polys, bounds, volume, status)
        seconds = time.thread_time() - start
        return seconds, [bounds, volume, status, np.array(polys.xyz)[: polys.vertex_count]]

    def c() -> tuple[float, list[NDArray[np.generic]]]:
        polys = ctypes.c_void_p(library.polys_new(8 * len(sides), len(sides)))
        hull = ctypes.c_void_p(library.hull_new(*twin.doubles(*shaped)))
        bounds, volume, status = np.empty((count, 6)), np.empty(count), np.empty(count, np.int32)
        start = time.thread_time()
        library.hull_all(
            hull, len(dist), twin.pointer(normal), twin.pointer(dist), count, twin.pointer(starts), twin.pointer(sides),
            polys, twin.pointer(bounds), twin.pointer(volume), twin.pointer(status),
        )  # fmt: skip
        seconds = time.thread_time() - start
        corners = _corners(library, polys)
        library.hull_free(hull)
        library.polys_free(polys)
        return seconds, [bounds, volume, status, corners]

    return Pair(name, "side", len(sides), kernel, c)


def intern_pair(library: ctypes.CDLL, rng: np.random.Generator) -> Pair:
    """Planes of a map, each about four times, some facing the opposite direction."""
    count = 40_000
    few = count // 4
    normal = rng.normal(size=(few, 3))
    normal[: few // 2] = np.eye(3)[rng.integers(0, 3, few // 2)]
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    dist = np.round(rng.uniform(-4096, 4096, few))
    dist[few // 2 :] += rng.random(few - few // 2)
    pick = rng.integers(0, few, count)
    sign = rng.choice([-1.0, 1.0], count)
    normal = np.ascontiguousarray((normal[pick] * sign[:, None]).astype(np.float32).astype(np.float64))
    dist = (dist[pick] * sign).astype(np.float32).astype(np.float64)
    eps = (
        tolerances.PLANE_NORMAL,
        tolerances.PLANE_DIST,
        tolerances.PLANE_SNAP,
        tolerances.NORMAL_LENGTH,
        tolerances.PLANE_FAR,
    )

    def kernel() -> tuple[float, list[NDArray[np.generic]]]:
        store = PlaneTable().store
        ids = np.empty(count, np.int32)
        start = time.thread_time()
        store.intern(normal, dist, ids)
        return time.thread_time() - start, [ids]

    def c() -> tuple[float, list[NDArray[np.generic]]]:
        planes = ctypes.c_void_p(library.planes_new(*twin.doubles(*eps)))
        ids = np.empty(count, np.int32)
        start = time.thread_time()
        library.intern_all(planes, count, twin.pointer(normal), twin.pointer(dist), twin.pointer(ids))
        seconds = time.thread_time() - start
        library.planes_free(planes)
        return seconds, [ids]

    return Pair("plane interning", "plane", count, kernel, c)


def _corners(library: ctypes.CDLL, polys: ctypes.c_void_p) -> NDArray[np.float64]:
    """Copy of all vertices in a polygon store of the C twin."""
    count = library.polys_vertices(polys)
    address = ctypes.cast(library.polys_xyz(polys), ctypes.POINTER(ctypes.c_double))
    return np.ctypeslib.as_array(address, (count, 3)).copy()
