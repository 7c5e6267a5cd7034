"""What the command line asks of a scene and a camera, as plain values; used by window, picture and web alike."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from aascompile.errors import RouteError
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float
from aascompile.sampling.locate import locate
from aascompile.sampling.sample import tree_of
from aascompile.viewer import camera as cameras
from aascompile.viewer.camera import AZIMUTH, ELEVATION, Camera
from aascompile.viewer.colouring import AREA_KINDS
from aascompile.viewer.parts import route_points
from aascompile.viewer.scene import Scene, SceneError, travel_word


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be shown, and from where."""

    camera: str = "iso"
    """top, iso, area:N, route:A-B or route:A/B; an area is a number or a point x,y,z in it."""
    azimuth: float = AZIMUTH
    elevation: float = ELEVATION
    zoom: float = 1.0
    layers: str = ""
    """Layers, with commas; with + or − before each they add to, or take from, what is shown at first."""
    colour: str = ""
    """What areas are coloured by; "": as at first."""
    areas: str = ""
    """Kinds of areas, as ``layers``."""
    links: str = ""
    """Kinds of links, as ``layers``."""
    goal: str = ""
    """An area as above; "": none."""
    below: float | None = None
    above: float | None = None
    near: float | None = None
    """Units round what the camera is aimed at; the rest is cut away."""
    focus: bool = False
    shells: float | None = None
    """Opacity of the areas' shells."""


def apply(asked: Asked, scene: Scene) -> None:
    """Bring a scene into the state that is asked for; SceneError when it cannot be."""
    shown = _chosen(asked.layers, scene.layers, [name for name, on in scene.layers.items() if on], "layer")
    scene.show_only(shown)
    scene.colour(asked.colour or scene.colour_by)
    visible = [kind for kind in AREA_KINDS if kind not in scene.hidden_areas]
    scene.hide_area_kinds(set(AREA_KINDS) - set(_chosen(asked.areas, AREA_KINDS, visible, "kind of area")))
    words = {travel_word(kind): int(kind) for kind in Travel}
    every = [word for word, kind in words.items() if kind not in scene.hidden_links]
    kinds = _chosen(asked.links.replace("_", " "), words, every, "kind of link")
    scene.hide_link_kinds(kind for word, kind in words.items() if word not in kinds)
    if asked.shells is not None:
        scene.shell_opacity = asked.shells
    if asked.goal:
        scene.set_goal(area_named(scene, asked.goal))
    _aim(asked.camera, scene)
    scene.focus = asked.focus
    if asked.near is not None:
        low, high = _aimed_box(scene)
        scene.cut_box(low - asked.near, high + asked.near)
    floor = scene.cut.mins[2] if asked.above is None else asked.above
    ceiling = scene.cut.maxs[2] if asked.below is None else asked.below
    scene.cut_height(floor, ceiling)


def camera_of(asked: Asked, scene: Scene, aspect: float) -> Camera:
    """The camera that is asked for, once the scene is as asked."""
    if asked.camera == "top":
        made = cameras.from_above(scene, aspect)
    elif asked.camera.startswith("area:") and asked.near is not None:
        made = cameras.of_points(
            np.array([scene.cut.mins, scene.cut.maxs]), aspect, asked.azimuth, asked.elevation, 0.0
        )
    elif asked.camera.startswith("area:"):
        made = cameras.of_areas(scene, [scene.picked], aspect, asked.azimuth, asked.elevation)
    elif asked.camera.startswith("route:"):
        made = cameras.of_points(route_points(scene), aspect, asked.azimuth, asked.elevation)
    else:
        made = cameras.overview(scene, aspect, asked.azimuth, asked.elevation)
    return cameras.zoomed(made, asked.zoom)


def _aim(where: str, scene: Scene) -> None:
    """Pick what the camera is aimed at."""
    kind, _, rest = where.partition(":")
    ends = re.fullmatch(r"(\d+)-(\d+)|([^/]+)/([^/]+)", rest)
    if kind == "area" and rest:
        scene.pick(area_named(scene, rest))
    elif kind == "route" and ends:
        scene.set_start(area_named(scene, ends[1] or ends[3]))
        scene.set_goal(area_named(scene, ends[2] or ends[4]))
        if scene.route is None:
            raise RouteError(scene.message)
    elif where not in ("top", "iso"):
        raise SceneError(f"there is no camera '{where}': there are top, iso, area:N, route:A-B and route:A/B")


def area_named(scene: Scene, text: str) -> int:
    """An area by its number, or by a point (x,y,z) that a player stands at or falls from.

    Area numbers change when a map is compiled anew; points stay.
    """
    if re.fullmatch(r"\d+", text):
        return int(text)
    number = r"-?\d+(?:\.\d+)?"
    if not re.fullmatch(f"{number},{number},{number}", text):
        raise SceneError(f"'{text}' is neither the number of an area nor a point x,y,z")
    if not len(scene.compiled.areas.node_plane):
        raise SceneError("the file has no tree to find the area of a point: give its number")
    point = [float(part) for part in text.split(",")]
    area, _ = locate(tree_of(scene.compiled.areas), point, scene.compiled.boxes.feet)
    if area[0] < 0:
        raise SceneError(f"the point {text} is in no area: nobody can be there, nor right above it")
    return int(area[0])


def _aimed_box(scene: Scene) -> tuple[Float, Float]:
    """The box round the picked area and the route, or round everything."""
    areas = scene.compiled.areas
    points = [np.zeros((0, 3))]
    if scene.picked >= 0:
        points += [areas.area_mins[[scene.picked]], areas.area_maxs[[scene.picked]]]
    if scene.route is not None:
        points.append(route_points(scene))
    every = np.concatenate(points)
    return (every.min(axis=0), every.max(axis=0)) if len(every) else scene.bounds


def _chosen(text: str, known: Iterable[str], shown: list[str], what: str) -> list[str]:
    """The names that a list asks for; ``shown``: those that one with + or − starts from."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    every = list(known)
    for name in names:
        if name.lstrip("+-") not in every:
            raise SceneError(f"there is no {what} '{name.lstrip('+-')}': there are {', '.join(every)}")
    if not names:
        return shown
    plain = [name for name in names if name[0] not in "+-"]
    chosen = plain or list(shown)
    chosen += [name[1:] for name in names if name[0] == "+"]
    return [name for name in chosen if f"-{name}" not in names]
