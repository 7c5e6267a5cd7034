"""Doors that something else opens: a button, or a trigger that a player touches.

A player who wants to pass must first get to the opener, on the near side of the door. So a link into such a door takes
as long as the route to its opener. It takes very long if no route leads there, because then only another player can
open the door.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import Areas
from aascompile.model.entity_facts import Door, EntityFacts
from aascompile.model.links import MOST_TIME, Links, select_links
from aascompile.model.mapdata import Float, MapData
from aascompile.reach import times
from aascompile.reach.detour_kernel import Detours
from aascompile.reach.local import detours
from aascompile.records import dataclass
from aascompile.settings import Settings

REACH: Final = 1.0
"""Units by which the engine grows a model's box."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Doors that open together, and stay closed until something else opens them."""

    models: tuple[int, ...]
    openers: tuple[int, ...]
    """Rows of entities; empty if nothing opens it."""


def gates(facts: EntityFacts) -> Iterator[Gate]:
    """All gates. Doors that are shot, or that open for a player who comes near, are not gates, nor are their teams."""
    teams: dict[str, list[Door]] = {}
    for door in facts.doors:
        teams.setdefault(door.team or f"*{door.model}", []).append(door)
    shot = {button.row for button in facts.buttons if button.shot}
    for doors in teams.values():
        rows = {row for door in doors for row in door.openers}
        if not any(door.touch or door.shot or door.start_open for door in doors) and not rows & shot:
            yield Gate(tuple(door.model for door in doors), tuple(sorted(rows)))


def through_doors(links: Links, areas: Areas, map_data: MapData, facts: EntityFacts, settings: Settings) -> Links:
    """The links, with the time to open the gate added to those that lead into one."""
    time = links.time.astype(np.int64)
    for gate in gates(facts):
        inside = np.isin(areas.area_model, gate.models)
        enters = inside[links.target] & ~inside[links.source]
        boxes = _boxes(map_data, gate.openers, settings)
        if boxes is None:
            continue
        touched = np.zeros(len(areas), np.bool_)
        for low, high in boxes:
            touched |= ((areas.area_maxs >= low) & (areas.area_mins <= high)).all(axis=1)
            for end in (links.start, links.end):
                enters &= ~((end >= low) & (end <= high)).all(axis=1)
        if not enters.any():
            continue
        worker = detours(select_links(links, ~inside[links.target]), settings)()
        for row in np.flatnonzero(enters).tolist():
            time[row] += _opening_time(worker, touched, boxes, links, row, settings)
    return replace(links, time=np.minimum(time, MOST_TIME).astype(np.int32))


def _boxes(map_data: MapData, openers: tuple[int, ...], settings: Settings) -> list[tuple[Float, Float]] | None:
    """Origin boxes in which a player touches an opener; None if it opens by itself."""
    found = []
    box = settings.boxes[0]
    for row in openers:
        model = np.flatnonzero(map_data.models.entity == row)
        if not len(model) or not model[0]:
            return None
        low, high = (
            corner[model[0]] + map_data.entities[row].offset for corner in (map_data.models.mins, map_data.models.maxs)
        )
        found.append((low - np.array(box.maxs) - REACH, high - np.array(box.mins) + REACH))
    return found


def _opening_time(
    worker: Detours,
    touched: NDArray[np.bool_],
    boxes: list[tuple[Float, Float]],
    links: Links,
    row: int,
    settings: Settings,
) -> int:
    """Time, in 1/100 s, from the start of a link to the nearest area that touches an opener, and there to the nearest
    of the boxes."""
    most = times.longest_opening(settings)
    area, cost, place = worker.times(int(links.source[row]), links.start[row], most)
    for here in np.flatnonzero(touched[area]).tolist():
        away = min(_away(place[here], low, high) for low, high in boxes)
        most = min(most, float(cost[here]) + times.on_foot(settings) * away)
    return round(most)


def _away(at: Float, low: Float, high: Float) -> float:
    """Distance of a point from a box."""
    return float(np.linalg.norm(at - np.clip(at, low, high)))
