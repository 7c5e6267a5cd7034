"""Candidate links. The module of each travel type adds rows; ``finish`` sorts and filters them and makes the record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.csr import starts_of
from aascompile.distinct import distinct, occurs
from aascompile.model.areas import Areas
from aascompile.model.contents import DEADLY, TAKES_AWAY
from aascompile.model.links import MOST_TIME, OWN_MOVES, Links, Travel, are_of, null_columns
from aascompile.model.mapdata import Bits


def _rows_of(value: ArrayLike, dtype: type, shape: tuple[int, ...]) -> NDArray[Any]:
    """A column of this shape, from as many values or from one for all rows."""
    found: NDArray[Any] = np.asarray(value, dtype)
    return found if found.shape == shape else np.full(shape, found)


class Candidates:
    """Growing columns of links. The order in which travel types are added does not matter, because ``finish`` sorts."""

    def __init__(self) -> None:
        self._rows: list[dict[str, NDArray[Any]]] = []

    def add(
        self,
        kind: Travel,
        source: ArrayLike,
        target: ArrayLike,
        start: ArrayLike,
        end: ArrayLike,
        time: ArrayLike,
        *,
        face: ArrayLike = -1,
        edge: ArrayLike = -1,
        model: ArrayLike = -1,
        ride: ArrayLike = -1,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        needed_speed: ArrayLike = -1.0,
        tier: ArrayLike = -1,
        hard: ArrayLike = False,
        lane: ArrayLike = 0,
        entity: ArrayLike = -1,
    ) -> None:
        """Add links of one travel type: n source areas, n target areas, (n, 3) and (n, 3) player origins, n times in
        1/100 s.

        Columns of model.links from ``face`` to ``tier`` are one value for all links or n values.
        ``hard``: the link takes skill and is kept only if no other route leads to its target. ``lane``: the number of
        the link among parallel links across one wide border. ``entity``: row of the entity with which the mapper added
        it by hand; such a link is never dropped. An infinite time: nobody gets there, on foot either.
        """
        sources = np.atleast_1d(np.asarray(source, np.int32))
        n = len(sources)
        if n == 0:
            return
        self._rows.append(
            {
                "source": sources,
                "target": _rows_of(target, np.int32, (n,)),
                "kind": np.full(n, int(kind), np.int32),
                "start": _rows_of(start, np.float64, (n, 3)),
                "end": _rows_of(end, np.float64, (n, 3)),
                "face": _rows_of(face, np.int32, (n,)),
                "edge": _rows_of(edge, np.int32, (n,)),
                "time": _rows_of(time, np.float64, (n,)),
                "model": _rows_of(model, np.int32, (n,)),
                "ride": _rows_of(ride, np.int32, (n,)),
                "velocity": _rows_of(velocity, np.float64, (n, 3)),
                "needed_speed": _rows_of(needed_speed, np.float64, (n,)),
                "tier": _rows_of(tier, np.int32, (n,)),
                "hard": _rows_of(hard, np.bool_, (n,)),
                "lane": _rows_of(lane, np.int32, (n,)),
                "entity": _rows_of(entity, np.int32, (n,)),
            }
        )

    @classmethod
    def of(cls, columns: Mapping[str, NDArray[Any]]) -> Candidates:
        """Candidates from ``columns()``."""
        made = cls()
        if columns:
            made._rows.append(dict(columns))
        return made

    def extend(self, others: Candidates) -> None:
        """Add the links of others after the own ones."""
        self._rows += others._rows

    def columns(self) -> dict[str, NDArray[Any]]:
        """All links so far by column, in the order in which they were added; empty without links."""
        if not self._rows:
            return {}
        return {name: np.concatenate([rows[name] for rows in self._rows]) for name in self._rows[0]}

    def linked(self, areas: int) -> NDArray[np.int64]:
        """Sorted codes source · areas + target of all pairs that have a link of any travel type so far."""
        if not self._rows:
            return np.zeros(0, np.int64)
        codes = [rows["source"].astype(np.int64) * areas + rows["target"].astype(np.int64) for rows in self._rows]
        return distinct(np.concatenate(codes))

    def finish(self, areas: Areas) -> Links:
        """One link for each (source, target, travel type, lane), and each that was added by hand: the quickest.

        Links from an area to itself, into lava, slime or hurt triggers, on foot out of a jump pad or teleporter (even
        into another), and walks through water deep enough to swim in are dropped.
        """
        return self.finish_with_hard(areas)[0]

    def finish_with_hard(self, areas: Areas) -> tuple[Links, NDArray[np.bool_]]:
        """The same links, and which of them are hard."""
        columns = self.columns()
        if not columns:
            return _empty(len(areas)), np.zeros(0, np.bool_)
        source, target, kind = (columns[name].astype(np.int64) for name in ("source", "target", "kind"))
        contents: Bits = areas.area_contents
        good = (source != target) & (source >= 0) & (target >= 0) & np.isfinite(columns["time"].astype(np.float64))
        by_hand = columns["entity"] >= 0
        good &= (contents[np.maximum(target, 0)] & np.uint32(DEADLY)) == 0
        taken, trigger = (contents & np.uint32(TAKES_AWAY)) != 0, areas.area_trigger
        stays = taken[np.maximum(target, 0)] & (trigger[np.maximum(source, 0)] == trigger[np.maximum(target, 0)])
        good &= ~(taken[np.maximum(source, 0)] & ~stays & are_of(kind, OWN_MOVES))
        hard = columns["hard"].astype(np.bool_)
        lane = columns["lane"].astype(np.int32)
        code = source * len(areas) + target
        swum = code[(kind == Travel.SWIM) & ~hard]
        good &= ~(are_of(kind, (Travel.WALK, Travel.CROUCH)) & occurs(code, swum) & ~by_hand)
        time = np.clip(np.rint(columns["time"].astype(np.float64)), 1, MOST_TIME)
        rows = np.flatnonzero(good)
        # Within (source, kind, target) easy links come first, then the quickest. Among equals the one added first wins.
        entity = columns["entity"].astype(np.int32)
        rows = rows[
            np.lexsort((rows, time[rows], hard[rows], entity[rows], lane[rows], target[rows], kind[rows], source[rows]))
        ]
        same = np.zeros(len(rows), np.bool_)
        same[1:] = (
            (source[rows][1:] == source[rows][:-1])
            & (target[rows][1:] == target[rows][:-1])
            & (kind[rows][1:] == kind[rows][:-1])
            & (lane[rows][1:] == lane[rows][:-1])
            & (entity[rows][1:] == entity[rows][:-1])
        )
        rows = rows[~same]
        links = Links(
            source=columns["source"][rows].astype(np.int32),
            target=columns["target"][rows].astype(np.int32),
            kind=columns["kind"][rows].astype(np.int32),
            start=np.ascontiguousarray(columns["start"][rows].astype(np.float64)),
            end=np.ascontiguousarray(columns["end"][rows].astype(np.float64)),
            face=columns["face"][rows].astype(np.int32),
            edge=columns["edge"][rows].astype(np.int32),
            time=time[rows].astype(np.int32),
            model=columns["model"][rows].astype(np.int32),
            velocity=np.ascontiguousarray(columns["velocity"][rows].astype(np.float64)),
            **{
                **null_columns(len(rows)),
                "needed_speed": columns["needed_speed"][rows].astype(np.float64),
                "tier": columns["tier"][rows].astype(np.int32),
                "entity": entity[rows],
                "ride": columns["ride"][rows].astype(np.int32),
            },
            area_start=starts_of(np.bincount(source[rows], minlength=len(areas))),
        )
        return links, hard[rows]


def _empty(areas: int) -> Links:
    """Record without links."""
    none, point = np.zeros(0, np.int32), np.zeros((0, 3))
    return Links(
        none, none, none, point, point, none, none, none, none, point,
        **null_columns(0), area_start=np.zeros(areas + 1, np.int64),
    )  # fmt: skip
