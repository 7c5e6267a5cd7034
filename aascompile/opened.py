"""The half of the Python API that reads: compiled files, and queries to them.

``import aascompile`` provides it, and imports this module on first use. It needs no stage of the compiler, so that a
program that only asks for routes starts quickly. ``api`` is the other half.
"""

from __future__ import annotations

import os
from dataclasses import fields

from aascompile.errors import AasError, RouteError, SettingsError, StoreError
from aascompile.model.areas import AreaFlag
from aascompile.model.compiled import Compiled
from aascompile.model.links import Tier, Travel
from aascompile.nav.allpairs import AllPairs
from aascompile.nav.fields import Field, FieldAt
from aascompile.nav.navigation import Navigation
from aascompile.nav.observe import Observer
from aascompile.nav.occupancy import Occupancy
from aascompile.nav.queries import Trace
from aascompile.nav.records import Area, Link, Place
from aascompile.nav.routes import Paths, Route
from aascompile.nav.sight import ViewSpot
from aascompile.nav.terms import Limits
from aascompile.player.movement import Event, Predictions
from aascompile.records import dataclass
from aascompile.sampling.sample import Traces
from aascompile.sampling.shape import NearestAreas, Walls
from aascompile.sampling.walk import WalkEnd, Walks
from aascompile.store.read import load_compiled

__all__ = [
    "AasError",
    "AllPairs",
    "Area",
    "AreaFlag",
    "CompiledMap",
    "Event",
    "Field",
    "FieldAt",
    "Limits",
    "Link",
    "Navigation",
    "NearestAreas",
    "Observer",
    "Occupancy",
    "Paths",
    "Place",
    "Predictions",
    "Route",
    "RouteError",
    "SettingsError",
    "StoreError",
    "Tier",
    "Trace",
    "Traces",
    "Travel",
    "ViewSpot",
    "WalkEnd",
    "Walks",
    "Walls",
    "load",
    "read_compiled",
    "with_methods",
]


@dataclass(frozen=True, slots=True)
class CompiledMap(Compiled):
    """A compiled map in memory: all tables of docs/data-model.md, and the warnings of the compiler."""

    warnings: tuple[str, ...] = ()
    """Warnings for the author of the map, one sentence each."""
    dropped: tuple[str, ...] = ()
    """Brushes, patches and entities that were dropped, each with the reason."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the compiled file (x.aas.hdf), completely or not at all. Raises StoreError if it cannot be written."""
        from aascompile.store.hdf import write_compiled

        write_compiled(os.fsdecode(path), self)

    def save_engine(self, path: str | os.PathLike[str]) -> None:
        """Write the engine's file (x.aas), completely or not at all. Raises StoreError if it cannot be written.

        The game loads it only with the .bsp that was compiled: .map source has no checksum.
        """
        from aascompile.store.engine import for_engine, write_engine
        from aascompile.store.files import write_atomically

        write_atomically(os.fsdecode(path), write_engine(for_engine(self)))


def read_compiled(path: str | os.PathLike[str]) -> CompiledMap:
    """Read a compiled file (x.aas.hdf, or the engine's x.aas) to access its tables or to save it again.

    Raises StoreError if it cannot be read, is damaged or is not a compiled file.
    """
    return with_methods(load_compiled(os.fsdecode(path)))


def load(path: str | os.PathLike[str]) -> Navigation:
    """Open a compiled file (x.aas.hdf, or the engine's x.aas) for queries: ``Navigation(read_compiled(path))``.

    Raises StoreError if it cannot be read, is damaged or is not a compiled file.
    """
    return Navigation(read_compiled(path))


def with_methods(compiled: Compiled, warnings: tuple[str, ...] = (), dropped: tuple[str, ...] = ()) -> CompiledMap:
    """Convert a Compiled to a CompiledMap."""
    columns = {field.name: getattr(compiled, field.name) for field in fields(Compiled)}
    return CompiledMap(**columns, warnings=warnings, dropped=dropped)
