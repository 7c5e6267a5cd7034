"""What all commands share."""

from __future__ import annotations

from aascompile.cli.common import plain


def test_plain_text():
    assert plain("func_door") == "func_door"
    assert plain("a\n\x1b[0m\x00") == "a\\n\\x1b[0m\\x00"
    assert plain("größe") == "größe"
    assert plain("x" * 100, 10) == "xxxxxxx..."
