"""The stages in order: the one place that knows it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from aascompile import __version__
from aascompile.areas.finish import finish
from aascompile.areas.ladder_faces import mark_ladders
from aascompile.areas.mesh import make_mesh
from aascompile.areas.mesh_kernel import AreaMesh
from aascompile.areas.subdivide import merge_areas, subdivide_at_ladders, subdivide_by_gravity
from aascompile.brushes.brush_hulls import sound_brushes
from aascompile.brushes.context import solid_faces
from aascompile.brushes.entity_facts import read_entities
from aascompile.brushes.expand import expand, with_facets, with_walls
from aascompile.brushes.meaning import classify, classify_patches
from aascompile.brushes.patches import facets
from aascompile.brushes.rides import rides
from aascompile.bsp.outside import RAISE, STANDS, Flood, flood_inside
from aascompile.bsp.portals import make_portals
from aascompile.bsp.surface import visible_surface, volume_grid
from aascompile.bsp.tree import (
    NORMAL,
    THOROUGH,
    Search,
    build_tree,
    finish_tree,
    inner_surface,
    inside_contents,
    outer_box,
    point_contents,
    root_cell,
)
from aascompile.cluster.clusters import make_clusters
from aascompile.errors import LeakError, MapError, StoreError
from aascompile.geometry.hull import Hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.mapio.load import MapSource, load_map
from aascompile.model.areas import Areas
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Boxes, Compiled, Entities, Provenance, with_used_planes
from aascompile.model.entity_facts import EntityFacts
from aascompile.model.facets import Facets
from aascompile.model.links import Links, Travel, by_kind
from aascompile.model.mapdata import Bits, Brushes, Entity, Float, Index, Int, MapData, Planes
from aascompile.model.meaning import Meaning
from aascompile.model.places import Places
from aascompile.model.tree import Tree
from aascompile.model.volumes import Surface, Volumes
from aascompile.player.movement import Movement
from aascompile.reach.adjoining import swim_links, walk_links
from aascompile.reach.candidates import Candidates
from aascompile.reach.doors import through_doors
from aascompile.reach.find_links import carried_links
from aascompile.reach.ground import ground_edges
from aascompile.reach.hard import without_needless
from aascompile.reach.local import local_links
from aascompile.reach.places import settle
from aascompile.report import Report
from aascompile.reuse import first_astray, geometry_hash
from aascompile.settings import Settings


def compile_map(
    source: MapSource | str,
    settings: Settings,
    report: Report,
    threads: int = 1,
    quality: bool = False,
    allow_leak: bool = False,
) -> Compiled:
    """All stages: from a map's path or bytes to all that a compiled file holds."""
    understood = understand(source, report)
    divided = make_areas(understood, settings, report, threads, quality, allow_leak)
    places = find_places(understood, divided.areas, settings, report)
    links = make_links(understood, divided.areas, settings, report, threads, places)
    clusters = part_into_clusters(understood, divided.areas, links, report)
    return gather(understood, divided.areas, links, clusters, divided.leak, settings, report, places)


def compile_again(
    source: MapSource | str,
    old: Compiled,
    file: str,
    settings: Settings,
    report: Report,
    threads: int = 1,
    clusters_only: bool = False,
) -> Compiled:
    """The last stages anew on the areas (or on the areas and links) of a compiled map; ``file``: what messages call it.

    StoreError when what is kept does not fit the map and the settings.
    """
    understood = understand(source, report)
    areas, links, places = old.areas, old.links, old.places
    require_fit(understood, old, file, settings)
    if clusters_only:
        require_links(understood, old, file, settings)
    if links is None or not clusters_only:
        places = find_places(understood, areas, settings, report)
        links = make_links(understood, areas, settings, report, threads, places)
    clusters = part_into_clusters(understood, areas, links, report)
    return gather(understood, areas, links, clusters, old.leak, settings, report, places, old.provenance.stages)


@dataclass(frozen=True, slots=True)
class Understood:
    """A map with all that can be said of it before areas are made."""

    map: MapData
    """Without the brushes that enclose nothing."""
    hulls: Hulls
    """Of its brushes, a row each."""
    facts: EntityFacts
    meaning: Meaning
    """Of its brushes."""
    patch_meaning: Meaning
    """Of its patches."""
    facets: Facets
    """Of all patches that would block standing still; ``patch_meaning`` says which of them count."""
    planes: Planes
    """The map's planes, their ids unchanged, then those of the facets."""


def understand(source: MapSource | str, report: Report) -> Understood:
    """Read a map and find out what each part of it means; the report says what was left out, and why."""
    # 1. Every format becomes the same records.
    with report.stage("read") as stage:
        read = load_map(source)
        stage.count(brushes=len(read.brushes), patches=len(read.patches), entities=len(read.entities))

    # 2. A brush must enclose something, or later stages would divide by its nothing.
    with report.stage("hulls") as stage:
        map_data, hulls = sound_brushes(read)
        stage.count(dropped=len(map_data.dropped) - len(read.dropped))
        stage.gives(map_data.brushes, hulls)

    # 3. The same contents mean different things in different entities' hands.
    with report.stage("meaning") as stage:
        facts = read_entities(map_data)
        meaning = classify(map_data, facts)
        patch_meaning = classify_patches(map_data, facts)
        stage.count(used=int((meaning.kind != 0).sum()), unused=int((meaning.kind == 0).sum()))

    # 4. Collision knows curves only as flat pieces.
    with report.stage("patches") as stage:
        table = PlaneTable.of(map_data.planes.normal, map_data.planes.dist)
        pieces, dropped = facets(map_data.patches, table)
        planes = Planes(table.normal, table.dist)
        stage.count(facets=len(pieces), unmerged=pieces.unmerged, dropped=len(dropped))
        stage.gives(planes, pieces)

    for one in map_data.dropped + dropped:
        report.drop(one.kind, one.number, one.reason)
    _warn(map_data, facts, meaning, report)
    return Understood(map_data, hulls, facts, meaning, patch_meaning, pieces, planes)


@dataclass(frozen=True, slots=True)
class Divided:
    """A map divided into areas."""

    areas: Areas
    leak: Float
    """(n, 3) the way out of a map that is not closed, if that was allowed; else empty."""


def make_areas(
    understood: Understood,
    settings: Settings,
    report: Report,
    threads: int = 1,
    quality: bool = False,
    allow_leak: bool = False,
) -> Divided:
    """Stages 4 to 9 of the thesis's list (§6.2): from brushes to convex areas without gaps."""
    # 1. to 3. Where a player can be at all. A map that is not closed gets walls round it, if that is wanted.
    table = PlaneTable.of(understood.planes.normal, understood.planes.dist)
    brushes, meaning = with_facets(
        understood.map.brushes, understood.meaning, understood.facets, understood.patch_meaning
    )
    inside = _find_inside(table, brushes, meaning, understood.map.entities, settings, report, threads)
    leak = inside.flood.trail
    if len(leak):
        error = LeakError(understood.map.name, understood.map.named(inside.flood.leaking), leak.tolist())
        if not allow_leak:
            raise error
        report.warn(f"{error.entity} can get outside the map, to {error.goal}; the map was closed at its bounds")
        brushes, meaning = with_walls(table, brushes, meaning)
        inside = _find_inside(table, brushes, meaning, understood.map.entities, settings, report, threads)
    unreached = MapError(understood.map.name, "no entity stands where a player has room, so nothing can be reached")
    if not inside.flood.reached.any():
        raise unreached

    # 4. to 7. Dividing that. The slower search finds fewer areas on most maps, but not on all.
    parted = _part(inside, table, settings, report, threads, NORMAL)
    if parted is not None and quality:
        slower = _part(inside, table, settings, report, threads, THOROUGH)
        parted = slower if slower is not None and slower.count <= parted.count else parted
    if parted is None:
        raise unreached

    # 8. Shared faces, edges and vertices, and what each area is.
    with report.stage("finish") as stage:
        up = (settings.physics.floor_up, settings.areas.gap_up)
        presence = [box.presence for box in settings.boxes]
        areas = finish(parted.planes, parted.mesh, parted.into, parted.blocks, parted.contains, presence, up)
        stage.count(areas=len(areas), faces=len(areas.face_plane), edges=len(areas.edge), vertices=len(areas.vertex))
        stage.gives(areas)
    return Divided(areas, leak)


@dataclass(frozen=True, slots=True)
class _Parted:
    """Where a player can be, parted into areas."""

    planes: Planes
    mesh: AreaMesh
    into: Int
    """The area that each one of the mesh went into."""
    blocks: Bits
    contains: Index
    count: int
    """Areas that are left."""


def _part(
    inside: _Inside, table: PlaneTable, settings: Settings, report: Report, threads: int, search: Search
) -> _Parted | None:
    """The next four of the stages that make areas; None when nothing is left of what was reached."""
    every_box = settings.every_box
    # 4. The final tree divides only what was reached, into convex leaves as few as possible.
    with report.stage("tree") as stage:
        planes, rough, reached = inside.planes, inside.tree, inside.flood.reached
        inner = inner_surface(planes, rough, inside.surface, reached, threads)
        parts = build_tree(planes, inside.volumes, inner, inside.cell, every_box, search, (rough, reached))
        blocks, contains = inside_contents(planes, rough, reached, parts, inside.cell[1], every_box)
        tree = finish_tree(parts, blocks, contains, every_box)
        if not tree.leaves:
            return None
        stage.count(polygons=len(inner), nodes=len(tree.node), leaves=tree.leaves)
        stage.gives(planes, tree)

    # 5. Leaves that touch know the polygon they share.
    with report.stage("portals") as stage:
        portals = make_portals(planes, tree, every_box, threads, exact=True)
        stage.count(portals=len(portals))
        stage.gives(planes, tree, portals)

    # 6. Nobody may fall out of an area somebody stands in, nor climb in it out of reach from where one stands.
    with report.stage("gravity") as stage:
        up, step = (settings.physics.floor_up, settings.areas.gap_up), settings.physics.max_step
        solid = tree.leaf_blocks == every_box
        portals, ladders = mark_ladders(planes, inside.volumes, portals, solid, every_box, up[0])
        mesh, blocks, contains = make_mesh(planes, tree, portals, ladders, ~solid, *up, step)
        splits, stuck = subdivide_by_gravity(mesh, table)
        hanging = subdivide_at_ladders(mesh, table)
        planes = Planes(table.normal, table.dist)
        stage.count(splits=splits, stuck=stuck, ladders=int(ladders.sum()), hanging=hanging, areas=mesh.area_count)
        stage.gives(mesh)

    # 7. Every area costs routing time, so what can be one becomes one.
    with report.stage("merge") as stage:
        into = merge_areas(mesh)
        stage.count(areas=int((into == range(len(into))).sum()))
        stage.gives(mesh, into)
    return _Parted(planes, mesh, into, blocks, contains, int((into == range(len(into))).sum()))


def find_places(understood: Understood, areas: Areas, settings: Settings, report: Report) -> Places:
    """Where spawns and items are."""
    # 9. Ways are of use when they lead from a spawn to an item.
    with report.stage("places") as stage:
        places = settle(understood.map, Movement(areas, settings))
        items = int(places.item.sum())
        stage.count(spawns=len(places) - items, items=items, lost=int((places.area < 0).sum()))
    return places


def make_links(
    understood: Understood,
    areas: Areas,
    settings: Settings,
    report: Report,
    threads: int = 1,
    places: Places | None = None,
) -> Links:
    """The ways between areas (thesis §6.4); ``places``: as ``find_places`` finds them."""
    # 10. Every kind of way adds its own; the quickest of each pair, kind and lane stays.
    with report.stage("reach") as stage:
        candidates = Candidates()
        edges = ground_edges(areas)
        movement = Movement(areas, settings)
        walk_links(candidates, areas, edges, movement)
        swim_links(candidates, areas, movement)
        local_links(candidates, areas, edges, movement, settings, threads)
        known = settle(understood.map, movement) if places is None else places
        carried_links(candidates, areas, understood.map, understood.facts, movement, known)
        found, hard = candidates.finish_telling(areas)
        links = without_needless(found, hard, areas, understood.facts.doors, settings)
        links = through_doors(links, areas, understood.map, understood.facts, settings)
        stage.count(links=len(links), **{Travel(k).name.lower(): n for k, n in by_kind(links).items()})
        stage.gives(areas, links)
    return links


def part_into_clusters(understood: Understood, areas: Areas, links: Links, report: Report) -> Clusters:
    """Clusters and the portals between them (thesis §6.5)."""
    # 11. Routing remembers less where rooms meet only in doorways.
    with report.stage("cluster") as stage:
        clusters, choice = make_clusters(areas, links, understood.map.entities)
        stage.count(
            clusters=len(clusters), portals=len(clusters.portal_area), routing=choice.routing, cost=choice.cost,
            cost_of_one=choice.cost_of_one, ideal=choice.ideal,
        )  # fmt: skip
        stage.gives(areas, clusters)
    for one in choice.candidates:
        if one.brush and one.reason:
            report.warn(f"area {one.area} of a cluster portal brush is no portal: {one.reason}")
    return clusters


@dataclass(frozen=True, slots=True)
class _Inside:
    """Where a player can be, with all that was made to find it out."""

    planes: Planes
    volumes: Volumes
    surface: Surface
    cell: tuple[Int, Float]
    tree: Tree
    flood: Flood


def _find_inside(
    table: PlaneTable,
    brushes: Brushes,
    meaning: Meaning,
    entities: tuple[Entity, ...],
    settings: Settings,
    report: Report,
    threads: int,
) -> _Inside:
    """The first three of the stages that make areas."""
    every_box = settings.every_box
    # 1. A player becomes a point when everything else grows by the player's box.
    with report.stage("expand") as stage:
        volumes = expand(table, brushes, meaning, settings.boxes)
        outer = outer_box(volumes)
        cell_normal, cell_dist, cell_faces = root_cell(outer)
        cell = (table.intern(cell_normal, cell_dist), cell_faces)
        planes = Planes(table.normal, table.dist)
        stage.count(volumes=len(volumes), sides=len(volumes.side_plane))
        stage.gives(planes, volumes)

    # 2. Only surface that can be touched may divide space.
    with report.stage("surface") as stage:
        grid = volume_grid(volumes)
        surface = visible_surface(planes, volumes, grid, every_box, settings.areas.hints, threads)
        stage.count(polygons=len(surface))
        stage.gives(planes, volumes, surface)

    # 3. A first tree of everything tells inside from outside: what the map's entities cannot reach is no place to be.
    with report.stage("flood") as stage:
        parts = build_tree(planes, volumes, surface, cell, every_box)
        tree = finish_tree(parts, *point_contents(planes, volumes, grid, parts[3], threads), every_box)
        if not tree.leaves:
            raise MapError(report.source, "has no surface that a player could touch")
        portals = make_portals(planes, tree, every_box, threads, exact=False)
        flood = flood_inside(planes, tree, portals, entities, every_box, outer)
        stage.count(leaves=tree.leaves, reached=int(flood.reached.sum()))
        stage.gives(planes, tree, portals, flood.reached)
    return _Inside(planes, volumes, surface, cell, tree, flood)


def gather(
    understood: Understood,
    areas: Areas,
    links: Links | None,
    clusters: Clusters | None,
    leak: Float,
    settings: Settings,
    report: Report,
    places: Places | None = None,
    before: str = "[]",
) -> Compiled:
    """Everything a compiled file holds; ``leak``: (n, 3) the way out of a map that is not closed.

    ``before``: what the stages counted that were not run again, in JSON.
    """
    map_data = understood.map
    ran = {stage.name: {"name": stage.name, "counts": stage.counts} for stage in report.stages}
    stages = [ran.get(stage["name"], stage) for stage in json.loads(before)]
    return Compiled(
        areas=with_used_planes(areas),
        links=links,
        clusters=clusters,
        boxes=Boxes.of(settings.boxes),
        rides=rides(map_data, understood.facts),
        context=solid_faces(
            map_data, understood.hulls, understood.meaning, understood.facets, understood.patch_meaning
        ),
        entities=Entities.of(map_data.entities),
        leak=leak,
        provenance=Provenance(
            generator=f"aascompile {__version__}",
            name=map_data.name.replace("\\", "/").rsplit("/", 1)[-1],
            sha256=map_data.sha256,
            checksum=map_data.checksum,
            settings=_told(settings),
            stages=json.dumps(stages or [{"name": stage.name, "counts": stage.counts} for stage in report.stages]),
            geometry=geometry_of(understood, settings),
        ),
        places=places,
    )


def _warn(map_data: MapData, facts: EntityFacts, meaning: Meaning, report: Report) -> None:
    """What the mapper should look at."""
    for idle in facts.idle:
        if idle.fault:
            report.warn(f"{map_data.entities[idle.row].classname} (entity {idle.row}) does nothing: {idle.reason}")
    for train in facts.trains:
        if not train.stops:
            report.warn(f"func_train (entity {train.row}) does nothing: it has no path_corner to go to")
    for name in meaning.unknown:
        report.warn(f"unknown class '{name}': its brushes give no geometry")


# --- using areas again ------------------------------------------------------------------------------------------------


def geometry_of(understood: Understood, settings: Settings) -> str:
    """Hash of all that areas are made from, but for where entities stand."""
    return geometry_hash(
        (understood.map.brushes, understood.facets.brushes),
        (understood.meaning, understood.patch_meaning),
        understood.facets.patch,
        understood.planes,
        settings,
    )


def require_fit(understood: Understood, old: Compiled, file: str, settings: Settings) -> None:
    """StoreError unless the areas of a compiled map are those that its map would get."""
    if not old.provenance.geometry:
        raise StoreError(f"{file}: does not say what its areas were made from; compile the map as a whole")
    if old.provenance.geometry != geometry_of(understood, settings):
        raise StoreError(
            f"{file}: its areas do not fit {understood.map.name}: geometry, what brushes mean, or the settings of "
            "areas have changed; compile the map as a whole"
        )
    row = first_astray(old, understood.map.entities, STANDS, RAISE)
    if row >= 0:
        name = understood.map.named(row)
        raise StoreError(f"{file}: has no area at {name}, which is new; compile the map as a whole")


def require_links(understood: Understood, old: Compiled, file: str, settings: Settings) -> None:
    """StoreError unless the links of a compiled map are those that its map would get."""
    if old.links is None:
        raise StoreError(f"{file}: has no links; --reach-only makes them")
    if old.entities.keys != Entities.of(understood.map.entities).keys:
        raise StoreError(f"{file}: the map's entities have changed, so its links may have; use --reach-only")
    if old.provenance.settings != _told(settings):
        raise StoreError(f"{file}: was compiled with other settings; name the same, or use --reach-only")


def _told(settings: Settings) -> str:
    """All settings as a compiled file has them."""
    return json.dumps(asdict(settings), separators=(",", ":"))
