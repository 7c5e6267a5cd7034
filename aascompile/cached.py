"""Compiles maps with a cache: what was compiled before is not compiled again, and the result has the same bytes.

| entry | key | holds |
|---|---|---|
| bytes | the bytes of the map and of files beside it, settings as given | the key of the map, and its checksum |
| map | all that was read from the map, settings | the compiled map |
| flood | geometry, and the settings of areas | the first tree, by which new entities are flooded |
| areas | the same, and the leaves that were reached | the areas |
| links | the same, and all settings | what is known of links whatever the entities are |

So a map that only has other lights is a hit. A map with other entities keeps its areas if they reach the same space. So
does a map that is compiled with other costs. Every key includes a digest of the compiler's own sources.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache as once
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile import __version__
from aascompile.bsp.outside import flood_inside
from aascompile.checks.check_structure import structure_faults
from aascompile.errors import StoreError
from aascompile.mapio.load import COMPILED, MapSource, read_map_file
from aascompile.model.areas import Areas
from aascompile.model.compiled import Compiled, Provenance, with_used_planes
from aascompile.model.mapdata import MapData, Planes
from aascompile.model.tree import Portals, Tree
from aascompile.model.understood import Understood
from aascompile.pipeline import (
    Divided,
    choose_clusters,
    gather,
    link_areas,
    make_areas,
    short_name,
    stage_counts,
    understand,
)
from aascompile.reach.remembered import Remembered
from aascompile.records import dataclass
from aascompile.report import Dropped, Records, Report
from aascompile.reuse import geometry_hash
from aascompile.settings import Settings
from aascompile.settings_file import text_to_store
from aascompile.stages import Phase, names
from aascompile.store.cache import Cache
from aascompile.store.schema import from_columns, shape_faults, to_columns

STAGE = "cache"
"""Name of the cache in reports."""

UNUSABLE = "the cache cannot be used"
"""Start of the warning that results are not stored."""

Columns = Mapping[str, NDArray[Any]]


def compile_cached(
    source: MapSource | str,
    settings: Settings,
    report: Report,
    cache: Cache,
    threads: int = 1,
    quality: bool = False,
    allow_leak: bool = False,
) -> Compiled:
    """Compile a map like ``pipeline.compile_map``, with what the cache holds of it, and add the result to the cache.

    The stage ``cache`` of the report counts what was found: hit, areas, or neither.
    """
    given = source if isinstance(source, MapSource) else read_map_file(source)
    work = _Work(cache, report, threads, quality, allow_leak)
    sha256 = hashlib.sha256(given.data).hexdigest()
    binary = given.data.startswith(COMPILED) or given.name.lower().endswith(".bsp")
    game = hashlib.sha256(repr(given.game).encode()).hexdigest()
    by_bytes = work.key("bytes", sha256, game, given.added, binary, text_to_store(settings), allow_leak)
    with report.stage(STAGE) as stage:
        known = cache.get(by_bytes)
        found = None if known is None else work.whole(known.about["map"], given.name, sha256, known.about["checksum"])
        stage.count(hit=found is not None)
    if found is not None:
        return found
    understood = understand(given, report, settings)
    compiled, by_map = work.compiled(understood)
    work.put(by_bytes, {"map": by_map, "checksum": understood.map.checksum})
    return compiled


@dataclass(frozen=True, slots=True)
class _Work:
    """The cache and the options of a compile."""

    cache: Cache
    report: Report
    threads: int
    quality: bool
    allow_leak: bool

    def key(self, *parts: object) -> str:
        """Key of an entry."""
        return hashlib.sha256(repr((compiler(), self.quality, *parts)).encode()).hexdigest()

    def put(self, key: str, about: Mapping[str, Any], columns: Columns | None = None) -> None:
        """Store an entry. A cache that cannot be written to only costs time."""
        try:
            self.cache.put(key, about, columns)
        except StoreError as error:
            self.report.warn(f"{UNUSABLE}: {error}")

    def compiled(self, understood: Understood) -> tuple[Compiled, str]:
        """A map that was read, compiled; and its key."""
        read, settings, report = understood.map, understood.settings, self.report
        by_map = self.key("map", content_hash(read), text_to_store(settings), self.allow_leak)
        with report.stage(STAGE) as stage:
            found = self.whole(by_map, read.name, read.sha256, read.checksum, dropped=False)
            known = None if found is not None else self._known_areas(understood)
            stage.count(hit=found is not None, areas=known is not None)
        if found is not None:
            return found, by_map
        divided = known or self._new_areas(understood)
        by_links = self.key("links", divided.key, text_to_store(settings))
        entry = self.cache.get(by_links) if divided.key else None
        remembered = Remembered(None if entry is None else entry.columns)
        linked = link_areas(understood, divided.divided.areas, settings, report, self.threads, remembered)
        clusters = choose_clusters(understood, divided.divided.areas, linked, report, self.threads)
        compiled = gather(understood, divided.divided, linked, clusters, settings, report, divided.stages)
        if divided.key and remembered.grown:
            self.put(by_links, {}, remembered.columns())
        about = _about(compiled.provenance) | {
            "warnings": [warning for warning in report.warnings if not warning.startswith(UNUSABLE)],
            "dropped": [[item.kind, item.number, item.reason] for item in report.dropped],
        }
        self.put(by_map, about, to_columns(compiled))
        return compiled, by_map

    def whole(self, key: str, name: str, sha256: str, checksum: int, dropped: bool = True) -> Compiled | None:
        """A compiled map of the cache, under the name of this map; None if there is none.

        Its warnings go to the report, and what was ``dropped`` unless reading the map has told already.
        """
        entry = self.cache.get(key)
        if entry is None or any(True for _ in shape_faults(entry.columns)):
            return None
        about = entry.about
        origin = Provenance(name=short_name(name), sha256=sha256, checksum=checksum, **about["provenance"])
        found = from_columns(entry.columns, origin)
        if any(True for _ in structure_faults(found)):
            return None
        for warning in about["warnings"]:
            self.report.warn(warning)
        if dropped:
            self.report.drop(*(Dropped(*row) for row in about["dropped"]))
        return found

    def _known_areas(self, understood: Understood) -> _Found | None:
        """Areas of the cache that a full compile would make too: its entities reach the same leaves."""
        by_flood = self._flood_key(understood)
        entry = self.cache.get(by_flood)
        if entry is None:
            return None
        planes, tree, portals = _rough_tree(entry.columns)
        flood = flood_inside(
            planes, tree, portals, understood.map.entities, understood.settings.all_boxes, entry.columns["outer"]
        )
        if len(flood.trail):
            return None
        key = self.key("areas", by_flood, flood.reached.tobytes())
        areas = self.cache.get(key)
        if areas is None:
            return None
        planes = Planes(areas.columns["planes/normal"], areas.columns["planes/dist"])
        columns = {field.name: areas.columns[field.name] for field in fields(Areas) if field.name != "planes"}
        return _Found(Divided(Areas(planes=planes, **columns), np.zeros((0, 3))), key, areas.about["stages"])

    def _new_areas(self, understood: Understood) -> _Found:
        """Divide a map into areas, and store them unless it leaks."""
        seen: dict[str, Records] = {}
        self.report.also_observe(lambda stage, records: seen.update({stage: records} if stage == "flood" else {}))
        by_flood = self._flood_key(understood)
        divided = make_areas(understood, understood.settings, self.report, self.threads, self.quality, self.allow_leak)
        if len(divided.leak):
            return _Found(divided, "", None)
        rough = seen["flood"]
        self.put(by_flood, {}, dict(_rough_columns(rough)))
        reached: Any = rough["reached"]
        key = self.key("areas", by_flood, reached.tobytes())
        dividing = names(Phase.DIVIDING)
        stages = [stage for stage in stage_counts(self.report) if stage["name"] in dividing]
        areas = with_used_planes(divided.areas)
        columns = {field.name: getattr(areas, field.name) for field in fields(Areas) if field.name != "planes"}
        planes = {"planes/normal": areas.planes.normal, "planes/dist": areas.planes.dist}
        self.put(key, {"stages": stages}, columns | planes)
        return _Found(divided, key, None)

    def _flood_key(self, understood: Understood) -> str:
        return self.key("flood", geometry_hash(understood, understood.settings))


@dataclass(frozen=True, slots=True)
class _Found:
    """Areas, and how they are called in the cache."""

    divided: Divided
    key: str
    """Key of the areas; "" if they are not stored."""
    dividing: list[dict[str, Any]] | None
    """Counts of the stages that were skipped; None if they ran."""

    @property
    def stages(self) -> str:
        """All stages as JSON, with the counts of those that were skipped; "[]" if all ran."""
        if self.dividing is None:
            return "[]"
        before, after = names(Phase.READING), names(Phase.LINKING, Phase.CLUSTERS)
        return json.dumps([*({"name": name} for name in before), *self.dividing, *({"name": name} for name in after)])


def _about(origin: Provenance) -> dict[str, Any]:
    """What an entry says of a compiled map, whatever file the map was in."""
    own = ("name", "sha256", "checksum")
    return {
        "provenance": {field.name: getattr(origin, field.name) for field in fields(origin) if field.name not in own}
    }


def _rough_columns(records: Records) -> Iterator[tuple[str, NDArray[Any]]]:
    """Columns of the first tree of a compile that a flood needs, with the planes that it uses."""
    planes: Any
    tree: Any
    portals: Any
    planes, tree, portals = (records[name] for name in ("planes", "tree", "portals"))
    used, number = np.unique(np.concatenate([tree.node[:, 0], portals.plane]), return_inverse=True)
    node = tree.node.copy()
    node[:, 0] = number[: len(node)]
    outer: Any = records["outer"]
    yield "outer", outer
    yield "planes/normal", planes.normal[used]
    yield "planes/dist", planes.dist[used]
    yield "tree/node", node
    yield "tree/leaf_box", tree.leaf_box
    yield "tree/leaf_blocks", tree.leaf_blocks
    yield "portals/plane", number[len(node) :].astype(np.int32)
    for name in ("front", "back", "vertex_start", "xyz"):
        yield f"portals/{name}", getattr(portals, name)


def _rough_tree(columns: Columns) -> tuple[Planes, Tree, Portals]:
    """The first tree from ``_rough_columns``; what only drawings and trails need is left out."""
    leaves = len(columns["tree/leaf_box"])
    tree = Tree(
        node=columns["tree/node"],
        section_start=np.zeros(len(columns["tree/node"]) + 1, np.int64),
        section_xyz=np.zeros((0, 3)),
        leaf_point=np.zeros((leaves, 3)),
        leaf_box=columns["tree/leaf_box"],
        leaf_blocks=columns["tree/leaf_blocks"],
        leaf_contains=np.zeros(leaves, np.int64),
    )
    portals = Portals(**{field.name: columns[f"portals/{field.name}"] for field in fields(Portals)})
    return Planes(columns["planes/normal"], columns["planes/dist"]), tree, portals


def content_hash(map_data: MapData) -> str:
    """SHA-256 of everything that was read from a map; its name and its bytes aside."""
    digest = hashlib.sha256()
    _add(digest, map_data, without=("name", "digests"))
    return digest.hexdigest()


def _add(digest: Any, thing: object, without: tuple[str, ...] = ()) -> None:
    """Add a record, a column or a plain value to a digest; ``without``: fields of the record that do not count."""
    if isinstance(thing, np.ndarray):
        digest.update(f"{thing.dtype}{thing.shape}".encode() + np.ascontiguousarray(thing).tobytes())
    elif is_dataclass(thing):
        for field in fields(thing):
            if field.name not in without:
                digest.update(field.name.encode())
                _add(digest, getattr(thing, field.name))
    elif isinstance(thing, tuple):
        digest.update(f"({len(thing)}".encode())
        for part in thing:
            _add(digest, part)
    else:
        digest.update(repr(thing).encode())


@once
def compiler() -> str:
    """Version of aascompile, with a digest of its sources: a changed compiler never reads its old results."""
    top = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(top.rglob("*.py")):
        inside = path.relative_to(top)
        if inside.parts[0] not in ("cli", "viewer", "nav", "_build"):
            digest.update(os.fsencode(str(inside)) + path.read_bytes())
    return f"{__version__} {digest.hexdigest()[:16]}"
