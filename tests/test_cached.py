"""Compiles with a cache: the same bytes as without, whatever the cache holds, and only the work that is new."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import aascompile
from aascompile import cached, system
from aascompile.cached import compile_cached, content_hash
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.errors import LeakError
from aascompile.mapio.load import MapSource, load_map, read_map_file
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3, Settings
from aascompile.stages import Phase, names
from aascompile.store.cache import SUFFIX, Cache
from aascompile.store.hdf import compiled_bytes
from aascompile.threads import Begun
from tests.builders import Layout, Piece, walls
from tests.conftest import ROOT

SAMPLES = ("stairs", "door", "elevator", "jumppad", "swim", "ladder", "teleporter", "clusterportal", "pillars", "train")

HIT, AREAS, MISS = "hit", "areas", "miss"


def sample(name: str) -> MapSource:
    return read_map_file(ROOT / "samples" / f"{name}.bsp")


def outcome(report: Report) -> str:
    """What the cache had."""
    counts = [stage.counts for stage in report.stages if stage.name == cached.STAGE]
    return next((what for what in (HIT, AREAS) if any(count.get(what) for count in counts)), MISS)


def compare(source: MapSource, cache: Cache, settings: Settings = QUAKE3, **options: bool) -> str:
    """Compile with and without the cache, and require the same result. Returns what the cache had."""
    one, other = Report(source.name), Report(source.name)
    made = compile_cached(source, settings, one, cache, **options)
    plain = compile_map(source, settings, other, **options)
    assert compiled_bytes(made) == compiled_bytes(plain)
    assert (one.warnings, one.dropped) == (other.warnings, other.dropped)
    return outcome(one)


def with_entities(source: MapSource, old: bytes, new: bytes) -> MapSource:
    """The map with other text in its entities, which come last in the file."""
    start, size = struct.unpack_from("<ii", source.data, 8)
    text = source.data[start : start + size]
    assert old in text
    changed = text.replace(old, new, 1)
    data = bytearray(source.data)
    struct.pack_into("<ii", data, 8, len(data), len(changed))
    return replace(source, data=bytes(data) + changed)


@pytest.fixture
def cache(tmp_path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.mark.parametrize("name", SAMPLES)
def test_hits_have_the_same_bytes(cache, name):
    assert [compare(sample(name), cache) for _ in range(3)] == [MISS, HIT, HIT]


def test_another_file_name_is_a_hit(cache):
    compare(sample("stairs"), cache)
    assert compare(replace(sample("stairs"), name="maps/other.bsp"), cache) == HIT


def test_other_bytes_with_the_same_content_are_a_hit(cache):
    """Like a map whose lights were compiled again. Its checksum differs, and so does the file that is written."""
    source = sample("stairs")
    compare(source, cache)
    assert compare(replace(source, data=source.data + b"new light"), cache) == HIT
    assert compare(replace(source, data=source.data + b"new light"), cache) == HIT


@pytest.mark.parametrize("name", SAMPLES)
def test_other_entities_keep_the_areas(cache, name):
    source = sample(name)
    compare(source, cache)
    other = with_entities(source, b'"worldspawn"', b'"worldspawn"\n"message" "another name"')
    assert [compare(other, cache), compare(other, cache), compare(source, cache)] == [AREAS, HIT, HIT]


def test_a_moved_item_is_linked_anew(cache):
    source = sample("stairs")
    compare(source, cache)
    spawn = b'"classname" "info_player_deathmatch"'
    item = spawn + b'\n"origin" "0 0 40"\n}\n{\n"classname" "item_armor_body"'
    assert compare(with_entities(source, spawn, item), cache) == AREAS


def test_entities_that_reach_more_make_new_areas(cache):
    """Two rooms without a door: a spawn in the second makes its space a part of the map."""
    first = walls((256, 256, 192))
    second = [Piece(tuple((x + 1000, y, z) for x, y, z in piece.points)) for piece in first]

    def rooms(*spawns: int) -> MapSource:
        layout = Layout((*first, *second), tuple((x + 128, 128, 40) for x in spawns))
        return MapSource(layout.text().encode(), "rooms.map")

    one, both = rooms(0), rooms(0, 1000)
    assert [compare(one, cache), compare(both, cache)] == [MISS, MISS]
    assert len(aascompile.compile_map(both.data).areas) > len(aascompile.compile_map(one.data).areas)
    assert [compare(one, cache), compare(both, cache), compare(rooms(0, 1000, 10), cache)] == [HIT, HIT, AREAS]


def test_settings_are_part_of_the_key(cache):
    source = sample("stairs")
    compare(source, cache)
    costs = replace(QUAKE3, costs=replace(QUAKE3.costs, start_ledge=900.0))
    assert compare(source, cache, costs) == AREAS
    steeper = replace(QUAKE3, physics=replace(QUAKE3.physics, floor_up=0.8))
    assert compare(source, cache, steeper) == MISS
    assert compare(source, cache, quality=True) == MISS
    assert compare(source, cache, quality=True) == HIT


def test_platforms_are_part_of_the_key_of_walkable_areas(cache):
    """Walkable areas depend on where players stand on platforms."""
    source, walkable = sample("elevator"), replace(QUAKE3, areas=replace(QUAKE3.areas, walkable=True))
    lower = with_entities(source, b'"height" "184"', b'"height" "70"')
    assert [compare(map_source, cache, walkable) for map_source in (source, lower)] == [MISS, MISS]


def test_leaks_raise_as_before_and_are_kept_if_allowed(cache):
    source = sample("leak")
    for _ in range(2):
        with pytest.raises(LeakError) as cached_error:
            compile_cached(source, QUAKE3, Report(""), cache)
        with pytest.raises(LeakError) as plain_error:
            compile_map(source, QUAKE3, Report(""))
        assert vars(cached_error.value) == vars(plain_error.value)
    assert [compare(source, cache, allow_leak=True) for _ in range(2)] == [MISS, HIT]
    with pytest.raises(LeakError):
        compile_cached(source, QUAKE3, Report(""), cache)


def test_an_entity_that_leaks_raises_although_areas_are_known(cache):
    source = sample("stairs")
    compare(source, cache)
    outside = b'"classname" "info_player_deathmatch"\n"origin" "9000 0 0"\n}\n{\n"classname" "info_player_deathmatch"'
    leaking = with_entities(source, b'"classname" "info_player_deathmatch"', outside)
    with pytest.raises(LeakError):
        compile_map(leaking, QUAKE3, Report(""))
    with pytest.raises(LeakError):
        compile_cached(leaking, QUAKE3, Report(""), cache)


def test_a_changed_compiler_reads_no_old_results(cache, monkeypatch):
    compare(sample("stairs"), cache)
    monkeypatch.setattr(cached, "compiler", lambda: "another version")
    assert compare(sample("stairs"), cache) == MISS


def test_damaged_entries_are_compiled_again(cache):
    source = sample("stairs")
    for change in (lambda data: data[:-1], lambda data: b"", lambda data: data[:100] + b"x" + data[101:]):
        compare(source, cache)
        for path in entries(cache):
            path.write_bytes(change(path.read_bytes()))
        assert compare(source, cache) == MISS
        assert compare(source, cache) == HIT


def test_a_folder_that_cannot_be_written_is_a_warning(tmp_path):
    (tmp_path / "file").write_text("")
    report = Report("")
    made = compile_cached(sample("stairs"), QUAKE3, report, Cache(tmp_path / "file"))
    assert compiled_bytes(made) == compiled_bytes(compile_map(sample("stairs"), QUAKE3, Report("")))
    assert report.warnings == [f"the cache cannot be used: {tmp_path / 'file'}: cannot be written to (not a directory)"]


def entries(cache: Cache) -> list[Path]:
    return sorted(cache.folder.rglob(f"*{SUFFIX}"))


def size_of(cache: Cache) -> int:
    return sum(path.stat().st_size for path in entries(cache))


def test_the_folder_stays_within_its_limit_and_keeps_what_was_used_last(tmp_path):
    cache = Cache(tmp_path, limit=100_000)
    column = {"column": np.zeros(1000)}
    for number in range(40):
        cache.put(f"{number:064}", {"number": number}, column)
        os.utime(tmp_path / "00" / f"{number:064}{SUFFIX}", (number, number))
        assert size_of(cache) <= cache.limit
        assert cache.get(f"{0:064}") is not None, "the first entry is read all the time, so it stays"
    assert cache.get(f"{39:064}").about == {"number": 39}
    assert cache.get(f"{2:064}") is None
    assert len(entries(cache)) < 13


def test_an_entry_larger_than_the_folder_is_not_kept(tmp_path):
    cache = Cache(tmp_path, limit=1000)
    cache.put("a" * 64, {}, {"column": np.zeros(1000)})
    assert entries(cache) == []


def test_abandoned_temporary_files_are_deleted(tmp_path):
    (tmp_path / "aa").mkdir()
    dead, live = tmp_path / "aa" / ".x.part", tmp_path / "aa" / ".y.part"
    for path in (dead, live):
        path.write_bytes(b"")
    with open(live, "rb") as file:
        assert system.lock(file.fileno())
        Cache(tmp_path).put("b" * 64, {})
        assert [dead.exists(), live.exists()] == [False, True]
    Cache(tmp_path).put("b" * 64, {})
    assert not live.exists()


def hammer(folder: str, seed: int) -> int:
    """Write and read entries of a small cache that other processes use too. Returns the number of entries read."""
    cache, dice, found = Cache(folder, limit=200_000), np.random.default_rng(seed), 0
    for _ in range(300):
        number = int(dice.integers(40))
        key = f"{number:02}" + "0" * 62
        entry = cache.get(key)
        if entry is None:
            cache.put(key, {"number": number}, {"rows": np.full(1000, number)})
        else:
            found += 1
            assert entry.about == {"number": number}
            assert (entry.columns["rows"] == number).all()
    return found


def test_several_processes_share_a_folder(tmp_path):
    script = "import sys; from tests.test_cached import hammer; print(hammer(sys.argv[1], int(sys.argv[2])))"
    command = [sys.executable, "-c", script, str(tmp_path)]
    running = [
        subprocess.Popen([*command, str(seed)], stdout=subprocess.PIPE, text=True, cwd=ROOT) for seed in range(3)
    ]
    found = [int(process.communicate()[0]) for process in running]
    assert min(found) > 0
    assert not list(tmp_path.rglob("*.part"))
    assert size_of(Cache(tmp_path)) <= 3 * 200_000


def test_every_column_counts_in_the_key():
    """Whatever is read from a map, apart from its name and its bytes, changes the key."""
    read = load_map(ROOT / "samples" / "pillars.bsp")
    keys = {content_hash(read)}
    brushes = read.brushes
    for field in ("side_plane", "side_flags", "contents", "shader", "model", "entity", "number"):
        column = getattr(brushes, field).copy()
        column[0] += 1
        keys.add(content_hash(replace(read, brushes=replace(brushes, **{field: column}))))
    keys.add(content_hash(replace(read, entities=read.entities[:-1])))
    keys.add(content_hash(replace(read, models=replace(read.models, mins=read.models.mins - 1.0))))
    assert len(keys) == 10
    assert content_hash(replace(read, name="other", digests=Begun(lambda: ("", 1), threads=1))) in keys


def test_the_api_and_the_pool_take_a_cache(tmp_path):
    folder = tmp_path / "cache"
    paths = [ROOT / "samples" / f"{name}.bsp" for name in SAMPLES[:4]]
    plain = [compiled_bytes(aascompile.compile_map(path)) for path in paths]
    with aascompile.Pool(2, cache=folder) as pool:
        for _ in range(2):
            assert [compiled_bytes(made) for _, made in pool.compile_many(paths)] == plain
    before = entries(Cache(folder))
    assert compiled_bytes(aascompile.compile_map(paths[0], cache=aascompile.Cache(folder))) == plain[0]
    assert entries(Cache(folder)) == before


def test_the_command_takes_a_cache(tmp_path, capsys):
    source, folder = ROOT / "samples" / "stairs.bsp", tmp_path / "cache"
    files = []
    for options in ([], ["--cache", str(folder)], ["--cache", str(folder), "--cache-size", "100"]):
        out = tmp_path / f"{len(files)}.aas.hdf"
        assert run(compile_maps, "aascompile", ["-q", "-v", str(source), "-o", str(out), *options]) == 0
        files.append((out.read_bytes(), capsys.readouterr().out))
    assert len({data for data, _ in files}) == 1
    assert ["1 hit" in text for _, text in files] == [False, False, True]
    assert ["reach" in text for _, text in files] == [True, True, False]
    assert entries(Cache(folder))


@pytest.mark.parametrize("option", ["--reach-only", "--clusters-only", "--dump=tree"])
def test_the_command_refuses_options_that_need_the_stages(tmp_path, capsys, option):
    source = str(ROOT / "samples" / "stairs.bsp")
    assert run(compile_maps, "aascompile", ["-q", source, "--cache", str(tmp_path), option]) == 2
    assert "--cache cannot be combined" in capsys.readouterr().err


@pytest.mark.corpus
def test_other_entities_of_a_real_map_take_only_links_and_clusters(tmp_path, corpus):
    """How long that takes is measured by ``make bench``."""
    cache, source = Cache(tmp_path), read_map_file(corpus / "wrackdm17.bsp")
    dividing = set(names(Phase.DIVIDING))
    assert dividing <= _stages(source, cache)
    moved = with_entities(source, b'"classname" "item_armor_shard"', b'"classname" "item_health_small"')
    assert not dividing & _stages(moved, cache)
    assert compare(moved, cache) == HIT
    assert _stages(source, cache) == {cached.STAGE}


def _stages(source: MapSource, cache: Cache) -> set[str]:
    """Names of the stages that ran."""
    report = Report("")
    compile_cached(source, QUAKE3, report, cache)
    return {stage.name for stage in report.stages}
