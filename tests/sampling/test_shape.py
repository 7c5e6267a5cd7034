"""Spheres, walls and nearest areas, compared with brute force over all faces."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.sampling.sample import Traces, areas_at, traces, tree_of
from aascompile.sampling.shape import NearestAreas, Walls, nearest_areas, nearest_walls, polygons_of, sphere_traces
from aascompile.settings import CROUCHED, QUAKE3, STANDING
from aascompile.tolerances import STOP_BEFORE
from tests.reference import shapes as slow
from tests.sampling.test_sample import random_segments, sample

FLAT = 0.06
"""Units: corners are welded within 0.05, so a face is not exactly flat."""

PHYSICS = QUAKE3.physics


@pytest.mark.parametrize("name", ["slanted", "pillars", "stairs", "crouch"])
@pytest.mark.parametrize(("radius", "box"), [(4.0, STANDING), (24.0, CROUCHED)])
def test_a_sphere_stops_where_it_touches_the_first_face(name, radius, box):
    areas = sample(name).areas
    tree, faces = tree_of(areas), slow.blocking(areas, box.presence)
    start, end = random_segments(areas, 40, 5)
    found = sphere_traces(tree, polygons_of(areas), start, end, radius, box.presence)
    stopped = 0
    for row in range(len(start)):
        there = slow.nearest_face(areas, faces, start[row])[0]
        free = areas_at(tree, start[row])[0] >= 0 and areas.area_presence[areas_at(tree, start[row])[0]] & box.presence
        if not free or abs(there - radius) > FLAT:
            assert found.start_solid[row] == (not free or there < radius)
        if found.start_solid[row]:
            continue
        along = start[row] + np.linspace(0, 1, 9)[:, None] * (found.end[row] - start[row])
        assert all(slow.nearest_face(areas, faces, at)[0] >= radius - FLAT for at in along)
        if found.fraction[row] == 1:
            assert np.array_equal(found.end[row], end[row])
            continue
        stopped += 1
        length = np.linalg.norm(end[row] - start[row])
        into = -(found.normal[row] @ (end[row] - start[row])) / length
        contact = found.end[row] + (end[row] - start[row]) * (STOP_BEFORE / max(into * length, STOP_BEFORE))
        if found.fraction[row] > 0:
            assert slow.nearest_face(areas, faces, contact)[0] <= radius + FLAT
        assert np.linalg.norm(found.normal[row]) == pytest.approx(1.0, abs=0.02)
        assert found.end_area[row] == areas_at(tree, found.end[row])[0]
    assert stopped > 3


def test_a_sphere_passes_a_gap_wider_than_itself_only():
    """Between the pillars of the sample a point passes, and so does a small sphere, but not a large one."""
    areas = sample("pillars").areas
    tree, shape = tree_of(areas), polygons_of(areas)
    start, end = random_segments(areas, 400, 8)
    free = traces(tree, start, end, STANDING.presence).fraction
    small, large = (sphere_traces(tree, shape, start, end, r, STANDING.presence) for r in (1.0, 30.0))
    assert (small.fraction <= free).all()
    assert (large.fraction <= small.fraction).all()
    assert ((large.fraction < 1) & (small.fraction == 1)).any()


@pytest.mark.parametrize("name", ["slanted", "stairs", "pillars"])
def test_the_nearest_wall_is_the_nearest_of_all(name):
    areas = sample(name).areas
    tree, shape = tree_of(areas), polygons_of(areas)
    points = random_segments(areas, 60, 2)[0]
    found = nearest_walls(tree, shape, points, 200.0, PHYSICS.floor_up, PHYSICS.step, STANDING.presence)
    normal = areas.planes.normal[areas.face_plane]
    steep = [face for face in slow.blocking(areas, STANDING.presence) if abs(normal[face, 2]) < PHYSICS.floor_up]
    for row, point in enumerate(points):
        walls = [face for face in steep if slow.corners(areas, face)[:, 2].max() > point[2] + PHYSICS.step]
        far = slow.nearest_face(areas, walls, point)[0]
        if far >= 200.0:
            assert (found.distance[row], found.face[row]) == (np.inf, -1)
            continue
        assert found.distance[row] == pytest.approx(far, abs=FLAT)
        assert np.linalg.norm(found.point[row] - point) == pytest.approx(found.distance[row])
        assert abs(found.normal[row] @ normal[found.face[row]]) == pytest.approx(1.0)
    assert (found.face >= 0).any()


def test_a_step_is_no_wall():
    """From the floor before the stairs the steps do not count; from far below they would."""
    areas = sample("stairs").areas
    tree, shape = tree_of(areas), polygons_of(areas)
    points = random_segments(areas, 200, 4)[0]
    strict, lenient = (
        nearest_walls(tree, shape, points, 300.0, PHYSICS.floor_up, step, STANDING.presence).distance
        for step in (0.0, PHYSICS.step)
    )
    assert (strict <= lenient).all()
    assert (strict < lenient).any()


@pytest.mark.parametrize("name", ["slanted", "doorway", "pool_deep"])
def test_the_nearest_area_is_the_nearest_of_all(name):
    areas = sample(name).areas
    tree = tree_of(areas)
    dice = np.random.default_rng(6)
    points = dice.uniform(areas.area_mins.min(axis=0) - 90, areas.area_maxs.max(axis=0) + 90, (60, 3))
    wanted = dice.random(len(areas)) < 0.6
    wanted[0] = True
    found = nearest_areas(tree, polygons_of(areas), points, wanted)
    inside = areas_at(tree, points)
    for row, point in enumerate(points):
        if inside[row] >= 0 and wanted[inside[row]]:
            assert found.distance[row] <= FLAT
            continue
        far = min(
            slow.nearest_face(areas, areas.area_face[areas.area_start[a] : areas.area_start[a + 1]].tolist(), point)[0]
            for a in np.flatnonzero(wanted)
        )
        assert found.distance[row] == pytest.approx(far, abs=FLAT)
        assert np.linalg.norm(found.point[row] - point) == pytest.approx(found.distance[row])
        assert wanted[found.area[row]]
    nowhere = nearest_areas(tree, polygons_of(areas), points, np.zeros(len(areas), np.bool_))
    assert (nowhere.area == -1).all()
    assert np.isinf(nowhere.distance).all()


def test_the_number_of_threads_changes_no_answer_about_faces():
    areas = sample("slanted").areas
    tree, shape = tree_of(areas), polygons_of(areas)
    a, b = random_segments(areas, 2000, 9)
    every = np.ones(len(areas), np.bool_)
    for record, ask in (
        (Traces, lambda n: sphere_traces(tree, shape, a, b, 8.0, STANDING.presence, n)),
        (Walls, lambda n: nearest_walls(tree, shape, a, 64.0, 0.7, 18.0, STANDING.presence, n)),
        (NearestAreas, lambda n: nearest_areas(tree, shape, a, every, n)),
    ):
        single, double = ask(1), ask(2)
        for column in record.__slots__:
            assert np.array_equal(getattr(single, column), getattr(double, column), equal_nan=True), column
