"""Travel times: computed by hand, defined in one module, and used by both the compiler and explanations."""

from __future__ import annotations

import ast
from dataclasses import replace

import numpy as np
import pytest

from aascompile.model.entity_facts import Plat
from aascompile.model.links import Travel
from aascompile.model.movers import BrushMover, Carrier, Stop
from aascompile.reach import times
from aascompile.settings import QUAKE3
from tests.test_layers import Source, sources

MOON = replace(QUAKE3, physics=replace(QUAKE3.physics, gravity=200.0))
START = np.array([[0.0, 0.0, 400.0]])


def down(depth: float, along: float = 0.0) -> np.ndarray:
    """(1, 3) an end this much lower than START."""
    return START + np.array([[along, 0.0, -depth]])


def test_a_fall_takes_longer_where_gravity_is_weaker():
    assert times.ledge(START, down(320.0), QUAKE3).tolist() == [70 + 50 * 320 / 800]
    assert times.ledge(START, down(320.0), MOON).tolist() == [70 + 50 * 320 / 200]
    assert times.ledge(START, down(-8.0), QUAKE3).tolist() == [70], "a fall never leads up"


def test_damage_begins_above_each_limit():
    falls = np.array([250.0, 250.5, 375.0, 375.5])
    assert times.fall_damage(falls, QUAKE3).tolist() == [0, 300, 300, 500]


def test_times_of_probed_links():
    fall = np.array([300.0])
    along = down(300.0, along=160.0)
    assert times.probed(Travel.JUMP, START, along, fall, QUAKE3).tolist() == [300 + 240 * 160 / 320 + 300]
    assert times.probed(Travel.WALK_OFF_LEDGE, START, along, fall, QUAKE3).tolist() == [70 + 50 * 300 / 800 + 300]
    assert times.probed(Travel.BARRIER_JUMP, START, along, fall, QUAKE3).tolist() == [100]
    assert times.probed(Travel.WATER_JUMP, START, along, fall, QUAKE3).tolist() == [400]
    assert times.jump(START, along, QUAKE3).tolist() == [300 + 240 * 160 / 320], "without damage"


def test_times_of_walks_and_swims():
    ducks = np.array([False, True])
    start, end = np.zeros((2, 3)), np.array([[24.0, 0, 0], [124.0, 0, 0]])
    assert times.walk(start, end, ducks, QUAKE3) == pytest.approx([1, 1 + 33 + 300])
    assert times.swim(ducks, QUAKE3).tolist() == [1, 301]


def test_times_of_plats():
    plat = Plat(1, 1, (0.0, 0.0, 0.0), (0.0, 0.0, -300.0), 300.0, 150.0, touch=True)
    assert times.elevator(plat, QUAKE3) == 50 + 200
    assert times.plat_drop(START, down(300.0), plat, QUAKE3).tolist() == [70 + 50 * 300 / 800 + 300 + 200]
    assert times.plat_walk(START, down(0.0, along=100.0), QUAKE3) == pytest.approx([1 + 33])


def test_times_of_trains():
    def train(*stops: tuple[float, float]) -> BrushMover:
        """A train with the waits and legs given, in seconds."""
        return BrushMover(Carrier.TRAIN, (1,), tuple(Stop(((0.0, 0.0, 0.0),), *stop) for stop in stops))

    waits = train((1.0, 2.0), (3.0, 1.0))
    # Legs of 2 s and 1 s: half a round trip with its waits, and the leg.
    wait = times.waiting(waits, [0])
    assert times.ride(waits, wait, 0, 1, QUAKE3) == 100 * ((3 + 4) / 2 + 2)
    assert times.ride(waits, wait, 1, 0, QUAKE3) == 100 * ((3 + 4) / 2 + 1)
    passing = train((1.0, 2.0), (0.25, 1.0))
    assert times.ride(passing, times.waiting(passing, [0]), 0, 1, QUAKE3) == 100 * ((3 + 1.25) / 2 + 2) + 3000
    quick = train((0.5, 0.1), (0.5, 0.1))
    assert times.ride(quick, times.waiting(quick, [1]), 0, 1, QUAKE3) == times.bobbing(QUAKE3) == 300


def test_a_platform_that_comes_twice_in_a_round_is_waited_for_half_as_long():
    stops = tuple(Stop(((0.0, 0.0, 0.0),), 0.0, 1.0) for _ in range(4))
    turns = BrushMover(Carrier.ROTATING, (1,), stops)
    assert times.waiting(turns, [2]) == 200
    assert times.waiting(turns, [0, 2]) == 100
    assert times.waiting(turns, [0, 1]) == 100 * (1 + 9) / 8


def read(source: Source, *names: str) -> list[str]:
    """Places in a file that read attributes with these names."""
    return [
        f"{source.path}:{node.lineno}: {node.attr}"
        for node in ast.walk(ast.parse(source.text))
        if isinstance(node, ast.Attribute) and node.attr in names
    ]


def test_no_other_module_reads_the_costs():
    found = [line for source in sources(".py") if source.path.name != "times.py" for line in read(source, "costs")]
    assert found == []


def test_explanations_have_no_limits_of_their_own():
    (explain,) = (source for source in sources(".py") if source.path.name == "explain.py" and source.part == "nav")
    assert read(explain, "gravity", "max_step", "max_barrier", "step", "max_jump_fall") == []
    floats = {node.value for node in ast.walk(ast.parse(explain.text)) if isinstance(node, ast.Constant)}
    assert not floats & {240.0, 50.0, 19.0, 60.0}
