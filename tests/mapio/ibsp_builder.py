"""A minimal writer of valid and invalid IBSP files: tests choose the rows and can corrupt the directory."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import numpy as np

ENTITIES, SHADERS, PLANES, MODELS, BRUSHES, SIDES, VERTICES, SURFACES = 0, 1, 2, 7, 8, 9, 10, 13
LUMPS = 17
WORLD = '{\n"classname" "worldspawn"\n}\n'


@dataclass
class Bsp:
    """Rows of the lumps with collision data. ``build`` packs them."""

    entities: str | bytes = WORLD
    shaders: list[tuple[str, int, int]] = field(default_factory=list)
    planes: list[tuple[float, float, float, float]] = field(default_factory=list)
    models: list[tuple[int, int, int, int]] = field(default_factory=list)
    """First surface, surfaces, first brush, brushes."""
    bounds: dict[int, tuple[float, ...]] = field(default_factory=dict)
    brushes: list[tuple[int, int, int]] = field(default_factory=list)
    sides: list[tuple[int, int]] = field(default_factory=list)
    vertices: list[tuple[float, float, float]] = field(default_factory=list)
    surfaces: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    """Shader, kind, first vertex, width, height."""
    version: int = 46
    directory: dict[int, tuple[int, int]] = field(default_factory=dict)
    """False directory entries: lump → offset, length."""
    lumps: int = LUMPS

    def shader(self, name: str, flags: int = 0, contents: int = 1) -> int:
        self.shaders.append((name, flags, contents))
        return len(self.shaders) - 1

    def box(self, mins: tuple[float, ...], maxs: tuple[float, ...], shader: int = 0) -> int:
        """Add a brush of six sides and return its number."""
        first = len(self.sides)
        for axis in range(3):
            for sign, dist in ((1.0, maxs[axis]), (-1.0, -mins[axis])):
                normal = [0.0, 0.0, 0.0]
                normal[axis] = sign
                self.sides.append((len(self.planes), shader))
                self.planes.append((normal[0], normal[1], normal[2], dist))
        self.brushes.append((first, 6, shader))
        return len(self.brushes) - 1

    def patch(self, width: int, height: int, shader: int = 0) -> int:
        """Add a wavy patch on a grid of 32 units and return its surface number."""
        first = len(self.vertices)
        for y in range(height):
            self.vertices += [(32.0 * x, 32.0 * y, float(8 * (x % 2))) for x in range(width)]
        self.surfaces.append((shader, 2, first, width, height))
        return len(self.surfaces) - 1

    def world(self) -> Bsp:
        """Assign all brushes and surfaces so far to the world."""
        self.models.insert(0, (0, len(self.surfaces), 0, len(self.brushes)))
        return self

    def build(self) -> bytes:
        text = self.entities.encode() if isinstance(self.entities, str) else self.entities
        models = b""
        for row, numbers in enumerate(self.models):
            models += struct.pack("<6f4i", *self.bounds.get(row, (-64.0, -64.0, -64.0, 64.0, 64.0, 64.0)), *numbers)
        contents = {
            ENTITIES: text + b"\0",
            SHADERS: b"".join(struct.pack("<64sII", name.encode(), *bits) for name, *bits in self.shaders),
            PLANES: np.array(self.planes, "<f4").tobytes(),
            MODELS: models,
            BRUSHES: np.array(self.brushes, "<i4").tobytes(),
            SIDES: np.array(self.sides, "<i4").tobytes(),
            VERTICES: b"".join(struct.pack("<3f32x", *point) for point in self.vertices),
            SURFACES: b"".join(
                struct.pack("<i4xii80x2i", shader, kind, first, width, height)
                for shader, kind, first, width, height in self.surfaces
            ),
        }
        at = 8 + 8 * self.lumps
        header, body = struct.pack("<4si", b"IBSP", self.version), b""
        for lump in range(self.lumps):
            data = contents.get(lump, b"")
            offset, length = self.directory.get(lump, (at, len(data)))
            header += struct.pack("<ii", offset, length)
            data += bytes(-len(data) % 4)
            body += data
            at += len(data)
        return header + body


def room() -> Bsp:
    """A small complete map: a floor, a water brush, a patch, and a trigger as model 1."""
    bsp = Bsp(entities=WORLD + '{\n"classname" "trigger_hurt"\n"model" "*1"\n}\n')
    stone = bsp.shader("textures/base/stone", 0, 1)
    water = bsp.shader("textures/liquids/water", 0x4000, 0x20)
    trigger = bsp.shader("textures/common/trigger", 0x80, 0x40000000)
    bsp.box((-64, -64, -16), (64, 64, 0), stone)
    bsp.box((-64, -64, 0), (0, 0, 32), water)
    bsp.patch(3, 5, stone)
    bsp.world()
    number = bsp.box((0, 0, 0), (32, 32, 8), trigger)
    bsp.models.append((1, 0, number, 1))
    bsp.bounds[1] = (0.0, 0.0, 0.0, 32.0, 32.0, 8.0)
    return bsp
