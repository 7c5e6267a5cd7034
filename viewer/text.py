"""Text of a scene: the legend, the card of the picked area, the list of route links, and labels in space."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import Final

import numpy as np

from aascompile.escaping import printable
from aascompile.model.areas import AreaFlag
from aascompile.model.contents import Kind
from aascompile.model.entity_classes import short_name
from aascompile.model.links import Links
from aascompile.model.mapdata import Float, Int
from aascompile.nav.by_hand import NOUNS, volumes_at
from aascompile.nav.rides import ride_lines
from aascompile.viewer import lost, palette
from aascompile.viewer.carriers import VOLUME_COLOURS, volume_labels
from aascompile.viewer.colouring import AREA_KINDS
from aascompile.viewer.meshes import Colour
from aascompile.viewer.parts import GAP, LADDER, LIQUIDS, SURFACE, Parts
from aascompile.viewer.scene import Scene, travel_name

MAX_LINKS: Final = 12
"""Most links on a card, in each direction."""

MAX_KEYS: Final = 8
"""Most keys of an entity on a card."""

MAX_STEPS: Final = 24
"""Most links in the list of a route."""


@dataclass(frozen=True, slots=True)
class Action:
    """Operation of the scene that a click on a legend row runs, with its argument."""

    operation: str
    """toggle, toggle_area_kind, toggle_link_kind or toggle_entity_kind."""
    argument: str | int

    def run(self, scene: Scene) -> None:
        """Apply the operation to a scene."""
        getattr(scene, self.operation)(self.argument)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the legend."""

    text: str
    colour: Colour | None
    """Colour of its patch; None for no patch."""
    on: bool = True
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A titled group of legend rows."""

    title: str
    rows: tuple[Row, ...]
    shown: bool = True
    """Whether the picture shows what it explains."""


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Text in space."""

    point: Float
    """``(n, 3)``"""
    text: tuple[str, ...]
    colour: Colour


def legend(scene: Scene) -> list[Section]:
    """The legend, in sections: layers, area colours, faces, links, entities, routes."""
    areas = scene.layers["areas"] or scene.layers["ground"]
    return [
        Section("layers", tuple(_layer_rows(scene)), shown=False),
        Section("areas", tuple(_kind_rows(scene)), areas),
        *([_colours(scene)] if scene.colour_by != "kind" and areas else []),
        Section("faces", tuple(_face_rows(scene))),
        Section("links", tuple(_link_rows(scene)), scene.layers["links"] or scene.picked >= 0),
        Section("entities", tuple(_entity_rows(scene)), scene.layers["entities"]),
        Section("routes", tuple(_route_rows(scene))),
    ]


def _route_rows(scene: Scene) -> list[Row]:
    """The route and its alternatives, if there are any."""
    if scene.route is None or not scene.other_routes:
        return []
    rows = [Row(f"quickest, {scene.route.seconds:.2f} s", palette.ROUTE)]
    for number, other in enumerate(scene.other_routes):
        colour = palette.ALTERNATIVES[number % len(palette.ALTERNATIVES)]
        rows.append(Row(f"alternative {number + 1}, {other.seconds:.2f} s", colour))
    return rows


def _layer_rows(scene: Scene) -> list[Row]:
    shown = scene.layers_with_content
    return [Row(name, None, on, Action("toggle", name)) for name, on in scene.layers.items() if name in shown]


def _kind_rows(scene: Scene) -> list[Row]:
    """Kinds of areas in the file, with colours if areas are coloured by kind."""
    count = np.bincount(scene.area_kind, minlength=len(AREA_KINDS))
    coloured = scene.colour_by == "kind"
    return [
        Row(f"{kind} {n:,}", colour if coloured else None, kind not in scene.hidden_areas, _toggle(kind))
        for (kind, colour), n in zip(AREA_KINDS.items(), count.tolist(), strict=True)
        if n
    ]


def _face_rows(scene: Scene) -> list[Row]:
    return [row for _, row in layer_colours(scene.parts())]


def layer_colours(shown: Parts) -> list[tuple[str, Row]]:
    """Legend rows of visible layers that have colours of their own, with the layer of each."""
    found = [(name, Row(text, colour)) for name, text, colour in _LAYER_COLOURS if name in shown]
    if "liquid" in shown:
        used = {tuple(colour) for colour in np.unique(shown["liquid"].mesh.colour, axis=0).tolist()}
        liquids = {"water": SURFACE, **{(kind.name or "").lower(): colour for kind, colour in LIQUIDS.items()}}
        found += [("liquid", Row(f"surface of {name}", colour)) for name, colour in liquids.items() if colour in used]
    if "volumes" in shown:
        used = {tuple(colour) for colour in np.unique(shown["volumes"].mesh.colour, axis=0).tolist()}
        kinds = [(NOUNS[kind], colour) for kind, colour in VOLUME_COLOURS.items() if colour in used]
        found += [("volumes", Row(f"{noun} by hand", colour)) for noun, colour in kinds]
    return found


_LAYER_COLOURS: Final = (
    ("gaps", "gap", GAP),
    ("ladders", "ladder", LADDER),
    ("portals", "cluster portal", palette.PORTAL),
    ("leak", "leak", palette.LEAK),
    ("unreached", "not reached", palette.UNREACHED),
    ("unreached traps", "no route back", palette.TRAPPED),
    ("unreached arcs", "attempt that fails", palette.MISSED),
    ("movers", "mover at its stops", palette.MOVER),
    ("movers points", "where players get on and off", palette.BOARDED),
)
"""Layer, name in the legend, and colour."""


def _toggle(kind: str) -> Action:
    return Action("toggle_area_kind", kind)


def _colours(scene: Scene) -> Section:
    colouring = scene.colouring
    rows = [Row(f"{row.text} {row.count:,}" if row.count >= 0 else row.text, row.colour) for row in colouring.legend]
    if scene.change is not None and scene.colour_by == "change" and scene.change.gone_count:
        rows.append(Row(f"gone {scene.change.gone_count:,}", palette.LOST))
    return Section(colouring.title, tuple(rows))


def _link_rows(scene: Scene) -> list[Row]:
    """Travel types in the file; in a comparison, links gained and lost."""
    if scene.change is not None and scene.colour_by == "change":
        gained, lost = int(scene.change.gained.sum()), scene.change.lost_count
        rows = [Row(f"gained {gained:,}", palette.GAINED), Row(f"lost {lost:,}", palette.LOST)]
        return [row for row, count in zip(rows, (gained, lost), strict=True) if count]
    return [
        Row(
            f"{travel_name(kind)} {n:,}",
            palette.link_colour(kind),
            kind not in scene.hidden_links,
            Action("toggle_link_kind", kind),
        )
        for kind, n in scene.link_kinds().items()
    ] + _by_hand_rows(scene)


def _by_hand_rows(scene: Scene) -> list[Row]:
    """Links that the mapper added by hand, if there are any."""
    links = scene.compiled.links
    count = 0 if links is None else int(np.count_nonzero(links.entity >= 0))
    return [Row(f"by hand {count:,}", palette.BY_HAND)] if count else []


def _entity_rows(scene: Scene) -> list[Row]:
    sorts = scene.marks.sort
    return [
        Row(
            f"{sort} {sorts.count(sort):,}",
            colour,
            scene.layers["entities"] and sort not in scene.hidden_entities,
            Action("toggle_entity_kind", sort),
        )
        for sort, colour in palette.ENTITIES.items()
        if sort in sorts
    ]


def card(scene: Scene) -> list[str]:
    """Facts of the picked entity, of the picked area, and the area's links."""
    found = [] if scene.picked_entity < 0 else [*entity_facts(scene, scene.picked_entity), ""]
    return found if scene.picked < 0 else [*found, *facts(scene, scene.picked), *_links_of(scene, scene.picked)]


def entity_facts(scene: Scene, mark: int) -> list[str]:
    """Facts of an entity, given by its row in the marks: its class and keys, and whether it is reached."""
    entities, row = scene.compiled.entities, int(scene.marks.row[mark])
    area = scene.area_of_mark(mark)
    lines = [
        entity_name(scene, mark),
        f"  at        {_place(entities.origin[row])}",
        f"  lies in   {f'area {area}' if area >= 0 else 'no area'}",
    ]
    keys = ((key, value) for key, value in entities.entity(row).pairs if key not in ("classname", "origin"))
    lines += [f"  {printable(key, 16):<9} {printable(value, 40)}" for key, value in list(keys)[:MAX_KEYS]]
    return lines if scene.lost is None else [*lines, *lost.entity_lines(scene.lost, scene.compiled, row)]


def entity_name(scene: Scene, mark: int) -> str:
    """Class and number of an entity."""
    row = int(scene.marks.row[mark])
    return f"{printable(scene.compiled.entities.classname[row], 40)} (entity {row})"


def facts(scene: Scene, area: int) -> list[str]:
    """Facts of an area."""
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
    lines += [f"  by hand   {text}" for text in volumes_at(scene.compiled, area)]
    if scene.lost is not None:
        lines += lost.lines(scene.lost, scene.compiled, area)
    for word, model in (("trigger", areas.area_trigger[area]), ("door", areas.area_model[area])):
        if model >= 0:
            lines.insert(5, f"  {word:<9} model {model}")
    return lines


KNOWN_KINDS: Final = int(np.bitwise_or.reduce([int(kind) for kind in Kind]))


def _links_of(scene: Scene, area: int) -> list[str]:
    """Links of an area, outgoing first."""
    links = scene.compiled.links
    if links is None:
        return ["  links     not computed"]
    lines = []
    directions = (("out", "to", links.source, links.target), ("in", "from", links.target, links.source))
    for title, word, near_end, far_end in directions:
        rows = np.flatnonzero(near_end == area)
        rows = rows[np.argsort(links.time[rows], kind="stable")]
        lines.append(f"  links {title}: {len(rows) or 'none'}")
        for row in rows[:MAX_LINKS].tolist():
            lines.append(_link_line(links, far_end, row, word))
            lines += _ride_lines(scene, row) if title == "out" else []
        if len(rows) > MAX_LINKS:
            lines.append(f"    … and {len(rows) - MAX_LINKS} more")
    return lines


def _link_line(links: Links, far_end: Int, row: int, word: str) -> str:
    by_hand = ", by hand" if links.entity[row] >= 0 else ""
    kind = travel_name(int(links.kind[row]))
    return f"    {kind:<15} {word} {far_end[row]:<5} {links.time[row] / 100:6.2f} s{by_hand}" + _deaths(links.dies, row)


def _ride_lines(scene: Scene, link: int) -> list[str]:
    """What carries the player who takes a link, wrapped for a card; no lines if nothing does."""
    ride = scene.carriers.rides.get(link)
    if ride is None:
        return []
    return [
        line for text in ride_lines(ride) for line in wrap(text, 56, initial_indent=" " * 6, subsequent_indent=" " * 8)
    ]


def _deaths(dies: Float, row: int) -> str:
    """The share of bots that die on a link, if any do."""
    return f", {100 * dies[row]:.0f} % of bots die" if dies[row] > 0.0 else ""


def _bits(flags: AreaFlag | Kind) -> str:
    names = [(flag.name or "").lower() for flag in type(flags) if flag and flag in flags]
    return ", ".join(names) or "none"


def _presence(scene: Scene, area: int) -> str:
    """Player boxes that fit."""
    boxes = scene.compiled.boxes
    bits = int(scene.compiled.areas.area_presence[area])
    names = ["standing", "crouched"] if len(boxes) == 2 else [f"box {row}" for row in range(len(boxes))]
    fitting = [name for name, bit in zip(names, boxes.presence.tolist(), strict=True) if bits & bit]
    return ", ".join(fitting) or "none"


def _cluster(scene: Scene, area: int) -> str:
    clusters = scene.compiled.clusters
    if clusters is None:
        return "not computed"
    portal = int(clusters.area_portal[area])
    if portal >= 0:
        a, b = clusters.portal_cluster[portal].tolist()
        return f"portal {portal} between {a} and {b}"
    return str(clusters.area_cluster[area]) if clusters.area_cluster[area] >= 0 else "none"


def _place(point: Float) -> str:
    return "(" + " ".join(f"{value:.0f}" for value in point) + ")"


def route_lines(scene: Scene) -> list[str]:
    """The route, with a line for each link."""
    route, links = scene.route, scene.compiled.links
    if scene.miss is not None:
        title = f"no route from {scene.start} to {scene.goal}"
        return [title, *lost.why_lines(scene.compiled, scene.miss)]
    if route is None or links is None:
        return []
    lines = [f"route {route.start} to {route.goal}: {route.time / 100:.2f} s, {len(route)} links"]
    steps = list(zip(route.rows.tolist(), route.times.tolist(), strict=True))
    for link, arrival in steps[:MAX_STEPS]:
        kind = travel_name(int(links.kind[link]))
        lines.append(f"  {arrival / 100:7.2f} s  {kind:<15} to {links.target[link]}")
    if len(steps) > MAX_STEPS:
        lines.append(f"  … and {len(steps) - MAX_STEPS} more")
    for number, other in enumerate(scene.other_routes):
        lines.append(f"alternative {number + 1}: {other.time / 100:.2f} s, {len(other)} links")
    return lines


def labels(scene: Scene) -> list[Labels]:
    """Text in space: entity names, area numbers, the ends of the route and the picked area."""
    found = []
    areas = scene.compiled.areas
    if scene.layers["names"]:
        marks = scene.marks
        for sort, colour in palette.ENTITIES.items():
            shown = [row for row, name in enumerate(marks.sort) if name == sort and sort not in scene.hidden_entities]
            rows = [row for row in shown if _inside(scene, marks.origin[row])]
            if rows:
                found.append(Labels(marks.origin[rows] + NAME_LIFT, tuple(marks.name[row] for row in rows), colour))
    if scene.layers["numbers"]:
        rows = [row for row in np.flatnonzero(scene.shown_areas).tolist() if _inside(scene, areas.area_centre[row])]
        if rows:
            found.append(Labels(_low(scene, rows), tuple(str(row) for row in rows), palette.TEXT))
    if scene.layers["unreached"] and scene.lost is not None:
        found += missed_labels(scene)
    if scene.layers["volumes"]:
        found += [labels for labels in volume_texts(scene) if _inside(scene, labels.point[0])]
    if scene.hovered >= 0 and scene.hovered != scene.picked_entity:
        found.append(_entity_label(scene, scene.hovered, palette.LIT))
    if scene.picked_entity >= 0:
        found.append(_entity_label(scene, scene.picked_entity, palette.PICKED))
    if scene.miss is not None and len(lost.path_of(scene.miss)):
        path = lost.path_of(scene.miss)
        found.append(Labels(path[len(path) // 2][None], (lost.miss_text(scene.miss),), palette.MISSED))
    ends = (("start", scene.start, palette.START), ("goal", scene.goal, palette.GOAL))
    for word, area, colour in (*ends, ("", scene.picked, palette.PICKED)):
        if area >= 0:
            found.append(Labels(_low(scene, [area]), (f"{word} {area}".strip(),), colour))
    return found


def _entity_label(scene: Scene, mark: int, colour: Colour) -> Labels:
    return Labels(scene.marks.origin[[mark]] + NAME_LIFT, (entity_name(scene, mark),), colour)


def volume_texts(scene: Scene) -> list[Labels]:
    """Name and effect of each volume that the mapper made."""
    return [
        Labels(point[None], (words,), VOLUME_COLOURS[volume.kind])
        for volume, point, words in volume_labels(scene.compiled)
    ]


def missed_labels(scene: Scene) -> list[Labels]:
    """How much the attempts miss, and the names of what is not reached."""
    assert scene.lost is not None
    found = []
    tried = [(path[len(path) // 2], lost.miss_text(why)) for why, path in lost.attempts(scene.lost)]
    origin = scene.compiled.entities.origin
    things = [(origin[place.entity] + NAME_LIFT, short_name(place.classname)) for place in scene.lost.routes.unreached]
    for rows, colour in ((tried, palette.MISSED), (things, palette.UNREACHED)):
        rows = [(point, text) for point, text in rows if np.isfinite(point).all() and _inside(scene, point)]
        if rows:
            found.append(Labels(np.array([point for point, _ in rows]), tuple(text for _, text in rows), colour))
    return found


NAME_LIFT: Final = np.array([0.0, 0.0, 44.0])
"""Offset of a name above its entity."""


def _low(scene: Scene, rows: list[int]) -> Float:
    """Points near the ground of areas, where a number clearly belongs to its area."""
    areas = scene.compiled.areas
    point: Float = areas.area_centre[rows].copy()
    point[:, 2] = np.minimum(point[:, 2], areas.area_mins[rows, 2] + 24.0)
    return point


def _inside(scene: Scene, point: Float) -> bool:
    return bool(np.all(point >= scene.cut.mins) and np.all(point <= scene.cut.maxs))
