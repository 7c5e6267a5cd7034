"""Shader scripts beside .map source: liquids of any name, and the same areas as from the compiled map."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from aascompile.cached import compile_cached
from aascompile.mapio.load import load_map
from aascompile.mapio.shader_scripts import parse_scripts
from aascompile.model.contents import Contents, SurfaceFlag
from aascompile.pipeline import compile_map, understand
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.cache import Cache
from tests.conftest import ROOT

SCRIPT = """// a comment
textures/mine/pool // behind the name
{
    surfaceparm WATER
    surfaceparm nonsolid
    surfaceparm trans
    { map textures/mine/pool.tga
      surfaceparm lava }
    /* surfaceparm slime */
}
textures/mine/grate { surfaceparm nonsolid
}
textures/mine/wall
{
}
textures/mine/pool
{
    surfaceparm lava
}
textures/common/caulk
{
    surfaceparm water
}
"""


def test_scripts_are_parsed():
    found = parse_scripts(SCRIPT)
    assert found["textures/mine/pool"].contents == Contents.WATER | Contents.TRANSLUCENT, "the first of a name counts"
    assert found["textures/mine/pool"].flags == SurfaceFlag.NONSOLID
    assert found["textures/mine/grate"].contents == Contents(0)
    assert found["textures/mine/wall"].contents == Contents.SOLID
    assert parse_scripts("textures/x { surfaceparm lava") == {}, "a block that does not end"


def pool(folder: Path) -> Path:
    """A sample whose water has another name, with a script beside its folder."""
    text = (ROOT / "samples" / "pool_deep.map").read_text()
    assert "liquids/" in text
    import re

    (folder / "maps").mkdir()
    (folder / "scripts").mkdir()
    path = folder / "maps" / "pool_deep.map"
    path.write_text(re.sub(r"liquids/\w+", "mine/pool", text))
    (folder / "scripts" / "mine.shader").write_text(SCRIPT)
    return path


def liquids(path: Path) -> int:
    brushes = load_map(str(path)).brushes
    return int(((brushes.contents & np.uint32(Contents.WATER)) != 0).sum())


def test_water_of_any_name(tmp_path):
    """The source with its script gives the liquids and floors of the compiled map."""
    path = pool(tmp_path)
    assert liquids(path) == liquids(ROOT / "samples" / "pool_deep.bsp") > 0
    source, binary = (
        compile_map(str(each), QUAKE3, Report("x")) for each in (path, ROOT / "samples" / "pool_deep.bsp")
    )
    assert np.array_equal(source.areas.area_contents, binary.areas.area_contents)
    assert np.allclose(source.areas.area_mins, binary.areas.area_mins)
    assert np.array_equal(source.links.kind, binary.links.kind)


def test_scripts_in_an_archive(tmp_path):
    path = pool(tmp_path)
    with zipfile.ZipFile(tmp_path / "pak.pk3", "w") as pack:
        pack.write(path, "maps/pool_deep.map")
        pack.write(tmp_path / "scripts" / "mine.shader", "scripts/mine.shader")
    assert liquids(tmp_path / "pak.pk3" / "maps" / "pool_deep.map") > 0


def test_a_wall_that_looks_like_a_liquid_is_warned_of(tmp_path):
    path = pool(tmp_path)
    path.write_text(path.read_text().replace("mine/pool", "mine/blue_water_x"))
    report = Report("x")
    understand(str(path), report)
    assert report.warnings == [
        "'textures/mine/blue_water_x' looks like a liquid, but no shader script says so: its brushes are walls"
    ]


def test_a_cache_notices_other_scripts(tmp_path):
    path, cache = pool(tmp_path), Cache(str(tmp_path / "cache"))
    wet = compile_cached(str(path), QUAKE3, Report("x"), cache)
    (tmp_path / "scripts" / "mine.shader").write_text(SCRIPT.replace("WATER", "lava"))
    hot = compile_cached(str(path), QUAKE3, Report("x"), cache)
    assert not np.array_equal(wet.areas.area_contents, hot.areas.area_contents)


@pytest.mark.parametrize("name", ["pool_deep", "doorway", "curve"])
def test_source_and_compiled_map_give_the_same_areas(name):
    source, binary = (
        compile_map(str(ROOT / "samples" / f"{name}.{end}"), QUAKE3, Report("x")) for end in ("map", "bsp")
    )
    for column in ("area_flags", "area_contents", "area_presence"):
        assert np.array_equal(getattr(source.areas, column), getattr(binary.areas, column))
    assert np.allclose(source.areas.area_volume, binary.areas.area_volume)


def test_slanted_walls_enclose_the_same_space():
    """A compiled map rounds planes to 32 bits, so slanted walls may be cut in another order; space stays the same."""
    source, binary = (
        compile_map(str(ROOT / "samples" / f"slanted.{end}"), QUAKE3, Report("x")) for end in ("map", "bsp")
    )
    assert source.areas.area_volume.sum() == pytest.approx(binary.areas.area_volume.sum(), rel=1e-4)
