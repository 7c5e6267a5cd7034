"""Expected counts of maps, kept in a file, and which counts differ from them.

The file is JSON, made to be committed: maps by name, one line per count, always in the same order.

    {
      "format": "aas counts 1",
      "tolerance": {"areas": 2, "links.*": "1%"},
      "maps": {
        "box": {
          "counts": {"areas": 2, ...},
          "tolerance": {"links.walk": 0}
        }
      }
    }

A tolerance is a whole number, or a percentage of the expected count. Its name may be a pattern. A map's own tolerances
take precedence over those for all maps, names over patterns, and earlier patterns over later ones. A count without a
tolerance may not change at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from aascompile.errors import StoreError
from aascompile.escaping import printable
from aascompile.nav.counts import KNOWN
from aascompile.store.files import read_file, without_ending, write_atomically

FORMAT: Final = "aas counts 1"

MOST: Final = 10**12
"""Highest count or tolerance; a map has some thousand areas."""

Tolerances = Mapping[str, "int | str"]


@dataclass(frozen=True, slots=True)
class Move:
    """A count that differs from the expected one."""

    count: str
    """Name of the count."""
    expected: int | None
    """None if it is not in the baseline."""
    found: int | None
    """None if it was not counted in the map."""
    allowed: int
    """The change that is tolerated."""


@dataclass(slots=True)
class Baseline:
    """Expected counts of maps, by map name."""

    maps: dict[str, dict[str, int]] = field(default_factory=dict)
    tolerance: dict[str, int | str] = field(default_factory=dict)
    """Tolerances for all maps."""
    own_tolerance: dict[str, dict[str, int | str]] = field(default_factory=dict)
    """Tolerances of single maps, by map name."""
    lost: dict[str, list[str]] = field(default_factory=dict)
    """Names of the items without a route, by map name."""
    version: str = ""
    """Version that counted; "" if unknown."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Settings and options that the maps were compiled with, by name; empty if unknown."""

    def moves(self, name: str, found: Mapping[str, int]) -> list[Move]:
        """Counts that changed more than tolerated, in the order of the counts."""
        expected = self.maps[name]
        moved = []
        for count in _in_order(found, expected):
            before, now = _of(expected, count), _of(found, count)
            allowed = self._allowed(name, count, before or 0)
            if before is None or now is None or abs(now - before) > allowed:
                moved.append(Move(count, before, now, allowed))
        return moved

    def check_tolerances(self) -> None:
        """StoreError if a tolerance matches no count."""
        for name, tolerances in (("", self.tolerance), *self.own_tolerance.items()):
            for pattern in tolerances:
                counted = {count for counts in self.maps.values() for count in counts}
                if not any(fnmatchcase(count, pattern) for count in {*KNOWN, *counted}):
                    of = f"{name}: tolerance" if name else "tolerance"
                    raise StoreError(f"{of} {pattern} matches no count")

    def differences(self, version: str, settings: Mapping[str, Any]) -> list[str]:
        """What differs between the compiles of the baseline and those of now, a clause each."""
        found = []
        if self.version and self.version != version:
            found.append(f"version {self.version}, now {version}")
        if self.settings:
            for name in sorted({*self.settings, *settings}):
                before, now = self.settings.get(name), settings.get(name)
                if before != now:
                    found.append(f"{name} = {json.dumps(before)}, now {json.dumps(now)}")
        return found

    def _allowed(self, name: str, count: str, expected: int) -> int:
        for tolerances in (self.own_tolerance.get(name, {}), self.tolerance):
            found = tolerances.get(count)
            if found is None:
                found = next((value for pattern, value in tolerances.items() if fnmatchcase(count, pattern)), None)
            if found is not None:
                return found if isinstance(found, int) else int(expected * float(found.rstrip("% ")) / 100.0)
        return 0

    def text(self) -> str:
        """Contents of the file: the same counts give the same bytes."""
        maps: dict[str, dict[str, Any]] = {}
        for name in sorted(self.maps):
            maps[name] = {"counts": self.maps[name]}
            if self.lost.get(name):
                maps[name]["lost"] = self.lost[name]
            if name in self.own_tolerance:
                maps[name]["tolerance"] = self.own_tolerance[name]
        whole: dict[str, Any] = {"format": FORMAT}
        if self.version:
            whole |= {"version": self.version, "settings": self.settings}
        return json.dumps({**whole, "tolerance": self.tolerance, "maps": maps}, indent=1) + "\n"

    def write(self, path: str) -> None:
        """Write the file; StoreError if that fails."""
        write_atomically(path, self.text().encode())


def _of(counts: Mapping[str, int], count: str) -> int | None:
    """A count; 0 for a kind that does not occur, None if nothing of its category was counted."""
    whole, _, kind = count.partition(".")
    return counts.get(count, 0 if kind and whole in counts else None)


def _in_order(found: Mapping[str, int], expected: Mapping[str, int]) -> list[str]:
    """All names of counts: in the order found, with those that are only expected after the others of their category."""
    names = list(dict.fromkeys([*found, *expected]))
    sorts = list(dict.fromkeys(name.partition(".")[0] for name in names))
    return sorted(names, key=lambda name: sorts.index(name.partition(".")[0]))


def read_baseline(path: str) -> Baseline:
    """Read expected counts from a file; StoreError if it is not a baseline."""
    if not os.path.lexists(path):
        raise StoreError(f"{path}: does not exist; --update creates it")
    try:
        read = json.loads(read_file(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{path}: is not a baseline: {error}") from None
    if not isinstance(read, dict) or read.get("format") != FORMAT:
        raise StoreError(f'{path}: is not a baseline: it has no "format": "{FORMAT}"')
    result = Baseline(tolerance=_tolerances(path, "tolerance", read.get("tolerance", {})))
    version, settings = read.get("version", ""), _object(path, "settings", read.get("settings", {}))
    result.version, result.settings = (version if isinstance(version, str) else ""), settings
    for name, entry in _object(path, "maps", read.get("maps", {})).items():
        counts = _object(path, name, _object(path, name, entry).get("counts", {}))
        for count, number in counts.items():
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MOST:
                raise StoreError(
                    f"{path}: {name}: {count} is {_quoted(number)}, but must be a whole number up to {MOST:,}"
                )
        result.maps[name] = counts
        lost = entry.get("lost", [])
        if not isinstance(lost, list) or not all(isinstance(item, str) for item in lost):
            raise StoreError(f"{path}: {name}: lost is not a list of names")
        if lost:
            result.lost[name] = lost
        if "tolerance" in entry:
            result.own_tolerance[name] = _tolerances(path, f"{name}: tolerance", entry["tolerance"])
    return result


def _quoted(value: Any) -> str:
    """A value as JSON, short enough for a message."""
    return printable(json.dumps(value))


def _object(path: str, what: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise StoreError(f"{path}: {what} is not an object")
    return value


def _tolerances(path: str, what: str, value: Any) -> dict[str, int | str]:
    """Tolerances, each a number or a percentage."""
    for count, allowed in _object(path, what, value).items():
        if isinstance(allowed, int) and not isinstance(allowed, bool) and 0 <= allowed <= MOST:
            continue
        try:
            share = float(allowed.rstrip("% ")) if isinstance(allowed, str) and allowed.endswith("%") else -1.0
        except ValueError:
            share = -1.0
        if not 0.0 <= share <= MOST:
            raise StoreError(
                f'{path}: {what} of {count} is {_quoted(allowed)}, but must be a whole number or a share, as in "2%"'
            )
    return dict(value)


def name_of(path: str) -> str:
    """Name of a map in a baseline: the same for a map and for files compiled from it."""
    return without_ending(Path(path.replace("\\", "/")).name)
