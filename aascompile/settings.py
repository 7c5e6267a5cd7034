"""Everything about the agent and the game that a compile depends on; every field with its unit and limits.

Defaults are Quake III's (the facts of the thesis, §6.2 to §6.5). Times are in hundredths of a second, as in the
engine's file; lengths in units; speeds in units a second.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Point = tuple[float, float, float]


def about(unit: str, low: float, high: float, meaning: str) -> dict[str, Any]:
    """What the reader of settings files and their page say of a field."""
    return {"unit": unit, "low": low, "high": high, "meaning": meaning}


def quantity(default: Any, unit: str, low: float, high: float, meaning: str) -> Any:
    """A field with its default, unit, limits and meaning."""
    return field(default=default, metadata=about(unit, low, high, meaning))


MOST_BOXES = 8
"""Everything solid is grown once for every box."""


@dataclass(frozen=True, slots=True)
class Box:
    """One shape an agent takes: its bounding box round the origin."""

    name: str = field(metadata={"meaning": "what messages call it"})
    presence: int = field(
        metadata=about("", 2, 32768, "its bit in an area's presence: a power of two, another for each box")
    )
    mins: Point = field(metadata=about("units", -1024.0, -1.0, "lowest x, y and z, from the agent's origin"))
    maxs: Point = field(metadata=about("units", 1.0, 1024.0, "highest x, y and z, from the agent's origin"))


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
        'pull downwards in air, for maps whose worldspawn has no "gravity" of its own within the same limits',
    )
    water_gravity: float = quantity(400.0, "units/s²", 0.0, 10000.0, "pull downwards in liquid")
    friction: float = quantity(6.0, "1/s", 0.0, 100.0, "on the ground")
    water_friction: float = quantity(1.0, "1/s", 0.0, 100.0, "in liquid")
    stop_speed: float = quantity(100.0, "units/s", 0.0, 1000.0, "below it friction works as at this speed")
    walk_speed: float = quantity(320.0, "units/s", 1.0, 10000.0, "running")
    crouch_speed: float = quantity(100.0, "units/s", 1.0, 10000.0, "crouched")
    swim_speed: float = quantity(150.0, "units/s", 1.0, 10000.0, "swimming")
    walk_accelerate: float = quantity(10.0, "1/s", 0.0, 100.0, "on the ground")
    air_accelerate: float = quantity(1.0, "1/s", 0.0, 100.0, "in air: how well a jump can be steered")
    swim_accelerate: float = quantity(4.0, "1/s", 0.0, 100.0, "in liquid")
    jump_velocity: float = quantity(270.0, "units/s", 1.0, 10000.0, "upwards when jumping")
    step: float = quantity(18.0, "units", 1.0, 1000.0, "how far the game lifts a player who walks against a step")
    max_step: float = quantity(19.0, "units", 1.0, 1000.0, "a rise of less is walked up")
    max_barrier: float = quantity(60.0, "units", 1.0, 1000.0, "a rise of less is jumped onto: jump and step together")
    max_waterjump: float = quantity(18.0, "units", 0.0, 1000.0, "floor above the water that one climbs out to")
    floor_up: float = quantity(0.7, "", 0.1, 1.0, "least height of a floor's normal: steeper ground is slid off")
    sink_speed: float = quantity(60.0, "units/s", 0.0, 1000.0, "downwards in liquid for one who does not swim")
    waterjump_forward: float = quantity(200.0, "units/s", 0.0, 10000.0, "forwards when jumping out of liquid")
    waterjump_up: float = quantity(350.0, "units/s", 0.0, 10000.0, "upwards when jumping out of liquid")
    rocket_jump_velocity: float = quantity(690.0, "units/s", 1.0, 10000.0, "upwards in a rocket jump: jump and blast")
    bfg_jump_velocity: float = quantity(690.0, "units/s", 1.0, 10000.0, "upwards in a jump with the BFG: as a rocket's")
    fall_damage_small: float = quantity(250.0, "units", 1.0, 100000.0, "a fall of more costs 5 health")
    fall_damage_large: float = quantity(375.0, "units", 1.0, 100000.0, "a fall of more costs 10 health")
    max_jump_fall: float = quantity(450.0, "units", 0.0, 100000.0, "deepest landing of a jump")


@dataclass(frozen=True, slots=True)
class Costs:
    """What a way costs in time besides its length."""

    walk: float = quantity(0.33, "1/100 s a unit", 0.0, 1000.0, "inside an area, walking")
    crouch: float = quantity(1.3, "1/100 s a unit", 0.0, 1000.0, "inside an area, crouched")
    swim: float = quantity(1.0, "1/100 s a unit", 0.0, 1000.0, "inside an area, swimming")
    start_crouch: float = quantity(300.0, "1/100 s", 0.0, 60000.0, "into an area one must crouch in")
    barrier_jump: float = quantity(100.0, "1/100 s", 0.0, 60000.0, "a barrier jump")
    water_jump: float = quantity(400.0, "1/100 s", 0.0, 60000.0, "out of the water")
    start_jump: float = quantity(300.0, "1/100 s", 0.0, 60000.0, "a jump, besides its flight")
    late_jump: float = quantity(
        1000.0, "1/100 s", 0.0, 60000.0, "added to a jump that only succeeds from the very rim: bots often fall short"
    )
    opening: float = quantity(
        3000.0, "1/100 s", 0.0, 60000.0, "at the most, a door whose button or trigger is somewhere else"
    )
    passing_train: float = quantity(
        3000.0, "1/100 s", 0.0, 60000.0, "added to a ride on a train that never stops: bots rarely get on"
    )
    start_ledge: float = quantity(70.0, "1/100 s", 0.0, 60000.0, "walking off a ledge, besides the fall")
    start_ladder: float = quantity(10.0, "1/100 s", 0.0, 60000.0, "a ladder, besides the climb")
    climb: float = quantity(0.5, "1/100 s a unit", 0.0, 1000.0, "on a ladder, up or down")
    start_elevator: float = quantity(50.0, "1/100 s", 0.0, 60000.0, "an elevator, besides the ride")
    teleport: float = quantity(50.0, "1/100 s", 0.0, 60000.0, "a teleporter")
    jump_pad: float = quantity(250.0, "1/100 s", 0.0, 60000.0, "a jump pad")
    jump_pad_steered: float = quantity(300.0, "1/100 s", 0.0, 60000.0, "a jump pad whose flight must be steered")
    bobbing: float = quantity(300.0, "1/100 s", 0.0, 60000.0, "a bobbing platform, or a train if that is not slower")
    rocket_jump: float = quantity(500.0, "1/100 s", 0.0, 60000.0, "a rocket jump")
    bfg_jump: float = quantity(500.0, "1/100 s", 0.0, 60000.0, "a jump with the BFG")
    start_grapple: float = quantity(500.0, "1/100 s", 0.0, 60000.0, "the grappling hook, besides its way")
    fall_damage_small: float = quantity(300.0, "1/100 s", 0.0, 60000.0, "a fall that costs 5 health")
    fall_damage_large: float = quantity(500.0, "1/100 s", 0.0, 60000.0, "a fall that costs 10 health")


@dataclass(frozen=True, slots=True)
class AreaSettings:
    """How space is divided."""

    gap_up: float = quantity(
        0.05, "", 0.01, 1.0, "least height of the normal of a face one falls through; at 0.7 steep slits are no gaps"
    )
    hints: bool = field(
        default=False,
        metadata={"meaning": "split on hint sides first; most maps' hints are for visibility and cost areas here"},
    )


@dataclass(frozen=True, slots=True)
class ReachSettings:
    """Which ways are looked for, of those that need a weapon."""

    rocket_jump: bool = field(default=True, metadata={"meaning": "jumps with the rocket launcher, to areas with items"})
    bfg_jump: bool = field(default=False, metadata={"meaning": "jumps with the BFG, to areas with items"})
    grapple: bool = field(default=False, metadata={"meaning": "ways with the grappling hook"})


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a compile."""

    name: str = "quake3"
    boxes: tuple[Box, ...] = (STANDING, CROUCHED)
    """The first is the largest; liquids and triggers are grown by it alone."""
    physics: Physics = Physics()
    costs: Costs = Costs()
    areas: AreaSettings = AreaSettings()
    reach: ReachSettings = ReachSettings()

    @property
    def every_box(self) -> int:
        """The mask of all boxes, a bit each: what blocks it is solid."""
        return (1 << len(self.boxes)) - 1


QUAKE3 = Settings()

PRESETS = {QUAKE3.name: QUAKE3}
"""Settings by name. Another game's are a ``dataclasses.replace`` of these and one line here."""
