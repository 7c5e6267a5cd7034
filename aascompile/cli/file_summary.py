"""A compiled file in counts: what ``aas info`` prints of it, in JSON's types with keys that stay."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import IntFlag
from typing import Any

import click
import numpy as np

from aascompile.cli.common import plain
from aascompile.cli.lines import bounds, counts, listed, row, vector
from aascompile.cli.route_report import hazard_lines, routes_line, routes_of, trap_lines, unreached_lines
from aascompile.model.areas import AreaFlag, FaceFlag
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.links import Travel
from aascompile.model.mapdata import Bits


def summarise_file(path: str, compiled: Compiled) -> dict[str, Any]:
    """What a compiled file contains."""
    areas, links, clusters, origin = compiled.areas, compiled.links, compiled.clusters, compiled.provenance
    settings = json.loads(origin.settings)
    return {
        "file": path,
        "generator": origin.generator,
        "source": {"name": origin.name, "sha256": origin.sha256, "checksum": origin.checksum},
        "bounds": {
            "mins": areas.area_mins.min(axis=0, initial=np.inf).tolist() if len(areas) else [0.0] * 3,
            "maxs": areas.area_maxs.max(axis=0, initial=-np.inf).tolist() if len(areas) else [0.0] * 3,
        },
        "areas": {
            "count": len(areas),
            "volume": float(areas.area_volume.sum()),
            "flags": _flags(areas.area_flags, AreaFlag),
            "contents": _flags(areas.area_contents, Kind),
            "presence": _presence(compiled, settings),
        },
        "faces": {"count": len(areas.face_plane), "flags": _flags(areas.face_flags, FaceFlag)},
        "edges": len(areas.edge),
        "vertices": len(areas.vertex),
        "planes": len(areas.planes),
        "nodes": len(areas.node_plane),
        "links": None if links is None else {"count": len(links), "kinds": _kinds(links.kind)},
        "clusters": None
        if clusters is None
        else {
            "count": len(clusters),
            "portals": len(clusters.portal_area),
            "largest": int(clusters.cluster_areas.max(initial=0)),
        },
        "routes": routes_of(compiled),
        "rides": len(compiled.rides),
        "context": {"count": len(compiled.context), "patches": int((compiled.context.patch >= 0).sum())},
        "entities": {
            "count": len(compiled.entities),
            "classes": dict(Counter(name or "(no class)" for name in compiled.entities.classname).most_common()),
        },
        "leak": compiled.leak.tolist(),
        "settings": settings,
        "stages": json.loads(origin.stages),
    }


def _flags(bits: Bits, names: type[IntFlag]) -> dict[str, int]:
    """How many rows have each bit, without the bits that none has."""
    found = {str(flag.name).lower(): int(((bits & np.uint32(flag)) != 0).sum()) for flag in names if flag}
    return {name: count for name, count in found.items() if count}


def _kinds(kind: Any) -> dict[str, int]:
    """Links by kind, in the order of the kinds' numbers."""
    known = {int(travel): travel.name.lower().replace("_", " ") for travel in Travel}
    numbers, found = np.unique(kind, return_counts=True)
    return {known.get(int(n), f"kind {n}"): int(count) for n, count in zip(numbers, found, strict=True)}


def _presence(compiled: Compiled, settings: Mapping[str, Any]) -> dict[str, int]:
    """Areas by the boxes that have room in them."""
    told = settings.get("boxes")
    names = {
        box["presence"]: box["name"]
        for box in (told if isinstance(told, list) else [])
        if isinstance(box, dict) and isinstance(box.get("presence"), int) and isinstance(box.get("name"), str)
    }
    bits = compiled.boxes.presence.tolist()
    masks, found = np.unique(compiled.areas.area_presence, return_counts=True)
    return {
        " or ".join(names.get(bit, f"box {bit}") for bit in bits if int(mask) & bit) or "nobody": int(count)
        for mask, count in zip(masks[::-1], found[::-1], strict=True)
    }


def file_lines(summary: Mapping[str, Any]) -> Iterator[str]:
    """A summary as readable text."""
    source, areas, faces = summary["source"], summary["areas"], summary["faces"]
    width = len(f"{max(areas['count'], faces['count'], (summary['links'] or {'count': 0})['count']):,}")
    yield click.style(plain(summary["file"], 4096), bold=True)
    checksum = f", checksum {source['checksum'] & 0xFFFFFFFF:08x}" if source["checksum"] else ""
    yield row("made by", plain(summary["generator"], 100))
    yield row("from", f"{plain(source['name'], 200)}, sha256 {source['sha256'][:12]}{checksum}")
    yield row("bounds", bounds(summary["bounds"]["mins"], summary["bounds"]["maxs"]))
    yield row("areas", f"{areas['count']:,}, {areas['volume']:,.0f} cubic units")
    for heading in ("flags", "contents", "presence"):
        if areas[heading]:
            yield f"    by {heading}"
            yield from counts(areas[heading], width)
    sizes = ", ".join(f"{summary[name]:,} {name}" for name in ("edges", "vertices", "planes", "nodes"))
    yield row("faces", f"{faces['count']:,}; {sizes}")
    yield from counts(faces["flags"], width)
    yield from _ways(summary, width)
    routes = summary["routes"]
    if routes:
        yield row("routes", routes_line(routes))
        yield from listed("no route", unreached_lines(routes))
        yield from listed("traps", trap_lines(routes))
        yield from listed("hazards", hazard_lines(routes))
    context = summary["context"]
    yield row("context", f"{context['count']:,} faces of the map, {context['patches']:,} of them of patches")
    yield row("entities", f"{summary['entities']['count']:,}")
    leak = summary["leak"]
    yield row("leak", f"a trail of {len(leak):,} points, from ({vector(leak[0])})" if leak else "none")


def _ways(summary: Mapping[str, Any], width: int) -> Iterator[str]:
    """Links and clusters."""
    links, clusters = summary["links"], summary["clusters"]
    yield row("links", f"{links['count']:,}" if links else "not computed")
    yield from counts(links["kinds"] if links else {}, width)
    told = f"{clusters['count']:,}, {clusters['portals']:,} portals" if clusters else "not computed"
    yield row("clusters", told + (f", the largest of {clusters['largest']:,} areas" if clusters else ""))
