"""Requirements of planes, vertices, edges, faces, areas and the tree. Their structure must have been checked before."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.checks.requirement import Mask, Requirement, Rows, repeated, rows_in, rows_where
from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.distinct import distinct
from aascompile.geometry.outline_kernel import Outline
from aascompile.geometry.vectors import products
from aascompile.geometry.width_kernel import widths
from aascompile.model.areas import AreaFlag, Areas, FaceFlag
from aascompile.model.compiled import Compiled
from aascompile.model.contents import FLOWS, TAKES_AWAY, WET, AreaContents, Kind
from aascompile.model.mapdata import Bits, Float, Index
from aascompile.sampling.ground import GroundEdges, going_on, ground_edges
from aascompile.sampling.sample import tree_of
from aascompile.settings_file import settings_from_json

KNOWN_CONTENTS = np.uint32(Kind.HURT | FLOWS | sum(AreaContents))
DEPTHS = tuple(tolerances.FACE_DEPTH * share for share in (1.0, 0.5, 0.25, 0.125))
"""Units behind a face of an area that is not convex at which the area is looked for: it may have thin parts."""

LEAST_RIM = 2
"""Points of an edge, of five, behind which no ground continues: one alone may lie where several steps meet."""

MOST_PAIRS = 1 << 22
"""Number of corners compared with planes at a time."""


def has(bits: Bits, flag: int) -> Mask:
    """Whether each row has one of these bits."""
    found: Mask = (bits & np.uint32(flag)) != 0
    return found


# --- geometry that several checks need --------------------------------------------------------------------------------


def followers(start: Index) -> Index:
    """For each corner, the next corner of its face."""
    follower = np.arange(1, start[-1] + 1)
    follower[start[1:] - 1] = start[:-1]
    return follower


def face_vectors(areas: Areas) -> Float:
    """(f, 3) vector of each face: twice its area, along the normal about which its corners run counter-clockwise."""
    point = areas.vertex[areas.face_vertex]
    first = point[areas.face_start[:-1]]
    owner = owners_of(areas.face_start)
    cross = np.cross(point - first[owner], point[followers(areas.face_start)] - first[owner])
    total = np.zeros((len(first), 3))
    np.add.at(total, owner, cross)
    return total


def sides(areas: Areas) -> tuple[Index, Float]:
    """For each face of each area: the area, and 1 if it lies in front of the face or −1 if behind."""
    owner = owners_of(areas.area_start)
    return owner, np.where(areas.face_front[areas.area_face] == owner, 1.0, -1.0)


def heights(areas: Areas, plane: NDArray[np.integer], point: Float) -> Float:
    """Distances of points in front of planes, row by row."""
    height: Float = (areas.planes.normal[plane] * point).sum(axis=1) - areas.planes.dist[plane]
    return height


def located(areas: Areas, point: Float) -> Index:
    """Area that the tree finds for each point; −1: solid."""
    at = np.zeros(len(point), np.int64)
    if not len(areas.node_plane):
        return at - 1
    active = np.arange(len(point))
    while len(active):
        node = at[active]
        behind = heights(areas, areas.node_plane[node], point[active]) <= 0
        at[active] = areas.node_child[node, behind.astype(np.int64)]
        active = active[at[active] >= 0]
    return np.where(at == -1, -1, -2 - at)


def area_corners(areas: Areas) -> tuple[Index, Index]:
    """CSR of the vertices of each area, each once."""
    faces = rows_of(areas.face_start, areas.area_face)
    owner = np.repeat(owners_of(areas.area_start), np.diff(areas.face_start)[areas.area_face])
    key = distinct(owner * len(areas.vertex) + areas.face_vertex[faces])
    owner, vertex = np.divmod(key, max(len(areas.vertex), 1))
    return starts_of(np.bincount(owner, minlength=len(areas))), vertex


def wide_faces(areas: Areas, least: float = tolerances.FACE_WIDE) -> NDArray[np.bool_]:
    """(f,) whether each face is wider than this."""
    width = np.empty(len(areas.face_plane))
    widths(areas.face_start, areas.vertex[areas.face_vertex], width)
    return width > least


def dents(areas: Areas, wanted: Mask) -> Float:
    """(a,) greatest distance of a corner of each of these areas outside one of the area's planes; 0 for other areas.

    A face no wider than FACE_WIDE does not count: without it, the area would be at most that much wider.
    """
    owner, side = sides(areas)
    mine = np.flatnonzero(wanted[owner])
    owner, side, faces = owner[mine], side[mine], areas.area_face[mine]
    wide = wide_faces(areas)[faces]
    corner_start, corner = area_corners(areas)
    worst = np.zeros(len(areas))
    ends = np.cumsum(np.diff(corner_start)[owner])
    begin = 0
    while begin < len(owner):
        done = ends[begin - 1] if begin else 0
        end = max(int(np.searchsorted(ends, done + MOST_PAIRS, side="right")), begin + 1)
        row = np.repeat(np.arange(begin, end), np.diff(corner_start)[owner[begin:end]])
        point = areas.vertex[corner[rows_of(corner_start, owner[begin:end])]]
        height = heights(areas, areas.face_plane[faces[row]], point) * side[row]
        np.maximum.at(worst, owner[row], np.where(wide[row], -height, 0.0))
        begin = end
    return worst


def is_walkable(it: Compiled) -> bool:
    """Whether the map was compiled with floors as players walk them, so that areas need not be convex.

    The engine's file does not say. It is assumed.
    """
    stored = json.loads(it.provenance.settings)
    areas = stored.get("areas") if isinstance(stored, dict) else None
    return areas is None or (isinstance(areas, dict) and areas.get("walkable") is True)


def may_be_uneven(it: Compiled) -> Mask:
    """(a,) which areas need not be convex: with areas.walkable, dry ones without a ladder, door or cluster portal."""
    areas = it.areas
    if not is_walkable(it):
        return np.zeros(len(areas), np.bool_)
    kept = has(areas.area_contents, int(WET | Kind.CLUSTERPORTAL | Kind.MOVER)) | has(areas.area_flags, AreaFlag.LADDER)
    free: Mask = ~kept
    return free


def plan_dents(it: Compiled, area: Mask) -> Float:
    """(a,) how deep the outline of the ground of these areas lies inside its convex hull, seen from above."""
    areas, physics = it.areas, settings_from_json(it.provenance.settings, it.provenance.name).physics
    edges = ground_edges(areas)
    worst = np.zeros(len(areas))
    row = np.flatnonzero(edges.rim & area[edges.area] & (edges.length > tolerances.PLAN_CONVEX))
    point, inner = going_on(edges, row, tree_of(areas), physics)
    # Under a low ceiling, ground may be seen from above a step, but not from below it.
    lower, upper = _opposite_edges(edges, row, physics.max_step)
    inner[:, lower] |= inner[::-1, upper]
    inner |= (~inner).sum(axis=0) < LEAST_RIM
    outline = Outline()
    for number in distinct(edges.area[row]).tolist():
        outline.enclose(np.ascontiguousarray(edges.a[edges.area_start[number] : edges.area_start[number + 1], :2]))
        mine = edges.area[row] == number
        rim = point[:, mine, :2][~inner[:, mine]]
        worst[number] = outline.depths(np.ascontiguousarray(rim)).max(initial=0.0)
    return worst


def _opposite_edges(edges: GroundEdges, row: Index, step: float) -> tuple[Index, Index]:
    """Pairs of these edges that run opposite ways round ground of one area, one above the other, at most a step."""
    a, b, area = edges.a[row], edges.b[row], edges.area[row].tolist()
    ends = [np.rint(end[:, :2] / tolerances.MERGE).tolist() for end in (a, b)]
    known = {(of, *start, *end): number for number, (of, start, end) in enumerate(zip(area, *ends, strict=True))}
    other = [known.get((of, *end, *start), -1) for of, start, end in zip(area, *ends, strict=True)]
    first = np.flatnonzero(np.array(other, np.int64) >= 0)
    second = np.array(other, np.int64)[first]
    near = (np.abs(a[first] - b[second])[:, 2] <= step) & (np.abs(b[first] - a[second])[:, 2] <= step)
    return first[near], second[near]


# --- planes, vertices, edges ------------------------------------------------------------------------------------------


def _opposite(it: Compiled) -> Rows:
    normal, dist = it.areas.planes.normal, it.areas.planes.dist
    bad = (normal[0::2] != -normal[1::2]).any(axis=1) | (dist[0::2] != -dist[1::2])
    return 2 * np.flatnonzero(bad)


def _unit(it: Compiled) -> Rows:
    length = np.sqrt((it.areas.planes.normal**2).sum(axis=1))
    return rows_where(np.abs(length - 1) > tolerances.PLANE_NORMAL)


def _apart(it: Compiled) -> Rows:
    vertex = it.areas.vertex
    same = repeated(vertex)
    if len(same) or len(vertex) < 2:
        return same
    from scipy.spatial import cKDTree

    gap = np.asarray(cKDTree(vertex).query(vertex, k=2, distance_upper_bound=tolerances.MIN_EDGE)[0])
    return rows_where(gap[:, 1] < tolerances.MIN_EDGE)


def _edge_order(it: Compiled) -> Rows:
    return rows_where(it.areas.edge[:, 0] >= it.areas.edge[:, 1])


def _edge_faces(it: Compiled) -> Rows:
    return rows_where(np.bincount(it.areas.face_edge, minlength=len(it.areas.edge)) < 2)


# --- faces ------------------------------------------------------------------------------------------------------------


def _corner_edges(it: Compiled) -> Rows:
    areas = it.areas
    ends = np.stack([areas.face_vertex, areas.face_vertex[followers(areas.face_start)]], axis=1)
    bad = (np.sort(ends, axis=1) != np.sort(areas.edge[areas.face_edge], axis=1)).any(axis=1)
    return rows_in(owners_of(areas.face_start)[bad])


def _corner_twice(it: Compiled) -> Rows:
    owner = owners_of(it.areas.face_start)
    again = repeated(owner * (len(it.areas.vertex) + 1) + it.areas.face_vertex)
    return rows_in(owner[again])


def _flat(it: Compiled) -> Rows:
    areas = it.areas
    owner = owners_of(areas.face_start)
    height = heights(areas, areas.face_plane[owner], areas.vertex[areas.face_vertex])
    return rows_in(owner[np.abs(height) > tolerances.FACE_FLAT])


def _counter_clockwise(it: Compiled) -> Rows:
    normal = it.areas.planes.normal[it.areas.face_plane]
    return rows_where(((face_vectors(it.areas) * normal).sum(axis=1) <= 0) & wide_faces(it.areas))


def _face_convex(it: Compiled) -> Rows:
    """Faces with a corner behind the line between its neighbours. Short edges are ignored, and so are narrow faces:
    welding may have turned them."""
    areas = it.areas
    owner = owners_of(areas.face_start)
    after = followers(areas.face_start)
    before = np.empty_like(after)
    before[after] = np.arange(len(after))
    point = areas.vertex[areas.face_vertex]
    across = point[after] - point[before]
    across /= np.maximum(np.sqrt((across**2).sum(axis=1)), tolerances.CLIP)[:, None]
    inward = np.cross(areas.planes.normal[areas.face_plane[owner]], across)
    dent = (inward * (point - point[before])).sum(axis=1)
    dented = rows_in(owner[dent > tolerances.FACE_CONVEX])
    return dented[wide_faces(areas)[dented]] if len(dented) else dented


def _faces_front(it: Compiled) -> Rows:
    areas = it.areas
    owner, side = sides(areas)
    start, corner = area_corners(areas)
    inside = np.zeros((len(areas), 3))
    np.add.at(inside, owners_of(start), areas.vertex[corner])
    inside /= np.maximum(np.diff(start), 1)[:, None]
    height = heights(areas, areas.face_plane[areas.area_face], inside[owner])
    wrong = (height * side <= 0) & wide_faces(areas)[areas.area_face] & ~may_be_uneven(it)[owner]
    return rows_in(areas.area_face[wrong])


def _face_flags(it: Compiled) -> Rows:
    areas, flags = it.areas, it.areas.face_flags
    open_face = (areas.face_front >= 0) & (areas.face_back >= 0)
    bad = has(flags, ~sum(FaceFlag) & 0xFFFFFFFF)
    bad |= has(flags, FaceFlag.SOLID) == open_face
    bad |= open_face & has(flags, FaceFlag.GROUND | FaceFlag.LADDER)
    bad |= ~open_face & has(flags, FaceFlag.GAP | FaceFlag.LIQUIDSURFACE)
    return rows_where(bad)


def _ground_up(it: Compiled) -> Rows:
    areas = it.areas
    up = areas.planes.normal[areas.face_plane, 2] * np.where(areas.face_front >= 0, 1.0, -1.0)
    return rows_where(has(areas.face_flags, FaceFlag.GROUND) & (up <= 0.0))


def _face_liquid(it: Compiled) -> Rows:
    areas = it.areas
    wet = np.append(has(areas.area_contents, int(WET)), False)  # the last row stands for solid
    front, back = wet[areas.face_front], wet[areas.face_back]
    open_face = (areas.face_front >= 0) & (areas.face_back >= 0)
    bad = has(areas.face_flags, FaceFlag.LIQUID) != (front | back)
    bad |= has(areas.face_flags, FaceFlag.LIQUIDSURFACE) != (open_face & (front != back))
    return rows_where(bad)


# --- areas ------------------------------------------------------------------------------------------------------------


def _area_faces(it: Compiled) -> Rows:
    areas, faces = it.areas, len(it.areas.face_plane)
    both = np.concatenate([areas.face_front, areas.face_back]).astype(np.int64)
    expected = both * faces + np.tile(np.arange(faces), 2)
    expected = np.sort(expected[both >= 0])
    listed = owners_of(areas.area_start) * faces + areas.area_face
    if np.array_equal(listed, expected):
        return np.zeros(0, np.int64)
    unsorted = np.flatnonzero(np.diff(listed) <= 0)
    wrong = np.concatenate([np.setxor1d(listed, expected), listed[unsorted]])
    return rows_in(wrong // max(faces, 1))


def _presence(it: Compiled) -> Rows:
    every = int(np.bitwise_or.reduce(it.boxes.presence))
    return rows_where((it.areas.area_presence == 0) | has(it.areas.area_presence, ~every & 0xFFFFFFFF))


def _closed(it: Compiled) -> Rows:
    """Areas with an edge at which they are open.

    An area that has to be convex (A9) can touch itself too: in the tip of a wedge, where it is thinner than the weld.
    """
    areas = it.areas
    owner, side = sides(areas)
    corner = rows_of(areas.face_start, areas.area_face)
    size = np.diff(areas.face_start)[areas.area_face]
    edge = areas.face_edge[corner]
    along = np.where(areas.edge[edge, 0] == areas.face_vertex[corner], 1.0, -1.0) * np.repeat(side, size)
    key, row = np.unique(np.repeat(owner, size) * len(areas.edge) + edge, return_inverse=True)
    balance = np.bincount(row, weights=along, minlength=len(key))
    times = np.bincount(row, minlength=len(key))
    area = key // max(len(areas.edge), 1)
    return rows_in(area[(balance != 0) | (times % 2 != 0)])


def _sealed(it: Compiled) -> Rows:
    areas = it.areas
    owner, side = sides(areas)
    total = np.zeros((len(areas), 3))
    np.add.at(total, owner, face_vectors(areas)[areas.area_face] * side[:, None] / 2)
    return rows_where(np.abs(total) > tolerances.MIN_AREA)


def volumes(areas: Areas) -> Float:
    """(a,) volumes of the areas: the sum of the cones from an area's centre to its faces."""
    owner, side = sides(areas)
    face = areas.area_face
    apex = areas.area_centre[owner] - areas.vertex[areas.face_vertex[areas.face_start[face]]]
    cone = (face_vectors(areas)[face] * apex).sum(axis=1) * side / 6
    total: Float = np.bincount(owner, weights=cone, minlength=len(areas)).astype(np.float64)
    return total


def _volume(it: Compiled) -> Rows:
    given, found = it.areas.area_volume, volumes(it.areas)
    slack = tolerances.VOLUME_SHARE * np.abs(found) + tolerances.MIN_VOLUME
    return rows_where((given <= 0) | (np.abs(given - found) > slack))


def _convex(it: Compiled) -> Rows:
    may = may_be_uneven(it)
    most = tolerances.PLAN_CONVEX + tolerances.GROUND_CONVEX + tolerances.AREA_CONVEX
    deep = plan_dents(it, may) > most
    return rows_where(dents(it.areas, ~may | deep) > tolerances.AREA_CONVEX)


def _bounds(it: Compiled) -> Rows:
    areas = it.areas
    start, corner = area_corners(areas)
    owner = owners_of(start)
    mins, maxs = np.full((len(areas), 3), np.inf), np.full((len(areas), 3), -np.inf)
    np.minimum.at(mins, owner, areas.vertex[corner])
    np.maximum.at(maxs, owner, areas.vertex[corner])
    return rows_where((areas.area_mins != mins) | (areas.area_maxs != maxs))


def _area_flags(it: Compiled) -> Rows:
    areas, owner = it.areas, owners_of(it.areas.area_start)
    bad = has(areas.area_flags, ~sum(AreaFlag) & 0xFFFFFFFF)
    bad |= has(areas.area_flags, AreaFlag.LIQUID) != has(areas.area_contents, int(WET))
    for of_face, of_area in ((FaceFlag.GROUND, AreaFlag.GROUNDED), (FaceFlag.LADDER, AreaFlag.LADDER)):
        found = np.zeros(len(areas), np.bool_)
        found[owner[has(areas.face_flags[areas.area_face], of_face)]] = True
        bad |= has(areas.area_flags, of_area) != found
    return rows_where(bad)


def _contents(it: Compiled) -> Rows:
    contents, model = it.areas.area_contents, it.areas.area_model
    bad = has(contents, ~int(KNOWN_CONTENTS) & 0xFFFFFFFF) | (has(contents, Kind.MOVER) != (model >= 0)) | (model < -1)
    return rows_where(bad)


def _triggers(it: Compiled) -> Rows:
    takes, trigger = has(it.areas.area_contents, TAKES_AWAY), it.areas.area_trigger
    known = (trigger >= 0).any()
    return rows_where(((trigger >= 0) & ~takes) | (takes & (trigger < 0) & known) | (trigger < -1))


def _no_gap(it: Compiled) -> Rows:
    areas = it.areas
    owner, side = sides(areas)
    above = areas.planes.normal[areas.face_plane[areas.area_face], 2] * side > 0
    gap, ground = np.zeros(len(areas), np.bool_), np.zeros(len(areas), np.bool_)
    gap[owner[above & has(areas.face_flags[areas.area_face], FaceFlag.GAP)]] = True
    ground[owner[above & has(areas.face_flags[areas.area_face], FaceFlag.GROUND)]] = True
    return rows_where(gap & ground & ~has(areas.area_contents, int(WET)))


# --- the tree ---------------------------------------------------------------------------------------------------------


def _in_tree(it: Compiled) -> Rows:
    child = it.areas.node_child
    found = np.zeros(len(it.areas), np.bool_)
    found[-2 - child[child <= -2]] = True
    return rows_where(~found)


def _lost(areas: Areas, owner: NDArray[np.integer], point: Float) -> Rows:
    """Areas with a point that the tree finds elsewhere, except for points within the tree's tolerance of a face."""
    lost = np.flatnonzero(located(areas, point) != owner)
    wide = wide_faces(areas) if len(lost) else np.zeros(0, np.bool_)
    far = [row for row in lost if abs(_depth(areas, int(owner[row]), point[row], wide)) > tolerances.ON_PLANE]
    return rows_in(owner[np.array(far, np.int64)])


def _depth(areas: Areas, area: int, point: Float, wide: NDArray[np.bool_]) -> float:
    """Least distance of a point behind the wide faces of an area."""
    face = areas.area_face[areas.area_start[area] : areas.area_start[area + 1]]
    face = face[wide[face]]
    side = np.where(areas.face_front[face] == area, 1.0, -1.0)
    return float((heights(areas, areas.face_plane[face], point[None]) * side).min(initial=np.inf))


def _centre(it: Compiled) -> Rows:
    return _lost(it.areas, np.arange(len(it.areas)), it.areas.area_centre)


def _near_faces(it: Compiled) -> Rows:
    areas = it.areas
    owner, side = sides(areas)
    corners = owners_of(areas.face_start)
    middle = np.zeros((len(areas.face_plane), 3))
    np.add.at(middle, corners, areas.vertex[areas.face_vertex])
    middle /= np.diff(areas.face_start)[:, None]
    face, centre = areas.area_face, areas.area_centre[owner]
    depth = heights(areas, areas.face_plane[face], centre) * side
    share = np.clip(tolerances.FACE_DEPTH / np.maximum(depth, tolerances.FACE_DEPTH), 0.0, 0.5)
    point = middle[face] + share[:, None] * (centre - middle[face])
    bent = may_be_uneven(it)
    straight = np.flatnonzero(~bent[owner])
    lost = _lost(areas, owner[straight], point[straight])
    return rows_in(np.concatenate([lost, _lost_behind(it, middle, bent)]))


def _lost_behind(it: Compiled, middle: Float, bent: Mask) -> Rows:
    """Which of these areas, which are not convex, the tree does not find straight behind the middle of a wide face."""
    areas = it.areas
    owner, side = sides(areas)
    row = np.flatnonzero(bent[owner] & wide_faces(areas, tolerances.PLAN_CONVEX)[areas.area_face])
    face, owner = areas.area_face[row], owner[row]
    inward = areas.planes.normal[areas.face_plane[face]] * side[row][:, None]
    found = np.zeros(len(row), np.bool_)
    for depth in DEPTHS:
        found |= located(areas, middle[face] + depth * inward) == owner
    lost = np.flatnonzero(~found)
    # The weld may have moved all corners of a face to one side of its plane, which is where the tree divides space.
    moved = np.abs(heights(areas, areas.face_plane[face[lost]], middle[face[lost]]))
    thin = [_is_thin(areas, owner[k], middle[face[k]], inward[k], off) for k, off in zip(lost, moved, strict=True)]
    return rows_in(owner[lost[~np.array(thin, np.bool_)]])


def _is_thin(areas: Areas, area: int, point: Float, inward: Float, off: float) -> bool:
    """Whether an area is no thicker than ON_PLANE behind a point of one of its faces, which is so far off its plane."""
    face = areas.area_face[areas.area_start[area] : areas.area_start[area + 1]]
    side = np.where(areas.face_front[face] == area, 1.0, -1.0)
    opposite = products(areas.planes.normal[areas.face_plane[face]] * side[:, None], inward[None])[:, 0] < 0.0
    near = np.abs(heights(areas, areas.face_plane[face], point[None])) <= tolerances.ON_PLANE + off
    return any(_covers(areas, number, point) for number in face[opposite & near].tolist())


def _covers(areas: Areas, face: int, point: Float) -> bool:
    """Whether a point in the plane of a face lies in the face, or no farther outside than ON_PLANE.

    Welding may have turned short edges, so the lines along them say nothing.
    """
    normal = areas.planes.normal[areas.face_plane[face]]
    to = areas.vertex[areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]]] - point
    to -= np.outer((to * normal).sum(axis=1), normal)
    along = np.roll(to, -1, axis=0) - to
    turn = np.arctan2((np.cross(to, along) * normal).sum(axis=1), (to * (to + along)).sum(axis=1))
    share = np.clip(-(to * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), tolerances.CLIP**2), 0.0, 1.0)
    off = np.linalg.norm(to + share[:, None] * along, axis=1)
    return bool(turn.sum() > np.pi or off.min() <= tolerances.ON_PLANE)


OF_AREAS: tuple[Requirement, ...] = (
    Requirement("P2", "planes", "the two planes of a pair are exact opposites", _opposite),
    Requirement("P3", "planes", "normals are of unit length, within PLANE_NORMAL", _unit),
    Requirement("V2", "vertices", "no two are nearer to each other than MIN_EDGE", _apart),
    Requirement("E2", "edges", "the lower vertex comes first", _edge_order),
    Requirement("E3", "edges", "no two join the same vertices", lambda it: repeated(it.areas.edge)),
    Requirement("E4", "edges", "each bounds two faces or more", _edge_faces),
    Requirement("F5", "faces", "the edge of a corner joins its vertex with the next corner's", _corner_edges),
    Requirement("F6", "faces", "no vertex is a corner twice", _corner_twice),
    Requirement("F7", "faces", "corners lie on the plane, within FACE_FLAT", _flat),
    Requirement(
        "F8",
        "faces",
        "corners run counter-clockwise seen from the front, or the face is no wider than FACE_WIDE",
        _counter_clockwise,
    ),
    Requirement("F9", "faces", "the polygon is convex, within FACE_CONVEX, or no wider than FACE_WIDE", _face_convex),
    Requirement(
        "F10",
        "faces",
        "the normal points into the front area and out of the back area, or the face is no wider than FACE_WIDE",
        _faces_front,
    ),
    Requirement(
        "F11", "faces", "SOLID is set where one side is −1, GROUND and LADDER only there, GAP elsewhere", _face_flags
    ),
    Requirement(
        "F12", "faces", "LIQUID is set where a side is liquid, LIQUIDSURFACE between liquid and none", _face_liquid
    ),
    Requirement("F13", "faces", "a face with GROUND has its solid below", _ground_up),
    Requirement("A4", "areas", "the faces are those that have the area in front or behind, ascending", _area_faces),
    Requirement("A5", "areas", "there are four faces or more", lambda it: rows_where(np.diff(it.areas.area_start) < 4)),
    Requirement("A6", "areas", "presence is that of at least one box, and of no other", _presence),
    Requirement(
        "A7",
        "areas",
        "each edge bounds two faces of the area, which run along it in opposite directions; more pairs where the area "
        "touches itself",
        _closed,
    ),
    Requirement("A8", "areas", "the faces enclose it: their area vectors sum to 0, within MIN_AREA", _sealed),
    Requirement(
        "A9",
        "areas",
        "it is convex: no corner is out of the plane of a face by AREA_CONVEX, or the face no wider than FACE_WIDE; "
        "with areas.walkable, or its ground is plan-convex, within PLAN_CONVEX and GROUND_CONVEX, unless it is liquid, "
        "a ladder, a door or a portal",
        _convex,
    ),
    Requirement("A10", "areas", "volume is above 0 and that of its faces, within VOLUME_SHARE", _volume),
    Requirement("A11", "areas", "mins and maxs are those of its corners", _bounds),
    Requirement(
        "A12", "areas", "GROUNDED and LADDER are set where a face has them, LIQUID where the contents are", _area_flags
    ),
    Requirement("A13", "areas", "contents are known, and it has a model exactly when they have MOVER", _contents),
    Requirement("A14", "areas", "no dry area has both ground and a gap below", _no_gap),
    Requirement(
        "A15",
        "areas",
        "it has a trigger exactly when contents have TELEPORTER or JUMPPAD, or no area has one",
        _triggers,
    ),
    Requirement("T3", "areas", "the tree leads to it", _in_tree),
    Requirement("T4", "areas", "the tree finds its centre in it, or that is within ON_PLANE of a face", _centre),
    Requirement(
        "T5",
        "areas",
        "the tree finds a point FACE_DEPTH behind the middle of each face in it, or that is within ON_PLANE of another",
        _near_faces,
    ),
)
"""In the order in which they are checked."""

QUICK: tuple[Requirement, ...] = tuple(each for each in OF_AREAS if each.id not in ("V2", "A9", "T5"))
"""Those that take a small part of the time of finding links."""
