"""Facets of patches, compared with surfaces worked out by hand and with the slow twin."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aascompile import tolerances
from aascompile.brushes import patches as subject
from aascompile.brushes.crossings import MAX_CLOSE, MAX_PIECES, SAMPLED, load_of
from aascompile.brushes.patches import facets, subdivide
from aascompile.geometry.hull import HullStatus, hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.mapio.load import load_map
from aascompile.model.contents import Contents
from aascompile.model.facets import Facets
from aascompile.model.mapdata import Patches
from aascompile.report import Dropped
from tests.examples import examples
from tests.reference import patches as twin

SLACK = tolerances.PATCH_COPLANAR + tolerances.PLANE_DIST
"""Units by which merging and interning may move a corner."""


def record(*grids: np.ndarray, contents: int = Contents.SOLID) -> Patches:
    """Patches with these control points, numbered from 100."""
    n = len(grids)
    return Patches(
        width=np.array([grid.shape[1] for grid in grids], np.int32),
        height=np.array([grid.shape[0] for grid in grids], np.int32),
        point_start=np.cumsum([0] + [grid.shape[0] * grid.shape[1] for grid in grids]),
        point=np.concatenate([np.asarray(grid, float).reshape(-1, 3) for grid in grids]),
        contents=np.full(n, contents, np.uint32),
        flags=np.arange(n, dtype=np.uint32) + 7,
        shader=np.arange(n, dtype=np.int32) + 20,
        model=np.arange(n, dtype=np.int32) + 30,
        entity=np.arange(n, dtype=np.int32) + 40,
        number=np.arange(n, dtype=np.int32) + 100,
    )


def extruded(profile: list[tuple[float, float]], height: float = 128, rows: int = 3) -> np.ndarray:
    """Control points of an upright surface over a quadratic profile."""
    up = np.linspace(0, height, rows)
    return np.array([[(x, y, z) for x, y in profile] for z in up], float)


def quarter(radius: float) -> np.ndarray:
    return extruded([(radius, 0), (radius, radius), (0, radius)])


def polygons(found: Facets) -> list[np.ndarray]:
    return [found.vertex[a:b] for a, b in zip(found.vertex_start[:-1], found.vertex_start[1:], strict=True)]


def check(found: Facets, planes: PlaneTable) -> None:
    """Assert the requirements of the record."""
    brushes = found.brushes
    normal, dist = planes.normal, planes.dist
    assert np.isfinite(found.vertex).all()
    assert (np.diff(found.vertex_start) >= 3).all()
    assert (np.diff(brushes.side_start) == np.diff(found.vertex_start) + 2).all()
    assert (brushes.side_plane >= 0).all()
    for i, polygon in enumerate(polygons(found)):
        side = brushes.side_plane[brushes.side_start[i] : brushes.side_start[i + 1]]
        n, d = normal[side[0]], dist[side[0]]
        assert side[1] == side[0] ^ 1
        assert np.dot(twin.normal(polygon), n) > 0.999
        assert np.abs(polygon @ n - d).max() < 1e-6
        assert twin.dents(polygon) <= tolerances.MERGE
        assert twin.area(polygon) >= tolerances.MIN_AREA
        for k, plane in enumerate(side[2:]):
            outward, at = normal[plane], dist[plane]
            assert abs(np.dot(outward, n)) < 1e-3
            interned = tolerances.PLANE_DIST + tolerances.PLANE_NORMAL * np.abs(polygon).sum(axis=1).max()
            on = polygon[[k, (k + 1) % len(polygon)]] @ outward - at
            assert np.abs(on).max() <= interned
            assert (polygon @ outward - at).max() <= interned + tolerances.MERGE
    status = hulls(normal, dist, brushes.side_start, brushes.side_plane).status
    assert (status == HullStatus.FLAT).all()


def facets_of(*grids: np.ndarray) -> tuple[Facets, tuple[Dropped, ...]]:
    planes = PlaneTable()
    found = facets(record(*grids), planes)
    check(found, planes)
    return found, found.dropped


def flat(columns: int = 3, rows: int = 3) -> np.ndarray:
    x, y = np.meshgrid(np.linspace(0, 256, columns), np.linspace(0, 128, rows))
    return np.stack((x, y, 0 * x), axis=2)


@pytest.mark.parametrize("size", [(3, 3), (9, 5), (31, 31), (255, 255)])
def test_a_flat_patch_is_one_facet(size: tuple[int, int]):
    found, dropped = facets_of(flat(*size))
    assert not dropped
    assert len(found) == 1
    assert found.unmerged == (size[0] // 2) * (size[1] // 2)
    assert {tuple(corner) for corner in polygons(found)[0]} == {(0, 0, 0), (256, 0, 0), (256, 128, 0), (0, 128, 0)}


def test_a_tilted_flat_patch_is_one_facet():
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    found, _ = facets_of((flat(9, 7) @ turn).astype(np.float32).astype(float))
    assert len(found) == 1
    assert twin.area(polygons(found)[0]) == pytest.approx(256 * 128, rel=1e-5)


@pytest.mark.parametrize(
    ("radius", "count"),
    # A quarter of a pipe is radius·√2/4 off its chord. Each halving divides that by four, and 16 is too much.
    [(16, 1), (45, 1), (46, 2), (181, 2), (182, 4), (724, 4), (725, 8)],
)
def test_a_quarter_of_a_pipe_is_halved_as_the_engine_does(radius: float, count: int):
    found, dropped = facets_of(quarter(radius))
    assert not dropped
    assert len(found) == count
    for polygon in polygons(found):
        assert len(polygon) == 4
        assert sorted(set(polygon[:, 2].round(9))) == [0, 128]
    cover(quarter(radius), found, chord=radius * 2**0.5 / 4 / (count * count))


def cover(control: np.ndarray, found: Facets, chord: float, steps: int = 6) -> None:
    """Assert that all of the surface is within the chord's error of a facet, and every corner is on the surface."""
    pieces = np.array(control.shape[1::-1]) // 2
    dense = [
        twin.surface(control, u, v)
        for u in np.linspace(0, pieces[0], steps * pieces[0])
        for v in np.linspace(0, pieces[1], steps * pieces[1])
    ]
    shapes = polygons(found)
    for point in dense:
        assert min(twin.distance(point, polygon) for polygon in shapes) <= chord + SLACK


@given(
    st.integers(1, 3),
    st.integers(1, 3),
    st.integers(0, 2**32 - 1),
    st.sampled_from([4.0, 64.0, 500.0]),
    st.sampled_from([1.0, 0.25, 0.0]),
)
@settings(deadline=None, max_examples=examples(5))
def test_subdivision_and_faces_are_those_of_the_slow_twin(across: int, down: int, seed: int, size: float, depth: float):
    rng = np.random.default_rng(seed)
    control = rng.uniform(-size, size, (2 * down + 1, 2 * across + 1, 3)).round() * (1, 1, depth)
    grid = subdivide(control)
    slow = twin.subdivide(control)
    assert grid.shape == slow.shape
    assert np.allclose(grid, slow, atol=1e-8)
    fast = subject._faces([grid], np.zeros(1, np.int64))
    found = sorted(_key(fast.point[row[row >= 0]]) for row in fast.corner)
    assert found == sorted(_key(polygon) for polygon in twin.faces(slow))
    facets_of(control)


def _key(polygon: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """Corners of a polygon, regardless of which comes first. Integer control points make them exact."""
    return tuple(sorted(map(tuple, (polygon + 0.0).tolist())))


@given(st.integers(1, 2), st.integers(1, 2), st.integers(0, 2**32 - 1), st.sampled_from([8.0, 64.0, 300.0]))
@settings(deadline=None, max_examples=examples(5))
def test_joined_facets_are_the_same_surface(across: int, down: int, seed: int, bend: float):
    rng = np.random.default_rng(seed)
    control = flat(2 * across + 1, 2 * down + 1) + rng.uniform(-bend, bend, (2 * down + 1, 2 * across + 1, 3)) * (
        0,
        0,
        rng.choice([0, 0.001, 1]),
    )
    found, _ = facets_of(control)
    raw = twin.faces(twin.subdivide(control))
    assert found.unmerged == len(raw)
    assert len(found) <= len(raw)
    joined = polygons(found)
    assert sum(map(twin.area, joined)) == pytest.approx(sum(map(twin.area, raw)), rel=1e-3)
    for face in raw[:: len(raw) // 30 + 1]:
        for point in (*face, face.mean(axis=0)):
            assert min(twin.distance(point, polygon) for polygon in joined) <= 2 * SLACK


def test_a_closed_pipe_merges_only_along_its_length():
    r = 100
    ring = [(r, 0), (r, r), (0, r), (-r, r), (-r, 0), (-r, -r), (0, -r), (r, -r), (r, 0)]
    found, _ = facets_of(extruded(ring, rows=5))
    assert found.unmerged == 16
    assert len(found) == 8
    assert {len(polygon) for polygon in polygons(found)} == {4}


def test_a_flat_disc_is_one_facet_though_its_rows_are_curves():
    # The cap of a bevel: the middle of each edge is pulled out. All points are in one plane, and the outline is convex.
    r = 200.0
    control = np.array(
        [
            [(-r, -r, 5), (0, -1.5 * r, 5), (r, -r, 5)],
            [(-1.5 * r, 0, 5), (0, 0, 5), (1.5 * r, 0, 5)],
            [(-r, r, 5), (0, 1.5 * r, 5), (r, r, 5)],
        ]
    )
    found, _ = facets_of(control)
    assert found.unmerged == 4
    assert len(found) == 1
    assert len(polygons(found)[0]) == 8


def test_a_patch_with_collapsed_edges_gives_facets():
    # Editors cap a quarter of a pipe like this: all points except those of one edge lie in the corner.
    corner = (240.0, 240.0, 0.0)
    control = np.array([[(160, 240, 0), corner, (240, 160, 0)], [corner] * 3, [corner] * 3], float)
    found, dropped = facets_of(control)
    assert not dropped
    slow = twin.faces(twin.subdivide(control))
    assert sum(map(twin.area, polygons(found))) == pytest.approx(sum(map(twin.area, slow)), rel=1e-6)


def test_a_dome_with_a_single_point_on_top_gives_facets():
    r = 128.0
    ring = [(r, 0), (r, r), (0, r), (-r, r), (-r, 0), (-r, -r), (0, -r), (r, -r), (r, 0)]
    control = np.array(
        [[(x, y, 0) for x, y in ring], [(x, y, r) for x, y in ring], [(0, 0, r)] * 9],
        float,
    )
    found, dropped = facets_of(control)
    assert not dropped
    top = [polygon for polygon in polygons(found) if np.isclose(polygon[:, 2], r, atol=SLACK).any()]
    assert {len(polygon) for polygon in top} == {3}
    cover(control, found, chord=2 * tolerances.PATCH_SUBDIVIDE)  # the error counts once for each direction of curvature


def test_degenerate_and_invalid_patches_are_dropped():
    line = np.linspace((0, 0, 0), (100, 50, 20), 9).reshape(3, 3, 3)
    nan, far = flat(), flat()
    nan[1, 1, 2] = np.nan
    far[0, 0, 0] = 1e30
    found, dropped = facets_of(flat(), line, np.ones((3, 3, 3)), nan, far, flat())
    assert found.brushes.number.tolist() == [100, 105]
    assert sorted((d.kind, d.number, d.reason) for d in dropped) == [
        ("patch", 101, "has no area"),
        ("patch", 102, "has no area"),
        ("patch", 103, "a control point is not finite"),
        ("patch", 104, "a control point lies outside the world"),
    ]


@pytest.mark.parametrize(
    ("contents", "blocks"),
    [
        (Contents.SOLID, True),
        (Contents.PLAYERCLIP, True),
        (Contents.BOTCLIP | Contents.TRANSLUCENT, True),
        (Contents.WATER, False),
        (Contents.FOG | Contents.TRANSLUCENT, False),
        (Contents(0), False),
    ],
)
def test_only_patches_that_block_players_give_facets(contents: Contents, blocks: bool):
    found = facets(record(flat(), contents=int(contents)), PlaneTable())
    assert len(found) == int(blocks)
    assert not found.dropped


def test_no_patches_give_no_facets():
    found = facets(record(flat(), contents=0), PlaneTable())
    assert (len(found), found.unmerged, found.dropped) == (0, 0, ())
    assert found.brushes.side_start.tolist() == found.vertex_start.tolist() == [0]


def test_facets_have_the_contents_and_flags_of_their_patch():
    found, _ = facets_of(quarter(100), flat())
    assert found.patch.tolist() == [0, 0, 1]
    for name, base in (("shader", 20), ("model", 30), ("entity", 40), ("number", 100)):
        assert getattr(found.brushes, name).tolist() == [base, base, base + 1]
    assert set(found.brushes.side_flags[:12]) == {7}
    assert set(found.brushes.side_flags[12:]) == {8}


def test_planes_are_added_to_the_given_table():
    planes = PlaneTable.of([(0, 0, 1), (0, 0, -1)], [0, 0])
    found = facets(record(flat()), planes)
    assert found.brushes.side_plane[0] in (0, 1)
    assert len(planes) == 2 + 2 * 4


def test_the_same_input_gives_the_same_bytes():
    rng = np.random.default_rng(5)
    control = [rng.uniform(-400, 400, (5, 7, 3)) for _ in range(4)]
    first, second = (dataclasses.astuple(facets(record(*control), PlaneTable())) for _ in range(2))
    assert repr(first) == repr(second)


def test_subdivision_is_bounded():
    rng = np.random.default_rng(1)
    huge = rng.uniform(-1e5, 1e5, (3, 3, 3))
    assert max(subdivide(huge).shape[:2]) <= subject.MAX_SPANS + 1
    wide = rng.uniform(-1e5, 1e5, (3, 301, 3))
    assert subdivide(wide).shape[1] == 151
    many = [rng.uniform(-1e5, 1e5, (3, 3, 3)) for _ in range(100)]
    assert (
        sum(grid.shape[0] * grid.shape[1] for grid in subject._grids(record(*many), np.arange(100)))
        < 1.1 * subject.MAX_QUADS
    )


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "count"), [("kaos2", 173), ("oacmpdm8", 248), ("am_galmevish2", 63)])
def test_real_maps_have_the_expected_number_of_facets(corpus, name: str, count: int):
    found_map = load_map(corpus / f"{name}.bsp")
    patches = found_map.patches
    assert len(patches) == count
    planes = PlaneTable.of(found_map.planes.normal, found_map.planes.dist)
    found = facets(patches, planes)
    assert not found.dropped
    check(found, planes)
    assert len(found) < 0.75 * found.unmerged
    shapes = polygons(found)
    for row in range(0, count, 8):
        own = [shapes[i] for i in np.flatnonzero(found.patch == row)]
        if not own:
            continue
        points = patches.point[patches.point_start[row] : patches.point_start[row + 1]]
        control = points.reshape(patches.height[row], patches.width[row], 3)
        raw = twin.faces(twin.subdivide(control))
        assert sum(map(twin.area, own)) == pytest.approx(sum(map(twin.area, raw)), rel=2e-3)
        for face in raw:
            for point in (*face, face.mean(axis=0)):
                assert min(twin.distance(point, polygon) for polygon in own) <= 2 * SLACK


def wild(count: int, size: int, spread: float) -> Patches:
    """Patches of random control points in one place."""
    dice = np.random.default_rng(1)
    return record(*(dice.uniform(-spread, spread, (size, size, 3)) for _ in range(count)))


@pytest.mark.parametrize(("count", "size", "spread"), [(1, 31, 300.0), (15, 3, 600.0), (60, 3, 200.0)])
def test_patches_that_cross_too_often_are_divided_coarsely(count, size, spread):
    """Work is counted: pairs of quads that later stages compare, and pieces into which they cut each other."""
    patches = wild(count, size, spread)
    rows = np.arange(count)
    before = subject._grids(patches, rows)
    assert load_of([subject._thinned(grid) for grid in before]).sum() > 1.0
    after, thinned, coarse, is_calm = subject._calm(rows, before)
    assert is_calm
    assert all(np.array_equal(thin, subject._thinned(grid)) for thin, grid in zip(thinned, after, strict=True))
    assert 0 < len(coarse) <= count
    assert load_of(thinned).sum() <= 1.0
    for row in rows.tolist():
        assert (after[row] is before[row]) == (row not in coarse)
        assert np.array_equal(after[row][[0, 0, -1, -1], [0, -1, 0, -1]], before[row][[0, 0, -1, -1], [0, -1, 0, -1]])
    found = facets(patches, PlaneTable())
    assert found.coarse == tuple(patches.number[coarse].tolist())
    assert not found.dropped


@pytest.mark.parametrize(("count", "spread"), [(500, 30_000.0), (2000, 400.0)])
def test_patches_that_cross_too_often_even_so_are_left_out(count, spread):
    """A calm patch among few of them stays; of many, a sample is counted. Work is counted as above."""
    patches = wild(count, 3, spread)
    calm = np.array([[(1e5 + 10 * i, 10.0 * j, 0.0) for i in range(3)] for j in range(3)])
    points = patches.point.reshape(count, 3, 3, 3)
    found = facets(record(*points, calm), PlaneTable())
    lost = [dropped for dropped in found.dropped if dropped.reason == "crosses too many others"]
    assert 0 < len(lost) < count
    assert count in found.patch or count > SAMPLED
    rows = np.arange(count)
    _, thinned, _, is_calm = subject._calm(rows, subject._grids(patches, rows))
    assert not is_calm
    kept = subject._few(thinned)
    left = [thinned[row] for row in np.flatnonzero(kept)]
    assert 0.2 < load_of(left).sum() <= 1.0


def square(place: tuple[float, float, float], along: tuple[float, float, float], up: tuple[float, float, float]):
    """A grid of one quad with its middle at a place."""
    x, y = np.array(along) / 2, np.array(up) / 2
    return np.array([[-x - y, x - y], [-x + y, x + y]]) + place


@pytest.mark.parametrize("count", [1, 2, 3, 8, 30])
def test_pieces_of_squares_that_cut_each_other_are_counted(count):
    """Walls through a large floor: what is narrower than 64 units is no piece."""
    floor = square((0, 0, 0), (1024, 0, 0), (0, 1024, 0))
    walls = [square((20.0 * k - 300, 0, 0), (0, 100, 0), (0, 0, 100)) for k in range(count)]
    pieces = load_of([floor, *walls]) * MAX_PIECES
    assert pieces[0] == 1 + min(count + count**2 / 2, (1024 / 64) ** 2)
    assert pieces[1:].tolist() == [1 + 1 + 1 / 2] * count


def test_squares_that_touch_or_share_a_corner_do_not_cut_each_other():
    """Stairs of squares, and squares that stand on one: they are close, and that is all."""
    stairs = [square((100.0 * k, 0, 100.0 * k), (100, 0, 0), (0, 100, 0)) for k in range(3)]
    standing = [square((100.0 * k, 0, 100.0 * k + 50), (0, 100, 0), (0, 0, 100)) for k in range(3)]
    crossed = square((0, 0, 0), (0, 0, 3.0), (0, 100, 0))  # dips in by less than counts
    load = load_of([*stairs, *standing, crossed])
    assert (load * MAX_CLOSE == np.round(load * MAX_CLOSE)).all()
    assert (load * MAX_CLOSE >= 1).all()
