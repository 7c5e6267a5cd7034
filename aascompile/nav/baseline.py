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

"version" and "settings" say how the maps were compiled. A map that was updated alone, in another way, has its own
version, and the settings that differ.

A tolerance is a whole number, or a percentage of the expected count. Its name may be a pattern. A map's own tolerances
take precedence over those for all maps, names over patterns, and earlier patterns over later ones. A count without a
tolerance may not change at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from aascompile.errors import StoreError
from aascompile.escaping import printable
from aascompile.nav.counts import KNOWN
from aascompile.store.files import read_file, without_ending, write_atomically

FORMAT: Final = "aas counts 1"

LONGEST_NAME: Final = 100
"""Characters of the name of a tolerance, at most. The time to read a pattern grows with the square of its brackets."""

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


@dataclass(frozen=True, slots=True)
class HowMade:
    """How maps were compiled."""

    version: str = ""
    """Version that counted; "" if unknown."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings and options, by name; empty if unknown."""

    def differences(self, now: HowMade) -> list[str]:
        """What is different now, a clause each."""
        found = []
        if self.version and self.version != now.version:
            found.append(f"version {self.version}, now {now.version}")
        if self.settings:
            for name in sorted({*self.settings, *now.settings}):
                before, after = self.settings.get(name), now.settings.get(name)
                if before != after:
                    found.append(f"{name} = {json.dumps(before)}, now {json.dumps(after)}")
        return found

    def apart_from(self, other: HowMade) -> dict[str, Any]:
        """As JSON: the version, and the settings that differ from those of another; both empty if unknown."""
        if not self.version:
            return {"version": "", "settings": {}}
        names = {*self.settings, *other.settings}
        differing = {
            name: self.settings.get(name)
            for name in sorted(names)
            if self.settings.get(name) != other.settings.get(name)
        }
        return {"version": self.version, "settings": differing}


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
    made: HowMade = field(default_factory=HowMade)
    """How the maps were compiled."""
    own_made: dict[str, HowMade] = field(default_factory=dict)
    """How single maps were compiled that were updated later in another way, by map name."""

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

    def differences(self, name: str, now: HowMade) -> list[str]:
        """What differs between the compile of a map of the baseline and that of now, a clause each."""
        return self.own_made.get(name, self.made).differences(now) if name in self.maps else []

    def update(self, found: Mapping[str, tuple[Mapping[str, int], Sequence[str]]], now: HowMade) -> None:
        """Take the counts and the unreached items of maps, which were made as ``now`` says.

        Maps that are not among them keep what they have, and so does the record of how they were made.
        """
        rest = [name for name in self.maps if name not in found]
        for name, (counts, lost) in found.items():
            self.maps[name] = dict(counts)
            self.lost.pop(name, None)
            self.own_made.pop(name, None)
            if lost:
                self.lost[name] = list(lost)
        if not rest:
            self.made = now
        elif self.made != now:
            self.own_made |= dict.fromkeys(found, now)

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
            if name in self.own_made:
                maps[name] |= self.own_made[name].apart_from(self.made)
        whole: dict[str, Any] = {"format": FORMAT}
        if self.made.version:
            whole |= {"version": self.made.version, "settings": self.made.settings}
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
        where = f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        raise StoreError(f"{path}: is not a baseline, because it is not JSON{where}") from None
    if not isinstance(read, dict) or read.get("format") != FORMAT:
        raise StoreError(f'{path}: is not a baseline: it has no "format": "{FORMAT}"')
    result = Baseline(tolerance=_tolerances(path, "tolerance", read.get("tolerance", {})))
    result.made = _made(path, "settings", read)
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
        if "settings" in entry:
            own = _made(path, f"{name}: settings", entry)
            result.own_made[name] = (
                HowMade(own.version, {**result.made.settings, **own.settings}) if own.version else HowMade()
            )
        if "tolerance" in entry:
            result.own_tolerance[name] = _tolerances(path, f"{name}: tolerance", entry["tolerance"])
    return result


def _quoted(value: Any) -> str:
    """A value as JSON, short enough for a message."""
    return printable(json.dumps(value))


def _made(path: str, what: str, entry: Mapping[str, Any]) -> HowMade:
    """How something was compiled."""
    version = entry.get("version", "")
    return HowMade(version if isinstance(version, str) else "", _object(path, what, entry.get("settings", {})))


def _object(path: str, what: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise StoreError(f"{path}: {what} is not an object")
    return value


def _tolerances(path: str, what: str, value: Any) -> dict[str, int | str]:
    """Tolerances, each a number or a percentage."""
    for count, allowed in _object(path, what, value).items():
        if len(count) > LONGEST_NAME:
            raise StoreError(f"{path}: {what} has a name of {len(count):,} characters, more than {LONGEST_NAME}")
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
