"""Shapes that once took minutes: the work is counted, and grows no faster than the input allows."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile import pipeline, tolerances
from aascompile.areas import subdivide, walkable
from aascompile.bsp import tree
from aascompile.bsp.surface import volume_grid
from aascompile.bsp.surface_kernel import SurfaceCutter
from aascompile.bsp.tree import NORMAL, QUICK, Division, Reached, build_tree, inner_surface, root_cell
from aascompile.geometry.planes import PlaneTable
from aascompile.pipeline import make_areas, understand
from aascompile.report import Records, Report
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.sampling.spread import spread
from aascompile.settings import QUAKE3
from tests.builders import Layout, Piece, block, walls
from tests.hostile import hostile
from tests.reference.tree import locate
from tests.stages import Run, run, run_layout


def ball(corners: int) -> Piece:
    """A faceted ball of radius 96: corners on a spiral from pole to pole."""
    row = np.arange(corners) + 0.5
    up, turn = 1 - 2 * row / corners, np.pi * (1 + np.sqrt(5)) * row
    flat = np.sqrt(1 - up * up)
    points = np.round(96 * np.stack([flat * np.cos(turn), flat * np.sin(turn), up], axis=1) + (256, 256, 200))
    return Piece(tuple((int(x), int(y), int(z)) for x, y, z in points))


@pytest.fixture(scope="module")
def round_room() -> Run:
    return run_layout(Layout((*walls((512, 512, 512)), ball(40)), ((48, 48, 32),)))


def divide(found: Run, threads: int) -> tuple[int, Division]:
    """The number of polygons, and the final tree before it is pruned."""
    cell = root_cell(PlaneTable.of(found.planes.normal, found.planes.dist), found.volumes)
    inside = Reached(found.rough, found.reached)
    inner = inner_surface(found.planes, inside, found.surface, 1)
    division = build_tree(found.planes, found.volumes, inner, cell, QUAKE3.all_boxes, NORMAL, inside, threads)
    return len(inner), division


def test_roll_outs_at_a_ball_keep_to_their_budget(round_room):
    polygons, division = divide(round_room, 1)
    assert polygons > 100
    assert 0 < division.rolled < 2 * NORMAL.effort * polygons


def test_a_quick_tree_has_no_roll_outs(round_room):
    found = round_room
    cell = root_cell(PlaneTable.of(found.planes.normal, found.planes.dist), found.volumes)
    division = build_tree(found.planes, found.volumes, found.surface, cell, QUAKE3.all_boxes, QUICK)
    assert division.rolled == 0


def test_a_tree_is_the_same_for_any_number_of_threads(round_room):
    _, one = divide(round_room, 1)
    _, three = divide(round_room, 3)
    for name in ("node", "section_start", "section_xyz", "leaf_point", "leaf_box"):
        assert np.array_equal(getattr(one, name), getattr(three, name))


def staircase(count: int) -> Layout:
    """Boxes that are one unit apart along all axes: as many planes in each direction."""
    boxes = [block((64 + k, 64 + k, 0), (264 + k, 264 + k, 100 + k)) for k in range(count)]
    return Layout((*walls((1024, 1024, 1024)), *boxes), ((32, 32, 32),))


def counted(monkeypatch, module, name: str) -> list:
    """All objects that a module makes of a class from now on."""
    made: list = []
    original = getattr(module, name)

    def make(*arguments):
        made.append(original(*arguments))
        return made[-1]

    monkeypatch.setattr(module, name, make)
    return made


def test_few_planes_are_scored_deep_down_in_a_tree(monkeypatch):
    """The trunk is as deep as there are boxes. With 64 planes scored at every node it would be 8,200 to a polygon."""
    builders = counted(monkeypatch, tree, "TreeBuilder")
    found = run_layout(staircase(800))
    assert len(found.surface) > 8000
    assert builders[0].scored < 7000 * len(found.surface)


def test_an_area_above_many_floors_is_divided_evenly(monkeypatch):
    """64 edges are tried for each cut. All of them, compared with all floors, would be 278,000,000 comparisons."""
    made = counted(monkeypatch, subdivide, "Gravity")
    run_layout(staircase(200))
    (gravity,) = made
    assert gravity.splits > 50
    assert gravity.looks < 5_000_000


def test_cuts_leave_no_polygons_behind():
    """A cut face becomes two, and a section is trimmed by every face of its area. Only what is left is stored."""
    stored: dict[str, tuple[int, int]] = {}
    kept: list = []

    def observe(name: str, records: Records) -> None:
        if name in ("gravity", "walkable"):
            kept.append(records["mesh"])
            stored[name] = (kept[-1].polys.poly_count, kept[-1].face_count)

    report = Report("staircase", observe=observe)
    with staircase(60).file() as path:
        make_areas(understand(path, report, QUAKE3), QUAKE3, report)
    for polygons, faces in stored.values():
        assert polygons < 2 * faces
    assert (kept[-1].polys.poly_count, kept[-1].face_count, len(kept[-1].faces().plane)) == (0, 0, 0)


def cut_surface(found: Run) -> SurfaceCutter:
    """All sides cut by one worker, which counts its work."""
    volumes = found.volumes
    size = np.prod(volumes.bounds[:, 3:] - volumes.bounds[:, :3], axis=1)
    order = np.argsort(-size, kind="stable").astype(np.int32)
    cutter = SurfaceCutter(
        found.planes, volumes, order, QUAKE3.all_boxes, volume_grid(volumes),
        tolerances.ON_PLANE, tolerances.PARALLEL, tolerances.MIN_AREA,
    )  # fmt: skip
    cutter.cut(0, len(volumes))
    return cutter


def test_boxes_nearly_in_one_place_are_compared_once_a_side():
    """Of many volumes that overlap, the first few hide nearly all of a side."""
    count = 300
    boxes = [block((64 + k, 64 + k, k), (464 + k, 464 + k, 200 + k)) for k in range(count)]
    found = run_layout(Layout((*walls((1024, 1024, 1024)), *boxes), ((32, 32, 32),)))
    assert cut_surface(found).tests < 40 * len(found.volumes)


def test_wedges_round_an_axis_are_seldom_looked_through(tmp_path):
    """All of them overlap at the axis, but most of their twelve sides are hidden by the next wedge."""
    (tmp_path / "cone.map").write_text(hostile("cone", 350))
    found = run(str(tmp_path / "cone.map"))
    low, high = found.volumes.bounds[:, :3], found.volumes.bounds[:, 3:]
    overlap = ((low[:, None] <= high[None]) & (high[:, None] >= low[None])).all(axis=2)
    cutter = cut_surface(found)
    assert cutter.looks < 2.5 * overlap.sum()
    assert cutter.tests < 0.5 * overlap.sum()


def test_leaves_narrower_than_a_crack_do_not_reach_through_the_floor(monkeypatch, tmp_path):
    """Boxes 0.06 apart along all axes cut space above them into needles. Together they let the flood pass."""

    class FloodedError(Exception):
        pass

    def stop(*arguments):
        raise FloodedError

    monkeypatch.setattr(pipeline, "_mesh_inside", stop)
    path = tmp_path / "near.map"
    path.write_text(hostile("near", 750))
    report = Report(str(path))
    with pytest.raises(FloodedError):
        make_areas(understand(str(path), report), QUAKE3, report)


def test_walks_past_slivers_do_not_go_round_in_circles(monkeypatch, tmp_path):
    """Boxes 0.06 apart along all axes. Walks went on for ever, until 12,000,000 polygons were passed."""
    plans = counted(monkeypatch, walkable, "FloorPlan")
    path = tmp_path / "near.map"
    path.write_text(hostile("near", 200))
    run(str(path))
    (plan,) = plans
    assert 10_000 < plan.passed < 300_000


def test_what_is_reached_beside_cracks_does_not_become_solid(tmp_path):
    """The corners of boxes 0.06 apart make notches that no flood enters. Leaves of the final tree that lay in a notch
    and before it became solid, as walls in open space: 3 % of what was reached."""
    path = tmp_path / "near.map"
    path.write_text(hostile("near", 30))
    found = run(str(path))
    box = found.rough.leaf_box[found.reached]
    points = (box[:, None, :3] + (box[:, None, 3:] - box[:, None, :3]) * spread(1024, 3)).reshape(-1, 3)
    leaf = locate(found.planes, found.rough, points)
    points = points[found.reached[leaf]]
    lost = areas_at(tree_of(found.areas), points) < 0
    assert lost.sum() < len(points) / 10_000
