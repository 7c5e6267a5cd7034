"""What programs use: compile a map in memory, save it, load it, and ask about it.

``import aascompile`` offers all of this, and imports it when it is first used.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any, Protocol

from aascompile.errors import AasError, LeakError, MapError, RouteError, SettingsError, StoreError
from aascompile.mapio.limits import MAX_BYTES
from aascompile.mapio.load import MapSource, read_map_file
from aascompile.model.areas import AreaFlag
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel
from aascompile.nav.navigation import Navigation
from aascompile.nav.records import Area, Link, Place
from aascompile.nav.routes import Route
from aascompile.pipeline import compile_map as run_stages
from aascompile.records import dataclass
from aascompile.report import Report
from aascompile.settings import PRESETS, QUAKE3, Settings
from aascompile.settings_file import read_settings, settings_of
from aascompile.store.engine import write_engine
from aascompile.store.files import write_atomically
from aascompile.store.hdf import write_compiled
from aascompile.store.read import load_compiled
from aascompile.threads import cores

__all__ = [
    "AasError",
    "Area",
    "AreaFlag",
    "CompiledMap",
    "LeakError",
    "Link",
    "MapError",
    "Navigation",
    "Place",
    "Route",
    "RouteError",
    "Settings",
    "SettingsError",
    "StoreError",
    "Travel",
    "compile_map",
    "load",
    "read_compiled",
]

UNNAMED = "map"
"""Name of a map that comes without one."""


class BinaryFile(Protocol):
    """A file that is open for reading in binary mode."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes."""


Source = str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryFile
"""A path, the bytes of a map, or a binary file."""

AnySettings = Settings | str | os.PathLike[str] | Mapping[str, Any]
"""Settings, the name of a preset, the path of a TOML file, or nested tables as such a file has them."""


@dataclass(frozen=True, slots=True)
class CompiledMap(Compiled):
    """A compiled map in memory: all tables that docs/data-model.md describes, and what the compiler reported."""

    warnings: tuple[str, ...] = ()
    """Sentences about what the mapper should look at."""
    dropped: tuple[str, ...] = ()
    """Brushes, patches and entities that were left out, each with the reason."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the compiled file (x.aas.hdf), whole or not at all; StoreError when it cannot be written."""
        write_compiled(os.fsdecode(path), self)

    def save_engine(self, path: str | os.PathLike[str]) -> None:
        """Write the engine's file (x.aas), whole or not at all; StoreError when it cannot be written.

        The game loads it only beside the .bsp that was compiled: a map compiled from .map source has no checksum.
        """
        write_atomically(os.fsdecode(path), write_engine(self))


def compile_map(
    source: Source,
    settings: AnySettings | None = None,
    *,
    name: str | None = None,
    threads: int | None = None,
    quality: bool = False,
    allow_leak: bool = False,
) -> CompiledMap:
    """Compile a map in memory: no file is written and nothing is printed.

    - ``source``: the path of a .bsp or .map file, also inside an archive (``pak.pk3/maps/x.bsp``); the bytes of
      such a file; or a binary file.
    - ``settings``: Settings, the name of a preset, the path of a TOML file, or a mapping as such a file has it
      (``{"physics": {"gravity": 400}}``); by default the preset quake3.
    - ``name``: what messages and the compiled file call the map; by default the file's name, and "map" for bytes.
    - ``threads``: by default one for each core. The result does not depend on it.
    - ``quality``: search longer for fewer areas.
    - ``allow_leak``: close a map that is not closed at its bounds, with a warning, instead of LeakError.

    MapError when the map cannot be read, LeakError (with the trail) when it is not closed, SettingsError when
    the settings are wrong.
    """
    if threads is not None and threads < 1:
        raise SettingsError("compile_map", "threads", f"is {threads}, but must be at least 1")
    chosen = _settings(settings)
    read = _source(source, name)
    report = Report(read.name)
    made = run_stages(read, chosen, report, threads or cores(), quality, allow_leak)
    dropped = tuple(f"{left.kind} {left.number}: {left.reason}" for left in report.dropped)
    return _with_methods(made, tuple(report.warnings), dropped)


def read_compiled(path: str | os.PathLike[str]) -> CompiledMap:
    """Read a compiled file (x.aas.hdf, or the engine's x.aas) to look at its tables or to save it again.

    StoreError when it cannot be read, is damaged or is no compiled file.
    """
    return _with_methods(load_compiled(os.fsdecode(path)))


def load(path: str | os.PathLike[str]) -> Navigation:
    """Open a compiled file (x.aas.hdf, or the engine's x.aas) for questions: ``Navigation(read_compiled(path))``.

    StoreError when it cannot be read, is damaged or is no compiled file.
    """
    return Navigation(read_compiled(path))


def _with_methods(made: Compiled, warnings: tuple[str, ...] = (), dropped: tuple[str, ...] = ()) -> CompiledMap:
    """The same tables as a CompiledMap."""
    columns = {field.name: getattr(made, field.name) for field in fields(Compiled)}
    return CompiledMap(**columns, warnings=warnings, dropped=dropped)


def _source(source: Source, name: str | None) -> MapSource:
    """The bytes of a map and its name."""
    if isinstance(source, str | os.PathLike):
        read = read_map_file(source)
        return read if name is None else replace(read, name=name)
    if isinstance(source, bytes | bytearray | memoryview):
        return MapSource(bytes(source), name or UNNAMED)
    given = getattr(source, "name", None)
    called = name or (given if isinstance(given, str) else UNNAMED)
    try:
        data: object = source.read(MAX_BYTES + 1)
    except OSError as error:
        raise MapError(called, f"cannot be read: {error.strerror or error}") from None
    if not isinstance(data, bytes):
        raise MapError(called, "is open as text: open it in binary mode")
    return MapSource(data, called)


def _settings(given: AnySettings | None) -> Settings:
    """The settings that a caller means; SettingsError when a value is unknown or beyond its limit."""
    if given is None:
        return QUAKE3
    if isinstance(given, Settings):
        return settings_of(asdict(given), "settings")
    if isinstance(given, Mapping):
        return settings_of(given, "settings")
    text = os.fsdecode(given)
    if text in PRESETS:
        return PRESETS[text]
    if not os.path.exists(text):
        raise SettingsError(text, "", f"is neither a preset ({', '.join(PRESETS)}) nor a file")
    return read_settings(text)
