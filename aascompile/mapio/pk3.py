"""Maps inside the game's archives: ``pak.pk3/maps/x.bsp``. A .pk3 is a zip file.

An archive is as hostile as any file: what is read of it is bounded, whatever its directory promises.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from posixpath import basename
from typing import Final

from aascompile.errors import MapError
from aascompile.mapio.limits import MAP_SUFFIXES, MAX_BYTES

MAX_DIRECTORY: Final = 16 << 20
"""Bytes of an archive's directory, some 200,000 files; also the most that is read at once."""

_CHUNK: Final = 1 << 20
_READABLE: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Ways of packing that the engine knows; others can ask for gigabytes of memory before the first byte."""
_ENCRYPTED: Final = 0x1
_BROKEN: Final = (zlib.error, struct.error, EOFError, ValueError, LookupError, ArithmeticError, RuntimeError)
"""What zipfile lets slip, besides BadZipFile, when a directory lies."""
_NAMES_COMPARED: Final = 2000
_NAME_COMPARED: Final = 100


class _BoundedFile(io.FileIO):
    """A file of which nobody reads too much at once: zipfile believes what a directory says of its own size."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_DIRECTORY:
            raise zipfile.BadZipFile(f"its directory would have {size >> 20:,} MB")
        return super().read(-1 if size is None else size) or b""


@contextmanager
def _opened(archive: str) -> Iterator[zipfile.ZipFile]:
    """The archive; whatever is wrong with it becomes one MapError."""
    try:
        with _BoundedFile(archive) as file, zipfile.ZipFile(file) as pack:
            yield pack
    except MapError:
        raise
    except zipfile.BadZipFile as error:
        text = str(error)
        what = "is not a .pk3 archive" if "not a zip file" in text else f"is a broken archive: {text[:200]}"
        raise MapError(archive, what) from None
    except FileNotFoundError:
        raise MapError(archive, "no such file") from None
    except OSError as error:
        raise MapError(archive, f"cannot be read: {error.strerror or error}") from None
    except _BROKEN:
        raise MapError(archive, "is a broken archive: its directory or a file in it is damaged") from None


def _spelt(member: str) -> str:
    """A member's name as names are compared: in lower case, with the slashes that some Windows tools turn."""
    return member.replace("\\", "/").lower()


def _maps(pack: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The maps of an archive by their compared names; of one name the last counts. Unprintable names are passed by."""
    return {
        _spelt(info.filename): info
        for info in pack.infolist()
        if _spelt(info.filename).endswith(MAP_SUFFIXES) and info.filename.isprintable()
    }


def map_names(archive: str) -> list[str]:
    """Names of the maps inside an archive, sorted."""
    with _opened(archive) as pack:
        return sorted(info.filename for info in _maps(pack).values())


def member_size(archive: str, member: str) -> int:
    """Bytes that the archive says a map has; 0 for one that is not there."""
    with _opened(archive) as pack:
        info = _maps(pack).get(_spelt(member))
        return info.file_size if info else 0


def read_member(archive: str, member: str) -> bytes:
    """The bytes of one map inside an archive, whatever the case of its name."""
    name = f"{archive}/{member}"
    with _opened(archive) as pack:
        maps = _maps(pack)
        info = maps.get(_spelt(member))
        if info is None:
            raise MapError(archive, f"holds no map {member!r}{_suggestion(member, maps)}")
        if info.flag_bits & _ENCRYPTED:
            raise MapError(name, "is encrypted")
        if info.compress_type not in _READABLE:
            raise MapError(name, f"is packed by method {info.compress_type}; stored and deflated files are read")
        return _unpack(pack, info, name)


def _unpack(pack: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    """Unpacks a file piece by piece, so that a small one cannot grow without end."""
    pieces: list[bytes] = []
    size = 0
    try:
        with pack.open(info) as packed:
            while piece := packed.read(_CHUNK):
                size += len(piece)
                if size > MAX_BYTES:
                    raise MapError(name, f"has more than {MAX_BYTES >> 20} MB unpacked")
                pieces.append(piece)
    except zipfile.BadZipFile as error:
        fault = "its checksum (CRC) does not match" if "CRC" in str(error) else "its entry in the archive is damaged"
        raise MapError(name, f"is damaged: {fault}") from None
    except (zlib.error, EOFError):
        raise MapError(name, "is damaged: it cannot be unpacked") from None
    return b"".join(pieces)


def _suggestion(member: str, maps: dict[str, zipfile.ZipInfo]) -> str:
    """What may have been meant, as the end of a sentence."""
    if not maps:
        return ", nor any other"
    by_base: dict[str, str] = {}
    for spelt, info in maps.items():
        if len(by_base) < _NAMES_COMPARED and len(spelt) <= _NAME_COMPARED:
            by_base.setdefault(basename(spelt), info.filename)
    near = get_close_matches(basename(_spelt(member))[:_NAME_COMPARED], by_base, 3)
    return f": did you mean {' or '.join(by_base[base] for base in near)}?" if near else ""
