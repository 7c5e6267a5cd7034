"""A thousand agents follow a field of travel times to the nearest item, in the game's own movement.

    python docs/examples/agents.py FILE [--agents 1000] [--frames 1000] [--seed 1]

FILE is a map (x.bsp, x.map) or a compiled file (x.aas.hdf). Agents start at random places from which items are reached on
foot. Each frame of 50 ms, the field says which link each agent is on, and the simulator moves all agents at once. Nothing
is learned here: it is the loop that an environment for learning agents has inside.
"""

from __future__ import annotations

import argparse

import numpy as np

import aascompile

ON_FOOT = ["walk", "crouch", "walk_off_ledge", "barrier_jump", "jump", "swim", "water_jump"]
FRAME = 0.05  # seconds
NEAR = 32.0  # units from an item at which an agent takes it
RUN_UP = 24.0  # units from the start of a jump at which an agent jumps, as the engine's bots do


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


def walk(nav: aascompile.Navigation, agents: int, frames: int, seed: int) -> np.ndarray:
    """(frames,) number of agents that have arrived after each frame."""
    goals = np.array([item.point for item in nav.items if item.area >= 0])
    field = nav.field(goals, travel=ON_FOOT)
    links = nav.compiled.links
    jumps = np.isin(links.kind, [aascompile.Travel.JUMP, aascompile.Travel.BARRIER_JUMP])
    crouches = links.kind == aascompile.Travel.CROUCH
    at = start_points(nav, field, agents, seed)
    speed, arrived = np.zeros_like(at), np.zeros(agents, bool)
    counts = np.zeros(frames, int)
    taking = np.full(agents, -1)  # the link that an agent in the air took
    for frame in range(frames):
        here = field.at(at)
        near = np.linalg.norm(goals[here.goal] - at, axis=1) < NEAR
        arrived |= (here.goal >= 0) & near
        counts[frame] = arrived.sum()
        rows = np.flatnonzero(~arrived)
        if not len(rows):
            counts[frame:] = agents
            break
        link = here.link[rows]
        start = links.start[link]
        flat = np.linalg.norm((start - at[rows])[:, :2], axis=1)
        leaps = (link >= 0) & jumps[link] & (flat < RUN_UP)
        ducks = (link >= 0) & crouches[link]
        wish = here.direction[rows]
        wish[leaps] = (links.end[link] - at[rows])[leaps]
        for chosen, jump, crouch in ((leaps, True, False), (ducks & ~leaps, False, True), (~leaps & ~ducks, False, False)):
            group = rows[chosen]
            if len(group):
                moved = nav.predict(at[group], velocity=speed[group], wish=wish[chosen], jump=jump, crouch=crouch, seconds=FRAME)
                at[group], speed[group] = moved.end, moved.velocity
    return counts


def main() -> None:
    """Run the example and print how many agents have arrived after each tenth of the frames."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--agents", type=int, default=1000)
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    compiled = given.file.endswith((".hdf", ".aas"))
    nav = aascompile.load(given.file) if compiled else aascompile.Navigation(aascompile.compile_map(given.file))
    counts = walk(nav, given.agents, given.frames, given.seed)
    for frame in range(given.frames // 10, given.frames + 1, given.frames // 10):
        print(f"{frame * FRAME:6.1f} s  {counts[frame - 1]:5} of {given.agents} arrived")


if __name__ == "__main__":
    main()
