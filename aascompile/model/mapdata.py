"""What a map file holds, whichever format it came in: the output of ``mapio`` and the input of everything else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import rows_of, starts_of
from aascompile.records import dataclass
from aascompile.report import Dropped

Int = NDArray[np.int32]
Index = NDArray[np.int64]
Bits = NDArray[np.uint32]
Float = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Planes:
    """Interned planes in opposite pairs: ``id ^ 1`` is the same plane facing the other way."""

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
    """(n,) 0: the world; N: the model that a brush entity calls ``*N``."""
    entity: Int
    """(n,) row of the entity that owns it; −1: a model that no entity uses."""
    number: Int
    """(n,) its number in the source file, for messages."""

    def __len__(self) -> int:
        return len(self.contents)

    def take(self, rows: Index) -> Brushes:
        """The brushes of these rows, in this order."""
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
    """(n,) control points in a row."""
    height: Int
    """(n,) rows."""
    point_start: Index
    """(n + 1,) CSR into ``point``: width·height rows each, row by row."""
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


@dataclass(frozen=True, slots=True)
class Shaders:
    """The materials a map names."""

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
    """One entity's keys and values, in file order; of a key given twice the last counts, as in the engine."""

    pairs: tuple[tuple[str, str], ...]

    def get(self, key: str, default: str = "") -> str:
        """The value of a key, whatever its case."""
        wanted = key.lower()
        for name, value in reversed(self.pairs):
            if name.lower() == wanted:
                return value
        return default

    @property
    def classname(self) -> str:
        """Its class, "" when it has none."""
        return self.get("classname")

    @property
    def lower_class(self) -> str:
        """Its class in lower case, as class names are compared."""
        return self.classname.lower()

    def number(self, key: str, default: float = 0.0) -> float:
        """A key's leading number, as C's atof reads it; the default when there is none or it is not finite."""
        try:
            value = float(self.get(key).split()[0])
        except (ValueError, IndexError):
            return default
        return value if np.isfinite(value) else default

    @property
    def offset(self) -> tuple[float, float, float]:
        """What to add to the coordinates of its brushes to have them where it stands: its origin, held within what a
        map can span."""
        x, y, z = (
            min(max(c, -tolerances.WORLD_EXTENT), tolerances.WORLD_EXTENT)
            for c in self.vector("origin") or (0.0, 0.0, 0.0)
        )
        return (x, y, z)

    def flags(self) -> int:
        """Its spawnflags."""
        value = self.number("spawnflags")
        return int(value) & 0xFFFFFFFF if abs(value) < 2**33 else 0

    def vector(self, key: str) -> tuple[float, float, float] | None:
        """A key's three numbers; None when they are missing, malformed or not finite."""
        words = self.get(key).split()
        if len(words) < 3:
            return None
        try:
            x, y, z = (float(word) for word in words[:3])
        except ValueError:
            return None
        return (x, y, z) if np.isfinite((x, y, z)).all() else None


@dataclass(frozen=True, slots=True)
class MapData:
    """A whole map."""

    name: str
    """Path as the user gave it, ``pak.pk3/maps/x.bsp`` inside an archive."""
    format: str
    """"IBSP 46", "IBSP 47" or "map"."""
    sha256: str
    """Of the map file's bytes, hexadecimal."""
    checksum: int
    """The engine's checksum of a .bsp (signed 32 bits); 0 for .map source."""
    planes: Planes
    brushes: Brushes
    patches: Patches
    shaders: Shaders
    models: Models
    entities: tuple[Entity, ...]
    dropped: tuple[Dropped, ...]

    def named(self, row: int) -> str:
        """An entity in words: its class, its number and where it stands."""
        entity = self.entities[row]
        origin = entity.vector("origin")
        where = " at ({:g} {:g} {:g})".format(*origin) if origin else ""
        return f"{entity.classname or 'an entity without class'} (entity {row}){where}"

    def each_class(self, *classnames: str) -> Iterator[tuple[int, Entity]]:
        """Row and entity of every entity of these classes, named in lower case."""
        for row, entity in enumerate(self.entities):
            if entity.lower_class in classnames:
                yield row, entity
