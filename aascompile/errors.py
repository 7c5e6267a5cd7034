"""The errors a user can meet: one tree under one root, each also the builtin it refines.

The library raises, the command line formats. A message is one sentence: file, what is wrong, where.
"""

from __future__ import annotations


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
    """A settings file with an unknown field, a wrong type or a value beyond its limit."""


class LeakError(AasError, ValueError):
    """The flood from the map's entities got outside."""


class StoreError(AasError, ValueError):
    """A compiled file that is not ours, is damaged, or is of a newer format."""
