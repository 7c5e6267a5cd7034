"""Settings of the agent and the game that a compile depends on. Every field states its unit and limits.

Defaults are Quake III's (thesis §6.2 to §6.5). Times are in hundredths of a second, as in the engine's file; lengths
are in map units; speeds are in units per second.
"""

from __future__ import annotations

import os
from dataclasses import field
from typing import Any

from aascompile.records import dataclass

Point = tuple[float, float, float]


def about(unit: str, low: float, high: float, meaning: str) -> dict[str, Any]:
    """Field metadata: used to validate settings files and to generate docs/settings.md."""
    return {"unit": unit, "low": low, "high": high, "meaning": meaning}


def quantity(default: Any, unit: str, low: float, high: float, meaning: str) -> Any:
    """Dataclass field with its default, unit, limits and meaning."""
    return field(default=default, metadata=about(unit, low, high, meaning))


def choice(options: tuple[str, ...], meaning: str) -> Any:
    """Dataclass field with one of some words. The first is its default."""
    return field(default=options[0], metadata={"options": options, "meaning": meaning})


TIERS = ("running", "circle", "strafe")
"""How players get the speed for jumps: ``model.links.Tier`` from RUNNING on, in lower case."""

MAX_BOXES = 8
"""Limit on the number of boxes: everything solid is expanded once per box."""


@dataclass(frozen=True, slots=True)
class Box:
    """A posture of the agent: its bounding box around the origin."""

    name: str = field(metadata={"meaning": "name shown in messages"})
    presence: int = field(
        metadata=about("", 2, 32768, "the box's bit in an area's presence: a power of two, unique to the box")
    )
    mins: Point = field(metadata=about("units", -1024.0, -1.0, "lowest x, y and z, relative to the agent's origin"))
    maxs: Point = field(metadata=about("units", 1.0, 1024.0, "highest x, y and z, relative to the agent's origin"))


STANDING = Box("standing", 2, (-15.0, -15.0, -24.0), (15.0, 15.0, 32.0))
CROUCHED = Box("crouched", 4, (-15.0, -15.0, -24.0), (15.0, 15.0, 16.0))


@dataclass(frozen=True, slots=True)
class Physics:
    """How the game moves a player."""

    gravity: float = quantity(
        800.0,
        "units/s²",
        1.0,
        10000.0,
        'downward acceleration in air; a map whose worldspawn has a valid "gravity" uses that instead',
    )
    water_gravity: float = quantity(400.0, "units/s²", 0.0, 10000.0, "downward acceleration in liquid")
    friction: float = quantity(6.0, "1/s", 0.0, 100.0, "on the ground")
    water_friction: float = quantity(1.0, "1/s", 0.0, 100.0, "in liquid")
    stop_speed: float = quantity(100.0, "units/s", 0.0, 1000.0, "below this speed, friction acts as if at it")
    walk_speed: float = quantity(320.0, "units/s", 1.0, 10000.0, "top speed, running")
    crouch_speed: float = quantity(100.0, "units/s", 1.0, 10000.0, "top speed, crouched")
    swim_speed: float = quantity(150.0, "units/s", 1.0, 10000.0, "top speed, swimming")
    current: float = quantity(
        0.0, "units/s", 0.0, 10000.0, "what a current adds to a swimmer's wish, which is the top speed, running"
    )
    walk_accelerate: float = quantity(10.0, "1/s", 0.0, 100.0, "on the ground")
    air_accelerate: float = quantity(1.0, "1/s", 0.0, 100.0, "in air: how far a jump can be steered")
    swim_accelerate: float = quantity(4.0, "1/s", 0.0, 100.0, "in liquid")
    jump_velocity: float = quantity(270.0, "units/s", 1.0, 10000.0, "upward velocity of a jump")
    jump_adds: bool = field(
        default=False,
        metadata={
            "meaning": "a jump adds to the upward velocity of a player who runs up a slope, as in Quake II: ramp jumps"
        },
    )
    double_jump: float = quantity(
        0.0, "units/s", 0.0, 10000.0, "upward velocity that a second jump within 0.4 s adds; 0: no double jumps"
    )
    step: float = quantity(18.0, "units", 1.0, 1000.0, "height the game lifts a player walking into a step")
    max_step: float = quantity(19.0, "units", 1.0, 1000.0, "lower drops are walked down; `step` limits rises too")
    max_barrier: float = quantity(60.0, "units", 1.0, 1000.0, "lower rises are jumped onto: jump plus step")
    max_waterjump: float = quantity(18.0, "units", 0.0, 1000.0, "highest floor above water a player climbs onto")
    floor_up: float = quantity(0.7, "", 0.1, 1.0, "least z of a floor's normal: players slide off steeper ground")
    sink_speed: float = quantity(60.0, "units/s", 0.0, 1000.0, "sinking speed in liquid when not swimming")
    waterjump_forward: float = quantity(200.0, "units/s", 0.0, 10000.0, "forward velocity of a jump out of liquid")
    waterjump_up: float = quantity(350.0, "units/s", 0.0, 10000.0, "upward velocity of a jump out of liquid")
    rocket_jump_velocity: float = quantity(690.0, "units/s", 1.0, 10000.0, "upward velocity: jump plus rocket blast")
    bfg_jump_velocity: float = quantity(690.0, "units/s", 1.0, 10000.0, "upward velocity: jump plus BFG blast")
    fall_damage_small: float = quantity(250.0, "units", 1.0, 100000.0, "longer falls cost 5 health")
    fall_damage_large: float = quantity(375.0, "units", 1.0, 100000.0, "longer falls cost 10 health")
    max_jump_fall: float = quantity(450.0, "units", 0.0, 100000.0, "greatest drop from take-off to landing of a jump")


@dataclass(frozen=True, slots=True)
class Costs:
    """Travel times inside areas, and the time that links cost on top of the distance."""

    walk: float = quantity(0.33, "1/100 s per unit", 0.0, 1000.0, "inside an area, walking")
    crouch: float = quantity(1.3, "1/100 s per unit", 0.0, 1000.0, "inside an area, crouched")
    swim: float = quantity(1.0, "1/100 s per unit", 0.0, 1000.0, "inside an area, swimming")
    start_crouch: float = quantity(300.0, "1/100 s", 0.0, 60000.0, "entering an area with room only to crouch")
    barrier_jump: float = quantity(100.0, "1/100 s", 0.0, 60000.0, "a barrier jump")
    water_jump: float = quantity(400.0, "1/100 s", 0.0, 60000.0, "a jump out of water")
    start_jump: float = quantity(300.0, "1/100 s", 0.0, 60000.0, "a jump, on top of its flight")
    late_jump: float = quantity(
        1000.0, "1/100 s", 0.0, 60000.0, "added to a jump that succeeds only from the very rim: bots often fall short"
    )
    death: float = quantity(6000.0, "1/100 s", 0.0, 60000.0, "a death, times the share of bots that die on a link")
    miss: float = quantity(
        300.0,
        "1/100 s",
        0.0,
        60000.0,
        "a miss that kills nobody, times the share of bots that miss a link; not for jump pads",
    )
    opening: float = quantity(
        3000.0, "1/100 s", 0.0, 60000.0, "upper limit for opening a door whose button or trigger is elsewhere"
    )
    shut_door: float = quantity(
        300.0,
        "1/100 s",
        0.0,
        60000.0,
        "added to a link into such a door: bots run into it before they turn to the button, and wait until it is open",
    )
    shot_door: float = quantity(
        1100.0, "1/100 s", 0.0, 60000.0, "opening a door by a shot: bots stop before it, and shoot only after a while"
    )
    passing_train: float = quantity(
        3000.0, "1/100 s", 0.0, 60000.0, "added to a ride on a train that never stops: bots rarely manage to board"
    )
    start_ledge: float = quantity(70.0, "1/100 s", 0.0, 60000.0, "walking off a ledge, on top of the fall")
    start_ladder: float = quantity(10.0, "1/100 s", 0.0, 60000.0, "a ladder, on top of the climb")
    climb: float = quantity(0.5, "1/100 s per unit", 0.0, 1000.0, "on a ladder, up or down")
    start_elevator: float = quantity(50.0, "1/100 s", 0.0, 60000.0, "an elevator, on top of the ride")
    teleport: float = quantity(50.0, "1/100 s", 0.0, 60000.0, "a teleporter")
    jump_pad: float = quantity(250.0, "1/100 s", 0.0, 60000.0, "a jump pad")
    jump_pad_steered: float = quantity(300.0, "1/100 s", 0.0, 60000.0, "a jump pad whose flight must be steered")
    bobbing: float = quantity(300.0, "1/100 s", 0.0, 60000.0, "a bobbing platform; a train, if not slower")
    rocket_jump: float = quantity(500.0, "1/100 s", 0.0, 60000.0, "a rocket jump")
    bfg_jump: float = quantity(500.0, "1/100 s", 0.0, 60000.0, "a BFG jump")
    start_grapple: float = quantity(500.0, "1/100 s", 0.0, 60000.0, "the grappling hook, on top of the pull")
    fall_damage_small: float = quantity(300.0, "1/100 s", 0.0, 60000.0, "a fall that costs 5 health")
    fall_damage_large: float = quantity(500.0, "1/100 s", 0.0, 60000.0, "a fall that costs 10 health")


@dataclass(frozen=True, slots=True)
class AreaSettings:
    """Division of space into areas."""

    gap_up: float = quantity(
        0.05,
        "",
        0.01,
        1.0,
        "least z of the normal of a face that players fall through; at 0.7 steep slits are not gaps",
    )
    walkable: bool = field(
        default=True,
        metadata={"meaning": "floors that players walk straight over are one area; false: every area is convex"},
    )
    widest: float = quantity(
        512.0,
        "units",
        64.0,
        131072.0,
        "wider floors are cut, except convex halls; bots treat everything in their own area as near",
    )
    hints: bool = field(
        default=False,
        metadata={"meaning": "split on hint sides first; most maps use hints for visibility, and here they add areas"},
    )


@dataclass(frozen=True, slots=True)
class ReachSettings:
    """Travel types that need a weapon or skill that not every game grants: whether to look for such links."""

    ladder: bool = field(default=True, metadata={"meaning": "links that climb ladders"})
    rocket_jump: bool = field(default=True, metadata={"meaning": "rocket jumps, to areas with items"})
    bfg_jump: bool = field(default=False, metadata={"meaning": "BFG jumps, to areas with items"})
    grapple: bool = field(default=False, metadata={"meaning": "links that use the grappling hook"})
    jump_tier: str = choice(
        TIERS,
        "fastest jumps to look for; beyond running also ramp and double jumps, where the physics has them",
    )
    player_tier: str = choice(TIERS, "fastest jumps that routes use, unless a query says otherwise")


ENGINE_VERSIONS = (4, 5, 8)
"""Versions of the engine's file: 4 has a plain header, 5 a masked one, and 8 also has the steepness of areas."""


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """The engine's .aas file."""

    version: int = quantity(5, "", 4, 8, "version of the file: 4 or 5 for Quake III's engine, 8 for Wolfenstein's")
    fast_jumps: bool = field(
        default=False,
        metadata={"meaning": "write double, ramp and strafe jumps (travel types 15 to 17); the engine's bots use none"},
    )


MODES = ("ffa", "team", "ctf", "single")
"""Game modes that a map can be compiled for."""

Table = tuple[tuple[str, Any], ...]
"""Names and values, as in a table of a game file."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a compile."""

    name: str = "quake3"
    boxes: tuple[Box, ...] = (STANDING, CROUCHED)
    """Largest box first. Liquids and triggers are expanded by the first box only."""
    physics: Physics = Physics()
    costs: Costs = Costs()
    areas: AreaSettings = AreaSettings()
    reach: ReachSettings = ReachSettings()
    engine: EngineSettings = EngineSettings()
    contents: Table = ()
    """What each contents bit of a map file means: a name of ``model.contents.Contents`` and the bits. Empty: as in
    Quake III."""
    surfaces: Table = ()
    """What each surface flag of a map file means, by names of ``model.contents.SurfaceFlag``."""
    entities: Table = ()
    """Entity classes that act like one of Quake III under another name: class and role."""
    mode: str = ""
    """Game mode, one of MODES, whose entities count; "": those of any mode."""

    @property
    def all_boxes(self) -> int:
        """Mask with a bit for each box. A volume that blocks all of them is solid."""
        return (1 << len(self.boxes)) - 1


QUAKE3 = Settings()

PRESETS = {QUAKE3.name: QUAKE3}
"""Settings by name: those of the game files that have been read so far."""

GAMES_FOLDER = os.path.join(os.path.dirname(__file__), "games")

GAMES = tuple(sorted(name[:-5] for name in os.listdir(GAMES_FOLDER) if name.endswith(".toml")))
"""Names of the game files of the package. To add a game, add a file there, or pass a file of your own."""
