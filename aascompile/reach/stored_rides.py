"""Rides on movers as a compiled file stores them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from aascompile.distinct import distinct
from aascompile.geometry.turning import turned, turned_by
from aascompile.model.carried import legs_of, mover_of, stops_of
from aascompile.model.compiled import Rides
from aascompile.model.links import RIDES, Links, are_of
from aascompile.model.mapdata import Float, Int, MapData
from aascompile.model.movers import CALLED, BrushMover, Carrier, Stop
from aascompile.reach.platforms import levels
from aascompile.settings import Settings


def rides(map_data: MapData, movers: Sequence[BrushMover]) -> Rides:
    """A row for each leg of each model of each mover. Their floors are the tops of their boxes."""
    rows = [
        (mover, part, here, there)
        for mover in movers
        for part in range(len(mover.models))
        for here, there in mover.legs
    ]
    carrier = [
        int(
            Carrier.CALLED_DOOR
            if mover.carrier == Carrier.DOOR and leg >= len(mover.legs) - len(CALLED)
            else mover.carrier
        )
        for mover in movers
        for _ in mover.models
        for leg in range(len(mover.legs))
    ]
    if not rows:
        return Rides.none()
    model = np.array([mover.models[part] for mover, part, _, _ in rows], np.int32)
    middle, half = _boxes(map_data, model)
    ends = np.zeros((len(rows), 2, 3))
    for row, (mover, part, *both) in enumerate(rows):
        for side, stop in enumerate(mover.stops[number] for number in both):
            around = turned(middle[row : row + 1], stop.axis, stop.turn, stop.yaw)[0]
            ends[row, side] = around + np.array(stop.offsets[part])
    stood = np.array([mover.stops[here].wait for mover, _, here, _ in rows])
    return Rides(
        model=model,
        low=ends[:, 0].copy(),
        high=ends[:, 1].copy(),
        carrier=np.array(carrier, np.int32),
        seconds=np.array([0.0 if here == there else mover.stops[here].leg for mover, _, here, there in rows]),
        wait=np.where(np.isfinite(stood), stood, -1.0),
        entity=map_data.models.entity[model].astype(np.int32),
        half=half,
        floor=half[:, 2].copy(),
        angles=np.array([_angles(mover.stops[here]) for mover, _, here, _ in rows]),
    )


def _angles(stop: Stop) -> list[float]:
    """Degrees by which a mover is turned at a stop, about x, y and z in this order."""
    angles = [0.0, 0.0, stop.yaw]
    angles[stop.axis] += stop.turn
    return angles


def _boxes(map_data: MapData, model: Int) -> tuple[Float, Float]:
    """Middles (n, 3) and half the sizes (n, 3) of the boxes of models as they are stored."""
    low, high = map_data.models.mins[model], map_data.models.maxs[model]
    return (low + high) / 2.0, (high - low) / 2.0


def with_floors(found: Rides, links: Links, map_data: MapData, settings: Settings) -> Rides:
    """The rides with the floors that links use: of each mover the highest that all links off it lead off from."""
    floor, physics = found.floor.copy(), settings.physics
    feet = -settings.boxes[0].mins[2]
    used = np.flatnonzero(are_of(links.kind, RIDES) & (links.ride >= 0))
    for model in distinct(found.model[links.ride[used]]).tolist():
        mover = mover_of(found, model)
        tops = levels(map_data, model)
        if mover is None or len(tops) == 1:
            continue
        mine = [row for row in used.tolist() if found.model[links.ride[row]] == model]
        mine = [row for row in mine if not _ends_aboard(found, links, row)] or mine
        legs = legs_of(found, model)
        off = [int(legs[stops_of(found, links, row, mover, feet)[1]]) for row in mine]
        ground = np.array([_under(found, ride, links.end[row], feet) for ride, row in zip(off, mine, strict=True)])
        middle, _ = _boxes(map_data, np.array([model], np.int32))
        heights = [top - float(middle[0, 2]) for top in tops]
        fits = [
            height
            for height in heights
            if ((ground - height < physics.max_step) & (ground - height > -physics.max_barrier)).all()
        ]
        floor[found.model == model] = fits[0] if fits else heights[0]
    return replace(found, floor=floor)


def _under(found: Rides, ride: int, end: Float, feet: float) -> float:
    """Height of the feet of a player above the middle of a mover where a ride begins, as the mover is drawn."""
    from_middle = end - np.array((0.0, 0.0, feet)) - found.low[ride]
    return float(turned_by(from_middle[None], found.angles[ride], back=True)[0, 2])


def _ends_aboard(found: Rides, links: Links, row: int) -> bool:
    """Whether a link ends on a mover that players start, where it carries them."""
    ride = links.ride[row]
    if found.carrier[ride] not in (Carrier.PLAT, Carrier.DOOR):
        return False
    ends = np.vstack((found.low[ride], found.high[ride]))
    away = np.maximum(ends.min(axis=0) - links.end[row], links.end[row] - ends.max(axis=0))
    return bool((away[:2] <= found.half[ride, :2]).all())
