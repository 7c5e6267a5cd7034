"""What happened to areas, links and portals: boxes divided by hand, and real maps compiled with two settings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel
from aascompile.nav.difference import AreaChange, Difference, LinkChange, difference, has_shapes
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.settings import QUAKE3
from tests.nav.boxes import Box, boxes_map

WALK, JUMP = Travel.WALK, Travel.JUMP

LEFT: Box = (0, 0, 0, 100, 100, 80)
MIDDLE: Box = (100, 0, 0, 200, 100, 80)
RIGHT: Box = (200, 0, 0, 300, 100, 80)


def groups(found: Difference) -> list[tuple[AreaChange, list[int], list[int]]]:
    """Groups other than the same area."""
    all_groups = found.groups
    return [
        (
            AreaChange(change),
            all_groups.old_area[all_groups.old_start[g] : all_groups.old_start[g + 1]].tolist(),
            all_groups.new_area[all_groups.new_start[g] : all_groups.new_start[g + 1]].tolist(),
        )
        for g, change in enumerate(all_groups.change.tolist())
        if change != AreaChange.SAME
    ]


def renumbered(compiled: Compiled, order: np.ndarray) -> Compiled:
    """The same map with its areas and links in another order."""
    areas, links = compiled.areas, compiled.links
    number = np.empty(len(order), np.int32)
    number[order] = np.arange(len(order))

    def area(column: np.ndarray) -> np.ndarray:
        return np.where(column >= 0, number[column], -1).astype(np.int32)

    sizes = np.diff(areas.area_start)[order]
    start = np.concatenate(([0], np.cumsum(sizes)))
    faces = np.concatenate([areas.area_face[areas.area_start[row] : areas.area_start[row + 1]] for row in order])
    columns = ("contents", "flags", "presence", "model", "mins", "maxs", "centre", "volume")
    new = replace(
        areas,
        face_front=area(areas.face_front),
        face_back=area(areas.face_back),
        area_start=start,
        area_face=faces,
        node_child=np.where(
            areas.node_child <= -2, -2 - number[np.maximum(-2 - areas.node_child, 0)], areas.node_child
        ).astype(np.int32),
        **{f"area_{name}": getattr(areas, f"area_{name}")[order] for name in columns},
    )
    back = np.arange(len(links))[::-1]
    turned = replace(
        links,
        **{name: getattr(links, name)[back] for name in ("kind", "start", "end", "time", "face", "edge", "model")},
        source=area(links.source[back]),
        target=area(links.target[back]),
    )
    clusters = replace(
        compiled.clusters,
        area_portal=compiled.clusters.area_portal[order],
        portal_area=area(compiled.clusters.portal_area),
    )
    return replace(compiled, areas=new, links=turned, clusters=clusters)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([LEFT, RIGHT], [RIGHT, LEFT], []),
        ([LEFT, RIGHT], [LEFT], [(AreaChange.VANISHED, [1], [])]),
        ([LEFT], [RIGHT, LEFT], [(AreaChange.APPEARED, [], [0])]),
        ([LEFT], [(0, 0, 0, 60, 100, 80), (60, 0, 0, 100, 100, 80)], [(AreaChange.SPLIT, [0], [0, 1])]),
        ([LEFT, MIDDLE, RIGHT], [(0, 0, 0, 200, 100, 80), RIGHT], [(AreaChange.MERGED, [0, 1], [0])]),
        (
            [LEFT, MIDDLE, RIGHT],
            [(0, 0, 0, 200, 50, 80), (0, 50, 0, 200, 100, 80), RIGHT],
            [(AreaChange.RECUT, [0, 1], [0, 1])],
        ),
        ([LEFT, RIGHT], [(0, 0, 0, 90, 100, 80), RIGHT], [(AreaChange.RESHAPED, [0], [0])]),
        # Moving a boundary by a twentieth does not relate an area to its neighbour.
        (
            [LEFT, MIDDLE],
            [(0, 0, 0, 105, 100, 80), (105, 0, 0, 200, 100, 80)],
            [(AreaChange.RESHAPED, [0], [0]), (AreaChange.RESHAPED, [1], [1])],
        ),
        # As far as welding may move corners.
        ([LEFT, MIDDLE], [(0, 0, 0, 100.1, 100, 80), (100.1, 0, 0, 200, 100, 80)], []),
        # Slabs that are nearer together than areas of the same shape may differ.
        ([(0, 0, 0, 99, 99, 0.2), (0, 0, 0.2, 99, 99, 0.4)], [(0, 0, 0.2, 99, 99, 0.4), (0, 0, 0, 99, 99, 0.2)], []),
        # A slab becomes part of an area that is otherwise the same.
        ([LEFT, (100, 0, 0, 100.1, 100, 80)], [(0, 0, 0, 100.1, 100, 80)], [(AreaChange.MERGED, [0, 1], [0])]),
        ([], [LEFT], [(AreaChange.APPEARED, [], [0])]),
        ([], [], []),
    ],
)
def test_areas_are_grouped_by_the_space_they_share(old: list[Box], new: list[Box], expected: list) -> None:
    found = difference(boxes_map(old), boxes_map(new))
    assert groups(found) == expected
    assert found.equal == (not expected)
    mirrored = difference(boxes_map(new), boxes_map(old))
    turned = {
        AreaChange.SPLIT: AreaChange.MERGED, AreaChange.MERGED: AreaChange.SPLIT,
        AreaChange.VANISHED: AreaChange.APPEARED, AreaChange.APPEARED: AreaChange.VANISHED,
    }  # fmt: skip
    assert sorted(groups(mirrored)) == sorted((turned.get(change, change), b, a) for change, a, b in expected)
    assert np.array_equal(mirrored.old.area_covered, found.new.area_covered)


def test_the_covered_share_of_an_area() -> None:
    found = difference(boxes_map([LEFT, MIDDLE]), boxes_map([(0, 0, 0, 25, 100, 80)]))
    assert found.old.area_covered == pytest.approx([0.25, 0.0])
    assert found.new.area_covered == pytest.approx([1.0])
    assert [AreaChange(change) for change in found.old.area_change] == [AreaChange.RESHAPED, AreaChange.VANISHED]


@pytest.mark.parametrize("column", ["area_contents", "area_flags", "area_presence", "area_model", "area_trigger"])
def test_an_area_of_another_kind_is_altered(column: str) -> None:
    old, new = boxes_map([LEFT, RIGHT]), boxes_map([RIGHT, LEFT])
    getattr(new.areas, column)[1] += 8
    assert groups(difference(old, new)) == [(AreaChange.ALTERED, [0], [1])]


def test_links_are_matched_by_areas_and_kind() -> None:
    old = boxes_map([LEFT, MIDDLE, RIGHT], [(0, 1, WALK), (1, 0, WALK), (0, 2, JUMP), (1, 2, WALK)])
    new = boxes_map([RIGHT, MIDDLE, LEFT], [(2, 1, WALK), (1, 2, JUMP), (2, 0, JUMP), (1, 0, WALK)])
    new.links.time[0] += 1
    found = difference(old, new)
    assert not found.equal
    # Old: 0→1 walk, 0→2 jump, 1→0 walk, 1→2 walk; new, in its own numbers: 1→0 walk, 1→2 jump, 2→1 walk, 2→0 jump.
    assert found.old.link_change.tolist() == [LinkChange.SAME, LinkChange.SAME, LinkChange.GONE, LinkChange.MOVED]
    assert found.old.link_partner.tolist() == [2, 3, -1, 0]
    assert found.new.link_change.tolist() == [LinkChange.MOVED, LinkChange.GONE, LinkChange.SAME, LinkChange.SAME]
    assert found.new.link_partner.tolist() == [3, -1, 0, 1]


def test_links_follow_areas_that_were_split() -> None:
    old = boxes_map([LEFT, MIDDLE], [(0, 1, WALK), (0, 1, JUMP)])
    halves = [(0, 0, 0, 50, 100, 80), (50, 0, 0, 100, 100, 80)]
    new = boxes_map([*halves, MIDDLE], [(0, 1, WALK), (1, 0, WALK), (1, 2, WALK)])
    found = difference(old, new)
    assert found.old.link_change.tolist() == [LinkChange.MOVED, LinkChange.GONE]
    assert found.new.link_change.tolist() == [LinkChange.INSIDE, LinkChange.INSIDE, LinkChange.MOVED]
    assert found.old.link_partner.tolist() == [2, -1]
    merged = difference(new, old)
    assert merged.old.link_change.tolist() == found.new.link_change.tolist()
    assert merged.new.link_change.tolist() == found.old.link_change.tolist()


def test_the_nearest_of_several_links_is_the_partner() -> None:
    left = [(0, 0, 0, 100, 50, 80), (0, 50, 0, 100, 100, 80)]
    right = [(100, 0, 0, 200, 50, 80), (100, 50, 0, 200, 100, 80)]
    old = boxes_map([LEFT, MIDDLE], [(0, 1, WALK)])
    new = boxes_map([*left, *right], [(0, 2, WALK), (1, 3, WALK), (0, 3, WALK)])
    new.links.start[2] = old.links.start[0]
    new.links.end[2] = old.links.end[0] + 0.5
    found = difference(old, new)
    assert found.old.link_partner.tolist() == [2]
    assert found.old.link_change.tolist() == [LinkChange.SAME]
    assert found.new.link_partner.tolist() == [0, 0, 0]


def test_every_lane_of_a_wide_border_is_matched() -> None:
    old, new = (boxes_map([LEFT, MIDDLE], [(0, 1, WALK)] * 3) for _ in range(2))
    for compiled in (old, new):
        compiled.links.start[:, 1] = compiled.links.end[:, 1] = 20.0, 50.0, 80.0
    found = difference(old, new)
    assert found.equal
    assert found.old.link_partner.tolist() == found.new.link_partner.tolist() == [0, 1, 2]


def test_portals_are_matched_by_areas() -> None:
    old, new = boxes_map([LEFT, MIDDLE, RIGHT], portals=[1]), boxes_map([RIGHT, MIDDLE, LEFT], portals=[0])
    found = difference(old, new)
    assert (found.old.portal_gone.tolist(), found.new.portal_gone.tolist(), found.equal) == ([True], [True], False)
    assert difference(old, boxes_map([RIGHT, MIDDLE, LEFT], portals=[1])).equal
    assert difference(old, boxes_map([LEFT, MIDDLE, RIGHT])).clusters == (2, 1)


def test_files_without_links_and_clusters() -> None:
    full = boxes_map([LEFT, MIDDLE], [(0, 1, WALK)], [1])
    bare = replace(full, links=None, clusters=None)
    assert difference(bare, bare).equal
    found = difference(full, bare)
    assert not found.equal
    assert (len(found.old.link_change), len(found.new.portal_gone), found.has_links) == (0, 0, (True, False))


def test_files_without_faces_are_recognised() -> None:
    areas = boxes_map([LEFT]).areas
    assert has_shapes(areas)
    assert not has_shapes(replace(areas, area_start=np.zeros(2, np.int64), area_face=areas.area_face[:0]))


# --- real maps --------------------------------------------------------------------------------------------------------


def compiled(path: object, *, quality: bool = False) -> Compiled:
    return compile_map(str(path), QUAKE3, Report(str(path)), quality=quality)


def test_the_order_of_areas_does_not_count(samples) -> None:
    sample = compiled(samples / "pillars.bsp")
    turned = renumbered(sample, np.random.default_rng(1).permutation(len(sample.areas)))
    assert difference(sample, turned).equal
    assert difference(turned, sample).equal


@pytest.mark.corpus
def test_a_real_map_divided_differently(corpus) -> None:
    """Both divisions fill the same space, and areas that share much of it are in one group."""
    old, new = compiled(corpus / "aggressor.bsp"), compiled(corpus / "aggressor.bsp", quality=True)
    found = difference(old, new, threads=2)
    assert {*found.groups.change.tolist()} >= {AreaChange.SAME, AreaChange.RECUT}
    assert not {*found.groups.change.tolist()} & {AreaChange.VANISHED, AreaChange.APPEARED}
    for side, file in ((found.old, old), (found.new, new)):
        assert np.average(side.area_covered, weights=file.areas.area_volume) > 0.999
        assert side.area_covered.min() > 0.9
    for start, area, file in (
        (found.groups.old_start, found.groups.old_area, old),
        (found.groups.new_start, found.groups.new_area, new),
    ):
        assert np.array_equal(np.sort(area), np.arange(len(file.areas))), "every area is in one group"
        assert start[-1] == len(area)
    rng = np.random.default_rng(2)
    point = rng.uniform(old.areas.area_mins.min(axis=0), old.areas.area_maxs.max(axis=0), (60_000, 3))
    a, b = areas_at(tree_of(old.areas), point), areas_at(tree_of(new.areas), point)
    both = (a >= 0) & (b >= 0)
    assert both.sum() > 5000
    together = found.old.area_group[a[both]] == found.new.area_group[b[both]]
    assert together.mean() > 0.99
    # Links between areas that are the same must join the same two areas in the other file.
    rows = np.flatnonzero(found.old.link_partner >= 0)
    partner = found.old.link_partner[rows]
    assert np.array_equal(old.links.kind[rows], new.links.kind[partner])
    assert np.array_equal(found.old.area_group[old.links.source[rows]], found.new.area_group[new.links.source[partner]])
