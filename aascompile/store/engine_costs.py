"""Cost factors of areas, as far as the engine's file can express them.

The engine works out itself how long a walk inside an area takes, and knows no factors. Only the times of links are the
file's. So a link into an area with a factor gets what the factor adds on the way across it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.geometry.vectors import lengths
from aascompile.model.areas import unit_costs
from aascompile.model.compiled import Compiled, stored_number
from aascompile.model.links import MOST_TIME, Links
from aascompile.model.mapdata import Float, Index


def with_costs(compiled: Compiled, links: Links) -> Links:
    """The links, with the factor of their target in their times: for the link itself, and for the way from its end to
    the links that leave the area, on average."""
    areas = compiled.areas
    factor = areas.area_cost[links.target]
    rows = np.flatnonzero(factor != 1.0)
    if not len(rows):
        return links
    numbers = (stored_number(compiled, "costs", name) for name in ("walk", "crouch", "swim"))
    unit = unit_costs(areas, int(compiled.boxes.presence[0]), *numbers)[links.target[rows]]
    time = links.time.astype(np.float64)
    time[rows] = factor[rows] * time[rows] + (factor[rows] - 1.0) * unit * _ways_across(links, rows)
    return replace(links, time=np.clip(np.rint(time), 1, MOST_TIME).astype(np.int32))


def _ways_across(links: Links, rows: Index) -> Float:
    """(n,) mean distance from the end of each of the links to the starts of the links that leave its target and do not
    lead back; 0 if there are none."""
    target = links.target[rows].astype(np.int64)
    onward = rows_of(links.area_start, target)
    owner = owners_of(starts_of(np.diff(links.area_start)[target]))
    ahead = links.target[onward] != links.source[rows][owner]
    onward, owner = onward[ahead], owner[ahead]
    far = lengths(links.start[onward] - links.end[rows][owner])
    total = np.bincount(owner, weights=far, minlength=len(rows))
    mean: Float = total / np.maximum(np.bincount(owner, minlength=len(rows)), 1)
    return mean
