"""Reading of id's script texts: comments, quoted words, and errors that name the line."""

from __future__ import annotations

import re
from typing import Final

from aascompile.errors import MapError

QUOTED: Final = r'"(?:[^"\\\n]++|\\(?="[^\S\n]*+(?:\n|\Z))|\\[^\n])*+"'
r"""A quoted text on one line. ``\"`` is a quote inside it, but ends it as the line's last word: ``"c:\dir\"``."""

_OPEN: Final = r'"[^\n]*+'
"""A quote without an end: the rest of its line is stepped over, so that nothing is looked at twice."""

_COMMENT: Final = re.compile(rf"{QUOTED}|{_OPEN}|//(?<!\S//)[^\n]*+|/\*.*?(?:\*/|\Z)", re.DOTALL)
"""Quoted texts are matched to be stepped over. A double slash inside a word, as in a texture's path, is no comment."""

_SPACE: Final = re.compile(r"\s*+")
_BRACE: Final = re.compile(rf"{QUOTED}|{_OPEN}|[{{}}]")


class Script:
    """A text with its comments blanked, and a place in it."""

    def __init__(self, text: str, name: str) -> None:
        text = text.removeprefix("\ufeff")
        if "\n" not in text:
            text = text.replace("\r", "\n")
        self.name = name
        self.text = _COMMENT.sub(_blank, text) if "//" in text or "/*" in text else text
        self.at = 0

    def skip(self) -> str:
        """Go on to the next visible character and answer it; "" at the end."""
        found = _SPACE.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return self.text[self.at : self.at + 1]

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What a pattern matches here, and go past it; None, staying, when it does not."""
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def expect(self, character: str, what: str) -> None:
        """Go past a character that must come next; ``what`` says where it is missing."""
        if self.skip() != character:
            raise self.error(f"the file ends {what}" if self.ended else f"expected {character!r} {what}")
        self.at += 1

    def skip_block(self) -> None:
        """Go past a block in braces, whatever is in it."""
        start, depth = self.at, 0
        for found in _BRACE.finditer(self.text, self.at):
            depth += {"{": 1, "}": -1}.get(found[0], 0)
            if depth == 0:
                self.at = found.end()
                return
        raise self.error("a block has no end", start)

    @property
    def ended(self) -> bool:
        """Whether the text is used up."""
        return self.at >= len(self.text)

    def error(self, what: str, at: int | None = None) -> MapError:
        """An error that names the line of a place, of the present one if none is given."""
        line = self.text.count("\n", 0, self.at if at is None else at) + 1
        return MapError(self.name, what, f"line {line}")


def unquote(word: str) -> str:
    r"""A word without its quotes; ``\"`` becomes a quote, other backslashes stay, as games read them themselves."""
    return word[1:-1].replace('\\"', '"') if word.startswith('"') else word


def _blank(found: re.Match[str]) -> str:
    """A comment's replacement: its line ends, so that line numbers stay; quoted text is no comment."""
    word = found.group()
    if word.startswith('"'):
        return word
    return " " + "\n" * word.count("\n")
