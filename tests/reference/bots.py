"""A slow bot: the engine's decisions in plain Python, on predictions of a tenth of a second each."""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from aascompile.model.links import Travel
from aascompile.player.movement import Command, Event, Movement
from aascompile.sampling.sample import areas_at, traces

TAKEN = Event.JUMP_PAD | Event.TELEPORTER
DEADLY = Event.LAVA | Event.SLIME | Event.HURT


class SlowBot:
    """A bot at a place, with a velocity, that takes a link."""

    def __init__(
        self, movement: Movement, source: int, target: int, kind: int, start, end, push=(0, 0, 0), pad=(), onward=()
    ) -> None:
        """``push``: the velocity that a jump pad gives; ``pad``: its areas; ``onward``: those of the trigger that the
        target is in, or the target itself if it is in the air."""
        self.then: SlowBot | None = None
        """The bot that takes the next link, to which this one goes on after a landing."""
        self.onward = onward
        self.push, self.pad, self.thrown, self.flown = np.array(push, float), pad, False, False
        self.movement, self.source, self.target, self.kind = movement, source, target, kind
        self.start, self.end = np.array(start), np.array(end)
        self.speed, self.gravity = movement.settings.physics.walk_speed, movement.settings.physics.gravity
        self.running = False
        self.run = self.run_up() if kind == Travel.JUMP else self.start[:2]

    def run_up(self) -> np.ndarray:
        """Where the run-up begins."""
        back = (self.start - self.end)[:2]
        at, velocity, stop = self.start, np.zeros(3), Event.GAP | Event.LAVA | Event.SLIME | Event.START_SOLID
        for command in (Command(wish=(*(back / hypot(*back)), 0.0), speed=self.speed), Command()):
            moved = self.movement.predict(at, velocity, command, stop, max_time=0.1, frame_time=0.1, gap_depth=20.0)
            if moved.seen & stop:
                return self.start[:2]
            at, velocity = np.array(moved.end), np.array(moved.velocity)
        back = (at - self.start)[:2]
        if not hypot(*back):
            return self.start[:2]
        back, far = back / hypot(*back), 0.0
        while far < 80.0:
            point = (*(self.start[:2] + (far + 10.0) * back), self.start[2] + 2.0)
            if areas_at(self.movement.tree, point)[0] != self.source:
                break
            far += 10.0
        return self.start[:2] + far * back

    def decide(self, at: np.ndarray, velocity: np.ndarray, on_ground: bool) -> tuple[np.ndarray, float, bool]:
        """The place to go to, the speed on the scale of 400, and whether to jump."""
        start, end = self.start[:2], self.end[:2]
        near, across = hypot(*(start - at[:2])), hypot(*(end - start))
        if self.kind == Travel.JUMP:
            if not on_ground:
                ahead = end - at[:2]
                passed = hypot(*ahead) < 24.0 and ahead @ (end - start) < -0.5 * hypot(*ahead) * across
                return end, 400.0 if self.running and not passed else 0.0, False
            a, b = at[:2] - start, at[:2] - self.run
            if hypot(*b) < 5.0 or a @ b < -0.8 * hypot(*a) * hypot(*b):
                self.running = True
                return end, 400.0 if near >= 32.0 else 400.0 * sqrt(0.5), near < 32.0
            return self.run, 5.0 * min(hypot(*b), 80.0), False
        if self.kind == Travel.WALK:
            goal = start if near >= 10.0 else end
            return goal, self.before_gaps(at, goal) if on_ground else 400.0, False
        if self.kind == Travel.JUMP_PAD:
            return (*self.steered(at, velocity, 0.0), False) if self.thrown else (start, 400.0, False)
        if not on_ground:
            return *self.steered(at, velocity, 16.0), False
        if near >= 48.0:
            return start, 400.0 - (256.0 - 4.0 * min(near, 64.0)) if across < 20.0 else 400.0, False
        drop = self.start[2] - self.end[2]
        speed = across / sqrt(2.0 * drop / self.gravity) if drop > 0.0 else 400.0
        return end, 100.0 if across < 20.0 else 400.0 if speed > self.speed else speed, False

    def before_gaps(self, at: np.ndarray, goal: np.ndarray) -> float:
        """The speed of a walk on dry ground: slow before a gap within 100 units, where the floor is 26 lower than at
        the point 8 units before. Nothing is seen inside walls."""
        ahead, z = goal - at[:2], at[2]
        if not hypot(*ahead):
            return 400.0
        for far in range(8, 101, 8):
            x, y = at[:2] + far * ahead / hypot(*ahead)
            found = traces(self.movement.tree, [(x, y, z + 18.0)], [(x, y, z - 26.0)], [0xFFFFFFFF])
            if found.start_solid[0]:
                continue
            if found.fraction[0] == 1.0:
                return 40.0 + 2.0 * far
            z = found.end[0, 2]
        return 400.0

    def coming(self, moment: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Where a bot that takes this link as far as into its target is at its first decision there, and its velocity;
        None if it does not come there. It begins running, ``moment`` of a decision's way before the start."""
        ahead = (self.end - self.start)[:2] / hypot(*(self.end - self.start)[:2])
        velocity = np.array((*(self.speed * ahead), 0.0))
        at, area = self.ground(self.start - 0.1 * moment * velocity)
        if area != self.source:
            at, _ = self.ground(self.start)
        on_ground = True
        for _ in range(60):
            goal, speed, _ = self.decide(at, velocity, on_ground)
            offset = goal - at[:2]
            command = Command(wish=(*(offset / hypot(*offset)), 0.0), speed=min(speed, 400.0) / 400.0 * self.speed)
            moved = self.movement.predict(at, velocity, command, DEADLY | TAKEN, max_time=0.1, frame_time=0.05)
            if moved.seen & (DEADLY | TAKEN):
                return None
            at, velocity, on_ground = np.array(moved.end), np.array(moved.velocity), moved.on_ground
            if on_ground and moved.area != self.source:
                return (at, velocity) if moved.area == self.target else None
        return None

    def ground(self, at: np.ndarray) -> tuple[np.ndarray, int]:
        """The ground at a place, and its area; −1: there is none."""
        x, y, z = at
        found = traces(self.movement.tree, [(x, y, z + 18.0)], [(x, y, z - 48.0)], [0xFFFFFFFF])
        return found.end[0], int(found.end_area[0]) if found.fraction[0] < 1.0 else -1

    def steered(self, at: np.ndarray, velocity: np.ndarray, beyond: float) -> tuple[np.ndarray, float]:
        """The place to steer to in a flight, and the speed."""
        ahead = self.end[:2] - at[:2]
        aim = self.end[:2] + (beyond * ahead / hypot(*ahead) if hypot(*ahead) > beyond else 0.0)
        place, step = at.astype(float).copy(), 0.1 * velocity
        for _ in range(50):
            step[2] -= 0.01 * self.gravity
            if step[2] < 0.0 and place[2] + step[2] < self.end[2]:
                place += (self.end[2] - place[2]) / step[2] * step
                miss = aim - place[:2]
                return at[:2] + miss, 13.0 * min(hypot(*miss), 32.0)
            place += step
        return self.end[:2], 400.0

    def goes_on(self, at: np.ndarray, velocity: np.ndarray, on_ground: bool) -> tuple[np.ndarray, float, bool]:
        """What a bot decides after a landing: it goes to the next link, or to the end as to a goal."""
        if self.then is None:
            return self.end[:2], min(4.0 * hypot(*(self.end - at)[:2]), 400.0), False
        if self.then.kind == Travel.WALK:
            return self.then.decide(at, velocity, on_ground)
        return self.then.start[:2], 400.0, False

    def outcome(self, at, velocity) -> str:
        """ "arrives", "dies", "misses", or "strays": leaves the source on foot, before it has taken the link."""
        at, velocity, on_ground, landed, beside = np.array(at, float), np.array(velocity, float), True, 0, 0
        for _ in range(60):
            if landed:
                goal, speed, jump = self.goes_on(at, velocity, on_ground)
            else:
                goal, speed, jump = (self.end[:2], 400.0, False) if beside else self.decide(at, velocity, on_ground)
            ahead = goal - at[:2]
            wish = (*(ahead / hypot(*ahead)), 0.0) if hypot(*ahead) > 0 and speed > 0 else (0.0, 0.0, 0.0)
            command = Command(wish=wish, speed=min(speed, 400.0) / 400.0 * self.speed, jump=jump)
            for _ in range(2 if self.kind == Travel.JUMP_PAD else 1):
                frames = 0.05 if self.kind == Travel.JUMP_PAD else 0.1
                moved = self.movement.predict(at, velocity, command, DEADLY, max_time=frames, frame_time=0.05)
                if moved.seen & DEADLY:
                    return "dies"
                at, velocity, on_ground = np.array(moved.end), np.array(moved.velocity), moved.on_ground
                if moved.area in self.pad:
                    self.thrown, self.flown, velocity = True, False, self.push
                elif not on_ground and (self.thrown or self.kind in (Travel.JUMP, Travel.WALK_OFF_LEDGE)):
                    self.flown = True
                if self.flown and self.kind == Travel.JUMP_PAD and moved.area in self.onward:
                    return "arrives"
            if on_ground or moved.water_level > 1:
                if moved.area == self.target:
                    if self.kind == Travel.WALK:
                        return "arrives"
                    landed += 1
                    if landed > 4 or moved.water_level > 1:
                        return "arrives"
                elif landed:
                    return "arrives"
                elif moved.area != self.source and (self.flown or self.kind != Travel.JUMP_PAD):
                    if not self.flown and at[2] >= self.start[2] - 48.0:
                        return "strays"
                    beside += 1
                    if beside > 6:
                        return "misses"
        return "arrives" if landed else "misses"
