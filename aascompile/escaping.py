"""Text from maps and files, made safe for what shows it: a terminal, Markdown, XML or HTML.

The author of a map chooses its names: they may hold codes that retitle a terminal, marks that reverse the reading
direction, or tags. Text is escaped once, where it leaves the program.
"""

from __future__ import annotations

LONGEST = 4096
"""Characters of a line that are shown; only a hostile line is longer."""

_MARKUP = frozenset("\\|`*_[]<>#&~@")
"""Characters with a meaning in Markdown, or in the HTML inside it."""


def printable(text: str, most: int = 64) -> str:
    """Text in a single line of at most ``most`` characters that a terminal shows as they are.

    Control characters, line breaks, and marks that reorder or hide text become escapes such as \\x1b.
    """
    return _escaped(text if len(text) <= most else text[: most - 3] + "...")


def log_line(text: str) -> str:
    """A line of a result. Besides ``printable``: CI systems find no commands in it (``::error``, ``##vso[...``)."""
    shown = printable(text, LONGEST)
    if "::" not in shown and "##" not in shown:
        return shown
    import re

    return re.sub(r"##(?=\w*\[)", r"#\\x23", re.sub(r"^(\s*):(?=:)", r"\1\\x3a", shown))


def markdown(text: str) -> str:
    """Text for a line or a table cell of Markdown."""
    return "".join(f"\\{c}" if c in _MARKUP else c for c in printable(text, LONGEST))


def xml(text: str) -> str:
    """Text for the inside of an XML element, or of an attribute in quotes. HTML takes it too."""
    from xml.sax.saxutils import escape

    return escape(_escaped(text), {'"': "&quot;", "'": "&#39;"})


def _escaped(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
