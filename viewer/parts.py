"""The meshes of a scene's layers: selected cells, their colours, and their drawing style."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Final

import numpy as np

from aascompile.model.areas import FaceFlag
from aascompile.model.contents import Kind
from aascompile.model.mapdata import Float
from aascompile.nav.routes import Route
from aascompile.viewer import build, lost, palette
from aascompile.viewer.carriers import volume_boxes
from aascompile.viewer.meshes import Colour, Mesh, cut, outlines
from aascompile.viewer.scene import QUIET, Scene

WALL_OPACITY: Final = 0.35
"""Opacity of the map's walls and ceilings."""

ON_TOP: Final = 0.999
"""Opacity of parts that are drawn after the shells, so that the shells do not tint them."""

GAP: Final[Colour] = (236, 104, 190)
SURFACE: Final[Colour] = (54, 106, 186)
LADDER: Final[Colour] = (227, 150, 241)
LIQUIDS: Final[dict[Kind, Colour]] = {Kind.SLIME: (176, 196, 40), Kind.LAVA: (222, 66, 30)}
"""Colours of liquid surfaces other than water."""


@dataclass(frozen=True, slots=True)
class Style:
    """Drawing style of a part."""

    opacity: float = 1.0
    width: float = 1.0
    """Line width, pixels."""
    lit: bool = True
    """Whether light shades it."""
    ambient: float = 0.32
    """Ambient light, 0 to 1."""
    one_sided: bool = False
    """Whether back faces are culled. This opens rooms to a camera outside them."""
    picks: str = ""
    """What a click picks, which is the item of a cell: "area", "entity" (a row of the marks), or "" for nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A mesh and its drawing style."""

    mesh: Mesh
    style: Style


Parts = dict[str, Part]


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the parts of a layer, and names the scene state that they depend on."""

    depends: Callable[[Scene], Hashable]
    make: Callable[[Scene], Parts]


def _cut(scene: Scene, mesh: Mesh, *, capped: bool = False) -> Mesh:
    """The part of a mesh inside the scene's cut."""
    if scene.cut.open:
        return mesh
    return cut(mesh, np.array(scene.cut.mins), np.array(scene.cut.maxs), capped=capped)


def _focus_state(scene: Scene) -> Hashable:
    return (scene.picked, scene.start, scene.goal) if scene.focus else None


def _area_state(scene: Scene) -> Hashable:
    about = {"time": scene.goal, "sight": scene.picked}.get(scene.colour_by, -1)
    return scene.hidden_areas, scene.cut, scene.colour_by, about, scene.shell_opacity, _focus_state(scene)


def _link_state(scene: Scene) -> Hashable:
    return scene.hidden_links, scene.cut, scene.colour_by == "change", _focus_state(scene)


def _map(scene: Scene) -> Parts:
    """Opaque floors; translucent walls and ceilings, so that no room hides another."""
    faces, floor = scene.map_faces
    return {
        "map": Part(_cut(scene, faces.select(floor).coloured(palette.MAP)), Style(one_sided=True)),
        "map walls": Part(
            _cut(scene, faces.select(~floor).coloured(palette.MAP)), Style(opacity=WALL_OPACITY, one_sided=True)
        ),
    }


def _areas(scene: Scene) -> Parts:
    shell = scene.shells.select_items(scene.shown_areas).coloured(scene.colouring.colours)
    shell = _cut(scene, shell, capped=True)
    return {
        "areas": Part(shell, Style(opacity=scene.shell_opacity, picks="area")),
        "areas edges": Part(outlines(shell), Style(opacity=min(2.5 * scene.shell_opacity, 1.0), lit=False)),
    }


def _ground(scene: Scene) -> Parts:
    mesh = scene.faces(FaceFlag.GROUND).select_items(scene.shown_areas).coloured(scene.colouring.colours)
    return {"ground": Part(_cut(scene, mesh), Style(opacity=0.9, picks="area", one_sided=True))}


def _liquid_colours(scene: Scene, faces: Mesh) -> Mesh:
    """Liquid surfaces in the colours of their liquids."""
    contents = scene.faces_contents(FaceFlag.LIQUIDSURFACE)
    colour = np.full((len(faces), 3), SURFACE, np.uint8)
    for kind, own in LIQUIDS.items():
        colour[contents & kind != 0] = own
    return replace(faces, colour=colour)


def _flagged(name: str, flag: FaceFlag, colour: Colour) -> Maker:
    """Maker of a layer of flagged faces."""

    def make(scene: Scene) -> Parts:
        mesh = scene.faces(flag).coloured(colour)
        if flag == FaceFlag.LIQUIDSURFACE:
            mesh = _liquid_colours(scene, mesh)
        if scene.focus:
            mesh = mesh.select_items(scene.in_focus)
        return {name: Part(_cut(scene, mesh), Style(opacity=0.6, picks="area"))}

    return Maker(lambda scene: (scene.cut, _focus_state(scene)), make)


def _arrows(scene: Scene, name: str, lines: Mesh, width: float, head: float = build.HEAD_LENGTH) -> Parts:
    """Lines with arrow heads."""
    return {
        name: Part(_cut(scene, lines), Style(ON_TOP, width, lit=False)),
        f"{name} heads": Part(_cut(scene, build.arrow_heads(lines, head)), Style(ON_TOP, lit=False)),
    }


def _links(scene: Scene) -> Parts:
    lines = scene.link_lines.select_items(scene.shown_links)
    if scene.colour_by == "change":
        return _arrows(scene, "links", lines.coloured(palette.GAINED), 2.5)
    return _arrows(scene, "links", lines, 1.6)


def _gone(scene: Scene) -> Parts:
    if scene.change is None:
        return {}
    shell = _cut(scene, scene.change.gone.coloured(palette.LOST), capped=True)
    return {
        "gone": Part(shell, Style(opacity=0.35)),
        "gone edges": Part(outlines(shell), Style(width=2.0, lit=False)),
    }


def _lost(scene: Scene) -> Parts:
    if scene.change is None:
        return {}
    return _arrows(scene, "lost", scene.change.lost.coloured(palette.LOST), 2.5)


def _portals(scene: Scene) -> Parts:
    clusters = scene.compiled.clusters
    if clusters is None:
        return {}
    shell = _cut(scene, scene.shells.select_items(clusters.area_portal >= 0).coloured(palette.PORTAL), capped=True)
    return {
        "portals": Part(shell, Style(opacity=0.55, picks="area")),
        "portals edges": Part(outlines(shell), Style(width=2.0, lit=False)),
    }


def _entities(scene: Scene) -> Parts:
    marks = scene.marks.mesh.select_items(scene.shown_marks)
    return {"entities": Part(_cut(scene, marks), Style(ON_TOP, ambient=0.65, one_sided=True, picks="entity"))}


def _leak(scene: Scene) -> Parts:
    return _arrows(
        scene, "leak", build.polyline(scene.compiled.leak).coloured(palette.LEAK), 4.0, 2.0 * build.HEAD_LENGTH
    )


def _unreached(scene: Scene) -> Parts:
    """Marks of what is not reached, outlines of traps, and the attempts that come nearest."""
    if scene.lost is None:
        return {}
    larger = max(lost.MARK, lost.LARGER * scene.marks.half)
    traps = _cut(scene, scene.faces(FaceFlag.GROUND).select_items(scene.lost.trapped & scene.shown_areas))
    return {
        "unreached traps": Part(outlines(traps.coloured(palette.TRAPPED)), Style(opacity=0.8, width=1.5, lit=False)),
        "unreached": Part(
            _cut(scene, lost.marks(scene.lost, scene.compiled, scene.marks.row, larger)),
            Style(ON_TOP, ambient=0.7, one_sided=True, picks="entity"),
        ),
        "unreached arcs": Part(
            _cut(scene, lost.arcs([path for _, path in lost.attempts(scene.lost)])), Style(ON_TOP, 4.0, lit=False)
        ),
    }


def _movers(scene: Scene) -> Parts:
    """Movers at the stops that links use, the ways between them, and where players get on and off."""
    found = scene.carriers
    boxes = _cut(scene, found.boxes, capped=True)
    return {
        "movers": Part(boxes, Style(opacity=0.25)),
        "movers edges": Part(outlines(boxes), Style(opacity=0.8, width=1.5, lit=False)),
        "movers paths": Part(_cut(scene, found.paths), Style(ON_TOP, 2.5, lit=False)),
        "movers points": Part(_cut(scene, found.points), Style(ON_TOP, ambient=0.8, one_sided=True)),
    }


def _volumes(scene: Scene) -> Parts:
    boxes = _cut(scene, volume_boxes(scene.compiled), capped=True)
    return {
        "volumes": Part(boxes, Style(opacity=0.3)),
        "volumes edges": Part(outlines(boxes), Style(width=2.0, lit=False)),
    }


def _highlight(scene: Scene, name: str, area: int, colour: Colour, opacity: float) -> Parts:
    """A highlighted area."""
    if area < 0:
        return {}
    chosen = np.zeros(len(scene.compiled.areas), np.bool_)
    chosen[area] = True
    shell = scene.shells.select_items(chosen).coloured(colour)
    return {
        name: Part(shell, Style(opacity=opacity, picks="area")),
        f"{name} edges": Part(outlines(shell), Style(width=3.0, lit=False)),
    }


def _picked(scene: Scene) -> Parts:
    found = {}
    if scene.picked_entity >= 0:
        one = np.zeros(len(scene.marks.row), np.bool_)
        one[scene.picked_entity] = True
        mark = scene.marks.mesh.select_items(one).coloured(palette.PICKED)
        found["picked entity"] = Part(mark, Style(ON_TOP, ambient=0.8, one_sided=True, picks="entity"))
        found["picked entity edges"] = Part(outlines(mark), Style(ON_TOP, 3.0, lit=False))
    if scene.picked < 0:
        return found
    others = scene.neighbours
    others[scene.picked] = False
    near = _cut(scene, scene.shells.select_items(others).coloured(palette.LIT), capped=True)
    found |= {
        "near": Part(near, Style(opacity=0.1, picks="area")),
        "near edges": Part(outlines(near), Style(opacity=0.5, width=1.2, lit=False)),
        **_highlight(scene, "picked", scene.picked, palette.PICKED, 0.45),
    }
    links = scene.compiled.links
    if links is not None:
        own = scene.picked_links & ~np.isin(links.kind, list(scene.hidden_links - QUIET))
        lines = scene.link_lines.select_items(own)  # never cut, wherever they lead
        found["picked links"] = Part(lines, Style(ON_TOP, 4.0, lit=False))
        found["picked links heads"] = Part(build.arrow_heads(lines, 1.6 * build.HEAD_LENGTH), Style(ON_TOP, lit=False))
    return found


def _route(scene: Scene) -> Parts:
    found = {
        **_highlight(scene, "start", scene.start, palette.START, 0.45),
        **_highlight(scene, "goal", scene.goal, palette.GOAL, 0.45),
    }
    others = [build.polyline(route_points(scene, route)) for route in scene.other_routes]
    for number, (path, colour) in enumerate(zip(others, cycle(palette.ALTERNATIVES), strict=False)):
        found[f"alternative {number + 1}"] = Part(path.coloured(colour), Style(ON_TOP, 4.0, lit=False))
    if scene.route is not None and len(scene.route):
        taken = scene.link_lines.select_items(scene.on_route).coloured(palette.ROUTE)
        path = build.polyline(route_points(scene, scene.route)).coloured(palette.ROUTE)
        found["route"] = Part(path, Style(ON_TOP, 6.0, lit=False))
        found["route heads"] = Part(build.arrow_heads(taken, 2.0 * build.HEAD_LENGTH), Style(ON_TOP, lit=False))
    if scene.miss is not None:
        ground = scene.faces(FaceFlag.GROUND)
        for name, chosen, colour in zip(("start", "goal"), scene.islands, (palette.START, palette.GOAL), strict=True):
            lines = outlines(_cut(scene, ground.select_items(chosen)).coloured(colour))
            found[f"{name} island"] = Part(lines, Style(opacity=0.7, width=1.2, lit=False))
        path = lost.path_of(scene.miss)
        found["route miss"] = Part(lost.arcs([path] if len(path) else []), Style(ON_TOP, 4.0, lit=False))
    return found


def route_points(scene: Scene, route: Route) -> Float:
    """Points of a route: from the bottom of the start area, below its centre, along each link's line or arc."""
    links, areas = scene.compiled.links, scene.compiled.areas
    assert links is not None
    lines = scene.link_lines
    paths = []
    for link in route.rows.tolist():
        path = lines.xyz[lines.start[link] : lines.start[link + 1]].copy()
        path[0], path[-1] = links.start[link] + build.LINK_LIFT, links.end[link] + build.LINK_LIFT
        paths.append(path)
    first = route.points[:1].copy()
    first[0, 2] = min(first[0, 2], areas.area_mins[route.start, 2] + build.LINK_LIFT[2])
    return np.concatenate([first, *paths])


def every_route(scene: Scene) -> Float:
    """Points of the route and of the alternatives that are shown."""
    shown = () if scene.route is None else (scene.route, *scene.other_routes)
    return np.concatenate([np.zeros((0, 3)), *(route_points(scene, route) for route in shown)])


MAKERS: Final[dict[str, Maker]] = {
    "map": Maker(lambda scene: scene.cut, _map),
    "areas": Maker(_area_state, _areas),
    "ground": Maker(_area_state, _ground),
    "gaps": _flagged("gaps", FaceFlag.GAP, GAP),
    "liquid": _flagged("liquid", FaceFlag.LIQUIDSURFACE, SURFACE),
    "ladders": _flagged("ladders", FaceFlag.LADDER, LADDER),
    "links": Maker(_link_state, _links),
    "portals": Maker(lambda scene: scene.cut, _portals),
    "gone": Maker(lambda scene: scene.cut, _gone),
    "lost": Maker(lambda scene: scene.cut, _lost),
    "entities": Maker(lambda scene: (scene.cut, scene.hidden_entities), _entities),
    "leak": Maker(lambda scene: scene.cut, _leak),
    "unreached": Maker(_area_state, _unreached),
    "movers": Maker(lambda scene: scene.cut, _movers),
    "volumes": Maker(lambda scene: scene.cut, _volumes),
    "picked": Maker(lambda scene: (scene.picked, scene.picked_entity, scene.cut, scene.hidden_links), _picked),
    "route": Maker(lambda scene: (scene.start, scene.goal, scene.alternatives, scene.cut), _route),
}
"""Layers in drawing order. "picked" and "route" are always shown."""
