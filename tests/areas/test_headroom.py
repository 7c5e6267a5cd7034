"""Who gets the air, on a mesh by hand."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile import tolerances
from aascompile.areas.headroom_kernel import Headroom
from aascompile.areas.mesh_kernel import AreaMesh
from aascompile.settings import QUAKE3

WEST, MIDDLE, EAST, LEFT, RIGHT = range(5)
DENT = 0.09
"""Less than areas may have that are merged, more than a face needs to be a gap."""
SOLID = -1
Corner = tuple[float, float]


class Slab:
    """A mesh whose areas are polygons in x and z, as deep as a room."""

    def __init__(self) -> None:
        self.normal: list[np.ndarray] = []
        self.dist: list[float] = []
        self.rows: list[tuple[int, int, int, np.ndarray]] = []

    def plane(self, normal: np.ndarray, point: np.ndarray) -> int:
        """Add a plane and its opposite."""
        unit = normal / np.linalg.norm(normal)
        self.normal += [unit, -unit]
        self.dist += [float(unit @ point), -float(unit @ point)]
        return len(self.dist) - 2

    def border(self, a: Corner, b: Corner, front: int, back: int) -> int:
        """A face from a to b, with the front area on the left. Returns its plane."""
        corner = np.array([(a[0], 0, a[1]), (b[0], 0, b[1]), (b[0], 64, b[1]), (a[0], 64, a[1])], float)
        plane = self.plane(np.cross(corner[1] - corner[0], corner[2] - corner[0]), corner[0])
        self.rows.append((plane, front, back, corner))
        return plane

    def walls(self, area: int, *outline: Corner) -> None:
        """The two walls in front of an area and behind it; the outline is counter-clockwise."""
        near = np.array([(x, 0, z) for x, z in outline], float)
        self.rows.append((self.plane(np.array([0.0, 1.0, 0.0]), near[0]), area, SOLID, near[::-1]))
        far = near + np.array([0.0, 64.0, 0.0])
        self.rows.append((self.plane(np.array([0.0, -1.0, 0.0]), far[0]), area, SOLID, far))

    def mesh(self, node: list[tuple[int, int, int]], areas: int) -> AreaMesh:
        """The mesh, with the tree that leads to its areas."""
        physics = QUAKE3.physics
        made = AreaMesh(
            np.array(self.normal), np.array(self.dist), np.array(node), areas, tolerances,
            physics.floor_up, QUAKE3.areas.gap_up, physics.max_step,
        )  # fmt: skip
        plane, front, back = (np.array([row[k] for row in self.rows], np.int32) for k in range(3))
        start = np.cumsum([0, *(len(row[3]) for row in self.rows)])
        made.load(
            np.zeros(areas, np.int64), np.zeros(areas, np.int8), plane, front, back, np.zeros(len(plane), np.int32),
            start, np.vstack([row[3] for row in self.rows]),
        )  # fmt: skip
        return made


def ring() -> AreaMesh:
    """Three floors side by side. The air above them is divided by a border that has a dent, ``<``, as merged areas may
    have. So the two parts of the air have gaps to each other. The left part is above two floors."""
    slab = Slab()
    for area, x0, x1 in ((WEST, -64, -32), (MIDDLE, -32, 0), (EAST, 0, 64)):
        slab.border((x1, -8), (x0, -8), SOLID, area)
        slab.walls(area, (x0, -8), (x1, -8), (x1, 0), (x0, 0))
    slab.border((-64, 0), (-64, -8), WEST, SOLID)
    slab.border((64, -8), (64, 0), EAST, SOLID)
    first = slab.border((-32, -8), (-32, 0), WEST, MIDDLE)
    second = slab.border((0, -8), (0, 0), MIDDLE, EAST)
    level = slab.border((-64, 0), (-32, 0), LEFT, WEST)
    slab.border((-32, 0), (0, 0), LEFT, MIDDLE)
    slab.border((0, 0), (64, 0), RIGHT, EAST)
    slab.border((-64, 64), (-64, 0), LEFT, SOLID)
    slab.border((64, 0), (64, 64), RIGHT, SOLID)
    slab.border((0, 64), (-64, 64), LEFT, SOLID)
    slab.border((64, 64), (0, 64), RIGHT, SOLID)
    slab.walls(LEFT, (-64, 0), (0, 0), (0, 31), (-DENT, 32), (-64, 32))
    slab.walls(LEFT, (-64, 32), (-DENT, 32), (0, 33), (0, 64), (-64, 64))
    slab.walls(RIGHT, (0, 0), (64, 0), (64, 64), (0, 64), (0, 33), (-DENT, 32), (0, 31))
    slab.border((0, 0), (0, 31), LEFT, RIGHT)
    lower = slab.border((0, 31), (-DENT, 32), LEFT, RIGHT)
    upper = slab.border((-DENT, 32), (0, 33), LEFT, RIGHT)
    slab.border((0, 33), (0, 64), LEFT, RIGHT)
    leaf = [-1 - area for area in range(5)]
    node = [
        (level, 1, 2), (lower, leaf[LEFT], 4), (first, leaf[WEST], 3), (second, leaf[MIDDLE], leaf[EAST]),
        (upper, leaf[LEFT], leaf[RIGHT]),
    ]  # fmt: skip
    return slab.mesh(node, 5)


def test_air_that_waits_in_a_ring_is_settled():
    """It stayed air once, down to the floor, and players there were in no area with ground."""
    mesh = ring()
    mesh.beside = tolerances.CONVEX
    room = Headroom(mesh, [WEST, MIDDLE, EAST, -1, -1], tolerances.MIN_EDGE, tolerances.CRACK)
    room.run(np.array([LEFT, RIGHT], np.int32))
    owner = room.result()
    assert room.rings == 2  # The left part is cut, and what is left of it is above the middle, but for a crack.
    assert sorted(owner.tolist()) == [WEST, WEST, MIDDLE, MIDDLE, EAST, EAST]
    box = mesh.bounds(np.arange(len(owner), dtype=np.int32))
    for floor, low, high in ((WEST, -64, -32), (MIDDLE, -32, 0), (EAST, -DENT, 64)):
        assert box[owner == floor, 0].min() == low
        assert box[owner == floor, 3].max() == high


def layers(ground: float) -> AreaMesh:
    """A floor up to a height of 0, and air above it up to 64."""
    slab = Slab()
    floor, air = 0, 1
    for area, low, high in ((floor, ground, 0), (air, 0, 64)):
        slab.walls(area, (0, low), (64, low), (64, high), (0, high))
        slab.border((0, high), (0, low), area, SOLID)
        slab.border((64, low), (64, high), area, SOLID)
    slab.border((0, ground), (64, ground), floor, SOLID)
    slab.border((64, 64), (0, 64), air, SOLID)
    level = slab.border((0, 0), (64, 0), air, floor)
    return slab.mesh([(level, -1 - air, -1 - floor)], 2)


@pytest.mark.parametrize(
    ("ground", "feet", "heights"),
    [
        (-8.0, 32.0, {0: (-8, 0), -2: (0, 64)}),
        (-2.0, 32.0, {0: (-2, 32), -2: (32, 64)}),
        (-2.0, -2.0, {0: (-2, 64)}),  # The platform is level with the floor.
        (-2.0, 1.0, {0: (-2, 64)}),  # A player on the floor would be above the cut.
    ],
)
def test_air_in_which_players_stand_on_platforms_keeps_its_shape_unless_a_floor_is_close(ground, feet, heights):
    """It kept its shape down to a slanted floor once, and players who walked there left the area of the floor (A17)."""
    mesh = layers(ground)
    mesh.beside = tolerances.CONVEX
    room = Headroom(mesh, [0, -1], tolerances.MIN_EDGE, tolerances.CRACK)
    room.run(room.keep(np.array([1], np.int32), np.array([feet])))
    owner = room.result()
    box = mesh.bounds(np.arange(len(owner), dtype=np.int32))
    assert {int(who): (box[owner == who, 2].min(), box[owner == who, 5].max()) for who in owner} == heights
