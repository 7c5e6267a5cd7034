"""Damage to map files, as from bad disks, bad tools and attackers. All choices come from the given Random."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Callable, Sequence
from random import Random

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
    '"model" "*1"', '"classname" "worldspawn"', "é", "𝄞", "#", "( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) x 0 0 0 1 1",
)  # fmt: skip
SURFACE_BYTES = 104
BRUSHES, SURFACES = 8, 13
ROW_BYTES = {1: 72, 2: 16, 7: 40, BRUSHES: 12, 9: 8, 10: 44, SURFACES: SURFACE_BYTES}
FLOAT_LUMPS = (2, 7, 10)
LARGEST = 4 << 20
"""Bytes that a mutated file may grow to."""


def mutate(suffix: str, data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Damage a file of this kind one to four times. ``others`` are files of the same kind to take pieces from."""
    kinds = {".bsp": BSP, ".map": TEXT, ".pk3": ARCHIVE}[suffix]
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        data = rng.choice(kinds)(data, others, rng)[:LARGEST]
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
                contents = mutate(suffix, contents, [], rng)
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
ARCHIVE: tuple[Damage, ...] = (*ANY, repack, repack, repack, archive_field, archive_field)
