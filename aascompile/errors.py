"""Errors that users can run into. All derive from AasError, and each also from the builtin it refines.

The library raises them and the command line formats them. A message is one sentence: file, what is wrong, where.
"""

from __future__ import annotations

from collections.abc import Sequence


class AasError(Exception):
    """Base class of every error that this package raises deliberately."""


class MapError(AasError, ValueError):
    """The map cannot be read: ``file: what (where)``."""

    def __init__(self, file: str, what: str, where: str = "") -> None:
        self.file = file
        self.what = what
        self.where = where
        super().__init__(f"{file}: {what}" + (f" ({where})" if where else ""))


class SettingsError(AasError, ValueError):
    """The settings have an unknown key, a wrong type or a value out of range: ``file: key what``."""

    def __init__(self, file: str, key: str, what: str) -> None:
        self.file = file
        self.key = key
        self.what = what
        super().__init__(f"{file}: {key} {what}" if key else f"{file}: {what}")


class LeakError(AasError, ValueError):
    """The flood from the map's entities reached the outside: ``file: leaks: entity …``."""

    def __init__(self, file: str, entity: str, trail: Sequence[Sequence[float]]) -> None:
        self.file = file
        self.entity = entity
        """The entity that the trail starts from, as text: class, number and position."""
        self.trail = tuple((float(x), float(y), float(z)) for x, y, z in trail)
        """Points from the entity to the outside."""
        self.goal = "({:g} {:g} {:g})".format(*self.trail[-1])
        """The last point of the trail, as text."""
        super().__init__(f"{file}: leaks: {entity} can get outside, to {self.goal}")


class StoreError(AasError, ValueError):
    """A compiled file that this program did not write, that is damaged, or that has a newer format."""


def reason_of(error: OSError) -> str:
    """The system's reason for an error, as a clause for a message."""
    return (error.strerror or "unknown reason").lower()
