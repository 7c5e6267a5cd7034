"""Settings files: valid and invalid contents, error messages, and that writing and reading loses nothing."""

from __future__ import annotations

import re
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile.errors import SettingsError
from aascompile.mapio.load import load_map
from aascompile.pipeline import make_areas, understand
from aascompile.report import Report
from aascompile.settings import CROUCHED, ENGINE_VERSIONS, MAX_BOXES, PRESETS, QUAKE3, STANDING, Box, Settings
from aascompile.settings_file import (
    GROUPS,
    TABLES,
    parse_settings,
    read_settings,
    settings_from_json,
    text_to_store,
    to_markdown,
    to_toml,
)
from tests.conftest import ROOT
from tests.reference.collision import Box as Shape
from tests.reference.collision import Solids

BOX = '[[boxes]]\nname = "{name}"\npresence = {presence}\nmins = [-15, -15, -24]\nmaxs = [15, 15, 32]\n'


def test_an_empty_file_gives_the_defaults():
    assert parse_settings("", "f") == QUAKE3


def test_a_file_overrides_only_what_it_lists():
    text = 'name = "moon"\n[physics]\ngravity = 100\n[areas]\nhints = true\n'
    found = parse_settings(text, "f")
    assert found == replace(
        QUAKE3,
        name="moon",
        physics=replace(QUAKE3.physics, gravity=100.0),
        areas=replace(QUAKE3.areas, hints=True),
    )
    assert isinstance(found.physics.gravity, float)


def test_files_build_on_presets(monkeypatch):
    moon = replace(QUAKE3, name="moon", physics=replace(QUAKE3.physics, gravity=100.0))
    monkeypatch.setitem(PRESETS, "moon", moon)
    assert parse_settings('preset = "moon"', "f") == moon
    assert parse_settings('preset = "moon"', "f", "quake3") == QUAKE3, "the command line overrides the file"
    slow = parse_settings('preset = "moon"\n[physics]\nwalk_speed = 100', "f")
    assert (slow.physics.gravity, slow.physics.walk_speed) == (100, 100)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[physics]\ngravity = 0", "physics.gravity is 0, but must be 1 to 10000, in units/s²"),
        ("[physics]\ngravity = 1e99", "physics.gravity is 1e+99, but must be 1 to 10000, in units/s²"),
        ("[physics]\ngravity = nan", "physics.gravity is nan, but must be 1 to 10000, in units/s²"),
        ("[physics]\ngravity = inf", "physics.gravity is inf, but must be 1 to 10000, in units/s²"),
        (
            "[physics]\ngravity = 1" + "0" * 400,
            "physics.gravity is too large, but must be 1 to 10000, in units/s²",
        ),
        ('[physics]\ngravity = "800"', "physics.gravity is '800', but must be a number"),
        ("[physics]\ngravity = true", "physics.gravity is true, but must be a number"),
        ("[physics]\ngravity = 1979-05-27", "physics.gravity is a date or time, but must be a number"),
        ("[physics]\ngravity = [1]", "physics.gravity is an array, but must be a number"),
        ("[physics]\ngravitee = 1", "physics.gravitee is unknown; did you mean gravity?"),
        ("[physics.gravity]\na = 1", "physics.gravity is a table, but must be a number"),
        ("physics = 1", "physics is 1, but must be a table: [physics]"),
        ("[fysics]", "fysics is unknown; did you mean physics?"),
        ("zzz = 1", "zzz is unknown; expected one of preset, name, mode, boxes, physics, costs, areas, reach"),
        ('"a\\nb" = 1', "'a\\nb' is unknown; expected one of preset, name, mode, boxes, physics, costs, areas, reach"),
        ("[areas]\nhints = 1", "areas.hints is 1, but must be true or false"),
        ("[areas]\ngap_up = 0", "areas.gap_up is 0, but must be 0.01 to 1"),
        ("[engine]\nversion = 6", "engine.version is 6; expected one of 4, 5, 8"),
        ("[contents]\nsolid = -1", "contents.solid is -1, but must be 32 bits"),
        ("[contents]\nsolid = true", "contents.solid is true, but must be 32 bits"),
        ("[entities]\nfunc_wall = 1", "entities.func_wall is 1, but must be text"),
        ("surfaces = 1", "surfaces is 1, but must be a table: [surfaces]"),
        ('preset = "quake9"', "preset 'quake9' is unknown; expected one of quake2, quake3, rtcw"),
        ("preset = 3", "preset is 3, but must be text"),
        ('name = ""', "name is '', but must be 1 to 64 printable characters"),
        ('name = "a\\nb"', "name is 'a\\nb', but must be 1 to 64 printable characters"),
        ("boxes = 1", "boxes must be an array of tables: [[boxes]]"),
        ("boxes = [1]", "boxes must be an array of tables: [[boxes]]"),
        ("boxes = []", "boxes has 0 entries, but must have 1 to 8"),
        ("[[boxes]]", "boxes[0].name is missing"),
        (BOX.format(name="a", presence=3), "boxes[0].presence is 3, but must be a power of two"),
        (BOX.format(name="a", presence=1), "boxes[0].presence is 1, but must be 2 to 32768"),
        (BOX.format(name="a", presence="2.0"), "boxes[0].presence is 2, but must be an integer"),
        (BOX.format(name="a", presence=2) + "height = 3", "boxes[0].height is unknown"),
        (BOX.format(name="a", presence=2) * 2, "boxes[1].name is 'a', the same as an earlier box's"),
        (
            BOX.format(name="a", presence=2) + BOX.format(name="b", presence=2),
            "boxes[1].presence is 2, the same as an earlier box's",
        ),
        (
            BOX.replace("[15, 15, 32]", "[15, 15]").format(name="a", presence=2),
            "boxes[0].maxs is an array, but must be",
        ),
        (
            BOX.replace("-24", "0").format(name="a", presence=2),
            "boxes[0].mins[2] is 0, but must be -1024 to -1, in units",
        ),
        ("a = ?", "is not valid TOML: Invalid value (at line 1, column 5)"),
        ("a" + "." * 9, "is not valid TOML"),
        ("a = " + "[" * 100_000, "is not valid TOML"),
        ("a = 1" + "0" * 10_000, "is not valid TOML"),
    ],
)
def test_errors_name_the_key_and_what_is_allowed(text, message):
    with pytest.raises(SettingsError) as caught:
        parse_settings(text, "my.toml")
    assert str(caught.value).startswith(f"my.toml: {message}")
    assert "\n" not in str(caught.value)


def test_the_number_of_boxes_is_limited():
    text = "".join(BOX.format(name=f"b{n}", presence=2 << n) for n in range(MAX_BOXES))
    assert len(parse_settings(text, "f").boxes) == MAX_BOXES
    with pytest.raises(SettingsError, match="boxes has 9 entries, but must have 1 to 8"):
        parse_settings(text + BOX.format(name="more", presence=2 << MAX_BOXES), "f")


def test_unreadable_files_are_rejected(tmp_path):
    with pytest.raises(SettingsError, match=r"none\.toml: cannot be read: no such file"):
        read_settings(str(tmp_path / "none.toml"))
    with pytest.raises(SettingsError, match="cannot be read"):
        read_settings(str(tmp_path))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="is not UTF-8 text"):
        read_settings(str(tmp_path / "bytes.toml"))
    (tmp_path / "long.toml").write_bytes(b"#" * (2 << 20))
    with pytest.raises(SettingsError, match="is larger than 1 MB"):
        read_settings(str(tmp_path / "long.toml"))


def values(field) -> st.SearchStrategy:
    """Values within a field's limits."""
    low, high = field.metadata.get("low"), field.metadata.get("high")
    if field.type == "bool":
        return st.booleans()
    if "options" in field.metadata:
        return st.sampled_from(field.metadata["options"])
    if field.name == "version":
        return st.sampled_from(ENGINE_VERSIONS)
    if field.type == "Point":
        return st.tuples(*[st.floats(low, high)] * 3)
    return st.floats(low, high)


@st.composite
def any_settings(draw) -> Settings:
    """Arbitrary valid settings."""
    names = draw(
        st.lists(
            st.text(st.characters(categories=["L", "P"]), min_size=1, max_size=64), min_size=1, max_size=8, unique=True
        )
    )
    boxes = tuple(
        Box(name, 2 << row, *(draw(values(field)) for field in fields(Box)[2:])) for row, name in enumerate(names)
    )
    groups = {
        name: kind(**{field.name: draw(values(field)) for field in fields(kind)}) for name, kind in GROUPS.items()
    }
    bits = st.lists(st.tuples(st.sampled_from(names), st.integers(0, 2**32 - 1)), unique_by=lambda pair: pair[0])
    texts = st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), unique_by=lambda pair: pair[0])
    tables = {name: tuple(draw(texts if kind is str else bits)) for name, kind in TABLES.items()}
    return Settings(name=names[0], boxes=boxes, **groups, **tables)


@given(any_settings())
def test_written_settings_read_back_equal(made):
    assert parse_settings(to_toml(made), "f") == made
    assert settings_from_json(text_to_store(made), "f") == made


def test_every_field_has_a_meaning_and_limits_around_its_default():
    for kind in (Box, *GROUPS.values()):
        for field in fields(kind):
            assert field.metadata["meaning"], field.name
            if field.type in ("int", "float", "Point"):
                assert field.metadata["low"] < field.metadata["high"], field.name
            if field.type == "float":
                assert field.metadata["low"] <= field.default <= field.metadata["high"], field.name


def test_the_page_is_up_to_date():
    assert (ROOT / "docs" / "settings.md").read_text() == to_markdown(), "run: make docs"


def test_the_page_lists_every_key():
    page = to_markdown()
    for kind in (Box, *GROUPS.values()):
        for field in fields(kind):
            assert re.search(rf"^\| `{field.name}` \|", page, re.MULTILINE), field.name


SMALL = Box("small", 8, (-8.0, -8.0, -24.0), (8.0, 8.0, 8.0))


@pytest.mark.parametrize("boxes", [(STANDING,), (STANDING, CROUCHED, SMALL), (SMALL,)])
def test_presence_matches_brute_force_for_any_number_of_boxes(samples, boxes):
    """The crouch sample has two rooms joined by a passage 48 units high."""
    path = str(samples / "crouch.map")
    report = Report(path)
    settings = replace(QUAKE3, boxes=boxes)
    areas = make_areas(understand(path, report), settings, report).areas
    every = sum(box.presence for box in boxes)
    assert set(areas.area_presence.tolist()) <= set(range(1, every + 1))
    # A box is present exactly where it fits: compare random points with brute force.
    rng = np.random.default_rng(5)
    points = rng.uniform(areas.area_mins.min(axis=0) - 8, areas.area_maxs.max(axis=0) + 8, (4000, 3))
    solids = Solids(load_map(path))
    inside = presence_at(areas, points)
    for box in boxes:
        shape = Shape(box.mins, box.maxs)
        hits = [solids.hit(points + shift, shape) for shift in np.concatenate([np.eye(3), -np.eye(3)]) * 0.1]
        free, blocked = ~np.any(hits, axis=0), np.all(hits, axis=0)
        assert (inside[free] & box.presence).all(), box.name
        assert not (inside[blocked] & box.presence).any(), box.name
        assert np.count_nonzero(free | blocked) > 3900


def presence_at(areas, points):
    """Presence bits at each point, 0 in solid."""
    found = []
    for point in points:
        at = 0
        while at >= 0:
            plane = areas.node_plane[at]
            side = areas.planes.normal[plane] @ point < areas.planes.dist[plane]
            at = areas.node_child[at, int(side)]
        found.append(0 if at == -1 else int(areas.area_presence[-2 - at]))
    return np.array(found)


def test_a_word_that_is_no_option_is_rejected():
    with pytest.raises(SettingsError, match=r"reach.jump_tier is 'flying'; expected one of running, circle, strafe"):
        parse_settings('[reach]\njump_tier = "flying"\n', "x.toml")
