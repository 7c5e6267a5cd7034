"""Parse entities into facts: throws, teleports, and the positions that movers move between.

Defaults are those of the game. Two details of the engine affect the numbers: it grows the box of every brush model by
one unit on each side before it measures the box, and it ignores case when it looks up targets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from aascompile import tolerances
from aascompile.model.entity_classes import exists
from aascompile.model.entity_facts import (
    Bobbing,
    Button,
    Door,
    EntityFacts,
    Idle,
    Opener,
    Pendulum,
    Plat,
    Point,
    Push,
    Rotating,
    Teleport,
    Train,
)
from aascompile.model.mapdata import Entity, MapData

BOX_SPREAD: Final = 1.0
"""Units by which the engine grows a brush model's box on each side."""
TELEPORT_LIFT: Final = 1.0
"""Units above the destination's origin at which a teleported player arrives."""
TELEPORT_SPEED: Final = 400.0
"""Speed at which a teleported player leaves the destination, units/s."""
NOWHERE: Final[Point] = (0.0, 0.0, 0.0)

COUNTER: Final = "trigger_counter"
PASSES_ON: Final = ("target_relay", "target_delay", COUNTER)
PICKS_ONE: Final = 4
"""Spawnflag of a target_relay that fires one of its targets, at random."""
TIMER: Final = "func_timer"
RELAYS: Final = (*PASSES_ON, "trigger_multiple", TIMER)
"""Classes that fire their own targets when they are fired. The first three do nothing else. A timer runs by itself with
START_ON, spawnflag 1; without it, it has to be fired."""
MOST_FIRED: Final = 64
"""Limit on the entities that one firing reaches, nearest first. Without it, a hostile file could take time quadratic in
its size."""
MOST_STOPS: Final = 256
"""Limit on the stops of a train, for the same reason."""
LEAST_BEAM: Final = 8.0
"""Units: the length of a pendulum counts as no shorter."""


def read_entities(map: MapData, gravity: float) -> EntityFacts:
    """Facts about the entities of a map. ``gravity`` is in units/s²."""
    return _Reader(map, gravity).facts()


def facing(entity: Entity) -> Point:
    """Unit vector along an entity's "angle" or "angles". ``move_direction`` handles the special angles −1 and −2."""
    pitch, yaw = (math.radians(a) for a in _angles(entity)[:2])
    return (math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), -math.sin(pitch))


def move_direction(entity: Entity) -> Point:
    """Direction in which a door or button moves. Angle −1 is up, −2 is down; axial angles give exact vectors."""
    angles = _angles(entity)
    if angles == (0.0, -1.0, 0.0):
        return (0.0, 0.0, 1.0)
    if angles == (0.0, -2.0, 0.0):
        return (0.0, 0.0, -1.0)
    if angles[0] == 0.0 and angles[1] % 90.0 == 0.0:
        quarter = int(angles[1] // 90.0) % 4
        return ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0))[quarter]
    return facing(entity)


def throw(start: Point, apex: Point, gravity: float) -> Point | None:
    """Velocity of a throw from a start to an apex; None if the apex is not above the start."""
    rise = apex[2] - start[2]
    if rise <= 0.0:
        return None
    seconds = math.sqrt(2.0 * rise / gravity)
    return _within(((apex[0] - start[0]) / seconds, (apex[1] - start[1]) / seconds, gravity * seconds))


def _angles(entity: Entity) -> Point:
    """Pitch, yaw and roll in degrees."""
    if entity.get("angle"):
        return (0.0, _number(entity, "angle"), 0.0)
    return _within(entity.vector("angles") or NOWHERE)


def _within(point: Point) -> Point:
    """A point, a velocity or angles, clamped to the extent of a map so that later sums cannot overflow."""
    x, y, z = (min(max(c, -tolerances.WORLD_EXTENT), tolerances.WORLD_EXTENT) for c in point)
    return (x, y, z)


def _number(entity: Entity, key: str, default: float = 0.0) -> float:
    """A key's number, clamped to the extent of a map."""
    return min(max(entity.number(key, default), -tolerances.WORLD_EXTENT), tolerances.WORLD_EXTENT)


def _positive(entity: Entity, key: str, default: float) -> float:
    """A key's number, which must be above 0; otherwise the default."""
    value = _number(entity, key, default)
    return value if value > 0.0 else default


def _delay(relay: Entity) -> float:
    """Seconds for which an entity holds back what it passes on."""
    if relay.lower_class != "target_delay":
        return 0.0
    return max(_number(relay, "delay") or _number(relay, "wait") or 1.0, 0.0)


def _times(relay: Entity) -> int:
    """How often an entity has to be fired until it passes it on. A counter without a number counts to two."""
    if relay.lower_class not in PASSES_ON:
        return 1
    default = 2.0 if relay.lower_class == COUNTER else 1.0
    return min(max(int(_number(relay, "count", default)), 1), MOST_FIRED)


def _plus(a: Point, b: Point, scale: float = 1.0) -> Point:
    return (a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2])


class _Reader:
    """Looks up targets and reads the entities class by class."""

    def __init__(self, map: MapData, gravity: float) -> None:
        self.map = map
        self.gravity = gravity
        self.model_of: dict[int, int] = {}
        for model, row in enumerate(map.models.entity.tolist()):
            if model and row >= 0:
                self.model_of.setdefault(row, model)
        self.classes = [entity.lower_class for entity in map.entities]
        self.named: dict[str, list[int]] = {}
        self.corner_named: dict[str, int] = {}
        for row, entity in enumerate(map.entities):
            name = entity.get("targetname").lower()
            if name:
                self.named.setdefault(name, []).append(row)
                if self.classes[row] == "path_corner":
                    self.corner_named.setdefault(name, row)
        self.fired_by: dict[str, tuple[Opener, ...]] = {}
        self.fired_from: dict[int, list[Opener]] | None = None
        self.pushes: list[Push] = []
        self.teleports: list[Teleport] = []
        self.idle: list[Idle] = []

    def facts(self) -> EntityFacts:
        """All facts, in entity order."""
        for row, entity in self.brush_entities("trigger_push", "trigger_teleport", "trigger_multiple"):
            problem = self.trigger(row, entity)
            if problem is not None:
                self.idle.append(problem)
        return EntityFacts(
            pushes=tuple(self.pushes),
            teleports=tuple(self.teleports),
            plats=tuple(self.plat(row, e) for row, e in self.brush_entities("func_plat")),
            bobbings=tuple(self.bobbing(row, e) for row, e in self.brush_entities("func_bobbing")),
            trains=tuple(self.train(row, e) for row, e in self.brush_entities("func_train")),
            pendulums=tuple(self.pendulum(row, e) for row, e in self.brush_entities("func_pendulum")),
            rotating=tuple(self.rotating(row, e) for row, e in self.brush_entities("func_rotating")),
            doors=tuple(self.door(row, e) for row, e in self.brush_entities("func_door")),
            buttons=tuple(self.button(row, e) for row, e in self.brush_entities("func_button")),
            idle=tuple(self.idle),
        )

    def brush_entities(self, *classes: str) -> Iterator[tuple[int, Entity]]:
        """Row and entity of each entity of these classes that has a brush model and exists in some game type."""
        rows = (row for row in sorted(self.model_of) if self.classes[row] in classes)
        return ((row, self.map.entities[row]) for row in rows if exists(self.map.entities[row]))

    # --- names ------------------------------------------------------------------------------------------------------
    def targets(self, entity: Entity) -> list[int]:
        """Rows of the entities that an entity targets."""
        name = entity.get("target").lower()
        return self.named.get(name, []) if name else []

    def fired(self, entity: Entity) -> tuple[Opener, ...]:
        """All entities that its firing reaches, nearest first, each once, even if relays target each other; with the
        delay until then, and how often it has to fire."""
        name = entity.get("target").lower()
        if name not in self.fired_by:
            queue = [Opener(row) for row in self.targets(entity)[:MOST_FIRED]]
            seen = {reached.row for reached in queue}
            for reached in queue:
                if self.classes[reached.row] in RELAYS and len(queue) < MOST_FIRED:
                    relay = self.map.entities[reached.row]
                    delay, times = reached.delay + _delay(relay), reached.times * _times(relay)
                    if relay.lower_class == "target_relay" and relay.flags() & PICKS_ONE:
                        times = min(times * max(len(self.targets(relay)), 1), MOST_FIRED)
                    onward = [row for row in self.targets(relay)[:MOST_FIRED] if row not in seen]
                    onward = onward[: MOST_FIRED - len(queue)]
                    seen.update(onward)
                    queue.extend(Opener(row, delay, times) for row in onward)
            self.fired_by[name] = tuple(queue)
        return self.fired_by[name]

    def aim(self, entity: Entity) -> tuple[Entity | None, Point | None, str]:
        """Target entity of a push or teleport, its origin, and the fault if there is no target."""
        name = entity.get("target")
        if not name:
            return None, None, "it has no target"
        rows = self.targets(entity)
        if not rows:
            return None, None, f"its target {name[:64]!r} does not exist"
        goal = self.map.entities[rows[0]]
        return goal, goal.offset, ""

    # --- boxes ------------------------------------------------------------------------------------------------------
    def centre(self, row: int) -> Point:
        """Middle of a brush model's box as drawn."""
        model = self.model_of[row]
        middle = ((self.map.models.mins[model] + self.map.models.maxs[model]) / 2.0).tolist()
        return _plus((middle[0], middle[1], middle[2]), self.map.entities[row].offset)

    def size(self, row: int) -> Point:
        """Size of a brush model's box as the engine measures it."""
        model = self.model_of[row]
        extent = (self.map.models.maxs[model] - self.map.models.mins[model] + 2.0 * BOX_SPREAD).tolist()
        return (extent[0], extent[1], extent[2])

    def travel(self, row: int, entity: Entity, lip: float) -> Point:
        """Offset by which a door or button moves: its size along its direction, minus the lip that stays visible."""
        direction = move_direction(entity)
        size = self.size(row)
        length = sum(abs(w) * s for w, s in zip(direction, size, strict=True)) - _number(entity, "lip", lip)
        return (direction[0] * length, direction[1] * length, direction[2] * length)

    # --- triggers ---------------------------------------------------------------------------------------------------
    def trigger(self, row: int, entity: Entity) -> Idle | None:
        """Record what a trigger does to a player, or why it does nothing."""
        if entity.lower_class == "trigger_push":
            return self.push(row, self.centre(row), entity)
        if entity.lower_class == "trigger_teleport":
            if entity.flags() & 1:
                return Idle(row, "it is for spectators only", fault=False)
            return self.teleport(row, entity)
        if entity.flags() & 3 == 3:
            return Idle(row, "it is for the red team only and for the blue team only", fault=True)
        problem = None
        for fired in self.fired(entity):
            does = self.map.entities[fired.row]
            if self.classes[fired.row] == "target_teleporter":
                problem = self.teleport(row, does)
            elif self.classes[fired.row] == "target_push":
                problem = self.target_push(row, does)
            else:
                continue
            if problem is None:
                return None
        return problem or Idle(row, "it moves no player", fault=False)

    def push(self, row: int, start: Point, aimed: Entity) -> Idle | None:
        """Record a throw from a start to the targeted apex."""
        _, apex, problem = self.aim(aimed)
        if apex is None:
            return Idle(row, problem, fault=True)
        velocity = throw(start, apex, self.gravity)
        if velocity is None:
            return Idle(row, "its target is not above it", fault=True)
        self.pushes.append(Push(row, self.model_of[row], self.centre(row), apex, velocity))
        return None

    def target_push(self, row: int, push: Entity) -> Idle | None:
        """Record a throw by a target_push: aimed from its own origin, or at its speed along its angles."""
        if push.get("target"):
            return self.push(row, push.offset, push)
        centre = self.centre(row)
        velocity = _plus(NOWHERE, move_direction(push), _positive(push, "speed", 1000.0))
        rising = max(velocity[2], 0.0) / self.gravity
        apex = _plus(centre, (velocity[0], velocity[1], velocity[2] / 2.0), rising)
        self.pushes.append(Push(row, self.model_of[row], centre, apex, velocity))
        return None

    def teleport(self, row: int, aimed: Entity) -> Idle | None:
        """Record a teleport to the targeted destination."""
        goal, origin, problem = self.aim(aimed)
        if goal is None or origin is None:
            return Idle(row, problem, fault=True)
        arrival = _plus(origin, (0.0, 0.0, TELEPORT_LIFT))
        leaving = _plus(NOWHERE, facing(goal), TELEPORT_SPEED)
        self.teleports.append(Teleport(row, self.model_of[row], arrival, _angles(goal)[1], leaving))
        return None

    # --- movers -----------------------------------------------------------------------------------------------------
    def plat(self, row: int, entity: Entity) -> Plat:
        """Record a func_plat. Its travel is the key "height", or the model's height minus a lip."""
        top = entity.offset
        height = _number(entity, "height") or self.size(row)[2] - _number(entity, "lip", 8.0)
        return Plat(
            row,
            self.model_of[row],
            top=top,
            bottom=_plus(top, (0.0, 0.0, -height)),
            height=height,
            speed=_positive(entity, "speed", 200.0),
            touch=not entity.get("targetname"),
            openers=self.openers(row),
        )

    def bobbing(self, row: int, entity: Entity) -> Bobbing:
        """Record a func_bobbing. Its axis is x with spawnflag 1, y with spawnflag 2, otherwise z."""
        flags = entity.flags()
        return Bobbing(
            row,
            self.model_of[row],
            middle=entity.offset,
            axis=0 if flags & 1 else 1 if flags & 2 else 2,
            amplitude=_number(entity, "height", 32.0),
            period=_positive(entity, "speed", 4.0),
            phase=_number(entity, "phase"),
        )

    def train(self, row: int, entity: Entity) -> Train:
        """Record a func_train. Its path_corners are followed until a corner repeats or has no next corner."""
        own_speed = _positive(entity, "speed", 100.0)
        corners: list[int] = []
        seen: set[int] = set()
        corner = self.next_corner(entity)
        while corner is not None and corner not in seen and len(corners) < MOST_STOPS:
            seen.add(corner)
            corners.append(corner)
            corner = self.next_corner(self.map.entities[corner])
        stops = [self.map.entities[c] for c in corners]
        return Train(
            row,
            self.model_of[row],
            stops=tuple(stop.offset for stop in stops),
            speed=tuple(max(_positive(stop, "speed", own_speed), 1.0) for stop in stops),
            wait=tuple(max(_number(stop, "wait"), 0.0) for stop in stops),
            back=corners.index(corner) if corner in seen else -1,
        )

    def pendulum(self, row: int, entity: Entity) -> Pendulum:
        """Record a func_pendulum. The game computes its period from its length and from gravity."""
        length = max(abs(float(self.map.models.mins[self.model_of[row]][2]) - BOX_SPREAD), LEAST_BEAM)
        return Pendulum(
            row,
            self.model_of[row],
            pivot=entity.offset,
            yaw=_angles(entity)[1],
            amplitude=_number(entity, "speed", 30.0),
            period=math.tau * math.sqrt(3.0 * length / self.gravity),
        )

    def rotating(self, row: int, entity: Entity) -> Rotating:
        """Record a func_rotating. Its axis is x with spawnflag 4, y with spawnflag 8, otherwise z."""
        flags = entity.flags()
        return Rotating(
            row,
            self.model_of[row],
            pivot=entity.offset,
            axis=0 if flags & 4 else 1 if flags & 8 else 2,
            speed=_number(entity, "speed") or 100.0,
        )

    def next_corner(self, entity: Entity) -> int | None:
        """First path_corner that an entity targets."""
        return self.corner_named.get(entity.get("target").lower())

    def door(self, row: int, entity: Entity) -> Door:
        """Record a func_door. It is drawn closed; with START_OPEN it rests at the other end."""
        drawn = entity.offset
        away = _plus(drawn, self.travel(row, entity, 8.0))
        start_open = bool(entity.flags() & 1)
        shot = _number(entity, "health") > 0.0
        return Door(
            row,
            self.model_of[row],
            rest=away if start_open else drawn,
            moved=drawn if start_open else away,
            start_open=start_open,
            speed=_positive(entity, "speed", 400.0),
            wait=_number(entity, "wait") or 2.0,
            touch=not entity.get("targetname") and not shot,
            shot=shot,
            team=entity.get("team"),
            openers=self.openers(row),
        )

    def openers(self, row: int) -> tuple[Opener, ...]:
        """What fires a row by itself or when touched or shot. Relays alone do not count."""
        if self.fired_from is None:
            self.fired_from = {}
            for opener, entity in enumerate(self.map.entities):
                every = self.period(opener, entity)
                if every is None or self.classes[opener] in PASSES_ON:
                    continue
                for target in self.fired(entity):
                    found = Opener(opener, target.delay, target.times, every)
                    self.fired_from.setdefault(target.row, []).append(found)
        return tuple(self.fired_from.get(row, ())[:MOST_FIRED])

    def period(self, row: int, entity: Entity) -> float | None:
        """Seconds between two firings of a timer, None if it has to be fired itself; 0 for other entities."""
        if self.classes[row] != TIMER:
            return 0.0
        return _positive(entity, "wait", 1.0) if entity.flags() & 1 else None

    def button(self, row: int, entity: Entity) -> Button:
        """Record a func_button. It moves in by its own depth minus a lip."""
        rest = entity.offset
        return Button(
            row,
            self.model_of[row],
            rest=rest,
            pressed=_plus(rest, self.travel(row, entity, 4.0)),
            speed=_positive(entity, "speed", 40.0),
            wait=_number(entity, "wait") or 1.0,
            shot=_number(entity, "health") > 0.0,
            fires=tuple(fired.row for fired in self.fired(entity)),
        )
