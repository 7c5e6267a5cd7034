"""The stages in order, over whole maps."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.errors import MapError
from aascompile.mapio.load import MapSource
from aascompile.model.contents import BLOCKS_PLAYER
from aascompile.pipeline import compile_map, gather, make_areas, understand
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.engine import write_engine


def test_records_fit_together(samples):
    for path in sorted(samples.glob("*.map")):
        report = Report(str(path))
        found = understand(str(path), report)
        brushes, patches = found.map.brushes, found.map.patches
        assert len(brushes) == len(found.hulls) == len(found.meaning) > 0
        assert (found.hulls.volume > 0).all()
        assert len(patches) == len(found.patch_meaning)
        blocking = np.flatnonzero(patches.contents & np.uint32(BLOCKS_PLAYER))
        assert set(found.facets.patch.tolist()) == set(blocking.tolist())
        assert np.array_equal(found.planes.normal[: len(found.map.planes)], found.map.planes.normal)
        assert np.array_equal(found.planes.dist[: len(found.map.planes)], found.map.planes.dist)
        assert found.facets.brushes.side_plane.max(initial=-1) < len(found.planes)
        assert [stage.name for stage in report.stages] == ["read", "hulls", "meaning", "patches"]
        assert report.dropped == []
        assert report.warnings == []


@pytest.mark.parametrize("name", ["slanted", "pillars", "stairs"])
def test_the_slower_search_never_gives_more_areas(samples, name):
    report = Report(name)
    found = understand(str(samples / f"{name}.bsp"), report)
    usual, slower = (len(make_areas(found, QUAKE3, report, quality=quality).areas) for quality in (False, True))
    assert slower <= usual


@pytest.mark.parametrize("name", ["slanted", "static", "leak"])
def test_a_map_can_be_divided_again(samples, name):
    """The plane table grows the first time, which must not change the second."""
    report = Report(name)
    found = understand(str(samples / f"{name}.bsp"), report)
    first, second = (
        gather(found, make_areas(found, QUAKE3, report, allow_leak=True), None, None, QUAKE3, Report(name))
        for _ in range(2)
    )
    assert write_engine(first) == write_engine(second)


def test_warnings_name_class_and_entity(samples, tmp_path):
    brush = "{\n" + "\n".join(f"{side} common/trigger 0 0 0 1 1" for side in SIDES) + "\n}\n"
    odd = tmp_path / "odd.map"
    entities = (
        f'{{\n"classname" "trigger_push"\n{brush}}}\n'
        f'{{\n"classname" "trigger_teleport"\n"target" "gone"\n{brush}}}\n'
        f'{{\n"classname" "func_train"\n{brush}}}\n'
        f'{{\n"classname" "func_odd"\n{brush}}}\n'
    )
    odd.write_text((samples / "box.map").read_text() + entities)
    first = (samples / "box.map").read_text().count('"classname"')
    report = Report(str(odd))
    understand(str(odd), report)
    assert report.warnings == [
        f"trigger_push (entity {first}) does nothing: it has no target",
        f"trigger_teleport (entity {first + 1}) does nothing: its target 'gone' does not exist",
        f"func_train (entity {first + 2}) does nothing: it has no path_corner to go to",
        "unknown class 'func_odd': its brushes are ignored",
    ]


def test_bytes_compile_as_their_file_does(samples):
    path = str(samples / "stairs.bsp")
    data = (samples / "stairs.bsp").read_bytes()
    from_file = compile_map(path, QUAKE3, Report(path))
    from_bytes = compile_map(MapSource(data, "stairs.bsp"), QUAKE3, Report("stairs.bsp"))
    assert write_engine(from_bytes) == write_engine(from_file)
    assert from_bytes.provenance == from_file.provenance


def test_map_that_cannot_be_read(tmp_path):
    with pytest.raises(MapError, match="no such file"):
        understand(str(tmp_path / "none.bsp"), Report("none"))


SIDES = (
    "( 16 0 0 ) ( 16 0 8 ) ( 16 8 0 )",
    "( 0 0 0 ) ( 0 8 0 ) ( 0 0 8 )",
    "( 0 16 0 ) ( 8 16 0 ) ( 0 16 8 )",
    "( 0 0 0 ) ( 0 0 8 ) ( 8 0 0 )",
    "( 0 0 16 ) ( 0 8 16 ) ( 8 0 16 )",
    "( 0 0 0 ) ( 8 0 0 ) ( 0 8 0 )",
)
"""A box of 16 units."""


def test_source_and_compiled_map_mean_the_same(samples):
    for path in sorted(samples.glob("*.bsp")):
        source = understand(str(path.with_suffix(".map")), Report("source"))
        compiled = understand(str(path), Report("compiled"))
        for old, new in ((source.meaning, compiled.meaning), (source.patch_meaning, compiled.patch_meaning)):
            assert sorted(zip(old.kind, old.model, map(tuple, old.offset), strict=True)) == sorted(
                zip(new.kind, new.model, map(tuple, new.offset), strict=True)
            )
        assert source.facts == compiled.facts
        assert np.allclose(np.sort(source.hulls.volume), np.sort(compiled.hulls.volume))
