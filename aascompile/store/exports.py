"""Compiled maps for other programs: GraphML and JSON with the graph, npz with all tables, glb with shapes.

The same compiled map gives the same bytes.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from aascompile.errors import StoreError
from aascompile.escaping import xml
from aascompile.model.areas import AreaFlag
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.links import Travel
from aascompile.store.glb import glb_of
from aascompile.store.schema import to_columns

Row = dict[str, Any]

GRAPHML_TYPES: Final = {bool: "boolean", int: "int", float: "double", str: "string"}

EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""Time of the members of an archive: the earliest that the format has."""


def exported(compiled: Compiled, ending: str) -> bytes:
    """Contents of a file with this ending, one of ``ENDINGS``."""
    return ENDINGS[ending](compiled)


def area_rows(compiled: Compiled) -> Iterator[Row]:
    """The areas: place, size, meaning, cluster, and the classes of items and spawns in them."""
    areas, clusters, places = compiled.areas, compiled.clusters, compiled.places
    inside: dict[int, list[str]] = {}
    if places is not None:
        for entity, area in zip(places.entity.tolist(), places.area.tolist(), strict=True):
            inside.setdefault(area, []).append(compiled.entities.classname[entity])
    stands = (areas.area_presence & compiled.boxes.presence[0]) != 0
    for area in range(len(areas)):
        yield {
            "area": area,
            **_point("", areas.area_centre[area].tolist()),
            "volume": float(areas.area_volume[area]),
            "flags": _names(AreaFlag, int(areas.area_flags[area])),
            "contents": _names(Kind, int(areas.area_contents[area])),
            "stand": bool(stands[area]),
            "cluster": -1 if clusters is None else int(clusters.area_cluster[area]),
            "portal": -1 if clusters is None else int(clusters.area_portal[area]),
            "entities": " ".join(inside.get(area, ())),
        }


def link_rows(compiled: Compiled) -> Iterator[Row]:
    """The links: areas, travel type, time in seconds, both ends; needed speed and tier of jumps, margins (−1: none)."""
    links = compiled.links
    if links is None:
        return
    for row in range(len(links)):
        kind = int(links.kind[row])
        yield {
            "source": int(links.source[row]),
            "target": int(links.target[row]),
            "kind": Travel(kind).name.lower(),
            "seconds": int(links.time[row]) / 100.0,
            "needed_speed": float(links.needed_speed[row]),
            "tier": int(links.tier[row]),
            "arrives": float(links.arrives[row]),
            "dies": float(links.dies[row]),
            "room": float(links.room[row]),
            "landing_speed": float(links.landing_speed[row]),
            "miss": int(links.miss[row]),
            **_point("start_", links.start[row].tolist()),
            **_point("end_", links.end[row].tolist()),
        }


def graphml(compiled: Compiled) -> bytes:
    """A directed graph: areas as nodes a0, a1, …, links as edges."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ]
    nodes, edges = list(area_rows(compiled)), list(link_rows(compiled))
    keys: dict[tuple[str, str], str] = {}
    for owner, rows in (("node", nodes), ("edge", edges)):
        for name, value in (rows[0] if rows else {}).items():
            if name not in ("source", "target"):
                keys[owner, name] = f"{owner[0]}{len(keys)}"
                kind = GRAPHML_TYPES[type(value)]
                lines.append(f'<key id="{keys[owner, name]}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>')
    lines.append(f'<graph id="{xml(compiled.provenance.name)}" edgedefault="directed">')
    for row in nodes:
        lines += [f'<node id="a{row["area"]}">', *_data(row, "node", keys), "</node>"]
    for number, row in enumerate(edges):
        lines.append(f'<edge id="l{number}" source="a{row["source"]}" target="a{row["target"]}">')
        lines += [*_data(row, "edge", keys), "</edge>"]
    return "\n".join([*lines, "</graph>", "</graphml>", ""]).encode()


def json_graph(compiled: Compiled) -> bytes:
    """An object with the map's name, areas, links, items and spawns, a row on each line."""
    tables = {"areas": area_rows(compiled), "links": link_rows(compiled), "places": _place_rows(compiled)}
    parts = [f'"map": {json.dumps(compiled.provenance.name)}']
    for name, rows in tables.items():
        body = ",\n".join(json.dumps(row) for row in rows)
        parts.append(f'"{name}": [\n{body}\n]' if body else f'"{name}": []')
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def npz(compiled: Compiled) -> bytes:
    """All tables of docs/data-model.md for numpy.load: ``areas/centre`` and so on, and the provenance as texts."""
    columns = dict(to_columns(compiled))
    for name in ("generator", "name", "sha256", "settings", "stages"):
        columns[f"provenance/{name}"] = np.array(getattr(compiled.provenance, name))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, column in columns.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, column, allow_pickle=False)
            info = zipfile.ZipInfo(f"{path}.npy", EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.getvalue())
    return out.getvalue()


ENDINGS: Final[dict[str, Callable[[Compiled], bytes]]] = {
    ".graphml": graphml,
    ".json": json_graph,
    ".npz": npz,
    ".glb": glb_of,
}
"""Endings of the files of other programs."""


def ending_of(path: str) -> str:
    """The ending of a path that can be exported to, in lower case. StoreError if it has none."""
    for ending in (".aas", *ENDINGS):
        if path.lower().endswith(ending):
            return ending
    raise StoreError(f"{path}: must end in .aas, {', '.join(list(ENDINGS)[:-1])} or {list(ENDINGS)[-1]}")


def _place_rows(compiled: Compiled) -> Iterator[Row]:
    places = compiled.places
    if places is None:
        return
    for row in range(len(places)):
        yield {
            "entity": int(places.entity[row]),
            "classname": compiled.entities.classname[places.entity[row]],
            "item": bool(places.item[row]),
            **_point("", places.point[row].tolist()),
            "area": int(places.area[row]),
        }


def _point(prefix: str, xyz: list[float]) -> Row:
    return {f"{prefix}{axis}": round(value, 4) + 0.0 for axis, value in zip("xyz", xyz, strict=True)}


def _names(flags: type[AreaFlag] | type[Kind], bits: int) -> str:
    """Names of the bits that are set, separated by blanks."""
    return " ".join(str(flag.name).lower() for flag in flags if bits & flag)


def _data(row: Row, owner: str, keys: dict[tuple[str, str], str]) -> Iterator[str]:
    for name, value in row.items():
        if (owner, name) in keys:
            text = str(value).lower() if isinstance(value, bool) else xml(str(value))
            yield f'<data key="{keys[owner, name]}">{text}</data>'
