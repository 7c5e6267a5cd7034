"""Points in the middle of areas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aascompile.sampling.middle import middles


def test_the_centre_of_mass_serves_where_the_tree_finds_no_point_of_an_area(compiled_sample):
    areas = compiled_sample("stairs").areas
    mass = (areas.area_mins + areas.area_maxs) / 2
    solid = np.where(areas.node_child < 0, -1, areas.node_child).astype(np.int32)
    lost = replace(areas, node_child=solid, area_centre=mass)
    assert np.array_equal(middles(lost), mass)
    assert not np.array_equal(middles(replace(areas, area_centre=mass)), mass)
