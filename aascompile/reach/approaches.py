"""How bots come to links: by the links that lead into the source area and that routes join to them, and from behind;
and to which links they go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import ranges, starts_of, within
from aascompile.geometry.vectors import flat_lengths
from aascompile.model.areas import Areas
from aascompile.model.contents import DEADLY
from aascompile.model.links import SPECIAL, Links, Travel, are_of
from aascompile.model.mapdata import Float, Index, Int
from aascompile.reach.times import on_foot
from aascompile.settings import Settings

MOMENTS: Final = 3
"""Moments, within the time between two decisions, at which bots begin."""

BOTS: Final = 12
"""Bots that come to a link by links into its source, at most: by so many links, or by fewer at several moments."""

FEW: Final = 6
"""Links by which bots come to a jump pad, at most: at all moments."""

SIMULATED: Final = (Travel.WALK, Travel.CROUCH, Travel.BARRIER_JUMP, Travel.WALK_OFF_LEDGE)
"""Travel types that bots take before they come to a link. From others they appear where these end."""

BEHIND: Final = 120.0
"""Units from the start to places from which bots come, whatever links lead into the source."""

TURNS: Final = np.radians((0.0, 60.0, -60.0))
"""Directions of these places, from straight behind the start."""

BEFORE: Final = (12.0, 36.0)
"""Units before the start of a link onto a jump pad from which bots run at it."""

ON_THE_WAY: Final = 96.0
"""Units, at most, between places on the way from one link to another where danger is looked for, 48 units around."""

IsSafe = Callable[[Float], NDArray[np.bool_]]
"""(n,) whether there is no danger around places (n, 3)."""

Part = tuple[Index, Int, Float]
"""Some bots: (m,) which of the links each takes, (m, 3) link by which it comes, (m, 7) place."""

LANDING: Final = (Travel.JUMP, Travel.WALK_OFF_LEDGE, Travel.JUMP_PAD)
"""Travel types after which bots land, and have to stay where they are until they go on."""

Found = tuple[Index, Int, Float, NDArray[np.uint8], Int, Float]
"""The columns of player.bot.Tries from ``begin`` on."""


def approaches(
    links: Links, rows: Index, areas: Areas, settings: Settings, safe: NDArray[np.bool_], is_safe: IsSafe
) -> Found:
    """How bots come to each of the links ``rows``.

    They come by links into the source area, and from behind the start, at several moments. At a jump pad they run from
    before the links into it to its middle. Nobody comes out of lava, slime or a hurt trigger. ``safe (k,)``: which of
    all links have no danger around them. On walks between such links, if there is no danger on the way either, bots are
    sure to arrive, and where all are, nobody comes.
    """
    pad = links.kind[rows] == Travel.JUMP_PAD
    calm = safe[rows] & are_of(links.kind[rows], (Travel.WALK, Travel.CROUCH))
    row, by = _pairs(links, rows, areas, on_foot(settings))
    certain = calm[row] & safe[by]
    certain[certain] = are_safe_ways(links, by[certain], rows[row[certain]], is_safe)
    tried = ~calm
    tried[row[~certain]] = True
    chosen, count = _spread(row, np.where(pad, FEW, BOTS) * tried)
    row, by, certain = row[chosen], by[chosen], certain[chosen]
    # By few links bots come at all moments, by many at one, which changes from link to link.
    each = np.where(pad, MOMENTS, np.clip(BOTS // np.maximum(count, 1), 1, MOMENTS))
    times = each[row]
    moment = (np.repeat(within(count) * times, times) + within(times)) % MOMENTS
    row, by, certain = np.repeat(row, times), np.repeat(by, times), np.repeat(certain, times)
    # The fewer come by links, the more come from behind.
    alone = np.flatnonzero(tried & ~pad)
    times = np.clip((BOTS - count * each) // len(TURNS), 1, MOMENTS)[alone]
    alone, then = np.repeat(alone, times), within(times)
    speed = settings.physics.walk_speed
    after, onto_pads = _by_links(links, rows, row, by, moment, speed)
    behind = _from_behind(links, rows, alone, then, speed)
    sure = [certain[~pad[row]], np.zeros(len(onto_pads[0]), np.bool_), calm[behind[0]]]
    return _gathered([after, onto_pads, behind], np.concatenate(sure), links, rows, settings)


def approaches_by(links: Links, rows: Index, by: Index, settings: Settings) -> Found:
    """How bots that took the links ``by`` come to the links ``rows``, at all moments."""
    row = np.repeat(np.arange(len(rows)), MOMENTS)
    moment = np.tile(np.arange(MOMENTS), len(rows))
    parts = _by_links(links, rows, row, np.repeat(by, MOMENTS), moment, settings.physics.walk_speed)
    return _gathered(parts, np.zeros(sum(len(part[0]) for part in parts), np.bool_), links, rows, settings)


def _gathered(parts: Sequence[Part], sure: NDArray[np.bool_], links: Links, rows: Index, settings: Settings) -> Found:
    """Bots in the order of the links ``rows`` that they take."""
    owner, onto, origin = (np.concatenate(each) for each in zip(*parts, strict=True))
    order = np.argsort(owner, kind="stable")
    count = np.bincount(owner, minlength=len(rows))
    onto, origin = np.ascontiguousarray(onto[order], np.int32), np.ascontiguousarray(origin[order])
    next_ = _onward(links, rows, count, on_foot(settings))
    then, beyond = np.empty((len(next_), 3), np.int32), np.empty((len(next_), 6))
    then[:, 0], then[:, 1], then[:, 2] = links.source[next_], links.target[next_], links.kind[next_]
    beyond[:, :3], beyond[:, 3:] = links.start[next_], links.end[next_]
    then[next_ < 0] = -1
    return starts_of(count), onto, origin, sure[order].view(np.uint8), then, beyond


def _onward(links: Links, rows: Index, count: Index, walk: float) -> Index:
    """(m,) link that each bot takes after its landing: those that routes join to its link, evenly spread; −1: no
    landing, or no such link. ``count (n,)``: bots on each of the links ``rows``; ``walk``: time for each unit inside an
    area."""
    target = links.target[rows]
    out = np.where(are_of(links.kind[rows], LANDING) & (count > 0), np.diff(links.area_start)[target], 0)
    row, then = np.repeat(np.arange(len(rows)), out), ranges(links.area_start[target], out)
    kept = ~are_of(links.kind[then], SPECIAL)
    kept[kept] = _is_on_a_route(links, rows[row[kept]], then[kept], walk)
    row, then = row[kept], then[kept]
    choice = np.bincount(row, minlength=len(rows))
    number = within(count) * np.repeat(choice, count) // np.maximum(np.repeat(count, count), 1)
    found = np.full(len(number), -1, np.int64)
    has = np.repeat(choice, count) > 0
    found[has] = then[np.repeat(starts_of(choice)[:-1], count)[has] + number[has]]
    return found


def _pairs(links: Links, rows: Index, areas: Areas, walk: float) -> tuple[Index, Index]:
    """Links by which bots come to the links ``rows``: (m,) number of the row, (m,) link. ``walk``: time for each unit
    inside an area."""
    deadly = (areas.area_contents & np.uint32(DEADLY)) != 0
    used = np.flatnonzero(~are_of(links.kind, SPECIAL) & ~deadly[links.source])
    order = used[np.argsort(links.target[used], kind="stable")]
    into = starts_of(np.bincount(links.target[used], minlength=len(areas)))
    source = links.source[rows]
    count = into[source + 1] - into[source]
    row, by = np.repeat(np.arange(len(rows)), count), order[ranges(into[source], count)]
    kept = _is_on_a_route(links, by, rows[row], walk)
    return row[kept], by[kept]


def are_safe_ways(links: Links, by: Index, then: Index, is_safe: IsSafe) -> NDArray[np.bool_]:
    """(n,) whether there is no danger on the straight ways from where the links ``by`` end to where ``then`` start."""
    begin, end = links.end[by], links.start[then]
    count = (_apart(begin, end) // ON_THE_WAY).astype(np.int64)
    way = np.repeat(np.arange(len(by)), count)
    share = (within(count) + 1) / (count[way] + 1)
    safe = np.ones(len(by), np.bool_)
    safe[way[~is_safe(begin[way] + share[:, None] * (end - begin)[way])]] = False
    return safe


def _spread(row: Index, most: Index) -> tuple[Index, Index]:
    """At most ``most (n,)`` of the pairs of each row, evenly spread: (m,) which, and (n,) how many."""
    count = np.bincount(row, minlength=len(most))
    some = np.minimum(count, most)
    # The k-th of n from c links is number k (c − 1) / (n − 1).
    number = within(some) * np.repeat(count - 1, some) // np.maximum(np.repeat(some - 1, some), 1)
    return np.repeat(starts_of(count)[:-1], some) + number, some


def _is_on_a_route(links: Links, by: Index, then: Index, walk: float) -> NDArray[np.bool_]:
    """(n,) whether routes take the links ``by`` and then ``then``: they do not go back, and no link between the same
    areas is quicker. A jump pad throws whom it touches. ``walk``: time for each unit inside an area."""
    from_, to = links.source[by].astype(np.int64), links.target[then].astype(np.int64)
    size = int(max(links.source.max(initial=0), links.target.max(initial=0))) + 1
    key = links.source.astype(np.int64) * size + links.target
    order = np.argsort(key, kind="stable")
    first, last = (np.searchsorted(key[order], from_ * size + to, side) for side in ("left", "right"))
    pair, direct = np.repeat(np.arange(len(by)), last - first), order[ranges(first, last - first)]
    aside = _apart(links.start[by[pair]], links.start[direct]) + _apart(links.end[direct], links.end[then[pair]])
    between = _apart(links.end[by[pair]], links.start[then[pair]])
    quicker = links.time[direct] + walk * aside < links.time[by[pair]] + links.time[then[pair]] + walk * between
    kept: NDArray[np.bool_] = from_ != to
    kept[pair[quicker]] = False
    kept |= links.kind[then] == Travel.JUMP_PAD
    return kept


def _apart(a: Float, b: Float) -> Float:
    """(n,) distances between places (n, 3) on the plan."""
    return flat_lengths(a - b)


def _by_links(links: Links, rows: Index, row: Index, by: Index, moment: Index, speed: float) -> tuple[Part, Part]:
    """Bots that come to the links ``rows[row]`` by the links ``by``: first those whose link is no throw."""
    pad = links.kind[rows[row]] == Travel.JUMP_PAD
    if not pad.any():
        return _after_links(links, row, by, moment, speed), _appearing(row[:0], np.zeros((0, 5)), moment[:0])
    after = _after_links(links, row[~pad], by[~pad], moment[~pad], speed)
    return after, _onto_pads(links, rows, row[pad], by[pad], moment[pad], speed)


def _after_links(links: Links, row: Index, by: Index, moment: Index, speed: float) -> Part:
    """Bots that take the links ``by``, or appear where these end."""
    onto, origin = np.empty((len(by), 3), np.int32), np.empty((len(by), 7))
    onto[:, 0], onto[:, 1], onto[:, 2] = links.source[by], links.target[by], links.kind[by]
    origin[:, :3], origin[:, 3:6], origin[:, 6] = links.start[by], links.end[by], moment / MOMENTS
    appear = np.flatnonzero(~are_of(onto[:, 2], SIMULATED) | (links.model[by] >= 0))
    if len(appear):
        _, onto[appear], origin[appear] = _appearing(
            row[appear], _arrived(links, by[appear], (Travel.JUMP,), speed), moment[appear]
        )
    return row, onto, origin


def _onto_pads(links: Links, rows: Index, row: Index, by: Index, moment: Index, speed: float) -> Part:
    """Bots that run at jump pads from before the links ``by``, or appear where these end."""
    walked = are_of(links.kind[by], (Travel.WALK, Travel.CROUCH))
    places = [_arrived(links, by[~walked], (Travel.JUMP, Travel.WALK_OFF_LEDGE), speed)]
    begin, goal = links.start[by[walked]], links.start[rows[row[walked]]]
    towards = _unit((goal - begin)[:, :2])
    places += [np.hstack((begin - far * np.pad(towards, ((0, 0), (0, 1))), speed * towards)) for far in BEFORE]
    owner, when = (np.concatenate((of[~walked], np.tile(of[walked], len(BEFORE)))) for of in (row, moment))
    return _appearing(owner, np.concatenate(places), when)


def _arrived(links: Links, by: Index, running: tuple[Travel, ...], speed: float) -> Float:
    """(m, 5) where links end, with the velocity (x, y) of a bot that comes by them: it runs after some travel types."""
    run = are_of(links.kind[by], running)[:, None]
    return np.hstack((links.end[by], speed * _ahead(links, by) * run))


def _from_behind(links: Links, rows: Index, row: Index, moment: Index, speed: float) -> Part:
    """Bots that come from BEHIND units before the start, from all TURNS, each of these at another moment."""
    x, y = np.hsplit(_ahead(links, rows[row]), 2)
    towards = np.stack([np.cos(TURNS) * x - np.sin(TURNS) * y, np.sin(TURNS) * x + np.cos(TURNS) * y], axis=2)
    place = np.empty((len(row), len(TURNS), 5))
    place[:, :, :3] = links.start[rows[row], None]
    place[:, :, 3:] = speed * towards
    place[:, :, :2] -= BEHIND * towards
    when = (moment[:, None] + np.arange(len(TURNS))).reshape(-1) % MOMENTS
    return _appearing(np.repeat(row, len(TURNS)), place.reshape(-1, 5), when)


def _appearing(owner: Index, place: Float, moment: Index) -> Part:
    """Bots that appear at places (x, y, z) with velocities (x, y): ``place (m, 5)``."""
    onto = np.full((len(place), 3), -1, np.int32)
    return owner, onto, np.column_stack((place, np.zeros(len(place)), moment / MOMENTS))


def _ahead(links: Links, rows: Index) -> Float:
    """(n, 2) direction of each of the links; 0 if it goes straight up or down."""
    return _unit((links.end[rows] - links.start[rows])[:, :2])


def _unit(offset: Float) -> Float:
    """(n, 2) directions, or less than one unit long if an offset is."""
    return offset / np.maximum(flat_lengths(offset), 1.0)[:, None]
