"""Scanner for id's script texts: comments, quoted strings, and errors that name the line."""

from __future__ import annotations

import re
from typing import Final

from aascompile.errors import MapError
from aascompile.patterns import pattern

QUOTED: Final = r'"(?:[^"\\\n]++|\\(?="[^\S\n]*+(?:\n|\Z))|\\[^\n])*+"'
r"""A quoted string on one line. ``\"`` is a quote inside it, except at the end of a line, where it ends it:
``"c:\dir\"``."""

_OPEN: Final = r'"[^\n]*+'
"""An unterminated string: the rest of its line is skipped, so that no text is scanned twice."""

_COMMENT: Final = pattern(rf"{QUOTED}|{_OPEN}|//(?<!\S//)[^\n]*+|/\*.*?(?:\*/|\Z)", re.DOTALL)
"""Comments, and also quoted strings, so that they are skipped. A double slash inside a word, as in a texture's path,
does not start a comment."""

_SPACE: Final = pattern(r"\s*+")
_BRACE: Final = pattern(rf"{QUOTED}|{_OPEN}|[{{}}]")


class Script:
    """A text with its comments blanked out, and the current position in it."""

    def __init__(self, text: str, name: str) -> None:
        text = text.removeprefix("\ufeff")
        if "\n" not in text:
            text = text.replace("\r", "\n")
        self.name = name
        self.text = _COMMENT.sub(_blank, text) if "//" in text or "/*" in text else text
        self.at = 0

    def skip(self) -> str:
        """Advance to the next non-space character and return it; "" at the end."""
        found = _SPACE.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return self.text[self.at : self.at + 1]

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match a pattern at the current position and advance past it. Return None, without moving, if it fails."""
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def expect(self, character: str, what: str) -> None:
        """Advance past a character that must come next. ``what`` says where it was expected."""
        if self.skip() != character:
            raise self.error(f"the file ends {what}" if self.ended else f"expected {character!r} {what}")
        self.at += 1

    def skip_block(self) -> None:
        """Advance past a block in braces, whatever it contains."""
        start, depth = self.at, 0
        for found in _BRACE.finditer(self.text, self.at):
            depth += {"{": 1, "}": -1}.get(found[0], 0)
            if depth == 0:
                self.at = found.end()
                return
        raise self.error("a block is never closed", start)

    @property
    def ended(self) -> bool:
        """Whether the position is at the end of the text."""
        return self.at >= len(self.text)

    def error(self, what: str, at: int | None = None) -> MapError:
        """MapError that names the line of a position (default: the current one)."""
        line = self.text.count("\n", 0, self.at if at is None else at) + 1
        return MapError(self.name, what, f"line {line}")


def unquote(word: str) -> str:
    r"""A word without its quotes. ``\"`` becomes a quote; other backslashes stay, because games interpret them."""
    return word[1:-1].replace('\\"', '"') if word.startswith('"') else word


def _blank(found: re.Match[str]) -> str:
    """Replacement of a comment: its line breaks, which keeps line numbers right. Quoted strings are unchanged."""
    word = found.group()
    if word.startswith('"'):
        return word
    return " " + "\n" * word.count("\n")
