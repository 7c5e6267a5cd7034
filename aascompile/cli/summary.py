"""A map in counts: what ``aas info`` prints, in JSON's types with keys that stay."""

from __future__ import annotations

from collections import Counter
from enum import IntFlag
from typing import Any

import numpy as np

from aascompile.model.contents import Contents, Kind
from aascompile.model.mapdata import Bits, Brushes, Patches
from aascompile.model.meaning import Meaning
from aascompile.model.understood import Understood
from aascompile.report import Report

MARKS = Contents.DETAIL | Contents.STRUCTURAL | Contents.TRANSLUCENT
"""Contents bits that say how a brush is drawn, not what fills it."""


def summarise(understood: Understood, report: Report) -> dict[str, Any]:
    """What a map contains and what became of it."""
    map_data = understood.map
    classes = Counter(entity.classname or "(no class)" for entity in map_data.entities)
    return {
        "map": map_data.name,
        "format": map_data.format,
        "sha256": map_data.sha256,
        "checksum": map_data.checksum,
        "bounds": {"mins": map_data.models.mins[0].tolist(), "maxs": map_data.models.maxs[0].tolist()},
        "planes": len(map_data.planes),
        "models": {
            "count": len(map_data.models),
            "without_entity": int(np.count_nonzero(map_data.models.entity < 0)),
        },
        "brushes": _part(map_data.brushes, understood.meaning) | {"sides": len(map_data.brushes.side_plane)},
        "patches": _part(map_data.patches, understood.patch_meaning) | {"facets": len(understood.facets)},
        "entities": {"count": len(map_data.entities), "classes": _most_first(classes)},
        "dropped": report.to_dict()["dropped"],
        "warnings": list(report.warnings),
        "stages": report.to_dict()["stages"],
    }


def _part(things: Brushes | Patches, meaning: Meaning) -> dict[str, Any]:
    """Counts of brushes or patches; contents, and meaning with unused, each add up to the count."""
    reasons = Counter({meaning.reasons[row]: n for row, n in _tally(meaning.reason).items() if row >= 0})
    return {
        "count": len(things),
        "contents": _by_bits(things.contents & ~np.uint32(MARKS), Contents),
        "meaning": _by_bits(meaning.kind[meaning.kind != 0], Kind),
        "unused": _most_first(reasons),
    }


def _by_bits(column: Bits, names: type[IntFlag]) -> dict[str, int]:
    """How many rows have each combination of bits, spelled "water+donotenter"."""
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
