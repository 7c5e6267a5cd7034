"""Tables of a compiled file: path, type and size of each column, and the record field that it stores.

docs/data-model.md has the same list with units and meanings. A test keeps the two in step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import starts_of
from aascompile.errors import StoreError
from aascompile.model.areas import Areas
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Boxes, Compiled, Context, Entities, Provenance, Rides, Slopes
from aascompile.model.links import Links
from aascompile.model.mapdata import Planes
from aascompile.model.places import Places
from aascompile.model.sight import Sight
from aascompile.records import dataclass

Column = NDArray[Any]
Columns = dict[str, Column]


@dataclass(frozen=True, slots=True)
class Spec:
    """Specification of a dataset."""

    path: str
    """table/column in /aas."""
    dtype: str
    """numpy's name for its type."""
    rows: str
    """What each row stands for. A trailing "+1" marks the start column of a CSR."""
    width: int = 0
    """Numbers per row; 0 for a one-dimensional column."""
    field: str = ""
    """record.field that it stores; "" if it is assembled from several."""
    since: int = 1
    """First format version with this column."""
    before: float = -1.0
    """What all its rows read as in older files."""


SPECS: tuple[Spec, ...] = (
    Spec("boxes/presence", "uint32", "boxes", field="boxes.presence"),
    Spec("boxes/mins", "float64", "boxes", 3, "boxes.mins"),
    Spec("boxes/maxs", "float64", "boxes", 3, "boxes.maxs"),
    Spec("planes/normal", "float64", "planes", 3, "planes.normal"),
    Spec("planes/dist", "float64", "planes", field="planes.dist"),
    Spec("vertices/xyz", "float64", "vertices", 3, "areas.vertex"),
    Spec("edges/vertex", "int32", "edges", 2, "areas.edge"),
    Spec("faces/plane", "int32", "faces", field="areas.face_plane"),
    Spec("faces/front", "int32", "faces", field="areas.face_front"),
    Spec("faces/back", "int32", "faces", field="areas.face_back"),
    Spec("faces/flags", "uint32", "faces", field="areas.face_flags"),
    Spec("faces/corner_start", "int64", "faces+1", field="areas.face_start"),
    Spec("faces/corner_vertex", "int32", "corners", field="areas.face_vertex"),
    Spec("faces/corner_edge", "int32", "corners", field="areas.face_edge"),
    Spec("areas/face_start", "int64", "areas+1", field="areas.area_start"),
    Spec("areas/face", "int32", "area faces", field="areas.area_face"),
    Spec("areas/contents", "uint32", "areas", field="areas.area_contents"),
    Spec("areas/flags", "uint32", "areas", field="areas.area_flags"),
    Spec("areas/presence", "uint32", "areas", field="areas.area_presence"),
    Spec("areas/model", "int32", "areas", field="areas.area_model"),
    Spec("areas/trigger", "int32", "areas", field="areas.area_trigger", since=2),
    Spec("areas/cost", "float64", "areas", field="areas.area_cost", since=4, before=1.0),
    Spec("areas/mins", "float64", "areas", 3, "areas.area_mins"),
    Spec("areas/maxs", "float64", "areas", 3, "areas.area_maxs"),
    Spec("areas/centre", "float64", "areas", 3, "areas.area_centre"),
    Spec("areas/volume", "float64", "areas", field="areas.area_volume"),
    Spec("nodes/plane", "int32", "nodes", field="areas.node_plane"),
    Spec("nodes/child", "int32", "nodes", 2, "areas.node_child"),
    Spec("links/source", "int32", "links", field="links.source"),
    Spec("links/target", "int32", "links", field="links.target"),
    Spec("links/kind", "int32", "links", field="links.kind"),
    Spec("links/point", "float64", "link ends", 3),
    Spec("links/face", "int32", "links", field="links.face"),
    Spec("links/edge", "int32", "links", field="links.edge"),
    Spec("links/time", "int32", "links", field="links.time"),
    Spec("links/model", "int32", "links", field="links.model"),
    Spec("links/ride", "int32", "links", field="links.ride", since=4),
    Spec("links/velocity", "float64", "links", 3, "links.velocity"),
    Spec("links/needed_speed", "float64", "links", field="links.needed_speed", since=3),
    Spec("links/tier", "int32", "links", field="links.tier", since=3),
    Spec("links/arrives", "float64", "links", field="links.arrives", since=4),
    Spec("links/dies", "float64", "links", field="links.dies", since=4),
    Spec("links/room", "float64", "links", field="links.room", since=4),
    Spec("links/landing_speed", "float64", "links", field="links.landing_speed", since=4),
    Spec("links/miss", "int32", "links", field="links.miss", since=4),
    Spec("links/entity", "int32", "links", field="links.entity", since=4),
    Spec("links/area_start", "int64", "areas+1", field="links.area_start"),
    Spec("clusters/areas", "int32", "clusters", field="clusters.cluster_areas"),
    Spec("clusters/routing", "int32", "clusters", field="clusters.cluster_routing"),
    Spec("clusters/portal_start", "int64", "clusters+1", field="clusters.cluster_portal_start"),
    Spec("clusters/portal", "int32", "cluster portals", field="clusters.cluster_portal"),
    Spec("clusters/area_cluster", "int32", "areas", field="clusters.area_cluster"),
    Spec("clusters/area_portal", "int32", "areas", field="clusters.area_portal"),
    Spec("clusters/area_number", "int32", "areas", field="clusters.area_number"),
    Spec("portals/area", "int32", "portals", field="clusters.portal_area"),
    Spec("portals/cluster", "int32", "portals", 2, "clusters.portal_cluster"),
    Spec("portals/number", "int32", "portals", 2, "clusters.portal_number"),
    Spec("rides/model", "int32", "rides", field="rides.model"),
    Spec("rides/low", "float64", "rides", 3, "rides.low"),
    Spec("rides/high", "float64", "rides", 3, "rides.high"),
    Spec("rides/carrier", "int32", "rides", field="rides.carrier", since=4),
    Spec("rides/seconds", "float64", "rides", field="rides.seconds", since=4),
    Spec("rides/wait", "float64", "rides", field="rides.wait", since=4),
    Spec("rides/entity", "int32", "rides", field="rides.entity", since=5),
    Spec("rides/half", "float64", "rides", 3, "rides.half", since=5),
    Spec("rides/floor", "float64", "rides", field="rides.floor", since=5),
    Spec("rides/angles", "float64", "rides", 3, "rides.angles", since=6, before=0.0),
    Spec("context/vertex", "float64", "context vertices", 3, "context.vertex"),
    Spec("context/corner_start", "int64", "context+1", field="context.start"),
    Spec("context/corner", "int32", "context corners", field="context.corner"),
    Spec("context/kind", "uint32", "context", field="context.kind"),
    Spec("context/contents", "uint32", "context", field="context.contents"),
    Spec("context/flags", "uint32", "context", field="context.flags"),
    Spec("context/brush", "int32", "context", field="context.brush"),
    Spec("context/patch", "int32", "context", field="context.patch"),
    Spec("entities/classname_start", "int64", "entities+1"),
    Spec("entities/classname", "uint8", "classname bytes"),
    Spec("entities/origin", "float64", "entities", 3, "entities.origin"),
    Spec("entities/keys_start", "int64", "entities+1"),
    Spec("entities/keys", "uint8", "keys bytes"),
    Spec("places/entity", "int32", "places", field="places.entity"),
    Spec("places/item", "uint8", "places"),
    Spec("places/point", "float64", "places", 3, "places.point"),
    Spec("places/area", "int32", "places", field="places.area"),
    Spec("places/reason_start", "int64", "places+1"),
    Spec("places/reason", "uint8", "reason bytes"),
    Spec("sight/start", "int64", "areas+1", field="sight.start"),
    Spec("sight/area", "int32", "views", field="sight.area"),
    Spec("sight/share", "uint8", "views", field="sight.share"),
    Spec("slopes/share", "float64", "areas", field="slopes.share"),
    Spec("leak/point", "float64", "leak points", 3),
)
"""All columns, in the order of the file."""

OPTIONAL = {
    "links": ("links",),
    "clusters": ("clusters", "portals"),
    "places": ("places",),
    "sight": ("sight",),
    "slopes": ("slopes",),
}
"""Tables of the records that may be missing."""


def to_columns(compiled: Compiled) -> Columns:
    """All columns of a compiled map by path, in schema order. Raise a StoreError if one does not match the schema."""
    by_hand: Columns = {"leak/point": compiled.leak}
    for name in ("classname", "keys"):
        start, text = _text_column(getattr(compiled.entities, name))
        by_hand |= {f"entities/{name}_start": start, f"entities/{name}": text}
    if compiled.links is not None:
        ends = (compiled.links.start, compiled.links.end)
        by_hand["links/point"] = np.stack(ends, axis=1).reshape(-1, 3) if len(compiled.links) else np.zeros((0, 3))
    if compiled.places is not None:
        start, text = _text_column(compiled.places.reason)
        by_hand |= {"places/reason_start": start, "places/reason": text}
        by_hand["places/item"] = compiled.places.item.astype(np.uint8)
    columns: Columns = {}
    for spec in SPECS:
        if spec.path in by_hand:
            columns[spec.path] = by_hand[spec.path]
        elif spec.field:
            record, field = spec.field.split(".")
            owner = compiled.areas.planes if record == "planes" else getattr(compiled, record)
            if owner is not None:
                columns[spec.path] = getattr(owner, field)
    faults = list(shape_faults(columns))
    if faults:
        raise StoreError(f"cannot be written: {faults[0]}")
    return columns


def shape_faults(columns: Mapping[str, Column]) -> Iterator[str]:
    """One clause for each column whose type or size does not match the schema."""
    sizes: dict[str, tuple[int, str]] = {"link ends": (2 * len(columns.get("links/source", ())), "links/source")}
    for spec in SPECS:
        if spec.path not in columns:
            continue
        column = columns[spec.path]
        if column.dtype != np.dtype(spec.dtype):
            yield f"{spec.path} is {column.dtype}, not {spec.dtype}"
        if column.ndim != 1 + (spec.width > 0) or (spec.width and column.shape[1] != spec.width):
            yield f"{spec.path} has the shape {column.shape}, not ({spec.rows}{f', {spec.width}' * (spec.width > 0)})"
            continue
        rows = len(column) - spec.rows.endswith("+1")
        expected, where = sizes.setdefault(spec.rows.removesuffix("+1"), (rows, spec.path))
        if rows != expected:
            yield f"{spec.path} has rows for {rows:,} {spec.rows.removesuffix('+1')}, but {where} for {expected:,}"


def from_columns(columns: Mapping[str, Column], provenance: Provenance) -> Compiled:
    """Compiled map from columns of correct type and size. Raise a StoreError for invalid text."""
    fields: dict[str, dict[str, Any]] = {}
    for spec in SPECS:
        if spec.field and spec.path in columns:
            record, field = spec.field.split(".")
            fields.setdefault(record, {})[field] = columns[spec.path]
    for name in ("classname", "keys"):
        fields["entities"][name] = _texts(columns, f"entities/{name}")
    links = None
    if "links" in fields:
        point = columns["links/point"].reshape(-1, 2, 3)
        links = Links(start=point[:, 0].copy(), end=point[:, 1].copy(), **fields["links"])
    places = None
    if "places" in fields:
        item, reason = columns["places/item"] != 0, _texts(columns, "places/reason")
        places = Places(item=item, reason=reason, **fields["places"])
    return Compiled(
        areas=Areas(planes=Planes(**fields["planes"]), **fields["areas"]),
        links=links,
        clusters=Clusters(**fields["clusters"]) if "clusters" in fields else None,
        boxes=Boxes(**fields["boxes"]),
        rides=Rides(**fields["rides"]),
        context=Context(**fields["context"]),
        entities=Entities(**fields["entities"]),
        leak=columns["leak/point"],
        provenance=provenance,
        places=places,
        sight=Sight(**fields["sight"]) if "sight" in fields else None,
        slopes=Slopes(**fields["slopes"]) if "slopes" in fields else None,
    )


def _text_column(texts: tuple[str, ...]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Start column and concatenated UTF-8 bytes of texts."""
    encoded = [text.encode("utf-8", "backslashreplace") for text in texts]
    return starts_of(np.array([len(text) for text in encoded], np.int64)), np.frombuffer(b"".join(encoded), np.uint8)


def _texts(columns: Mapping[str, Column], path: str) -> tuple[str, ...]:
    """Texts from their start column and bytes."""
    start, text = columns[f"{path}_start"], columns[path]
    if start[0] != 0 or start[-1] != len(text) or (np.diff(start) < 0).any():
        raise StoreError(f"is damaged ({path}_start does not divide {path} into pieces)")
    data = text.tobytes()
    try:
        return tuple(data[a:b].decode() for a, b in zip(start[:-1].tolist(), start[1:].tolist(), strict=True))
    except UnicodeDecodeError:
        raise StoreError(f"is damaged ({path} is not UTF-8)") from None
