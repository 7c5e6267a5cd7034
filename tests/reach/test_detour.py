"""Times over links, and which jumps save time, compared with a twin that has no heap."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aascompile.csr import starts_of
from aascompile.reach.detour_kernel import Detours
from tests.examples import examples
from tests.reference.detour import Link, quickest, saves_time

PACE = 0.3
"""Hundredths of a second per unit on foot."""


def random_links(dice: np.random.Generator, areas: int, count: int) -> list[Link]:
    """Links between random points; the points of an area lie anywhere, as if areas were large."""
    ends = np.sort(dice.integers(0, areas, (count, 2)), axis=0)
    dice.shuffle(ends[:, 1])
    points = dice.uniform(-500, 500, (count, 6))
    return [
        Link(int(source), int(target), float(time), tuple(row[:3].tolist()), tuple(row[3:].tolist()))
        for (source, target), time, row in zip(ends, dice.uniform(0, 300, count), points, strict=True)
    ]


def worker(areas: int, links: list[Link]) -> Detours:
    return Detours(
        areas,
        starts_of(np.bincount([link.source for link in links], minlength=areas)),
        np.array([link.target for link in links], np.int32),
        np.array([link.time for link in links]),
        np.array([link.begin for link in links]).reshape(-1, 3),
        np.array([link.end for link in links]).reshape(-1, 3),
        PACE,
    )


cases = st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(0, 40), st.floats(0, 1500))


@settings(max_examples=examples(60))
@given(cases)
def test_times_agree_with_the_twin(case):
    seed, areas, count, most = case
    dice = np.random.default_rng(seed)
    links = random_links(dice, areas, count)
    flood = worker(areas, links)
    for area in (0, areas - 1):
        point = tuple(dice.uniform(-500, 500, 3).tolist())
        expected = quickest(links, PACE, area, point, most)
        found, times, places = flood.times(area, point, most)
        assert sorted(found.tolist()) == sorted(expected)
        for row, reached in enumerate(found.tolist()):
            assert times[row] == pytest.approx(expected[reached].time)
            assert tuple(places[row]) == expected[reached].at


@settings(max_examples=examples(60))
@given(cases)
def test_a_jump_is_kept_only_if_it_is_quicker_than_the_links(case):
    seed, areas, count, _ = case
    dice = np.random.default_rng(seed)
    links = random_links(dice, areas, count)
    ends = dice.integers(0, areas, (20, 2)).astype(np.int32)
    ends = ends[ends[:, 0] != ends[:, 1]]
    ends = np.ascontiguousarray(ends[np.argsort(ends[:, 0], kind="stable")])
    leave, land = dice.uniform(-500, 500, (2, len(ends), 3))
    jump = dice.uniform(0, 1500, len(ends))
    out = np.full(len(ends), -1, np.int8)
    source, target = (np.ascontiguousarray(column) for column in ends.T)
    worker(areas, links).worth(source, target, leave, land, jump, 0, len(ends), out)
    for area, rows in groupby(range(len(ends)), key=lambda row: int(source[row])):
        group = list(rows)
        depart = tuple(leave[group[0]].tolist())
        expected = [
            saves_time(links, PACE, area, int(target[row]), tuple(land[row].tolist()), jump[row], depart)
            for row in group
        ]
        assert out[group].tolist() == expected, "all jumps of an area depart from where the first one does"
