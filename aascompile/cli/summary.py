"""Summary of a map, as printed by ``aas info``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import IntFlag
from typing import Any

import numpy as np

from aascompile.model.contents import Contents, Kind
from aascompile.model.mapdata import Bits, Brushes, Patches
from aascompile.model.meaning import Meaning
from aascompile.model.understood import Understood
from aascompile.records import dataclass
from aascompile.report import Dropped, Report, Timing

NO_CLASS = "(no class)"

MARKS = Contents.DETAIL | Contents.STRUCTURAL | Contents.TRANSLUCENT
"""Contents bits that do not say what fills a brush."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A box."""

    mins: list[float]
    maxs: list[float]


@dataclass(frozen=True, slots=True)
class Entities:
    """Entities of a map or file."""

    count: int
    classes: Mapping[str, int]
    """By class, most frequent first."""


@dataclass(frozen=True, slots=True)
class Models:
    """Brush models."""

    count: int
    without_entity: int


@dataclass(frozen=True, slots=True)
class Meanings:
    """Brushes or patches. ``contents`` adds up to the count, and so do ``meaning`` and ``unused`` together."""

    count: int
    contents: Mapping[str, int]
    """By the contents bits in the file. Like the next two, most frequent first."""
    meaning: Mapping[str, int]
    """By their meaning to the compiler."""
    unused: Mapping[str, int]
    """Those that the compiler ignores, by reason."""


@dataclass(frozen=True, slots=True)
class BrushMeanings(Meanings):
    """Brushes."""

    sides: int


@dataclass(frozen=True, slots=True)
class PatchMeanings(Meanings):
    """Patches."""

    facets: int


@dataclass(frozen=True, slots=True)
class MapSummary:
    """Contents of a map."""

    map: str
    """Path as given."""
    format: str
    sha256: str
    checksum: int
    bounds: Bounds
    planes: int
    models: Models
    brushes: BrushMeanings
    patches: PatchMeanings
    entities: Entities
    dropped: tuple[Dropped, ...]
    warnings: tuple[str, ...]
    stages: tuple[Timing, ...]


def summarise(understood: Understood, report: Report) -> MapSummary:
    """Summarise a map."""
    map_data = understood.map
    brushes = _meanings(map_data.brushes, understood.meaning)
    patches = _meanings(map_data.patches, understood.patch_meaning)
    return MapSummary(
        map=map_data.name,
        format=map_data.format,
        sha256=map_data.sha256,
        checksum=map_data.checksum,
        bounds=Bounds(map_data.models.mins[0].tolist(), map_data.models.maxs[0].tolist()),
        planes=len(map_data.planes),
        models=Models(len(map_data.models), int(np.count_nonzero(map_data.models.entity < 0))),
        brushes=BrushMeanings(
            brushes.count, brushes.contents, brushes.meaning, brushes.unused, sides=len(map_data.brushes.side_plane)
        ),
        patches=PatchMeanings(
            patches.count, patches.contents, patches.meaning, patches.unused, facets=len(understood.facets)
        ),
        entities=Entities(
            len(map_data.entities), _most_first(Counter(entity.classname or NO_CLASS for entity in map_data.entities))
        ),
        dropped=tuple(report.dropped),
        warnings=tuple(report.warnings),
        stages=report.timings(),
    )


def _meanings(things: Brushes | Patches, meaning: Meaning) -> Meanings:
    """Count brushes or patches by contents and by meaning."""
    reasons = Counter({meaning.reasons[row]: n for row, n in _tally(meaning.reason).items() if row >= 0})
    return Meanings(
        len(things),
        _by_bits(things.contents & ~np.uint32(MARKS), Contents),
        _by_bits(meaning.kind[meaning.kind != 0], Kind),
        _most_first(reasons),
    )


def _by_bits(column: Bits, names: type[IntFlag]) -> dict[str, int]:
    """Number of rows with each combination of bits, such as "water+donotenter"."""
    return _most_first(Counter({_spelled(bits, names): count for bits, count in _tally(column).items()}))


def _spelled(bits: int, names: type[IntFlag]) -> str:
    known = [flag for flag in names if flag & bits]
    words = [str(flag.name).lower() for flag in known]
    rest = bits & ~sum(known)
    if rest:
        words.append(f"{rest:#x}")
    return "+".join(words) or "none"


def _tally(column: np.ndarray[Any, Any]) -> dict[int, int]:
    values, counts = np.unique(column, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _most_first(counts: Counter[str]) -> dict[str, int]:
    """Most frequent first, then by name."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
