"""Helpers that all commands share."""

from __future__ import annotations

from aascompile.cli.common import printable


def test_text_is_made_printable():
    assert printable("func_door") == "func_door"
    assert printable("a\n\x1b[0m\x00") == "a\\n\\x1b[0m\\x00"
    assert printable("größe") == "größe"
    assert printable("x" * 100, 10) == "xxxxxxx..."
