"""Patterns that are compiled later are those that ``re.compile`` makes."""

from __future__ import annotations

import re

import pytest

from aascompile import patterns
from aascompile.patterns import pattern


def test_a_pattern_is_compiled_when_it_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[object, int]] = []

    def compiled(text: str, flags: int) -> re.Pattern[str]:
        made.append((text, flags))
        return re.compile(text, flags)

    monkeypatch.setattr(patterns, "_compile", compiled)
    later = pattern("a(b)", re.IGNORECASE)
    assert made == []
    found = later.fullmatch("AB")
    assert found is not None
    assert found[1] == "B"
    assert [later.fullmatch("x"), later.pattern, later.groups] == [None, "a(b)", 1]
    assert made == [("a(b)", re.IGNORECASE)] * 3, "an attribute is looked up once"


def test_a_faulty_pattern_is_refused_when_it_is_used() -> None:
    later = pattern("(")
    with pytest.raises(re.error):
        later.match("x")
