"""A few runs and traces through the kernels of sampling and movement; run as a script it writes them to a file."""

from __future__ import annotations

import sys

import numpy as np

from aascompile.geometry.sample import areas_at, areas_in_box, sampler_of, traces
from aascompile.reach import move_kernel
from aascompile.reach.movement import Event, Flag
from tests.reach.rooms import sample_room


def results() -> dict[str, np.ndarray]:
    """What becomes of the same few players and traces in samples with all that there is."""
    found: dict[str, np.ndarray] = {}
    for name in ("stairs", "pool_deep", "slanted", "crouch"):
        room = sample_room(name)
        dice = np.random.default_rng(1)
        low, high = room.areas.area_mins.min(axis=0), room.areas.area_maxs.max(axis=0)
        start, wish = dice.uniform(low, high, (24, 3)), dice.normal(size=(24, 3))
        flags = np.arange(24, dtype=np.uint32) % 8 | np.uint32(Flag.TRACK)
        run = room.movement.predict_many(
            start, wish * 200, wish, 320.0, flags, Event.GAP | Event.GOAL, max_time=1.0, goal_area=1
        )
        for column in ("end", "velocity", "area", "seen", "time", "land_speed"):
            found[f"{name} {column}"] = getattr(run, column)
        tree = room.movement.tree
        found[f"{name} at"] = areas_at(tree, start)
        found[f"{name} reached"] = traces(tree, start, start + wish * 100, 2).end
        found[f"{name} box"] = areas_in_box(sampler_of(tree), start[0] - 50, start[0] + 50)
    return found


if __name__ == "__main__":
    np.savez(sys.argv[1], kernel=np.array(move_kernel.__file__), **results())
