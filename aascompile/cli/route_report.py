"""What can be said of a map's routes: in JSON's types, and as lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aascompile.cli.lines import rounded
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel

MOST_AREAS = 8
"""Areas of a trap or hazard that text names."""


def routes_of(compiled: Compiled) -> dict[str, Any] | None:
    """What no route leads to, traps and hazards; None without links or places."""
    from aascompile.nav.unreached import find_routes

    found = find_routes(compiled)
    if found is None or compiled.links is None:
        return None
    links = compiled.links
    return {
        "spawns": found.spawns,
        "items": found.items,
        "reached": found.reached,
        "unreached": [
            {
                "entity": one.entity,
                "classname": one.classname,
                "item": one.item,
                "point": one.point.tolist(),
                "area": one.area,
                "reason": one.reason,
                "nearest": one.nearest,
            }
            for one in found.unreached
        ],
        "traps": [
            {
                "areas": one.areas.tolist(),
                "point": one.point.tolist(),
                "links": one.links,
                "from": int(links.source[one.link]),
                "kind": Travel(int(links.kind[one.link])).name.lower(),
                "entities": list(one.entities),
            }
            for one in found.traps
        ],
        "hazards": [
            {"kind": one.kind, "areas": one.areas.tolist(), "mins": one.mins.tolist(), "maxs": one.maxs.tolist()}
            for one in found.hazards
        ],
    }


def routes_line(routes: Mapping[str, Any]) -> str:
    """All of it in one line."""
    told = [f"{routes['reached']:,} of {routes['items']:,} items have a route from one of {routes['spawns']:,} spawns"]
    traps, hazards = len(routes["traps"]), len(routes["hazards"])
    if traps:
        told.append(f"{traps:,} one-way trap{'s' * (traps > 1)}")
    if hazards:
        told.append(f"{hazards:,} hazard{'s' * (hazards > 1)}")
    return ", ".join(told)


def unreached_lines(routes: Mapping[str, Any]) -> list[str]:
    """A line for each item and spawn without a route."""
    return [
        f"{one['classname']} (entity {one['entity']}) at ({rounded(one['point'])}): {one['reason']}"
        + (f" (area {one['area']}; the nearest that has one is {one['nearest']})" if _has_both(one) else "")
        for one in routes["unreached"]
    ]


def _has_both(one: Mapping[str, Any]) -> bool:
    """Whether there are two areas to ask `aas explain` about."""
    return bool(one["area"] >= 0 and one["nearest"] >= 0)


def trap_lines(routes: Mapping[str, Any]) -> list[str]:
    """A line for each trap."""
    return [
        f"{_areas(one['areas'])}, entered at ({rounded(one['point'])}) from area {one['from']} by "
        f"{one['kind'].replace('_', ' ')}"
        + (f" (and {one['links'] - 1:,} more)" if one["links"] > 1 else "")
        + (f", with {_things(len(one['entities']))}" if one["entities"] else "")
        for one in routes["traps"]
    ]


def hazard_lines(routes: Mapping[str, Any]) -> list[str]:
    """A line for each hazard."""
    return [
        f"{one['kind']}: {_areas(one['areas'])}, from ({rounded(one['mins'])}) to ({rounded(one['maxs'])})"
        for one in routes["hazards"]
    ]


def _areas(numbers: Sequence[int]) -> str:
    """Some area numbers."""
    if len(numbers) == 1:
        return f"area {numbers[0]}"
    told = " ".join(str(number) for number in numbers[:MOST_AREAS])
    return f"{len(numbers):,} areas ({told}{' ...' if len(numbers) > MOST_AREAS else ''})"


def _things(count: int) -> str:
    return "an item or spawn" if count == 1 else f"{count:,} items or spawns"
