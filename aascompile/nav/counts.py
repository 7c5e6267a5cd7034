"""A compiled map in counts: what ``aas regress`` watches from one night to the next."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import AreaFlag
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.links import Travel, by_kind
from aascompile.nav.unreached import find_routes


def count_all(compiled: Compiled) -> dict[str, int]:
    """Counts by name, in an order that stays.

    "areas" is all of them and "areas.grounded" those of a kind ("areas.low": without room for the largest box); a kind
    of which there are none is left out. What the file does not tell (the engine's knows no items) is left out with all
    its kinds.
    """
    areas = compiled.areas
    found = {"areas": len(areas)}
    for bits, names in ((areas.area_flags, AreaFlag), (areas.area_contents, Kind)):
        for flag in names:
            _add(found, f"areas.{str(flag.name).lower()}", bits & np.uint32(flag))
    if len(compiled.boxes):
        _add(found, "areas.low", (areas.area_presence & compiled.boxes.presence[0]) == 0)
    if compiled.links is not None:
        found["links"] = len(compiled.links)
        names_of = {int(travel): travel.name.lower() for travel in Travel}
        for kind, count in by_kind(compiled.links).items():
            found[f"links.{names_of.get(kind, kind)}"] = count
    if compiled.clusters is not None:
        found["clusters"] = len(compiled.clusters)
        found["portals"] = len(compiled.clusters.portal_area)
    routes = find_routes(compiled)
    if routes is not None:
        found["items"] = routes.items
        found["items.unreached"] = sum(one.item for one in routes.unreached)
        found["spawns"] = routes.spawns
        found["spawns.unreached"] = sum(not one.item for one in routes.unreached)
    found["leaks"] = int(len(compiled.leak) > 0)
    return found


def _add(found: dict[str, int], name: str, rows: NDArray[Any]) -> None:
    """Count the rows that are not 0, if there are any."""
    count = int(np.count_nonzero(rows))
    if count:
        found[name] = count
