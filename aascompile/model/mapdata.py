"""Contents of a map file of any format: the output of ``mapio`` and the input of everything else."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import rows_of, starts_of
from aascompile.records import dataclass
from aascompile.report import Dropped
from aascompile.threads import Begun

Int = NDArray[np.int32]
Index = NDArray[np.int64]
Bits = NDArray[np.uint32]
Float = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Planes:
    """Interned planes in opposite pairs: ``id ^ 1`` is the same plane facing the opposite direction."""

    normal: Float
    """(n, 3) unit length."""
    dist: Float
    """(n,) units along the normal from the origin."""

    def __len__(self) -> int:
        return len(self.dist)


@dataclass(frozen=True, slots=True)
class Brushes:
    """Convex solids: the points behind all of a brush's sides."""

    side_start: Index
    """(n + 1,) CSR: sides of brush i are ``side_start[i]:side_start[i + 1]``."""
    side_plane: Int
    """(m,) plane id, facing outward. Bevel planes of the source file are among them."""
    side_flags: Bits
    """(m,) surface flags of the side's shader (SURF_*)."""
    contents: Bits
    """(n,) contents bits of the brush (CONTENTS_*)."""
    shader: Int
    """(n,) row in ``MapData.shaders``; −1: none."""
    model: Int
    """(n,) 0: the world; N: the model named ``*N`` by a brush entity."""
    entity: Int
    """(n,) row of the entity that owns it; −1 if no entity uses its model."""
    number: Int
    """(n,) its number in the source file, for messages."""

    def __len__(self) -> int:
        return len(self.contents)

    def take(self, rows: Index) -> Brushes:
        """Brushes of these rows, in this order."""
        side = rows_of(self.side_start, rows)
        return Brushes(
            side_start=starts_of(np.diff(self.side_start)[rows]),
            side_plane=self.side_plane[side],
            side_flags=self.side_flags[side],
            contents=self.contents[rows],
            shader=self.shader[rows],
            model=self.model[rows],
            entity=self.entity[rows],
            number=self.number[rows],
        )


@dataclass(frozen=True, slots=True)
class Patches:
    """Biquadratic Bezier surfaces: grids of control points, both dimensions odd."""

    width: Int
    """(n,) control points per row."""
    height: Int
    """(n,) rows."""
    point_start: Index
    """(n + 1,) CSR into ``point``: width·height points per patch, row by row."""
    point: Float
    """(m, 3) control points."""
    contents: Bits
    """(n,) contents bits of the shader."""
    flags: Bits
    """(n,) surface flags of the shader."""
    shader: Int
    """(n,) row in ``MapData.shaders``; −1: none."""
    model: Int
    """(n,) as in Brushes."""
    entity: Int
    """(n,) as in Brushes."""
    number: Int
    """(n,) its number in the source file, for messages."""

    def __len__(self) -> int:
        return len(self.width)

    @classmethod
    def none(cls) -> Patches:
        """No patches."""
        rows, bits = np.zeros(0, np.int32), np.zeros(0, np.uint32)
        return cls(rows, rows, np.zeros(1, np.int64), np.zeros((0, 3)), bits, bits, rows, rows, rows, rows)


@dataclass(frozen=True, slots=True)
class Shaders:
    """Shaders (materials) that a map names."""

    name: tuple[str, ...]
    flags: Bits
    """(n,) SURF_* bits."""
    contents: Bits
    """(n,) CONTENTS_* bits."""

    def __len__(self) -> int:
        return len(self.name)


@dataclass(frozen=True, slots=True)
class Models:
    """The world (row 0) and the brush models that entities move or trigger."""

    mins: Float
    """(n, 3) units."""
    maxs: Float
    """(n, 3) units."""
    entity: Int
    """(n,) row of the entity that uses it (0 for the world); −1: none."""

    def __len__(self) -> int:
        return len(self.mins)


@dataclass(frozen=True, slots=True)
class Entity:
    """Keys and values of an entity, in file order. If a key occurs twice, the last value counts, as in the engine."""

    pairs: tuple[tuple[str, str], ...]

    def get(self, key: str, default: str = "") -> str:
        """Value of a key. Case is ignored."""
        wanted, length = key.lower(), len(key)
        for name, value in reversed(self.pairs):
            if len(name) == length and name.lower() == wanted:
                return value
        return default

    @property
    def classname(self) -> str:
        """Class name; "" if it has none."""
        return self.get("classname")

    @property
    def lower_class(self) -> str:
        """Class name in lower case, for comparison."""
        return self.classname.lower()

    def number(self, key: str, default: float = 0.0) -> float:
        """Number at the start of a key's value, as C's atof reads it; the default if it is missing or not finite."""
        try:
            value = float(self.get(key).split()[0])
        except (ValueError, IndexError):
            return default
        return value if isfinite(value) else default

    @property
    def offset(self) -> tuple[float, float, float]:
        """Offset that moves its brushes to where it stands: its origin, clamped to the extent of a map."""
        x, y, z = (
            min(max(c, -tolerances.WORLD_EXTENT), tolerances.WORLD_EXTENT)
            for c in self.vector("origin") or (0.0, 0.0, 0.0)
        )
        return (x, y, z)

    def flags(self) -> int:
        """Spawnflags."""
        value = self.number("spawnflags")
        return int(value) & 0xFFFFFFFF if abs(value) < 2**33 else 0

    def vector(self, key: str) -> tuple[float, float, float] | None:
        """Three numbers of a key's value; None if they are missing, malformed or not finite."""
        words = self.get(key).split()
        if len(words) < 3:
            return None
        try:
            x, y, z = (float(word) for word in words[:3])
        except ValueError:
            return None
        return (x, y, z) if isfinite(x) and isfinite(y) and isfinite(z) else None


@dataclass(frozen=True, slots=True)
class MapData:
    """A whole map."""

    name: str
    """Path as the user gave it, ``pak.pk3/maps/x.bsp`` inside an archive."""
    format: str
    """"IBSP 46", "IBSP 47", "IBSP 38", "RBSP 1", "FBSP 1" or "map"."""
    digests: Begun[tuple[str, int]]
    """``sha256`` and ``checksum``, which may still be computed beside the first stages."""
    planes: Planes
    brushes: Brushes
    patches: Patches
    shaders: Shaders
    models: Models
    entities: tuple[Entity, ...]
    dropped: tuple[Dropped, ...]
    warnings: tuple[str, ...] = ()
    """What the reader could not find out, as sentences."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the map file's bytes, hexadecimal."""
        return self.digests.result()[0]

    @property
    def checksum(self) -> int:
        """The engine's checksum of a .bsp (signed 32 bits); 0 for .map source."""
        return self.digests.result()[1]

    def named(self, row: int) -> str:
        """Entity for messages: its class, its number and its origin."""
        entity = self.entities[row]
        origin = entity.vector("origin")
        where = " at ({:g} {:g} {:g})".format(*origin) if origin else ""
        return f"{entity.classname or 'an entity without class'} (entity {row}){where}"

    def each_class(self, *classnames: str) -> Iterator[tuple[int, Entity]]:
        """Row and entity of every entity of these classes, given in lower case."""
        for row, entity in enumerate(self.entities):
            if entity.lower_class in classnames:
                yield row, entity
