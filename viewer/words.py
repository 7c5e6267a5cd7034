"""What a scene says in words: the legend, the card of the picked area, the list of the route, labels in space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from aascompile.model.areas import AreaFlag
from aascompile.model.contents import Kind
from aascompile.model.mapdata import Float, Int
from aascompile.viewer import palette
from aascompile.viewer.colouring import AREA_KINDS
from aascompile.viewer.meshes import Colour
from aascompile.viewer.parts import GAP, LADDER, LIQUIDS, SURFACE, Parts
from aascompile.viewer.scene import Scene, travel_word

MOST_LINKS: Final = 12
"""Lines for links on a card, each way."""

MOST_STEPS: Final = 24
"""Lines of a route's list."""


@dataclass(frozen=True, slots=True)
class Action:
    """What happens when a row of the legend is clicked: an operation of the scene and what it is done to."""

    operation: str
    """toggle, toggle_area_kind or toggle_link_kind."""
    argument: str | int

    def run(self, scene: Scene) -> None:
        """Do it."""
        getattr(scene, self.operation)(self.argument)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the legend."""

    text: str
    colour: Colour | None
    """None: no patch of colour."""
    on: bool = True
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """Lines of the legend that belong together."""

    title: str
    rows: tuple[Row, ...]
    shown: bool = True
    """Whether what it explains is in the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Words in space."""

    point: Float
    """(n, 3)"""
    text: tuple[str, ...]
    colour: Colour


def key(scene: Scene) -> list[Section]:
    """The legend, in sections: layers, colours of areas, kinds of links, entities."""
    areas = scene.layers["areas"] or scene.layers["ground"]
    return [
        Section("layers", tuple(_layer_rows(scene)), shown=False),
        Section("areas", tuple(_kind_rows(scene)), areas),
        *([_colours(scene)] if scene.colour_by != "kind" and areas else []),
        Section("faces", tuple(_face_rows(scene))),
        Section("links", tuple(_link_rows(scene)), scene.layers["links"] or scene.picked >= 0),
        Section("entities", tuple(_entity_rows(scene)), scene.layers["entities"]),
    ]


def _layer_rows(scene: Scene) -> list[Row]:
    return [Row(name, None, on, Action("toggle", name)) for name, on in scene.layers.items()]


def _kind_rows(scene: Scene) -> list[Row]:
    """Kinds of areas that there are; in colours when these are what areas are coloured by."""
    count = np.bincount(scene.area_kind, minlength=len(AREA_KINDS))
    coloured = scene.colour_by == "kind"
    return [
        Row(f"{kind} {n:,}", colour if coloured else None, kind not in scene.hidden_areas, _hides(kind))
        for (kind, colour), n in zip(AREA_KINDS.items(), count.tolist(), strict=True)
        if n
    ]


def _face_rows(scene: Scene) -> list[Row]:
    return [row for _, row in own_colours(scene.parts())]


def own_colours(shown: Parts) -> list[tuple[str, Row]]:
    """Layers in colours of their own, where they are shown and there are any, and what the colours are."""
    found = [(name, Row(words, colour)) for name, words, colour in _OWN_COLOURS if name in shown]
    if "liquid" in shown:
        used = {tuple(colour) for colour in np.unique(shown["liquid"].mesh.colour, axis=0).tolist()}
        liquids = {"water": SURFACE, **{(kind.name or "").lower(): colour for kind, colour in LIQUIDS.items()}}
        found += [("liquid", Row(f"surface of {name}", colour)) for name, colour in liquids.items() if colour in used]
    return found


_OWN_COLOURS: Final = (
    ("gaps", "gap", GAP),
    ("ladders", "ladder", LADDER),
    ("portals", "cluster portal", palette.PORTAL),
    ("leak", "leak", palette.LEAK),
)
"""Layers with one colour, and what the legend calls it."""


def _hides(kind: str) -> Action:
    return Action("toggle_area_kind", kind)


def _colours(scene: Scene) -> Section:
    colouring = scene.colouring
    rows = [Row(f"{one.text} {one.count:,}" if one.count >= 0 else one.text, one.colour) for one in colouring.key]
    if scene.change is not None and scene.colour_by == "change" and scene.change.gone_count:
        rows.append(Row(f"gone {scene.change.gone_count:,}", palette.LOST))
    return Section(colouring.title, tuple(rows))


def _link_rows(scene: Scene) -> list[Row]:
    """Kinds of links; or what became of links, when that is shown."""
    if scene.change is not None and scene.colour_by == "change":
        gained, lost = int(scene.change.gained.sum()), scene.change.lost_count
        rows = [Row(f"gained {gained:,}", palette.GAINED), Row(f"lost {lost:,}", palette.LOST)]
        return [row for row, count in zip(rows, (gained, lost), strict=True) if count]
    return [
        Row(
            f"{travel_word(kind)} {n:,}",
            palette.link_colour(kind),
            kind not in scene.hidden_links,
            Action("toggle_link_kind", kind),
        )
        for kind, n in scene.link_kinds().items()
    ]


def _entity_rows(scene: Scene) -> list[Row]:
    sorts = scene.marks.sort
    return [
        Row(f"{sort} {sorts.count(sort):,}", colour, scene.layers["entities"])
        for sort, colour in palette.ENTITIES.items()
        if sort in sorts
    ]


def card(scene: Scene) -> list[str]:
    """The facts of the picked area, and its links."""
    return [] if scene.picked < 0 else [*facts(scene, scene.picked), *_links_of(scene, scene.picked)]


def facts(scene: Scene, area: int) -> list[str]:
    """The facts of an area."""
    areas = scene.compiled.areas
    low, high = areas.area_mins[area], areas.area_maxs[area]
    lines = [
        f"area {area}",
        f"  kind      {list(AREA_KINDS)[scene.area_kind[area]]}",
        f"  flags     {_bits(AreaFlag(int(areas.area_flags[area])))}",
        f"  contents  {_bits(Kind(int(areas.area_contents[area]) & KNOWN_KINDS))}",
        f"  presence  {_presence(scene, area)}",
        f"  cluster   {_cluster(scene, area)}",
        f"  bounds    {_place(low)} to {_place(high)}",
        f"  size      {' x '.join(f'{side:.0f}' for side in high - low)}, volume {areas.area_volume[area]:,.0f}",
    ]
    if areas.area_model[area] >= 0:
        lines.insert(5, f"  door      model {areas.area_model[area]}")
    return lines


KNOWN_KINDS: Final = int(np.bitwise_or.reduce([int(kind) for kind in Kind]))


def _links_of(scene: Scene, area: int) -> list[str]:
    """The links of an area, those that leave first."""
    links = scene.compiled.links
    if links is None:
        return ["  links     not computed"]
    lines = []
    ways = (("out", "to", links.source, links.target), ("in", "from", links.target, links.source))
    for title, word, mine, other in ways:
        rows = np.flatnonzero(mine == area)
        rows = rows[np.argsort(links.time[rows], kind="stable")]
        lines.append(f"  links {title}: {len(rows) or 'none'}")
        lines += [_link_line(links.kind, links.time, other, row, word) for row in rows[:MOST_LINKS].tolist()]
        if len(rows) > MOST_LINKS:
            lines.append(f"    … and {len(rows) - MOST_LINKS} more")
    return lines


def _link_line(kind: Int, time: Int, other: Int, row: int, word: str) -> str:
    return f"    {travel_word(int(kind[row])):<15} {word} {other[row]:<5} {time[row] / 100:6.2f} s"


def _bits(flags: AreaFlag | Kind) -> str:
    words = [(one.name or "").lower() for one in type(flags) if one and one in flags]
    return ", ".join(words) or "none"


def _presence(scene: Scene, area: int) -> str:
    """The boxes that have room, by their heights."""
    boxes = scene.compiled.boxes
    bits = int(scene.compiled.areas.area_presence[area])
    names = ["standing", "crouched"] if len(boxes) == 2 else [f"box {row}" for row in range(len(boxes))]
    room = [name for name, bit in zip(names, boxes.presence.tolist(), strict=True) if bits & bit]
    return ", ".join(room) or "none"


def _cluster(scene: Scene, area: int) -> str:
    clusters = scene.compiled.clusters
    if clusters is None:
        return "not computed"
    portal = int(clusters.area_portal[area])
    if portal >= 0:
        one, other = clusters.portal_cluster[portal].tolist()
        return f"portal {portal} between {one} and {other}"
    return str(clusters.area_cluster[area]) if clusters.area_cluster[area] >= 0 else "none"


def _place(point: Float) -> str:
    return "(" + " ".join(f"{value:.0f}" for value in point) + ")"


def route_lines(scene: Scene) -> list[str]:
    """The route, a line for each link."""
    route, links = scene.route, scene.compiled.links
    if route is None or links is None:
        return []
    lines = [f"route {route.start} to {route.goal}: {route.time / 100:.2f} s, {len(route)} links"]
    steps = list(zip(route.rows.tolist(), route.times.tolist(), strict=True))
    for link, arrival in steps[:MOST_STEPS]:
        kind = travel_word(int(links.kind[link]))
        lines.append(f"  {arrival / 100:7.2f} s  {kind:<15} to {links.target[link]}")
    if len(steps) > MOST_STEPS:
        lines.append(f"  … and {len(steps) - MOST_STEPS} more")
    return lines


def labels(scene: Scene) -> list[Labels]:
    """Words in space: names of entities, numbers of areas, ends of the route and what is picked."""
    found = []
    areas = scene.compiled.areas
    if scene.layers["names"]:
        marks = scene.marks
        for sort, colour in palette.ENTITIES.items():
            rows = [row for row, one in enumerate(marks.sort) if one == sort and _inside(scene, marks.origin[row])]
            if rows:
                found.append(Labels(marks.origin[rows] + UP, tuple(marks.name[row] for row in rows), colour))
    if scene.layers["numbers"]:
        rows = [row for row in np.flatnonzero(scene.shown_areas).tolist() if _inside(scene, areas.area_centre[row])]
        if rows:
            found.append(Labels(_low(scene, rows), tuple(str(row) for row in rows), palette.TEXT))
    ends = (("start", scene.start, palette.START), ("goal", scene.goal, palette.GOAL))
    for word, area, colour in (*ends, ("", scene.picked, palette.PICKED)):
        if area >= 0:
            found.append(Labels(_low(scene, [area]), (f"{word} {area}".strip(),), colour))
    return found


UP: Final = np.array([0.0, 0.0, 44.0])
"""Names stand above what they name."""


def _low(scene: Scene, rows: list[int]) -> Float:
    """Near the ground of areas: there numbers are seen to belong to it."""
    areas = scene.compiled.areas
    point: Float = areas.area_centre[rows].copy()
    point[:, 2] = np.minimum(point[:, 2], areas.area_mins[rows, 2] + 24.0)
    return point


def _inside(scene: Scene, point: Float) -> bool:
    return bool(np.all(point >= scene.cut.mins) and np.all(point <= scene.cut.maxs))
