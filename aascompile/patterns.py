"""Regular expressions that are compiled when they are first used: most of those in modules never are."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class LaterPattern:
    """Stands for a compiled pattern: has its methods and attributes."""

    def __init__(self, text: Any, flags: int) -> None:
        self._given = text, flags

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern, which Python caches, and keep what was asked for."""
        value = vars(self)[name] = getattr(_compile(*self._given), name)
        return value


_compile = re.compile  # a command replaces it for a while: cli.imports


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A regular expression, as ``re.compile`` makes it."""
    return cast("re.Pattern[AnyStr]", LaterPattern(text, flags))
