"""Entry point for reading maps: load a MapData from a path, which may lead into an archive, or from bytes.

Only the reader that a path needs is imported: for a small map, importing takes longer than reading.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from aascompile import tolerances
from aascompile.errors import MapError
from aascompile.mapio.game_files import NO_FILES, GameFiles, files_of
from aascompile.mapio.limits import MAP_SUFFIXES, MAX_BYTES
from aascompile.model.mapdata import Entity, MapData
from aascompile.patterns import pattern
from aascompile.records import dataclass
from aascompile.report import Dropped
from aascompile.settings import QUAKE3, Settings

MAX_SOURCE_BYTES: Final = 64 << 20
"""Limit on the size of map source: some 600,000 brushes. Reading takes many times the file's size in memory."""

COMPILED: Final = (b"IBSP", b"RBSP", b"FBSP")
"""The first bytes of compiled maps."""

SIDE_SUFFIX: Final = ".links.toml"
"""Ending of the side file with links made by hand, in place of the map's own."""

WILDCARDS: Final = frozenset("*?[")
"""Characters that make a path a pattern."""

_ARCHIVE: Final = pattern(r"\.pk3(?=[/\\]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MapSource:
    """Bytes of a map, and the name for messages."""

    data: bytes
    """A whole .bsp or .map file, unpacked."""
    name: str
    """A path or any other name; the endings .bsp and .map decide how bytes that are not a compiled map are read."""
    game: GameFiles = NO_FILES
    """Shader scripts and models that belong to map source."""
    added: tuple[Entity, ...] = ()
    """Entities from the entries of the side file, which the mapper adds by hand."""
    side_file: str = ""
    """Path of the side file, for messages; "" if there is none."""


def load_map(source: str | os.PathLike[str] | MapSource, settings: Settings = QUAKE3, threads: int = 1) -> MapData:
    """Read ``x.bsp``, ``x.map``, ``pak.pk3/maps/x.bsp`` inside an archive, or bytes. Any failure raises a MapError.

    Bits and entities are as the file has them; only source needs the settings, to know its game.
    """
    if not isinstance(source, MapSource):
        source = read_map_file(source)
    return load_map_bytes(source.data, source.name, settings, source.game, threads)


def read_map_file(
    path: str | os.PathLike[str], links: str | os.PathLike[str] | None = None, shaders: Sequence[str] = ()
) -> MapSource:
    """Read the bytes of a map file, which may lie in an archive, and the side file beside it, or ``links`` instead.

    ``shaders``: scripts, folders and archives with files of the game for map source, besides those where the map lies.
    Raise a MapError if the map is missing, too large or not a map, or if the side file has a fault.
    """
    name = os.fsdecode(path)
    archive, member = split_archive(name)
    if archive is None:
        data = _read_file(name)
    else:
        if not member:
            member = _only_map(archive)
            name = f"{archive}/{member}"
        from aascompile.mapio.pk3 import read_member

        data = read_member(archive, member)
    if data and not name.lower().endswith(MAP_SUFFIXES):
        raise MapError(name, "is not a map; expected a .bsp, .map or .pk3 file")
    source = MapSource(data, name)
    if is_source(source):
        source = replace(source, game=files_of(name, data, shaders))
    return _with_side_file(source, archive, member) if links is None else with_links(source, links)


def is_source(source: MapSource) -> bool:
    """Whether a map is source, for which the game's scripts and models are read."""
    return bool(source.data) and not source.data.startswith(COMPILED) and not source.name.lower().endswith(".bsp")


def with_links(source: MapSource, path: str | os.PathLike[str]) -> MapSource:
    """The map with what a side file adds, instead of what the file beside it does."""
    from aascompile.mapio.by_hand import read_links_file

    return replace(source, added=read_links_file(path), side_file=os.fsdecode(path))


def side_file_of(path: str) -> str:
    """Path of the side file that belongs to a map, whether it exists or not; in the archive, if the map is in one."""
    return os.path.splitext(path)[0] + SIDE_SUFFIX


def _with_side_file(source: MapSource, archive: str | None, member: str) -> MapSource:
    """The map with what the side file beside it adds, if there is one."""
    path = side_file_of(source.name)
    if archive is None:
        return with_links(source, path) if os.path.lexists(path) else source
    from aascompile.mapio.pk3 import read_beside

    data = read_beside(archive, side_file_of(member))
    if data is None:
        return source
    from aascompile.mapio.by_hand import parse_links

    return replace(source, added=parse_links(data, path), side_file=path)


def load_map_bytes(
    data: bytes, name: str, settings: Settings = QUAKE3, game: GameFiles = NO_FILES, threads: int = 1
) -> MapData:
    """Load a map from the bytes of a .bsp or .map file. ``name`` is for messages; ``game``: scripts and models.

    Bytes that begin with "IBSP", "RBSP" or "FBSP", or whose name ends in .bsp, are a compiled map; all others are
    source.
    """
    if not data:
        raise MapError(name, "is empty")
    if len(data) > MAX_BYTES:
        raise MapError(name, f"is larger than {MAX_BYTES >> 20} MB")
    if data.startswith(COMPILED) or name.lower().endswith(".bsp"):
        from aascompile.mapio.ibsp import read_ibsp

        return _without_far_entities(read_ibsp(data, name, threads))
    if len(data) > MAX_SOURCE_BYTES:
        raise MapError(name, f"is larger than {MAX_SOURCE_BYTES >> 20} MB, the limit for map source")
    from aascompile.mapio.entity_text import decode_text
    from aascompile.mapio.source import read_source

    return _without_far_entities(read_source(decode_text(data), data, name, settings, game))


def _without_far_entities(map_data: MapData) -> MapData:
    """The map without the keys of entities that stand where no map can be. Their rows stay, so no number changes."""
    entities, dropped = list(map_data.entities), list(map_data.dropped)
    for row, entity in enumerate(map_data.entities):
        place = entity.vector("origin") if row else None  # the world has no place
        if place is not None and max(map(abs, place)) > tolerances.WORLD_EXTENT:
            entities[row] = Entity(())
            extent = f"{tolerances.WORLD_EXTENT:,.0f} units"
            dropped.append(Dropped("entity", row, f"its origin is more than {extent} from the middle of the map"))
    if len(dropped) == len(map_data.dropped):
        return map_data
    return replace(map_data, entities=tuple(entities), dropped=tuple(dropped))


def expand_inputs(inputs: Iterable[str]) -> list[str]:
    """Paths for ``load_map``. A glob or a bare archive becomes its maps, sorted; without any, a MapError."""
    found: dict[str, None] = {}
    for text in inputs:
        archive, member = split_archive(text)
        if archive is None:
            names = _matching_files(text) if _is_glob(text) else [text]
        else:
            archives = _matching_files(archive, (".pk3",)) if _is_glob(archive) else [archive]
            names = [f"{path}/{inner}" for path in archives for inner in _members(path, member)]
        if not names:
            raise MapError(text, "matches no map" if _is_glob(text) else "holds no map")
        found.update(dict.fromkeys(names))
    return list(found)


def split_archive(path: str) -> tuple[str | None, str]:
    """Archive in the path and the path inside it; (None, path) if the path leads into no archive."""
    if ".pk3" not in path.lower():
        return None, path
    ends = [found.end() for found in _ARCHIVE.finditer(path)]
    # A folder can be named x.pk3 too. The archive is the first such name that is a file, or else the first of all.
    for end in ends:
        if os.path.isfile(path[:end]):
            return path[:end], path[end:].strip("/\\")
    if not ends or os.path.exists(path):
        return None, path
    return path[: ends[0]], path[ends[0] :].strip("/\\")


def _read_file(name: str) -> bytes:
    """Bytes of a regular file within the size limit."""
    try:
        status = os.stat(name)
        if stat.S_ISDIR(status.st_mode):
            raise MapError(name, f"is a folder; give its maps, for example {os.path.join(name, '*.bsp')}")
        if not stat.S_ISREG(status.st_mode):
            raise MapError(name, "is not a regular file")
        if status.st_size > MAX_BYTES:
            raise MapError(name, f"is larger than {MAX_BYTES >> 20} MB")
        with open(name, "rb") as file:
            return file.read(status.st_size)
    except (FileNotFoundError, NotADirectoryError):
        raise MapError(name, "no such file") from None
    except OSError as error:
        raise MapError(name, f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        if isinstance(error, MapError):
            raise
        raise MapError(name, "is not a valid path") from None


def _only_map(archive: str) -> str:
    """Name of the only map in an archive; a MapError if there are none or several."""
    names = _members(archive, "")
    if len(names) == 1:
        return names[0]
    if not names:
        raise MapError(archive, "holds no map")
    raise MapError(archive, f"holds {len(names)} maps; choose one, for example {archive}/{names[0]}")


def _members(archive: str, member: str) -> list[str]:
    """Maps of an archive that match a name or glob. An empty ``member`` means all .bsp, or all .map without a .bsp.

    A plain name is returned without looking at the archive.
    """
    if member and not _has_wildcards(member):
        return [member]
    from fnmatch import fnmatchcase

    from aascompile.mapio.pk3 import map_names

    names = map_names(archive)
    if member:
        # A name may itself contain brackets.
        exact = [name for name in names if name.lower() == member.lower()]
        return exact or [name for name in names if fnmatchcase(name.lower(), member.lower())]
    compiled = [name for name in names if name.lower().endswith(".bsp")]
    return compiled or names


def _has_wildcards(text: str) -> bool:
    """Whether a path is a pattern."""
    return not WILDCARDS.isdisjoint(text)


def _is_glob(text: str) -> bool:
    """Whether a path has wildcards and does not name an existing file."""
    return _has_wildcards(text) and not os.path.lexists(text)


def _matching_files(pattern: str, suffixes: tuple[str, ...] = MAP_SUFFIXES) -> list[str]:
    """Files that match a glob, sorted. Case is ignored in the last part of the path."""
    from fnmatch import fnmatchcase
    from glob import glob

    folder, last = os.path.split(pattern)
    folders = sorted(glob(folder, recursive=True)) if _has_wildcards(folder) else [folder]
    found: list[str] = []
    for place in folders:
        try:
            names = sorted(os.listdir(place or "."))
        except (OSError, ValueError):
            continue
        found += [
            os.path.join(place, name)
            for name in names
            if name.lower().endswith(suffixes) and fnmatchcase(name.lower(), last.lower())
        ]
    return [path for path in found if os.path.isfile(path)]
