"""Probes off rims, compared with a player on the brushes themselves: all that this player reaches is found, and no
more."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from aascompile import compile_map
from aascompile.checks.check_compiled import failures
from aascompile.model.links import Travel
from aascompile.reach.local import SPACING, Rims, grid_of, nearest_of, prober_of, rims_of
from aascompile.sampling.ground import ground_edges
from aascompile.settings import QUAKE3
from tests.conftest import ROOT
from tests.hostile import patch, room
from tests.reach.rooms import Room, sample_room
from tests.reference.movement import unit
from tests.reference.probes import Try

ROOMS = ("stairs", "ledge", "gap", "pillars", "barrier", "barrier_high", "hole", "wedge")


@cache
def probed(name: str) -> tuple[Room, Rims, np.ndarray, np.ndarray]:
    """A room, its rims, and the rows that probes off them found."""
    room = sample_room(name)
    rims = rims_of(ground_edges(room.areas), room.movement)
    prober = prober_of(room.areas, rims, room.movement)
    prober.rims(0, len(rims.area), SPACING)
    return room, rims, *prober.result()


@pytest.mark.parametrize("name", ROOMS)
def test_probes_find_everything_that_a_player_reaches_off_a_rim(name):
    """In one link or several: each step of a stair has its own, though a running player overshoots some."""
    room, rims, number, _ = probed(name)
    player = Try(room.world, room.area_at)
    leads = connected(room, number)
    for rim, area in enumerate(rims.area.tolist()):
        reached = player.off_rim(area, (rims.a[rim] + rims.b[rim]) / 2, rims.out[rim])
        assert reached is None or leads[area, reached], (area, reached)


def connected(room: Room, number: np.ndarray) -> np.ndarray:
    """Whether the rows found, or ground that continues over a shared edge, lead from one area to another."""
    edges = ground_edges(room.areas)
    leads = np.eye(len(room.areas), dtype=bool)
    leads[number[:, 0], number[:, 1]] = True
    for edge in np.unique(edges.edge):
        sharing = edges.area[edges.edge == edge]
        leads[np.ix_(sharing, sharing)] = True
    for middle in range(len(leads)):
        leads |= leads[:, middle : middle + 1] & leads[middle]
    return leads


@pytest.mark.parametrize("name", ROOMS)
def test_a_player_who_takes_a_probed_link_arrives(name):
    room, _, number, place = probed(name)
    assert_followed(room, number, place)


@pytest.mark.parametrize("name", ["gap", "pillars"])
def test_a_player_who_takes_a_probed_jump_arrives(name):
    room = sample_room(name)
    rims = rims_of(ground_edges(room.areas), room.movement)
    near = nearest_of(rims, np.zeros(0, np.int64), grid_of(rims), QUAKE3)
    near.run(rims.ground, 0, len(rims.ground), len(room.areas))
    pairs, points = near.result()
    prober = prober_of(room.areas, rims, room.movement)
    prober.leaps(pairs, points, rims.ground, 0, len(pairs))
    assert_followed(room, *prober.result())


@pytest.mark.parametrize("name", ["pool_deep", "pool_steps"])
def test_a_player_who_takes_a_probed_water_jump_arrives(name):
    room = sample_room(name)
    rims = rims_of(ground_edges(room.areas), room.movement)
    prober = prober_of(room.areas, rims, room.movement)
    prober.banks(0, len(rims.area))
    assert_followed(room, *prober.result())


def assert_followed(room: Room, number: np.ndarray, place: np.ndarray) -> None:
    """The twin arrives by each of these rows."""
    player = Try(room.world, room.area_at)
    assert len(number)
    for (_, target, kind, *_), row in zip(number.tolist(), place, strict=True):
        start, end, velocity = row[:3], row[3:6], row[6:9]
        ahead = unit((end - start) * (1, 1, 0))
        if kind == Travel.WALK:
            start = start - 0.125 * ahead  # the link starts on the very rim
        # Along a border of areas, or towards a corner, rounding decides which side the player gets to.
        starts = [start + side * np.cross(ahead, (0, 0, 1)) for side in (0.0, -0.01, 0.01)]
        jump, fall = kind in (Travel.BARRIER_JUMP, Travel.JUMP), kind == Travel.WALK_OFF_LEDGE
        arrives = any(player.follow(at, end, velocity, target, jump, fall) for at in starts)
        assert arrives, (Travel(kind).name, start, end)


BENT = (
    ((3442.122, 2567.962, 2895.072), (3416.153, 2562.662, 3166.970), (3328.210, 2777.146, 2923.373)),
    ((3252.463, 2884.340, 2923.902), (3416.205, 2791.373, 3144.104), (3495.302, 2450.001, 3147.199)),
    ((3521.133, 2487.799, 3228.179), (3289.946, 2616.690, 3015.920), (3478.086, 2614.948, 3246.808)),
)
"""Control points of a patch with a ledge whose height changes along its foot."""


def test_no_walk_leads_straight_at_a_wall_along_which_a_player_slides(tmp_path):
    """The simulated player slid along the foot of the ledge, to where it is lower than a step. Bots stop there."""
    path = tmp_path / "bent.map"
    path.write_text(room(patch(np.array(BENT))))
    assert failures(compile_map(str(path))) == []


def test_a_run_up_without_acceleration_ends():
    """The speed after it was looked for in an endless loop."""
    still = replace(QUAKE3, physics=replace(QUAKE3.physics, walk_accelerate=0.0))
    links = compile_map(ROOT / "samples" / "gap.bsp", still).links
    assert links is not None
    assert not (links.kind == Travel.WALK_OFF_LEDGE).any(), "nobody gets off a ledge"
