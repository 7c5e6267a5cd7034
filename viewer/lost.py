"""What players do not reach: items and spawns, traps, and the attempts that come nearest, as meshes and text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from aascompile.model.compiled import Compiled
from aascompile.model.links import FLIGHTS
from aascompile.model.mapdata import Float, Index
from aascompile.nav.unreached import Routes, find_routes, reached_areas
from aascompile.nav.words import units
from aascompile.viewer import build, palette
from aascompile.viewer.meshes import Mask, Mesh, Shape, empty_mesh, mesh

if TYPE_CHECKING:
    from aascompile.nav.why import Why

DASHES: Final = 12
"""Dashes of a broken arc."""

RISE: Final = 0.25
"""Height of a broken arc above the straight line, relative to its length."""

MARK: Final = 22.0
"""Half the width of the mark of an unreached item, units."""

LARGER: Final = 2.2
"""And relative to the marks of other entities, at least."""


@dataclass(frozen=True, slots=True, eq=False)
class Lost:
    """What is not reached in a file."""

    routes: Routes
    why: tuple[Why, ...]
    reached: Mask
    """``(areas,)`` areas with a route from a spawn."""
    trapped: Mask
    """``(areas,)`` areas that players can enter but not leave."""

    def of_area(self, area: int) -> list[Why]:
        """Explanations that concern an area."""
        return [why for why in self.why if area in why.areas]


def lost_of(compiled: Compiled) -> Lost | None:
    """What is not reached; None if the file has no links, items or spawns."""
    routes = find_routes(compiled)
    if routes is None or not routes.spawns:
        return None
    trapped = np.zeros(len(compiled.areas), np.bool_)
    for trap in routes.traps:
        trapped[trap.areas] = True
    why: tuple[Why, ...] = ()
    if routes.unreached or routes.rare:
        from aascompile.nav.why import Investigator

        why = tuple(Investigator(compiled).explain(routes))
    return Lost(routes, why, reached_areas(compiled), trapped)


def marks(lost: Lost, compiled: Compiled, shown: Index, half: float = MARK) -> Mesh:
    """A mark at each item and spawn that is not reached. The item is its row in ``shown``, rows of the entities."""
    entities = [place.entity for place in lost.routes.unreached if place.entity in shown]
    if not entities:
        return empty_mesh()
    item = np.searchsorted(shown, entities).astype(np.int32)
    return build.marks(compiled.entities.origin[entities], item, half).coloured(palette.UNREACHED)


def path_of(why: Why) -> Float:
    """``(n, 3)`` points of the attempt that comes nearest, two for each dash; none if there is no attempt."""
    if why.attempt is None or np.isnan(why.attempt.verdict.place[0]):
        return np.zeros((0, 3))
    verdict = why.attempt.verdict
    start, end = np.array(verdict.start), np.array(verdict.place)
    share = np.linspace(0.0, 1.0, 2 * DASHES)[:, None]
    path: Float = start + share * (end - start)
    if verdict.kind in FLIGHTS:
        path[:, 2] += (4.0 * RISE * np.linalg.norm(end - start) * share * (1.0 - share))[:, 0]
    path += build.LINK_LIFT
    return path


def attempts(lost: Lost) -> list[tuple[Why, Float]]:
    """The attempts that come nearest, each with the points of its path."""
    paths = [(why, path_of(why)) for why in lost.why]
    return [(why, path) for why, path in paths if len(path)]


def arcs(paths: list[Float]) -> Mesh:
    """Attempts as broken lines."""
    if not paths:
        return empty_mesh(Shape.LINES)
    xyz = np.concatenate(paths)
    start = np.arange(0, len(xyz) + 1, 2, dtype=np.int64)
    item = np.arange(len(start) - 1, dtype=np.int32) // DASHES
    return mesh(Shape.LINES, start, xyz, item).coloured(palette.MISSED)


def miss_text(why: Why) -> str:
    """The miss of an attempt, short enough for a label."""
    assert why.attempt is not None
    verdict = why.attempt.verdict
    words = verdict.why.name.lower().replace("_", " ")
    return f"{units(verdict.measure)} {words}" if words.startswith("too ") else words


def lines(lost: Lost, compiled: Compiled, area: int) -> list[str]:
    """What the card of an area says about reaching it."""
    places = compiled.places
    inside = [] if places is None else places.entity[places.area == area].tolist()
    held = [compiled.entities.classname[row] for row in inside]
    found = [f"  holds     {', '.join(held[:4])}{' …' * (len(held) > 4)}"] if held else []
    if lost.trapped[area]:
        found.append("  reached   from spawns, but no route leads back")
    elif lost.reached[area]:
        found.append("  reached   from spawns")
    else:
        found.append("  reached   from no spawn")
    for why in lost.of_area(area):
        found += why_lines(compiled, why)
    return found


def entity_lines(lost: Lost, compiled: Compiled, entity: int) -> list[str]:
    """What the card of an item or spawn says about reaching it."""
    places = compiled.places
    if places is None or entity not in places.entity:
        return []
    why = [found for found in lost.why if entity in found.entities]
    if any(place.entity == entity for place in lost.routes.unreached):
        text = "from no spawn" if places.item[places.entity == entity][0] else "no link leads away from it"
    else:
        missing = sum(len(rare.spawns) for rare in lost.routes.rare if rare.entity == entity)
        text = f"from {lost.routes.spawns - missing:,} of {lost.routes.spawns:,} spawns"
    return [f"  reached   {text}", *(line for found in why for line in why_lines(compiled, found))]


def why_lines(compiled: Compiled, why: Why) -> list[str]:
    """An explanation, wrapped for a card."""
    from aascompile.nav.why_text import island_text, names, sentence

    island = island_text(why)
    return _wrapped(f"{names(compiled, why)}: {island + ': ' if island else ''}{sentence(compiled, why)}")


def _wrapped(text: str) -> list[str]:
    from textwrap import wrap

    return wrap(text, 56, initial_indent="  why       ", subsequent_indent=" " * 12)


def points(lost: Lost, compiled: Compiled) -> Float:
    """``(n, 3)`` points that a picture of everything unreached must show."""
    origin = [compiled.entities.origin[row] for why in lost.why for row in why.entities]
    paths = [path for _, path in attempts(lost)]
    traps = [compiled.areas.area_centre[np.flatnonzero(lost.trapped)]]
    every = np.concatenate([np.array(origin).reshape(-1, 3), *paths, *traps])
    finite: Float = every[np.isfinite(every).all(axis=1)]
    return finite
