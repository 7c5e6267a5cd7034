"""Point, trace and box queries to compiled trees, compared with brute force on the expanded brushes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile.brushes.expand import expand, solids_of
from aascompile.model.areas import Areas
from aascompile.model.contents import Kind
from aascompile.model.mapdata import Planes
from aascompile.model.volumes import Volumes
from aascompile.pipeline import make_areas, understand
from aascompile.report import Report
from aascompile.sampling.sample import (
    ANY_PRESENCE,
    WORTH_ORDER,
    Traces,
    areas_at,
    areas_in_box,
    areas_passed,
    sampler_of,
    traces,
    tree_of,
)
from aascompile.sampling.sample_kernel import AreaTree, Sampler, areas_of, passed_of, rows_by_place, trace_rows
from aascompile.settings import CROUCHED, QUAKE3, STANDING
from aascompile.tolerances import STOP_BEFORE
from tests.conftest import ROOT
from tests.reference.sample import Grown

SLACK = 0.2
"""Units: planes are interned within 0.01, polygons within 0.05 of a plane are not cut, and traces stop 0.125 before
it."""

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.bsp") if path.stem != "leak")
BOXES = ((STANDING, 1), (CROUCHED, 2))
"""Boxes and their bits in the volumes' ``blocks``."""


@dataclass(frozen=True)
class Compiled:
    """The areas of a map, and the volumes that they must not overlap."""

    areas: Areas
    planes: Planes
    """Planes of the volumes."""
    volumes: Volumes


@cache
def compiled(path: Path) -> Compiled:
    known = understand(str(path), Report(str(path)))
    table = known.table
    volumes = expand(table, solids_of(known), QUAKE3.boxes)
    areas = make_areas(known, QUAKE3, Report(str(path))).areas
    return Compiled(areas, Planes(table.normal, table.dist), volumes)


def sample(name: str) -> Compiled:
    return compiled(ROOT / "samples" / f"{name}.bsp")


def random_segments(areas: Areas, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Random start points in the areas' bounds, and end points: near or far, a third of them along an axis."""
    dice = np.random.default_rng(seed)
    area = dice.integers(0, len(areas), count)
    start = dice.uniform(areas.area_mins[area], areas.area_maxs[area])
    offset = dice.normal(size=(count, 3)) * np.choose(np.arange(count) % 2, (16.0, 200.0))[:, None]
    axis = np.eye(3)[dice.integers(0, 3, count)]
    offset = np.where((np.arange(count) % 3 == 0)[:, None], offset * axis, offset)
    return start, start + offset


def compare(found: Traces, start: np.ndarray, end: np.ndarray, grown: Grown, longest: float) -> list[str]:
    """Faults of traces: those that enter solid, and those that stop too early."""
    wrong = []
    for i in np.flatnonzero(~found.start_solid):
        length = np.linalg.norm(end[i] - start[i])
        into, _, inside = grown.enter(start[i], end[i], -SLACK)
        if inside or into < found.fraction[i] - SLACK / length:
            wrong.append(f"goes {(found.fraction[i] - into) * length:.2f} into solid: {start[i]} to {end[i]}")
        # Expanded by the slack, the brush that stopped the trace must be hit earlier.
        block, _, _ = grown.enter(start[i], end[i], SLACK)
        if found.fraction[i] < 1 and block > found.fraction[i] + longest / length:
            wrong.append(f"ends {(block - found.fraction[i]) * length:.2f} early: {start[i]} to {end[i]}")
    return wrong


@pytest.mark.parametrize("name", SAMPLES)
def test_traces_match_brute_force(name):
    found = sample(name)
    tree = tree_of(found.areas)
    start, end = random_segments(found.areas, 300, 1)
    for box, bit in BOXES:
        grown = Grown.of_volumes(found.planes, found.volumes, bit)
        answer = traces(tree, start, end, box.presence)
        assert compare(answer, start, end, grown, 0.0) == []
        assert answer.start_solid.sum() < len(start)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["aggressor", "oa_dm1", "q3dm6ish"])
def test_traces_in_real_maps_match_brute_force(corpus, name):
    found = compiled(corpus / f"{name}.bsp")
    start, end = random_segments(found.areas, 1500, 2)
    grown = Grown.of_volumes(found.planes, found.volumes, 1)
    answer = traces(tree_of(found.areas), start, end, STANDING.presence)
    wrong = compare(answer, start, end, grown, SLACK)
    assert len(wrong) <= 0.002 * len(start), wrong


@pytest.mark.parametrize("name", SAMPLES)
def test_points_match_brute_force(name):
    """A point is in an area with a box's presence exactly if it is in no brush expanded by that box."""
    found = sample(name)
    points, _ = random_segments(found.areas, 500, 3)
    area = areas_at(tree_of(found.areas), points)
    for box, bit in BOXES:
        grown = Grown.of_volumes(found.planes, found.volumes, bit)
        free = (area >= 0) & ((found.areas.area_presence[area] & np.uint32(box.presence)) != 0)
        for point, is_free in zip(points, free, strict=True):
            deep = grown.enter(point, point, -SLACK)[2]
            shallow = grown.enter(point, point, SLACK)[2]
            assert not (is_free and deep)
            assert is_free or shallow


@pytest.mark.parametrize("name", ["slanted", "curve", "pillars", "crouch"])
def test_a_trace_never_ends_in_solid(name):
    """Chains of traces, each starting where the last one ended, slide along and run into everything."""
    areas = sample(name).areas
    tree = tree_of(areas)
    dice = np.random.default_rng(4)
    at, _ = random_segments(areas, 400, 5)
    at = at[~traces(tree, at, at, STANDING.presence).start_solid]
    for _ in range(60):
        found = traces(tree, at, at + dice.normal(size=at.shape) * dice.choice([0.1, 4.0, 90.0]), STANDING.presence)
        assert not found.start_solid.any()
        assert (found.end_area == areas_at(tree, found.end)).all()
        assert ((areas.area_presence[found.end_area] & np.uint32(STANDING.presence)) != 0).all()
        # Then slide along the plane that was hit.
        offset = dice.normal(size=at.shape) * 8
        offset -= found.normal * (offset * found.normal).sum(axis=1, keepdims=True)
        at = traces(tree, found.end, found.end + offset, STANDING.presence).end


def test_a_trace_stops_before_the_plane_and_reports_it():
    areas = sample("box").areas
    down = traces(tree_of(areas), [[0, 0, 60]], [[0, 0, -500]], STANDING.presence)
    assert down.end[0].tolist() == [0, 0, 24 + STOP_BEFORE]
    assert down.normal[0].tolist() == [0, 0, 1]
    assert areas.planes.normal[down.plane[0]].tolist() == [0, 0, 1]
    assert areas.planes.dist[down.plane[0]] == 24
    assert down.blocker[0] == -1
    near = traces(tree_of(areas), [[0, 0, 24 + STOP_BEFORE / 2]], [[0, 0, 0]], STANDING.presence)
    assert near.fraction[0] == 0
    assert near.end[0, 2] == 24 + STOP_BEFORE / 2


def test_the_hit_plane_faces_the_start():
    for name in ("slanted", "wedge", "pillars"):
        areas = sample(name).areas
        start, end = random_segments(areas, 2000, 6)
        found = traces(tree_of(areas), start, end, STANDING.presence)
        hit = np.flatnonzero(found.plane >= 0)
        assert len(hit) > 100
        assert np.array_equal(areas.planes.normal[found.plane[hit]], found.normal[hit])
        assert ((found.normal[hit] * (end - start)[hit]).sum(axis=1) < 0).all()
        before = (found.normal[hit] * start[hit]).sum(axis=1) - areas.planes.dist[found.plane[hit]]
        assert (before >= 0).all()
        left = (found.normal[hit] * found.end[hit]).sum(axis=1) - areas.planes.dist[found.plane[hit]]
        assert (left >= np.minimum(before, STOP_BEFORE) - 1e-9).all()


def test_a_low_tunnel_blocks_the_standing_box_only():
    """The tunnel of the sample `crouch` has room only for the crouched box."""
    areas = sample("crouch").areas
    tree = tree_of(areas)
    low = areas.area_presence == CROUCHED.presence
    tunnel = int(np.flatnonzero(low & ((areas.area_flags & 1) != 0))[0])
    middle = areas.area_centre[tunnel]
    middle[2] = areas.area_mins[tunnel, 2] + 1
    start, end = middle + np.array([[-200, 0, 0], [200, 0, 0]])
    standing = traces(tree, [start], [end], STANDING.presence)
    crouched = traces(tree, [start], [end], CROUCHED.presence)
    assert standing.blocker[0] == tunnel
    assert 0 < standing.fraction[0] < 1
    assert crouched.fraction[0] == 1
    inside = traces(tree, [middle], [end], STANDING.presence)
    assert inside.start_solid[0]
    assert inside.blocker[0] == tunnel


@pytest.mark.parametrize("name", SAMPLES)
def test_passed_areas_are_listed_in_order(name):
    areas = sample(name).areas
    tree = tree_of(areas)
    sampler = sampler_of(tree)
    start, end = random_segments(areas, 100, 7)
    for a, b in zip(start, end, strict=True):
        passed, entry = areas_passed(sampler, a, b)
        if not len(passed):
            assert areas_at(tree, a)[0] < 0
            continue
        found = traces(tree, [a], [b], ANY_PRESENCE)
        assert passed[0] == found.start_area[0] == areas_at(tree, a)[0]
        assert passed[-1] == found.end_area[0]
        assert (passed[1:] != passed[:-1]).all()
        along = np.linalg.norm(np.vstack((entry, found.end)) - a, axis=1)
        assert (np.diff(along) >= 0).all()
        # The middle of each piece is in its area.
        middle = (entry + np.vstack((entry[1:], found.end))) / 2
        long = np.diff(along) > 1e-6
        assert (areas_at(tree, middle)[long] == passed[long]).all()


@pytest.mark.parametrize("name", ["doorway", "slanted", "pool_deep", "stairs"])
def test_areas_in_a_box_cover_it_and_touch_it(name):
    """Every free point of the box is in one of the areas, and each of them touches the box."""
    areas = sample(name).areas
    tree = tree_of(areas)
    sampler = sampler_of(tree)
    dice = np.random.default_rng(8)
    for _ in range(60):
        area = dice.integers(0, len(areas))
        middle = dice.uniform(areas.area_mins[area], areas.area_maxs[area])
        size = dice.uniform(0, 80, 3)
        found = areas_in_box(sampler, middle - size, middle + size)
        inside = areas_at(tree, dice.uniform(middle - size, middle + size, (200, 3)))
        assert set(inside[inside >= 0].tolist()) <= set(found.tolist())
        assert (areas.area_mins[found] <= middle + size + SLACK).all()
        assert (areas.area_maxs[found] >= middle - size - SLACK).all()
        assert found.tolist() == sorted(set(found.tolist()))


def test_the_number_of_threads_changes_nothing():
    areas = sample("slanted").areas
    tree = tree_of(areas)
    start, end = random_segments(areas, 20000, 9)
    single, double = (traces(tree, start, end, STANDING.presence, threads) for threads in (1, 2))
    for name in Traces.__slots__:
        assert np.array_equal(getattr(single, name), getattr(double, name)), name
    assert np.array_equal(areas_at(tree, start, 1), areas_at(tree, start, 2))


def test_water_areas_contain_their_centres():
    areas = sample("pool_deep").areas
    wet = np.flatnonzero(areas.area_contents & np.uint32(Kind.WATER))
    assert (areas_at(tree_of(areas), areas.area_centre[wet]) == wet).all()


@given(st.lists(st.tuples(*[st.floats(-200, 200)] * 3), min_size=2, max_size=2), st.sampled_from((STANDING, CROUCHED)))
def test_traces_and_point_queries_agree_on_planes(ends, box):
    """Rounded points lie exactly on planes. A trace and a point query report the same area there."""
    areas = sample("stairs").areas
    tree = tree_of(areas)
    a, b = (np.round(np.array(point), 0) for point in ends)
    found = traces(tree, [a], [b], box.presence)
    at = int(areas_at(tree, a)[0])
    free = at >= 0 and bool(areas.area_presence[at] & box.presence)
    assert found.start_solid[0] == (not free)
    if free:
        assert found.start_area[0] == at
        assert found.end_area[0] == areas_at(tree, found.end)[0] >= 0
        assert found.fraction[0] == 1 or found.plane[0] >= 0


def test_a_tree_with_a_loop_is_rejected():
    with pytest.raises(ValueError, match="loop"):
        AreaTree(np.eye(3), np.zeros(3), [0, 1], [[1, -1], [0, -1]], [2], [0], np.zeros((1, 3)), np.ones((1, 3)))


def test_a_tree_without_nodes_is_solid():
    tree = AreaTree(np.eye(3), np.zeros(3), [], np.zeros((0, 2)), [], [], [], [])
    assert areas_at(tree, [[0, 0, 0]])[0] == -1
    assert traces(tree, [[0, 0, 0]], [[1, 0, 0]], ANY_PRESENCE).start_solid[0]


def test_many_traces_are_those_of_each_alone():
    """Many are made in order of place, which must not show."""
    tree = tree_of(compiled(ROOT / "samples" / "pillars.bsp").areas)
    random = np.random.default_rng(9)
    start, end = random.uniform(-400.0, 400.0, (2, 3 * WORTH_ORDER, 3))
    many = traces(tree, start, end, 2, threads=2)
    for first in range(0, len(start), WORTH_ORDER // 2):
        rows = slice(first, first + WORTH_ORDER // 2)
        few = traces(tree, start[rows], end[rows], 2)
        for name in ("fraction", "end", "normal", "plane", "start_area", "end_area", "blocker", "start_solid"):
            assert getattr(few, name).tobytes() == getattr(many, name)[rows].tobytes(), name


@pytest.mark.parametrize("point", [np.zeros((5000, 3)), np.eye(3)[np.arange(5000) % 3] * 1e9])
def test_rows_in_order_of_place_are_all_rows(point):
    random = np.random.default_rng(10)
    for at in (point, point + random.normal(0.0, 100.0, point.shape)):
        rows = rows_by_place(at, 3, len(at))
        assert sorted(rows.tolist()) == list(range(3, len(at)))


def all_of(sampler: Sampler, start: np.ndarray, end: np.ndarray, presence: int) -> list[bytes]:
    """Everything that a sampler finds for some lines, one after the other."""
    n = len(start)
    boxes = np.full(n, presence, np.uint32)
    found = (np.empty(n), np.empty((n, 3)), np.zeros((n, 3)), np.empty((n, 5), np.int32))
    trace_rows(sampler, start, end, boxes, np.arange(n, dtype=np.int32), *found)
    area = np.empty(n, np.int32)
    areas_of(sampler, start, 0, n, area)
    passed = [part.tobytes() for row in range(n) for part in passed_of(sampler, start[row], end[row], presence)]
    return [part.tobytes() for part in (*found, area)] + passed


@pytest.mark.parametrize("name", ["stairs", "pillars", "terrain", "elevator", "swim", "curve"])
@pytest.mark.parametrize("far", [4.0, 40.0, 400.0])
def test_a_sampler_that_remembers_finds_the_same(name, far):
    areas = sample(name).areas
    start, _ = random_segments(areas, 600, 3)
    dice = np.random.default_rng(4)
    start = np.repeat(start, 3, axis=0)  # so that copies are used again
    start[::5] = np.round(start[::5])  # on planes
    end = np.ascontiguousarray(start + dice.uniform(-far, far, start.shape) * dice.integers(0, 2, start.shape))
    tree = tree_of(areas)
    remembering = sampler_of(tree)
    remembering.remember()
    for box, _ in BOXES:
        assert all_of(remembering, start, end, box.presence) == all_of(sampler_of(tree), start, end, box.presence)


def test_a_sampler_that_remembers_is_right_for_places_that_are_no_numbers():
    areas = sample("pillars").areas
    remembering = sampler_of(tree_of(areas))
    remembering.remember()
    start = np.array([[np.nan, 0.0, 0.0], [1e9, 0.0, 0.0], [0.0, -np.inf, 0.0], [0.0, 0.0, 1e300]])
    plain = sampler_of(tree_of(areas))
    assert all_of(remembering, start, start + 1.0, 1) == all_of(plain, start, start + 1.0, 1)
