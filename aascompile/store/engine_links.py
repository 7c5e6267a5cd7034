"""Reachabilities as encoded in the engine's file.

Its record has no field for a vehicle, so face and edge have another meaning for some travel types: model and height
for an elevator, speeds for a jump pad, and model, axis and both ends for a bobbing platform.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import ranges, starts_of
from aascompile.distinct import distinct
from aascompile.errors import StoreError
from aascompile.geometry.vectors import flat_lengths
from aascompile.graph.flood import flood
from aascompile.model.compiled import Rides
from aascompile.model.links import RIDES, SPECIAL, Links, Travel, are_of, null_columns, select_links, with_rows
from aascompile.model.mapdata import Float, Index, Int
from aascompile.model.movers import Carrier
from aascompile.model.places import Places
from aascompile.store.engine_lumps import Lump, empty

CROUCH_AS: int = Travel.CROUCH
"""Travel type written for crouch links. The engine's bots can crouch."""

KIND_BITS = 0xFFFFFF
"""Bits of the travel type. The engine stores team flags above them."""
AXIS_FLAGS = (1, 2, 0)
"""A bobbing platform's spawnflags by axis."""


UNRIDDEN = (Carrier.TRAIN, Carrier.PENDULUM, Carrier.ROTATING, Carrier.CALLED_DOOR)
"""Movers that the engine's bots do not ride. They know only plats, bobbing platforms and doors, take anything else that
they stand on for an obstacle and leave it at random. They start no lift or bridge on purpose."""


BY_CHANCE = 3000
"""Least time, in 1/100 s, of a ride on a train in the engine's file: bots should go there last."""


def without_unridden(links: Links, rides: Rides) -> Links:
    """The links without rides that the engine's bots cannot take.

    A train that shuttles along one axis is left where nothing else leads to the target without a weapon, because some
    bots are carried across by chance.
    """
    carrier = np.append(rides.carrier, -1)[links.ride]
    unridden = np.isin(carrier, UNRIDDEN)
    if not unridden.any():
        return links
    shuttles = unridden & np.isin(links.model, _shuttles(rides))
    others = ~unridden & ~are_of(links.kind, SPECIAL)
    for row in np.flatnonzero(shuttles).tolist():
        leads = flood(links.area_start, links.target, links.source[row : row + 1], used=others)
        shuttles[row] = not leads[links.target[row]]
    time = np.where(shuttles, np.maximum(links.time, BY_CHANCE), links.time).astype(np.int32)
    return select_links(replace(links, time=time), ~unridden | shuttles)


def _shuttles(rides: Rides) -> list[int]:
    """Brush models of trains that move between two stops along one axis."""
    found = []
    for model in distinct(rides.model[rides.carrier == Carrier.TRAIN]).tolist():
        legs = np.flatnonzero(rides.model == model)
        if len(legs) == 2 and np.count_nonzero(rides.high[legs[0]] != rides.low[legs[0]]) == 1:
            found.append(model)
    return found


def with_loops(links: Links, places: Places) -> Links:
    """The links, and a walk to itself from each area with items or spawns that no link leaves.

    The engine refuses every route to an area without links out of it, such as a pit with an item, and a bot that spawns
    in one does not move: a room that is all one floor has no other links. A bot never takes a loop, because it leads
    nowhere.
    """
    leads = np.diff(links.area_start) > 0
    known = np.flatnonzero(places.area >= 0)
    area, row = np.unique(places.area[known], return_index=True)
    point = places.point[known[row[~leads[area]]]]
    area = area[~leads[area]]
    if not len(area):
        return links
    return with_stays(links, area, area, point)


def with_stays(links: Links, source: Int, target: Int, place: Float) -> Links:
    """The links, and walks from ``source (n,)`` to ``target (n,)`` that start and end at ``place (n, 3)``: the player
    is already there."""
    return with_rows(
        links, {"source": source, "target": target, "kind": int(Travel.WALK), "start": place, "end": place}
    )


def links_lump(links: Links, rides: Rides) -> Lump:
    """Lump of reachabilities. The engine expects an empty one first."""
    lump = empty("links", len(links) + 1)
    rows = lump[1:]
    rows["target"] = links.target + 1
    rows["face"] = links.face + 1
    rows["edge"] = links.edge + 1
    rows["start"], rows["end"] = links.start, links.end
    rows["kind"] = np.where(links.kind == Travel.CROUCH, CROUCH_AS, links.kind)
    rows["time"] = np.clip(links.time, 0, 0xFFFF)
    thrown = links.kind == Travel.JUMP_PAD
    rows["face"][thrown] = np.rint(links.velocity[thrown, 2]).astype(np.int64)
    rows["edge"][thrown] = np.rint(flat_lengths(links.velocity[thrown])).astype(np.int64)
    for row in np.flatnonzero(are_of(links.kind, RIDES)).tolist():
        low, high = _ride(links, row, rides)
        model = int(links.model[row]) & 0xFFFF
        if links.kind[row] == Travel.ELEVATOR:
            rows["face"][row], rows["edge"][row] = model, round(abs(float(high[2] - low[2])))
        else:
            axis = _axis(links, row, rides, high - low)
            ends = [round(float(np.clip(end[axis], -0x8000, 0x7FFF))) for end in (low, high)]
            rows["face"][row] = model | AXIS_FLAGS[axis] << 16
            rows["edge"][row] = np.uint32((ends[0] & 0xFFFF) << 16 | (ends[1] & 0xFFFF)).astype(np.int32)
    rows[:] = rows[_best_throws_last(rows, links.source)]
    return lump


def _best_throws_last(rows: Lump, source: Int) -> Index:
    """The order of an area's links: as they are, but of its jump-pad links the quickest last, of equals the farthest.

    The engine's bots, once thrown, steer to the end of the last jump-pad link of the area, whichever they chose. The
    rows are the file's own, in single precision, so that a file that is read and written again keeps its order.
    """
    thrown = rows["kind"] == Travel.JUMP_PAD
    throw = rows["end"][:, :2].astype(np.float64) - rows["start"][:, :2]
    far = np.where(thrown, flat_lengths(throw), 0.0)
    slow = np.where(thrown, rows["time"].astype(np.int64), 0)
    return np.lexsort((np.arange(len(rows)), far, -slow, thrown, source))


def _ride(links: Links, row: int, rides: Rides) -> tuple[Float, Float]:
    """Both ends of the ride that a link uses, in the link's direction; the link's own ends if it uses no ride.

    Files of version 2 do not say which ride that is: it is the one that fits best.
    """
    if links.ride[row] >= 0:
        return rides.low[links.ride[row]], rides.high[links.ride[row]]
    start, end = np.float32(links.start[row]).astype(float), np.float32(links.end[row]).astype(float)
    legs = np.flatnonzero(rides.model == links.model[row])
    if not len(legs):
        return start, end
    options = [(rides.low[leg], rides.high[leg]) for leg in legs] + [(rides.high[leg], rides.low[leg]) for leg in legs]
    return min(options, key=lambda leg: _mismatch(start, end, leg))


def _axis(links: Links, row: int, rides: Rides, way: Float) -> int:
    """Axis along which a ride moves. A bridge stands still; its axis is that along which the model came."""
    if not way.any():
        legs = np.flatnonzero(rides.model == links.model[row])
        way = np.abs(rides.high - rides.low)[legs].sum(axis=0)
        way = way if way.any() else np.abs(rides.low[legs]).sum(axis=0)
    return int(np.argmax(np.abs(way)))


def _mismatch(start: Float, end: Float, leg: tuple[Float, Float]) -> float:
    """Distance between a link's ends and those of a ride, along the ride's axis, in units."""
    axis = int(np.argmax(np.abs(leg[1] - leg[0])))
    return abs(float(start[axis] - leg[0][axis])) + abs(float(end[axis] - leg[1][axis]))


def read_links(lump: Lump, settings: Lump, faces: bool) -> tuple[Links, Rides]:
    """Links and rides from the reachabilities of areas. ``faces``: whether the file still has its faces."""
    count, first = settings["links"][1:].astype(np.int64), settings["first"][1:].astype(np.int64)
    row = ranges_within(first, count, len(lump), "links")
    source = np.repeat(np.arange(len(count)), count)
    leads = (lump["target"][row] != source + 1) & ~_stays(lump[row])  # those are for the engine alone
    row, source = row[leads], source[leads]
    count = np.bincount(source, minlength=len(count))
    kind = lump["kind"][row] & KIND_BITS
    target = lump["target"][row].astype(np.int64) - 1
    order = np.lexsort((target, kind, source))  # the order of compiled files; links_lump uses another
    lump, source, kind = lump[row[order]], source[order], kind[order]
    carried = are_of(kind, RIDES)
    ride, rides = _rides(lump, kind)
    plain = ~carried & (kind != Travel.JUMP_PAD) & faces
    links = Links(
        source=source.astype(np.int32),
        target=target[order].astype(np.int32),
        kind=kind.astype(np.int32),
        start=lump["start"].astype(np.float64),
        end=lump["end"].astype(np.float64),
        face=np.where(plain, lump["face"].astype(np.int64) - 1, -1).astype(np.int32),
        edge=np.where(plain, np.abs(lump["edge"].astype(np.int64)) - 1, -1).astype(np.int32),
        time=lump["time"].astype(np.int32),
        model=np.where(carried & ((lump["face"] & 0xFFFF) != 0xFFFF), lump["face"] & 0xFFFF, -1).astype(np.int32),
        velocity=_velocities(lump, kind == Travel.JUMP_PAD),
        **(null_columns(len(source)) | {"ride": ride}),
        area_start=starts_of(count),
    )
    return links, rides


def _stays(rows: Lump) -> NDArray[np.bool_]:
    """Which links ``with_stays`` added: walks of no length over no edge."""
    stays: NDArray[np.bool_] = (rows["start"] == rows["end"]).all(axis=1)
    stays &= ((rows["kind"] & KIND_BITS) == Travel.WALK) & (rows["face"] == 0) & (rows["edge"] == 0)
    return stays


def ranges_within(first: Index, count: Index, rows: int, what: str) -> Index:
    """Rows of pieces given by first row and count, concatenated.

    Raise a StoreError if a piece is out of range or if pieces share rows, which would let a small file demand
    unlimited memory.
    """
    if (count < 0).any() or ((count > 0) & ((first < 0) | (first > rows) | (count > rows - first))).any():
        raise StoreError(f"is damaged (its {what} are out of range)")
    if int(count.sum()) > rows:
        raise StoreError(f"is damaged (its {what} are used more than once)")
    return ranges(first, count)


def _velocities(lump: Lump, thrown: NDArray[np.bool_]) -> Float:
    """(n, 3) velocities of jump-pad links: the vertical speed, and the horizontal speed towards the link's end."""
    velocity = np.zeros((len(lump), 3))
    offset = (lump["end"].astype(np.float64) - lump["start"])[thrown, :2]
    length = flat_lengths(offset)
    vertical = ~(length > 0)
    offset[vertical], length[vertical] = (1.0, 0.0), 1.0
    velocity[thrown, :2] = offset / length[:, None] * lump["edge"][thrown, None]
    velocity[thrown, 2] = lump["face"][thrown]
    return velocity


def _rides(lump: Lump, kind: Int) -> tuple[Int, Rides]:
    """(n,) the ride of each link, −1 for none, and the rides that the links imply: a bobbing platform's ends along its
    axis, or 0 and the height for an elevator."""
    legs: dict[tuple[int, tuple[float, ...], tuple[float, ...]], int] = {}
    ride = np.full(len(lump), -1, np.int32)
    for row in np.flatnonzero(are_of(kind, RIDES)).tolist():
        face, edge = int(lump["face"][row]), int(lump["edge"][row])
        axis, ends = 2, [0.0, float(edge)]
        if kind[row] == Travel.BOBBING:
            flags = face >> 16
            axis = 0 if flags & 1 else 1 if flags & 2 else 2
            ends = [float((half & 0xFFFF ^ 0x8000) - 0x8000) for half in (edge >> 16, edge)]
        low, high = (tuple(end if k == axis else 0.0 for k in range(3)) for end in ends)
        ride[row] = legs.setdefault((face & 0xFFFF, low, high), len(legs))
    if not legs:
        return ride, Rides.none()
    model, low_ends, high_ends = zip(*legs, strict=True)
    return ride, Rides.unknown(np.array(model, np.int32), np.array(low_ends), np.array(high_ends))
