"""The meshes of a scene's layers: which cells in which colours, and how they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from aascompile.model.areas import FaceFlag
from aascompile.model.contents import Kind
from aascompile.model.mapdata import Float
from aascompile.viewer import build, palette
from aascompile.viewer.meshes import Colour, Mesh, cut, outlines
from aascompile.viewer.scene import Scene

WALLS: Final = 0.35
"""Opacity of the map's walls."""

OVER: Final = 0.999
"""Opacity of what is drawn after the shells, and so is not tinted by them."""

GAP: Final[Colour] = (236, 104, 190)
SURFACE: Final[Colour] = (70, 150, 240)
LADDER: Final[Colour] = (200, 130, 250)
LIQUIDS: Final[dict[Kind, Colour]] = {Kind.SLIME: (150, 210, 60), Kind.LAVA: (250, 110, 40)}
"""Surfaces that are not water's."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a part is drawn."""

    opacity: float = 1.0
    width: float = 1.0
    """Of lines, pixels."""
    lit: bool = True
    """Whether it is shaded by the light."""
    ambient: float = 0.32
    """Light that comes from everywhere, 0 to 1."""
    one_sided: bool = False
    """Whether polygons are seen from one side only: that opens rooms to one who looks in from outside."""
    pickable: bool = False
    """Whether a click on it picks the area that is its item."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A mesh with the way it is drawn."""

    mesh: Mesh
    style: Style


Parts = dict[str, Part]


@dataclass(frozen=True, slots=True)
class Maker:
    """How the parts of a layer are made, and what of the scene's state they depend on."""

    depends: Callable[[Scene], Hashable]
    make: Callable[[Scene], Parts]


def _cut(scene: Scene, mesh: Mesh, *, capped: bool = False) -> Mesh:
    """What of a mesh the scene's cut leaves."""
    if scene.cut.open:
        return mesh
    return cut(mesh, np.array(scene.cut.mins), np.array(scene.cut.maxs), capped=capped)


def _focus_state(scene: Scene) -> Hashable:
    return (scene.picked, scene.start, scene.goal) if scene.focus else None


def _area_state(scene: Scene) -> Hashable:
    goal = scene.goal if scene.colour_by == "time" else -1
    return scene.hidden_areas, scene.cut, scene.colour_by, goal, scene.shell_opacity, _focus_state(scene)


def _link_state(scene: Scene) -> Hashable:
    return scene.hidden_links, scene.cut, scene.colour_by == "change", _focus_state(scene)


def _map(scene: Scene) -> Parts:
    """Floors as they are; walls and ceilings are seen through, so that no room hides another."""
    faces, floor = scene.map_faces
    return {
        "map": Part(_cut(scene, faces.some(floor).coloured(palette.MAP)), Style(one_sided=True)),
        "map walls": Part(_cut(scene, faces.some(~floor).coloured(palette.MAP)), Style(opacity=WALLS, one_sided=True)),
    }


def _areas(scene: Scene) -> Parts:
    shell = scene.shells.of_items(scene.shown_areas).coloured(scene.colouring.colours)
    shell = _cut(scene, shell, capped=True)
    return {
        "areas": Part(shell, Style(opacity=scene.shell_opacity, pickable=True)),
        "areas edges": Part(outlines(shell), Style(opacity=min(2.5 * scene.shell_opacity, 1.0), lit=False)),
    }


def _ground(scene: Scene) -> Parts:
    mesh = scene.faces(FaceFlag.GROUND).of_items(scene.shown_areas).coloured(scene.colouring.colours)
    return {"ground": Part(_cut(scene, mesh), Style(opacity=0.9, pickable=True, one_sided=True))}


def _liquid_colours(scene: Scene, faces: Mesh) -> Mesh:
    """Surfaces in the colours of what is below them."""
    contents = scene.faces_contents(FaceFlag.LIQUIDSURFACE)
    colour = np.full((len(faces), 3), SURFACE, np.uint8)
    for kind, own in LIQUIDS.items():
        colour[contents & kind != 0] = own
    return replace(faces, colour=colour)


def _flagged(name: str, flag: FaceFlag, colour: Colour) -> Maker:
    """A layer of faces of one sort."""

    def make(scene: Scene) -> Parts:
        mesh = scene.faces(flag).coloured(colour)
        if flag == FaceFlag.LIQUIDSURFACE:
            mesh = _liquid_colours(scene, mesh)
        if scene.focus:
            mesh = mesh.of_items(scene.in_focus)
        return {name: Part(_cut(scene, mesh), Style(opacity=0.6, pickable=True))}

    return Maker(lambda scene: (scene.cut, _focus_state(scene)), make)


def _arrows(scene: Scene, name: str, lines: Mesh, width: float, head: float = build.HEAD) -> Parts:
    """Lines with arrow heads."""
    return {
        name: Part(_cut(scene, lines), Style(OVER, width, lit=False)),
        f"{name} heads": Part(_cut(scene, build.arrow_heads(lines, head)), Style(OVER, lit=False)),
    }


def _links(scene: Scene) -> Parts:
    lines = scene.link_lines.of_items(scene.shown_links)
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
    shell = _cut(scene, scene.shells.of_items(clusters.area_portal >= 0).coloured(palette.PORTAL), capped=True)
    return {
        "portals": Part(shell, Style(opacity=0.55, pickable=True)),
        "portals edges": Part(outlines(shell), Style(width=2.0, lit=False)),
    }


def _entities(scene: Scene) -> Parts:
    return {"entities": Part(_cut(scene, scene.marks.mesh), Style(OVER, ambient=0.65, one_sided=True))}


def _leak(scene: Scene) -> Parts:
    return _arrows(scene, "leak", build.chain(scene.compiled.leak).coloured(palette.LEAK), 4.0, 2.0 * build.HEAD)


def _one_area(scene: Scene, name: str, area: int, colour: Colour, opacity: float) -> Parts:
    """An area that stands out."""
    if area < 0:
        return {}
    chosen = np.zeros(len(scene.compiled.areas), np.bool_)
    chosen[area] = True
    shell = scene.shells.of_items(chosen).coloured(colour)
    return {
        name: Part(shell, Style(opacity=opacity, pickable=True)),
        f"{name} edges": Part(outlines(shell), Style(width=3.0, lit=False)),
    }


def _picked(scene: Scene) -> Parts:
    if scene.picked < 0:
        return {}
    others = scene.neighbours
    others[scene.picked] = False
    near = _cut(scene, scene.shells.of_items(others).coloured(palette.LIT), capped=True)
    found = {
        "near": Part(near, Style(opacity=0.1, pickable=True)),
        "near edges": Part(outlines(near), Style(opacity=0.5, width=1.2, lit=False)),
        **_one_area(scene, "picked", scene.picked, palette.PICKED, 0.45),
    }
    links = scene.compiled.links
    if links is not None:
        own = scene.own_links & ~np.isin(links.kind, list(scene.hidden_links))
        lines = scene.link_lines.of_items(own)  # whole, wherever they lead
        found["picked links"] = Part(lines, Style(OVER, 4.0, lit=False))
        found["picked links heads"] = Part(build.arrow_heads(lines, 1.6 * build.HEAD), Style(OVER, lit=False))
    return found


def _route(scene: Scene) -> Parts:
    found = {
        **_one_area(scene, "start", scene.start, palette.START, 0.45),
        **_one_area(scene, "goal", scene.goal, palette.GOAL, 0.45),
    }
    if scene.route is not None and len(scene.route):
        taken = scene.link_lines.of_items(scene.on_route).coloured(palette.ROUTE)
        way = build.chain(route_points(scene)).coloured(palette.ROUTE)
        found["route"] = Part(way, Style(OVER, 6.0, lit=False))
        found["route heads"] = Part(build.arrow_heads(taken, 2.0 * build.HEAD), Style(OVER, lit=False))
    return found


def route_points(scene: Scene) -> Float:
    """The route as it is walked and flown: from the lowest of the start area, below its middle, link by link."""
    route, links, areas = scene.route, scene.compiled.links, scene.compiled.areas
    assert route is not None
    assert links is not None
    lines = scene.link_lines
    ways = []
    for link in route.rows.tolist():
        way = lines.xyz[lines.start[link] : lines.start[link + 1]].copy()
        way[0], way[-1] = links.start[link] + build.ABOVE, links.end[link] + build.ABOVE
        ways.append(way)
    first = route.points[:1].copy()
    first[0, 2] = min(first[0, 2], areas.area_mins[route.start, 2] + build.ABOVE[2])
    return np.concatenate([first, *ways])


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
    "entities": Maker(lambda scene: scene.cut, _entities),
    "leak": Maker(lambda scene: scene.cut, _leak),
    "picked": Maker(lambda scene: (scene.picked, scene.cut, scene.hidden_links), _picked),
    "route": Maker(lambda scene: (scene.start, scene.goal, scene.cut), _route),
}
"""Layers in the order in which they are drawn; what is picked and the route are always shown."""
