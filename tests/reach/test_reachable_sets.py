"""What is reachable from an area while links are added, compared with a flood for every question."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from aascompile.csr import starts_of
from aascompile.model.links import Links, Travel, null_columns
from aascompile.reach.reachable_sets import ReachableSets
from tests.examples import examples


def links_between(count: int, pairs: list[tuple[int, int]]) -> Links:
    source, target = (np.array([pair[k] for pair in pairs], np.int32) for k in (0, 1))
    none, point = np.zeros(len(pairs), np.int32), np.zeros((len(pairs), 3))
    start = starts_of(np.bincount(source, minlength=count).astype(np.int64))
    return Links(
        source, target, none + int(Travel.WALK), point, point, none, none, none, none, point,
        **null_columns(len(pairs)), area_start=start,
    )  # fmt: skip


def flooded(links: Links, used: list[bool], barred: list[bool], area: int) -> set[int]:
    """All reachable areas. A barred area is left only if it is the first."""
    found, edge = {area}, [area]
    while edge:
        last = edge.pop()
        if barred[last] and last != area:
            continue
        for row in range(int(links.area_start[last]), int(links.area_start[last + 1])):
            other = int(links.target[row])
            if used[row] and other not in found:
                found.add(other)
                edge.append(other)
    return found


@settings(max_examples=examples(150))
@given(st.data())
def test_reachable_sets_agree_with_a_flood(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 9))
    node = st.integers(0, count - 1)
    pairs = sorted(data.draw(st.lists(st.tuples(node, node), max_size=24)))
    links = links_between(count, pairs)
    used = data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    barred = data.draw(st.lists(st.sampled_from((False, False, True)), min_size=count, max_size=count))
    onward = ReachableSets(links, np.array(used, np.bool_), np.array(barred, np.bool_))
    unused = data.draw(st.permutations([row for row in range(len(pairs)) if not used[row]]))
    for row in (-1, *unused):
        if row >= 0:
            onward.use(row)
            used[row] = True
        for area in range(count):
            within = onward.after(area)
            there = {other for other in range(count) if onward.component[other] in within}
            assert there == flooded(links, used, barred, area)
