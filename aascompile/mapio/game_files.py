"""Files of the game that belong to map source: shader scripts, and the models that its entities name.

They lie in folders (``scripts/``, ``models/``) or archives: beside the map, beside its folder, or where a user says.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Final

from aascompile.errors import MapError
from aascompile.mapio.entity_text import decode_text
from aascompile.patterns import pattern
from aascompile.records import dataclass

SCRIPT_SUFFIX: Final = ".shader"
MODEL_SUFFIXES: Final = (".md3", ".ase", ".obj")

MAX_SCRIPTS: Final = 16 << 20
"""Limit on the bytes of all scripts of a map; the rest is ignored."""

MAX_MODELS: Final = 64 << 20
"""Limit on the bytes of all models of a map; further models count as not found."""

_BLOCK: Final = pattern(rb"\{[^{}]*+\}")
_MODEL: Final = pattern(rb'"model"\s*+"([^"\n]++)"', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GameFiles:
    """What was read of the game's files for a map."""

    scripts: str = ""
    """Text of all shader scripts; "" if there are none."""
    models: tuple[tuple[str, bytes], ...] = ()
    """Name, as entities have it, and bytes of each model that was found."""


NO_FILES: Final = GameFiles()


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A folder or archive that holds files of the game."""

    path: str
    archive: bool

    def scripts(self) -> Iterator[bytes]:
        """Bytes of the shader scripts in it, by name. A folder may also hold the scripts themselves."""
        if self.archive:
            from aascompile.mapio.pk3 import read_scripts

            try:
                yield from read_scripts(self.path, SCRIPT_SUFFIX)
            except MapError:
                return
        else:
            yield from _scripts_of_folder(os.path.join(self.path, "scripts"))

    def file(self, name: str) -> bytes | None:
        """Bytes of a file; None if it is not there. In an archive, the case of its name is ignored."""
        if not self.archive:
            return _read(os.path.join(self.path, *name.split("/")), MAX_MODELS)
        from aascompile.mapio.pk3 import read_beside

        try:
            return read_beside(self.path, name)
        except MapError:
            return None


def files_of(path: str | None, data: bytes, given: Sequence[str] = ()) -> GameFiles:
    """Files that belong to map source. ``given``: scripts, folders or archives of the user, which come first.

    ``path`` is that of the map; None if it is no file.

    Raise a MapError if one of those does not exist or is of another kind.
    """
    texts: list[bytes] = []
    places: list[FilePlace] = []
    for each in given:
        if each.lower().endswith(SCRIPT_SUFFIX):
            text = _read(each, MAX_SCRIPTS)
            if text is None:
                raise MapError(each, "no such file" if not os.path.exists(each) else "cannot be read")
            texts.append(text)
        else:
            places.append(_given_place(each))
            texts += [] if places[-1].archive else _scripts_of_folder(each)
    places += [] if path is None else _places_of(path)
    for place in places:
        texts += place.scripts()
    return GameFiles(decode_text(b"\n".join(texts)[:MAX_SCRIPTS]), tuple(_models(data, places)))


def _given_place(path: str) -> FilePlace:
    """A folder or archive that a user names."""
    if os.path.isdir(path):
        return FilePlace(path, archive=False)
    if not os.path.exists(path):
        raise MapError(path, "no such file or folder")
    if not path.lower().endswith(".pk3"):
        raise MapError(path, f"is no folder, no .pk3 archive and no {SCRIPT_SUFFIX} file")
    from aascompile.mapio.pk3 import map_names

    map_names(path)  # raises if it is no archive
    return FilePlace(path, archive=True)


def _places_of(path: str) -> list[FilePlace]:
    """Where the game would look: the archive of the map; or its folder, the folder above, and the archives there.

    Loose files come before archives, and later archives before earlier, as in the game.
    """
    from aascompile.mapio.load import split_archive

    archive, _ = split_archive(path)
    if archive is not None:
        return [FilePlace(archive, archive=True)]
    folder = os.path.dirname(path)
    above = os.path.join(folder, os.pardir)
    places = [FilePlace(folder, archive=False), FilePlace(above, archive=False)]
    if os.path.basename(os.path.abspath(folder)).lower() == "maps":
        places += [FilePlace(os.path.join(above, name), archive=True) for name in reversed(_names(above, (".pk3",)))]
    return places


def _models(data: bytes, places: Sequence[FilePlace]) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the models that the entities ``misc_model`` of map source name, as far as they are found."""
    seen: set[str] = set()
    left = MAX_MODELS
    for block in _BLOCK.finditer(data):
        if b"misc_model" not in block[0].lower():
            continue
        for found in _MODEL.finditer(block[0]):
            name = decode_text(found[1]).replace("\\", "/")
            if name in seen or not is_model(name):
                continue
            seen.add(name)
            content = next((file for place in places if (file := place.file(name)) is not None), None)
            if content is not None and len(content) <= left:
                left -= len(content)
                yield name, content


def is_model(name: str) -> bool:
    """Whether a name is that of a model which can be read, inside the game's folders."""
    parts = name.split("/")
    return name.lower().endswith(MODEL_SUFFIXES) and not os.path.isabs(name) and os.pardir not in parts


def _names(folder: str, suffixes: tuple[str, ...]) -> list[str]:
    """Names of the files in a folder with one of these endings, sorted; none if it cannot be read."""
    try:
        return sorted(name for name in os.listdir(folder or os.curdir) if name.lower().endswith(suffixes))
    except OSError:
        return []


def _scripts_of_folder(folder: str) -> Iterator[bytes]:
    """Bytes of the scripts that lie in a folder, by name."""
    for name in _names(folder, (SCRIPT_SUFFIX,)):
        text = _read(os.path.join(folder, name), MAX_SCRIPTS)
        if text is not None:
            yield text


def _read(path: str, limit: int) -> bytes | None:
    """Bytes of a file; None if it cannot be read or is too large."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > limit:
            return None
        with open(path, "rb") as file:
            return file.read(limit)
    except (OSError, ValueError):
        return None
