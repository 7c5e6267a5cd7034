"""What entities do to a player, in numbers: the output of ``brushes.entities``, read by the reachability stage.

Every record names its entity (``row`` in ``MapData.entities``) and brush model (``model``, −1: none). An *offset* is
what to add to the model's stored coordinates to have it stand somewhere.
"""

from __future__ import annotations

from aascompile.records import dataclass

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Push:
    """A trigger that throws whoever touches it: trigger_push, or trigger_multiple firing a target_push."""

    row: int
    model: int
    centre: Point
    """Middle of the trigger's box."""
    target: Point
    """Apex of the throw."""
    velocity: Point
    """Units a second."""


@dataclass(frozen=True, slots=True)
class Teleport:
    """A trigger that moves whoever touches it: trigger_teleport, or trigger_multiple firing a target_teleporter."""

    row: int
    model: int
    destination: Point
    """Where the player's origin arrives: the destination's origin and one unit up."""
    angle: float
    """Yaw the player faces on arrival, degrees."""
    velocity: Point
    """Units a second on arrival."""


@dataclass(frozen=True, slots=True)
class Plat:
    """A func_plat: drawn at the top, rests at the bottom."""

    row: int
    model: int
    top: Point
    """Offset at the top."""
    bottom: Point
    """Offset at the bottom."""
    height: float
    """Units between the two."""
    speed: float
    """Units a second."""
    touch: bool
    """Starts when a player steps on it; without, something must trigger it."""


@dataclass(frozen=True, slots=True)
class Bobbing:
    """A func_bobbing: swings about the place where it is drawn."""

    row: int
    model: int
    middle: Point
    """Offset in the middle of its swing."""
    axis: int
    """0 x, 1 y, 2 z."""
    amplitude: float
    """Units each way."""
    period: float
    """Seconds a cycle."""
    phase: float
    """Where in its cycle it starts, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Train:
    """A func_train: its origin goes from path_corner to path_corner."""

    row: int
    model: int
    stops: tuple[Point, ...]
    """Offset at every corner, in the order it visits them, each once."""
    speed: tuple[float, ...]
    """(as many) units a second when leaving that stop."""
    wait: tuple[float, ...]
    """(as many) seconds it stands at that stop."""
    loops: bool
    """It comes back to a stop it has been at; without, it ends at the last."""

    @property
    def axis(self) -> int:
        """0 x, 1 y, 2 z when it goes to and fro between two stops on that axis; −1 otherwise."""
        if not self.loops or len(self.stops) != 2:
            return -1
        moved = [k for k in range(3) if self.stops[0][k] != self.stops[1][k]]
        return moved[0] if len(moved) == 1 else -1


@dataclass(frozen=True, slots=True)
class Door:
    """A func_door: rests at one end, goes to the other when it is opened."""

    row: int
    model: int
    rest: Point
    """Offset where it stands until something opens it."""
    moved: Point
    """Offset where it goes then."""
    start_open: bool
    """It is drawn at ``moved``: at rest the way is free, and triggering it closes the way (or lays a bridge)."""
    speed: float
    """Units a second."""
    wait: float
    """Seconds until it returns; below 0: never."""
    touch: bool
    """Opens for whoever comes near; without, it is triggered or shot."""
    shot: bool
    """Opens when it is shot."""
    team: str
    """Doors of one team move together; "": alone."""
    openers: tuple[int, ...] = ()
    """Rows of the entities whose firing reaches it, relays and delays followed and not among them."""


@dataclass(frozen=True, slots=True)
class Button:
    """A func_button: fires its targets when it is touched, or shot."""

    row: int
    model: int
    rest: Point
    """Offset where it stands."""
    pressed: Point
    """Offset when it is pressed in."""
    speed: float
    """Units a second."""
    wait: float
    """Seconds until it returns; below 0: never."""
    shot: bool
    """It has health: only a shot presses it."""
    fires: tuple[int, ...]
    """Rows of the entities it fires, relays and delays followed."""


@dataclass(frozen=True, slots=True)
class Idle:
    """A trigger that does nothing to a player."""

    row: int
    reason: str
    """One clause: "its target 'x' does not exist", …"""
    fault: bool
    """It looks like a mistake of the map, worth a warning."""


@dataclass(frozen=True, slots=True)
class EntityFacts:
    """All of it, each in the order of the entities."""

    pushes: tuple[Push, ...]
    teleports: tuple[Teleport, ...]
    plats: tuple[Plat, ...]
    bobbings: tuple[Bobbing, ...]
    trains: tuple[Train, ...]
    doors: tuple[Door, ...]
    buttons: tuple[Button, ...]
    idle: tuple[Idle, ...]
