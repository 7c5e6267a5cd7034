"""Records of ``aas diff``: areas, links and clusters that changed between two compiled files."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from aascompile.records import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from aascompile.model.compiled import Compiled
    from aascompile.model.links import Links
    from aascompile.model.mapdata import Int
    from aascompile.nav.difference import AreaChange, Difference, Groups


@dataclass(frozen=True, slots=True)
class AreaGroup:
    """Areas of the old file, and the areas of the new file that replaced them."""

    old: list[int]
    new: list[int]
    point: list[float]
    """Centre of the group."""
    volume_old: float
    volume_new: float


@dataclass(frozen=True, slots=True)
class AlteredArea(AreaGroup):
    """An area with the same shape and different properties."""

    what: list[str]
    """A description of each property that changed."""


@dataclass(frozen=True, slots=True)
class AreaChanges:
    """Areas of both files. Each list is sorted by size, largest first."""

    old: int
    new: int
    volume_lost: float
    volume_gained: float
    same: int
    altered: list[AlteredArea] = field(default_factory=list)
    reshaped: list[AreaGroup] = field(default_factory=list)
    split: list[AreaGroup] = field(default_factory=list)
    merged: list[AreaGroup] = field(default_factory=list)
    recut: list[AreaGroup] = field(default_factory=list)
    vanished: list[AreaGroup] = field(default_factory=list)
    appeared: list[AreaGroup] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A link."""

    link: int
    kind: str
    from_: int
    to: int
    start: list[float]
    end: list[float]
    time: int


@dataclass(frozen=True, slots=True)
class MovedLink(LinkRow):
    """A link that now starts or ends elsewhere."""

    now: LinkRow


@dataclass(frozen=True, slots=True)
class LinkChanges:
    """Links of both files."""

    old: int | None
    new: int | None
    same: int = 0
    inside: tuple[int, int] = (0, 0)
    """Links of the old and of the new file that lie inside a single area of the other file."""
    lost: tuple[LinkRow, ...] = ()
    gained: tuple[LinkRow, ...] = ()
    moved: tuple[MovedLink, ...] = ()
    """Sorted by how far they moved, farthest first."""


@dataclass(frozen=True, slots=True)
class PortalRow:
    """A cluster portal."""

    area: int
    point: list[float]


@dataclass(frozen=True, slots=True)
class ClusterChanges:
    """Clusters of both files."""

    old: int | None
    new: int | None
    portals_lost: tuple[PortalRow, ...]
    portals_gained: tuple[PortalRow, ...]


@dataclass(frozen=True, slots=True)
class DiffReport:
    """A difference between two files."""

    equal: bool
    areas: AreaChanges
    links: LinkChanges
    clusters: ClusterChanges
    old: str
    """Path of the first file."""
    new: str
    """Path of the second file."""


# --- describing -------------------------------------------------------------------------------------------------------


def describe(found: Difference, names: tuple[str, str], both: tuple[Compiled, Compiled]) -> DiffReport:
    """Describe a difference between two compiled files."""
    old, new = both
    clusters = ClusterChanges(
        None if old.clusters is None else len(old.clusters),
        None if new.clusters is None else len(new.clusters),
        _portals(old, found.old.portal_gone),
        _portals(new, found.new.portal_gone),
    )
    return DiffReport(
        found.equal, _area_changes(found, old, new), _link_changes(found, old.links, new.links), clusters, *names
    )


def _area_changes(found: Difference, old: Compiled, new: Compiled) -> AreaChanges:
    """Sort the groups of areas by how they changed."""
    from aascompile.nav.difference import AreaChange

    lost = (1.0 - found.old.area_covered) * old.areas.area_volume * (found.old.area_change != 0)
    gained = (1.0 - found.new.area_covered) * new.areas.area_volume * (found.new.area_change != 0)
    change = found.groups.change
    altered = [_altered_area(found.groups, row, old, new) for row in _rows(found.groups, AreaChange.ALTERED)]
    return AreaChanges(
        old=len(old.areas),
        new=len(new.areas),
        volume_lost=round(float(lost.sum()), 3),
        volume_gained=round(float(gained.sum()), 3),
        same=int((change == AreaChange.SAME).sum()),
        altered=sorted(altered, key=_by_size),
        **{
            kind.name.lower(): sorted(
                (_group(found.groups, row, old, new) for row in _rows(found.groups, kind)), key=_by_size
            )
            for kind in AreaChange
            if kind not in (AreaChange.SAME, AreaChange.ALTERED)
        },
    )


def _rows(groups: Groups, change: AreaChange) -> list[int]:
    """Groups with this change."""
    rows: list[int] = (groups.change == change).nonzero()[0].tolist()
    return rows


def _by_size(group: AreaGroup) -> float:
    """Sort key: largest first."""
    return -max(group.volume_old, group.volume_new)


def _group(groups: Groups, row: int, old: Compiled, new: Compiled) -> AreaGroup:
    """Record of a group of areas."""
    before, after = _members(groups, row)
    areas, rows = (old.areas, before) if len(before) else (new.areas, after)
    weight = areas.area_volume[rows]
    middle = (areas.area_centre[rows] * weight[:, None]).sum(axis=0) / max(float(weight.sum()), 1.0)
    return AreaGroup(
        old=before.tolist(),
        new=after.tolist(),
        point=[round(value, 3) for value in middle.tolist()],
        volume_old=round(float(old.areas.area_volume[before].sum()), 3),
        volume_new=round(float(new.areas.area_volume[after].sum()), 3),
    )


def _altered_area(groups: Groups, row: int, old: Compiled, new: Compiled) -> AlteredArea:
    """Record of an area whose properties changed."""
    group = _group(groups, row, old, new)
    what = _altered(old, group.old[0], new, group.new[0])
    return AlteredArea(group.old, group.new, group.point, group.volume_old, group.volume_new, what)


def _members(groups: Groups, row: int) -> tuple[Int, Int]:
    """Areas of a group in the old and in the new file."""
    before = groups.old_area[groups.old_start[row] : groups.old_start[row + 1]]
    after = groups.new_area[groups.new_start[row] : groups.new_start[row + 1]]
    return before, after


def _altered(old: Compiled, before: int, new: Compiled, after: int) -> list[str]:
    """Describe each property of an area that changed."""
    from aascompile.model.areas import AreaFlag
    from aascompile.model.contents import Kind

    changes = []
    for word, column, names in (
        ("contents", "area_contents", Kind),
        ("flags", "area_flags", AreaFlag),
        ("presence", "area_presence", None),
        ("model", "area_model", None),
        ("trigger", "area_trigger", None),
    ):
        was, is_now = int(getattr(old.areas, column)[before]), int(getattr(new.areas, column)[after])
        if was == is_now:
            continue
        spelled = [
            str(bits) if names is None else "+".join(str(flag.name).lower() for flag in names if flag & bits) or "none"
            for bits in (was, is_now)
        ]
        changes.append(f"{word} {spelled[0]} -> {spelled[1]}")
    return changes


def _link_changes(found: Difference, old: Links | None, new: Links | None) -> LinkChanges:
    """Links that were lost, gained or moved, with their starts and ends."""
    from aascompile.nav.difference import LinkChange

    if old is None or new is None:
        return LinkChanges(None if old is None else len(old), None if new is None else len(new))
    gone = [(side.link_change == LinkChange.GONE).nonzero()[0].tolist() for side in (found.old, found.new)]
    moved = (found.old.link_change == LinkChange.MOVED).nonzero()[0]
    partner = found.old.link_partner[moved]
    apart = abs(old.start[moved] - new.start[partner]).sum(axis=1) + abs(old.end[moved] - new.end[partner]).sum(axis=1)
    farthest_first = moved[(-apart).argsort(kind="stable")].tolist()
    inside = [int((side.link_change == LinkChange.INSIDE).sum()) for side in (found.old, found.new)]
    return LinkChanges(
        old=len(old),
        new=len(new),
        same=int((found.old.link_change == LinkChange.SAME).sum()),
        inside=(inside[0], inside[1]),
        lost=tuple(_link(old, row) for row in gone[0]),
        gained=tuple(_link(new, row) for row in gone[1]),
        moved=tuple(_moved(_link(old, row), _link(new, int(found.old.link_partner[row]))) for row in farthest_first),
    )


def _moved(was: LinkRow, now: LinkRow) -> MovedLink:
    """Record of a link that moved."""
    return MovedLink(was.link, was.kind, was.from_, was.to, was.start, was.end, was.time, now)


def _link(links: Links, row: int) -> LinkRow:
    """Record of a link."""
    from aascompile.model.links import Travel

    names = {int(travel): travel.name.lower() for travel in Travel}
    kind = int(links.kind[row])
    return LinkRow(
        row,
        names.get(kind, f"kind {kind}"),
        int(links.source[row]),
        int(links.target[row]),
        [round(value, 3) for value in links.start[row].tolist()],
        [round(value, 3) for value in links.end[row].tolist()],
        int(links.time[row]),
    )


def _portals(compiled: Compiled, gone: NDArray[np.bool_]) -> tuple[PortalRow, ...]:
    """Records of the selected portals."""
    if compiled.clusters is None or not len(gone):
        return ()
    centre = compiled.areas.area_centre
    return tuple(
        PortalRow(area, [round(value, 3) for value in centre[area].tolist()])
        for area in compiled.clusters.portal_area[gone].tolist()
    )
