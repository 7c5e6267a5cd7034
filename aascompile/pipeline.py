"""The stages in order, numbered as in ``stages.STAGES``: only this module knows which follows which.

``compile_map`` runs them all; below it come the functions it calls, and in them steps 1 to 15. Step 16 writes the
files, which is left to the caller. Each step gets records and makes new ones, and shows them to the report, whose
observer may draw or check them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from aascompile import __version__
from aascompile.areas.finish import finish
from aascompile.areas.ladder_faces import mark_ladders
from aascompile.areas.mesh import StartMesh, make_mesh
from aascompile.areas.subdivide import Merged, merge_areas, subdivide_at_ladders, subdivide_by_gravity
from aascompile.areas.walkable import make_walkable
from aascompile.brushes.brush_hulls import closed_brushes
from aascompile.brushes.context import solid_faces
from aascompile.brushes.entity_facts import read_entities
from aascompile.brushes.expand import Solids, expand, solids_of, with_walls
from aascompile.brushes.meaning import classify, classify_patches
from aascompile.brushes.patches import facets
from aascompile.brushes.rides import rides, standing_boxes
from aascompile.bsp.outside import Flood, flood_inside
from aascompile.bsp.portals import make_portals
from aascompile.bsp.surface import visible_surface, volume_grid
from aascompile.bsp.tree import (
    NORMAL,
    THOROUGH,
    Reached,
    RootCell,
    Search,
    build_tree,
    finish_tree,
    inner_surface,
    inside_contents,
    point_contents,
    root_cell,
)
from aascompile.cluster.clusters import make_clusters
from aascompile.errors import LeakError, MapError
from aascompile.geometry.planes import PlaneTable
from aascompile.mapio.load import MapSource, load_map
from aascompile.model.areas import Areas
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Boxes, Compiled, Entities, Provenance, with_used_planes
from aascompile.model.entity_facts import EntityFacts
from aascompile.model.gravity import gravity_fault, with_gravity_of
from aascompile.model.links import Links, Travel, by_kind
from aascompile.model.mapdata import Float, MapData, Planes
from aascompile.model.meaning import Meaning
from aascompile.model.places import Places
from aascompile.model.understood import Understood
from aascompile.model.volumes import Surface, Volumes
from aascompile.player.movement import Movement
from aascompile.reach.adjoining import swim_links, walk_links
from aascompile.reach.candidates import Candidates
from aascompile.reach.doors import through_doors
from aascompile.reach.find_links import entity_links
from aascompile.reach.ground import ground_edges
from aascompile.reach.hard import drop_needless
from aascompile.reach.local import local_links
from aascompile.reach.places import find_places
from aascompile.report import Report
from aascompile.reuse import geometry_hash, require_fit, require_links
from aascompile.settings import QUAKE3, Settings
from aascompile.settings_file import text_to_store


def compile_map(
    source: MapSource | str,
    settings: Settings,
    report: Report,
    threads: int = 1,
    quality: bool = False,
    allow_leak: bool = False,
) -> Compiled:
    """Compile a map, given by its path or its bytes: steps 1 to 15."""
    understood = understand(source, report, settings)
    settings = understood.settings
    divided = make_areas(understood, settings, report, threads, quality, allow_leak)
    linked = link_areas(understood, divided.areas, settings, report, threads)
    clusters = part_into_clusters(understood, divided.areas, linked, report)
    return gather(understood, divided, linked, clusters, settings, report)


def compile_again(
    source: MapSource | str,
    old: Compiled,
    file: str,
    settings: Settings,
    report: Report,
    threads: int = 1,
    clusters_only: bool = False,
) -> Compiled:
    """Compile a map on the areas (or on the areas and links) of its compiled file: steps 1 to 4, then from 13 (or 15).

    ``file``: what messages call the compiled file. StoreError when what is kept does not fit the map and the settings.
    """
    understood = understand(source, report, settings)
    settings = understood.settings
    divided = Divided(old.areas, old.leak)
    require_fit(understood, old, file, settings)
    if clusters_only:
        require_links(understood, old, file, settings)
    if clusters_only and old.links is not None:
        movement = Movement(old.areas, settings)
        linked = Linked(old.places or _find_places(understood, movement, report), old.links)
    else:
        linked = link_areas(understood, divided.areas, settings, report, threads)
    clusters = part_into_clusters(understood, divided.areas, linked, report)
    return gather(understood, divided, linked, clusters, settings, report, old.provenance.stages)


@dataclass(frozen=True, slots=True)
class Divided:
    """A map divided into areas."""

    areas: Areas
    leak: Float
    """(n, 3) the trail out of a map that is not closed, if that was allowed; else empty."""


def make_areas(
    understood: Understood,
    settings: Settings,
    report: Report,
    threads: int = 1,
    quality: bool = False,
    allow_leak: bool = False,
) -> Divided:
    """Divide a map into convex areas without gaps (thesis §6.2): steps 5 to 12.

    5 to 7 run a second time for a leaking map, 8 to 11 for ``quality``.
    """
    name, table = understood.map.name, understood.table
    solids = solids_of(understood)
    inside = _find_inside(understood, solids, settings, report, threads)
    leak = inside.flood.trail
    if len(leak):
        error = LeakError(name, understood.map.named(inside.flood.leaking), leak.tolist())
        if not allow_leak:
            raise error
        report.warn(f"{error.entity} can get outside the map, to {error.goal}; the map was closed at its bounds")
        inside = _find_inside(understood, with_walls(table, solids), settings, report, threads)
    unreached = MapError(name, "no entity stands where a player has room, so nothing can be reached")
    if not inside.flood.reached.any():
        raise unreached

    parted = _part(inside, table, settings, report, threads, NORMAL)
    if parted is not None and quality:
        # The slower search finds fewer areas on most maps, but not on all.
        slower = _part(inside, table, settings, report, threads, THOROUGH)
        parted = slower if slower is not None and slower.areas <= parted.areas else parted
    if parted is None:
        raise unreached
    return Divided(_finish(parted, settings, report), leak)


@dataclass(frozen=True, slots=True)
class Linked:
    """What joins areas, and what is in them."""

    places: Places
    links: Links


def link_areas(understood: Understood, areas: Areas, settings: Settings, report: Report, threads: int = 1) -> Linked:
    """Find items, spawns and the reachabilities between areas (thesis §6.4): steps 13 and 14."""
    movement = Movement(areas, settings)
    places = _find_places(understood, movement, report)
    return Linked(places, _find_links(understood, areas, movement, places, report, threads))


# --- reading: steps 1 to 4 --------------------------------------------------------------------------------------------


def understand(source: MapSource | str, report: Report, settings: Settings = QUAKE3) -> Understood:
    """Read a map and find out what each part of it means; the report lists what was left out, and why."""
    # 1. Read. Every format becomes the same records, so that nothing after this knows formats.
    with report.stage("read") as stage:
        read = load_map(source)
        settings = with_gravity_of(read, settings)
        stage.count(brushes=len(read.brushes), patches=len(read.patches), entities=len(read.entities))

    # 2. Hulls. A brush must enclose something, or later stages would divide by zero.
    with report.stage("hulls") as stage:
        closed = closed_brushes(read)
        map_data = closed.map
        stage.count(dropped=len(map_data.dropped) - len(read.dropped))
        stage.gives(brushes=map_data.brushes, hulls=closed.hulls)

    # 3. Meaning. The same contents mean different things in different entities' hands.
    with report.stage("meaning") as stage:
        facts = read_entities(map_data, settings.physics.gravity)
        meaning = classify(map_data, facts)
        patch_meaning = classify_patches(map_data, facts)
        stage.count(used=int((meaning.kind != 0).sum()), unused=int((meaning.kind == 0).sum()))

    # 4. Patches. Collision knows curves only as flat pieces.
    with report.stage("patches") as stage:
        table = PlaneTable.of(map_data.planes.normal, map_data.planes.dist)
        pieces = facets(map_data.patches, table)
        planes = Planes(table.normal, table.dist)
        stage.count(facets=len(pieces), unmerged=pieces.unmerged, dropped=len(pieces.dropped))
        stage.gives(planes=planes, facets=pieces)

    report.drop(*map_data.dropped, *pieces.dropped)
    _warn(map_data, facts, meaning, report)
    return Understood(map_data, closed.hulls, facts, meaning, patch_meaning, pieces, planes, table, settings)


def _warn(map_data: MapData, facts: EntityFacts, meaning: Meaning, report: Report) -> None:
    """Warn of what the mapper should look at."""
    fault = gravity_fault(map_data)
    if fault:
        report.warn(f"worldspawn: {fault}")
    for idle in facts.idle:
        if idle.fault:
            report.warn(f"{map_data.entities[idle.row].classname} (entity {idle.row}) does nothing: {idle.reason}")
    for train in facts.trains:
        if not train.stops:
            report.warn(f"func_train (entity {train.row}) does nothing: it has no path_corner to go to")
    for name in meaning.unknown:
        report.warn(f"unknown class '{name}': its brushes give no geometry")


# --- dividing: steps 5 to 12 ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Inside:
    """Where a player can be, with all that was made to find it."""

    planes: Planes
    volumes: Volumes
    surface: Surface
    cell: RootCell
    flood: Flood
    rough: Reached
    """The first tree, of everything, with its leaves that entities can reach."""
    stands: Float
    """(n, 6) boxes of the origins of players who stand on platforms."""


def _find_inside(understood: Understood, solids: Solids, settings: Settings, report: Report, threads: int) -> _Inside:
    """Grow the solids and find what the map's entities can reach between them."""
    all_boxes, table = settings.all_boxes, understood.table
    # 5. Expand. When everything else grows by the player's box, the player becomes a point.
    with report.stage("expand") as stage:
        volumes = expand(table, solids, settings.boxes)
        cell = root_cell(table, volumes)
        planes = Planes(table.normal, table.dist)
        stage.count(volumes=len(volumes), sides=len(volumes.side_plane))
        stage.gives(planes=planes, volumes=volumes)

    # 6. Surface. Only surface that a player can touch may divide space; hidden sides would cost areas.
    with report.stage("surface") as stage:
        grid = volume_grid(volumes)
        surface = visible_surface(planes, volumes, grid, all_boxes, settings.areas.hints, threads)
        stage.count(polygons=len(surface))
        stage.gives(planes=planes, volumes=volumes, surface=surface)

    # 7. Flood. A first, quick tree of everything tells inside from outside: the outside shall cost no areas.
    with report.stage("flood") as stage:
        division = build_tree(planes, volumes, surface, cell, all_boxes)
        contents = point_contents(planes, volumes, grid, division.leaf_point, threads)
        tree = finish_tree(division, contents, all_boxes)
        if not tree.leaves:
            raise MapError(understood.map.name, "has no surface that a player could touch")
        portals = make_portals(planes, tree, all_boxes, threads, exact=False)
        flood = flood_inside(planes, tree, portals, understood.map.entities, all_boxes, cell.box)
        stage.count(leaves=tree.leaves, reached=int(flood.reached.sum()))
        stage.gives(planes=planes, tree=tree, portals=portals, reached=flood.reached)
    stands = standing_boxes(understood.map, rides(understood.map, understood.facts), settings.boxes[0])
    return _Inside(planes, volumes, surface, cell, flood, Reached(tree, flood.reached), stands)


@dataclass(frozen=True, slots=True)
class _Parted:
    """Where a player can be, parted into areas."""

    planes: Planes
    start: StartMesh
    merged: Merged

    @property
    def areas(self) -> int:
        """Number of areas."""
        return len(self.merged.left)


def _part(
    inside: _Inside, table: PlaneTable, settings: Settings, report: Report, threads: int, search: Search
) -> _Parted | None:
    """Part the inside into areas; None when nothing is left of what was reached."""
    all_boxes, planes = settings.all_boxes, inside.planes
    # 8. Tree. The final tree divides only what was reached, into as few convex leaves as possible.
    with report.stage("tree") as stage:
        inner = inner_surface(planes, inside.rough, inside.surface, threads)
        division = build_tree(planes, inside.volumes, inner, inside.cell, all_boxes, search, inside.rough)
        contents = inside_contents(planes, inside.rough, division, inside.cell, all_boxes)
        tree = finish_tree(division, contents, all_boxes)
        if not tree.leaves:
            return None
        stage.count(polygons=len(inner), nodes=len(tree.node), leaves=tree.leaves)
        stage.gives(planes=planes, tree=tree)

    # 9. Portals. Areas need exact faces: the polygon that two touching leaves share.
    with report.stage("portals") as stage:
        portals = make_portals(planes, tree, all_boxes, threads, exact=True)
        stage.count(portals=len(portals))
        stage.gives(planes=planes, tree=tree, portals=portals)

    # 10. Gravity. Nobody may fall out of an area somebody stands in, nor climb in it out of reach from its floor.
    with report.stage("gravity") as stage:
        walls = mark_ladders(planes, inside.volumes, tree, portals, settings)
        start = make_mesh(planes, tree, walls, settings)
        falls = subdivide_by_gravity(start.mesh, table)
        hanging = subdivide_at_ladders(start.mesh, table)
        stage.count(
            splits=falls.splits, stuck=falls.stuck, ladders=int(walls.ladder.sum()), hanging=hanging,
            areas=start.mesh.area_count,
        )  # fmt: skip
        stage.gives(mesh=start.mesh)

    # 11. Merge. Every area costs routing time, so two that can be one area become one.
    with report.stage("merge") as stage:
        merged = merge_areas(start.mesh)
        stage.count(areas=len(merged.left))
        stage.gives(mesh=start.mesh, into=merged.into)

    # 12. Walkable. Players walk straight over steps and slopes, so what they walk on need not be convex.
    if settings.areas.walkable:
        with report.stage("walkable") as stage:
            walked = make_walkable(start, merged, table, inside.stands)
            merged = walked.merged
            stage.count(
                floors=walked.floors, pieces=walked.pieces, cuts=walked.cuts, forced=walked.forced,
                areas=len(merged.left),
            )  # fmt: skip
            stage.gives(mesh=start.mesh, into=merged.into)
    return _Parted(Planes(table.normal, table.dist), start, merged)


def _finish(parted: _Parted, settings: Settings, report: Report) -> Areas:
    """Turn the mesh into the areas that a file holds."""
    # 12. Finish. Neighbours must share faces, edges and vertices exactly, and each area knows what it is.
    with report.stage("finish") as stage:
        areas = finish(parted.planes, parted.start, parted.merged, settings)
        stage.count(areas=len(areas), faces=len(areas.face_plane), edges=len(areas.edge), vertices=len(areas.vertex))
        stage.gives(areas=areas)
    return areas


# --- linking: steps 13 and 14 -----------------------------------------------------------------------------------------


def _find_places(understood: Understood, movement: Movement, report: Report) -> Places:
    """Find the areas of items and spawns."""
    # 13. Places. Some links are only worth making to an item, and routes are only worth checking from a spawn.
    with report.stage("places") as stage:
        places = find_places(understood.map, movement)
        items = int(places.item.sum())
        stage.count(spawns=len(places) - items, items=items, lost=int((places.area < 0).sum()))
    return places


def _find_links(
    understood: Understood, areas: Areas, movement: Movement, places: Places, report: Report, threads: int
) -> Links:
    """Find the reachabilities between areas."""
    settings, map_data, facts = movement.settings, understood.map, understood.facts
    # 14. Reach. Every travel type adds its candidates; of each pair, type and lane the quickest stays.
    with report.stage("reach") as stage:
        candidates = Candidates()
        edges = ground_edges(areas)
        walk_links(candidates, areas, edges, movement)
        swim_links(candidates, areas, movement)
        local_links(candidates, areas, edges, movement, settings, threads)
        entity_links(candidates, areas, map_data, facts, movement, places)
        found, hard = candidates.finish_with_hard(areas)
        links = drop_needless(found, hard, areas, facts.doors, settings)
        links = through_doors(links, areas, map_data, facts, settings)
        stage.count(links=len(links), **{Travel(k).name.lower(): n for k, n in by_kind(links).items()})
        stage.gives(areas=areas, links=links)
    return links


# --- clusters: step 15 ------------------------------------------------------------------------------------------------


def part_into_clusters(understood: Understood, areas: Areas, linked: Linked, report: Report) -> Clusters:
    """Choose clusters and the portals between them (thesis §6.5)."""
    # 15. Cluster. Routing remembers less where rooms meet only in doorways.
    with report.stage("cluster") as stage:
        clusters, choice = make_clusters(areas, linked.links, linked.places, understood.map.entities)
        stage.count(
            clusters=len(clusters), portals=len(clusters.portal_area), routing=choice.routing, cost=choice.cost,
            cost_of_one=choice.cost_of_one, ideal=choice.ideal,
        )  # fmt: skip
        stage.gives(areas=areas, clusters=clusters)
    for candidate in choice.candidates:
        if candidate.brush and candidate.reason:
            report.warn(f"area {candidate.area} of a cluster portal brush is no portal: {candidate.reason}")
    return clusters


# --- the result -------------------------------------------------------------------------------------------------------


def gather(
    understood: Understood,
    divided: Divided,
    linked: Linked | None,
    clusters: Clusters | None,
    settings: Settings,
    report: Report,
    before: str = "[]",
) -> Compiled:
    """Everything that a compiled file holds; ``before``: the counts of stages that were not run again, as JSON."""
    map_data = understood.map
    ran = {stage.name: {"name": stage.name, "counts": stage.counts} for stage in report.stages}
    stages = [ran.get(stage["name"], stage) for stage in json.loads(before)]
    return Compiled(
        areas=with_used_planes(divided.areas),
        links=None if linked is None else linked.links,
        clusters=clusters,
        boxes=Boxes.of(settings.boxes),
        rides=rides(map_data, understood.facts),
        context=solid_faces(understood),
        entities=Entities.of(map_data.entities),
        leak=divided.leak,
        provenance=Provenance(
            generator=f"aascompile {__version__}",
            name=map_data.name.replace("\\", "/").rsplit("/", 1)[-1],
            sha256=map_data.sha256,
            checksum=map_data.checksum,
            settings=text_to_store(settings),
            stages=json.dumps(stages or [{"name": stage.name, "counts": stage.counts} for stage in report.stages]),
            geometry=geometry_hash(understood, settings),
        ),
        places=None if linked is None else linked.places,
    )
