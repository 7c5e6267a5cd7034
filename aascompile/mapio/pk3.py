"""Reader of maps inside the game's archives: ``pak.pk3/maps/x.bsp``. A .pk3 is a zip file.

An archive may be hostile. The number of bytes read from it is bounded, whatever its directory claims.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from posixpath import basename
from typing import Final

from aascompile.errors import MapError
from aascompile.mapio.limits import MAP_SUFFIXES, MAX_BYTES

MAX_DIRECTORY: Final = 16 << 20
"""Limit on the bytes of an archive's directory, some 200,000 files, and on a single read."""

_CHUNK: Final = 1 << 20
_READABLE: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Compression methods that the engine supports. Others can demand gigabytes of memory before the first byte."""
_ENCRYPTED: Final = 0x1
_BROKEN: Final = (zlib.error, struct.error, EOFError, ValueError, LookupError, ArithmeticError, RuntimeError)
"""Exceptions, besides BadZipFile, that escape from zipfile when a directory is wrong."""
_NAMES_COMPARED: Final = 2000
_NAME_COMPARED: Final = 100


class _BoundedFile(io.FileIO):
    """A file that limits the size of a single read: zipfile trusts the directory size stated in the archive."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_DIRECTORY:
            raise zipfile.BadZipFile(f"its directory claims {size >> 20:,} MB")
        return super().read(-1 if size is None else size) or b""


@contextmanager
def _opened(archive: str) -> Iterator[zipfile.ZipFile]:
    """Open an archive. Every failure becomes a MapError."""
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


def normalised(member: str) -> str:
    """Name of a member in the form used for comparison: lower case, with forward slashes."""
    return member.replace("\\", "/").lower()


def _maps(pack: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Maps of an archive by normalised name. The last entry with a name wins; unprintable names are ignored."""
    return {
        normalised(info.filename): info
        for info in pack.infolist()
        if normalised(info.filename).endswith(MAP_SUFFIXES) and info.filename.isprintable()
    }


def map_names(archive: str) -> list[str]:
    """Names of the maps inside an archive, sorted."""
    with _opened(archive) as pack:
        return sorted(info.filename for info in _maps(pack).values())


def map_sizes(archive: str) -> dict[str, int]:
    """Unpacked sizes of all maps inside an archive, as it states them, in bytes, by normalised name."""
    with _opened(archive) as pack:
        return {name: info.file_size for name, info in _maps(pack).items()}


def read_member(archive: str, member: str) -> bytes:
    """Bytes of a map inside an archive. The case of its name is ignored."""
    name = f"{archive}/{member}"
    with _opened(archive) as pack:
        maps = _maps(pack)
        info = maps.get(normalised(member))
        if info is None:
            raise MapError(archive, f"holds no map {member!r}{_suggestion(member, maps)}")
        if info.flag_bits & _ENCRYPTED:
            raise MapError(name, "is encrypted")
        if info.compress_type not in _READABLE:
            raise MapError(
                name, f"uses compression method {info.compress_type}; only stored and deflated files are supported"
            )
        return _unpack(pack, info, name)


def read_beside(archive: str, member: str) -> bytes | None:
    """Bytes of a file inside an archive that need not be there; the last with the name, whose case is ignored."""
    wanted = normalised(member)
    with _opened(archive) as pack:
        found = [info for info in pack.infolist() if normalised(info.filename) == wanted]
        if not found or found[-1].compress_type not in _READABLE:
            return None
        return _unpack(pack, found[-1], f"{archive}/{member}")


def read_scripts(archive: str, suffix: str) -> list[bytes]:
    """Bytes of all files in the archive's folder ``scripts`` with a suffix, in order of their names."""
    with _opened(archive) as pack:
        wanted = re.compile(rf"scripts/[^/]+{re.escape(suffix)}", re.IGNORECASE)
        chosen = sorted((i for i in pack.infolist() if wanted.fullmatch(i.filename)), key=lambda info: info.filename)
        return [_unpack(pack, info, f"{archive}/{info.filename}") for info in chosen if info.compress_type in _READABLE]


def _unpack(pack: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    """Unpack a file piece by piece, so that a small archive cannot expand without limit."""
    pieces: list[bytes] = []
    size = 0
    try:
        with pack.open(info) as packed:
            while piece := packed.read(_CHUNK):
                size += len(piece)
                if size > MAX_BYTES:
                    raise MapError(name, f"is larger than {MAX_BYTES >> 20} MB when unpacked")
                pieces.append(piece)
    except zipfile.BadZipFile as error:
        fault = "its checksum (CRC) does not match" if "CRC" in str(error) else "its entry in the archive is damaged"
        raise MapError(name, f"is damaged: {fault}") from None
    except (zlib.error, EOFError):
        raise MapError(name, "is damaged: it cannot be unpacked") from None
    return b"".join(pieces)


def _suggestion(member: str, maps: dict[str, zipfile.ZipInfo]) -> str:
    """End of the error sentence: similar names, if any."""
    if not maps:
        return " or any other map"
    by_base: dict[str, str] = {}
    for name, info in maps.items():
        if len(by_base) < _NAMES_COMPARED and len(name) <= _NAME_COMPARED:
            by_base.setdefault(basename(name), info.filename)
    from difflib import get_close_matches

    near = get_close_matches(basename(normalised(member))[:_NAME_COMPARED], by_base, 3)
    return f"; did you mean {' or '.join(by_base[base] for base in near)}?" if near else ""
