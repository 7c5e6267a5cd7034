"""Hand-made links and clusters: a walk through every open face, and a cluster on each side of a narrow area."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aascompile.csr import starts_of
from aascompile.model.areas import Areas
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Compiled, Slopes
from aascompile.model.contents import Kind
from aascompile.model.links import Links, Travel
from aascompile.model.places import Places
from aascompile.model.sight import Sight


def with_links(compiled: Compiled) -> Compiled:
    """The map with links, clusters, places, sight and slopes that meet all requirements."""
    links = walks(compiled.areas)
    places = Places(
        entity=np.zeros(2, np.int32),
        item=np.array([False, True]),
        point=np.zeros((2, 3)),
        area=np.array([0, -1], np.int32),
        reason=("", "no area"),
    )
    clusters, sight = clusters_of(links, len(compiled.areas)), all_see(len(compiled.areas))
    slopes = Slopes(np.zeros(len(compiled.areas)))
    return replace(compiled, links=links, clusters=clusters, places=places, sight=sight, slopes=slopes)


def all_see(areas: int) -> Sight:
    """Every area sees every other, and itself best."""
    share = np.where(np.eye(areas, dtype=bool), 255, 100).astype(np.uint8).reshape(-1)
    return Sight(starts_of(np.full(areas, areas)), np.tile(np.arange(areas, dtype=np.int32), areas), share)


def links_of(rows: list[dict], areas: int) -> Links:
    """Links from rows of columns, sorted. Missing values are null."""
    rows = sorted(rows, key=lambda row: (row["source"], row["kind"], row["target"]))

    def column(name: str, null: object, dtype: object, width: int = 0) -> np.ndarray:
        values = np.array([row.get(name, null) for row in rows], dtype)
        return values.reshape(-1, width) if width else values

    source = column("source", 0, np.int32)
    return Links(
        source=source,
        target=column("target", 0, np.int32),
        kind=column("kind", Travel.WALK, np.int32),
        start=column("start", (0, 0, 0), np.float64, 3),
        end=column("end", (0, 0, 0), np.float64, 3),
        face=column("face", -1, np.int32),
        edge=column("edge", -1, np.int32),
        time=column("time", 1, np.int32),
        model=column("model", -1, np.int32),
        ride=column("ride", -1, np.int32),
        velocity=column("velocity", (0, 0, 0), np.float64, 3),
        needed_speed=column("needed_speed", -1, np.float64),
        tier=column("tier", -1, np.int32),
        entity=column("entity", -1, np.int32),
        arrives=column("arrives", -1, np.float64),
        dies=column("dies", -1, np.float64),
        room=column("room", -1, np.float64),
        landing_speed=column("landing_speed", -1, np.float64),
        miss=column("miss", -1, np.int32),
        area_start=starts_of(np.bincount(source, minlength=areas)),
    )


def walks(areas: Areas) -> Links:
    """A walk in both directions through every open face, one per pair of areas, but none into lava or slime."""
    rows = {}
    for face, sides in enumerate(zip(areas.face_front.tolist(), areas.face_back.tolist(), strict=True)):
        corner = slice(areas.face_start[face], areas.face_start[face + 1])
        middle = areas.vertex[areas.face_vertex[corner]].mean(axis=0)
        for source, target in (sides, sides[::-1]):
            hazard = areas.area_contents[target] & np.uint32(Kind.LAVA | Kind.SLIME)
            if min(sides) >= 0 and not hazard:
                edge = int(areas.face_edge[corner][0])
                row = {"source": source, "target": target, "kind": Travel.WALK, "face": face, "edge": edge}
                rows.setdefault((source, target), row | {"start": middle, "end": middle, "time": 1 + face})
    return links_of(list(rows.values()), len(areas))


def clusters_of(links: Links, areas: int) -> Clusters:
    """Two clusters on both sides of the first area that separates the linked areas; a single cluster if none does."""
    linked = np.unique(np.concatenate([links.source, links.target])).tolist()
    portal, parts = None, _parts(links, linked, None)
    for candidate in linked:
        without = _parts(links, linked, candidate)
        if len(without) == 2 and len(parts) == 1:
            portal, parts = candidate, without
            break
    leaving = np.diff(links.area_start) > 0
    portals = [] if portal is None else [portal]
    cluster, number = np.full(areas, -1, np.int32), np.full(areas, -1, np.int32)
    portal_number = np.zeros((len(portals), 2), np.int32)
    routing = []
    for row, part in enumerate(parts):
        first = [area for area in part if leaving[area]]
        rest = [area for area in part if not leaving[area]]
        cluster[part] = row
        number[first] = range(len(first))
        portal_number[:, row % 2] = len(first)
        number[rest] = np.arange(len(rest)) + len(first) + len(portals)
        routing.append(len(first) + len(portals))
    area_portal = np.full(areas, -1, np.int32)
    area_portal[portals] = range(len(portals))
    return Clusters(
        area_cluster=cluster,
        area_portal=area_portal,
        area_number=number,
        portal_area=np.array(portals, np.int32),
        portal_cluster=np.array([[0, 1]] * len(portals), np.int32).reshape(-1, 2),
        portal_number=portal_number,
        cluster_areas=np.array([len(part) + len(portals) for part in parts], np.int32),
        cluster_routing=np.array(routing, np.int32),
        cluster_portal_start=np.arange(len(parts) + 1, dtype=np.int64) * len(portals),
        cluster_portal=np.zeros(len(parts) * len(portals), np.int32),
    )


def _parts(links: Links, areas: list[int], without: int | None) -> list[list[int]]:
    """Connected components of the areas, ignoring the area ``without``."""
    left, parts = [area for area in areas if area != without], []
    while left:
        part = {left[0]}
        grown = True
        while grown:
            size = len(part)
            for a, b in zip(links.source.tolist(), links.target.tolist(), strict=True):
                if without not in (a, b) and (a in part or b in part):
                    part |= {a, b}
            grown = len(part) > size
        parts.append(sorted(part))
        left = [area for area in left if area not in part]
    return parts
