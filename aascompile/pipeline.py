"""Runs the stages in order. They are numbered as in ``stages.STAGES``; only this module knows the order.

``compile_map`` runs all of them. The functions that it calls follow below it and contain steps 1 to 16. Step 17, which
writes the files, is left to the caller. Each step takes records, makes new ones, and passes them to the report, whose
observer may draw or check them.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from aascompile import __version__
from aascompile.brushes.brush_hulls import closed_brushes
from aascompile.brushes.context import solid_faces
from aascompile.brushes.entity_facts import read_entities
from aascompile.brushes.expand import Solids, expand, solids_of, with_walls
from aascompile.brushes.meaning import classify, classify_patches
from aascompile.bsp.outside import Flood, flood_inside
from aascompile.bsp.portals import make_portals
from aascompile.bsp.surface import visible_surface, volume_grid
from aascompile.bsp.tree import (
    NORMAL,
    QUICK,
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
from aascompile.errors import LeakError, MapError, StoreError
from aascompile.geometry.planes import PlaneTable
from aascompile.mapio.game_format import as_quake3, fitting_settings
from aascompile.mapio.game_mode import in_mode
from aascompile.mapio.load import MapSource, load_map, read_map_file
from aascompile.model.areas import Areas
from aascompile.model.by_hand import FILE_KEY, is_by_hand, read_by_hand
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Boxes, Compiled, Context, Entities, Provenance, Rides, with_used_planes
from aascompile.model.entity_facts import EntityFacts
from aascompile.model.facets import Facets
from aascompile.model.gravity import gravity_fault, with_gravity_of
from aascompile.model.hanging import hanging_boxes
from aascompile.model.links import Links, Travel, by_kind, select_links
from aascompile.model.mapdata import Float, MapData, Patches, Planes
from aascompile.model.meaning import Meaning
from aascompile.model.movers import movers
from aascompile.model.places import Places
from aascompile.model.standing import standing_boxes
from aascompile.model.understood import Understood
from aascompile.model.volumes import Surface, Volumes
from aascompile.records import dataclass
from aascompile.report import Report
from aascompile.settings import QUAKE3, Settings
from aascompile.settings_file import text_to_store
from aascompile.stages import number_of
from aascompile.threads import Begun, both

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aascompile.areas.mesh import StartMesh
    from aascompile.areas.subdivide import Merged
    from aascompile.cluster.clusters import Choice
    from aascompile.player.movement import Movement
    from aascompile.reach.remembered import Remembered

# Modules of these steps are imported where they are used: not every command needs them. Those that compile import
# them first (LATER). In a thread beside the first steps, imports would take longer, and so would the steps.
LATER: Final = (
    "aascompile.mapio.ibsp",
    "aascompile.areas.ladder_faces",
    "aascompile.areas.subdivide",
    "aascompile.areas.walkable",
    "aascompile.areas.finish",
    "aascompile.player.movement",
    "aascompile.reach.places",
    "aascompile.reach.local",
    "aascompile.reach.find_links",
    "aascompile.reach.by_hand",
    "aascompile.cluster.clusters",
    "aascompile.reuse",
)

FEW: Final = 100
"""Brushes and patches up to which one thread compiles a map: a second would take longer to start than it would save."""

MOST_NAMED: Final = 8
"""Patches that a warning names."""


def compile_map(
    source: MapSource | str,
    settings: Settings,
    report: Report,
    threads: int = 1,
    quality: bool = False,
    allow_leak: bool = False,
) -> Compiled:
    """Compile a map, given as a path or as bytes: steps 1 to 16."""
    understood = understand(source, report, settings, threads)
    settings = understood.settings
    threads = threads if len(understood.map.brushes) + len(understood.map.patches) > FEW else 1
    kept = Begun(lambda: keep(understood, settings), threads, waits=True)
    divided = make_areas(understood, settings, report, threads, quality, allow_leak, beside=kept)
    linked = link_areas(understood, divided.areas, settings, report, threads)
    clusters = choose_clusters(understood, divided.areas, linked, report, threads)
    return gather(understood, divided, linked, clusters, settings, report, kept=kept)


def compile_again(
    source: MapSource | str,
    old: Compiled,
    file: str,
    settings: Settings,
    report: Report,
    threads: int = 1,
    clusters_only: bool = False,
) -> Compiled:
    """Recompile a map, reusing the areas (or areas and links) of ``old``: steps 1 to 4, then from 14 (or 16).

    ``file`` is the name of the compiled file in messages. Raises StoreError if ``old`` does not match the map and the
    settings.
    """
    from aascompile.checks.check_compiled import require_areas
    from aascompile.player.movement import Movement
    from aascompile.reuse import require_fit, require_links

    understood = understand(_with_kept(source, old, report), report, settings)
    settings = understood.settings
    divided = Divided(old.areas, old.leak)
    require_fit(understood, old, file, settings)
    require_areas(old, file)
    if clusters_only:
        require_links(understood, old, file, settings)
    if clusters_only and old.links is not None:
        movement = Movement(old.areas, settings)
        linked = Linked(old.places or _find_places(understood, movement, report), old.links)
    else:
        linked = link_areas(understood, divided.areas, settings, report, threads)
    clusters = choose_clusters(understood, divided.areas, linked, report, threads)
    return gather(understood, divided, linked, clusters, settings, report, old.provenance.stages)


def _with_kept(source: MapSource | str, old: Compiled, report: Report) -> MapSource:
    """The map with what its side file adds; if there is none, with what the side file of the old compile added."""
    given = source if isinstance(source, MapSource) else read_map_file(source)
    if given.side_file:
        return given
    kept = tuple(entity for entity in map(old.entities.entity, range(len(old.entities))) if entity.get(FILE_KEY))
    if not kept:
        return given
    name = kept[0].get(FILE_KEY)
    report.warn(f"{name} was not found; its {len(kept):,} entries are taken from the existing output")
    return replace(given, added=kept, side_file=name)


def with_map(compiled: Compiled, file: str, source: MapSource | str, report: Report) -> Compiled:
    """An imported engine file with what the map alone has: its faces, its entities, items and spawns.

    ``file`` is its name in messages. StoreError if it was not made for this map.
    """
    from aascompile.player.movement import Movement

    understood = understand(source, report)
    if understood.map.checksum != compiled.provenance.checksum:
        raise StoreError(f"{file}: was made for another map than {understood.map.name} (their checksums differ)")
    places = _find_places(understood, Movement(compiled.areas, understood.settings), report)
    entities = Entities.of(understood.map.entities)
    return replace(compiled, context=solid_faces(understood), entities=entities, places=places)


@dataclass(frozen=True, slots=True)
class Divided:
    """A map divided into areas."""

    areas: Areas
    leak: Float
    """(n, 3) trail out of a leaking map, if leaks are allowed; else empty."""


def make_areas(
    understood: Understood,
    settings: Settings,
    report: Report,
    threads: int = 1,
    quality: bool = False,
    allow_leak: bool = False,
    beside: Begun[Any] | None = None,
) -> Divided:
    """Divide a map into convex areas without gaps (thesis §6.2): steps 5 to 13.

    Steps 5 to 7 run twice if the map leaks, 8 to 12 if ``quality`` is set. ``beside`` is begun before step 10: steps 10
    to 12 use one thread.
    """
    name, table = understood.map.name, understood.table
    solids = solids_of(understood)
    inside = _find_inside(understood, solids, settings, report, threads)
    leak = inside.flood.trail
    if len(leak):
        error = LeakError(name, understood.map.named(inside.flood.leaking), leak.tolist())
        if not allow_leak:
            raise error
        report.warn(f"{error.entity} can reach the outside at {error.goal}; walls were put at the bounds of the map")
        inside = _find_inside(understood, with_walls(table, solids), settings, report, threads)
    unreached = MapError(name, "no entity stands where a player fits, so nothing can be reached")
    if not inside.flood.reached.any():
        raise unreached

    # Floors are cut anew where areas are walkable, so fewer leaves hardly make fewer areas there.
    search = QUICK if settings.areas.walkable else NORMAL
    meshed = _mesh_inside(inside, table, settings, report, threads, search, beside)
    if meshed is not None and quality:
        # The slower search finds fewer areas on most maps, but not on all.
        slower = _mesh_inside(inside, table, settings, report, threads, THOROUGH)
        meshed = slower if slower is not None and slower.areas <= meshed.areas else meshed
    if meshed is None:
        raise unreached
    del inside  # of large maps, hundreds of megabytes
    return Divided(_finish(meshed, settings, understood.meaning.factors(), report, threads), leak)


@dataclass(frozen=True, slots=True)
class Linked:
    """Links between areas, and the items and spawns in them."""

    places: Places
    links: Links
    clusters: Begun[tuple[Clusters, Choice]] | None = None
    """Clusters that were begun beside the last part of step 15; None: they are still to be begun."""


def link_areas(
    understood: Understood,
    areas: Areas,
    settings: Settings,
    report: Report,
    threads: int = 1,
    remembered: Remembered | None = None,
) -> Linked:
    """Find items, spawns and the reachabilities between areas (thesis §6.4): steps 14 and 15.

    ``remembered`` holds what is known of these areas with these settings. What is new is added to it.
    """
    from aascompile.player.movement import Movement

    movement = Movement(areas, settings)
    places = _find_places(understood, movement, report)
    return _find_links(understood, areas, movement, places, report, threads, remembered)


# --- reading: steps 1 to 4 --------------------------------------------------------------------------------------------


def understand(source: MapSource | str, report: Report, settings: Settings = QUAKE3, threads: int = 1) -> Understood:
    """Read a map and decide what each part of it means. The report lists what was dropped, and why."""
    # 1. Read. Every format is converted to the same records, so no later stage depends on the format.
    with report.stage("read") as stage:
        given = source if isinstance(source, MapSource) else read_map_file(source)
        found = load_map(given, settings, threads)
        settings = fitting_settings(found, settings)
        read = in_mode(as_quake3(found, settings), settings.mode)
        if any(map(is_by_hand, (*read.entities, *given.added))):
            from aascompile.mapio.by_hand import with_by_hand

            read = with_by_hand(read, given.added, given.side_file)
        settings = with_gravity_of(read, settings)
        stage.count(brushes=len(read.brushes), patches=len(read.patches), entities=len(read.entities))

    # 2. Hulls. Every brush must have a volume, or later stages would divide by zero.
    with report.stage("hulls") as stage:
        closed = closed_brushes(read)
        map_data = closed.map
        stage.count(dropped=len(map_data.dropped) - len(read.dropped))
        stage.gives(brushes=map_data.brushes, hulls=closed.hulls)

    # 3. Meaning. What a brush means depends on its contents and on its entity.
    with report.stage("meaning") as stage:
        facts = read_entities(map_data, settings.physics.gravity)
        by_hand = read_by_hand(map_data.entities, read.name, given.side_file, map_data.brushes.entity.tolist())
        meaning = classify(map_data, facts)
        patch_meaning = classify_patches(map_data, facts)
        stage.count(used=int((meaning.kind != 0).sum()), unused=int((meaning.kind == 0).sum()))

    # 4. Patches. Like the engine, treat curves as flat pieces.
    with report.stage("patches") as stage:
        table = PlaneTable.of(map_data.planes.normal, map_data.planes.dist)
        pieces = _facets(map_data.patches, table)
        planes = Planes(table.normal, table.dist)
        stage.count(facets=len(pieces), unmerged=pieces.unmerged, dropped=len(pieces.dropped))
        stage.gives(planes=planes, facets=pieces)

    report.drop(*map_data.dropped, *pieces.dropped)
    if pieces.coarse:
        numbers = ", ".join(map(str, pieces.coarse[:MOST_NAMED])) + (", …" if len(pieces.coarse) > MOST_NAMED else "")
        report.warn(f"patch {numbers}: so many curves cross here that they are taken as coarser than they are")
    _warn(map_data, facts, meaning, report)
    return Understood(map_data, closed.hulls, facts, by_hand, meaning, patch_meaning, pieces, planes, table, settings)


def _facets(patches: Patches, table: PlaneTable) -> Facets:
    """Facets of the patches, if there are any."""
    if not len(patches):
        return Facets.none(patches)
    from aascompile.brushes.patches import facets

    return facets(patches, table)


def _warn(map_data: MapData, facts: EntityFacts, meaning: Meaning, report: Report) -> None:
    """Add warnings for the author of the map."""
    if map_data.format == "map":
        from aascompile.mapio.textures import source_warnings

        for sentence in source_warnings(map_data):
            report.warn(sentence)
    fault = gravity_fault(map_data)
    if fault:
        report.warn(f"worldspawn: {fault}")
    for idle in facts.idle:
        if idle.fault:
            report.warn(f"{map_data.entities[idle.row].classname} (entity {idle.row}) does nothing: {idle.reason}")
    for train in facts.trains:
        if not train.stops:
            report.warn(f"func_train (entity {train.row}) does nothing: it has no path_corner to go to")
        elif train.back < 0:
            report.warn(f"func_train (entity {train.row}) does nothing: the path of its path_corners never returns")
    for name in meaning.unknown:
        report.warn(f"unknown class '{name}': its brushes are ignored")


# --- dividing: steps 5 to 13 ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Inside:
    """The space where players can be, with the records made on the way."""

    planes: Planes
    volumes: Volumes
    surface: Surface
    cell: RootCell
    flood: Flood
    rough: Reached
    """The first tree, which divides everything, with the leaves that entities can reach."""
    stands: Float
    """(n, 6) boxes of the origins of players who stand on platforms."""


def _find_inside(understood: Understood, solids: Solids, settings: Settings, report: Report, threads: int) -> _Inside:
    """Grow the solids, and find the space between them that entities can reach."""
    all_boxes, table = settings.all_boxes, understood.table
    # 5. Expand. Once everything solid is grown by the player's box, the player is a point.
    with report.stage("expand") as stage:
        volumes = expand(table, solids, settings.boxes, threads)
        cell = root_cell(table, volumes)
        planes = Planes(table.normal, table.dist)
        stage.count(volumes=len(volumes), sides=len(volumes.side_plane))
        stage.gives(planes=planes, volumes=volumes)

    # 6. Surface. Only surface that a player can touch may divide space. Hidden sides would add areas.
    with report.stage("surface") as stage:
        grid = volume_grid(volumes)
        surface = visible_surface(planes, volumes, grid, all_boxes, settings.areas.hints, threads)
        stage.count(polygons=len(surface))
        stage.gives(planes=planes, volumes=volumes, surface=surface)

    # 7. Flood. A first, quick tree separates inside from outside, because the outside must not become areas.
    with report.stage("flood") as stage:
        division = build_tree(planes, volumes, surface, cell, all_boxes, threads=threads)
        contents = point_contents(planes, volumes, grid, division.leaf_point, threads)
        tree = finish_tree(division, contents, all_boxes)
        del division, contents
        if not tree.leaves:
            raise MapError(understood.map.name, "has no surface that a player can touch")
        portals = make_portals(planes, tree, all_boxes, threads, exact=False)
        flood = flood_inside(planes, tree, portals, understood.map.entities, all_boxes, cell.box)
        stage.count(leaves=tree.leaves, reached=int(flood.reached.sum()))
        stage.gives(
            planes=planes, tree=tree, portals=portals, all_boxes=all_boxes, reached=flood.reached, outer=cell.box
        )
    stands = standing_boxes(understood.map, movers(understood.facts), settings.boxes[0])
    stands = np.vstack([stands, hanging_boxes(understood.map.entities)])
    return _Inside(planes, volumes, surface, cell, flood, Reached(tree, flood.reached), stands)


@dataclass(frozen=True, slots=True)
class _Meshed:
    """The space where players can be, divided into areas."""

    planes: Planes
    start: StartMesh
    merged: Merged

    @property
    def areas(self) -> int:
        """Number of areas."""
        return len(self.merged.left)


def _mesh_inside(
    inside: _Inside,
    table: PlaneTable,
    settings: Settings,
    report: Report,
    threads: int,
    search: Search,
    beside: Begun[Any] | None = None,
) -> _Meshed | None:
    """Divide the inside into areas; None if no leaf is left."""
    all_boxes, planes = settings.all_boxes, inside.planes
    # 8. Tree. The final tree divides only the reached space, into as few convex leaves as possible.
    with report.stage("tree") as stage:
        inner = inner_surface(planes, inside.rough, inside.surface, threads)
        division = build_tree(planes, inside.volumes, inner, inside.cell, all_boxes, search, inside.rough, threads)
        contents = inside_contents(planes, inside.rough, division, inside.cell, all_boxes)
        tree = finish_tree(division, contents, all_boxes)
        if not tree.leaves:
            return None
        stage.count(polygons=len(inner), nodes=len(tree.node), leaves=tree.leaves)
        stage.gives(planes=planes, tree=tree)
    del inner, division, contents  # of large maps, hundreds of megabytes

    # 9. Portals. Areas need exact faces: the polygons that touching leaves share.
    with report.stage("portals") as stage:
        portals = make_portals(planes, tree, all_boxes, threads, exact=True)
        stage.count(portals=len(portals))
        stage.gives(planes=planes, tree=tree, portals=portals, all_boxes=all_boxes)

    from aascompile.areas.ladder_faces import mark_ladders
    from aascompile.areas.mesh import make_mesh
    from aascompile.areas.subdivide import merge_areas, subdivide_at_ladders, subdivide_by_gravity
    from aascompile.areas.walkable import make_walkable

    if beside is not None:
        beside.begin()
    # 10. Gravity. A player who stands in an area must not fall out of it, and must reach its ladders from its floor.
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
    del tree, portals, walls

    # 11. Merge. Every area costs routing time, so neighbours are merged where possible.
    with report.stage("merge") as stage:
        merged = merge_areas(start.mesh)
        stage.count(areas=len(merged.left))
        stage.gives(mesh=start.mesh, into=merged.into)

    # 12. Walkable. Players walk straight over steps and slopes, so what they walk on need not be convex.
    with report.stage("walkable") as stage:
        if settings.areas.walkable:
            walked = make_walkable(start, merged, table, inside.stands, settings.areas.widest, settings.physics.step)
            merged = walked.merged
            stage.count(floors=walked.floors, pieces=walked.pieces, cuts=walked.cuts, forced=walked.forced)
        stage.count(areas=len(merged.left))
        stage.gives(mesh=start.mesh, into=merged.into)
    return _Meshed(Planes(table.normal, table.dist), start, merged)


def _finish(meshed: _Meshed, settings: Settings, factors: Float, report: Report, threads: int) -> Areas:
    """Convert the mesh to the areas of a compiled file."""
    from aascompile.areas.finish import finish

    # 13. Finish. Neighbours share faces, edges and vertices exactly, and each area gets its properties.
    with report.stage("finish") as stage:
        areas = finish(meshed.planes, meshed.start, meshed.merged, settings, factors, threads)
        stage.count(areas=len(areas), faces=len(areas.face_plane), edges=len(areas.edge), vertices=len(areas.vertex))
        stage.gives(areas=areas)
    return areas


# --- linking: steps 14 and 15 -----------------------------------------------------------------------------------------


def _find_places(understood: Understood, movement: Movement, report: Report) -> Places:
    """Find the areas of items and spawns."""
    from aascompile.reach.places import find_places

    # 14. Places. Some links are made only to items, and routes are checked from spawns.
    with report.stage("places") as stage:
        places = find_places(understood.map, movement)
        items = int(places.item.sum())
        stage.count(spawns=len(places) - items, items=items, lost=int((places.area < 0).sum()))
    return places


def _find_links(
    understood: Understood,
    areas: Areas,
    movement: Movement,
    places: Places,
    report: Report,
    threads: int,
    remembered: Remembered | None,
) -> Linked:
    """Find the reachabilities between areas."""
    from aascompile.reach.by_hand import check_volumes, hand_links, kept_links
    from aascompile.reach.candidates import Candidates
    from aascompile.reach.find_links import edge_links, entity_links

    map_data, facts = understood.map, understood.facts
    # 15. Reach. Every travel type adds candidates. For each pair of areas, type and lane, the fastest is kept.
    with report.stage("reach") as stage:
        known = None if remembered is None else remembered.edge_links
        candidates, others = both(
            lambda: edge_links(areas, movement, threads) if known is None else Candidates.of(known),
            lambda: entity_links(areas, map_data, facts, movement, places),
            threads,
        )
        if remembered is not None and known is None:
            remembered.add_edge_links(candidates.columns())
        candidates.extend(others)
        by_hand = understood.by_hand
        check_volumes(understood, areas, report.warn)
        hand_links(candidates, by_hand, areas, facts, movement, report.warn)
        found, hard = candidates.finish_with_hard(areas)
        kept = kept_links(found, by_hand, movement, report.warn)
        linked = Linked(places, select_links(found, kept))
        if len(linked.links):
            linked = _as_taken(understood, areas, movement, linked, hard[kept], report, threads, remembered)
        links = linked.links
        stage.count(links=len(links), **{Travel(k).name.lower(): n for k, n in by_kind(links).items()})
        stage.gives(areas=areas, links=links)
    return linked


def _as_taken(
    understood: Understood,
    areas: Areas,
    movement: Movement,
    linked: Linked,
    hard: NDArray[np.bool_],
    report: Report,
    threads: int,
    remembered: Remembered | None,
) -> Linked:
    """The links that players and bots should take, with the times that these need."""
    from aascompile.reach.by_hand import warn_of_links, with_own_times
    from aascompile.reach.doors import through_doors
    from aascompile.reach.floors import over_rails
    from aascompile.reach.hard import drop_needless
    from aascompile.reach.measure import measured, with_better_starts
    from aascompile.reach.on_routes import for_routes
    from aascompile.reach.risk import DEADLY_SHARE, is_missed

    settings, by_hand, facts = movement.settings, understood.by_hand, understood.facts
    found, places = linked.links, linked.places
    links = measured(found, areas, movement, threads, remembered)
    warn_of_links(found, links.dies, DEADLY_SHARE, by_hand, areas, movement, report.warn)
    free = found.entity < 0
    deadly = (links.dies >= DEADLY_SHARE) & free
    hard = (hard | is_missed(links)) & free
    links = drop_needless(links, hard, deadly, areas, facts.doors, settings)
    # From here on only places and times of links change. Clusters depend on neither.
    clusters = _begin_clusters(understood, areas, links, places, threads)
    links = with_better_starts(links, areas, movement, threads, remembered)
    links = over_rails(links, areas)
    links = through_doors(links, areas, understood.map, facts, settings)
    links = replace(links, time=with_own_times(links, by_hand))
    links = for_routes(links, areas, places, movement, threads, remembered)
    return Linked(places, links, clusters)


# --- clusters: step 16 ------------------------------------------------------------------------------------------------


def choose_clusters(understood: Understood, areas: Areas, linked: Linked, report: Report, threads: int = 1) -> Clusters:
    """Choose clusters and the portals between them (thesis §6.5)."""
    # 16. Cluster. Routing needs less memory if clusters meet only in small portals.
    with report.stage("cluster") as stage:
        begun = linked.clusters or _begin_clusters(understood, areas, linked.links, linked.places, threads)
        clusters, choice = begun.result()
        stage.count(
            clusters=len(clusters), portals=len(clusters.portal_area), routing=choice.routing, cost=choice.cost,
            cost_of_one=choice.cost_of_one, ideal=choice.ideal,
        )  # fmt: skip
        stage.gives(areas=areas, clusters=clusters)
    for candidate in choice.candidates:
        if candidate.brush and candidate.reason:
            report.warn(f"area {candidate.area} of a cluster portal brush is not a portal: {candidate.reason}")
    return clusters


def _begin_clusters(
    understood: Understood, areas: Areas, links: Links, places: Places, threads: int
) -> Begun[tuple[Clusters, Choice]]:
    """Begin to choose clusters."""
    from aascompile.cluster.clusters import make_clusters

    return Begun(lambda: make_clusters(areas, links, places, understood.map.entities, threads), threads)


# --- the result -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kept:
    """What a compiled file keeps of its map."""

    context: Context
    entities: Entities
    geometry: str
    """Hash of what areas are made from."""


def keep(understood: Understood, settings: Settings) -> Kept:
    """Collect what a compiled file keeps of its map."""
    from aascompile.reuse import geometry_hash

    return Kept(solid_faces(understood), Entities.of(understood.map.entities), geometry_hash(understood, settings))


def gather(
    understood: Understood,
    divided: Divided,
    linked: Linked | None,
    clusters: Clusters | None,
    settings: Settings,
    report: Report,
    before: str = "[]",
    kept: Begun[Kept] | None = None,
) -> Compiled:
    """Collect the contents of a compiled file. ``before`` has the counts of skipped stages, as JSON; ``kept`` is what
    it keeps of the map, if that is known already."""
    map_data = understood.map
    of_map = keep(understood, settings) if kept is None else kept.result()
    moving = movers(understood.facts)
    carried = Rides.none()
    if moving:
        from aascompile.reach.stored_rides import rides, with_floors

        carried = rides(map_data, moving)
        if linked is not None:
            carried = with_floors(carried, linked.links, map_data, settings)
    ran = {stage["name"]: stage for stage in stage_counts(report)}
    stages = [ran.get(stage["name"], stage) for stage in json.loads(before)]
    return Compiled(
        areas=with_used_planes(divided.areas),
        links=None if linked is None else linked.links,
        clusters=clusters,
        boxes=Boxes.of(settings.boxes),
        rides=carried,
        context=of_map.context,
        entities=of_map.entities,
        leak=divided.leak,
        provenance=Provenance(
            generator=f"aascompile {__version__}",
            name=short_name(map_data.name),
            sha256=map_data.sha256,
            checksum=map_data.checksum,
            settings=text_to_store(settings),
            stages=json.dumps(stages or stage_counts(report)),
            geometry=of_map.geometry,
        ),
        places=None if linked is None else linked.places,
    )


def stage_counts(report: Report) -> list[dict[str, Any]]:
    """Name and counts of each stage that ran, as a compiled file stores them; other work is left out."""
    return [{"name": stage.name, "counts": stage.counts} for stage in report.stages if number_of(stage.name)]


def short_name(name: str) -> str:
    """Name of a map without folders and archive."""
    return name.replace("\\", "/").rsplit("/", 1)[-1]
