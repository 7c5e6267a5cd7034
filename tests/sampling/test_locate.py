"""Where players stand or fall to, one by one and in bulk; and that all commands name the same area."""

from __future__ import annotations

import json

import numpy as np
import pytest

from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.model.areas import AreaFlag
from aascompile.sampling.locate import FALLS, area_at, areas_at, fall, locate
from aascompile.sampling.sample import ANY_PRESENCE, traces, tree_of
from aascompile.store.hdf import write_compiled
from aascompile.viewer.options import area_named
from tests.viewer.samples import sample, scene

NAMES = ("stairs", "ledge", "swim", "pool_deep", "jumppad", "lava")


def slow_locate(areas, point, feet=24.0):
    """The area and origin of one player, or (−1, the point) in solid."""
    tree = tree_of(areas)
    for lift in (0.0, feet / 2, feet, feet + 1.0):
        place = np.add(point, (0.0, 0.0, lift))
        area = int(areas_at(tree, place)[0])
        if area < 0:
            continue
        if not areas.area_flags[area] & np.uint32(AreaFlag.LIQUID):
            fallen = traces(tree, place, place - (0.0, 0.0, FALLS), ANY_PRESENCE)
            if fallen.fraction[0] < 1.0:
                return int(fallen.end_area[0]), fallen.end[0].tolist()
        return area, place.tolist()
    return -1, list(point)


def points_of(areas, count=150):
    """Points in and round a map, the middles of its areas among them."""
    dice = np.random.default_rng(7)
    low, high = areas.area_mins.min(axis=0) - 60.0, areas.area_maxs.max(axis=0) + 60.0
    return np.concatenate([areas.area_centre, dice.uniform(low, high, (count, 3))])


@pytest.mark.parametrize("name", NAMES)
def test_many_at_once_are_as_one_by_one(name):
    areas = sample(name).areas
    points = points_of(areas)
    area, origin = locate(tree_of(areas), points)
    expected = [slow_locate(areas, point) for point in points]
    assert area.tolist() == [found for found, _ in expected]
    assert origin.tolist() == [place for _, place in expected]
    assert area.dtype == np.int32
    assert -1 in area


@pytest.mark.parametrize("name", NAMES)
def test_who_fell_stays_there(name):
    """Players are in the area they are said to be in; to locate them again changes nothing."""
    areas = sample(name).areas
    tree = tree_of(areas)
    area, origin = locate(tree, points_of(areas))
    inside = area >= 0
    assert areas_at(tree, origin[inside]).tolist() == area[inside].tolist()
    again, still = locate(tree, origin[inside])
    assert again.tolist() == area[inside].tolist()
    assert np.abs(still - origin[inside]).max() < 0.25


def test_points_of_a_floor_mean_feet():
    areas = sample("box").areas
    tree = tree_of(areas)
    area, origin = locate(tree, [(0, 0, 0), (0, 0, 100), (0, 0, -40)])
    assert area[0] == area[1] == area_at(tree, (0, 0, 24.5))
    assert origin[:2, 2].tolist() == [24.0, 24.125], "on the floor, and just above it"
    assert area[2] == -1
    assert origin[2].tolist() == [0, 0, -40]


def test_other_players_have_other_feet():
    tree = tree_of(sample("box").areas)
    assert locate(tree, (0, 0, -40))[0].tolist() == [-1]
    assert locate(tree, (0, 0, -40), feet=70.0)[0].tolist() == [area_at(tree, (0, 0, 30))]


def test_nobody_anywhere():
    area, origin = locate(tree_of(sample("box").areas), np.zeros((0, 3)))
    assert (area.shape, origin.shape) == ((0,), (0, 3))


def test_a_fall_ends_where_it_must():
    tree = tree_of(sample("box").areas)
    found = fall(tree, [(0, 0, 100), (0, 0, 100)], [10.0, FALLS])
    assert found.end[:, 2] == pytest.approx([90.0, 24.125])
    assert found.fraction[0] == 1.0


@pytest.mark.parametrize("name", ["ledge", "jumppad", "swim"])
def test_commands_name_the_same_area(tmp_path, capsys, name):
    """`aas explain --from P` and `aas view --camera area:P` agree, in the air and in water too."""
    compiled, shown = sample(name), scene(name)
    file = tmp_path / f"{name}.aas.hdf"
    write_compiled(str(file), compiled)
    points = points_of(compiled.areas, 0)[:12]
    high = compiled.areas.area_maxs.max(axis=0)
    points = np.concatenate([points, np.column_stack((points[:, :2], np.full(len(points), high[2] - 1.0)))])
    compared = fallen = 0
    for point in points.round(1):
        text = ",".join(f"{value:.1f}" for value in point)
        area, _ = locate(tree_of(compiled.areas), point)
        if area[0] < 0:
            continue
        assert run(aas, "aas", ["explain", str(file), "--from", text, "--to", "0", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["from"]["area"] == area_named(shown, text) == area[0]
        compared += 1
        fallen += int(area_at(tree_of(compiled.areas), point) != area[0])
    assert compared > 5
    assert fallen > 0
