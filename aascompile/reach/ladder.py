"""Ladders (thesis §6.4): up and down climbable faces, and off them at the top and at the foot.

A *rung* is the ladder face of one area, or several that are connected. Where a rung continues in another area, links
cross the shared edge. Otherwise its top leads to the floor there: behind the ladder first, then to its sides and in
front of it. Its foot leads to the ground below, and back up if a jump reaches it. If an area has both the ladder and
the ground at its foot, only links over the top are needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.geometry.vectors import norm
from aascompile.model.areas import AreaFlag, Areas, FaceFlag
from aascompile.model.contents import DEADLY
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float
from aascompile.player.movement import Movement
from aascompile.reach import times
from aascompile.reach.candidates import Candidates
from aascompile.records import dataclass
from aascompile.sampling.locate import fall
from aascompile.sampling.sample import ANY_PRESENCE, areas_at, traces

OFF_FACE: Final = 1.0
"""Units in front of a ladder's face at which a player hangs on it."""

PAST_EDGE: Final = 4.0
"""Units above or below a shared edge at which a link across it ends."""

BEHIND: Final = (1.0, 4.0, 8.0, 16.0)
"""Units behind the face at which the floor at its top may begin."""

BESIDE: Final = (24.0, 40.0, 56.0)
"""Units to its sides, or in front of it: out of a shaft, onto its rim."""


@dataclass(frozen=True, slots=True)
class _Rung:
    """Connected ladder faces of one area."""

    area: int
    faces: tuple[int, ...]
    top_edge: int
    foot_edge: int
    top: Float
    """(3,) where a player hangs at its upper end."""
    foot: Float
    """(3,) where a player hangs at its lower end."""
    height: float
    """Units from its lowest edge to its highest."""
    out: Float
    """(3,) horizontal unit vector away from the face."""


def ladder_links(candidates: Candidates, areas: Areas, movement: Movement) -> None:
    """Add the links of all ladders."""
    if not movement.settings.reach.ladder:
        return
    faces = np.flatnonzero((areas.face_flags & np.uint32(FaceFlag.LADDER)) != 0).tolist()
    if not faces:
        return
    rungs = _rungs(areas, faces)
    on_edge: dict[int, list[int]] = defaultdict(list)
    for row, rung in enumerate(rungs):
        for edge in {edge for face in rung.faces for edge in _face_edges(areas, face)}:
            on_edge[edge].append(row)
    for row, rung in enumerate(rungs):
        above = [rungs[other] for other in on_edge[rung.top_edge] if rungs[other].area != rung.area]
        for high in above:
            _go_on(candidates, areas, rung, high, movement)
        if not above:
            _leave_top(candidates, areas, rung, movement)
        if on_edge[rung.foot_edge] == [row]:
            _leave_foot(candidates, areas, rung, movement)


def _face_edges(areas: Areas, face: int) -> list[int]:
    edges: list[int] = areas.face_edge[areas.face_start[face] : areas.face_start[face + 1]].tolist()
    return edges


def _rungs(areas: Areas, faces: list[int]) -> list[_Rung]:
    """The ladder faces of each area, grouped where they share an edge."""
    by_area: dict[int, list[int]] = defaultdict(list)
    for face in faces:
        by_area[int(max(areas.face_front[face], areas.face_back[face]))].append(face)
    rungs = []
    for area, own in by_area.items():
        groups: list[tuple[set[int], list[int]]] = []
        for face in own:
            edges, members = set(_face_edges(areas, face)), [face]
            for group in [group for group in groups if group[0] & edges]:
                groups.remove(group)
                edges |= group[0]
                members += group[1]
            groups.append((edges, members))
        rungs += [_rung(areas, area, sorted(members)) for _, members in groups]
    return rungs


def _rung(areas: Areas, area: int, faces: list[int]) -> _Rung:
    """Make a rung of its faces. Its ends are the middles of its highest and its lowest edge."""
    edges = sorted({edge for face in faces for edge in _face_edges(areas, face)})
    middle = areas.vertex[areas.edge[edges]].mean(axis=1)
    front = areas.face_front[faces[0]] == area
    normal = areas.planes.normal[areas.face_plane[faces[0]]] * (1.0 if front else -1.0)
    out = np.array((normal[0], normal[1], 0.0)) / norm(normal[:2])
    high, low = int(middle[:, 2].argmax()), int(middle[:, 2].argmin())
    return _Rung(
        area=area,
        faces=tuple(faces),
        top_edge=edges[high],
        foot_edge=edges[low],
        top=_hanging(areas, area, faces, edges[high], OFF_FACE),
        foot=_hanging(areas, area, faces, edges[low], OFF_FACE),
        height=float(middle[high, 2] - middle[low, 2]),
        out=out,
    )


def _hanging(areas: Areas, area: int, faces: Sequence[int], edge: int, past: float) -> Float:
    """Origin of a player hanging on a ladder, ``past`` units inside its edge and ``OFF_FACE`` in front of the face."""
    face = next(face for face in faces if edge in _face_edges(areas, face))
    corners = areas.vertex[areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]]]
    middle = areas.vertex[areas.edge[edge]].mean(axis=0)
    inward = corners.mean(axis=0) - middle
    normal = areas.planes.normal[areas.face_plane[face]] * (1.0 if areas.face_front[face] == area else -1.0)
    place: Float = middle + inward * past / max(norm(inward), past) + OFF_FACE * normal
    return place


def _go_on(candidates: Candidates, areas: Areas, low: _Rung, high: _Rung, movement: Movement) -> None:
    """Add links up and down across the edge that two rungs share."""
    over = _hanging(areas, high.area, high.faces, low.top_edge, PAST_EDGE)
    under = _hanging(areas, low.area, low.faces, low.top_edge, PAST_EDGE)
    _add(candidates, low.area, high.area, low.foot, over, low.height, low, movement)
    _add(candidates, high.area, low.area, high.top, under, high.height, high, movement)


def _leave_top(candidates: Candidates, areas: Areas, rung: _Rung, movement: Movement) -> None:
    """Add links between the top of a rung and the floor there."""
    found = _floor_at_top(areas, rung, movement)
    if found is None:
        return
    area, place = found
    foot = _standing(areas, rung, movement)
    _add(candidates, rung.area, area, foot, place, rung.height, rung, movement)
    _add(candidates, area, rung.area, place, foot, rung.height, rung, movement)


def _floor_at_top(areas: Areas, rung: _Rung, movement: Movement) -> tuple[int, Float] | None:
    """Area and origin of a player who steps off at the top of a rung."""
    step = movement.settings.physics.step
    aside = np.array((-rung.out[1], rung.out[0], 0.0))
    offsets = [-far * rung.out for far in BEHIND]
    offsets += [far * direction for direction in (aside, -aside, rung.out) for far in BESIDE]
    over = rung.top + np.array((0.0, 0.0, step))
    goals = over + np.array(offsets)
    across = traces(movement.tree, np.tile(over, (len(goals), 1)), goals, ANY_PRESENCE)
    down = traces(movement.tree, goals, goals - np.array((0.0, 0.0, 2.0 * step)), ANY_PRESENCE)
    good = (across.fraction == 1.0) & ~across.start_solid & _grounds(areas, down.end_area, down.normal, movement)
    good &= down.end_area != rung.area
    return (int(down.end_area[good.argmax()]), down.end[good.argmax()]) if good.any() else None


def _grounds(areas: Areas, area: NDArray[np.int32], normal: Float, movement: Movement) -> NDArray[np.bool_]:
    """Which ends of downward traces are on ground that a player can stand on."""
    good: NDArray[np.bool_] = (area >= 0) & (normal[:, 2] >= movement.settings.physics.floor_up)
    good &= (areas.area_flags[area] & np.uint32(AreaFlag.GROUNDED)) != 0
    good &= (areas.area_contents[area] & np.uint32(DEADLY)) == 0
    return good


def _standing(areas: Areas, rung: _Rung, movement: Movement) -> Float:
    """Where climbing begins: on the ground at the foot if it is in the same area, else on the foot of the ladder."""
    up = np.array((0.0, 0.0, OFF_FACE))
    down = traces(
        movement.tree,
        rung.foot + up,
        rung.foot - np.array((0.0, 0.0, movement.settings.physics.max_step)),
        ANY_PRESENCE,
    )
    on_ground = down.fraction[0] < 1.0 and down.end_area[0] == rung.area
    place: Float = down.end[0] if on_ground else rung.foot + up
    return place


def _leave_foot(candidates: Candidates, areas: Areas, rung: _Rung, movement: Movement) -> None:
    """Add links between the foot of a rung and ground of another area below it."""
    physics = movement.settings.physics
    start = rung.foot + np.array((0.0, 0.0, OFF_FACE))
    down = fall(movement.tree, start)
    area = int(down.end_area[0])
    if down.fraction[0] == 1.0 or area == rung.area or not _grounds(areas, down.end_area, down.normal, movement)[0]:
        return
    drop = float(rung.foot[2] - down.end[0, 2])
    _add(candidates, rung.area, area, rung.top, down.end[0], rung.height, rung, movement)
    if drop <= physics.max_barrier:
        _add(candidates, area, rung.area, down.end[0], start, drop, rung, movement)


def _add(
    candidates: Candidates,
    source: int,
    target: int,
    start: Float,
    end: Float,
    climb: float,
    rung: _Rung,
    movement: Movement,
) -> None:
    """Add a link if its ends lie in its areas. Its face is the ladder's."""
    if areas_at(movement.tree, np.array([start, end])).tolist() != [source, target]:
        return
    time = times.climb(climb, movement.settings)
    candidates.add(Travel.LADDER, source, target, start, end, time, face=rung.faces[0], edge=rung.top_edge)
