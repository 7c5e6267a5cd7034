"""One page that shows a compiled file in any browser, with no network and nothing installed: ``aas view --html``.

``pages/`` holds the page as it is written by hand: a template, a style sheet and scripts that draw with WebGL. Here
they are put together with what they draw: arrays and a header, gzipped, as base64.
"""

from __future__ import annotations

import base64
import copy
import gzip
import html
import json
import re
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import AasError
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float
from aascompile.nav.routes import Router
from aascompile.store.files import write_whole
from aascompile.viewer import camera, colouring, palette
from aascompile.viewer.meshes import Colour, Mesh, Shape
from aascompile.viewer.options import Asked
from aascompile.viewer.parts import Part
from aascompile.viewer.scene import COMPARING, LAYERS, Cut, Scene, travel_word
from aascompile.viewer.words import facts, own_colours

SCRIPTS: Final = ("data.js", "camera.js", "draw.js", "routes.js", "scene.js", "page.js")
"""In the order in which they stand in the page."""

STEPS: Final = 65535
"""Places are told in so many steps along each side of the box round everything."""

SHOWN: Final = {
    "areas": "area",
    "ground": "area",
    "links": "link",
    **dict.fromkeys(("gaps", "liquid", "ladders"), "focus"),
}
"""Layers whose cells are filtered: by the kind of their area or link, or only when there is a focus."""

COLOURED: Final = {"areas": "area", "ground": "area", "links": "link"}
"""Layers that take their colours from those of areas or links; others have their own."""


class PageError(AasError, ValueError):
    """A page that cannot be written."""


def save_page(scene: Scene, path: str, asked: Asked) -> None:
    """Write the page of a scene as it is now."""
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise PageError(f"{path}: a page ends in .html")
    write_whole(path, page(scene, asked).encode())


def page(scene: Scene, asked: Asked) -> str:
    """The whole page as text; the same scene gives the same text."""
    packer = _Packer()
    header = _header(scene, asked, packer)
    filled = {
        "title": html.escape(scene.title),
        "style": style("style.css"),
        "script": "\n".join(own_text(name) for name in SCRIPTS),
        "data": base64.b64encode(packer.packed(header)).decode(),
    }
    return _filled(own_text("page.html"), filled)


def style(name: str) -> str:
    """A style sheet of ours in the viewer's colours."""
    return _filled(own_text(name), {name: "rgb({} {} {})".format(*colour) for name, colour in _CSS_COLOURS.items()})


def own_text(name: str) -> str:
    """A file of the folder of pages."""
    return (resources.files("aascompile.viewer") / "pages" / name).read_text("utf-8")


def _filled(text: str, values: dict[str, str]) -> str:
    """A text with values in place of their names; nothing is looked for in the values."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], text)


_CSS_COLOURS: Final[dict[str, Colour]] = {
    "ground": palette.GROUND,
    "text": palette.TEXT,
    "faint": palette.FAINT,
    "lit": palette.LIT,
}


class _Packer:
    """Arrays one after the other, and where each is."""

    def __init__(self) -> None:
        self._where: dict[str, tuple[str, int, int]] = {}
        self._bytes: list[bytes] = []
        self._length = 0

    def add(self, name: str, values: NDArray[Any], kind: str) -> None:
        """One more array, as numpy's ``kind``."""
        made = np.ascontiguousarray(values, np.dtype(kind).newbyteorder("<"))
        padded = made.tobytes() + bytes(-made.nbytes % 4)
        self._where[name] = (kind, self._length, made.size)
        self._bytes.append(padded)
        self._length += len(padded)

    def packed(self, header: dict[str, Any]) -> bytes:
        """The length of the header, the header, the arrays; gzipped."""
        text = json.dumps({**header, "arrays": self._where}, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        return gzip.compress(b"".join([len(text).to_bytes(4, "little"), text, *self._bytes]), mtime=0)


def _header(scene: Scene, asked: Asked, packer: _Packer) -> dict[str, Any]:
    """What is not an array; the arrays go to the packer."""
    parts = _all_parts(scene)
    every = [part.mesh.xyz for part in parts.values()] + [scene.shells.xyz]
    low = np.min([xyz.min(axis=0) for xyz in every], axis=0)
    span = np.maximum(np.max([xyz.max(axis=0) for xyz in every], axis=0) - low, 1.0)
    _pack_areas(scene, packer)
    return {
        "title": scene.title,
        "low": low.tolist(),
        "span": span.tolist(),
        "angle": camera.VIEW_ANGLE,
        "parts": _pack_parts(scene, parts, packer, low, span),
        "layers": _layers(scene),
        "colourings": _pack_colourings(scene, packer),
        "areaKinds": [{"name": name, "colour": colour} for name, colour in colouring.AREA_KINDS.items()],
        "facts": ["\n".join(facts(scene, area)) for area in range(len(scene.compiled.areas))],
        "links": _pack_links(scene, packer),
        "faces": [{"layer": layer, "name": row.text, "colour": row.colour} for layer, row in own_colours(parts)],
        "entities": _entities(scene, packer),
        "walk": int(Travel.WALK),
        "ramp": palette.RAMP.tolist(),
        "colours": {name.lower(): getattr(palette, name) for name in _COLOURS},
        "change": None if scene.change is None else {"gone": scene.change.gone_count, "lost": scene.change.lost_count},
        "state": _state(scene),
        "camera": {
            "where": asked.camera.partition(":")[0],
            "azimuth": asked.azimuth,
            "elevation": asked.elevation,
            "zoom": asked.zoom,
            "near": asked.near is not None,
        },
    }


_COLOURS: Final = ("GROUND", "TEXT", "FAINT", "PICKED", "LIT", "ROUTE", "START", "GOAL", "GAINED", "LOST")


def _all_parts(scene: Scene) -> dict[str, Part]:
    """Every layer with all that there is, uncut: what is shown of it the page decides."""
    full = copy.copy(scene)
    full.layers = dict.fromkeys(scene.layers, True)
    full.hidden_areas, full.hidden_links = frozenset(), frozenset()
    full.cut, full.focus, full.colour_by = Cut(), False, "kind"
    full.picked = full.start = full.goal = -1
    full.route = None
    full._kept = {}
    found: dict[str, Part] = full.parts()
    return found


def _pack_parts(scene: Scene, parts: dict[str, Part], packer: _Packer, low: Float, span: Float) -> list[dict[str, Any]]:
    """The parts in the order in which they are drawn; outlines of faces are left to the page."""
    told = []
    for name, part in parts.items():
        if name.endswith(" edges"):
            continue
        layer = name.partition(" ")[0]
        edges = parts.get(f"{name} edges")
        _pack_mesh(name, part.mesh, packer, low, span)
        if layer not in COLOURED:
            packer.add(f"{name}/colour", part.mesh.colour, "u1")
        told.append(
            {
                "name": name,
                "layer": layer,
                "lines": part.mesh.shape is Shape.LINES,
                "style": asdict(part.style),
                "edges": None if edges is None else asdict(edges.style),
                "shown": SHOWN.get(layer),
                "coloured": COLOURED.get(layer),
            }
        )
    return told


def _pack_mesh(name: str, mesh: Mesh, packer: _Packer, low: Float, span: Float) -> None:
    packer.add(f"{name}/size", np.diff(mesh.start), "u2")
    packer.add(f"{name}/xyz", np.round((mesh.xyz - low) / span * STEPS), "u2")
    packer.add(f"{name}/item", mesh.item, "i4")


def _pack_areas(scene: Scene, packer: _Packer) -> None:
    areas = scene.compiled.areas
    packer.add("area/kind", scene.area_kind, "u1")
    packer.add("area/mins", areas.area_mins, "f4")
    packer.add("area/maxs", areas.area_maxs, "f4")
    packer.add("area/centre", areas.area_centre, "f4")


def _pack_links(scene: Scene, packer: _Packer) -> dict[str, Any] | None:
    """Links with all that a route needs."""
    links = scene.compiled.links
    if links is None:
        return None
    columns: dict[str, tuple[NDArray[Any], str]] = {
        "source": (links.source, "i4"),
        "target": (links.target, "i4"),
        "kind": (links.kind, "u1"),
        "time": (links.time, "f4"),
        "start": (links.start, "f4"),
        "end": (links.end, "f4"),
    }
    for name, (values, kind) in columns.items():
        packer.add(f"link/{name}", values, kind)
    if scene.change is not None:
        packer.add("link/gained", scene.change.gained, "u1")
    router: Router = scene.router
    packer.add("area/cost", router.cost, "f4")
    packer.add("area/closed", router.closed, "u1")
    kinds = [
        {"kind": kind, "name": travel_word(kind), "colour": palette.link_colour(kind), "count": count}
        for kind, count in scene.link_kinds().items()
    ]
    return {"kinds": kinds}


def _pack_colourings(scene: Scene, packer: _Packer) -> list[dict[str, Any]]:
    """Every colouring; that by time the page makes itself, as its goal changes."""
    shown = copy.copy(scene)
    shown.goal = -1
    told = []
    for name in scene.colourings:
        shown.colour(name)
        made = shown.colouring
        if name != "time":
            packer.add(f"colouring/{name}", made.colours, "u1")
        told.append({"name": name, "title": made.title, "key": [asdict(entry) for entry in made.key]})
    return told


def _layers(scene: Scene) -> list[dict[str, Any]]:
    from aascompile.viewer.window import LAYER_KEYS

    keys = {layer: {"minus": "-", "equal": "="}.get(key, key) for key, layer in LAYER_KEYS.items()}
    return [
        {"name": layer.name, "about": layer.about, "key": keys[layer.name]}
        for layer in (*LAYERS, *COMPARING)
        if layer.name in scene.layers
    ]


def _entities(scene: Scene, packer: _Packer) -> dict[str, Any]:
    marks = scene.marks
    packer.add("entity/origin", marks.origin, "f4")
    sorts = [{"name": name, "colour": colour} for name, colour in palette.ENTITIES.items() if name in marks.sort]
    return {"sorts": sorts, "sort": marks.sort, "name": marks.name}


def _state(scene: Scene) -> dict[str, Any]:
    """What is shown at first."""
    return {
        "layers": [name for name, on in scene.layers.items() if on],
        "colour": scene.colour_by,
        "hiddenAreas": sorted(scene.hidden_areas),
        "hiddenLinks": sorted(scene.hidden_links),
        "cut": [_finite(scene.cut.mins), _finite(scene.cut.maxs)],
        "focus": scene.focus,
        "shells": scene.shell_opacity,
        "picked": scene.picked,
        "start": scene.start,
        "goal": scene.goal,
    }


def _finite(point: tuple[float, ...]) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in point]
