"""Parser of entity text: blocks of keys and values in braces, as a compiled map stores them.

Limits keep a hostile file from exhausting memory. Real maps stay a hundred times below them.
"""

from __future__ import annotations

from typing import Final

from aascompile.mapio.tokens import QUOTED, Script, unquote
from aascompile.model.mapdata import Entity
from aascompile.patterns import pattern

MAX_ENTITIES: Final = 1 << 16
MAX_PAIRS: Final = 1 << 19
"""Limit on the number of keys, over all entities."""

_WORD: Final = rf'(?:{QUOTED}|[^\s{{}}"]++)'
_PAIR: Final = pattern(rf"({_WORD})\s*+({_WORD})\s*+")
_PLAIN_PAIR: Final = pattern(r'"([^"\\\n]*+)"\s*+"([^"\\\n]*+)"\s*+')
"""A pair as most are: two quoted strings without a backslash."""
_HALF_PAIR: Final = pattern(_WORD)
SHOWN: Final = 40
"""Characters of an invalid word that an error quotes."""


def decode_text(data: bytes) -> str:
    """Text of a map: UTF-8 if it decodes, otherwise Latin-1, which accepts every byte."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def parse_entities(text: str, name: str) -> tuple[Entity, ...]:
    """All entities in file order. A missing brace, value or quote raises a MapError with the line."""
    script = Script(text, name)
    entities: list[Entity] = []
    pairs_left = MAX_PAIRS
    while script.skip():
        if len(entities) == MAX_ENTITIES:
            raise script.error(f"more than {MAX_ENTITIES:,} entities")
        if script.text[script.at] != "{":
            found = _HALF_PAIR.match(script.text, script.at)
            word = found.group() if found else script.text[script.at]
            raise script.error(f"expected '{{' before entity {len(entities)}, found {word[:SHOWN]!r}")
        pairs = _read_pairs(script, len(entities), pairs_left)
        pairs_left -= len(pairs)
        entities.append(Entity(tuple(pairs)))
    return tuple(entities)


def _next_pair(script: Script) -> tuple[str, str] | None:
    """Advance past a key and its value, and return them; None if no pair follows."""
    found = script.take(_PLAIN_PAIR)
    if found is not None:
        return found[1], found[2]
    if script.text.startswith("}", script.at):
        return None
    found = script.take(_PAIR)
    return None if found is None else (unquote(found[1]), unquote(found[2]))


def _read_pairs(script: Script, row: int, limit: int) -> list[tuple[str, str]]:
    """Read the keys and values of the entity at the current position, including its closing brace."""
    opened = script.at
    script.at += 1
    script.skip()
    pairs: list[tuple[str, str]] = []
    while pair := _next_pair(script):
        if len(pairs) == limit:
            raise script.error(f"more than {MAX_PAIRS:,} entity keys")
        pairs.append(pair)
    after = script.skip()
    if after == "}":
        script.at += 1
        return pairs
    if script.ended:
        raise script.error(f"entity {row} is never closed", opened)
    if after == "{":
        raise script.error(f"entity {row} is not closed before the next entity starts")
    key = script.take(_HALF_PAIR)
    if key is None:
        raise script.error(f"entity {row} has an unterminated quoted string")
    if script.skip() == '"':
        raise script.error(f"entity {row} has an unterminated quoted string")
    raise script.error(f"entity {row} has no value for the key {unquote(key.group())[:SHOWN]!r}")
