"""A thousand agents follow a field of travel times to an item, in the game's own movement.

    python docs/examples/agents.py FILE [--to item_health] [--agents 1000] [--frames 1000]

FILE is a map (x.bsp, x.map) or a compiled file (x.aas.hdf). Agents start at random places from which the nearest item
of that class is reached on foot. In each frame the field says where every agent should go, and the simulator moves all
agents at once. Nothing is learned here: it is the loop inside an environment for learning agents.
"""

from __future__ import annotations

import argparse

import numpy as np

import aascompile

ON_FOOT = ["walk", "crouch", "walk_off_ledge", "barrier_jump"]
"""Running jumps take a run-up, which a field does not plan."""
FRAME = 0.05
"""Seconds between two looks at the field."""
NEAR = 32.0
"""Units from the goal at which an agent has arrived."""
AT_START = 24.0
"""Units from the start of a link at which an agent does what the link needs: jump, or crouch."""
RUN, MOST_OFF_A_LEDGE, CREEP = 320.0, 160.0, 60.0
"""Speeds in units/s: of a running agent, and the most and least of one that is about to fall."""
STEP = 18.0
"""Units: what is lower than this is a fall."""
GRAVITY = 800.0
"""Units/s²."""
SLOW_DOWN = 80.0
"""Units from a ledge at which an agent matches its speed to the fall."""


def start_points(nav: aascompile.Navigation, field: aascompile.Field, count: int, seed: int) -> np.ndarray:
    """(count, 3) random places on the ground from which the field leads to a goal."""
    areas, dice = nav.compiled.areas, np.random.default_rng(seed)
    found = np.zeros((0, 3))
    while len(found) < count:
        area = dice.choice(np.flatnonzero(np.isfinite(field.time)), 4 * count)
        at = dice.uniform(areas.area_mins[area], areas.area_maxs[area])
        at = at[nav.areas_at(at) == area]
        landed = nav.predict(at, seconds=5.0, stop=aascompile.Event.LANDED)
        at = landed.end[landed.on_ground & np.isfinite(field.at(landed.end).time)]
        found = np.concatenate([found, at])
    return found[:count]


def walk(nav: aascompile.Navigation, goals: np.ndarray, agents: int, frames: int, seed: int) -> np.ndarray:
    """(frames,) number of agents that have arrived at one of the goals after each frame."""
    field = nav.field(goals, travel=ON_FOOT)
    links, travel = nav.compiled.links, aascompile.Travel
    climbs, crouches, falls = (
        links.kind == kind for kind in (travel.BARRIER_JUMP, travel.CROUCH, travel.WALK_OFF_LEDGE)
    )
    way = links.end - links.start
    drop = np.sqrt(np.maximum(-2.0 * way[:, 2], 1.0) / GRAVITY)  # seconds of a fall
    matched = np.clip(np.linalg.norm(way[:, :2], axis=1) / drop, CREEP, MOST_OFF_A_LEDGE)
    careful = np.where(way[:, 2] < -STEP, matched, RUN)  # a gap is crossed at full speed
    at = start_points(nav, field, agents, seed)
    speed, target = np.zeros_like(at), at.copy()  # target: where the agents in the air want to land
    arrived, in_air, counts = np.zeros(agents, bool), np.zeros(agents, bool), np.zeros(frames, int)
    for frame in range(frames):
        here = field.at(at)
        known = here.link >= 0
        away = np.linalg.norm((links.start[here.link] - at)[:, :2], axis=1)
        jump, leave = (known & (away < AT_START) & kinds[here.link] for kinds in (climbs, climbs | falls))
        crouch = known & crouches[here.link] & ~jump
        target[leave & ~in_air] = links.end[here.link][leave & ~in_air]
        wish = np.where((leave | in_air)[:, None], (target - at) * (1.0, 1.0, 0.0), here.direction)
        pace = np.where(known & falls[here.link] & (away < SLOW_DOWN) & ~in_air, careful[here.link], RUN)
        arrived |= (here.goal >= 0) & (np.linalg.norm(goals[here.goal] - at, axis=1) < NEAR)
        counts[frame] = arrived.sum()
        for jumps, crouched in ((True, False), (False, True), (False, False)):
            rows = np.flatnonzero(~arrived & (jump == jumps) & (crouch == crouched))
            moved = nav.predict(
                at[rows], velocity=speed[rows], wish=wish[rows], speed=pace[rows],
                jump=jumps, crouch=crouched, seconds=FRAME,
            )  # fmt: skip
            at[rows], speed[rows], in_air[rows] = moved.end, moved.velocity, ~moved.on_ground
    return counts


def main() -> None:
    """Run the example and print how many agents have arrived after each tenth of the frames."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--to", help="class of the goals; by default that of the first item")
    parser.add_argument("--agents", type=int, default=1000)
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    compiled = given.file.endswith((".hdf", ".aas"))
    nav = aascompile.load(given.file) if compiled else aascompile.Navigation(aascompile.compile_map(given.file))
    items = [item for item in nav.items if item.area >= 0]
    goals = [item.point for item in items if item.classname == (given.to or items[0].classname)]
    counts = walk(nav, np.array(goals), given.agents, given.frames, given.seed)
    for frame in range(given.frames // 10, given.frames + 1, given.frames // 10):
        print(f"{frame * FRAME:6.1f} s  {counts[frame - 1]:5} of {given.agents} arrived")


if __name__ == "__main__":
    main()
