"""Options of the command line as plain values, applied to a scene and a camera. Window, picture and web share them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from aascompile.errors import RouteError
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float
from aascompile.nav.names import place_named
from aascompile.viewer import camera as cameras
from aascompile.viewer import lost
from aascompile.viewer.camera import AZIMUTH, ELEVATION, Camera
from aascompile.viewer.colouring import AREA_KINDS
from aascompile.viewer.parts import every_route
from aascompile.viewer.scene import Scene, SceneError, travel_name


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """Which parts of a file to show, and from where."""

    camera: str = "iso"
    """top, iso, area:N, route:A-B or route:A/B. An area is a number, a point x,y,z in it, or a name."""
    azimuth: float = AZIMUTH
    elevation: float = ELEVATION
    zoom: float = 1.0
    layers: str = ""
    """Layer names, separated by commas. With + or − before each, they modify the layers shown by default."""
    colour: str = ""
    """Name of the area colouring; "" keeps the current one."""
    areas: str = ""
    """Kinds of areas, in the form of ``layers``."""
    links: str = ""
    """Travel types of links, in the form of ``layers``."""
    goal: str = ""
    """An area, as in ``camera``; "" for none."""
    alternatives: int = 0
    """Number of alternatives to the route."""
    below: float | None = None
    above: float | None = None
    near: float | None = None
    """Distance around the camera's aim, units; everything farther away is cut off."""
    focus: bool = False
    shells: float | None = None
    """Opacity of the area shells."""
    unreached: bool = False
    """Show what is not reached, and nothing that distracts from it."""


def apply(options: ViewOptions, scene: Scene) -> None:
    """Apply the options to a scene; SceneError if the file lacks what they name."""
    if options.unreached:
        _show_unreached(scene)
    shown = _selected(options.layers, scene.layers, [name for name, on in scene.layers.items() if on], "layer")
    scene.show_only(shown)
    scene.colour(options.colour or scene.colour_by)
    visible = [kind for kind in AREA_KINDS if kind not in scene.hidden_areas]
    scene.hide_area_kinds(set(AREA_KINDS) - set(_selected(options.areas, AREA_KINDS, visible, "kind of area")))
    travel_types = {travel_name(kind): int(kind) for kind in Travel}
    visible_types = [name for name, kind in travel_types.items() if kind not in scene.hidden_links]
    shown_types = _selected(options.links.replace("_", " "), travel_types, visible_types, "travel type")
    scene.hide_link_kinds(kind for name, kind in travel_types.items() if name not in shown_types)
    if options.shells is not None:
        scene.shell_opacity = options.shells
    if options.goal:
        scene.set_goal(area_named(scene, options.goal))
    scene.alternatives = options.alternatives
    _aim(options.camera, scene)
    scene.focus = options.focus
    if options.near is not None:
        low, high = _aimed_box(scene)
        scene.cut_box(low - options.near, high + options.near)
    floor = scene.cut.mins[2] if options.above is None else options.above
    ceiling = scene.cut.maxs[2] if options.below is None else options.below
    scene.cut_height(floor, ceiling)


def camera_of(options: ViewOptions, scene: Scene, aspect: float) -> Camera:
    """The chosen camera, for a scene to which ``apply`` applied the options."""
    if options.camera == "top":
        camera = cameras.from_above(scene, aspect)
    elif options.camera.startswith("area:") and options.near is not None:
        camera = cameras.fit_points(
            np.array([scene.cut.mins, scene.cut.maxs]), aspect, options.azimuth, options.elevation, 0.0
        )
    elif options.camera.startswith("area:"):
        camera = cameras.fit_areas(scene, [scene.picked], aspect, options.azimuth, options.elevation)
    elif options.camera.startswith("route:") and scene.route is None:
        camera = cameras.fit_areas(scene, [scene.start, scene.goal], aspect, options.azimuth, options.elevation)
    elif options.camera.startswith("route:"):
        camera = cameras.fit_points(every_route(scene), aspect, options.azimuth, options.elevation)
    elif options.unreached and scene.lost is not None and len(lost.points(scene.lost, scene.compiled)):
        every = lost.points(scene.lost, scene.compiled)
        camera = cameras.fit_points(every, aspect, options.azimuth, options.elevation, SURROUNDINGS)
    else:
        camera = cameras.overview(scene, aspect, options.azimuth, options.elevation)
    return cameras.zoomed(camera, options.zoom)


SURROUNDINGS = 256.0
"""Units around what is not reached in a picture of it."""


def _show_unreached(scene: Scene) -> None:
    """Colour areas by routes from spawns, and hide links."""
    if scene.lost is None:
        raise SceneError("the file has no links, items or spawns, so nothing is known to be unreached")
    scene.colour("reached")
    scene.show(["links", "portals"], on=False)
    scene.show(["unreached", "entities", "map", "ground"])


def _aim(where: str, scene: Scene) -> None:
    """Pick the area or route that the camera is aimed at."""
    kind, _, rest = where.partition(":")
    ends = re.fullmatch(r"(\d+)-(\d+)|([^/]+)/([^/]+)", rest)
    if kind == "area" and rest:
        scene.pick(area_named(scene, rest))
    elif kind == "route" and ends:
        scene.set_start(area_named(scene, ends[1] or ends[3]))
        scene.set_goal(area_named(scene, ends[2] or ends[4]))
    elif where not in ("top", "iso"):
        raise SceneError(f"unknown camera '{where}': use top, iso, area:N, route:A-B or route:A/B")


def area_named(scene: Scene, text: str) -> int:
    """An area by its number, by a point in it, or by the name of an item, spawn or entity (``nav.names``).

    Area numbers change when a map is compiled anew; points and names stay.
    """
    if re.fullmatch(r"\d+", text):
        return int(text)
    try:
        return place_named(scene.compiled, text).area
    except RouteError as error:
        raise SceneError(f"'{text}': {error}") from None


def _aimed_box(scene: Scene) -> tuple[Float, Float]:
    """Box around the picked area and the route; around everything if there is neither."""
    areas = scene.compiled.areas
    points = [np.zeros((0, 3))]
    if scene.picked >= 0:
        points += [areas.area_mins[[scene.picked]], areas.area_maxs[[scene.picked]]]
    if scene.route is not None:
        points.append(every_route(scene))
    every = np.concatenate(points)
    return (every.min(axis=0), every.max(axis=0)) if len(every) else scene.bounds


def _selected(text: str, available: Iterable[str], shown: list[str], what: str) -> list[str]:
    """Names in a list. Names with + or − modify ``shown``, the names shown by default."""
    listed = [name.strip() for name in text.split(",") if name.strip()]
    names = list(available)
    for name in listed:
        if name.lstrip("+-") not in names:
            raise SceneError(f"unknown {what} '{name.lstrip('+-')}': choose from {', '.join(names)}")
    if not listed:
        return shown
    plain = [name for name in listed if name[0] not in "+-"]
    selected = plain or list(shown)
    selected += [name[1:] for name in listed if name[0] == "+"]
    return [name for name in selected if f"-{name}" not in listed]
