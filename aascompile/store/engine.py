"""Writer and reader of the engine's own binary .aas file.

Its conventions appear only here: row 0 of most lumps is empty, areas and nodes count from 1, a face's corners run
clockwise seen from the front as a list of signed edges, and a hurt trigger is lava that is not liquid.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from aascompile.checks.check_structure import structure_faults
from aascompile.csr import owners_of, starts_of
from aascompile.digests import sha256
from aascompile.distinct import distinct
from aascompile.errors import StoreError
from aascompile.model.areas import AreaFlag, Areas, FaceFlag
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Boxes, Compiled, Context, Entities, Provenance, Rides, Slopes
from aascompile.model.contents import FLOWS, AreaContents, Kind
from aascompile.model.links import FAST_JUMPS, are_of, select_links
from aascompile.model.mapdata import Bits, Float, Index, Int, Planes
from aascompile.settings_file import settings_from_json
from aascompile.store.engine_costs import with_costs
from aascompile.store.engine_goals import numbered_again, with_goals, with_islands
from aascompile.store.engine_links import links_lump, ranges_within, read_links, with_loops, without_unridden
from aascompile.store.engine_lumps import STEEP, STEEP_SETTINGS, Lump, empty, pack, record_of, unpack, version_of

UNKNOWN = "not known: the engine's format does not say"
"""Program that made an engine file."""

MODEL_SHIFT = 24
"""Position of the door's model number in an area's contents."""
MAX_MODEL = 0xFF
HURT_ONLY = 0x20000
"""Contents bit that the engine ignores: the lava bit means a hurt trigger, not lava."""
HURT_TOO = 0x40000
"""Contents bit that the engine ignores: the area has a hurt trigger in addition to the other bits."""
STEEP_BITS = (
    (int(AreaContents.MOVER), 0x800),
    (int(AreaContents.DONOTENTER_LARGE), 0x400),
    (int(AreaContents.NOTTEAM1), 0),
    (int(AreaContents.NOTTEAM2), 0),
)
"""Contents that version 8 numbers differently, with its bits; 0: it has no such bit."""
PLAIN_BITS = ((int(AreaContents.DONOTENTER_LARGE), 0),)
"""Contents that the other versions do not have."""
NONAXIAL = 3
"""Added to the axis in the type of a plane that is not axial."""


def for_engine(compiled: Compiled) -> Compiled:
    """The map as the engine needs it: without jumps and rides that its bots cannot take, with cost factors in the times
    of links, links into areas where only the engine looks for items, and loops in areas with items or spawns that no
    link leaves."""
    compiled = _for_its_bots(compiled)
    links, places = compiled.links, compiled.places
    if links is None:
        return compiled
    links = without_unridden(with_costs(compiled, links), compiled.rides)
    if places is None:
        return replace(compiled, links=links)
    links, clusters = with_goals(compiled, links, places)
    looped = with_loops(links, places)
    if clusters is not None and len(looped) > len(links):
        clusters = with_islands(clusters, looped)
    return replace(compiled, links=looped, clusters=clusters)


def _for_its_bots(compiled: Compiled) -> Compiled:
    """The map without the jumps that the engine's bots do not make, unless the settings ask for them. Those of an
    imported file, which have no tier, stay."""
    links = compiled.links
    fast = np.zeros(0, np.bool_) if links is None else are_of(links.kind, FAST_JUMPS) & (links.tier >= 0)
    if links is None or not fast.any():
        return compiled
    if settings_from_json(compiled.provenance.settings, "the compiled file").engine.fast_jumps:
        return compiled
    left = select_links(links, ~fast)
    clusters = None if compiled.clusters is None else numbered_again(compiled.clusters, left)
    return replace(compiled, links=left, clusters=clusters)


def write_engine(compiled: Compiled, *, optimize: bool = False, sound: Compiled | None = None) -> bytes:
    """Bytes of the engine's file for a compiled map. Raise a StoreError if the map's structure is broken.

    If there are no links, the engine computes links and clusters itself when it loads the map. ``optimize`` leaves out
    the faces that bots do not need. ``sound`` is a map whose structure is not broken: what both have in common is not
    checked again.
    """
    for fault in structure_faults(compiled, sound):
        raise StoreError(f"cannot be exported: {fault}")
    version = settings_from_json(compiled.provenance.settings, "the compiled file").engine.version
    areas = compiled.areas
    lumps = _geometry(areas) | _clusters(compiled.clusters)
    boxes = lumps["boxes"] = empty("boxes", len(compiled.boxes))
    boxes["presence"], boxes["mins"], boxes["maxs"] = compiled.boxes.presence, compiled.boxes.mins, compiled.boxes.maxs
    boxes["flags"][1:] = 1
    lumps["settings"] = _settings(compiled, version)
    lumps["links"] = empty("links", 0) if compiled.links is None else links_lump(compiled.links, compiled.rides)
    if optimize:
        from aascompile.store.engine_optimize import optimized

        lumps = optimized(lumps)
    return pack(lumps, compiled.provenance.checksum, version)


def _geometry(areas: Areas) -> dict[str, Lump]:
    """Vertices, planes, edges, faces, areas and nodes."""
    vertices = empty("vertices", len(areas.vertex))
    vertices["xyz"] = areas.vertex
    planes = empty("planes", len(areas.planes))
    planes["normal"], planes["dist"] = areas.planes.normal, areas.planes.dist
    planes["type"] = _plane_types(planes["normal"])
    edges = empty("edges", len(areas.edge) + 1)
    edges["vertex"][1:] = areas.edge

    # Reverse the corners: ours run counter-clockwise.
    size = np.diff(areas.face_start)
    owner = owners_of(areas.face_start)
    backward = areas.face_start[owner] + areas.face_start[owner + 1] - 1 - np.arange(len(owner))
    edge_index = empty("edge_index", len(owner))
    edge = areas.face_edge[backward]
    first_vertex = _next_vertex(areas)[backward]
    edge_index["edge"] = np.where(areas.edge[edge, 0] == first_vertex, edge + 1, -1 - edge)

    faces = empty("faces", len(size) + 1)
    rows = faces[1:]
    rows["plane"], rows["flags"], rows["edges"], rows["first"] = (
        areas.face_plane,
        areas.face_flags,
        size,
        areas.face_start[:-1],
    )
    rows["front"], rows["back"] = areas.face_front + 1, areas.face_back + 1
    face_index = empty("face_index", len(areas.area_face))
    in_front = areas.face_front[areas.area_face] == owners_of(areas.area_start)
    face_index["face"] = np.where(in_front, areas.area_face + 1, -1 - areas.area_face)

    table = empty("areas", len(areas) + 1)
    rows = table[1:]
    rows["number"] = np.arange(1, len(areas) + 1)
    rows["faces"], rows["first"] = np.diff(areas.area_start), areas.area_start[:-1]
    rows["mins"], rows["maxs"], rows["centre"] = areas.area_mins, areas.area_maxs, areas.area_centre
    nodes = empty("nodes", len(areas.node_plane) + 1)
    # Every child is one higher in the engine's file: node n is n + 1, solid (−1) is 0, area a (−2 − a) is −1 − a.
    nodes["plane"][1:], nodes["child"][1:] = areas.node_plane, areas.node_child + 1
    return {
        "vertices": vertices,
        "planes": planes,
        "edges": edges,
        "edge_index": edge_index,
        "faces": faces,
        "face_index": face_index,
        "areas": table,
        "nodes": nodes,
    }


def _next_vertex(areas: Areas) -> Int:
    """Vertex of the next corner of the same face, for each corner."""
    following = np.roll(areas.face_vertex, -1)
    following[areas.face_start[1:] - 1] = areas.face_vertex[areas.face_start[:-1]]
    return following


def _plane_types(normal: NDArray[np.float32]) -> Int:
    """Type of each plane: 0 to 2 for axial planes, by axis; 3 to 5 for others, by the axis closest to the normal."""
    axis = np.argmax(np.abs(normal), axis=1) if len(normal) else np.zeros(0, np.int64)
    axial = np.count_nonzero(normal, axis=1) == 1
    return np.where(axial, axis, axis + NONAXIAL).astype(np.int32)


def _settings(compiled: Compiled, version: int) -> Lump:
    """Settings lump: contents, flags, presence, cluster and links of each area."""
    areas, clusters = compiled.areas, compiled.clusters
    lump = np.zeros(len(areas) + 1, record_of("settings", version))
    rows = lump[1:]
    if version == STEEP:
        rows["steepness"] = _steepness(areas) if compiled.slopes is None else compiled.slopes.share
    rows["contents"] = _contents(areas, clusters, version).view(np.int32)
    rows["flags"], rows["presence"] = areas.area_flags.view(np.int32), areas.area_presence.view(np.int32)
    if clusters is not None:
        portal = clusters.area_portal >= 0
        rows["cluster"] = np.where(portal, -1 - clusters.area_portal, clusters.area_cluster + 1)
        rows["number"] = np.maximum(clusters.area_number, 0)
    lump["first"][0] = 1
    rows["first"] = 1
    if compiled.links is not None:
        rows["links"], rows["first"] = np.diff(compiled.links.area_start), compiled.links.area_start[:-1] + 1
    return lump


def _steepness(areas: Areas) -> Float:
    """Mean of 1 − z of the normals over the ground faces of each area; 0 without ground.

    Wolfenstein's routing makes steep areas longer by it. Normals are taken as the file has them, so that reading and
    writing a file changes nothing.
    """
    ground = (areas.face_flags[areas.area_face] & np.uint32(FaceFlag.GROUND)) != 0
    owner, face = owners_of(areas.area_start)[ground], areas.area_face[ground]
    up = np.abs(areas.planes.normal[areas.face_plane[face], 2].astype(np.float32)).astype(np.float64)
    total, faces = np.zeros(len(areas)), np.bincount(owner, minlength=len(areas))
    np.add.at(total, owner, 1.0 - up)
    return total / np.maximum(faces, 1)


def _renumbered(bits: Bits, numbers: tuple[tuple[int, int], ...]) -> Bits:
    """Bits with those of ``numbers``, pairs of old and new, in their new places; a new place of 0 drops the bit."""
    made: Bits = bits & ~np.uint32(sum(old for old, _ in numbers))
    for old, new in numbers:
        made[(bits & np.uint32(old)) != 0] |= np.uint32(new)
    return made


def _contents(areas: Areas, clusters: Clusters | None, version: int) -> Bits:
    """Contents in the engine's bits. Portals are marked as view portals: the engine searches them for detours."""
    ours = areas.area_contents
    hurt, lava = (ours & np.uint32(Kind.HURT)) != 0, (ours & np.uint32(Kind.LAVA)) != 0
    flows = (ours & np.uint32(Kind.CURRENT_2 | Kind.CURRENT_4)) != 0
    ours = np.where(flows, ours & ~np.uint32(FLOWS), ours)
    bits = _renumbered(ours & np.uint32(0xFFFF), STEEP_BITS if version == STEEP else PLAIN_BITS)
    bits[hurt & ~lava] |= np.uint32(AreaContents.LAVA | HURT_ONLY)
    bits[hurt & lava] |= np.uint32(HURT_TOO)
    model = np.where(areas.area_model <= MAX_MODEL, np.maximum(areas.area_model, 0), 0).astype(np.uint32)
    bits |= model << np.uint32(MODEL_SHIFT)
    if clusters is not None:
        bits[clusters.area_portal >= 0] |= np.uint32(AreaContents.VIEWPORTAL)
    return bits


def _clusters(clusters: Clusters | None) -> dict[str, Lump]:
    """Lumps of portals and clusters. If they were not computed, the lumps are empty and the engine computes them."""
    if clusters is None:
        return {name: empty(name, 0) for name in ("portals", "portal_index", "clusters")}
    portals = empty("portals", len(clusters.portal_area) + 1)
    rows = portals[1:]
    rows["area"], rows["cluster"], rows["number"] = (
        clusters.portal_area + 1,
        clusters.portal_cluster + 1,
        clusters.portal_number,
    )
    index = empty("portal_index", len(clusters.cluster_portal))
    index["portal"] = clusters.cluster_portal + 1
    table = empty("clusters", len(clusters) + 1)
    rows = table[1:]
    rows["areas"], rows["routing"] = clusters.cluster_areas, clusters.cluster_routing
    rows["portals"], rows["first"] = np.diff(clusters.cluster_portal_start), clusters.cluster_portal_start[:-1]
    return {"portals": portals, "portal_index": index, "clusters": table}


# --- reading ----------------------------------------------------------------------------------------------------------


def read_engine(data: bytes, name: str) -> Compiled:
    """Read a compiled map from the engine's file. Raise a StoreError if it is another kind of file or damaged.

    Volumes are recomputed; they are 0 if the file was stripped of its faces. Entities and context are empty, and the
    triggers of areas are unknown.
    """
    from aascompile.checks.check_areas import volumes

    try:
        with np.errstate(all="ignore"):  # invalid numbers are rejected below
            compiled, listed = _read(data, name.replace("\\", "/").rsplit("/", 1)[-1] or "unnamed")
    except StoreError as error:
        raise StoreError(f"{name}: {error}") from None
    for fault in structure_faults(compiled):
        raise StoreError(f"{name}: is damaged ({fault})")
    areas, links, clusters = compiled.areas, compiled.links, compiled.clusters
    if links is not None and clusters is not None and len(links) < listed:
        compiled = replace(compiled, clusters=numbered_again(clusters, links))
    return replace(compiled, areas=replace(areas, area_volume=np.maximum(volumes(areas), 0.0)))


def _read(data: bytes, name: str) -> tuple[Compiled, int]:
    """The map as the file has it, and the number of links that areas list, with those for the engine alone."""
    lumps, checksum = unpack(data)
    table, settings = lumps["areas"], lumps["settings"]
    if not len(table) or len(table) != len(settings):
        raise StoreError(f"is damaged ({len(table):,} areas, but settings for {len(settings):,})")
    clusters = _read_clusters(lumps)
    links, rides = None, Rides.none()
    if len(lumps["links"]):
        links, rides = read_links(lumps["links"], settings, len(lumps["faces"]) > 1)
    boxes, areas = lumps["boxes"], _read_areas(lumps, clusters)
    compiled = Compiled(
        areas=areas,
        links=links,
        clusters=clusters,
        boxes=Boxes(boxes["presence"].astype(np.uint32), boxes["mins"].astype(float), boxes["maxs"].astype(float)),
        rides=rides,
        context=Context.none(),
        entities=Entities.of(()),
        leak=np.zeros((0, 3)),
        slopes=_read_slopes(areas, settings[1:]),
        provenance=Provenance(
            generator=UNKNOWN,
            name=name,
            sha256=sha256(data),
            checksum=checksum,
            settings=f'{{"engine":{{"version":{version_of(data)}}}}}',
            stages='[{"name": "import", "counts": {}}]',
        ),
    )
    return compiled, int(settings["links"][1:].sum())


def _read_slopes(areas: Areas, settings: Lump) -> Slopes | None:
    """Steepness as a file has it, if its ground faces were stripped; None if it can be computed, or is not stored."""
    names = settings.dtype.names or ()
    ground = (areas.face_flags & np.uint32(FaceFlag.GROUND)) != 0
    if "steepness" not in names or ground.any():
        return None
    return Slopes(np.clip(np.nan_to_num(settings["steepness"].astype(np.float64)), 0.0, 1.0))


def _read_areas(lumps: dict[str, Lump], clusters: Clusters | None) -> Areas:
    table, faces, settings = lumps["areas"][1:], lumps["faces"][1:], lumps["settings"][1:]
    planes, scale = _read_planes(lumps["planes"])
    face_start, face_vertex, face_edge = _read_corners(lumps)
    area_start, area_face = _read_area_faces(lumps)
    node_plane, node_child = _read_nodes(lumps["nodes"])
    kind, model = _read_contents(settings, clusters)
    return Areas(
        planes=planes,
        vertex=lumps["vertices"]["xyz"].astype(np.float64),
        edge=np.sort(lumps["edges"]["vertex"][1:], axis=1).astype(np.int32),
        face_plane=faces["plane"] * scale,
        face_front=faces["front"] - 1,
        face_back=faces["back"] - 1,
        face_flags=faces["flags"].astype(np.uint32),
        face_start=face_start,
        face_vertex=face_vertex,
        face_edge=face_edge,
        area_start=area_start,
        area_face=area_face,
        area_contents=kind,
        area_flags=settings["flags"].astype(np.uint32),
        area_presence=settings["presence"].astype(np.uint32),
        area_model=model,
        area_trigger=np.full(len(table), -1, np.int32),
        area_cost=np.ones(len(table)),
        area_mins=table["mins"].astype(np.float64),
        area_maxs=table["maxs"].astype(np.float64),
        area_centre=table["centre"].astype(np.float64),
        area_volume=np.zeros(len(table)),
        node_plane=node_plane * scale,
        node_child=node_child,
    )


def _read_planes(lump: Lump) -> tuple[Planes, int]:
    """Planes in opposite pairs, and the factor that maps plane numbers of the file to rows: 2 if it had no pairs."""
    normal, dist = lump["normal"].astype(np.float64), lump["dist"].astype(np.float64)
    even = len(lump) % 2 == 0
    if even and np.array_equal(normal[0::2], -normal[1::2]) and np.array_equal(dist[0::2], -dist[1::2]):
        return Planes(normal, dist), 1
    return Planes(np.stack([normal, -normal], axis=1).reshape(-1, 3), np.stack([dist, -dist], axis=1).reshape(-1)), 2


def _read_corners(lumps: dict[str, Lump]) -> tuple[Index, Int, Int]:
    """Starts, vertices and edges of the faces' corners, reversed to run counter-clockwise."""
    faces, edges = lumps["faces"][1:], lumps["edges"]["vertex"]
    size = faces["edges"].astype(np.int64)
    signed = lumps["edge_index"]["edge"].astype(np.int64)
    signed = signed[ranges_within(faces["first"].astype(np.int64), size, len(signed), "edges of faces")]
    edge = np.abs(signed)
    if ((edge < 1) | (edge >= len(edges))).any():
        raise StoreError("is damaged (a face has an edge that does not exist)")
    start = starts_of(size)
    ends = np.where((signed > 0)[:, None], edges[edge], edges[edge][:, ::-1])
    owner = owners_of(start)
    at = np.arange(len(signed))
    previous = np.where(at == start[owner], start[owner + 1] - 1, at - 1)
    broken = ends[:, 0] != ends[previous, 1]
    if broken.any():
        raise StoreError(f"is damaged (the edges of face {owner[np.argmax(broken)]} are not connected)")
    backward = start[owner] + start[owner + 1] - 1 - at
    return start, ends[backward, 1].astype(np.int32), (edge[backward] - 1).astype(np.int32)


def _read_area_faces(lumps: dict[str, Lump]) -> tuple[Index, Int]:
    """CSR of the faces of each area, ascending within an area."""
    table = lumps["areas"][1:]
    count = table["faces"].astype(np.int64)
    face = np.abs(lumps["face_index"]["face"].astype(np.int64)) - 1
    face = face[ranges_within(table["first"].astype(np.int64), count, len(face), "faces of areas")]
    start = starts_of(count)
    return start, face[np.lexsort((face, owners_of(start)))].astype(np.int32)


def _read_nodes(lump: Lump) -> tuple[Int, Int]:
    """Planes and children of the nodes. If a node precedes its parent, nodes are reordered breadth-first."""
    plane, child = lump["plane"][1:], lump["child"][1:].astype(np.int64) - 1
    row = np.arange(len(plane))
    inner = child[child >= 0]
    in_order = ((child < 0) | (child > row[:, None])).all()
    if in_order and len(distinct(inner)) == len(inner) == max(len(plane) - 1, 0):
        return plane, child.astype(np.int32)
    order, visited = [0][: len(plane)], np.zeros(len(plane), np.bool_)
    visited[:1] = True
    for at in order:
        for below in child[at].tolist():
            if below >= len(plane) or (below >= 0 and visited[below]):
                raise StoreError("is damaged (its nodes do not form a tree)")
            if below >= 0:
                visited[below] = True
                order.append(below)
    number = np.zeros(len(plane) + 1, np.int64)
    number[order] = np.arange(len(order))
    kept = child[order].reshape(-1, 2)
    return plane[order], np.where(kept >= 0, number[np.maximum(kept, 0)], kept).astype(np.int32)


def _read_contents(settings: Lump, clusters: Clusters | None) -> tuple[Bits, Int]:
    """Kind bits and door models of the areas. Lava that is not liquid is a hurt trigger."""
    raw = settings["contents"].astype(np.int64) & 0xFFFFFFFF
    if settings.dtype == STEEP_SETTINGS:
        unknown = (int(AreaContents.NOTTEAM2), 0), (int(AreaContents.DONOTENTER_LARGE), 0)
        known = tuple((new, old) for old, new in STEEP_BITS if new)
        raw = _renumbered(raw.astype(np.uint32), (*known, *unknown)).astype(np.int64)
    kind = raw & 0xFFFF
    dry = ((raw & int(AreaContents.LAVA)) != 0) & ((settings["flags"] & int(AreaFlag.LIQUID)) == 0)
    hurt_only = ((raw & HURT_ONLY) != 0) | dry
    kind = np.where(hurt_only, kind & ~int(Kind.LAVA), kind)
    kind = np.where(hurt_only | ((raw & HURT_TOO) != 0), kind | int(Kind.HURT), kind)
    if clusters is not None:
        kind = np.where(clusters.area_portal >= 0, kind & ~int(AreaContents.VIEWPORTAL), kind)
    model = raw >> MODEL_SHIFT
    door = ((kind & int(Kind.MOVER)) != 0) & (model > 0)
    return kind.astype(np.uint32), np.where(door, model, -1).astype(np.int32)


def _read_clusters(lumps: dict[str, Lump]) -> Clusters | None:
    """Clusters and portals; None if the file leaves them to the engine."""
    if not len(lumps["clusters"]):
        return None
    table, portals, settings = lumps["clusters"][1:], lumps["portals"][1:], lumps["settings"][1:]
    count = table["portals"].astype(np.int64)
    row = ranges_within(table["first"].astype(np.int64), count, len(lumps["portal_index"]), "portals of clusters")
    cluster = settings["cluster"].astype(np.int64)
    return Clusters(
        area_cluster=np.where(cluster > 0, cluster - 1, -1).astype(np.int32),
        area_portal=np.where(cluster < 0, -1 - cluster, -1).astype(np.int32),
        area_number=np.where(cluster > 0, settings["number"], -1).astype(np.int32),
        portal_area=portals["area"] - 1,
        portal_cluster=portals["cluster"] - 1,
        portal_number=portals["number"].astype(np.int32),
        cluster_areas=table["areas"].astype(np.int32),
        cluster_routing=table["routing"].astype(np.int32),
        cluster_portal_start=starts_of(count),
        cluster_portal=lumps["portal_index"]["portal"][row] - 1,
    )
