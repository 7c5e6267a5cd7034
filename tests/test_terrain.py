"""The generator of landscapes: as many brushes as asked, the same from the same seed, sealed, and free to walk."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from aascompile.geometry.hull import HullStatus, hulls
from aascompile.mapio.source import read_source
from aascompile.model.areas import AreaFlag
from aascompile.model.mapdata import MapData
from aascompile.pipeline import make_areas, understand
from aascompile.report import Report
from aascompile.settings import QUAKE3
from tests.conftest import ROOT
from tests.reference.collision import ITEM, STANDING, Solids
from tests.terrain import CLIFF, MIN_BRUSHES, Field, terrain

KINDS = [(0, False), (8, False), (0, True), (100, True)]
"""Rocks on 100 cells, and cliffs or not."""


@cache
def landscape(brushes: int, rocks: int = 0, cliffs: bool = False, seed: int = 1) -> MapData:
    data = terrain(brushes, seed, rocks, cliffs).encode()
    return read_source(data.decode(), data, f"{brushes}.map")


@pytest.mark.parametrize("brushes", [MIN_BRUSHES, 1000, 1733])
@pytest.mark.parametrize(("rocks", "cliffs"), KINDS)
def test_has_as_many_brushes_as_asked(brushes: int, rocks: int, cliffs: bool) -> None:
    data = landscape(brushes, rocks, cliffs)
    assert len(data.brushes) == brushes
    assert data.dropped == ()
    shape = hulls(data.planes.normal, data.planes.dist, data.brushes.side_start, data.brushes.side_plane)
    assert (shape.status == HullStatus.CLOSED).all()
    assert shape.volume.min() > 500


def test_depends_on_the_seed_alone() -> None:
    assert terrain(1000, 5) != terrain(1000, 6)
    command = [sys.executable, "-c", "from tests.terrain import terrain; print(terrain(300, 5, 9, True), end='')"]
    other = subprocess.run(command, cwd=ROOT, env={"PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True)
    assert other.stdout == terrain(300, 5, 9, True)


@pytest.mark.parametrize("cliffs", [False, True])
def test_only_cliffs_are_too_steep(cliffs: bool) -> None:
    data = landscape(4000, 0, cliffs)
    up = data.planes.normal[data.brushes.side_plane][:, 2]
    slopes = up[(up > 0.1) & (up < 1)]
    assert len(slopes) > 3000
    steep = slopes < QUAKE3.physics.floor_up
    assert 0.02 < steep.mean() < 0.3 if cliffs else not steep.any()


def test_a_cliff_is_higher_than_a_jump() -> None:
    assert QUAKE3.physics.max_barrier < CLIFF


def test_neighbours_share_their_corners() -> None:
    field = Field(2, 1, [[0, 1], [2, 3], [4, 5]])
    assert field.triangles(0, 0) == [[(0, 0, 0), (128, 0, 2), (128, 128, 3)], [(0, 0, 0), (128, 128, 3), (0, 128, 1)]]
    assert field.triangles(1, 0) == [
        [(128, 0, 2), (256, 0, 4), (128, 128, 3)],
        [(256, 0, 4), (256, 128, 5), (128, 128, 3)],
    ]


@pytest.mark.parametrize(("rocks", "cliffs"), KINDS)
def test_players_and_items_are_free(rocks: int, cliffs: bool) -> None:
    data = landscape(2000, rocks, cliffs)
    solids = Solids(data)
    starts = [entity.vector("origin") for _, entity in data.each_class("info_player_deathmatch")]
    items = [entity.vector("origin") for entity in data.entities if entity.classname.startswith(("item", "weapon"))]
    assert len(starts) >= 4
    assert len(items) >= 4
    assert not solids.hit(starts, STANDING).any()
    assert not solids.hit(items, ITEM).any()


def test_a_landscape_without_obstacles_is_cut_by_its_width_alone(tmp_path: Path) -> None:
    """22 × 22 cells are 2,786 units of ground: six pieces of at most 512 units along each axis."""
    path = tmp_path / "x.map"
    path.write_text(terrain(1000, 1))
    settings = replace(QUAKE3, areas=replace(QUAKE3.areas, walkable=True))
    report = Report(str(path))
    areas = make_areas(understand(str(path), report, settings), settings, report).areas  # a leak would be an error
    grounded = (areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0
    assert grounded.sum() == 6 * 6
    whole = replace(settings, areas=replace(settings.areas, widest=4096.0))
    areas = make_areas(understand(str(path), report, whole), whole, report).areas
    assert ((areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0).sum() == 1


def test_the_command_writes_landscapes(tmp_path: Path) -> None:
    out = tmp_path / "out.map"
    options = ["300", "--terrain", "--rocks", "5", "--cliffs", "--seed", "4", str(out)]
    subprocess.run([sys.executable, "-m", "tests.generate", *options], cwd=ROOT, check=True)
    assert out.read_text() == terrain(300, 4, 5, True)


def test_too_small_a_landscape_is_refused() -> None:
    with pytest.raises(ValueError, match="fewer than"):
        terrain(MIN_BRUSHES - 1, 1)
