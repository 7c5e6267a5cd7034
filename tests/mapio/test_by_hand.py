"""The side file x.links.toml: what it says, where it is found, and what is wrong with it."""

from __future__ import annotations

import re
import shutil
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aascompile.errors import MapError
from aascompile.mapio.by_hand import FIELDS, MAX_ENTRIES, entities_of, parse_links
from aascompile.mapio.load import read_map_file
from aascompile.model.by_hand import CLASSES, read_by_hand
from aascompile.model.links import Travel
from aascompile.model.mapdata import Entity
from tests.conftest import ROOT
from tests.examples import examples

SAMPLES = ROOT / "samples"
LINK = {"from": [0, 0, 24], "to": [64, 0, 24], "travel": "jump"}
BOX = {"mins": [0, 0, 0], "maxs": [64, 64, 64]}


def entity(**pairs: str) -> Entity:
    return Entity(tuple(pairs.items()))


def fault(table: str, entry: dict) -> str:
    """The message for a file with one entry."""
    with pytest.raises(MapError) as caught:
        read_by_hand(entities_of({table: [entry]}, "maps/x.links.toml"), "maps/x.bsp", "maps/x.links.toml")
    assert caught.value.file == "maps/x.links.toml"
    return caught.value.what


def test_an_entry_becomes_an_entity_and_is_read_back():
    text = b"""
        [[link]]
        from = [0, 0.5, 24]
        to = [64, 0, 24]
        travel = "barrier jump"
        cost = 2
        both_ways = true
        note = "over the fence"
        [[unlink]]
        from = [1, 2, 3]
        to = [4, 5, 6]
        [[cost]]
        mins = [0, 0, 0]
        maxs = [8, 8, 8]
        factor = 2.5
    """
    made = parse_links(text, "maps/x.links.toml")
    assert [it.classname for it in made] == ["aas_link", "aas_unlink", "aas_cost"]
    assert made[0].get("_links_file") == "x.links.toml"
    assert made[0].get("_entry") == "link 1"
    found = read_by_hand(made, "x.bsp", "maps/x.links.toml")
    (link,), (unlink,), (volume,) = found.links, found.unlinks, found.volumes
    assert (link.start, link.end, link.kind) == ((0.0, 0.5, 24.0), (64.0, 0.0, 24.0), Travel.BARRIER_JUMP)
    assert (link.seconds, link.both_ways, link.entry.name) == (2.0, True, "link 1")
    assert (unlink.kind, unlink.both_ways, volume.row) == (None, False, 2)
    assert len(found) == 3


@pytest.mark.parametrize(
    ("table", "change", "message"),
    [
        ("link", {"travel": "fly"}, "link 1: travel is 'fly', which is unknown; it is one of walk, crouch, "),
        (
            "link",
            {"travel": "elevator"},
            "link 1: travel is 'elevator', but the compiler alone knows",
        ),
        ("link", {"travel": None}, "link 1: travel is missing; it is one of walk, "),
        ("link", {"travel": 5}, "link 1: travel must be text"),
        ("link", {"from": None}, "link 1: from is missing"),
        ("link", {"from": [0, 0]}, "link 1: from must be three numbers"),
        ("link", {"from": [0, 0, True]}, "link 1: from must be three numbers"),
        ("link", {"from": [0, 0, 1 << 70]}, "link 1: from must be three numbers"),
        ("link", {"to": [0, 0, 1e9]}, "link 1: to is '0.0 0.0 1000000000.0', which is outside every map"),
        ("link", {"to": [0, 0, float("nan")]}, "link 1: to is '0.0 0.0 nan', which is outside every map"),
        ("link", {"cost": 0}, "link 1: cost is '0.0', but must be a number of seconds from 0.01 to 655.35"),
        ("link", {"cost": 1000}, "link 1: cost is '1000.0', but must be a number of seconds from 0.01 to 655.35"),
        ("link", {"cost": "2"}, "link 1: cost must be a number"),
        ("link", {"both_ways": 1}, "link 1: both_ways must be true or false"),
        ("link", {"form": [0, 0, 0]}, "link 1: form is unknown; the fields here are from, to, "),
        ("unlink", {"travel": "fly"}, "unlink 1: travel is 'fly', which is unknown"),
        ("unlink", {"cost": 2}, "unlink 1: cost is unknown; the fields here are from, to, "),
        ("block", {"mins": None, "maxs": None}, "block 1: has neither brushes nor mins and maxs"),
        ("block", {"maxs": None}, "block 1: maxs is missing"),
        ("block", {"maxs": [64, 0, 64]}, "block 1: maxs is not above mins in y (0 and 0), so it encloses nothing"),
        ("cost", {"factor": None}, "cost 1: factor is missing"),
        ("cost", {"factor": 0}, "cost 1: factor is '0.0', but must be a number from 0.01 to 1,000"),
        ("portal", {"factor": 2}, "portal 1: factor is unknown; the fields here are mins, maxs, note"),
    ],
)
def test_a_fault_names_file_entry_and_field(table, change, message):
    base = LINK if table in ("link", "unlink") else BOX | ({"factor": 2} if table == "cost" else {})
    entry = {name: value for name, value in (base | change).items() if value is not None}
    assert fault(table, entry).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            b"[[links]]",
            "'links' is unknown; an entry begins with [[link]], [[unlink]], [[block]], ",
        ),
        (b"[link]", "link must be a list of entries: write [[link]] before each"),
        (b"link = 3", "link must be a list of entries: write [[link]] before each"),
        (b"link = [", "is not valid TOML: "),
        (b"x = " + 5000 * b"[", "is not valid TOML: "),
        (b"\xff", "is not UTF-8 text"),
        (b"[" + 200 * b"a." + b"a]", "is not a file of links: a line in brackets has more than 100 dots"),
        (b"#" * ((1 << 20) + 1), "is larger than 1,024 KB"),
        (b"[[block]]\n" * (MAX_ENTRIES + 1), "has more than 4,096 entries"),
    ],
)
def test_a_file_that_is_no_side_file(text, message):
    with pytest.raises(MapError, match=f"^maps/x.links.toml: {re.escape(message)}"):
        parse_links(text, "maps/x.links.toml")


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ({"classname": "aas_link", "origin": "0 0 0", "to": "1 2", "travel": "jump"}, "to is '1 2', but must be three"),
        ({"classname": "AAS_Link", "to": "1 2 3", "travel": "jump"}, "origin is missing"),
        (
            {"classname": "aas_link", "origin": "0 0 0", "target": "gone", "travel": "jump"},
            "target is 'gone', but no entity has this targetname",
        ),
        (
            {"classname": "aas_link", "origin": "0 0 0", "target": "here", "travel": "jump"},
            "target is 'here', but that entity has no origin",
        ),
        (
            {"classname": "aas_link", "origin": "0 0 0", "to": "1 2 3", "travel": "jump", "both_ways": "maybe"},
            "both_ways is 'maybe', but must be 1 or 0",
        ),
        ({"classname": "aas_cost", "mins": "0 0 0", "maxs": "1 1 1", "factor": "x"}, "factor is 'x', but must be a"),
        ({"classname": "aas_block"}, "has neither brushes nor mins and maxs"),
    ],
)
def test_a_fault_of_an_entity_names_the_map_and_the_entity(pairs, message):
    with pytest.raises(MapError) as caught:
        read_by_hand([entity(classname="worldspawn", targetname="here"), entity(**pairs)], "maps/x.bsp")
    assert caught.value.file == "maps/x.bsp"
    assert caught.value.what.startswith(f"{pairs['classname']} (entity 1): {message}")


def test_an_entity_that_is_in_no_game_type_is_ignored():
    absent = entity(classname="aas_link", notfree="1", notteam="1", notsingle="1")
    assert len(read_by_hand([absent], "x.bsp")) == 0


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just([0, 0, 0])),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=6,
)
ENTRIES = st.dictionaries(st.sampled_from(["from", "to", "travel", "cost", "both_ways", "mins", "maxs", "x"]), VALUES)
TABLES = st.dictionaries(st.sampled_from([*FIELDS, "other"]), st.one_of(VALUES, st.lists(ENTRIES, max_size=3)))


@given(TABLES)
@settings(max_examples=examples(200))
def test_no_table_causes_anything_but_a_map_error(tables):
    with suppress(MapError):
        read_by_hand(entities_of(tables, "x.links.toml"), "x.bsp", "x.links.toml")


@given(st.binary(max_size=200))
@settings(max_examples=examples(200))
def test_no_bytes_cause_anything_but_a_map_error(data):
    with suppress(MapError):
        parse_links(b"[[link]]\n" + data, "x.links.toml")


@given(st.dictionaries(st.sampled_from(["origin", "to", "target", "travel", "factor", "mins", "maxs"]), st.text()))
@settings(max_examples=examples(200))
def test_no_entity_causes_anything_but_a_map_error(pairs):
    for name in CLASSES:
        with suppress(MapError):
            read_by_hand([entity(classname=name, **pairs)], "x.bsp")


def test_the_file_beside_a_map_is_read(tmp_path):
    shutil.copy(SAMPLES / "by_hand.bsp", tmp_path / "x.bsp")
    assert read_map_file(tmp_path / "x.bsp").added == ()
    shutil.copy(SAMPLES / "by_hand.links.toml", tmp_path / "x.links.toml")
    found = read_map_file(tmp_path / "x.bsp")
    assert [it.get("_entry") for it in found.added] == ["link 1"]
    assert found.side_file == str(tmp_path / "x.links.toml")
    other = tmp_path / "other.toml"
    other.write_text("")
    assert read_map_file(tmp_path / "x.bsp", other).added == ()
    with pytest.raises(MapError, match=r"gone\.toml: no such file"):
        read_map_file(tmp_path / "x.bsp", tmp_path / "gone.toml")


def test_the_file_in_an_archive_is_read(tmp_path):
    pack = tmp_path / "pak.pk3"
    with zipfile.ZipFile(pack, "w") as archive:
        archive.write(SAMPLES / "by_hand.bsp", "maps/x.bsp")
        archive.write(SAMPLES / "by_hand.links.toml", "maps/X.links.toml")
    for path in (pack, f"{pack}/maps/x.bsp"):
        found = read_map_file(path)
        assert [it.get("_links_file") for it in found.added] == ["x.links.toml"]
        assert found.side_file == f"{pack}/maps/x.links.toml"
