"""Summary of a compiled file, as printed by ``aas info``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from aascompile.cli.common import Bold
from aascompile.cli.lines import bounds, counts, listed, row, vector
from aascompile.cli.route_report import (
    RoutesReport,
    hazard_lines,
    routes_line,
    routes_of,
    trap_lines,
    unreached_lines,
)
from aascompile.cli.summary import NO_CLASS, Bounds, Entities
from aascompile.escaping import printable
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel
from aascompile.nav.by_hand import summary as by_hand_summary
from aascompile.nav.counts import count
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """The map that a file was compiled from."""

    name: str
    sha256: str
    checksum: int


@dataclass(frozen=True, slots=True)
class AreaSummary:
    """Areas."""

    count: int
    volume: float
    """Cubic units."""
    flags: Mapping[str, int]
    contents: Mapping[str, int]
    presence: Mapping[str, int]
    """By the boxes that fit in the area."""


@dataclass(frozen=True, slots=True)
class FaceSummary:
    """Faces."""

    count: int
    flags: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LinkSummary:
    """Links."""

    count: int
    kinds: Mapping[str, int]
    """By travel type, in numerical order."""


@dataclass(frozen=True, slots=True)
class ClusterSummary:
    """Clusters."""

    count: int
    portals: int
    largest: int
    """Number of areas in the largest cluster."""


@dataclass(frozen=True, slots=True)
class ContextSummary:
    """Faces of the map that are stored for display."""

    count: int
    patches: int


@dataclass(frozen=True, slots=True)
class FileSummary:
    """What a compiled file contains."""

    file: str
    """Path as given."""
    generator: str
    source: Source
    bounds: Bounds
    areas: AreaSummary
    faces: FaceSummary
    edges: int
    vertices: int
    planes: int
    nodes: int
    links: LinkSummary | None
    clusters: ClusterSummary | None
    routes: RoutesReport | None
    views: int | None
    """Pairs of areas that see each other, both ways; None: not computed."""
    rides: int
    context: ContextSummary
    entities: Entities
    by_hand: Mapping[str, int]
    """What the mapper added by hand: entries by what they are called. Kinds without entries are left out."""
    leak: list[list[float]]
    settings: Mapping[str, object]
    """Parsed from the JSON in the file."""
    stages: Sequence[object]
    """Parsed from the JSON in the file."""


def summarise_file(path: str, compiled: Compiled) -> FileSummary:
    """Summarise a compiled file."""
    areas, clusters, origin, found = compiled.areas, compiled.clusters, compiled.provenance, count(compiled)
    settings = json.loads(origin.settings)
    classes = Counter(name or NO_CLASS for name in compiled.entities.classname)
    return FileSummary(
        file=path,
        generator=origin.generator,
        source=Source(origin.name, origin.sha256, origin.checksum),
        bounds=Bounds(
            areas.area_mins.min(axis=0).tolist() if len(areas) else [0.0] * 3,
            areas.area_maxs.max(axis=0).tolist() if len(areas) else [0.0] * 3,
        ),
        areas=AreaSummary(
            found.areas, float(areas.area_volume.sum()), found.area_flags, found.area_contents,
            _presence(compiled, settings),
        ),
        faces=FaceSummary(found.faces, found.face_flags),
        edges=found.edges,
        vertices=found.vertices,
        planes=found.planes,
        nodes=found.nodes,
        links=None if found.links is None else LinkSummary(found.links, _kinds(found.link_kinds)),
        clusters=None
        if clusters is None
        else ClusterSummary(len(clusters), len(clusters.portal_area), int(clusters.cluster_areas.max(initial=0))),
        routes=routes_of(compiled, path),
        views=None if compiled.sight is None else len(compiled.sight),
        rides=len(compiled.rides),
        context=ContextSummary(len(compiled.context), int((compiled.context.patch >= 0).sum())),
        entities=Entities(len(compiled.entities), dict(classes.most_common())),
        by_hand=by_hand_summary(compiled),
        leak=compiled.leak.tolist(),
        settings=settings,
        stages=json.loads(origin.stages),
    )  # fmt: skip


def _kinds(kinds: Mapping[int, int]) -> dict[str, int]:
    """Links by the name of their travel type."""
    return {Travel(kind).words: number for kind, number in kinds.items()}


def _presence(compiled: Compiled, settings: Mapping[str, object]) -> dict[str, int]:
    """Areas by the boxes that fit in them."""
    boxes = settings.get("boxes")
    names = {
        box["presence"]: box["name"]
        for box in (boxes if isinstance(boxes, list) else [])
        if isinstance(box, dict) and isinstance(box.get("presence"), int) and isinstance(box.get("name"), str)
    }
    bits = compiled.boxes.presence.tolist()
    masks, found = np.unique(compiled.areas.area_presence, return_counts=True)
    return {
        " or ".join(names.get(bit, f"box {bit}") for bit in bits if int(mask) & bit) or "nobody": int(count)
        for mask, count in zip(masks[::-1], found[::-1], strict=True)
    }


def file_lines(summary: FileSummary) -> Iterator[str]:
    """A summary as text."""
    source, areas, faces = summary.source, summary.areas, summary.faces
    width = len(f"{max(areas.count, faces.count, summary.links.count if summary.links else 0):,}")
    yield Bold(summary.file)
    checksum = f", checksum {source.checksum & 0xFFFFFFFF:08x}" if source.checksum else ""
    yield row("made by", printable(summary.generator, 100))
    yield row("from", f"{printable(source.name, 200)}, sha256 {source.sha256[:12]}{checksum}")
    yield row("bounds", bounds(summary.bounds.mins, summary.bounds.maxs))
    yield row("areas", f"{areas.count:,}, {areas.volume:,.0f} cubic units")
    for heading, numbers in (("flags", areas.flags), ("contents", areas.contents), ("presence", areas.presence)):
        if numbers:
            yield f"    by {heading}"
            yield from counts(numbers, width)
    sizes = (
        f"{summary.edges:,} edges, {summary.vertices:,} vertices, {summary.planes:,} planes, {summary.nodes:,} nodes"
    )
    yield row("faces", f"{faces.count:,}; {sizes}")
    yield from counts(faces.flags, width)
    yield from _link_lines(summary, width)
    routes = summary.routes
    if routes:
        yield row("routes", routes_line(routes))
        yield from listed("no route", unreached_lines(routes))
        yield from listed("traps", trap_lines(routes))
        yield from listed("hazards", hazard_lines(routes))
    context = summary.context
    yield row("context", f"{context.count:,} faces of the map, {context.patches:,} of them from patches")
    yield row("entities", f"{summary.entities.count:,}")
    if summary.by_hand:
        noted = [f"{number:,} {name}{'s' * (number > 1)}" for name, number in summary.by_hand.items()]
        yield row("by hand", ", ".join(noted))
    leak = summary.leak
    yield row("leak", f"a trail of {len(leak):,} points, from ({vector(leak[0])})" if leak else "none")


def _link_lines(summary: FileSummary, width: int) -> Iterator[str]:
    """Links and clusters."""
    links, clusters = summary.links, summary.clusters
    yield row("links", f"{links.count:,}" if links else "not computed")
    yield from counts(links.kinds if links else {}, width)
    if clusters:
        yield row("clusters", f"{clusters.count:,}, {clusters.portals:,} portals, largest {clusters.largest:,} areas")
    else:
        yield row("clusters", "not computed")
    yield row("sight", "not computed" if summary.views is None else f"{summary.views:,} views")
