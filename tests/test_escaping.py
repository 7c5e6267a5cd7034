"""Text from maps and files cannot control what shows it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from aascompile.cli.common import Bold, emit, print_error, print_note, run
from aascompile.cli.compile import compile_maps
from aascompile.cli.main import aas
from aascompile.escaping import LONGEST, markdown, printable, xml
from aascompile.model.compiled import Entities
from aascompile.model.mapdata import Entity
from aascompile.store.exports import exported
from aascompile.store.hdf import write_compiled
from tests.conftest import ROOT

HOSTILE = "info_player_\x1b]0;PWNED\x07\x1b[31m\r\b\x9b2J\u202egnp\u2066\x7f<script>|`*&\ud800\u2028end"
"""A name with codes for terminals, marks that reverse text, and markup."""

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that no output may contain; a line break ends a line."""


def test_text_is_made_printable():
    assert printable("func_door") == "func_door"
    assert printable("a\n\x1b[0m\x00") == "a\\n\\x1b[0m\\x00"
    assert printable("größe") == "größe"
    assert printable("x" * 100, 10) == "xxxxxxx..."
    assert not CONTROL.search(printable(HOSTILE, 1000))


def test_markdown_has_no_markup_from_names():
    assert markdown("a|b <b>*x*</b> [l](u) @me &amp; ~~no~~") == (
        "a\\|b \\<b\\>\\*x\\*\\</b\\> \\[l\\](u) \\@me \\&amp; \\~\\~no\\~\\~"
    )
    assert not CONTROL.search(markdown(HOSTILE))


def test_xml_can_be_parsed_and_says_the_same():
    read = ElementTree.fromstring(f'<a b="{xml(HOSTILE)}">{xml(HOSTILE)}</a>')
    assert read.text == read.attrib["b"] == printable(HOSTILE, 1000)
    assert len(xml("x" * 10_000)) == 10_000


def test_all_that_is_printed_is_escaped(capsys):
    emit(HOSTILE, Bold(HOSTILE), "two\nlines")
    print_note(HOSTILE)
    print_error(ValueError(HOSTILE))
    out, err = capsys.readouterr()
    assert not CONTROL.search(out)
    assert not CONTROL.search(err)
    assert out.splitlines()[2] == "two\\nlines"
    emit("x" * 10 * LONGEST)
    assert len(capsys.readouterr().out) == LONGEST + 1


def hostile_map(path):
    """A room that leaks at an entity with a hostile name, and has keys, textures and targets of that kind."""
    name = HOSTILE.replace("\ud800", "").replace("\r", "")
    text = (ROOT / "samples" / "leak.map").read_text()
    assert "info_player_deathmatch" in text
    text = text.replace("info_player_deathmatch", f"info_player_{name}")
    text += f'{{ "classname" "trigger_push{name}" "origin" "0 0 0" "target" "{name}" "model" "*{name}" }}\n'
    path.write_text(text)


def test_a_hostile_map_cannot_control_the_terminal(tmp_path):
    hostile_map(tmp_path / "leak.map")
    for command in (["compile", "leak.map"], ["compile", "leak.map", "--allow-leak", "-v"],
                    ["main", "info", "leak.map"], ["main", "info", "leak.aas.hdf"],
                    ["main", "explain", "leak.aas.hdf", "--to", "unreached"],
                    ["main", "view", "leak.map", "--html", "x.html"], ["bspc", "-bsp2aas", "leak.map"]):  # fmt: skip
        start = f"from aascompile.cli.{command[0]} import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", start, *command[1:]], cwd=tmp_path, capture_output=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        )  # fmt: skip
        shown = (done.stdout + done.stderr).decode()
        assert "Traceback" not in shown, shown
        assert not CONTROL.search(shown), command
    assert (tmp_path / "leak.aas.hdf").exists()


@pytest.fixture
def hostile_file(compiled_sample, tmp_path):
    """A compiled file with hostile names."""
    box = compiled_sample("box")
    entities = [Entity((("classname", HOSTILE.replace("\ud800", "")), *box.entities.entity(row).pairs[1:]))
                for row in range(len(box.entities))]  # fmt: skip
    name = HOSTILE.replace("/", "").replace("\ud800", "")
    hostile = replace(box, entities=Entities.of(entities), provenance=replace(box.provenance, name=name))
    path = tmp_path / "hostile.aas.hdf"
    write_compiled(str(path), hostile)
    return path, hostile


def test_hostile_names_in_files_are_escaped_everywhere(hostile_file, capsys):
    path, hostile = hostile_file
    for command in ("info", "check", "times", "sight"):
        run(aas, "aas", [command, str(path)])
    run(aas, "aas", ["explain", str(path), "--to", "unreached"])
    run(aas, "aas", ["info", str(path), "--json"])
    out, err = capsys.readouterr()
    assert not CONTROL.search(out + err)
    root = ElementTree.fromstring(exported(hostile, ".graphml"))
    assert printable(hostile.provenance.name, 1000) in [each.get("id") for each in root]
    assert json.loads(exported(hostile, ".json"))["map"] == hostile.provenance.name


def test_page_has_no_tags_from_names(hostile_file, tmp_path):
    path, _ = hostile_file
    assert run(aas, "aas", ["view", str(path), "--html", str(tmp_path / "x.html")]) == 0
    page = (tmp_path / "x.html").read_text()
    assert "<script>|" not in page
    assert "&lt;script&gt;" in page
    assert not CONTROL.search(page)


def test_log_of_bspc_is_escaped(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hostile_map(tmp_path / "leak.map")
    assert run(compile_maps, "aascompile", ["leak.map", "-q"]) == 1
    from aascompile.cli.bspc import Log

    log = Log(quiet=True)
    log.say([HOSTILE])
    log.error(HOSTILE)
    log.write("x.log")
    assert not CONTROL.search((tmp_path / "x.log").read_text())
