"""Writes a compiled file as a single web page that needs no network and no installation: ``aas view --html``.

``pages/`` holds the hand-written sources: a template, a style sheet, and scripts that draw with WebGL. This module
fills the template with them and with the data to draw: a JSON header and arrays, gzipped, as base64.
"""

from __future__ import annotations

import base64
import copy
import gzip
import json
import re
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import AasError
from aascompile.escaping import xml
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float
from aascompile.nav.rides import ride_lines
from aascompile.nav.routes import Router
from aascompile.store.files import write_atomically
from aascompile.viewer import camera, colouring, palette
from aascompile.viewer.lost import miss_text, path_of
from aascompile.viewer.meshes import Colour, Mesh, Shape
from aascompile.viewer.options import ViewOptions
from aascompile.viewer.parts import Part
from aascompile.viewer.scene import ALTERNATIVES, COMPARISON_LAYERS, LAYERS, QUIET, Cut, Scene, travel_name
from aascompile.viewer.text import entity_facts, entity_name, facts, layer_colours, missed_labels, volume_texts

SCRIPTS: Final = ("data.js", "camera.js", "draw.js", "routes.js", "scene.js", "page.js")
"""Scripts in the order in which the page contains them."""

STEPS: Final = 65535
"""Coordinates are stored as 16-bit steps along each side of the box around everything."""

FILTERED_BY: Final = {
    "areas": "area",
    "ground": "area",
    "links": "link",
    "entities": "entity",
    **dict.fromkeys(("gaps", "liquid", "ladders"), "focus"),
}
"""Layers whose cells are filtered: by kind of area, link or entity, or only while focus is on."""

COLOURED_BY: Final = {"areas": "area", "ground": "area", "links": "link"}
"""Layers that take their colours from the areas or links; the others store their own."""


class PageError(AasError, ValueError):
    """The page cannot be written."""


def save_page(scene: Scene, path: str, options: ViewOptions) -> None:
    """Write the current state of a scene as a page."""
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise PageError(f"{path}: the name of a page must end in .html")
    write_atomically(path, page(scene, options).encode())


def page(scene: Scene, options: ViewOptions) -> str:
    """The complete page as text. Equal scenes give equal texts."""
    packer = _Packer()
    header = _header(scene, options, packer)
    values = {
        "title": xml(scene.title),
        "style": style_sheet("style.css"),
        "script": "\n".join(page_file(name) for name in SCRIPTS),
        "data": base64.b64encode(packer.packed(header)).decode(),
    }
    return _fill(page_file("page.html"), values)


def style_sheet(name: str) -> str:
    """A style sheet from ``pages/``, filled with the viewer's colours."""
    return _fill(page_file(name), {name: "rgb({} {} {})".format(*colour) for name, colour in _CSS_COLOURS.items()})


def page_file(name: str) -> str:
    """Text of a file in ``pages/``."""
    return (resources.files("aascompile.viewer") / "pages" / name).read_text("utf-8")


def _fill(text: str, values: dict[str, str]) -> str:
    """Fill a template. Values are inserted as they are, even if they contain placeholders."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], text)


_CSS_COLOURS: Final[dict[str, Colour]] = {
    "background": palette.BACKGROUND,
    "text": palette.TEXT,
    "faint": palette.FAINT,
    "lit": palette.LIT,
}


class _Packer:
    """Packs arrays back to back and remembers where each one is."""

    def __init__(self) -> None:
        self._where: dict[str, tuple[str, int, int]] = {}
        self._bytes: list[bytes] = []
        self._length = 0

    def add(self, name: str, values: NDArray[Any], kind: str) -> None:
        """Add an array, converted to the numpy dtype ``kind``."""
        converted = np.ascontiguousarray(values, np.dtype(kind).newbyteorder("<"))
        padded = converted.tobytes() + bytes(-converted.nbytes % 4)
        self._where[name] = (kind, self._length, converted.size)
        self._bytes.append(padded)
        self._length += len(padded)

    def packed(self, header: dict[str, Any]) -> bytes:
        """Header length, header and arrays, gzipped."""
        text = json.dumps({**header, "arrays": self._where}, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        return gzip.compress(b"".join([len(text).to_bytes(4, "little"), text, *self._bytes]), mtime=0)


def _header(scene: Scene, options: ViewOptions, packer: _Packer) -> dict[str, Any]:
    """The header. Its arrays go to the packer."""
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
        "faces": [{"layer": layer, "name": row.text, "colour": row.colour} for layer, row in layer_colours(parts)],
        "entities": _entities(scene, packer),
        "whys": _whys(scene),
        "miss": _miss(scene),
        "unreached": [
            {"at": point, "text": words, "colour": labels.colour}
            for labels in ([] if scene.lost is None else missed_labels(scene))
            for point, words in zip(labels.point.tolist(), labels.text, strict=True)
        ],
        "volumes": [
            {"at": labels.point[0].tolist(), "text": labels.text[0], "colour": labels.colour}
            for labels in volume_texts(scene)
        ],
        "rides": {str(link): ride_lines(ride) for link, ride in scene.carriers.rides.items()},
        "walk": int(Travel.WALK),
        "quiet": sorted(QUIET),
        "alternatives": ALTERNATIVES,
        "ramp": palette.RAMP.tolist(),
        "colours": {name.lower(): getattr(palette, name) for name in _COLOURS},
        "change": None if scene.change is None else {"gone": scene.change.gone_count, "lost": scene.change.lost_count},
        "state": _state(scene),
        "camera": {
            "where": options.camera.partition(":")[0],
            "azimuth": options.azimuth,
            "elevation": options.elevation,
            "zoom": options.zoom,
            "near": options.near is not None,
            "unreached": options.unreached,
        },
    }


_COLOURS: Final = (
    "BACKGROUND",
    "TEXT",
    "FAINT",
    "PICKED",
    "LIT",
    "ROUTE",
    "ALTERNATIVES",
    "START",
    "GOAL",
    "GAINED",
    "LOST",
    "MISSED",
)


def _all_parts(scene: Scene) -> dict[str, Part]:
    """Parts of every layer, complete and uncut: the page itself decides what to show."""
    full = copy.copy(scene)
    full.layers = dict.fromkeys(scene.layers, True)
    full.hidden_areas, full.hidden_links = frozenset(), frozenset()
    full.cut, full.focus, full.colour_by = Cut(), False, "kind"
    full.picked = full.picked_entity = full.hovered = full.start = full.goal = -1
    full.route, full.miss, full.other_routes = None, None, ()
    full.hidden_entities, full.bundling = frozenset(), False
    full._cache = {}
    parts: dict[str, Part] = full.parts()
    return parts


def _pack_parts(scene: Scene, parts: dict[str, Part], packer: _Packer, low: Float, span: Float) -> list[dict[str, Any]]:
    """Pack the parts in drawing order. The page makes the outlines of faces itself."""
    rows = []
    for name, part in parts.items():
        if name.endswith(" edges"):
            continue
        layer = name.partition(" ")[0]
        edges = parts.get(f"{name} edges")
        _pack_mesh(name, part.mesh, packer, low, span)
        if layer not in COLOURED_BY:
            packer.add(f"{name}/colour", part.mesh.colour, "u1")
        rows.append(
            {
                "name": name,
                "layer": layer,
                "lines": part.mesh.shape is Shape.LINES,
                "style": asdict(part.style),
                "edges": None if edges is None else asdict(edges.style),
                "filter": FILTERED_BY.get(layer),
                "colours": COLOURED_BY.get(layer),
            }
        )
    return rows


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
    packer.add("area/played", scene.played, "u1")
    packer.add("frame/corner", camera.frame_corners(scene), "f4")


def _pack_links(scene: Scene, packer: _Packer) -> dict[str, Any] | None:
    """Pack the links, with everything that routes need."""
    links = scene.compiled.links
    if links is None:
        return None
    columns: dict[str, tuple[NDArray[Any], str]] = {
        "source": (links.source, "i4"),
        "target": (links.target, "i4"),
        "kind": (links.kind, "u1"),
        "time": (links.time, "f4"),
        "by_hand": (links.entity >= 0, "u1"),
        "start": (links.start, "f4"),
        "end": (links.end, "f4"),
    }
    for name, (values, kind) in columns.items():
        packer.add(f"link/{name}", values, kind)
    packer.add("link/bundled", scene.bundled, "u1")
    if scene.change is not None:
        packer.add("link/gained", scene.change.gained, "u1")
    router: Router = scene.router
    packer.add("area/cost", router.cost, "f4")
    packer.add("area/factor", scene.compiled.areas.area_cost, "f4")
    packer.add("area/closed", router.closed, "u1")
    kinds = [
        {"kind": kind, "name": travel_name(kind), "colour": palette.link_colour(kind), "count": count}
        for kind, count in scene.link_kinds().items()
    ]
    by_hand = {"colour": palette.BY_HAND, "count": int((links.entity >= 0).sum())}
    return {"kinds": kinds, "byHand": by_hand}


def _pack_colourings(scene: Scene, packer: _Packer) -> list[dict[str, Any]]:
    """Pack every colouring. The page computes those by time and by sight itself: goal and picked area can change."""
    shown = copy.copy(scene)
    shown.goal = shown.picked = -1
    sight = scene.compiled.sight
    if sight is not None:
        packer.add("sight/start", sight.start, "i4")
        packer.add("sight/area", sight.area, "i4")
        packer.add("sight/share", sight.share, "u1")
    rows = []
    for name in scene.colourings:
        shown.colour(name)
        made = shown.colouring
        if name not in ("time", "sight"):
            packer.add(f"colouring/{name}", made.colours, "u1")
        rows.append({"name": name, "title": made.title, "key": [asdict(entry) for entry in made.legend]})
    return rows


def _layers(scene: Scene) -> list[dict[str, Any]]:
    from aascompile.viewer.window import LAYER_KEYS

    keys = {layer: {"minus": "-", "equal": "="}.get(key, key) for key, layer in LAYER_KEYS.items()}
    return [
        {"name": layer.name, "about": layer.about, "key": keys[layer.name]}
        for layer in (*LAYERS, *COMPARISON_LAYERS)
        if layer.name in scene.layers_with_content
    ]


def _entities(scene: Scene, packer: _Packer) -> dict[str, Any]:
    marks = scene.marks
    packer.add("entity/origin", marks.origin, "f4")
    sorts = [{"name": name, "colour": colour} for name, colour in palette.ENTITIES.items() if name in marks.sort]
    rows = range(len(marks.row))
    packer.add("entity/area", np.array([scene.area_of_mark(row) for row in rows], np.int32), "i4")
    return {
        "sorts": sorts,
        "sort": marks.sort,
        "name": marks.name,
        "title": [entity_name(scene, row) for row in rows],
        "facts": ["\n".join(entity_facts(scene, row)) for row in rows],
    }


def _whys(scene: Scene) -> list[dict[str, Any]]:
    """Explanations of what is not reached: the marks and areas that each concerns, and where to look."""
    if scene.lost is None:
        return []
    marks = {int(entity): mark for mark, entity in enumerate(scene.marks.row)}
    return [
        {
            "marks": [marks[entity] for entity in why.entities if entity in marks],
            "areas": why.areas.tolist(),
            "points": [why.point.tolist(), *path_of(why).tolist()],
        }
        for why in scene.lost.why
    ]


def _miss(scene: Scene) -> dict[str, Any] | None:
    """Why there is no route between the ends that the page opens with."""
    if scene.miss is None:
        return None
    path = path_of(scene.miss)
    return {
        "start": scene.start,
        "goal": scene.goal,
        "lines": scene.route_lines(),
        "path": path.tolist(),
        "text": miss_text(scene.miss) if len(path) else "",
    }


def _state(scene: Scene) -> dict[str, Any]:
    """Initial state of the page."""
    return {
        "layers": [name for name, on in scene.layers.items() if on],
        "colour": scene.colour_by,
        "hiddenAreas": sorted(scene.hidden_areas),
        "hiddenLinks": sorted(scene.hidden_links),
        "hiddenEntities": sorted(scene.hidden_entities),
        "cut": [_finite(scene.cut.mins), _finite(scene.cut.maxs)],
        "focus": scene.focus,
        "shells": scene.shell_opacity,
        "picked": scene.picked,
        "pickedEntity": scene.picked_entity,
        "start": scene.start,
        "goal": scene.goal,
        "alternatives": scene.alternatives,
    }


def _finite(point: tuple[float, ...]) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in point]
