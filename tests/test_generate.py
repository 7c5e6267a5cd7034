"""The generator of large maps: as many brushes as asked, the same from the same seed, sealed, and free to walk."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from aascompile.geometry.hull import HullStatus, hulls
from aascompile.mapio.ibsp import read_ibsp
from aascompile.mapio.source import read_source
from aascompile.model.contents import Contents
from aascompile.model.mapdata import MapData
from tests.conftest import ROOT
from tests.generate import MIN_BRUSHES, PITCH, STOREY, generate
from tests.reference.collision import ITEM, STANDING, Solids

SIZES = [MIN_BRUSHES, 1000, 1733, 4000]


@cache
def large(brushes: int, seed: int = 1) -> MapData:
    data = generate(brushes, seed).encode()
    return read_source(data.decode(), data, f"{brushes}.map")


@pytest.mark.parametrize("brushes", SIZES)
def test_has_as_many_brushes_as_asked(brushes: int) -> None:
    data = large(brushes)
    assert len(data.brushes) == brushes
    assert data.dropped == ()
    shape = hulls(data.planes.normal, data.planes.dist, data.brushes.side_start, data.brushes.side_plane)
    assert (shape.status == HullStatus.CLOSED).all()
    assert shape.volume.min() > 500


def test_depends_on_the_seed_alone() -> None:
    assert generate(1000, 5) == generate(1000, 5)
    assert generate(1000, 5) != generate(1000, 6)
    command = [sys.executable, "-c", "from tests.generate import generate; print(generate(300, 5), end='')"]
    other = subprocess.run(command, cwd=ROOT, env={"PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True)
    assert other.stdout == generate(300, 5)


def test_has_everything_a_real_map_has() -> None:
    data = large(4000)
    contents = data.brushes.contents
    for bit in (Contents.SOLID, Contents.WATER, Contents.PLAYERCLIP, Contents.DETAIL):
        assert ((contents & bit) != 0).sum() >= 10, bit
    assert len(data.patches) >= 5
    normal = data.planes.normal[data.brushes.side_plane]
    slanted = np.abs(normal).max(axis=1) < 1
    assert 0.1 < slanted.mean() < 0.5
    assert sum(1 for _ in data.each_class("info_player_deathmatch")) >= 20
    assert sum(entity.classname.startswith(("item_", "weapon_", "ammo_")) for entity in data.entities) >= 50


def test_grows_in_rooms_and_floors_at_constant_density() -> None:
    volume = []
    for brushes in (1000, 4000, 16000):
        box = large(brushes).models.maxs[0] - large(brushes).models.mins[0]
        volume.append(box.prod() / brushes)
        assert box[2] > 2 * STOREY, "at least two floors"
        assert 0.6 < box[0] / box[1] < 1.7
    assert max(volume) < 1.5 * min(volume)
    assert volume[-1] == pytest.approx(PITCH * PITCH * STOREY / 24, rel=0.25)


@pytest.mark.parametrize("seed", [1, 2])
def test_players_and_items_are_free(seed: int) -> None:
    solids = Solids(large(1000, seed))
    entities = large(1000, seed).entities[1:]
    starts = [entity.vector("origin") for entity in entities if entity.classname == "info_player_deathmatch"]
    items = [entity.vector("origin") for entity in entities if entity.classname != "info_player_deathmatch"]
    assert not solids.hit(starts, STANDING).any()
    assert not solids.hit(items, ITEM).any()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_is_sealed_and_all_of_one_piece(seed: int) -> None:
    """A flood of voxels between the structural brushes, all axial, joins all entities and never gets outside."""
    from scipy import ndimage

    data, step = large(1000, seed), 8
    brushes = data.brushes
    shape = hulls(data.planes.normal, data.planes.dist, brushes.side_start, brushes.side_plane)
    structural = (brushes.contents & (Contents.SOLID | Contents.DETAIL)) == Contents.SOLID
    low = data.models.mins[0] - 2.25 * step  # voxels are points that lie on no brush's side
    filled = np.zeros(np.ceil((data.models.maxs[0] - low) / step).astype(int) + 2, np.bool_)
    for box in shape.bounds[structural]:
        first, stop = np.ceil((box[:3] - low) / step).astype(int), np.ceil((box[3:] - low) / step).astype(int)
        filled[first[0] : stop[0], first[1] : stop[1], first[2] : stop[2]] = True
    labels, _ = ndimage.label(~filled)
    points = np.array([entity.vector("origin") for entity in data.entities[1:]])
    found = {int(labels[tuple(np.round((point - low) / step).astype(int))]) for point in points}
    assert len(found) == 1
    assert found.isdisjoint({0, int(labels[0, 0, 0])})


def test_command_writes_both_formats(tmp_path: Path) -> None:
    for name in ("out.map", "out.bsp"):
        command = [sys.executable, "-m", "tests.generate", "300", "--seed", "4", str(tmp_path / name)]
        subprocess.run(command, cwd=ROOT, check=True)
    assert (tmp_path / "out.map").read_text() == generate(300, 4)
    assert len(read_ibsp((tmp_path / "out.bsp").read_bytes(), "out.bsp").brushes) == 300


def test_too_small_a_map_is_refused() -> None:
    with pytest.raises(ValueError, match="fewer than"):
        generate(MIN_BRUSHES - 1, 1)
