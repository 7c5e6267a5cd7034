"""Errors that users can run into. All derive from AasError, and each also from the builtin it refines.

The library raises them and the command line formats them. A message is one sentence: file, what is wrong, where.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class AasError(Exception):
    """Base class of every error that this package raises deliberately."""


class MapError(AasError, ValueError):
    """The map cannot be read: ``file: what (where)``."""

    def __init__(self, file: str, what: str, where: str = "") -> None:
        self.file: str = file
        """Path or name of the map."""
        self.what: str = what
        """What is wrong, one clause."""
        self.where: str = where
        """Place in the file; "" if the error concerns the whole file."""
        super().__init__(f"{file}: {what}" + (f" ({where})" if where else ""))

    def __reduce__(self) -> tuple[type[MapError], tuple[str, str, str]]:
        return type(self), (self.file, self.what, self.where)


class SettingsError(AasError, ValueError):
    """The settings have an unknown key, a wrong type or a value out of range: ``file: key what``."""

    def __init__(self, file: str, key: str, what: str) -> None:
        self.file: str = file
        """Path of the settings file; "settings" if there is no file."""
        self.key: str = key
        """The invalid key with its table; "" if the error concerns the whole file."""
        self.what: str = what
        """What is wrong, one clause."""
        super().__init__(f"{file}: {key} {what}" if key else f"{file}: {what}")

    def __reduce__(self) -> tuple[type[SettingsError], tuple[str, str, str]]:
        return type(self), (self.file, self.key, self.what)


class LeakError(AasError, ValueError):
    """The map is not closed: the flood from its entities reached the outside."""

    def __init__(self, file: str, entity: str, trail: Sequence[Sequence[float]]) -> None:
        self.file: str = file
        """Path or name of the map."""
        self.entity: str = entity
        """Entity at the start of the trail, as text: class, number and position."""
        self.trail: tuple[tuple[float, float, float], ...] = tuple((float(x), float(y), float(z)) for x, y, z in trail)
        """Points from the entity to the outside."""
        self.goal: str = "({:g} {:g} {:g})".format(*self.trail[-1])
        """End of the trail, as text."""
        super().__init__(f"{file}: leaks: {entity} can reach the outside at {self.goal}")

    def __reduce__(self) -> tuple[type[LeakError], tuple[Any, ...]]:
        return type(self), (self.file, self.entity, self.trail)


class StoreError(AasError, ValueError):
    """A compiled file that cannot be read or written, is damaged, or has a newer format."""


class CheckError(AasError, ValueError):
    """A record or file does not meet the requirements of the data model."""


class RouteError(AasError, ValueError):
    """An unknown area or link, a point without room for a player, or no route."""


class FarmError(AasError, RuntimeError):
    """A cluster of machines that cannot be reached, has no workers, or runs another version."""


def reason_of(error: OSError) -> str:
    """The system's reason for an error, as a clause for a message."""
    return (error.strerror or "unknown reason").lower()
