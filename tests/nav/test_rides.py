"""Rides in words, and their replay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.model.compiled import Compiled, Rides
from aascompile.model.links import RIDES, Travel
from aascompile.model.movers import Carrier
from aascompile.nav.replay import replay_all
from aascompile.nav.ride_replay import replay_rides, why_not_ridden
from aascompile.nav.rides import ride_lines, ride_of
from aascompile.player.carried import FRAME, LONGEST, MOST_FRAMES
from aascompile.player.reason import Reason
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.settings import QUAKE3
from aascompile.store.engine import read_engine, write_engine
from tests.viewer.samples import sample

REPLAYED = {
    "elevator": 1,
    "elevator_bevelled": 1,
    "bobbing_vertical": 2,
    "bobbing_horizontal": 2,
    "train": 2,
    "train_loop": 6,
    "door_lift": 7,
    "door_called": 1,
    "door_timer": 4,
    "door_bridge": 4,
    "pendulum": 2,
    "rotating": 6,
}
"""Rides of each sample."""


@pytest.mark.parametrize("name", REPLAYED)
def test_a_simulated_player_arrives_on_every_ride(name):
    found = replay_rides(sample(name), QUAKE3)
    assert len(found.rows) == REPLAYED[name]
    assert [each.why for each in found.arrival] == [Reason.ARRIVES] * REPLAYED[name]
    target = sample(name).links.target[found.rows]
    assert [each.area for each in found.arrival] == target.tolist()


@pytest.mark.parametrize("name", ["train", "train_loop"])
def test_a_ride_takes_as_long_as_its_waits_and_legs(name):
    """A train stands two seconds at each stop, and is left as soon as it arrives."""
    compiled = sample(name)
    found = replay_rides(compiled, QUAKE3)
    for row, arrival in zip(found.rows.tolist(), found.arrival, strict=True):
        riding = ride_of(compiled, row).riding
        assert riding + 2.0 < arrival.seconds < riding + 2.0 + 0.5


def moved(compiled: Compiled, **columns: np.ndarray) -> Compiled:
    return replace(compiled, rides=replace(compiled.rides, **columns))


def reasons(compiled: Compiled) -> list[Reason]:
    return [each.why for each in replay_rides(compiled, QUAKE3).arrival]


def test_rides_that_do_not_work_are_found():
    train, plat = sample("train"), sample("elevator")
    away = np.array((0.0, 160.0, 0.0))
    beside = moved(train, low=train.rides.low + away, high=train.rides.high + away)
    assert reasons(beside) == [Reason.LATE] * 2, "a train that passes beside the floors: the player falls into the pit"
    high = plat.rides.high.copy()
    high[0, 2] += 400.0
    low = plat.rides.low.copy()
    low[1, 2] += 400.0
    assert reasons(moved(plat, high=high, low=low)) == [Reason.HELD_UP], "a plat that goes through the ceiling"
    assert reasons(moved(plat, floor=plat.rides.floor + 40.0)) == [Reason.LATE], "a plat too high to step on"


def test_movers_that_are_turned_elsewhere_carry_nobody():
    bar, pendulum = sample("rotating"), sample("pendulum")
    across = moved(bar, angles=bar.rides.angles + np.array((0.0, 0.0, 90.0)))
    assert reasons(across) == [Reason.HARMED] * 6, "the bar is at the northern floor when it should be at the others"
    leans = moved(pendulum, angles=-pendulum.rides.angles)
    assert reasons(leans) == [Reason.HARMED] * 2, "the block leans away from the floor"


def test_rides_without_end_are_given_up():
    """The times of a damaged file have no bound."""
    train = sample("train")
    assert reasons(moved(train, seconds=train.rides.seconds + 1e12)) == [Reason.LATE] * 2


def test_a_long_ride_is_followed_in_long_frames():
    train = sample("train")
    slow = moved(train, seconds=20.0 * train.rides.seconds)
    arrivals = replay_rides(slow, QUAKE3).arrival
    assert [each.why for each in arrivals] == [Reason.ARRIVES] * 2
    assert all(FRAME * MOST_FRAMES < each.seconds < LONGEST for each in arrivals)


def test_movers_that_turn_or_are_unknown_are_counted():
    for name, count in (("rotating", 6), ("pendulum", 2)):
        compiled = sample(name)
        old = moved(compiled, angles=np.zeros_like(compiled.rides.angles))
        assert replay_rides(old, QUAKE3).turning == count, "files of older versions do not say how a mover turns"
        assert replay_all(old, QUAKE3).skipped == {"turning": count}
    imported = read_engine(write_engine(sample("elevator")), "elevator.aas")
    assert replay_rides(imported, QUAKE3).unknown == 1
    assert ride_of(imported, int(np.flatnonzero(imported.links.kind == Travel.ELEVATOR)[0])) is None


def test_skipped_links_are_counted_by_reason():
    swim = sample("swim")
    found = replay_all(swim, QUAKE3)
    assert found.skipped == {"swim": 6}
    assert len(found) + 6 == len(swim.links)
    assert replay_all(sample("rocketjump"), QUAKE3).skipped == {"weapon": 1}


WORDS = {
    "elevator": [
        "carried by a func_plat (model 1, entity 4), 128 × 128 × 8",
        "waits at (0 -112 24), gets on at (0 -48 32), gets off at (48 0 216)",
        "starting it and getting on takes 0.5 s; then the ride, 184 units up, takes 0.9 s",
    ],
    "train": [
        "carried by a func_train (model 1, entity 4), 128 × 128 × 16",
        "waits at (328 0 24), gets on at (296 0 24), gets off at (-296 0 24)",
        "it comes every 10.2 s, and players wait 5.1 s on average; then the ride, 496 units, takes 3.1 s",
    ],
    "pendulum": [
        "it comes every 6.2 s, and players wait 3.1 s on average; then the ride takes 3.1 s",
    ],
    "rotating": [
        "it turns once in 18.0 s; waiting and riding take 4.9 s on average",
    ],
    "door_called": [
        "starting it and getting on takes 6.4 s; then the ride, 184 units up, takes 0.9 s",
    ],
}
"""Lines of the first ride of samples."""


@pytest.mark.parametrize("name", WORDS)
def test_a_ride_in_words(name):
    compiled = sample(name)
    first = int(np.flatnonzero(np.isin(compiled.links.kind, RIDES))[0])
    assert ride_lines(ride_of(compiled, first))[-len(WORDS[name]) :] == WORDS[name]


def test_a_bridge_in_words():
    compiled = sample("door_bridge")
    lines = ride_lines(ride_of(compiled, len(compiled.links) - 1))
    assert lines == [
        "a func_door (model 1, entity 4), 160 × 96 × 16, is a bridge, from which the player gets off at (-144 0 24)",
        "starting it, if it has to be started, and crossing it takes 2.8 s",
    ]


def test_links_that_walk_have_no_ride():
    compiled = sample("train")
    (fall, *_) = np.flatnonzero(compiled.links.kind == Travel.WALK_OFF_LEDGE).tolist()
    assert ride_of(compiled, fall) is None


def test_a_mover_of_which_only_one_row_is_left_is_unknown():
    compiled = sample("elevator")
    one = compiled.rides
    cut = Rides(**{name: getattr(one, name)[:1] for name in one.__dataclass_fields__})
    assert replay_rides(replace(compiled, rides=cut), QUAKE3).unknown == 1
    assert int(one.carrier[0]) == Carrier.PLAT


def test_explain_says_that_a_plat_crushes_its_riders():
    crush = sample("elevator_crush")
    below, above = areas_at(tree_of(crush.areas), [(-180, 0, 30), (180, 0, 230)]).tolist()
    assert why_not_ridden(crush, QUAKE3, below, above) == (
        "a func_plat (model 1, entity 3) stops at both, but it crushes players who ride it, at (0 0 192)"
    )
    fine = sample("elevator")
    below, above = areas_at(tree_of(fine.areas), [(-180, 0, 30), (180, 0, 230)]).tolist()
    assert why_not_ridden(fine, QUAKE3, below, above) == "", "players arrive"
    assert why_not_ridden(crush, QUAKE3, above, above) == ""
