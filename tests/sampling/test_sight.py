"""Lines of sight against brute force over the map's brushes, and the eyes that they start from."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.brushes.context import solid_faces
from aascompile.model.compiled import Boxes, Context
from aascompile.pipeline import understand
from aascompile.report import Report
from aascompile.sampling.blockers import blockers_of, free_lines
from aascompile.sampling.eyes import eye_heights, eyes_of
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.sampling.sight_kernel import Bodies, seen_rows
from aascompile.sampling.spread import floor_sizes
from aascompile.settings import QUAKE3
from tests.reference.sight import Opaque

MAPS = ("arch", "clip", "curve", "door", "doorway", "pillars", "slanted", "stairs", "static", "swim")

EDGE = 0.1
"""Units within which a line may pass a piece of a curve: pieces are thickened a little, and the twin's are not."""


def lines_in(context: Context, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Random lines within the bounds of a map."""
    low, high = context.vertex.min(axis=0), context.vertex.max(axis=0)
    start, end = np.random.default_rng(5).uniform(low, high, (2, count, 3))
    return start, end


@pytest.mark.parametrize("name", MAPS)
def test_lines_are_blocked_as_by_brute_force(samples, name):
    understood = understand(str(samples / f"{name}.bsp"), Report(name))
    context, slow = solid_faces(understood), Opaque(understood)
    start, end = lines_in(context, 4000)
    free = free_lines(blockers_of(context), start, end)
    assert 0 < free.sum() < len(free)
    if (context.patch < 0).all():
        assert np.array_equal(free, ~slow.block(start, end))
    assert not (free & slow.block(start, end)).any()
    assert (free | slow.block(start, end, EDGE)).all()


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["oa_dm1", "slimefac"])
def test_lines_in_real_maps_are_blocked_as_by_brute_force(corpus, name):
    understood = understand(str(corpus / f"{name}.bsp"), Report(name))
    context, slow = solid_faces(understood), Opaque(understood)
    start, end = lines_in(context, 2000)
    free = free_lines(blockers_of(context), start, start + 0.2 * (end - start))
    thin, fat = (slow.block(start, start + 0.2 * (end - start), slack) for slack in (-0.01, EDGE))
    assert 0.05 < free.mean() < 0.95
    assert not (free & thin).any()
    assert (free | fat).all()


def test_threads_and_no_bodies(compiled_sample):
    context = compiled_sample("pillars").context
    start, end = lines_in(context, 5000)
    blockers = blockers_of(context)
    assert np.array_equal(free_lines(blockers, start, end, 1), free_lines(blockers, start, end, 3))
    assert free_lines(blockers_of(Context.none()), start, end).all()


def test_counts_of_lines_are_those_of_single_lines(compiled_sample):
    compiled = compiled_sample("pillars")
    blockers = blockers_of(compiled.context)
    _, eye = eyes_of(compiled.areas, compiled.boxes, 4)
    partner = np.array([[1, 2, 3, 0], [2, 3, 0, 1]], np.int32)
    n = len(eye)
    seen, lines = np.zeros((n, n), np.int32), np.zeros((n, n), np.int32)
    seen_rows(Bodies(blockers), eye, partner, 0, n, seen, lines)
    for a in range(n):
        for b in range(a, n):
            free = [free_lines(blockers, eye[a], np.ascontiguousarray(eye[b, row])).sum() for row in partner]
            mixed = 0 < free[0] < 4
            assert (seen[a, b], lines[a, b]) == ((sum(free), 8) if mixed else (free[0], 4))
    assert (seen == 0).any()
    assert (lines == 8).any()


@pytest.mark.parametrize("name", ["crouch", "ladder", "stairs", "swim", "slanted"])
def test_eyes_are_in_their_areas_at_the_height_of_the_box(compiled_sample, name):
    compiled = compiled_sample(name)
    area, eye = eyes_of(compiled.areas, compiled.boxes, 16)
    assert len(area)
    origin = eye.copy()
    origin[..., 2] -= eye_heights(compiled.areas, compiled.boxes)[area, None]
    found = areas_at(tree_of(compiled.areas), origin.reshape(-1, 3)).reshape(len(area), -1)
    assert (found == area[:, None]).mean() > 0.99
    assert set(eye_heights(compiled.areas, compiled.boxes)) <= {26.0, 12.0}


def test_crouched_eyes_are_lower(compiled_sample):
    compiled = compiled_sample("crouch")
    heights = eye_heights(compiled.areas, compiled.boxes)
    assert set(heights) == {26.0, 12.0}
    assert Boxes.of(QUAKE3.boxes).maxs[0, 2] == 32.0


def test_eyes_spread_over_the_floor(compiled_sample):
    compiled = compiled_sample("box")
    area, eye = eyes_of(compiled.areas, compiled.boxes, 64)
    low, high = compiled.areas.area_mins[area[0]], compiled.areas.area_maxs[area[0]]
    quarter = ((eye[0, :, :2] - low[:2]) / (high - low)[:2] > 0.5) @ (1, 2)
    assert np.bincount(quarter, minlength=4).min() >= 14
    assert floor_sizes(compiled.areas)[area[0]] == pytest.approx(np.prod((high - low)[:2]))
