"""A few runs and traces through the kernels of sampling and movement. As a script, it writes them to a file."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import numpy as np

from aascompile.model.areas import Areas
from aascompile.player import move_kernel
from aascompile.player.movement import Event, Flag, Movement
from aascompile.sampling.sample import areas_at, areas_in_box, sampler_of, traces
from aascompile.settings import QUAKE3


def results(areas: Areas) -> dict[str, np.ndarray]:
    """The results of a few players and traces."""
    movement = Movement(areas, QUAKE3)
    tree = movement.tree
    dice = np.random.default_rng(1)
    start, wish = dice.uniform(areas.area_mins.min(0), areas.area_maxs.max(0), (24, 3)), dice.normal(size=(24, 3))
    flags = np.arange(24, dtype=np.uint32) % 8 | np.uint32(Flag.TRACK)
    run = movement.predict_many(
        start, wish * 200, wish, 320.0, flags, Event.GAP | Event.GOAL, max_time=1.0, goal_area=1
    )
    found = {name: getattr(run, name) for name in ("end", "velocity", "area", "seen", "time", "land_speed")}
    found["at"] = areas_at(tree, start)
    found["reached"] = traces(tree, start, start + wish * 100, 2).end
    found["box"] = areas_in_box(sampler_of(tree), start[0] - 50, start[0] + 50)
    return found


if __name__ == "__main__":
    compiled: Areas = pickle.loads(Path(sys.argv[1]).read_bytes())
    np.savez(sys.argv[2], kernel=np.array(move_kernel.__file__), **results(compiled))
