"""Real maps are read completely, and agree with a second, simple reader of the same file."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import numpy as np
import pytest

from aascompile import tolerances
from aascompile.mapio.load import load_map

pytestmark = pytest.mark.corpus

# Brushes and patches of OpenArena's maps, counted by other tools.
COUNTS = {
    "aggressor": (835, 0),
    "am_galmevish2": (681, 63),
    "fan": (52, 0),
    "kaos2": (1455, 173),
    "oa_bases3cl": (234, 0),
    "oa_ctf2": (269, 44),
    "oa_dm1": (575, 0),
    "oa_dm2": (1724, 0),
    "oa_dm4": (747, 0),
    "oa_dm7": (384, 0),
    "oa_shine": (877, 0),
    "oacmpdm8": (283, 248),
    "q3dm6ish": (449, 0),
    "slimefac": (1205, 85),
    "wrackdm17": (1002, 58),
}


@pytest.mark.parametrize("name", COUNTS)
def test_real_maps_have_the_expected_brushes_and_patches(corpus: Path, name: str) -> None:
    path = corpus / f"{name}.bsp"
    if not path.exists():
        pytest.skip(f"{name}.bsp is not among the real maps")
    data = load_map(path)
    assert (len(data.brushes), len(data.patches)) == COUNTS[name]
    assert data.dropped == ()


def plain_rows(data: bytes, lump: int, row: str) -> list[tuple[float, ...]]:
    """Rows of a lump, unpacked with struct."""
    offset, length = struct.unpack_from("<ii", data, 8 + 8 * lump)
    return list(struct.iter_unpack(row, data[offset : offset + length]))


def test_brushes_agree_with_a_simple_reader(corpus: Path) -> None:
    """Every brush has the planes, contents and flags stored in the file. No brush is missing or repeated."""
    for path in sorted(corpus.glob("*.bsp")):
        data = path.read_bytes()
        planes, brushes, sides = plain_rows(data, 2, "<4f"), plain_rows(data, 8, "<3i"), plain_rows(data, 9, "<2i")
        shaders = plain_rows(data, 1, "<64sII")
        read = load_map(path)
        assert read.brushes.number.tolist() == list(range(len(brushes))), path.name
        order = [side for first, count, _ in brushes for side in range(int(first), int(first + count))]
        want = np.array([planes[int(sides[side][0])] for side in order])
        want /= np.linalg.norm(want[:, :3], axis=1)[:, None]
        assert np.abs(read.planes.normal[read.brushes.side_plane] - want[:, :3]).max() < tolerances.PLANE_NORMAL
        off = np.abs(read.planes.dist[read.brushes.side_plane] - want[:, 3]).max()
        assert off < tolerances.PLANE_DIST + tolerances.PLANE_SNAP
        assert read.brushes.side_flags.tolist() == [shaders[int(sides[side][1])][1] for side in order]
        assert read.brushes.contents.tolist() == [shaders[int(shader)][2] for _, _, shader in brushes]
        assert np.diff(read.brushes.side_start).tolist() == [count for _, count, _ in brushes]


def test_models_belong_to_their_entities(corpus: Path) -> None:
    """Every model belongs to the entity that names it, and the world to the first entity."""
    for path in sorted(corpus.glob("*.bsp")):
        read = load_map(path)
        named = {0: 0}
        for row, entity in enumerate(read.entities):
            if re.fullmatch(r"\*[1-9]\d*", entity.get("model")):
                named.setdefault(int(entity.get("model")[1:]), row)
        assert {model: row for model, row in enumerate(read.models.entity.tolist()) if row >= 0} == named, path.name
        assert read.entities[0].classname == "worldspawn"
        assert np.array_equal(read.brushes.entity, read.models.entity[read.brushes.model])


def test_patches_have_their_control_points(corpus: Path) -> None:
    for path in sorted(corpus.glob("*.bsp")):
        data = path.read_bytes()
        vertices, surfaces = plain_rows(data, 10, "<3f32x"), plain_rows(data, 13, "<26i")
        want = [
            (number, surface[24], surface[25], vertices[int(surface[3]) : int(surface[3] + surface[24] * surface[25])])
            for number, surface in enumerate(surfaces)
            if surface[2] == 2
        ]
        patches = load_map(path).patches
        assert patches.number.tolist() == [number for number, *_ in want]
        assert patches.width.tolist() == [width for _, width, _, _ in want]
        assert patches.height.tolist() == [height for _, _, height, _ in want]
        assert patches.point.tolist() == [list(point) for *_, points in want for point in points]
