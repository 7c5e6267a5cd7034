"""Pairs of links on routes, compared with those of a plain search."""

from __future__ import annotations

import numpy as np
import pytest

import aascompile
from aascompile.model.compiled import Compiled
from aascompile.model.links import FAST_JUMPS
from aascompile.model.places import Places
from aascompile.nav.navigation import Navigation
from aascompile.reach.uses import pairs_on_routes
from aascompile.settings import QUAKE3
from tests.reach.carrying import SAMPLES
from tests.reference.routes import PlainRoutes


def places_of(nav: Navigation) -> Places:
    """The items and spawns of a map."""
    rows = [(place, True) for place in nav.items] + [(place, False) for place in nav.spawns]
    return Places(
        np.array([place.entity for place, _ in rows], np.int32),
        np.array([item for _, item in rows], np.bool_),
        np.array([place.point for place, _ in rows]).reshape(-1, 3),
        np.array([place.area for place, _ in rows], np.int32),
        tuple(place.reason for place, _ in rows),
    )


def followed(compiled: Compiled, places: Places) -> dict[tuple[int, int], int]:
    """How many routes from spawns and items to items take two links one after the other, by a plain search."""
    plain, links = PlainRoutes(compiled, banned=FAST_JUMPS), compiled.links
    uses: dict[tuple[int, int], int] = {}
    rows = np.flatnonzero(places.area >= 0).tolist()
    for goal in (row for row in rows if places.item[row]):
        left, after = plain.left(int(places.area[goal]), places.point[goal].tolist())
        for area, point in ((int(places.area[row]), places.point[row].tolist()) for row in rows):
            if area == places.area[goal]:
                continue
            out = range(*links.area_start[area : area + 2].tolist())
            link = min(out, key=lambda row: left[row] + plain.walk(area, point, plain.start[row]), default=-1)
            while link >= 0 and left[link] < np.inf and after[link] >= 0:
                uses[link, after[link]] = uses.get((link, after[link]), 0) + 1
                link = after[link]
    return uses


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", ["slanted", "stairs", "pit_corner", "gap_slanting", "donotenter", "swim", "by_hand"])
def test_pairs_are_those_of_routes(name, threads):
    compiled = aascompile.compile_map(SAMPLES / f"{name}.bsp")
    places = places_of(Navigation(compiled))
    first, second, uses = pairs_on_routes(compiled.links, compiled.areas, places, QUAKE3, threads)
    found = dict(zip(zip(first.tolist(), second.tolist(), strict=True), uses.tolist(), strict=True))
    assert found == followed(compiled, places)


def test_a_map_without_places_has_no_routes():
    compiled = aascompile.compile_map(SAMPLES / "slanted.bsp")
    assert all(len(column) == 0 for column in pairs_on_routes(compiled.links, compiled.areas, Places.none(), QUAKE3))
