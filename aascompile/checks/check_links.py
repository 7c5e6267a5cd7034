"""Requirements of links, clusters and sight. Their structure must have been checked before."""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile import tolerances
from aascompile.checks.check_areas import has, heights, may_be_uneven, wide_faces
from aascompile.checks.check_structure import of_clusters, of_links, of_sight
from aascompile.checks.requirement import Mask, Requirement, Rows, repeated, rows_in, rows_where
from aascompile.csr import owners_of, rows_of
from aascompile.geometry.vectors import flat_lengths
from aascompile.model.by_hand import LINK
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.links import (
    CARRIED,
    JUMPS,
    MEASURED,
    MOST_TIME,
    Links,
    MissCost,
    Tier,
    Travel,
    are_of,
    tier_speeds,
)
from aascompile.model.mapdata import Float, Index, Int
from aascompile.model.sight import Sight
from aascompile.sampling.locate import areas_at, fall
from aascompile.sampling.sample import tree_of
from aascompile.sampling.shape import nearest_areas, polygons_of
from aascompile.settings_file import settings_from_json

WALK_STRIDE: Final = 1.0
"""Units between the points of a walk at which its floor is looked for."""


def _order(it: Compiled, links: Links) -> Rows:
    key = np.stack([links.source, links.kind, links.target], axis=1).astype(np.int64)
    step = np.diff(key, axis=0)
    first = np.where(step[:, 0] != 0, step[:, 0], np.where(step[:, 1] != 0, step[:, 1], step[:, 2]))
    return 1 + np.flatnonzero(first < 0)


def _distinct_starts(it: Compiled, links: Links) -> Rows:
    key = np.hstack([np.stack([links.source, links.target, links.kind], axis=1), links.start])
    return repeated(key)


def _ends(it: Compiled, links: Links) -> Rows:
    free = np.flatnonzero(~np.isin(links.kind, CARRIED))
    astray = [free[_outside(it, area[free], point[free])] for area, point in _both_ends(links)]
    swims = astray[0][links.kind[astray[0]] == Travel.SWIM]
    swims = swims[~_outside(it, links.target[swims], links.start[swims])]
    past = swims[~_outside(it, links.source[swims], links.start[swims], tolerances.SWIM_PAST + tolerances.LINK_END)]
    return rows_in(np.concatenate([np.setdiff1d(astray[0], past), astray[1]]))


def _both_ends(links: Links) -> tuple[tuple[Int, Float], tuple[Int, Float]]:
    return (links.source, links.start), (links.target, links.end)


def _outside(it: Compiled, area: Int, point: Float, most: float = tolerances.LINK_END) -> Mask:
    """Whether each point lies farther outside its area than ``most``, by default than a player's origin may.

    As for convexity, a face no wider than FACE_WIDE does not count.
    """
    areas = it.areas
    row = rows_of(areas.area_start, area)
    owner = np.repeat(np.arange(len(area)), np.diff(areas.area_start)[area])
    face = areas.area_face[row]
    side = np.where(areas.face_front[face] == area[owner], 1.0, -1.0)
    out = np.zeros(len(area), np.bool_)
    far = heights(areas, areas.face_plane[face], point[owner]) * side < -most
    out[owner[far & wide_faces(areas)[face]]] = True
    # An area that is not convex has no side on which all of it lies: measure how far away it is instead.
    tree, polygons = tree_of(areas), polygons_of(areas)
    bent = np.flatnonzero(out & may_be_uneven(it)[area])
    inside = areas_at(tree, point[bent] + (0.0, 0.0, tolerances.LINK_END)) == area[bent]
    out[bent[inside]] = False
    for row in bent[~inside].tolist():
        only = np.zeros(len(areas), np.bool_)
        only[area[row]] = True
        out[row] = nearest_areas(tree, polygons, point[None, row], only).distance[0] > most
    return out


def _hazard(it: Compiled, links: Links) -> Rows:
    return rows_where(has(it.areas.area_contents, Kind.LAVA | Kind.SLIME)[links.target])


def _jump_columns(it: Compiled, links: Links) -> Rows:
    none = (links.needed_speed == -1.0) & (links.tier == -1)
    jumps = np.isin(links.kind, JUMPS) & (links.needed_speed >= 0.0) & np.isin(links.tier, list(Tier))
    return rows_where(~(none | jumps) | ~np.isfinite(links.needed_speed))


def _margins(it: Compiled, links: Links) -> Rows:
    values = np.stack([links.arrives, links.dies, links.room, links.landing_speed, links.miss.astype(np.float64)])
    none = (values == -1.0).all(axis=0)
    measured = are_of(links.kind, MEASURED) & np.isin(links.miss, list(MissCost))
    measured &= (
        (links.arrives >= 0.0) & (links.dies >= 0.0) & (links.arrives + links.dies <= 1.0 + tolerances.VOLUME_SHARE)
    )
    landed = (links.room >= 0.0) & (links.landing_speed >= 0.0)
    measured &= landed | ((links.room == -1.0) & (links.landing_speed == -1.0))
    measured &= (links.miss == MissCost.LIFE) | (links.dies == 0.0)
    return rows_where(~(none | measured) | ~np.isfinite(values).all(axis=0))


def _jump_tiers(it: Compiled, links: Links) -> Rows:
    rows = np.flatnonzero(np.isin(links.tier, list(Tier)))
    most = tier_speeds(settings_from_json(it.provenance.settings, it.provenance.name).physics.walk_speed)
    slow = np.isin(links.tier[rows], (Tier.STANDING, Tier.RUNNING))
    wrong = links.needed_speed[rows] > most[links.tier[rows]]
    wrong |= (links.kind[rows] == Travel.JUMP) & ~slow
    wrong |= (links.kind[rows] == Travel.STRAFE_JUMP) & slow
    return rows[wrong]


def _over_gaps(it: Compiled, links: Links) -> Rows:
    """Walks with a place between start and end where the floor is more than a step lower or higher than before it.

    The engine's file, which has no places, does not say which walks lead over a resting plat: none are reported.
    """
    if it.places is None:
        return np.zeros(0, np.int64)
    physics = settings_from_json(it.provenance.settings, it.provenance.name).physics
    step = physics.max_step
    rows = np.flatnonzero((links.kind == Travel.WALK) & (links.model < 0) & (links.entity < 0))
    start, line = links.start[rows], (links.end - links.start)[rows]
    far = flat_lengths(line)
    floor, over = start[:, 2].copy(), np.zeros(len(rows), np.bool_)
    tree, gone = tree_of(it.areas), WALK_STRIDE / 2
    while (left := np.flatnonzero((far > gone) & ~over)).size:
        high = start[left] + (gone / far[left])[:, None] * line[left]
        high[:, 2] = floor[left] + step
        free = areas_at(tree, high) >= 0
        below = high[~free, None] - np.outer(np.arange(0.0, step), (0.0, 0.0, 1.0))  # free: under a low ceiling
        over[left[~free]] = (areas_at(tree, below).reshape(below.shape[:2]) < 0).all(axis=1)
        left, high = left[free], high[free]
        down = fall(tree, high, 2 * step + tolerances.LINK_END)
        over[left] = down.fraction >= 1.0
        floor[left] = np.where(down.normal[:, 2] >= physics.floor_up, down.end[:, 2], floor[left])
        gone += WALK_STRIDE
    return rows[over]


def _by_hand(it: Compiled, links: Links) -> Rows:
    ours = np.array([name.lower() == LINK for name in it.entities.classname] + [True], np.bool_)  # the last: none
    return rows_where(~ours[links.entity])


def _two_clusters(it: Compiled, clusters: Clusters) -> Rows:
    pair = clusters.portal_cluster
    return rows_where((pair < 0).any(axis=1) | (pair[:, 0] == pair[:, 1]))


def _portal_areas(it: Compiled, clusters: Clusters) -> Rows:
    is_portal = clusters.area_portal >= 0
    bad = is_portal & ((clusters.area_cluster >= 0) | (clusters.area_number >= 0))
    owner = np.full(len(it.areas), -1, np.int64)
    owner[clusters.portal_area] = np.arange(len(clusters.portal_area))
    return rows_where(bad | (owner != clusters.area_portal))


def _clusters_of(clusters: Clusters, area: Int) -> Index:
    """(n, 2) clusters of each area: both of a portal, the same cluster twice for any other area; −1: none."""
    portal = clusters.area_portal[area]
    own = np.repeat(clusters.area_cluster[area][:, None], 2, axis=1).astype(np.int64)
    if len(clusters.portal_area):
        own = np.where(portal[:, None] >= 0, clusters.portal_cluster[portal], own)
    return own


def _stays(it: Compiled, clusters: Clusters) -> Rows:
    if it.links is None:
        return np.zeros(0, np.int64)
    here, there = _clusters_of(clusters, it.links.source), _clusters_of(clusters, it.links.target)
    same = (here[:, :, None] == there[:, None, :]) & (here[:, :, None] >= 0)
    return rows_where(~same.any(axis=(1, 2)))


def _linked_portals(it: Compiled, clusters: Clusters) -> Rows:
    if it.links is None or not len(clusters.portal_area):
        return np.zeros(0, np.int64)
    here, there = clusters.area_portal[it.links.source], clusters.area_portal[it.links.target]
    pair = np.sort(clusters.portal_cluster, axis=1)
    return rows_where((here >= 0) & (there >= 0) & (pair[here] != pair[there]).any(axis=1))


def _members(clusters: Clusters) -> tuple[Index, Index, Mask]:
    """Cluster of every member, its number there, and whether it is a portal; areas first, then portals."""
    own = np.flatnonzero(clusters.area_cluster >= 0)
    portal = np.flatnonzero((clusters.portal_cluster >= 0).all(axis=1))
    cluster = np.concatenate([clusters.area_cluster[own], clusters.portal_cluster[portal].reshape(-1)]).astype(np.int64)
    number = np.concatenate([clusters.area_number[own], clusters.portal_number[portal].reshape(-1)]).astype(np.int64)
    return cluster, number, np.arange(len(cluster)) >= len(own)


def _counts(it: Compiled, clusters: Clusters) -> Rows:
    cluster, _, portal = _members(clusters)
    members = np.bincount(cluster, minlength=len(clusters))
    least = np.bincount(cluster[portal], minlength=len(clusters))
    bad = (
        (members != clusters.cluster_areas) | (clusters.cluster_routing < least) | (clusters.cluster_routing > members)
    )
    return rows_where(bad)


def _numbers(it: Compiled, clusters: Clusters) -> Rows:
    cluster, number, _ = _members(clusters)
    bad = (number < 0) | (number >= clusters.cluster_areas[cluster])
    again = repeated(np.stack([cluster, number], axis=1))
    return rows_in(np.concatenate([cluster[bad], cluster[again]]))


def _numbering(it: Compiled, clusters: Clusters) -> Rows:
    """Clusters with wrong numbering. An area that has only incoming links may be in the first or the last group."""
    cluster, number, portal = _members(clusters)
    portals = np.bincount(cluster[portal], minlength=len(clusters))
    last = clusters.cluster_routing[cluster]
    first = last - portals[cluster]
    bad = portal & ((number < first) | (number >= last))
    if it.links is not None:
        own = np.flatnonzero(clusters.area_cluster >= 0)
        out = np.diff(it.links.area_start)[own] > 0
        linked = out | np.isin(own, it.links.target)
        bad[: len(own)] |= out & (number[: len(own)] >= first[: len(own)])
        bad[: len(own)] |= ~linked & (number[: len(own)] < last[: len(own)])
    return rows_in(cluster[bad])


def _cluster_portals(it: Compiled, clusters: Clusters) -> Rows:
    count = len(clusters.portal_area)
    listed = owners_of(clusters.cluster_portal_start) * count + clusters.cluster_portal
    pair = clusters.portal_cluster.astype(np.int64)
    expected = (pair * count + np.arange(count)[:, None])[pair >= 0]
    wrong = np.concatenate([np.setxor1d(listed, expected), listed[repeated(listed)]])
    return rows_in(wrong // max(count, 1))


def _mutual(it: Compiled, sight: Sight) -> Rows:
    """Views without an equal view back: sorted both ways, the two lists of pairs must be the same."""
    count, source = len(it.areas), owners_of(sight.start)
    there, back = source * count + sight.area, sight.area.astype(np.int64) * count + source
    order = np.argsort(back, kind="stable")
    same = (there == back[order]) & (sight.share == sight.share[order])
    return rows_where(~same)


OF_LINKS: tuple[Requirement, ...] = (
    Requirement(
        "L4", "links", "source and target differ", of_links(lambda it, links: rows_where(links.source == links.target))
    ),
    Requirement("L5", "links", "they are sorted by source, kind and target", of_links(_order)),
    Requirement(
        "L6", "links", "links with equal source, target and kind start at different points", of_links(_distinct_starts)
    ),
    Requirement(
        "L7", "links", "the kind is known", of_links(lambda it, links: rows_where(~np.isin(links.kind, list(Travel))))
    ),
    Requirement(
        "L8",
        "links",
        "time is 1 to 65,535",
        of_links(lambda it, links: rows_where((links.time < 1) | (links.time > MOST_TIME))),
    ),
    Requirement(
        "L9",
        "links",
        "start and end are in source and target, within LINK_END of wide faces, unless an entity carries the player; a "
        "swim may start in its target, at most SWIM_PAST from its source",
        of_links(_ends),
    ),
    Requirement("L10", "links", "no link ends in lava or slime", of_links(_hazard)),
    Requirement(
        "L11",
        "links",
        "a walk has floor within a step all along, unless a model moves there or it was added by hand",
        of_links(_over_gaps),
    ),
    Requirement(
        "L12",
        "links",
        "jumps over a gap have a needed speed and a tier, or neither; others have none",
        of_links(_jump_columns),
    ),
    Requirement(
        "L13",
        "links",
        "the tier gives the needed speed; it is running at most for a jump, more for a strafe jump",
        of_links(_jump_tiers),
    ),
    Requirement(
        "L14",
        "links",
        "links that bots run at have shares of bots that arrive and die, room and speed of a landing, and the cost "
        "of a miss, or no margins; others have none",
        of_links(_margins),
    ),
    Requirement("L15", "links", "the entity of a link that was added by hand is an aas_link", of_links(_by_hand)),
    Requirement("C5", "portals", "the two clusters exist and differ", of_clusters(_two_clusters)),
    Requirement(
        "C6",
        "areas",
        "the area of a portal names it, and has no cluster and number of its own",
        of_clusters(_portal_areas),
    ),
    Requirement("C7", "links", "both ends share a cluster; a portal has two", of_clusters(_stays)),
    Requirement(
        "C8", "clusters", "areas counts all members, routing the portals and at most all", of_clusters(_counts)
    ),
    Requirement("C9", "clusters", "members are numbered from 0, each once", of_clusters(_numbers)),
    Requirement(
        "C10",
        "clusters",
        "areas that links leave are numbered first, then portals, then areas without links",
        of_clusters(_numbering),
    ),
    Requirement("C11", "clusters", "its portals are those that name it, each once", of_clusters(_cluster_portals)),
    Requirement("C12", "links", "portals it joins have the same two clusters", of_clusters(_linked_portals)),
    Requirement("S3", "views", "two areas see each other by the same share", of_sight(_mutual)),
)
"""In the order in which they are checked."""
