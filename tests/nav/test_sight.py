"""Which areas see which: against dense tracing, in files, and what follows from it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import aascompile
from aascompile.errors import RouteError, StoreError
from aascompile.nav.navigation import Navigation
from aascompile.nav.sight import make_sight
from aascompile.pipeline import understand
from aascompile.report import Report
from aascompile.sampling.eyes import eye_heights
from aascompile.sampling.spread import floor_sizes
from aascompile.tolerances import STOP_BEFORE
from tests.reference.sight import Opaque, floor_points
from tests.store.same import different

DENSE = 1024
"""Lines of the dense tracing between two areas."""


OPEN = [
    ("clip", (-100, 100, 50), (100, 100, 50)),
    ("botclip", (-100, 100, 50), (100, 100, 50)),
    ("door", (-100, 30, 50), (100, 30, 50)),
]
"""Maps, and a line through the clip brush or the closed door, or too near to its frame for a player."""


def seen_of(path: str) -> Navigation:
    """A map compiled with sight."""
    return Navigation(aascompile.compile_map(path, sight=True, threads=1))


@pytest.fixture(scope="module")
def pillars(samples) -> Navigation:
    return seen_of(str(samples / "pillars.bsp"))


def dense_errors(nav: Navigation, path: str, pairs: int) -> np.ndarray:
    """(pairs,) error of ``sees`` for random pairs of areas with ground, against many random lines by brute force."""
    areas, rng = nav.compiled.areas, np.random.default_rng(3)
    slow, height = Opaque(understand(path, Report(path))), eye_heights(areas, nav.compiled.boxes)
    floors = np.flatnonzero(floor_sizes(areas) > 0)
    errors = []
    for a, b in rng.choice(floors, (pairs, 2)).tolist():
        eyes = [floor_points(areas, area, DENSE, rng) for area in (a, b)]
        for eye, area in zip(eyes, (a, b), strict=True):
            eye[:, 2] += STOP_BEFORE + height[area]
        errors.append(float(nav.sees(a, b)) - (~slow.block(*eyes)).mean())
    return np.array(errors)


@pytest.mark.parametrize("name", ["pillars", "doorway", "arch", "curve"])
def test_sight_is_near_dense_tracing(samples, name):
    path = str(samples / f"{name}.bsp")
    errors = np.abs(dense_errors(seen_of(path), path, 60))
    assert errors.mean() < 0.04
    assert errors.max() < 0.25


@pytest.mark.corpus
def test_sight_of_a_real_map_is_near_dense_tracing(corpus):
    path = str(corpus / "oa_dm1.bsp")
    errors = dense_errors(seen_of(path), path, 150)
    assert abs(errors.mean()) < 0.01
    assert np.abs(errors).mean() < 0.015
    assert np.quantile(np.abs(errors), 0.99) < 0.2


def test_sees_is_mutual_and_known_where_players_stay(pillars):
    n = len(pillars)
    shares = pillars.sees(np.arange(n)[:, None], np.arange(n))
    stay = np.isfinite(np.diag(shares))
    assert np.array_equal(stay, (pillars.compiled.areas.area_flags != 0))
    assert np.array_equal(shares, shares.T, equal_nan=True)
    assert np.isnan(shares[~stay]).all()
    known = shares[stay][:, stay]
    assert known.min() >= 0.0
    assert known.max() == 1.0
    area = int(np.flatnonzero(stay)[0])
    seen, share = pillars.seen_from(area)
    assert np.array_equal(seen, np.flatnonzero(np.nan_to_num(shares[area]) > 0))
    assert np.array_equal(share, shares[area][seen])
    with pytest.raises(RouteError, match="numbered 0 to"):
        pillars.sees(0, n)
    with pytest.raises(RouteError, match="no area"):
        pillars.seen_from(n)


@pytest.mark.parametrize(("name", "start", "end"), OPEN)
def test_sight_passes_what_only_stops_players(samples, name, start, end):
    nav = Navigation(aascompile.compile_map(str(samples / f"{name}.bsp"), threads=1))
    assert nav.trace(start, end).fraction < 1.0
    assert nav.visible([start], [end]).tolist() == [True]
    assert nav.visible([start], [(*start[:2], start[2] - 999)]).tolist() == [False]


def test_exposure_is_the_ground_that_sees_an_area(pillars):
    shares = pillars.sees(np.arange(len(pillars))[:, None], np.arange(len(pillars)))
    floor = floor_sizes(pillars.compiled.areas)
    stay = np.isfinite(pillars.exposure)
    expected = np.nan_to_num(shares) @ floor / floor.sum()
    assert np.allclose(pillars.exposure[stay], expected[stay])
    assert np.array_equal(stay, np.isfinite(np.diag(shares)))


@pytest.mark.corpus
def test_spots_stand_out_and_are_apart(corpus):
    nav = seen_of(str(corpus / "slimefac.bsp"))
    spots = {kind: nav.spots(kind, 6, apart=300.0) for kind in ("hiding", "exposed", "sniper")}
    median = float(np.nanmedian(nav.exposure))
    for found in spots.values():
        assert len(found) == 6
        point = np.array([spot.point for spot in found])
        away = np.linalg.norm(point[:, None] - point, axis=2)[np.triu_indices(6, 1)]
        assert away.min() >= 300.0
        assert [nav.area_at(spot.point) for spot in found] == [spot.area for spot in found]
    assert max(spot.exposure for spot in spots["hiding"]) < median < min(spot.exposure for spot in spots["exposed"])
    assert spots["hiding"][0].exposure == min(spot.exposure for spot in spots["hiding"])
    assert all(0.0 < spot.far <= spot.exposure for spot in spots["sniper"])
    with pytest.raises(RouteError, match="hiding, exposed or sniper"):
        nav.spots("camping")


def test_a_file_keeps_sight(pillars, tmp_path):
    path = tmp_path / "x.aas.hdf"
    pillars.compiled.save(path)
    again = aascompile.read_compiled(path)
    assert different(pillars.compiled, again) == []
    assert again.sight is not None
    assert np.array_equal(make_sight(again, 3).share, again.sight.share)


def test_a_file_without_sight_says_so_in_a_sentence(pillars):
    nav = Navigation(replace(pillars.compiled, sight=None))
    with pytest.raises(StoreError, match=r"^pillars\.bsp: has no sight; compile with --sight, or add it with aas "):
        nav.sees(0, 0)
    with pytest.raises(StoreError, match="has no sight"):
        nav.exposure.sum()
    bare = Navigation(replace(pillars.compiled, context=type(pillars.compiled.context).none()))
    with pytest.raises(StoreError, match="has no faces of the map, so it is not known what blocks sight"):
        bare.visible([(0, 0, 0)], [(1, 1, 1)])
