"""Area colours, each set with its legend: by kind, cluster, contents, links, travel time, sight and so on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.mapdata import Float
from aascompile.viewer import palette
from aascompile.viewer.meshes import Colour, Colours

AREA_KINDS: Final[dict[str, Colour]] = {
    "ground": (104, 178, 112),
    "crouch": (196, 150, 92),
    "ladder": (190, 120, 240),
    "water": (64, 140, 235),
    "hazard": (240, 92, 56),
    "trigger": (60, 214, 190),
    "door": (232, 196, 84),
    "air": (132, 150, 176),
}
"""Kind of area → colour. Where several kinds apply, the last one that ``kinds_of`` assigns wins."""

HAZARD: Final = int(Kind.LAVA | Kind.SLIME | Kind.HURT)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a legend."""

    text: str
    colour: Colour
    count: int = -1
    """Number of areas; −1 if the line shows no count."""


@dataclass(frozen=True, slots=True)
class Colouring:
    """A colour for every area, and the legend of these colours."""

    title: str
    colours: Colours
    """``(areas, 3)``"""
    legend: tuple[Entry, ...]


def kinds_of(compiled: Compiled) -> NDArray[np.int32]:
    """``(areas,)`` row of ``AREA_KINDS``. In a "crouch" area there is no room to stand."""
    areas = compiled.areas
    name = {kind: row for row, kind in enumerate(AREA_KINDS)}
    kind = np.full(len(areas), name["air"], np.int32)
    contents, flags = areas.area_contents, areas.area_flags
    stands = areas.area_presence & compiled.boxes.presence[0] != 0
    grounded = flags & AreaFlag.GROUNDED != 0
    kind[grounded] = name["ground"]
    kind[grounded & ~stands] = name["crouch"]
    kind[flags & AreaFlag.LADDER != 0] = name["ladder"]
    kind[contents & (Kind.TELEPORTER | Kind.JUMPPAD) != 0] = name["trigger"]
    kind[(contents & Kind.MOVER) != 0] = name["door"]
    kind[flags & AreaFlag.LIQUID != 0] = name["water"]
    kind[contents & HAZARD != 0] = name["hazard"]
    return kind


def categorical(title: str, entries: list[tuple[str, Colour]], row: NDArray[np.integer]) -> Colouring:
    """Colouring by category; ``row`` is the entry of each area."""
    colours = np.array([colour for _, colour in entries], np.uint8).reshape(-1, 3)
    count = np.bincount(row, minlength=len(entries))
    legend = tuple(Entry(text, colour, int(n)) for (text, colour), n in zip(entries, count, strict=True) if n)
    return Colouring(title, colours[row], legend)


def shaded(compiled: Compiled, colouring: Colouring) -> Colouring:
    """A colouring with areas shaded by their height."""
    colours = palette.by_height(colouring.colours, compiled.areas.area_mins[:, 2].astype(np.float64))
    return replace(colouring, colours=colours)


def by_kind(compiled: Compiled, _: Float | None) -> Colouring:
    """Areas by kind: ground, water, air and so on."""
    return shaded(compiled, categorical("areas by kind", list(AREA_KINDS.items()), kinds_of(compiled)))


def by_presence(compiled: Compiled, _: Float | None) -> Colouring:
    """Areas by the player boxes that fit."""
    presence = compiled.areas.area_presence
    room = [("all boxes", (104, 178, 112)), ("smaller boxes only", (236, 160, 80)), ("no box", (150, 150, 150))]
    every = np.bitwise_or.reduce(compiled.boxes.presence)
    row = np.where(presence & every == every, 0, np.where(presence & every != 0, 1, 2))
    if len(compiled.boxes) == 2:
        room[:2] = [("standing and crouched", room[0][1]), ("crouched only", room[1][1])]
    return shaded(compiled, categorical("areas by presence", room, row))


def by_cluster(compiled: Compiled, _: Float | None) -> Colouring:
    """Areas by cluster. Adjacent clusters differ in colour, and portals stand out."""
    clusters = compiled.clusters
    if clusters is None:
        return Colouring("clusters were not computed", _grey(compiled.areas), ())
    chosen = _cluster_colours(clusters)
    number = len(clusters)
    table = np.array([*(palette.CLUSTERS[row] for row in chosen), palette.PORTAL, (84, 90, 100)], np.uint8)
    row = np.where(clusters.area_portal >= 0, number, clusters.area_cluster)
    row = np.where(row < 0, number + 1, row)
    count = np.bincount(row, minlength=number + 2)
    texts = [*(f"cluster {n}" for n in range(number)), "portals", "no cluster"]
    entries = [Entry(text, _rgb(colour), int(n)) for text, colour, n in zip(texts, table, count, strict=True) if n]
    return Colouring("areas by cluster", palette.varied(table[row]), _shortened(entries))


def by_contents(compiled: Compiled, _: Float | None) -> Colouring:
    """Areas by contents. Where an area has several, the last in ``_CONTENTS`` wins."""
    contents = compiled.areas.area_contents
    entries: list[tuple[str, Colour]] = [("nothing", (132, 150, 176))]
    row = np.zeros(len(contents), np.int64)
    for kind, colour in _CONTENTS.items():
        row[contents & kind != 0] = len(entries)
        entries.append((_contents_name(kind), colour))
    return shaded(compiled, categorical("areas by contents", entries, row))


_CONTENTS: Final[dict[Kind, Colour]] = {
    Kind.CLUSTERPORTAL: palette.PORTAL,
    Kind.MOVER: (232, 196, 84),
    Kind.NOTTEAM1: (220, 120, 120),
    Kind.NOTTEAM2: (120, 120, 220),
    Kind.DONOTENTER: (240, 110, 200),
    Kind.TELEPORTER: (190, 110, 255),
    Kind.JUMPPAD: (60, 220, 190),
    Kind.WATER: (64, 140, 235),
    Kind.SLIME: (140, 200, 50),
    Kind.LAVA: (240, 92, 40),
    Kind.HURT: (220, 60, 80),
}


def by_links(compiled: Compiled, _: Float | None) -> Colouring:
    """Areas by the number of links in and out."""
    links = compiled.links
    if links is None:
        return Colouring("links were not computed", _grey(compiled.areas), ())
    n = len(compiled.areas)
    count = np.bincount(links.source, minlength=n) + np.bincount(links.target, minlength=n)
    return _graded("areas by links in and out", count.astype(np.float64), count == 0, "none", "{:.0f}", log=True)


def by_time(compiled: Compiled, times: Float | None) -> Colouring:
    """Areas by travel time to the goal, given in 1/100 s."""
    if times is None:
        return Colouring("travel time: no goal is set", _grey(compiled.areas), ())
    return _graded("seconds to the goal", times / 100.0, ~np.isfinite(times), "no route", "{:.1f}")


def by_exposure(compiled: Compiled, _: Float | None) -> Colouring:
    """Areas by the share of the map's ground from which players in them are seen."""
    if compiled.sight is None:
        return Colouring("the file has no sight: run aas sight", _grey(compiled.areas), ())
    from aascompile.nav.sight import Views

    exposure = Views(compiled).exposure
    return _graded("ground that sees an area", exposure, np.isnan(exposure), "air", "{:.0%}")


def by_sight(compiled: Compiled, shares: Float | None) -> Colouring:
    """Areas by how much of them the picked area sees."""
    if compiled.sight is None:
        return Colouring("the file has no sight: run aas sight", _grey(compiled.areas), ())
    if shares is None:
        return Colouring("sight: no area is picked", _grey(compiled.areas), ())
    return _graded("seen from the picked area", shares, ~(shares > 0.0), "not seen", "{:.0%}")


def by_reached(compiled: Compiled, _: Float | None) -> Colouring:
    """Areas by whether spawns have a route to them."""
    from aascompile.viewer.lost import lost_of

    lost = lost_of(compiled)
    if lost is None:
        return Colouring("the file has no links or no spawns", _grey(compiled.areas), ())
    entries = [
        ("reached from spawns", palette.REACHED),
        ("no route back", palette.TRAPPED),
        ("not reached", palette.UNREACHED),
        ("air", AREA_KINDS["air"]),
    ]
    stands = compiled.areas.area_flags & np.uint32(AreaFlag.GROUNDED | AreaFlag.LIQUID | AreaFlag.LADDER) != 0
    row = np.where(lost.trapped, 1, np.where(lost.reached, 0, np.where(stands, 2, 3)))
    return shaded(compiled, categorical("areas by routes from spawns", entries, row))


COLOURINGS: Final[dict[str, Callable[[Compiled, Float | None], Colouring]]] = {
    "kind": by_kind,
    "cluster": by_cluster,
    "presence": by_presence,
    "contents": by_contents,
    "links": by_links,
    "time": by_time,
    "exposure": by_exposure,
    "sight": by_sight,
    "reached": by_reached,
}
"""Name → function. Its second argument is each area's travel time to the goal (by time), or the share of it that the
picked area sees (by sight); None without a goal or a picked area."""


def _graded(
    title: str, value: Float, missing: NDArray[np.bool_], missing_text: str, form: str, log: bool = False
) -> Colouring:
    """Colours along the ramp; areas without a value are grey."""
    grey: Colour = (84, 90, 100)
    present = value[~missing]
    most = float(present.max(initial=0.0)) or 1.0
    scale = np.log1p if log else np.asarray
    share = scale(np.where(missing, 0.0, value)) / scale(most)
    colours = np.where(missing[:, None], np.array(grey, np.uint8), palette.ramp(share))
    steps = np.unique(np.round(np.expm1(np.linspace(0.0, np.log1p(most), 6))) if log else np.linspace(0.0, most, 6))
    shades = palette.ramp(scale(steps) / scale(most))
    legend = [Entry(form.format(step), _rgb(shade)) for step, shade in zip(steps, shades, strict=True)]
    if missing.any():
        legend.append(Entry(missing_text, grey, int(missing.sum())))
    return Colouring(title, colours, tuple(legend))


def _cluster_colours(clusters: Clusters) -> list[int]:
    """Row of ``palette.CLUSTERS`` for each cluster: the least used one that no adjacent cluster has."""
    near: list[set[int]] = [set() for _ in range(len(clusters))]
    for a, b in clusters.portal_cluster.tolist():
        if a >= 0 and b >= 0:
            near[a].add(b)
            near[b].add(a)
    chosen: list[int] = []
    used = [0] * len(palette.CLUSTERS)
    for number in range(len(clusters)):
        taken = {chosen[adjacent] for adjacent in near[number] if adjacent < number}
        free = [row for row in range(len(used)) if row not in taken] or list(range(len(used)))
        best = min(free, key=lambda row: (used[row], row))
        used[best] += 1
        chosen.append(best)
    return chosen


MAX_ENTRIES: Final = 14
"""Most lines of a cluster legend; the smallest clusters share a line."""


def _shortened(entries: list[Entry]) -> tuple[Entry, ...]:
    """The largest entries in their original order, with a line that sums up the rest."""
    if len(entries) <= MAX_ENTRIES:
        return tuple(entries)
    tail = [entry for entry in entries if not entry.text.startswith("cluster ")]
    head = [entry for entry in entries if entry.text.startswith("cluster ")]
    kept = sorted(sorted(range(len(head)), key=lambda row: -head[row].count)[: MAX_ENTRIES - len(tail) - 1])
    rest = sum(entry.count for row, entry in enumerate(head) if row not in kept)
    more = Entry(f"{len(head) - len(kept)} smaller clusters", palette.FAINT, rest)
    return (*(head[row] for row in kept), more, *tail)


def _grey(areas: Areas) -> Colours:
    return np.full((len(areas), 3), 120, np.uint8)


def _rgb(colour: Colours) -> Colour:
    red, green, blue = (int(part) for part in colour)
    return red, green, blue


def _contents_name(kind: Kind) -> str:
    words = {Kind.CLUSTERPORTAL: "cluster portal", Kind.DONOTENTER: "do not enter", Kind.JUMPPAD: "jump pad"}
    name = {Kind.NOTTEAM1: "not for team 1", Kind.NOTTEAM2: "not for team 2", Kind.MOVER: "door", **words}
    return name.get(kind, (kind.name or "").lower())
