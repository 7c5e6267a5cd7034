"""Parser of map source (.map): turns the text into rows of numbers, before any geometry.

It reads classic brush lines (also with Valve's texture axes), brushDef, patchDef2 and patchDef3. All patterns are
possessive (``++``), so parsing takes linear time on any text.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from aascompile.errors import MapError
from aascompile.mapio.entity_text import MAX_ENTITIES, MAX_PAIRS
from aascompile.mapio.tokens import QUOTED, Script, unquote
from aascompile.model.contents import Contents
from aascompile.report import Dropped

MAX_PATCH_EDGE: Final = 1023
"""Limit on the control points along an edge of a patch. Editors stop at 31."""

MAX_PRIMITIVES: Final = 1 << 18
"""Limit on brushes and patches together, as in a compiled map: many times what map compilers allow."""

_WORD: Final = r"[^\s(){}\[\]]++"
_POINT: Final = rf"\(\s*+({_WORD})\s++({_WORD})\s++({_WORD})\s*+\)\s*+"
_MATRIX: Final = r"(\(\s*+\([^()]*+\)\s*+\([^()]*+\)\s*+\)\s*+)?+"
_TEXTURE: Final = rf"({QUOTED}|\S++)"
_TAIL: Final = rf"((?:\s++(?:\[[^\[\]]*+\]|{_WORD}))*+)\s*+"
_SIDE: Final = re.compile(3 * _POINT + _MATRIX + _TEXTURE + _TAIL)
_PAIR: Final = re.compile(rf"({QUOTED})\s*+({QUOTED})\s*+")
_KIND: Final = re.compile(r"[A-Za-z]\w*+")
_PATCH: Final = re.compile(rf"{_TEXTURE}\s*+\(([^()]*+)\)\s*+\(\s*+")
_COLUMN: Final = re.compile(r"\(((?:\s*+\([^()]*+\))++)\s*+\)\s*+")
_NOT_FINITE: Final = re.compile(r"[-+]?+\d*+\.?+\d*+#[A-Za-z]++\d*+")
_DETAIL: Final = int(Contents.DETAIL)
"""Infinities and NaN as Microsoft's C library used to print them: ``-1.#IND``, ``1.#QNAN0``."""


@dataclass(slots=True)
class RawMap:
    """Parsed text, before any geometry: growing columns with one row per side, brush or patch."""

    script: Script
    entities: list[list[tuple[str, str]]] = field(default_factory=list)
    shader: dict[str, int] = field(default_factory=dict)
    primitives: int = 0
    point: array[float] = field(default_factory=lambda: array("d"))
    side_shader: array[int] = field(default_factory=lambda: array("i"))
    side_start: list[int] = field(default_factory=lambda: [0])
    detail: list[bool] = field(default_factory=list)
    side_contents: array[int] = field(default_factory=lambda: array("L"))
    side_flags: array[int] = field(default_factory=lambda: array("L"))
    brush_entity: list[int] = field(default_factory=list)
    brush_number: list[int] = field(default_factory=list)
    control: array[float] = field(default_factory=lambda: array("d"))
    patch_size: list[tuple[int, int]] = field(default_factory=list)
    patch_shader: list[int] = field(default_factory=list)
    patch_entity: list[int] = field(default_factory=list)
    patch_number: list[int] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    bits: dict[tuple[str, bool], tuple[int, int]] = field(default_factory=dict)
    """What ``_bits`` found: a map repeats the same few ends of lines. Kept with the map, which bounds its size."""

    def shader_row(self, texture: str) -> int:
        """Row of a texture in the shader table. A new texture is added."""
        return self.shader.setdefault(texture, len(self.shader))

    def bits_of(self, tail: str, matrix: bool) -> tuple[int, int]:
        """Contents and surface flags after a texture."""
        key = (tail, matrix)
        found = self.bits.get(key)
        if found is None:
            found = self.bits[key] = _bits(tail, matrix)
        return found

    def extend(self, column: array[float], words: list[str], at: int) -> None:
        """Append numbers to a column. ``at`` is their position in the text, for errors."""
        before = len(column)
        try:
            column.extend(map(float, words))
        except ValueError:
            del column[before:]
            column.extend(self._number(word, at) for word in words)

    def _number(self, word: str, at: int) -> float:
        try:
            return float(word)
        except ValueError:
            if _NOT_FINITE.fullmatch(word):
                return float("nan")
            raise self.script.error(f"{word[:40]!r} is not a number", at) from None


def parse_source(text: str, name: str) -> RawMap:
    """Parse the source of a map. Text that cannot be parsed raises a MapError."""
    raw = RawMap(Script(text, name))
    _read_entities(raw)
    if not raw.entities:
        raise MapError(name, "has no entities")
    return raw


def _read_entities(raw: RawMap) -> None:
    script = raw.script
    keys = 0
    while script.skip():
        script.expect("{", "at the start of an entity")
        if len(raw.entities) == MAX_ENTITIES:
            raise script.error(f"more than {MAX_ENTITIES:,} entities")
        pairs: list[tuple[str, str]] = []
        raw.entities.append(pairs)
        while (first := script.skip()) != "}":
            if first == '"':
                pair = script.take(_PAIR)
                if pair is None:
                    raise script.error("expected a key and its value, both in quotes")
                pairs.append((unquote(pair[1]), unquote(pair[2])))
                if keys + len(pairs) > MAX_PAIRS:
                    raise script.error(f"more than {MAX_PAIRS:,} entity keys")
            elif first == "{":
                if raw.primitives == MAX_PRIMITIVES:
                    raise script.error(f"more than {MAX_PRIMITIVES:,} brushes and patches")
                script.at += 1
                _read_primitive(raw)
            elif first:
                raise script.error("expected a key, a brush or the end of the entity")
            else:
                raise script.error("the file ends inside an entity")
        keys += len(pairs)
        script.at += 1


def _read_primitive(raw: RawMap) -> None:
    """Read a brush or a patch, from after its opening brace."""
    script = raw.script
    script.skip()
    kind = script.take(_KIND)
    if kind is None:
        _read_sides(raw)
    else:
        read = {"brushdef": _read_sides, "patchdef2": _read_patch, "patchdef3": _read_patch}.get(kind[0].lower())
        if script.skip() != "{":
            raise script.error(f"expected a block after {kind[0][:40]!r}")
        if read is None:
            script.skip_block()
            raw.dropped.append(Dropped("brush", raw.primitives, f"is a {kind[0][:40]!r}, which is not supported"))
        else:
            script.at += 1
            script.skip()
            read(raw)
            script.expect("}", f"at the end of {kind[0][:40]}")
    script.expect("}", "at the end of a brush")
    raw.primitives += 1


def _read_sides(raw: RawMap) -> None:
    """Read the sides of a brush, up to its closing brace."""
    script, text = raw.script, raw.script.text
    at = script.at
    detail = False
    while (side := _SIDE.match(text, at)) is not None:
        *words, matrix, texture, tail = side.groups()
        raw.extend(raw.point, words, at)
        raw.side_shader.append(raw.shader_row(texture))
        contents, flags = (0, 0) if tail.endswith(" 0 0 0") else raw.bits_of(tail, matrix is not None)
        raw.side_contents.append(contents)
        raw.side_flags.append(flags)
        detail = detail or contents & _DETAIL != 0
        at = side.end()
    script.at = at
    if script.skip() not in ("}", ""):
        raise script.error("expected a side of a brush: three points and a texture")
    raw.side_start.append(len(raw.side_shader))
    raw.detail.append(detail)
    raw.brush_entity.append(len(raw.entities) - 1)
    raw.brush_number.append(raw.primitives)


def _bits(tail: str, matrix: bool) -> tuple[int, int]:
    """Contents and surface flags after a texture. Compilers of Quake III use the detail bit alone."""
    words = tail.rpartition("]")[2].split()
    column = 0 if matrix else 3 if "]" in tail else 5
    try:
        contents, flags = (int(word) & 0xFFFFFFFF for word in (*words[column : column + 2], "0", "0")[:2])
    except ValueError:
        return 0, 0
    return contents, flags


def _read_patch(raw: RawMap) -> None:
    """Read a patch's texture, size and columns of control points, up to its closing brace."""
    script = raw.script
    start = script.at
    head = script.take(_PATCH)
    if head is None:
        raise script.error("expected the texture, the size and the control points of a patch")
    size = array("d")
    raw.extend(size, head[2].split(), start)
    if len(size) < 2 or not all(1 <= edge <= MAX_PATCH_EDGE and edge == int(edge) for edge in size[:2]):
        raise script.error(f"the size of a patch must be two integers from 1 to {MAX_PATCH_EDGE}", start)
    width, height = int(size[0]), int(size[1])
    columns: list[array[float]] = []
    while (column := script.take(_COLUMN)) is not None:
        points = column[1].replace("(", " ").split(")")[:-1]
        values = array("d")
        for point in points:
            raw.extend(values, point.split()[:3], column.start())
        if len(values) != 3 * height or len(points) != height:
            raise script.error(
                f"each column of a {width}×{height} patch must have {height} points with 3 coordinates", column.start()
            )
        columns.append(values)
    script.expect(")", "after the control points of a patch")
    if len(columns) != width:
        raise script.error(f"a {width}×{height} patch must have {width} columns, not {len(columns)}", start)
    if width < 3 or height < 3 or width % 2 == 0 or height % 2 == 0:
        raw.dropped.append(Dropped("patch", raw.primitives, f"is {width}×{height}; both must be odd and at least 3"))
        return
    # The file stores columns, the records store rows.
    raw.control.extend(np.array(columns).reshape(width, height, 3).transpose(1, 0, 2).ravel())
    raw.patch_size.append((width, height))
    raw.patch_shader.append(raw.shader_row(head[1]))
    raw.patch_entity.append(len(raw.entities) - 1)
    raw.patch_number.append(raw.primitives)
