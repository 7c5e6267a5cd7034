"""Travel times to goals in two levels: clusters, and the portals between them (thesis §7.2), exact and on demand.

**State.** What a link costs after another depends on where in the area between them the first ends and the second
starts. So the state of a route is not an area but a *link that is about to be taken*, at its start. ``left[l]`` is the
time from there to the goal:

    left[l] = time[l] + walk(end of l, start of m) + left[m]     with the best m that leaves the target of l,
    left[l] = time[l] (+ walk(end of l, goal's point))           if l leads into the goal.

Every walk counts at least 1/100 s. An area that is closed can be the start or the goal, but no link follows another
through it.

**Two levels.** Each link belongs to one cluster. A route changes from one cluster to another where a link is followed
by a link of another cluster: inside a portal area. Links that can be entered so are *entries*. For each cluster, a
table holds the time from each of its entries to each of its *exits*, the entries of other clusters that its links lead
to. A goal is solved in three steps: search the goal's own clusters, settle all entries over these tables, and search
any other cluster, once it is asked for, back from its exits. This is exact for any division of the links, so a foreign
file with odd clusters gives the same times.

**Exactness.** All costs are multiples of 2⁻²⁰ of 1/100 s. Their sums are exact in float64, in any order. So both
levels together give the very numbers of a plain search over all links, and a goal may be solved either way. A goal for
which all clusters are asked at once is searched plainly. So are the first goals of all, because the tables between
portals take the time of some dozen goals.

**Blocking.** Terms are never changed: blocking an area makes new ones. They take over the tables between portals of all
clusters without that area. A goal that was solved before is copied, and only the links whose routes pass the area are
searched again; opening an area searches only from the links into it. So a query that runs while another thread blocks
an area gets the answer of before or of after, never a mixture.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.distinct import distinct
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Compiled
from aascompile.model.links import Links
from aascompile.model.mapdata import Float, Index, Int
from aascompile.nav.search_kernel import GoalColumns, Goals, RouteSearch, scale
from aascompile.nav.tables_kernel import cross_group, repair, search_all, search_group, solve_portals, times_from
from aascompile.records import dataclass

SCALE: Final = float(scale())
"""Steps of cost in 1/100 s."""

PLAIN_GOALS: Final = 32
"""Goals that are searched plainly before the tables between portals are made."""

NO_POINTS: Final[Float] = np.zeros((0, 3))
"""Points of goals that are areas."""


def on_grid(cost: Float) -> Float:
    """Costs rounded to the steps in which they are exact."""
    return np.floor(cost * SCALE + 0.5) / SCALE


@dataclass(frozen=True, slots=True)
class Network:
    """The links of a map, as searches want them."""

    source: Int
    """(links,)"""
    target: Int
    """(links,)"""
    begin: Float
    """(links, 3) start of each link."""
    end: Float
    """(links, 3)"""
    out_start: Index
    """(areas + 1,) CSR: links that leave an area are consecutive rows."""
    in_start: Index
    """(areas + 1,) CSR into ``in_link``."""
    in_link: Int
    """(links,) links that lead into each area, ascending."""
    pair_start: Index
    """(links + 1,) CSR into ``pair``: the links that lead to each link, in the order of ``in_link``."""
    pair: Int
    """(pairs,) link that comes before, for each pair of a link and one that can follow it."""
    group: Int
    """(links,) cluster of each link."""
    group_start: Index
    """(clusters + 1,) CSR into ``group_link``."""
    group_link: Int
    """(links,) links of each cluster, ascending."""
    entry: Int
    """(e,) links that can follow a link of another cluster, ascending."""
    exit_start: Index
    """(clusters + 1,) CSR into ``exit``."""
    exit: Int
    """(x,) exits of each cluster, as rows of ``entry``."""

    @property
    def groups(self) -> int:
        """Number of clusters."""
        return len(self.group_start) - 1


def network_of(compiled: Compiled, links: Links) -> Network:
    """The links of a compiled map, divided into clusters."""
    areas = len(compiled.areas)
    group = _groups(compiled.clusters, links)
    groups = int(group.max(initial=-1)) + 1
    in_link = np.argsort(links.target, kind="stable").astype(np.int32)
    in_start = starts_of(np.bincount(links.target, minlength=areas))
    into = np.diff(in_start)[links.source]
    second = np.repeat(np.arange(len(links)), into)
    first = in_link[rows_of(in_start, links.source)]
    changes = group[first] != group[second]
    entry = distinct(second[changes]).astype(np.int32)
    some = max(len(entry), 1)
    ways = distinct(group[first[changes]].astype(np.int64) * some + np.searchsorted(entry, second[changes]))
    return Network(
        source=_column(links.source, np.int32),
        target=_column(links.target, np.int32),
        begin=_column(links.start, np.float64),
        end=_column(links.end, np.float64),
        out_start=_column(links.area_start, np.int64),
        in_start=in_start,
        in_link=in_link,
        pair_start=starts_of(into),
        pair=first,
        group=group,
        group_start=starts_of(np.bincount(group, minlength=max(groups, 1))),
        group_link=np.argsort(group, kind="stable").astype(np.int32),
        entry=entry,
        exit_start=starts_of(np.bincount(ways // some, minlength=max(groups, 1))),
        exit=(ways % some).astype(np.int32),
    )


def _column(values: NDArray[Any], dtype: type) -> NDArray[Any]:
    return np.array(values, dtype, order="C")


def _groups(clusters: Clusters | None, links: Links) -> Int:
    """(links,) cluster of each link: that of an end that is no portal; between two portals, the front cluster of one.

    Without clusters all links are in one.
    """
    if clusters is None or not len(links):
        return np.zeros(len(links), np.int32)
    at_source, at_target = clusters.area_cluster[links.source], clusters.area_cluster[links.target]
    portal = clusters.area_portal[links.source]
    front = np.append(clusters.portal_cluster[:, 0], 0)[portal]  # −1 takes the last, which counts for no cluster
    group = np.where(at_source >= 0, at_source, np.where(at_target >= 0, at_target, front))
    return np.unique(group, return_inverse=True)[1].reshape(-1).astype(np.int32)


@dataclass(frozen=True, slots=True)
class Terms:
    """What routes cost and may use."""

    time: Float
    """(links,) cost of each link, 1/100 s."""
    onward: Float
    """(pairs,) cost of a link and of the walk from its end to the start of the link that follows (``Network.pair``)."""
    unit: Float
    """(areas,) 1/100 s for a unit of distance."""
    factor: Float
    """(areas,) by which walks are multiplied."""
    closed: NDArray[np.uint8]
    """(areas,) whether no route may pass."""
    allowed: NDArray[np.uint8]
    """(links,) whether a route may use it."""


def walk_time(unit: Float, start: Float, end: Float, factor: Float | float = 1.0) -> Float:
    """Time to cross an area in a straight line, at least 1/100 s, as in the engine; times the factor of its cost."""
    way = end - start
    far = np.sqrt(way[..., 0] * way[..., 0] + way[..., 1] * way[..., 1] + way[..., 2] * way[..., 2])
    return on_grid(np.maximum(far * unit, 1.0) * factor)


def onward_costs(network: Network, time: Float, unit: Float, factor: Float) -> Float:
    """(pairs,) column ``onward`` of terms."""
    after = owners_of(network.pair_start)
    area = network.source[after]
    walked = walk_time(unit[area], network.end[network.pair], network.begin[after], factor[area])
    return time[network.pair] + walked


class TermTables:
    """The tables between portals for one set of terms, and the searches of each thread.

    ``parent``: tables for the same terms except for closed areas. Clusters without such areas keep its tables.
    """

    def __init__(
        self, network: Network, terms: Terms, parent: TermTables | None = None, *, weighted: bool = False
    ) -> None:
        self.network = network
        self.terms = terms
        self.weighted = weighted
        """Whether costs are not simply times."""
        self.parent: Callable[[], TermTables | None] = weakref.ref(parent) if parent is not None else lambda: None
        self.goals = 0
        """Goals that were searched plainly so far."""
        self._lock = threading.Lock()
        self._local = threading.local()
        self._cross: dict[int, Float] = {}
        self._edges: tuple[Index, Int, Float] | None = None
        if parent is not None:
            areas = np.flatnonzero(parent.terms.closed != terms.closed)
            touched = np.isin(network.source, areas) | np.isin(network.target, areas)
            dropped = frozenset(network.group[touched].tolist())
            self._cross = {group: cost for group, cost in parent.cross.items() if group not in dropped}

    @property
    def cross(self) -> dict[int, Float]:
        """Times from the entries of clusters to their exits, as far as they are known."""
        with self._lock:
            return dict(self._cross)

    @property
    def nbytes(self) -> int:
        """Bytes in memory, once all of it is in use."""
        terms, network = self.terms, self.network
        columns = (terms.time, terms.onward, terms.unit, terms.factor, terms.closed, terms.allowed)
        own = sum(column.nbytes for column in columns)
        exits = np.diff(network.exit_start)
        entries = np.bincount(network.group[network.entry], minlength=network.groups)
        return own + 20 * int((exits * entries).sum())

    def search(self) -> RouteSearch:
        """The search of the calling thread."""
        found: RouteSearch | None = getattr(self._local, "search", None)
        if found is None:
            found = self._local.search = RouteSearch(self.network, self.terms)
        return found

    def edges(self) -> tuple[Index, Int, Float]:
        """Times between portals (CSR by exit): entry of a cluster, and the cost from there to the exit."""
        with self._lock:
            if self._edges is None:
                self._edges = self._made_edges()
            return self._edges

    def _made_edges(self) -> tuple[Index, Int, Float]:
        network = self.network
        exits, entries, costs = [], [], []
        left, after = np.empty(len(network.source)), np.empty(len(network.source), np.int32)
        for group in range(network.groups):
            out = network.exit[network.exit_start[group] : network.exit_start[group + 1]]
            own = np.flatnonzero(network.group[network.entry] == group).astype(np.int32)
            if group not in self._cross:
                cost = np.empty((len(out), len(own)))
                cross_group(self.search(), group, network.entry[out], network.entry[own], left, after, cost)
                self._cross[group] = cost
            cost = self._cross[group]
            finite = np.isfinite(cost)
            exits.append(np.broadcast_to(out[:, None], cost.shape)[finite])
            entries.append(np.broadcast_to(own[None], cost.shape)[finite])
            costs.append(cost[finite])
        to, entry, cost = (np.concatenate([np.zeros(0), *part]) for part in (exits, entries, costs))
        order = np.argsort(to, kind="stable")
        start = starts_of(np.bincount(to.astype(np.int64), minlength=len(network.entry)))
        return start, entry[order].astype(np.int32), np.ascontiguousarray(cost[order])


class GoalTable:
    """Times from all links to one goal: an area, or a point of it. Clusters are filled when they are asked for.

    ``parent``: the same goal, for terms that differ only in closed areas. What does not depend on them is taken over.
    """

    def __init__(
        self, tables: TermTables, goal: int, point: Float | None = None, parent: GoalTable | None = None
    ) -> None:
        network = tables.network
        self.tables = tables
        self.goal = goal
        points = NO_POINTS if point is None else np.array(point, np.float64)[None]
        self._goals = Goals(np.array([goal], np.int32), points, point is not None)
        self.left: Float = np.empty(len(network.source))
        self.after: Int = np.empty(len(network.source), np.int32)
        self.filled = np.zeros(max(network.groups, 1), np.uint8)
        """(clusters,) whether the rows of its links in ``left`` and ``after`` are valid."""
        self.columns = GoalColumns(self.left, self.after, self.filled, np.empty(0), np.empty(0, np.int32))
        self.repaired = -1
        """Links that were searched again, because their routes pass areas closed since; −1: all were searched."""
        self._complete = False
        self._entry_left: Float | None = None
        self._areas: tuple[Float, Int] | None = None
        self._lock = threading.Lock()
        if parent is not None and parent.filled.all():
            self._repair(parent)

    @property
    def nbytes(self) -> int:
        """Bytes in memory, once all of it is in use."""
        areas = len(self.tables.network.out_start) - 1
        return self.left.nbytes + self.after.nbytes + 12 * areas + 8 * len(self.tables.network.entry) + 1024

    def fill(self, groups: Iterable[int] | None = None) -> None:
        """Make sure that the tables of some clusters, or of all, are filled."""
        if self._complete:
            return
        with self._lock:
            wanted = range(len(self.filled)) if groups is None else groups
            missing = [group for group in wanted if not self.filled[group]]
            if not missing:
                self._complete = bool(self.filled.all())
                return
            if self._entry_left is None and (groups is None or self.tables.goals < PLAIN_GOALS):
                self._search_plainly()
                return
            if self._entry_left is None:
                self._entry_left = self._settled()
            for group in missing:
                self._fill(group, self._entry_left)

    def of_areas(self, centre: Float) -> tuple[Float, Int]:
        """(areas,) time from the middle of each area, and the link to take first; −1: none."""
        if self._areas is None:
            self.fill()
            number = np.arange(len(centre), dtype=np.int32)
            areas = self.times(number, centre)
            self.columns = GoalColumns(self.left, self.after, self.filled, *areas)
            self._areas = areas
        return self._areas

    def times(self, area: Int, point: Float) -> tuple[Float, Int]:
        """(n,) time from points of areas, and the link to take first; −1: none. Their clusters must be filled."""
        time, link = np.empty(len(area)), np.empty(len(area), np.int32)
        times_from(self.tables.search(), area, point, self.left, self._goals, time, link)
        return time, link

    def _search_plainly(self) -> None:
        tables = self.tables
        search_all(tables.search(), self._goals, self.left, self.after)
        self.filled[:] = 1
        tables.goals += 1

    def _repair(self, parent: GoalTable) -> None:
        self.left[:], self.after[:] = parent.left, parent.after
        changed = np.flatnonzero(parent.tables.terms.closed != self.tables.terms.closed).astype(np.int32)
        self.repaired = repair(self.tables.search(), changed, self._goals, self.left, self.after)
        self.filled[:] = 1

    def _settled(self) -> Float:
        """(entries,) what is left from the start of each entry."""
        tables, network = self.tables, self.tables.network
        edges = tables.edges()
        value = np.full(len(network.entry), np.inf)
        left, after = np.empty(len(network.source)), np.empty(len(network.source), np.int32)
        none, nothing = np.zeros(0, np.int32), np.zeros(0)
        into = network.in_link[network.in_start[self.goal] : network.in_start[self.goal + 1]]
        for group in distinct(network.group[into]).tolist():
            search_group(tables.search(), group, self._goals, none, nothing, left, after)
            own = network.group[network.entry] == group
            value[own] = left[network.entry[own]]
        solve_portals(*edges, value)
        return value

    def _fill(self, group: int, value: Float) -> None:
        network = self.tables.network
        exits = network.exit[network.exit_start[group] : network.exit_start[group + 1]]
        search = self.tables.search()
        search_group(search, group, self._goals, network.entry[exits], value[exits], self.left, self.after)
        self.filled[group] = 1


class TableCache:
    """Tables by key, the least recently used dropped first when they take more than ``limit`` bytes."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._kept: OrderedDict[Hashable, TermTables | GoalTable] = OrderedDict()
        self._size: dict[Hashable, int] = {}
        self._lock = threading.Lock()
        self._total = 0

    @property
    def nbytes(self) -> int:
        """Bytes of all tables that are kept."""
        with self._lock:
            return self._total

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> TermTables | GoalTable | None:
        """The tables of a key, which become the most recently used."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def get_many(self, keys: Iterable[Hashable]) -> list[TermTables | GoalTable | None]:
        """The tables of many keys, each as ``get`` returns it."""
        with self._lock:
            found = []
            for key in keys:
                found.append(self._kept.get(key))
                if found[-1] is not None:
                    self._kept.move_to_end(key)
            return found

    def put(self, key: Hashable, made: TermTables | GoalTable) -> TermTables | GoalTable:
        """Keep tables, unless another thread was faster. Return those that are kept."""
        with self._lock:
            found = self._kept.setdefault(key, made)
            self._kept.move_to_end(key)
            size = found.nbytes
            self._total += size - self._size.get(key, 0)
            self._size[key] = size
            while self._total > self.limit and len(self._kept) > 1:
                oldest, _ = self._kept.popitem(last=False)
                self._total -= self._size.pop(oldest)
            return found
