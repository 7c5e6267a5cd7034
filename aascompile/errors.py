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
        self.file: str = file
        """The map's path or name."""
        self.what: str = what
        """What is wrong, one clause."""
        self.where: str = where
        """The place in the file, "" when all of it is wrong."""
        super().__init__(f"{file}: {what}" + (f" ({where})" if where else ""))


class SettingsError(AasError, ValueError):
    """Settings with an unknown field, a wrong type or a value beyond its limit: ``file: key what``."""

    def __init__(self, file: str, key: str, what: str) -> None:
        self.file: str = file
        """The settings' path, or "settings" when they are no file."""
        self.key: str = key
        """The wrong key with its table, "" when it is all of the file."""
        self.what: str = what
        """What is wrong, one clause."""
        super().__init__(f"{file}: {key} {what}" if key else f"{file}: {what}")


class LeakError(AasError, ValueError):
    """A map that is not closed: a flood from its entities reached the outside."""

    def __init__(self, file: str, entity: str, trail: Sequence[Sequence[float]]) -> None:
        self.file: str = file
        """The map's path or name."""
        self.entity: str = entity
        """Entity from which the trail starts, in words: class, number and place."""
        self.trail: tuple[tuple[float, float, float], ...] = tuple((float(x), float(y), float(z)) for x, y, z in trail)
        """Points from the entity to the outside."""
        self.goal: str = "({:g} {:g} {:g})".format(*self.trail[-1])
        """Where the trail ends, in words."""
        super().__init__(f"{file}: leaks: {entity} can get outside, to {self.goal}")


class StoreError(AasError, ValueError):
    """A compiled file that cannot be read or written, is damaged, or is of a newer format."""


class RouteError(AasError, ValueError):
    """There is no such area or link, no room for a player at a point, no such point, or no route."""
