"""Brushes grown by the boxes, compared with the Minkowski sums of corners of brushes and boxes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.spatial import ConvexHull

from aascompile.brushes.brush_hulls import closed_brushes
from aascompile.brushes.entity_facts import read_entities
from aascompile.brushes.expand import Solids, blocked_by, expand, solids_of
from aascompile.brushes.meaning import classify
from aascompile.geometry.planes import PlaneTable
from aascompile.mapio.source import read_source
from aascompile.model.contents import Contents, Kind, SurfaceFlag
from aascompile.model.filling import unpacked
from aascompile.model.mapdata import MapData
from aascompile.model.meaning import Meaning
from aascompile.model.understood import Understood
from aascompile.model.volumes import Volumes
from aascompile.pipeline import understand
from aascompile.report import Report
from aascompile.settings import CROUCHED, QUAKE3, STANDING, Box
from tests.brushes.hand_made import Solid, make_map, thing, world
from tests.builders import Layout, Piece, block, layouts, walls
from tests.examples import examples
from tests.reference.space import depth, grown

SMALL = Box("small", 8, (-8.0, -8.0, -8.0), (8.0, 8.0, 8.0))
WIDE = Box("wide", 16, (-30.0, -30.0, -10.0), (30.0, 30.0, 10.0))


def meaning_of(data: MapData) -> Meaning:
    """Meaning of the brushes of a map."""
    return classify(data, read_entities(data, QUAKE3.physics.gravity))


def volumes_of(understood: Understood, boxes: tuple[Box, ...] = QUAKE3.boxes) -> tuple[Volumes, PlaneTable]:
    """All volumes of a map, with their planes."""
    return expand(understood.table, solids_of(understood), boxes), understood.table


def grown_layout(layout: Layout, boxes: tuple[Box, ...] = QUAKE3.boxes) -> tuple[Volumes, PlaneTable, Understood]:
    """Volumes of a layout."""
    with layout.file() as path:
        understood = understand(path, Report(path))
    return *volumes_of(understood, boxes), understood


def corners(volumes: Volumes, row: int) -> np.ndarray:
    """All corners of a volume's polygons."""
    sides = volumes.side_start[row : row + 2]
    return volumes.xyz[volumes.vertex_start[sides[0]] : volumes.vertex_start[sides[1]]]


def written_order(layout: Layout) -> list[Piece]:
    """Pieces in the order in which their brushes are read: those of the world first."""
    return [p for p in layout.pieces if p.kind in WORLD] + [p for p in layout.pieces if p.kind not in WORLD]


WORLD = (Kind.SOLID, Kind.WATER, Kind.LAVA, Kind.SLIME, Kind.CLUSTERPORTAL, Kind.DONOTENTER)


@settings(max_examples=examples(12), derandomize=True)
@given(layouts())
def test_volumes_are_minkowski_sums(layout: Layout) -> None:
    boxes = (STANDING, CROUCHED, WIDE)
    volumes, table, _ = grown_layout(layout, boxes)
    pieces = written_order(layout)
    solids = [row for row, piece in enumerate(pieces) if piece.kind is Kind.SOLID]
    others = [row for row, piece in enumerate(pieces) if piece.kind is not Kind.SOLID]
    expected = [(row, box) for box in boxes for row in solids] + [(row, boxes[0]) for row in others]
    assert volumes.brush.tolist() == [row for row, _ in expected]
    for row, (brush, box) in enumerate(expected):
        sum_of = grown(pieces[brush].points, box)
        mine = corners(volumes, row)
        assert ConvexHull(mine).volume == pytest.approx(sum_of.volume, rel=1e-6)
        # No corner of either lies outside the other.
        assert depth(sum_of.equations, mine).max() < 0.02
        plane = volumes.side_plane[volumes.side_start[row] : volumes.side_start[row + 1]]
        inside = sum_of.points[sum_of.vertices] @ table.normal[plane].T - table.dist[plane]
        assert inside.max() < 0.02
        low, high = mine.min(axis=0), mine.max(axis=0)
        assert np.array_equal(volumes.bounds[row], np.concatenate([low, high]))


def test_a_box_is_blocked_wherever_a_smaller_box_is() -> None:
    assert blocked_by([STANDING, CROUCHED]) == [0b01, 0b11]
    assert blocked_by([CROUCHED, STANDING]) == [0b11, 0b10]
    assert blocked_by([STANDING, CROUCHED, SMALL]) == [0b001, 0b011, 0b111]
    assert blocked_by([STANDING, WIDE]) == [0b01, 0b10], "neither holds the other"
    assert blocked_by([STANDING, STANDING]) == [0b11, 0b11]
    assert blocked_by([]) == []


def test_masks_and_contents_of_volumes() -> None:
    layout = Layout(
        (
            *walls((256, 256, 128)),
            block((32, 32, 0), (64, 64, 32), Kind.WATER),
            block((96, 32, 0), (128, 64, 32), Kind.MOVER),
            block((160, 32, 0), (192, 64, 32), Kind.JUMPPAD),
        ),
        ((128, 128, 32),),
    )
    volumes, _, understood = grown_layout(layout)
    assert volumes.blocks.tolist() == [1] * 6 + [3] * 6 + [0] * 3
    assert volumes.contains[:12].tolist() == [0] * 12
    kind, door, trigger = unpacked(volumes.contains[12:])
    assert kind.tolist() == [Kind.WATER, Kind.MOVER, Kind.JUMPPAD]
    assert door.tolist() == [-1, 1, -1]
    assert trigger.tolist() == [-1, -1, 2]
    assert understood.meaning.model[-3:].tolist() == [-1, 1, 2]
    assert volumes.bounds[12:, :3].tolist() == [[17, 17, -32], [81, 17, -32], [145, 17, -32]], "by the standing box"


def test_sides_keep_their_flags_and_bevels_have_none() -> None:
    ladder = block((96, 96, 0), (128, 160, 96), climbed=(-1, 0, 0))
    prism = Piece(((32, 32, 0), (64, 32, 0), (32, 64, 0), (32, 32, 64)))
    volumes, table, _ = grown_layout(Layout((*walls((256, 256, 128)), ladder, prism), ((200, 200, 32),)))
    marked = np.flatnonzero(volumes.side_flags & np.uint32(SurfaceFlag.LADDER))
    assert table.normal[volumes.side_plane[marked]].tolist() == [[-1, 0, 0]] * 2, "of the standing and the crouched"
    assert table.dist[volumes.side_plane[marked]].tolist() == [-81, -81]
    owner = np.searchsorted(volumes.side_start, np.arange(len(volumes.side_plane)), side="right") - 1
    sides_of_prism = volumes.side_plane[(volumes.brush[owner] == 7) & (volumes.blocks[owner] == 3)]
    assert len(sides_of_prism) > 4, "bevels"


def test_hints_are_not_expanded(samples) -> None:
    understood = understand(str(samples / "hint.map"), Report("hint"))
    volumes, _ = volumes_of(understood)
    (hint,) = np.flatnonzero((volumes.blocks == 0) & (volumes.contains == 0))
    brush = volumes.brush[hint]
    assert understood.meaning.kind[brush] == Kind.HINT
    assert np.allclose(volumes.bounds[hint], understood.hulls.bounds[brush])


def test_models_are_moved_to_their_entities() -> None:
    solid = Solid(Contents.SOLID, ((0.0, 0.0, 0.0), (8.0, 16.0, 24.0)))
    data = make_map(world(Solid()), thing("func_static", solid, origin="100 200 300"))
    table = PlaneTable.of(data.planes.normal, data.planes.dist)
    solids = Solids(data.brushes, meaning_of(data), closed_brushes(data).hulls)
    volumes = expand(table, solids, QUAKE3.boxes)
    moved = volumes.bounds[volumes.brush == 1]
    assert moved[0].tolist() == [85, 185, 268, 123, 231, 348]
    assert moved[1].tolist() == [85, 185, 284, 123, 231, 348]


def test_facets_of_patches_grow_like_brushes(samples) -> None:
    understood = understand(str(samples / "curve.map"), Report("curve"))
    volumes, _ = volumes_of(understood)
    curves = np.flatnonzero(volumes.brush >= len(understood.map.brushes))
    assert len(curves) == 2 * len(understood.facets) > 0
    for row in curves:
        facet = volumes.brush[row] - len(understood.map.brushes)
        pieces = understood.facets.brushes
        box = STANDING if volumes.blocks[row] == 1 else CROUCHED
        side = pieces.side_plane[pieces.side_start[facet] : pieces.side_start[facet + 1]]
        flat = corners_of_flat(understood, side)
        assert ConvexHull(corners(volumes, row)).volume == pytest.approx(grown(flat, box).volume, rel=1e-6)


def corners_of_flat(understood: Understood, side: np.ndarray) -> np.ndarray:
    """Corners of a facet: the points where two of its edge planes meet its surface."""
    normal, dist = understood.planes.normal[side], understood.planes.dist[side]
    found = []
    for i in range(2, len(side)):
        for j in range(i + 1, len(side)):
            rows = normal[[0, i, j]]
            if abs(np.linalg.det(rows)) > 1e-9:
                point = np.linalg.solve(rows, dist[[0, i, j]])
                if (normal @ point - dist).max() < 1e-6:
                    found.append(point)
    return np.array(found)


def test_a_map_without_brushes_has_no_volumes() -> None:
    data = read_source('{\n"classname" "worldspawn"\n}\n', b"", "empty.map")

    volumes = expand(PlaneTable(), Solids(data.brushes, meaning_of(data), closed_brushes(data).hulls), QUAKE3.boxes)
    assert len(volumes) == 0
    assert volumes.xyz.shape == (0, 3)
