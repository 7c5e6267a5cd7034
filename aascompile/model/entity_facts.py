"""Facts about entities: how they move a player. Output of ``brushes.entity_facts``, used to find reachabilities.

Every record names its entity (``row`` in ``MapData.entities``) and brush model (``model``, −1: none). An *offset* is
added to the model's stored coordinates to place it.
"""

from __future__ import annotations

from aascompile.records import dataclass

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Opener:
    """An entity that starts a mover by its firing, directly or through relays, delays and counters."""

    row: int
    delay: float = 0.0
    """Seconds from its firing until the mover starts."""
    times: int = 1
    """How often it has to fire."""
    every: float = 0.0
    """Seconds between two firings of a timer that runs by itself; 0: a player has to fire it."""


@dataclass(frozen=True, slots=True)
class Push:
    """A trigger that throws players who touch it: trigger_push, or trigger_multiple that fires a target_push."""

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
    """A trigger that teleports players: trigger_teleport, or trigger_multiple that fires a target_teleporter."""

    row: int
    model: int
    destination: Point
    """Player's origin on arrival: one unit above the destination's origin."""
    angle: float
    """Yaw of the player on arrival, degrees."""
    velocity: Point
    """Speed on arrival, units/s."""


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
    """Units between top and bottom."""
    speed: float
    """Units a second."""
    touch: bool
    """Starts when a player steps on it. Otherwise it must be triggered."""
    openers: tuple[Opener, ...] = ()
    """What else starts it."""


@dataclass(frozen=True, slots=True)
class Bobbing:
    """A func_bobbing: swings about the position where it is drawn."""

    row: int
    model: int
    middle: Point
    """Offset in the middle of its swing."""
    axis: int
    """0 x, 1 y, 2 z."""
    amplitude: float
    """Units from the middle to either end."""
    period: float
    """Seconds per cycle."""
    phase: float
    """Position in its cycle at the start, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Train:
    """A func_train: its origin moves from path_corner to path_corner."""

    row: int
    model: int
    stops: tuple[Point, ...]
    """Offset at each corner, in the order of travel, each once."""
    speed: tuple[float, ...]
    """Speed when leaving each stop, units/s."""
    wait: tuple[float, ...]
    """Seconds it waits at each stop."""
    back: int
    """Number of the stop to which it returns from the last; −1 if none, and then the game never starts it."""


@dataclass(frozen=True, slots=True)
class Pendulum:
    """A func_pendulum: swings about its origin, to both sides of how it is drawn."""

    row: int
    model: int
    pivot: Point
    """Offset: its stored origin is the point about which it swings."""
    yaw: float
    """Degrees by which the axis of its swing, which is x, is turned about z."""
    amplitude: float
    """Degrees from the middle to either end."""
    period: float
    """Seconds per cycle."""


@dataclass(frozen=True, slots=True)
class Rotating:
    """A func_rotating: turns about its origin."""

    row: int
    model: int
    pivot: Point
    """Offset: its stored origin is the point about which it turns."""
    axis: int
    """0 x, 1 y, 2 z."""
    speed: float
    """Degrees per second."""


@dataclass(frozen=True, slots=True)
class Door:
    """A func_door: rests at one end and moves to the other when it is opened."""

    row: int
    model: int
    rest: Point
    """Offset at rest."""
    moved: Point
    """Offset when opened."""
    start_open: bool
    """It is drawn at ``moved``: at rest it blocks nothing, and triggering it closes a doorway or extends a bridge."""
    speed: float
    """Units a second."""
    wait: float
    """Seconds until it returns; below 0: never."""
    touch: bool
    """Opens for a player who comes near. Otherwise it must be triggered or shot."""
    shot: bool
    """Opens when it is shot."""
    team: str
    """Doors of the same team move together; "" if it moves alone."""
    openers: tuple[Opener, ...] = ()
    """What else starts it."""


@dataclass(frozen=True, slots=True)
class Button:
    """A func_button: fires its targets when it is touched, or shot."""

    row: int
    model: int
    rest: Point
    """Offset at rest."""
    pressed: Point
    """Offset when pressed."""
    speed: float
    """Units a second."""
    wait: float
    """Seconds until it returns; below 0: never."""
    shot: bool
    """It has health, so only a shot presses it."""
    fires: tuple[int, ...]
    """Rows of the entities that it fires, directly or through relays and delays."""


@dataclass(frozen=True, slots=True)
class Idle:
    """A trigger that does nothing to a player."""

    row: int
    reason: str
    """A clause such as "its target 'x' does not exist"."""
    fault: bool
    """It looks like a mistake in the map, worth a warning."""


@dataclass(frozen=True, slots=True)
class EntityFacts:
    """All facts about a map's entities, each tuple in entity order."""

    pushes: tuple[Push, ...]
    teleports: tuple[Teleport, ...]
    plats: tuple[Plat, ...]
    bobbings: tuple[Bobbing, ...]
    trains: tuple[Train, ...]
    pendulums: tuple[Pendulum, ...]
    rotating: tuple[Rotating, ...]
    doors: tuple[Door, ...]
    buttons: tuple[Button, ...]
    idle: tuple[Idle, ...]
