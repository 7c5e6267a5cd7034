"""Decides about places where a portal can be expected: a portal if that reduces the cost, otherwise a reason."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aascompile.cluster.doorways import neighbours
from aascompile.cluster.partition import Partition, Sides
from aascompile.distinct import distinct
from aascompile.graph.components import components
from aascompile.model.areas import Areas
from aascompile.model.mapdata import Entity, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """An area considered as a portal because it is a doorway or in a portal brush."""

    area: int
    brush: bool
    """True: in a portal brush, so the mapper wants it. False: a doorway."""
    reason: str
    """One clause why it is not a portal; "" if it is."""


def settle_candidates(
    parts: Partition,
    areas: Areas,
    brush: NDArray[np.bool_],
    door: NDArray[np.bool_],
    holder: Int,
    entities: Sequence[Entity],
) -> tuple[Candidate, ...]:
    """Make portals of areas in portal brushes, then of doorways, if that reduces the cost. Return all, ascending.

    A portal brush contains many areas, including air above the ground. It is done if one of them is a portal. Otherwise
    each of its areas with links gets a reason.
    """
    settler = _Settler(parts, holder, entities)
    brushes = [group.tolist() for group in _pieces(areas, brush)]
    doors = np.flatnonzero(door & ~brush).tolist()
    for group in brushes:
        settler.settle(group)
    for area in doors:
        settler.settle([area])
    candidates = [Candidate(area, False, settler.reason(area)) for area in doors]
    for group in brushes:
        reasons = {area: settler.reason(area) for area in group}
        portals = [area for area in group if not reasons[area]]
        linked = [area for area in group if parts.graph.node[area] >= 0]
        candidates += [Candidate(area, True, reasons[area]) for area in portals or linked or group[:1]]
    return tuple(sorted(candidates, key=lambda candidate: candidate.area))


def _pieces(areas: Areas, marked: NDArray[np.bool_]) -> list[Int]:
    """Marked areas in groups connected by faces."""
    here, there, _ = neighbours(areas)
    both = marked[here] & marked[there]
    label = components(len(areas), here[both], there[both])
    return [np.flatnonzero(label == root).astype(np.int32) for root in distinct(label[marked])]


class _Settler:
    """Decides about candidates one by one, because each decision changes the clusters."""

    def __init__(self, parts: Partition, holder: Int, entities: Sequence[Entity]) -> None:
        self._parts = parts
        self._holder = holder
        self._entities = entities
        self._reason: dict[int, str] = {}

    def reason(self, area: int) -> str:
        """Why an area is not a portal; "" if it is."""
        node = self._parts.graph.node[area]
        return "" if node >= 0 and self._parts.is_portal[node] else self._reason[area]

    def settle(self, group: list[int]) -> None:
        """Make areas portals together if that reduces the cost. If they divide nothing together, try each alone."""
        free = [area for area in group if self._is_free(area)]
        if not free:
            return
        parts = self._parts
        nodes = parts.graph.node[free]
        change, sides = parts.parted_at(nodes) if (parts.first[nodes] == parts.first[nodes[0]]).all() else (0, None)
        if sides is None and len(free) > 1:
            for area in free:
                self.settle([area])
            return
        if sides is None:
            reason = "other links lead round it"
        elif change < 0:
            cluster = int(parts.first[nodes[0]])
            parts.split_all([cluster, parts.split(cluster, sides)])
            reason = "another area of its brush is the portal"
        else:
            reason = f"a portal here costs more than it saves (M + {_change(sides, len(parts.graph)):,})"
        self._reason.update(dict.fromkeys(free, reason))

    def _is_free(self, area: int) -> bool:
        """Whether an area could become a portal. If not, and it is not a portal already, record the reason."""
        node = int(self._parts.graph.node[area])
        if node < 0:
            self._reason[area] = "it has no links"
        elif self._holder[area] >= 0:
            row = int(self._holder[area])
            self._reason[area] = f"{self._entities[row].classname} (entity {row}) is in it"
        elif not self._parts.is_portal[node] and not self._parts.may_be_cut(node):
            self._reason[area] = f"it is linked to a portal (area {self._portal_beside(node)})"
        return node >= 0 and self._parts.may_be_cut(node)

    def _portal_beside(self, node: int) -> int:
        """Area of the first portal that a node is linked to."""
        graph = self._parts.graph
        near = graph.other[graph.start[node] : graph.start[node + 1]]
        return int(graph.area[near[self._parts.is_portal[near]][0]])


def _change(sides: Sides, routing: int) -> int:
    """Change of M when a cluster is split."""
    count = np.bincount(sides, minlength=3).astype(np.int64)
    return int(routing * count[1] + (count[0] + count[1]) ** 2 + (count[1] + count[2]) ** 2 - len(sides) ** 2)
