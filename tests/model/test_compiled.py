"""Entities of a compiled map, from their keys as JSON."""

from __future__ import annotations

import json

import pytest

from aascompile.model import compiled
from aascompile.model.compiled import Entities, entity_of
from aascompile.model.mapdata import Entity


@pytest.mark.parametrize("pairs", [(), (("classname", "light"), ("Origin", "1 2 3"), ("classname", 'Ä\n"x'))])
def test_entities_are_as_they_were(pairs: tuple[tuple[str, str], ...]) -> None:
    entity = Entity(pairs)
    stored = Entities.of([entity, entity])
    assert stored.entity(0) == stored.entity(1) == entity


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[["a"]]', '[["a", 1]]', '[["a", "b", "c"]]', "[" * 100_000])
def test_keys_that_are_no_pairs_are_no_entity(text: str) -> None:
    assert entity_of(text) is None
    with pytest.raises(ValueError, match="entity 0"):
        Entities((), Entities.of([]).origin, (text,)).entity(0)


def test_long_texts_are_not_kept() -> None:
    short, long = (json.dumps([["key", letter * compiled.KEPT]]) for letter in ("", "x"))
    assert entity_of(short) is entity_of(short)
    assert entity_of(long) == entity_of(long)
    assert entity_of(long) is not entity_of(long)
