"""Numbers and structures that no honest file has: each gives one sentence, or a result with the part left out."""

from __future__ import annotations

import json
import shutil
import struct
import warnings
from dataclasses import replace

import numpy as np
import pytest

from aascompile.checks.check_compiled import failures
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.cli.main import aas
from aascompile.errors import StoreError
from aascompile.mapio.load import MapSource, load_map
from aascompile.model.links import Travel
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.engine import for_engine, write_engine
from aascompile.store.engine_lumps import pack, unpack
from aascompile.store.hdf import compiled_bytes, write_compiled

MODELS, MODEL_BYTES = 7, 40


def compiled_without_warnings(source: MapSource):
    report = Report(source.name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return compile_map(source, QUAKE3, report), report


@pytest.mark.parametrize("place", ["1e308 1e308 1e308", "0 0 -1e300", "200000 0 24"])
def test_entities_beyond_any_map_are_dropped(samples, place):
    text = (samples / "box.map").read_text()
    text += f'{{\n"classname" "item_health"\n"origin" "{place}"\n}}\n'
    text += f'{{\n"classname" "info_player_deathmatch"\n"origin" "{place}"\n}}\n'
    compiled, report = compiled_without_warnings(MapSource(text.encode(), "box.map"))
    reasons = {dropped.number: dropped.reason for dropped in report.dropped if dropped.kind == "entity"}
    rows = len(compiled.entities)
    assert set(reasons) == {rows - 2, rows - 1}
    assert set(reasons.values()) == {"its origin is more than 131,072 units from the middle of the map"}
    assert failures(compiled) == []
    assert compiled.places is not None
    assert rows - 1 not in compiled.places.entity


@pytest.mark.parametrize("name", ["bobbing_vertical", "elevator"])
@pytest.mark.parametrize("extent", [3e38, 1e9, 2e5])
def test_bounds_of_models_beyond_any_map_are_cut_off(samples, name, extent):
    data = bytearray((samples / f"{name}.bsp").read_bytes())
    offset, length = struct.unpack_from("<ii", data, 8 + 8 * MODELS)
    for model in range(1, length // MODEL_BYTES):
        struct.pack_into("<6f", data, offset + MODEL_BYTES * model, *[-extent] * 3, *[extent] * 3)
    source = MapSource(bytes(data), f"{name}.bsp")
    assert np.abs(load_map(source).models.maxs).max() <= 131072.0
    compiled, report = compiled_without_warnings(source)
    assert any("bounds reach farther than a map can" in dropped.reason for dropped in report.dropped)
    assert failures(compiled) == []


@pytest.fixture
def unknown_travel(samples, tmp_path):
    """The engine's file of a map, with links of types that do not exist."""
    stairs = compile_map(str(samples / "stairs.bsp"), QUAKE3, Report("stairs"))
    links = stairs.links
    assert links is not None
    kind = links.kind.copy()
    kind[[0, -1]] = 100, 32770
    path = tmp_path / "odd.aas"
    path.write_bytes(write_engine(for_engine(replace(stairs, links=replace(links, kind=kind)))))
    return path, (int(links.source[0]), int(links.target[0]))


def test_unknown_travel_types_are_named(unknown_travel, tmp_path, capsys):
    path, (source, target) = unknown_travel
    assert run(aas, "aas", ["info", str(path)]) == 0
    assert "1  type 100\n" in capsys.readouterr().out
    assert run(aas, "aas", ["check", str(path)]) == 1
    assert "L7: the kind is known; not so: links" in capsys.readouterr().out
    assert run(aas, "aas", ["explain", str(path), "--from", str(source), "--to", str(target)]) == 0
    assert "type 100" in capsys.readouterr().out
    for command in (["route", str(path), "--from", "0", "--to", "1"], ["diff", str(path), str(path)],
                    ["export", str(path), str(tmp_path / "x.graphml")], ["area", str(path), str(source)],
                    ["check", str(path), "--replay"],
                    ["view", str(path), "--html", str(tmp_path / "x.html")]):  # fmt: skip
        assert run(aas, "aas", command) in (0, 1), command
    assert Travel(100).words == "type 100"
    assert 100 not in list(Travel)


@pytest.mark.parametrize("column", ["tier", "miss"])
def test_unknown_tiers_and_costs_of_a_miss_are_refused(samples, column):
    """No command needs to know what to do with them: such a file is not read."""
    gap = compile_map(str(samples / "gap.bsp"), QUAKE3, Report("gap"))
    assert gap.links is not None
    damaged = replace(gap, links=replace(gap.links, **{column: np.full(len(gap.links), 65535, np.int32)}))
    assert "L3" in {failure.requirement.id for failure in failures(damaged)}
    with pytest.raises(StoreError, match="tier and miss are known"):
        compiled_bytes(damaged)


HUGE = int("9" * 300)


@pytest.mark.parametrize("entry", [{"counts": {"areas": HUGE}}, {"counts": {"areas": 1}, "tolerance": {"areas": HUGE}},
                                   {"counts": {"areas": 1}, "tolerance": {"areas": "1e300%"}}])  # fmt: skip
def test_huge_numbers_in_a_baseline_are_refused(samples, tmp_path, entry, capsys):
    path = tmp_path / "counts.json"
    path.write_text(json.dumps({"format": "aas counts 1", "maps": {"box": entry}}))
    assert run(aas, "aas", ["regress", "--baseline", str(path), str(samples / "box.bsp"), "-q"]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"error: {path}: box: ")
    assert "must be a whole number" in error
    assert len(error) < 400 + len(str(path))


def reach_only(samples, tmp_path, compiled) -> int:
    shutil.copy(samples / "stairs.bsp", tmp_path)
    write_compiled(str(tmp_path / "stairs.aas.hdf"), compiled)
    return run(compile_maps, "aascompile", [str(tmp_path / "stairs.bsp"), "--reach-only", "-q"])


@pytest.mark.parametrize("stages", ["[{}]", "[1]", '[{"name": 3}]'])
def test_stages_without_names_are_refused(samples, tmp_path, compiled_sample, stages, capsys, monkeypatch):
    monkeypatch.setattr("aascompile.store.hdf.structure_faults", lambda compiled: ())
    stairs = compiled_sample("stairs")
    shutil.copy(samples / "stairs.bsp", tmp_path)
    broken = replace(stairs, provenance=replace(stairs.provenance, stages=stages))
    write_compiled(str(tmp_path / "stairs.aas.hdf"), broken)
    monkeypatch.undo()
    assert run(compile_maps, "aascompile", [str(tmp_path / "stairs.bsp"), "--reach-only", "-q"]) == 1
    assert "is damaged (R1: generator" in capsys.readouterr().err


def test_areas_with_wrong_flags_are_not_used_again(samples, tmp_path, compiled_sample, capsys):
    stairs = compiled_sample("stairs")
    broken = replace(stairs, areas=replace(stairs.areas, face_flags=stairs.areas.face_flags[::-1].copy()))
    assert reach_only(samples, tmp_path, broken) == 1
    assert "is damaged (F11: SOLID is set" in capsys.readouterr().err
    assert reach_only(samples, tmp_path, stairs) == 0


def searches(tmp_path, monkeypatch, damaged) -> list[list[str]]:
    """Commands that search for routes in a damaged file, which is written unchecked."""
    path = str(tmp_path / "gap.aas.hdf")
    with monkeypatch.context() as unchecked:
        unchecked.setattr("aascompile.store.hdf.structure_faults", lambda compiled: ())
        write_compiled(path, damaged)
    return [["route", path, "--from", "spawn:0", "--to", "item_health"], ["times", path]]


def test_link_times_that_no_search_survives_are_refused(samples, tmp_path, monkeypatch, capsys):
    """A time below 0 would make a route ever quicker the longer it is."""
    gap = compile_map(str(samples / "gap.bsp"), QUAKE3, Report("gap"))
    assert gap.links is not None
    time = gap.links.time.copy()
    time[0] = -(2**31)
    for command in searches(tmp_path, monkeypatch, replace(gap, links=replace(gap.links, time=time))):
        assert run(aas, "aas", command) == 1
        assert "is damaged (L3: points and velocities are finite, times fit 16 bits" in capsys.readouterr().err


@pytest.mark.parametrize("factor", [-934.0, 0.0, float("nan"), 1e6])
def test_cost_factors_that_no_search_survives_are_refused(samples, tmp_path, monkeypatch, capsys, factor):
    gap = compile_map(str(samples / "gap.bsp"), QUAKE3, Report("gap"))
    cost = gap.areas.area_cost.copy()
    cost[0] = factor
    for command in searches(tmp_path, monkeypatch, replace(gap, areas=replace(gap.areas, area_cost=cost))):
        assert run(aas, "aas", command) == 1
        assert "is damaged (A" in capsys.readouterr().err


def test_areas_that_do_not_exist_are_refused_before_links_are_counted(samples, tmp_path, capsys):
    gap = compile_map(str(samples / "gap.bsp"), QUAKE3, Report("gap"))
    lumps, checksum = unpack(write_engine(for_engine(gap)))
    lumps = {name: rows.copy() for name, rows in lumps.items()}
    first = int(lumps["settings"]["first"][np.flatnonzero(lumps["settings"]["links"])[0]])
    lumps["links"]["target"][first] = np.flatnonzero(lumps["settings"]["links"])[0]  # to itself: dropped when read
    lumps["links"]["target"][first + 1] = 1792
    path = tmp_path / "gap.aas"
    path.write_bytes(pack(lumps, checksum))
    assert run(aas, "aas", ["info", str(path)]) == 1
    assert "is damaged (L1: areas, face, edge, ride and entity exist" in capsys.readouterr().err


def test_reading_a_small_file_needs_little_memory(tmp_path):
    """A read with a limit of two gigabytes would ask for two gigabytes at once."""
    import tracemalloc

    from aascompile.store.files import read_file

    path = tmp_path / "x"
    path.write_bytes(b"few")
    tracemalloc.start()
    try:
        assert read_file(str(path)) == b"few"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_texts_of_a_map_are_not_kept_after_it(samples):
    """A process that compiles one map after another must not grow with what they say."""
    import tracemalloc

    text = (samples / "box.map").read_text()
    tracemalloc.start()
    try:
        load_map(MapSource(text.encode(), "box.map"))
        before = tracemalloc.get_traced_memory()[0]
        for number in range(20):
            long = f"{number}" + " 1" * 20_000
            odd = text.replace("common/caulk 0 0 0", f"common/{number}{'x' * 40_000} 0 0 0", 1)
            for changed in (text.replace("0.5 0.5 0 0 0", f"0.5 0.5 {long}", 1), odd):
                load_map(MapSource(changed.encode(), "box.map"))
        assert tracemalloc.get_traced_memory()[0] - before < 300_000  # it was 1.7 million
    finally:
        tracemalloc.stop()
