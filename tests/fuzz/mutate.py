"""Damage to files of every kind, as from bad disks, bad tools and attackers. All choices come from the given Random."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

EXTREME_INTS = (0, 1, -1, 2, 3, 7, 255, 1024, 65535, 65536, 10**6, 2**24, 2**30, 2**31 - 1, 2**31 - 8, -(2**31), -1024)
EXTREME_FLOATS = (
    float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1e-45, 1e-38, 1e-6, 1.0, -1.0, 0.5, 32767.99, 65536.0,
    131072.0, 1e6, 1e12, 3.4e38, -3.4e38,
)  # fmt: skip
EXTREME_WORDS = (
    "nan", "inf", "-inf", "1e308", "-1e308", "1e999", "1e-320", "0", "-0", "1.#QNAN", "99999999999999999999", "0x10",
    "1_0", "*", "*0", "*1", "*-1", "*99999", "", "٣", "1e30 1e30 1e30", "nan nan nan", "131072", "16777217",
    "-2147483648",
)  # fmt: skip
PIECES = (
    "{", "}", "(", ")", "[", "]", '"', "\\", '\\"', "//", "/*", "*/", "\n", "\r", "\0", "\ufeff", " ", "\t", '""',
    "{}", "}{", "( ( (", "patchDef2", "patchDef3", "brushDef", "brushDef3", "terrainDef", '"classname" "func_door"',
    '"model" "*1"', '"model" "x.md3"', '"classname" "worldspawn"', "é", "𝄞", "#",
    "( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) x 0 0 0 1 1",
)  # fmt: skip
SURFACE_BYTES = 104
BRUSHES, SURFACES = 8, 13
ROW_BYTES = {1: 72, 2: 16, 7: 40, BRUSHES: 12, 9: 8, 10: 44, SURFACES: SURFACE_BYTES}
FLOAT_LUMPS = (2, 7, 10)
LARGEST = 4 << 20
"""Bytes that a mutated file may grow to."""


def mutate(kind: str, data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Damage a file of this kind one to four times. ``others`` are files of the same kind to take pieces from."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        data = rng.choice(KINDS[kind])(data, others, rng)[:LARGEST]
    return data


# --- any file ---------------------------------------------------------------------------------------------------------


def truncate(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def flip_bits(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 64)) if data else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def splice(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Insert or overwrite with a piece of this or another file."""
    source = rng.choice((data, *others))
    start = rng.randrange(len(source) + 1)
    piece = source[start : start + rng.choice((1, 4, 16, 100, 5000))]
    at = rng.randrange(len(data) + 1)
    return data[:at] + piece + data[at + rng.choice((0, len(piece))) :]


def remove(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice((1, 4, 16, 100, 5000)) :]


def blank(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    size = min(rng.choice((1, 4, 16, 100, 5000)), len(data) - at)
    return data[:at] + rng.choice((b"\0", b"\xff", b" ", b'"')) * size + data[at + size :]


# --- compiled maps ----------------------------------------------------------------------------------------------------


def lump_place(data: bytes, lump: int) -> tuple[int, int]:
    """Offset and length of a lump, (0, 0) if the directory is already broken."""
    if len(data) < 144:
        return 0, 0
    offset, length = struct.unpack_from("<ii", data, 8 + 8 * lump)
    return (offset, length) if 0 <= offset <= offset + length <= len(data) else (0, 0)


def put(data: bytes, at: int, word: bytes) -> bytes:
    return data[:at] + word + data[at + len(word) :] if 0 <= at <= len(data) - len(word) else data


def with_lump(data: bytes, lump: int, contents: bytes) -> bytes:
    """The file with new contents of a lump appended."""
    return put(data, 8 + 8 * lump, struct.pack("<ii", len(data), len(contents))) + contents


def directory_entry(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    near = len(data) + rng.randint(-200, 200)
    value = rng.choice((*EXTREME_INTS, near, -near, rng.randint(-(2**31), 2**31 - 1)))
    return put(data, 8 + 4 * rng.randrange(34), struct.pack("<i", max(-(2**31), min(value, 2**31 - 1))))


def swap_lumps(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    first, second = (8 + 8 * rng.choice((0, *ROW_BYTES)) for _ in range(2))
    return put(put(data, first, data[second : second + 8]), second, data[first : first + 8])


def lump_int(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Put extreme integers into rows of a lump."""
    lump = rng.choice(list(ROW_BYTES))
    offset, length = lump_place(data, lump)
    for _ in range(rng.choice((1, 1, 4, 40))):
        value = rng.choice((*EXTREME_INTS, rng.randrange(64)))
        data = put(data, offset + 4 * rng.randrange(max(length // 4, 1)), struct.pack("<i", value))
    return data


def lump_float(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    lump = rng.choice(FLOAT_LUMPS)
    offset, length = lump_place(data, lump)
    for _ in range(rng.choice((1, 1, 4, 40))):
        value = rng.choice((*EXTREME_FLOATS, rng.uniform(-200, 200)))
        data = put(data, offset + 4 * rng.randrange(max(length // 4, 1)), struct.pack("<f", value))
    return data


def patch_size(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Turn a surface into a patch of random size."""
    offset, length = lump_place(data, 13)
    at = offset + SURFACE_BYTES * rng.randrange(max(length // SURFACE_BYTES, 1))
    data = put(data, at + 8, struct.pack("<i", 2))
    sizes = [rng.choice((3, 5, 9, 31, 129, *EXTREME_INTS)) for _ in range(2)]
    return put(data, at + 96, struct.pack("<2i", *sizes))


def repeat_rows(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Repeat the rows of a lump many times, and assign all its brushes or surfaces to the world."""
    lump = rng.choice((*ROW_BYTES, BRUSHES, SURFACES))
    offset, length = lump_place(data, lump)
    times = min(rng.choice((2, 3, 50, 1000)), (LARGEST - len(data)) // max(length, 1))
    rows = data[offset : offset + length] * times
    if lump in (BRUSHES, SURFACES):
        world = lump_place(data, 7)[0] + (24 if lump == SURFACES else 32)
        data = put(data, world, struct.pack("<2i", 0, len(rows) // ROW_BYTES[lump]))
    return with_lump(data, lump, rows)


def entity_text(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    offset, length = lump_place(data, 0)
    text = data[offset : offset + length]
    for _ in range(rng.choice((1, 1, 3, 10))):
        text = rng.choice(TEXT)(text, [], rng)[: LARGEST // 4]
    return with_lump(data, 0, text)


def any_lump(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Put extreme words into any lump of a format whose rows are not listed here."""
    offset, length = lump_place(data, rng.randrange(17))
    for _ in range(rng.choice((1, 1, 4, 40))):
        number = struct.pack("<i", rng.choice((*EXTREME_INTS, rng.randrange(64))))
        real = struct.pack("<f", rng.choice((*EXTREME_FLOATS, rng.uniform(-200, 200))))
        data = put(data, offset + 4 * rng.randrange(max(length // 4, 1)), rng.choice((number, real)))
    return data


def any_word(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Put extreme words anywhere into a binary file."""
    for _ in range(rng.choice((1, 1, 4, 20))):
        value = rng.choice((*EXTREME_INTS, rng.randrange(256)))
        data = put(data, 4 * rng.randrange(max(len(data) // 4, 1)), struct.pack("<i", value))
    return data


# --- compiled files ---------------------------------------------------------------------------------------------------


def change_column(column: NDArray[Any], rng: Random) -> NDArray[Any]:
    """A column of numbers with extreme or misplaced values."""
    changed = column.copy().reshape(-1)
    if not len(changed):
        return column
    way = rng.randrange(6)
    if way == 0:
        return column[::-1].copy()
    if way == 1:
        return np.roll(column, rng.choice((1, -1, 7)), axis=0)
    if way == 2:
        return column[rng.sample(range(len(column)), len(column))] if len(column) < 4096 else column[::-1].copy()
    values: tuple[float, ...] = EXTREME_FLOATS if changed.dtype.kind == "f" else EXTREME_INTS
    for _ in range(rng.choice((1, 1, 4, 40))):
        at, value = rng.randrange(len(changed)), rng.choice(values)
        if way == 3:
            changed[at] = changed[rng.randrange(len(changed))]
        elif changed.dtype.kind == "f":
            changed[at] = np.float32(value) if way == 4 else changed[at] + rng.choice((-1.0, 1.0, 64.0, -1000.0, 1e6))
        else:
            size = np.iinfo(changed.dtype)
            wanted = int(value) if way == 4 else int(changed[at]) + rng.choice((-1, 1, 2, -2))
            changed[at] = (wanted - int(size.min)) % (int(size.max) - int(size.min) + 1) + int(size.min)
    return changed.reshape(column.shape)


def hdf_columns(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """An intact HDF5 file with damaged columns or texts."""
    parts = _hdf_parts(data)
    if parts is None:
        return data
    columns, texts = dict(parts[0]), dict(parts[1])
    for _ in range(rng.choice((1, 1, 2, 5))):
        if rng.random() < 0.15:
            name = rng.choice(sorted(texts))
            texts[name] = rng.choice(TEXT)(texts[name].encode(), [], rng).decode("latin-1")
        else:
            name = rng.choice(sorted(columns))
            columns[name] = change_column(columns[name], rng)
    return _hdf_file(columns, texts)


@lru_cache(maxsize=16)  # they are large
def _hdf_parts(data: bytes) -> tuple[dict[str, NDArray[Any]], dict[str, str]] | None:
    """Columns and texts of a compiled file; None if it is already damaged."""
    import h5py

    columns: dict[str, NDArray[Any]] = {}
    try:
        with h5py.File(io.BytesIO(data), "r") as file:
            texts = {name: _text(file.attrs[name]) for name in file.attrs}
            for table in file["aas"].values():
                columns |= {each.name: each[()] for each in table.values()}
    except Exception:  # already damaged
        return None
    return columns, texts


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


LONGEST = 30_000
"""Characters of an attribute that fit into its header, if each takes two bytes."""


def _hdf_file(columns: dict[str, NDArray[Any]], texts: dict[str, str]) -> bytes:
    from aascompile.store.hdf_writer import HdfWriter

    writer = HdfWriter()
    for name, text in texts.items():
        if name in ("format_version", "checksum") and text.removeprefix("-").isdecimal() and len(text) < 18:
            writer.number(writer.root, name, int(text))
        else:
            writer.text(writer.root, name, text[:LONGEST])
    group = writer.group(writer.root, "aas")
    tables: dict[str, Any] = {}
    for path, column in columns.items():
        _, _, table, name = path.split("/")
        if table not in tables:
            tables[table] = writer.group(group, table)
        writer.column(tables[table], name, column)
    return writer.finish()


def engine_columns(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """An engine's file with an intact header and damaged rows."""
    from aascompile.store.engine_lumps import pack, unpack, version_of

    try:
        found, checksum = unpack(data)
        version = version_of(data)
    except Exception:  # already damaged
        return data
    lumps = {name: rows.copy() for name, rows in found.items()}
    for _ in range(rng.choice((1, 1, 2, 5))):
        name = rng.choice(sorted(lumps))
        rows = lumps[name]
        if rng.random() < 0.15:
            lumps[name] = rng.choice((rows[:-1], rows[:1], rows[:0], np.concatenate([rows, rows])))
        else:
            field = rng.choice(rows.dtype.names)
            rows[field] = change_column(rows[field], rng)
    return pack(lumps, checksum, rng.choice((version, version, version, 4, 5, 8)))


# --- text -------------------------------------------------------------------------------------------------------------


def insert_piece(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    piece = rng.choice((*PIECES, *EXTREME_WORDS)).encode()
    return data[:at] + piece * rng.choice((1, 1, 1, 2, 1000, 50_000)) + data[at:]


def replace_number(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    numbers = list(re.finditer(rb"-?\d[\d.]*", data))
    for found in sorted(rng.sample(numbers, min(len(numbers), rng.choice((1, 1, 3, 20)))), key=lambda f: -f.start()):
        data = data[: found.start()] + rng.choice(EXTREME_WORDS).encode() + data[found.end() :]
    return data


def shuffle_lines(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Remove, duplicate or move lines."""
    lines = data.split(b"\n")
    for _ in range(rng.choice((1, 1, 2, 20))):
        at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
        line = lines[at]
        if rng.random() < 0.6 and len(lines) > 1:
            del lines[at]
        if rng.random() < 0.6:
            lines.insert(to, line)
    return b"\n".join(lines)


def swap_words(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    words = re.split(rb"(\s+)", data)
    for _ in range(rng.choice((1, 2, 20))):
        at, to = rng.randrange(len(words)), rng.randrange(len(words))
        words[at], words[to] = words[to], words[at]
    return b"".join(words)


def repeat_chunk(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    chunk = data[at : at + rng.choice((1, 10, 100, 2000))]
    return data[:at] + chunk * rng.choice((2, 10, 300)) + data[at:]


# --- archives ---------------------------------------------------------------------------------------------------------


def repack(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Build an intact archive of a damaged map."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # already damaged
        return data
    packed = io.BytesIO()
    method = rng.choice(
        (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    )
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, contents in files.items():
            suffix = name[-4:].lower()
            if suffix in (".bsp", ".map"):
                contents = mutate(suffix[1:], contents, [], rng)
            if rng.random() < 0.02:
                contents = bytes(rng.choice((100, LARGEST, 8 * LARGEST)))
            if rng.random() < 0.1:
                name = rng.choice(("maps/", "../", "/", "\n", "é", "maps\\")) + name
            archive.writestr(name, contents)
    return packed.getvalue()


def archive_field(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Put an extreme value into a header of the archive."""
    signature = rng.choice((b"PK\1\2", b"PK\3\4", b"PK\5\6"))
    places = [found.start() for found in re.finditer(re.escape(signature), data)]
    if not places:
        return data
    at = rng.choice(places) + 4 + 2 * rng.randrange(20)
    size = rng.choice((2, 4))
    return put(data, at, (rng.choice(EXTREME_INTS) % 256**size).to_bytes(size, "little"))


Damage = Callable[[bytes, Sequence[bytes], Random], bytes]
ANY: tuple[Damage, ...] = (truncate, flip_bits, splice, remove, blank)
TEXT: tuple[Damage, ...] = (
    *ANY,
    insert_piece,
    insert_piece,
    replace_number,
    replace_number,
    shuffle_lines,
    swap_words,
    repeat_chunk,
)
BSP: tuple[Damage, ...] = (
    *ANY, directory_entry, directory_entry, swap_lumps, lump_int, lump_int, lump_int, lump_int, lump_float, lump_float,
    lump_float, lump_float, patch_size, patch_size, repeat_rows, entity_text, entity_text,
)  # fmt: skip
LUMPS: tuple[Damage, ...] = (
    *ANY, directory_entry, swap_lumps, any_lump, any_lump, any_lump, any_lump, any_lump, entity_text
)  # fmt: skip
ENGINE: tuple[Damage, ...] = (*ANY, engine_columns, engine_columns, engine_columns, engine_columns, engine_columns)
MODEL: tuple[Damage, ...] = (*TEXT, any_word, any_word, any_word, any_word)
HDF: tuple[Damage, ...] = (*ANY, *[hdf_columns] * 15)
ARCHIVE: tuple[Damage, ...] = (*ANY, repack, repack, repack, archive_field, archive_field)

KINDS: dict[str, tuple[Damage, ...]] = {
    "bsp": BSP,
    "raven": LUMPS,
    "quake2": LUMPS,
    "map": TEXT,
    "pk3": ARCHIVE,
    "hdf": HDF,
    "aas": ENGINE,
    "model": MODEL,
    "cache": ANY,
    "table": ANY,
    **dict.fromkeys(("shader", "cfg", "settings", "game", "baseline", "links"), TEXT),
}
"""Kind of file → ways to damage it."""
