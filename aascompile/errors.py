"""The errors a user can meet: one tree under one root, each also the builtin it refines.

The library raises, the command line formats. A message is one sentence: file, what is wrong, where.
"""

from __future__ import annotations

from collections.abc import Sequence


class AasError(Exception):
    """Root of everything this package raises on purpose."""


class MapError(AasError, ValueError):
    """A map that cannot be read: ``file: what (where)``."""

    def __init__(self, file: str, what: str, where: str = "") -> None:
        self.file = file
        self.what = what
        self.where = where
        super().__init__(f"{file}: {what}" + (f" ({where})" if where else ""))


class SettingsError(AasError, ValueError):
    """Settings with an unknown field, a wrong type or a value beyond its limit: ``file: key what``."""

    def __init__(self, file: str, key: str, what: str) -> None:
        self.file = file
        self.key = key
        self.what = what
        super().__init__(f"{file}: {key} {what}" if key else f"{file}: {what}")


class LeakError(AasError, ValueError):
    """The flood from the map's entities got outside: ``file: leaks: entity …``."""

    def __init__(self, file: str, entity: str, trail: Sequence[Sequence[float]]) -> None:
        self.file = file
        self.entity = entity
        """The one the trail starts from, in words: class, number and place."""
        self.trail = tuple((float(x), float(y), float(z)) for x, y, z in trail)
        """Points from the entity to the outside."""
        self.goal = "({:g} {:g} {:g})".format(*self.trail[-1])
        """Where the trail ends, in words."""
        super().__init__(f"{file}: leaks: {entity} can get outside, to {self.goal}")


class StoreError(AasError, ValueError):
    """A compiled file that is not ours, is damaged, or is of a newer format."""


class CheckError(AasError, ValueError):
    """Something that was made is not what the data model demands."""
