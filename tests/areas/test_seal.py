"""Sealing: coincident corners and edges are merged, and every closed body stays closed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aascompile import tolerances
from aascompile.areas.seal import Faces, merge_faces, seal
from tests.examples import examples
from tests.reference.solids import area_vector, volume

CORNERS = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)], float)
SIDES = (
    ((-1, 0, 0), (0, 4, 6, 2)), ((1, 0, 0), (1, 3, 7, 5)), ((0, -1, 0), (0, 1, 5, 4)),
    ((0, 1, 0), (2, 6, 7, 3)), ((0, 0, -1), (0, 2, 3, 1)), ((0, 0, 1), (4, 5, 7, 6)),
)  # fmt: skip
"""Outward normals and corners of a cube's sides, counter-clockwise seen from outside."""

NORMALS = np.array([normal for normal, _ in SIDES], float)


def faces_of(rows: list[tuple[int, int, int, list[tuple[float, ...]]]]) -> Faces:
    """Faces from plane (row of NORMALS), front, back and corners. No corner is shared."""
    sizes = [len(corners) for *_, corners in rows]
    columns = np.array([row[:3] for row in rows], np.int32).reshape(-1, 3)
    return Faces(
        plane=columns[:, 0],
        front=columns[:, 1],
        back=columns[:, 2],
        marks=np.zeros(len(rows), np.int32),
        start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        corner=np.arange(sum(sizes), dtype=np.int32),
        vertex=np.concatenate([np.array(corners, float) for *_, corners in rows]),
    )


def box_faces(area: int, low: tuple[float, ...], high: tuple[float, ...]) -> list:
    """Six outward faces of a box in solid. The area is behind each face."""
    low, high = np.array(low, float), np.array(high, float)
    at = low + CORNERS * (high - low)
    return [(plane, -1, area, [tuple(at[i]) for i in corners]) for plane, (_, corners) in enumerate(SIDES)]


def outward(faces: Faces, area: int) -> list[np.ndarray]:
    """Faces of an area, facing outward."""
    out = []
    for face in range(len(faces.plane)):
        corners = faces.vertex[faces.corner[faces.start[face] : faces.start[face + 1]]]
        if faces.back[face] == area:
            out.append(corners)
        if faces.front[face] == area:
            out.append(corners[::-1])
    return out


def loose_edges(faces: Faces, area: int) -> list[tuple[int, int]]:
    """Edges that the faces of an area do not run along exactly once in each direction."""
    runs: Counter[tuple[int, int]] = Counter()
    for face in range(len(faces.plane)):
        loop = faces.corner[faces.start[face] : faces.start[face + 1]].tolist()
        for side, corners in ((faces.back, loop), (faces.front, loop[::-1])):
            if side[face] == area:
                runs.update(zip(corners, corners[1:] + corners[:1], strict=True))
    return [run for run, times in runs.items() if times != 1 or runs[run[::-1]] != 1]


def test_a_box_shares_its_corners() -> None:
    sealed, joints, extents = seal(faces_of(box_faces(0, (0, 0, 0), (2, 3, 4))), 1)
    assert len(sealed.vertex) == 8
    assert loose_edges(sealed, 0) == []
    assert extents.volume.tolist() == [24]
    assert (extents.mins[0].tolist(), extents.maxs[0].tolist()) == ([0, 0, 0], [2, 3, 4])
    assert extents.centre[0].tolist() == [1, 1.5, 2]
    ends, edge = joints.edge, joints.face_edge
    assert len(ends) == 12
    assert (np.bincount(edge) == 2).all()


def test_a_corner_on_an_edge_becomes_a_corner() -> None:
    """Two small boxes beside a large box, whose edges pass through their corners."""
    rows = (
        box_faces(0, (0, 0, 0), (8, 8, 8)) + box_faces(1, (8, 0, 0), (16, 8, 3)) + box_faces(2, (8, 0, 3), (16, 8, 8))
    )
    sealed, _, _ = seal(faces_of(rows), 3)
    for area in range(3):
        assert loose_edges(sealed, area) == []
    sizes = sorted(len(corners) for corners in outward(sealed, 0))
    assert sizes == [4, 4, 4, 5, 5, 6], "on the eastern face and its two neighbours lie (8, 0, 3) and (8, 8, 3)"
    assert len(sealed.vertex) == 8 + 6 + 2


@pytest.mark.parametrize("thin", [0.0005, 0.01, 0.04])
def test_a_ledge_thinner_than_the_weld_vanishes(thin: float) -> None:
    """A box whose upper face has two slightly different heights becomes a plain box."""
    rows = [row for row in box_faces(0, (0, 0, 0), (4, 4, 4)) if row[0] not in (2, 3, 5)]
    east = [(1, -1, 0, [(4, 0, 0), (4, 4, 0), (4, 4, 4 + thin), (4, 0, 4 + thin)])]
    rows = [row for row in rows if row[0] != 1] + east
    rows += [(2, -1, 0, [(0, 0, 0), (4, 0, 0), (4, 0, 4 + thin), (2, 0, 4 + thin), (2, 0, 4), (0, 0, 4)])]
    rows += [(3, -1, 0, [(0, 4, 0), (0, 4, 4), (2, 4, 4), (2, 4, 4 + thin), (4, 4, 4 + thin), (4, 4, 0)])]
    rows += [(5, -1, 0, [(0, 0, 4), (2, 0, 4), (2, 4, 4), (0, 4, 4)])]
    rows += [(5, -1, 0, [(2, 0, 4 + thin), (4, 0, 4 + thin), (4, 4, 4 + thin), (2, 4, 4 + thin)])]
    rows += [(0, -1, 0, [(2, 0, 4), (2, 0, 4 + thin), (2, 4, 4 + thin), (2, 4, 4)])]
    sealed, _, extents = seal(faces_of(rows), 1)
    assert loose_edges(sealed, 0) == []
    assert len(sealed.plane) == 7, "the riser is gone"
    assert extents.volume[0] == pytest.approx(64, abs=16 * thin)


def test_an_area_too_thin_to_weld_keeps_its_corners() -> None:
    sheet = box_faces(0, (0, 0, 0), (8, 8, 0.03))
    sealed, _, extents = seal(faces_of(sheet), 1)
    assert len(sealed.plane) == 6
    assert loose_edges(sealed, 0) == []
    assert extents.volume[0] == pytest.approx(8 * 8 * 0.03)


def test_a_neighbour_of_a_thin_area_stays_closed() -> None:
    rows = box_faces(0, (0, 0, 0.03), (8, 8, 8))
    rows = [row for row in rows if row[0] != 4]
    thin = [row for row in box_faces(1, (0, 0, 0), (8, 8, 0.03)) if row[0] != 5]
    between = [(5, 0, 1, [(0, 0, 0.03), (8, 0, 0.03), (8, 8, 0.03), (0, 8, 0.03)])]
    sealed, _, extents = seal(faces_of(rows + thin + between), 2)
    assert loose_edges(sealed, 0) == loose_edges(sealed, 1) == []
    assert extents.volume.tolist() == pytest.approx([8 * 8 * 7.97, 8 * 8 * 0.03])


def test_corners_are_kept_only_where_an_area_would_touch_itself() -> None:
    """Area 0 has a slit narrower than the weld. Far from it, the floor of area 1 misses a corner that both share."""
    slit = (4.0, 4.03)
    parts = (((0, 0, 0), (8, 8, 4)), ((0, 0, 4), (slit[0], 8, 8)), ((slit[1], 0, 4), (8, 8, 8)))
    body = [[row[3] for row in box_faces(0, *part)] for part in parts]
    rows = [(side, -1, 0, part[side]) for side in (2, 3) for part in body]
    rows += [(0, 1, 0, [(0, 0, 0), (0, 0, 8), (0, 8, 8), (0, 8, 0)])]
    rows += [(1, -1, 0, [(8, 0, 0), (8, 8, 0), (8, 8, 8), (8, 0, 8)])]
    rows += [(4, -1, 0, body[0][4]), (5, -1, 0, body[1][5]), (5, -1, 0, body[2][5])]
    rows += [(1, -1, 0, body[1][1]), (0, -1, 0, body[2][0])]
    rows += [(5, -1, 0, [(slit[0], 0, 4), (slit[1], 0, 4), (slit[1], 8, 4), (slit[0], 8, 4)])]
    beside = box_faces(1, (-8, 0, 0), (0, 8, 8))
    floor = [(x - 0.02 if (x, y) == (0, 0) else x, y, z) for x, y, z in beside[4][3]]
    rows += [row for row in beside if row[0] not in (1, 4)] + [(4, -1, 1, floor)]
    sealed, _, extents = seal(faces_of(rows), 2)
    assert loose_edges(sealed, 0) == loose_edges(sealed, 1) == []
    assert extents.volume.tolist() == pytest.approx([512 - 0.03 * 8 * 4, 512], abs=0.1)


def test_faces_of_one_plane_between_the_same_areas_are_joined() -> None:
    halves = [
        (5, -1, 0, [(0, 0, 4), (2, 0, 4), (2, 4, 4), (0, 4, 4)]),
        (5, -1, 0, [(2, 0, 4), (4, 0, 4), (4, 4, 4), (2, 4, 4)]),
    ]
    rows = [row for row in box_faces(0, (0, 0, 0), (4, 4, 4)) if row[0] != 5] + halves
    merged = merge_faces(NORMALS, faces_of(rows))
    assert len(merged.plane) == 6
    marked = faces_of(rows)
    marked.marks[-1] = 1
    assert len(merge_faces(NORMALS, marked).plane) == 7, "a ladder is not joined with the wall beside it"


@st.composite
def bricks(draw: st.DrawFn) -> list[tuple[tuple[float, ...], tuple[float, ...]]]:
    """Boxes that fill a cube, some of them very thin: it is cut repeatedly, at nearly equal positions."""
    boxes = [((0.0, 0.0, 0.0), (16.0, 16.0, 16.0))]
    places = st.sampled_from([1.0, 3.0, 3.02, 3.003, 8.0, 8.04, 8.1, 12.0, 15.97])
    for _ in range(draw(st.integers(1, 10))):
        low, high = boxes.pop(draw(st.integers(0, len(boxes) - 1)))
        axis, at = draw(st.integers(0, 2)), draw(places)
        if not low[axis] < at < high[axis]:
            boxes.append((low, high))
            continue
        middle = tuple(at if k == axis else high[k] for k in range(3))
        other = tuple(at if k == axis else low[k] for k in range(3))
        boxes += [(low, middle), (other, high)]
    return boxes


@settings(max_examples=examples(30), derandomize=True)
@given(bricks())
def test_bricks_stay_closed_whatever_is_welded(boxes: list) -> None:
    """Bricks share no faces, so that only welding can join their corners and edges."""
    rows = [row for area, (low, high) in enumerate(boxes) for row in box_faces(area, low, high)]
    sealed, _, extents = seal(faces_of(rows), len(boxes))
    for area, (low, high) in enumerate(boxes):
        size = float(np.prod(np.subtract(high, low)))
        faces = outward(sealed, area)
        assert loose_edges(sealed, area) == []
        assert np.allclose(sum(area_vector(corners) for corners in faces), 0, atol=1e-9)
        assert volume(faces) == pytest.approx(size, abs=16 * 16 * 4 * tolerances.WELD)
        assert extents.volume[area] == pytest.approx(volume(faces), abs=16 * 16 * tolerances.WELD)
        assert extents.volume[area] > 0
        assert len(faces) >= 4


def test_no_faces_give_no_faces() -> None:
    none = Faces(
        *(np.zeros(0, np.int32) for _ in range(4)), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros((0, 3))
    )
    sealed, _, extents = seal(none, 0)
    assert len(sealed.plane) == 0
    assert len(extents.volume) == 0


def test_a_seam_wider_than_rounding_is_closed_in_an_area_too_thin_to_weld() -> None:
    """A sheet whose upper face misses the others by a few thousandths, as on terrain."""
    sheet = box_faces(0, (0, 0, 0), (8, 8, 0.03))
    sheet[5] = (5, -1, 0, [(x + 0.003, y - 0.002, z + 0.002) for x, y, z in sheet[5][3]])
    sealed, _, extents = seal(faces_of(sheet), 1)
    assert loose_edges(sealed, 0) == []
    assert len(sealed.vertex) == 8
    assert extents.volume[0] == pytest.approx(8 * 8 * 0.03, rel=0.1)


def test_a_seam_closes_beside_a_slit() -> None:
    """Area 0 has a slit nearly as narrow as a seam. The upper face of area 1, in front of it, misses a corner of the
    slit: if all corners of the slit were kept, area 1 would stay open."""
    left, right = 4.0, 4.008
    parts = (((0, 0, 0), (8, 8, 4)), ((0, 0, 4), (left, 8, 8)), ((right, 0, 4), (8, 8, 8)))
    body = [[row[3] for row in box_faces(0, *part)] for part in parts]
    rows = [(2, 1, 0, part[2]) for part in body] + [(3, -1, 0, part[3]) for part in body]
    rows += [(0, -1, 0, [(0, 0, 0), (0, 0, 8), (0, 8, 8), (0, 8, 0)])]
    rows += [(1, -1, 0, [(8, 0, 0), (8, 8, 0), (8, 8, 8), (8, 0, 8)])]
    rows += [(4, -1, 0, body[0][4]), (5, -1, 0, body[1][5]), (5, -1, 0, body[2][5])]
    rows += [(1, -1, 0, body[1][1]), (0, -1, 0, body[2][0])]
    rows += [(5, -1, 0, [(left, 0, 4), (right, 0, 4), (right, 8, 4), (left, 8, 4)])]
    rows += [row for row in box_faces(1, (0, -8, 0), (8, 0, 8)) if row[0] not in (3, 5)]
    rows += [(3, -1, 1, [(left, 0, 4), (left, 0, 8), (right, 0, 8), (right, 0, 4)])]
    rows += [(5, -1, 1, [(0, -8, 8), (8, -8, 8), (8, 0, 8), (right, 0, 8), (left + 0.003, -0.002, 8), (0, 0, 8)])]
    sealed, _, _ = seal(faces_of(rows), 2)
    assert loose_edges(sealed, 1) == []
    assert loose_edges(sealed, 0) == []
