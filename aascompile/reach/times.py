"""Travel times of links, in hundredths of a second: all formulas that turn lengths and settings into times.

The compiler writes these times into links, and ``nav.explain`` compares with them. No other module reads the costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.geometry.vectors import flat_lengths, lengths, norm
from aascompile.model.areas import Areas, unit_costs
from aascompile.model.entity_facts import Plat
from aascompile.model.links import FAST_JUMPS, Travel
from aascompile.model.mapdata import Float
from aascompile.model.movers import BrushMover, Carrier
from aascompile.settings import Settings

HUNDREDTHS: Final = 100.0
"""Hundredths in a second."""

LEAST: Final = 1.0
"""Least time of a walk, a step or a stroke."""

SHORT: Final = 24.0
"""Units of a walk that take no time, as in the engine's files."""

JUMP_SHARE: Final = 240.0
"""Hundredths of a second that a jump takes for each second of a run over the same distance."""

FALL_SHARE: Final = 50.0
"""Hundredths of a second that a fall takes per unit of its depth, times gravity: a fall of 800 units at gravity 800
takes 50."""

ROPE: Final = 4.0
"""Units of a grapple's rope that take a hundredth of a second."""

SLOWEST_SWIM: Final = 0.05
"""Share of the swimming speed that counts at least, so that times stay finite."""

STOPS: Final = 0.5
"""Seconds that a train must stand still for bots to get on."""

SLIVER: Final = 30
"""1/100 s added to a walk into a sliver of floor. Bots stop and turn there, so that a way round is quicker, even if it
is up to 96 units longer."""

RAIL: Final = 400
"""1/100 s added to a jump onto a rail. Bots in a fight stand still there until it ends, as easy targets. With half of
this they still climbed the rails of oa_bases3cl."""


def inside(areas: Areas, settings: Settings) -> Float:
    """(n,) time for a unit of the way inside each area."""
    costs = settings.costs
    return unit_costs(areas, settings.boxes[0].presence, costs.walk, costs.crouch, costs.swim)


def walk(start: Float, end: Float, ducks: NDArray[np.bool_], settings: Settings) -> Float:
    """(n,) walks from ``start (n, 3)`` to ``end (n, 3)``; ``ducks``: the player begins to crouch."""
    far = lengths(end - start)
    time: Float = LEAST + settings.costs.walk * np.maximum(far - SHORT, 0.0)
    time += settings.costs.start_crouch * ducks
    return time


def swim(ducks: NDArray[np.bool_], settings: Settings) -> Float:
    """(n,) strokes through a face; ``ducks``: the player begins to crouch."""
    time: Float = LEAST + settings.costs.start_crouch * ducks.astype(np.float64)
    return time


def against_current(wide: Float, share: Float, settings: Settings) -> Float:
    """(n,) time that a current adds to swims across areas ``wide (n,)`` units wide, with ``share (n,)`` of the speed in
    still water. Swims with the current are as quick as in still water."""
    slower = 1.0 / np.clip(share, SLOWEST_SWIM, 1.0) - 1.0
    time: Float = settings.costs.swim * wide * slower
    return time


def barrier_jump(settings: Settings) -> float:
    """A jump onto a barrier."""
    return settings.costs.barrier_jump


def water_jump(settings: Settings) -> float:
    """A jump out of the water."""
    return settings.costs.water_jump


def jump(start: Float, end: Float, settings: Settings) -> Float:
    """(n,) running jumps from ``start (n, 3)`` to ``end (n, 3)``, without damage."""
    far = flat_lengths(end - start)
    time: Float = settings.costs.start_jump + JUMP_SHARE * far / settings.physics.walk_speed
    return time


def fast_jump(seconds: Float, settings: Settings) -> Float:
    """(n,) jumps that take more than a run, without damage; ``seconds (n,)``: run-up and flight."""
    time: Float = settings.costs.start_jump + HUNDREDTHS * seconds
    return time


def ledge(start: Float, end: Float, settings: Settings) -> Float:
    """(n,) walks off a ledge at ``start (n, 3)`` down to ``end (n, 3)``, without damage."""
    drop = np.maximum(start[:, 2] - end[:, 2], 0.0)
    time: Float = settings.costs.start_ledge + FALL_SHARE * drop / settings.physics.gravity
    return time


def fall_damage(fall: Float, settings: Settings) -> Float:
    """(n,) time equivalent of the damage of falls ``fall (n,)`` units deep."""
    costs, physics = settings.costs, settings.physics
    time: Float = np.select(
        [fall > physics.fall_damage_large, fall > physics.fall_damage_small],
        [costs.fall_damage_large, costs.fall_damage_small],
        0.0,
    )
    return time


def probed(kind: Travel, start: Float, end: Float, fall: Float, settings: Settings) -> Float:
    """(n,) links of a travel type that probes find, except walks; ``fall (n,)``: units from the highest point to the
    end."""
    if kind == Travel.BARRIER_JUMP:
        return np.full(len(start), barrier_jump(settings))
    if kind == Travel.WATER_JUMP:
        return np.full(len(start), water_jump(settings))
    move = jump if kind == Travel.JUMP else ledge
    return move(start, end, settings) + fall_damage(np.maximum(fall, 0.0), settings)


def late_jump(settings: Settings) -> int:
    """Time added to a jump that succeeds only from the very rim."""
    return round(settings.costs.late_jump)


def risks(missed: Float, died: Float, settings: Settings) -> Float:
    """(n,) time added to links that a share ``missed (n,)`` of the bots misses, and on which a share ``died (n,)``
    dies."""
    time: Float = settings.costs.miss * missed + settings.costs.death * died
    return time


def climb(height: float, settings: Settings) -> float:
    """A ladder, up or down."""
    return settings.costs.start_ladder + settings.costs.climb * height


def plat_ride(plat: Plat) -> float:
    """A plat's ride from its bottom to its top."""
    return HUNDREDTHS * plat.height / plat.speed


def elevator(plat: Plat, settings: Settings) -> float:
    """Getting on a plat and riding it up."""
    return settings.costs.start_elevator + plat_ride(plat)


def plat_walk(start: Float, end: Float, settings: Settings) -> Float:
    """(n,) walks off a resting plat from ``start (n, 3)`` to ``end (n, 3)``."""
    time: Float = LEAST + settings.costs.walk * flat_lengths(end - start)
    return time


def plat_drop(start: Float, end: Float, plat: Plat, settings: Settings) -> Float:
    """(n,) falls onto a resting plat. The player may have to wait for it."""
    return ledge(start, end, settings) + fall_damage(start[:, 2] - end[:, 2], settings) + plat_ride(plat)


def bobbing(settings: Settings) -> float:
    """A ride on a bobbing platform."""
    return settings.costs.bobbing


def waiting(mover: BrushMover, stops: Sequence[int]) -> float:
    """The average wait for a mover that moves by itself, at a place where it comes to some of its stops."""
    return HUNDREDTHS * mover.waiting(stops)


def ride(mover: BrushMover, wait: float, here: int, there: int, settings: Settings) -> float:
    """A ride between two stops of a mover that moves by itself, after the wait for it; more on a train that does not
    stop long enough at one of them."""
    if mover.carrier == Carrier.BOBBING:
        return bobbing(settings)
    stood = min(mover.stops[here].wait, mover.stops[there].wait)
    passing = settings.costs.passing_train if mover.carrier == Carrier.TRAIN and stood < STOPS else 0.0
    seconds = 0.0 if here == there else mover.ride(here, there)
    return max(bobbing(settings), wait + HUNDREDTHS * seconds + passing)


def lift(mover: BrushMover, delay: float, settings: Settings) -> float:
    """Getting on a door, starting it with a delay, and riding to its other end."""
    return settings.costs.start_elevator + HUNDREDTHS * (delay + mover.stops[0].leg)


def lift_back(mover: BrushMover, delay: float, settings: Settings) -> float:
    """Starting a door with a delay, getting on where it goes, and riding back to where it rests."""
    away, back = mover.stops
    return settings.costs.start_elevator + HUNDREDTHS * (delay + away.leg + back.wait + back.leg)


def stays(mover: BrushMover, delay: float) -> float:
    """Time from starting a mover until it leaves its other end."""
    return HUNDREDTHS * (delay + mover.stops[0].leg + mover.stops[1].wait)


def bridge(mover: BrushMover, stop: int, delay: float, far: float, settings: Settings) -> float:
    """A walk of ``far`` units over a door that stands at a stop, where it has to be brought first unless it rests
    there."""
    moves = HUNDREDTHS * (delay + mover.stops[0].leg) if stop else 0.0
    return max(moves + settings.costs.walk * far, LEAST)


def teleport(settings: Settings) -> float:
    """A teleporter."""
    return settings.costs.teleport


def jump_pad(steered: bool, settings: Settings) -> float:
    """A jump pad."""
    return settings.costs.jump_pad_steered if steered else settings.costs.jump_pad


def weapon_jump(kind: Travel, settings: Settings) -> float:
    """A jump with the rocket launcher or the BFG."""
    return settings.costs.bfg_jump if kind == Travel.BFG_JUMP else settings.costs.rocket_jump


def grapple(rope: Float, settings: Settings) -> Float:
    """(n,) the grappling hook on ropes ``rope (n,)`` units long."""
    time: Float = settings.costs.start_grapple + rope / ROPE
    return time


def by_hand(kind: Travel, start: Float, end: Float, settings: Settings) -> float:
    """A link that a mapper adds without a time: as for links of its type, and along the straight line if that has no
    rule of its own. Platforms are not added by hand."""
    one, other, costs = start[None], end[None], settings.costs
    far, up = norm(end - start), float(abs(end[2] - start[2]))
    if kind in (Travel.JUMP, *FAST_JUMPS):
        kind = Travel.JUMP
    if kind in (Travel.BARRIER_JUMP, Travel.WATER_JUMP, Travel.JUMP, Travel.WALK_OFF_LEDGE):
        return float(probed(kind, one, other, one[:, 2] - other[:, 2], settings)[0])
    other_types = {
        Travel.WALK: LEAST + costs.walk * far,
        Travel.CROUCH: LEAST + costs.start_crouch + costs.crouch * far,
        Travel.SWIM: LEAST + costs.swim * far,
        Travel.LADDER: climb(up, settings),
        Travel.TELEPORT: teleport(settings),
        Travel.JUMP_PAD: jump_pad(False, settings),
        Travel.ROCKET_JUMP: weapon_jump(kind, settings),
        Travel.BFG_JUMP: weapon_jump(kind, settings),
        Travel.GRAPPLE: costs.start_grapple + far / ROPE,
    }
    return other_types[kind]


def on_foot(settings: Settings) -> float:
    """A unit of walking inside an area."""
    return settings.costs.walk


def timer(every: float) -> int:
    """Waiting for what a timer starts every so many seconds: half of that on average."""
    return round(HUNDREDTHS * every / 2.0)


def longest_opening(settings: Settings) -> float:
    """The most that opening a door may add to a link into it."""
    return settings.costs.opening


def by_way_of_opener(way: float, touches: int) -> float:
    """Time, in 1/100 s, to touch an opener and come back, if it takes ``way`` to get there. Several touches are as many
    visits, because a button has to return first."""
    return (touches + 1) * way


def shut_door(way: float, touches: int, delay: float, settings: Settings) -> float:
    """The same for a door that opens ``delay`` seconds after the last touch: players who are back earlier wait."""
    return touches * way + max(way, HUNDREDTHS * delay) + settings.costs.shut_door


def held_back(delay: float) -> int:
    """Waiting for what opens after a delay, if players start it on their way."""
    return round(HUNDREDTHS * delay)


def shot_door(settings: Settings) -> int:
    """Opening a door by a shot."""
    return round(settings.costs.shot_door)
