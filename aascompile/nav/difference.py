"""What differs between two compiled files, in space: areas by the volume they share, links by the areas they join.

``difference(old, new)`` returns a ``Difference``: rows of both files, without any text.

Glossary
    same       no corner of either area lies outside the other by more than SAME_SHAPE, and they share most volume
    related    two areas that are the same, or share at least OVERLAP_SHARE of the smaller one
    group      areas of both files that are related, directly or through others; every area is in one group

A group with one area on each side is that area, perhaps altered or reshaped. With one old area it was split, with one
new area merged; with several of both the space was divided differently. Row numbers play no part, so files that differ
only in the order of their areas are equal.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.checks.check_areas import area_corners
from aascompile.csr import owners_of, ranges, rows_of, starts_of
from aascompile.geometry.overlap import Convex, Overlaps, overlaps, own_volumes, touching
from aascompile.graph.components import components
from aascompile.model.areas import Areas
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Compiled
from aascompile.model.links import Links
from aascompile.model.mapdata import Float, Index, Int
from aascompile.records import dataclass

KINDS = 64
"""More than there are travel types."""


class AreaChange(IntEnum):
    """What happened to a group of areas."""

    SAME = 0
    ALTERED = 1
    """The same space, but other contents, flags or presence."""
    RESHAPED = 2
    """One area on either side, with different shapes."""
    SPLIT = 3
    """One old area, several new ones."""
    MERGED = 4
    """Several old areas, one new one."""
    RECUT = 5
    """Several old areas, several new ones."""
    VANISHED = 6
    """One old area in a place without new areas."""
    APPEARED = 7
    """One new area in a place without old areas."""


class LinkChange(IntEnum):
    """What happened to a link."""

    SAME = 0
    MOVED = 1
    """A link of its travel type joins related areas, but time, start or end differ."""
    INSIDE = 2
    """It joins areas that are one area in the other file, and so need no link there."""
    GONE = 3
    """The other file has no such link: lost if it is in the old file, gained if in the new one."""


@dataclass(frozen=True, slots=True)
class Groups:
    """All areas of both files, grouped with related ones, by first old area, then by first new area."""

    change: Int
    """(g,) AreaChange."""
    old_start: Index
    """(g + 1,) CSR into ``old_area``."""
    old_area: Int
    """(areas of old,) areas of the old file, ascending in each group."""
    new_start: Index
    """(g + 1,) CSR into ``new_area``."""
    new_area: Int
    """(areas of new,) areas of the new file, ascending in each group."""

    def __len__(self) -> int:
        return len(self.change)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two files, compared with the other."""

    area_group: Int
    """(areas,) row in the groups."""
    area_change: Int
    """(areas,) AreaChange of that group."""
    area_covered: Float
    """(areas,) fraction of its volume that areas of the other file fill, 0 to 1."""
    link_change: Int
    """(links,) LinkChange; empty if either file has no links."""
    link_partner: Int
    """(links,) nearest link of its travel type between related areas of the other file; −1 if there is none."""
    portal_gone: NDArray[np.bool_]
    """(portals,) whether no related area of the other file is a portal; empty if either file has no clusters."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two files, area by area and link by link."""

    groups: Groups
    old: Side
    new: Side
    related_old: Int
    """(k,) area of the old file, ascending."""
    related_new: Int
    """(k,) the area of the new file that it is related to."""
    clusters: tuple[int, int]
    """Number of clusters in the old and the new file; −1 if not computed."""
    has_links: tuple[bool, bool]
    """Whether the old and the new file contain links at all."""

    @property
    def equal(self) -> bool:
        """Whether nothing differs."""
        return (
            not self.groups.change.any()
            and not self.old.link_change.any()
            and not self.new.link_change.any()
            and not self.old.portal_gone.any()
            and not self.new.portal_gone.any()
            and self.clusters[0] == self.clusters[1]
            and self.has_links[0] == self.has_links[1]
        )


def difference(old: Compiled, new: Compiled, threads: int = 1) -> Difference:
    """What happened to every area, link and portal of ``old`` in ``new``; both must have ``has_shapes``."""
    related = _related_areas(old.areas, new.areas, threads)
    groups = _group(old.areas, new.areas, related)
    partners = _partners(old, new, related)
    old_links, new_links = _link_changes(old, new, related, partners)
    old_portals, new_portals = _portals_gone(old, new, related)
    count = [-1 if file.clusters is None else len(file.clusters) for file in (old, new)]
    return Difference(
        groups=groups,
        old=_side(groups.change, groups.old_start, groups.old_area, related.old_covered, old_links, old_portals),
        new=_side(groups.change, groups.new_start, groups.new_area, related.new_covered, new_links, new_portals),
        related_old=related.old,
        related_new=related.new,
        clusters=(count[0], count[1]),
        has_links=(old.links is not None, new.links is not None),
    )


def changes_line(found: Difference) -> str:
    """How many areas and links have changed, as a single line."""
    old, new = found.old, found.new
    areas = {
        "new": int((new.area_change == AreaChange.APPEARED).sum()),
        "changed": int(((new.area_change != AreaChange.SAME) & (new.area_change != AreaChange.APPEARED)).sum()),
        "gone": int((old.area_change == AreaChange.VANISHED).sum()),
    }
    links = {
        "gained": int((new.link_change == LinkChange.GONE).sum()),
        "lost": int((old.link_change == LinkChange.GONE).sum()),
        "moved": int((new.link_change == LinkChange.MOVED).sum()),
    }
    return "; ".join(
        f"{what}: {', '.join(f'{count:,} {word}' for word, count in counts.items())}"
        for what, counts in (("areas", areas), ("links", links))
    )


def has_shapes(areas: Areas) -> bool:
    """Whether every area has faces. The C compiler's optimised files leave them out, and cannot be compared."""
    return bool((np.diff(areas.area_start) > 0).all())


def _side(
    change: Int, start: Index, area: Int, covered: Float, links: tuple[Int, Int], portals: NDArray[np.bool_]
) -> Side:
    group = np.empty(len(area), np.int32)
    group[area] = owners_of(start)
    return Side(group, change[group], covered, *links, portals)


# --- areas ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Related:
    """Pairs of related areas, by old area, then by new area."""

    old: Int
    new: Int
    same: NDArray[np.bool_]
    """(k,) whether their shapes are the same."""
    old_covered: Float
    new_covered: Float


def _related_areas(old: Areas, new: Areas, threads: int) -> _Related:
    """Find related areas. Those with equal corners are matched first; only the others are intersected."""
    shapes = _convex(old), _convex(new)
    equal = _equal(*shapes)
    rest = [np.setdiff1d(np.arange(len(shape)), done) for shape, done in zip(shapes, equal.T, strict=True)]
    left, right = touching(shapes[0], shapes[1], rest[0], rest[1])
    found = overlaps(*shapes, (left, right), threads)
    volume = own_volumes(shapes[0], rest[0], threads), own_volumes(shapes[1], rest[1], threads)
    pairs, same = _worth(found, volume)
    first = np.concatenate((equal[:, 0], found.first[pairs]))
    second = np.concatenate((equal[:, 1], found.second[pairs]))
    order = np.lexsort((second, first))
    covered = []
    for size, mine, done in zip(volume, (found.first, found.second), equal.T, strict=True):
        shared = np.bincount(mine, found.volume, len(size)) / np.maximum(size, tolerances.MIN_VOLUME)
        shared[done] = 1.0
        covered.append(np.minimum(shared, 1.0))
    return _Related(
        first[order].astype(np.int32),
        second[order].astype(np.int32),
        np.concatenate((np.ones(len(equal), np.bool_), same))[order],
        *covered,
    )


def _convex(areas: Areas) -> Convex:
    """Areas as convex shapes."""
    owner = owners_of(areas.area_start)
    outward = areas.face_plane[areas.area_face] ^ (areas.face_front[areas.area_face] == owner)
    start, vertex = area_corners(areas)
    return Convex.enclosing(areas.planes.normal[outward], areas.area_start, start, areas.vertex[vertex])


def _equal(old: Convex, new: Convex) -> NDArray[np.int64]:
    """(k, 2) rows of shapes with exactly the same corners."""
    found = {corners: row for row, corners in enumerate(_keys(old))}
    pairs = [(found[corners], row) for row, corners in enumerate(_keys(new)) if corners in found]
    return np.array(pairs, np.int64).reshape(-1, 2)


def _keys(shapes: Convex) -> list[bytes]:
    """The corners of each shape, in a canonical order."""
    order = np.lexsort((*shapes.corner.T, owners_of(shapes.corner_start)))
    corner = shapes.corner[order] + 0.0  # no −0
    ends = (corner.strides[0] * shapes.corner_start).tolist()
    flat = corner.tobytes()
    return [flat[a:b] for a, b in pairwise(ends)]


def _worth(found: Overlaps, volume: tuple[Float, Float]) -> tuple[Index, NDArray[np.bool_]]:
    """The overlaps that make areas related, and which of these make them the same."""
    mine, other = volume[0][found.first], volume[1][found.second]
    # Only one area can share half of the larger one, so an area that is the same is not related to any other.
    same = (found.sticks_out <= tolerances.SAME_SHAPE) & (2.0 * found.volume > np.maximum(mine, other))
    settled = np.isin(found.first, found.first[same]) | np.isin(found.second, found.second[same])
    kept = same | (~settled & (found.volume >= tolerances.OVERLAP_SHARE * np.minimum(mine, other)))
    # A sliver that became part of an area which is otherwise the same has not vanished.
    for area, size in ((found.first, mine), (found.second, other)):
        most = np.flatnonzero(~np.isin(area, area[kept]) & (2.0 * found.volume > size))
        kept[most] = True
    rows = np.flatnonzero(kept)
    return rows, same[rows]


def _group(old: Areas, new: Areas, related: _Related) -> Groups:
    """Group related areas."""
    label = components(len(old) + len(new), related.old, related.new + len(old))
    # The label of a group is its lowest row, with old rows before new ones.
    _, group = np.unique(label, return_inverse=True)
    count = int(group.max(initial=-1)) + 1
    members = group[: len(old)], group[len(old) :]
    sizes = [np.bincount(member, minlength=count) for member in members]
    olds, news = np.minimum(sizes[0], 2), np.minimum(sizes[1], 2)
    table = np.zeros((3, 3), np.int32)
    table[1, 0], table[0, 1] = AreaChange.VANISHED, AreaChange.APPEARED
    table[1, 1], table[1, 2], table[2, 1], table[2, 2] = (
        AreaChange.SAME,
        *((AreaChange.SPLIT, AreaChange.MERGED, AreaChange.RECUT)),
    )
    change = table[olds, news]
    single = np.flatnonzero(change[members[0][related.old]] == AreaChange.SAME)
    a, b = related.old[single], related.new[single]
    altered = np.zeros(len(single), np.bool_)
    for name in ("area_contents", "area_flags", "area_presence", "area_model", "area_trigger"):
        altered |= getattr(old, name)[a] != getattr(new, name)[b]
    change[members[0][a]] = np.where(
        related.same[single], np.where(altered, AreaChange.ALTERED, AreaChange.SAME), AreaChange.RESHAPED
    )
    return Groups(
        change,
        starts_of(sizes[0]),
        np.argsort(members[0], kind="stable").astype(np.int32),
        starts_of(sizes[1]),
        np.argsort(members[1], kind="stable").astype(np.int32),
    )


# --- links and portals ------------------------------------------------------------------------------------------------


def _partners(old: Compiled, new: Compiled, related: _Related) -> tuple[Index, Index]:
    """Every pair of an old and a new link of the same travel type whose areas are related at both ends."""
    if old.links is None or new.links is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    to_old = _by(related.new, related.old, len(new.areas))
    row, source, target = _as_other(new.links, to_old)
    kind = new.links.kind[row]
    mine = _key(old.links.source, old.links.target, old.links.kind, len(old.areas))
    order = np.argsort(mine, kind="stable")
    wanted = _key(source, target, kind, len(old.areas))
    first, last = (np.searchsorted(mine, wanted, side, sorter=order) for side in ("left", "right"))
    return order[ranges(first, last - first)], np.repeat(row, last - first)


def _key(source: NDArray[np.integer], target: NDArray[np.integer], kind: NDArray[np.integer], areas: int) -> Index:
    key: Index = (source.astype(np.int64) * areas + target) * KINDS + kind
    return key


def _by(key: Int, value: Int, count: int) -> tuple[Index, Int]:
    """CSR of values by key."""
    return starts_of(np.bincount(key, minlength=count)), value[np.argsort(key, kind="stable")]


def _as_other(links: Links, related: tuple[Index, Int]) -> tuple[Index, Int, Int]:
    """Links, mapped to every pair of areas of the other file that their areas are related to: link, source, target."""
    start, area = related
    row = np.repeat(np.arange(len(links)), np.diff(start)[links.source])
    source = area[rows_of(start, links.source)]
    sizes = np.diff(start)[links.target[row]]
    target = area[rows_of(start, links.target[row])]
    return np.repeat(row, sizes), np.repeat(source, sizes), target


def _link_changes(
    old: Compiled, new: Compiled, related: _Related, partners: tuple[Index, Index]
) -> tuple[tuple[Int, Int], tuple[Int, Int]]:
    """LinkChange and partner of every link of both files."""
    if old.links is None or new.links is None:
        none = np.zeros(0, np.int32)
        return (none, none), (none, none)
    a, b = partners
    apart = np.maximum(
        np.abs(old.links.start[a] - new.links.start[b]).max(axis=1, initial=0.0),
        np.abs(old.links.end[a] - new.links.end[b]).max(axis=1, initial=0.0),
    )
    moved = (apart > tolerances.LINK_END) | (old.links.time[a] != new.links.time[b])
    return (
        _changes(old.links, a, b, apart, moved, _by(related.old, related.new, len(old.areas))),
        _changes(new.links, b, a, apart, moved, _by(related.new, related.old, len(new.areas))),
    )


def _changes(
    links: Links, mine: Index, other: Index, apart: Float, moved: NDArray[np.bool_], related: tuple[Index, Int]
) -> tuple[Int, Int]:
    """LinkChange and partner of the links of one file."""
    change = np.full(len(links), LinkChange.GONE, np.int32)
    partner = np.full(len(links), -1, np.int32)
    row, source, target = _as_other(links, related)
    change[row[source == target]] = LinkChange.INSIDE
    # Of several partners the nearest counts, so it is written last.
    order = np.lexsort((other, apart, moved))[::-1]
    change[mine[order]] = np.where(moved[order], LinkChange.MOVED, LinkChange.SAME)
    partner[mine[order]] = other[order]
    return change, partner


def _portals_gone(old: Compiled, new: Compiled, related: _Related) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Portals of either file that are not portals in the other."""
    if old.clusters is None or new.clusters is None:
        return np.zeros(0, np.bool_), np.zeros(0, np.bool_)
    both = _is_portal(old.clusters)[related.old] & _is_portal(new.clusters)[related.new]
    return (
        ~np.isin(old.clusters.portal_area, related.old[both]),
        ~np.isin(new.clusters.portal_area, related.new[both]),
    )


def _is_portal(clusters: Clusters) -> NDArray[np.bool_]:
    portal: NDArray[np.bool_] = clusters.area_portal >= 0
    return portal
