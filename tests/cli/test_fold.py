"""Text of every command fits the terminal, and usage errors have one form."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import click
import pytest

from aascompile.cli import fold
from aascompile.cli.bspc import bspc
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.cli.main import aas

COMMANDS = {"aas": aas, "aascompile": compile_maps, "bspc": bspc}

SHOWN = (
    "aascompile ledge.bsp",
    "aascompile -v ledge.bsp leak.bsp gap.bsp",
    "aascompile leak.bsp",
    "aas info ledge.bsp",
    "aas info ledge.aas.hdf",
    "aas info ledge.aas",
    "aas check ledge.aas.hdf --replay",
    "aas explain ledge.aas.hdf --to unreached",
    "aas explain barrier_high.aas.hdf --to item_health",
    "aas explain ledge.aas.hdf --from 1 --to 2",
    "aas explain ledge.aas.hdf --from 2 --to 1",
    "aas route gap.aas.hdf --from spawn:0 --to item:0",
    "aas times ledge.aas.hdf",
    "aas diff ledge.aas.hdf gap.aas.hdf",
    "aas regress --baseline counts.json ledge.bsp gap.bsp leak.bsp --settings weak.toml",
    "aas area ledge.aas.hdf spawn:0 item:0",
    "aas sight ledge.aas.hdf",
    "aas settings",
    "aas gate ledge.bsp leak.bsp",
    "aas bsp ledge.map --force",
    "bspc -bsp2aas ledge.bsp",
    "bspc -aasinfo ledge.aas",
    "bspc -help",
)
WRONG = (
    "aascompile",
    "aascompile --bogus",
    "aascompile --dump nothing ledge.bsp",
    "aascompile --game nothing ledge.bsp",
    "aascompile --threads many ledge.bsp",
    "aascompile ledge.bsp -o out.txt",
    "aas nothing",
    "aas explain ledge.aas.hdf",
    "aas explain ledge.aas.hdf --to nothing",
    "aas explain ledge.aas.hdf --to 99",
    "aas times ledge.aas.hdf more",
    "aas view ledge.aas.hdf --screenshot out.txt",
    "aas view ledge.aas.hdf --screenshot out.png --camera nowhere",
    "aas export ledge.aas.hdf out.txt",
    "aas regress ledge.bsp",
    "bspc -bogus",
    "bspc -bsp2aas",
    "bspc -bsp2aas ledge.bsp -threads many",
)


@pytest.fixture(scope="module")
def made(samples, tmp_path_factory) -> Path:
    """A folder with maps, compiled files, a baseline and settings."""
    place = tmp_path_factory.mktemp("made")
    for name in ("ledge.bsp", "ledge.map", "gap.bsp", "leak.bsp", "barrier_high.bsp", "counts.json"):
        shutil.copy(samples / name, place / name)
    (place / "weak.toml").write_text("[physics]\njump_velocity = 120\n")
    names = [str(place / f"{name}.bsp") for name in ("ledge", "gap")]
    assert run(compile_maps, "aascompile", [*names, "--aas", "-q"]) == 0
    weak = [str(place / "barrier_high.bsp"), "-q", "--settings", str(place / "weak.toml")]
    assert run(compile_maps, "aascompile", weak) == 0
    return place


def call(line: str) -> int:
    name, *words = line.split()
    return run(COMMANDS[name], name, words)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("line", SHOWN)
def test_text_fits_the_terminal(made, monkeypatch, capsys, line, width):
    monkeypatch.chdir(made)
    monkeypatch.setattr(fold, "width_of", lambda stream: width)
    assert call(line) in (0, 1)
    out, err = capsys.readouterr()
    lines = click.unstyle(out + err).splitlines()
    assert lines, "it prints something"
    assert [line for line in lines if len(line) > width] == []


@pytest.mark.parametrize("line", WRONG)
def test_usage_errors_have_one_form(made, monkeypatch, capsys, line):
    """A line that says what is wrong, without a full stop, and a line that names the command's help."""
    monkeypatch.chdir(made)
    monkeypatch.setattr(fold, "width_of", lambda stream: 1000)
    assert call(line) == 2
    out, err = capsys.readouterr()
    first, second, *rest = err.splitlines()
    assert (out, rest) == ("", [])
    assert first.startswith("error: ")
    assert first.endswith("...") or not first.endswith(".")
    assert "Invalid value" not in first
    command = " ".join(word for word in line.split()[: 1 + line.startswith("aas ")] if word != "nothing")
    assert second == f"  {command} --help says more"


def test_json_is_never_folded(made, monkeypatch, capsys):
    import json

    monkeypatch.chdir(made)
    monkeypatch.setattr(fold, "width_of", lambda stream: 40)
    assert call("aas info ledge.aas.hdf --json") == 0
    assert json.loads(capsys.readouterr().out)


def test_folded_lines_go_on_below_the_value():
    text = "  no route  item_quad hangs in the air\nshort"
    assert fold.folded(text, 24).splitlines() == [
        "  no route  item_quad",
        "            hangs in the",
        "            air",
        "short",
    ]
    assert fold.folded("error: one two three", 12) == "error: one\n  two three"


def test_bold_lines_stay_bold():
    text = click.style("one two three", bold=True)
    parts = fold.folded(text, 8).split("\n")
    assert [click.unstyle(part) for part in parts] == ["one two", "  three"]
    assert all(part.startswith("\x1b[1m") for part in parts)


def test_words_in_a_pipe_stay_on_one_line(made, monkeypatch, capsys):
    monkeypatch.chdir(made)
    assert call("aas explain ledge.aas.hdf --from 1 --to 2") == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) > 80


def test_no_message_shows_how_python_writes_bytes(tmp_path, capsys):
    for name, data in (("a.bsp", b"just some text"), ("b.bsp", b"\0\1\2\3\4"), ("c.aas", b"text"), ("d.json", b"\xff")):
        (tmp_path / name).write_bytes(data)
    run(compile_maps, "aascompile", [str(tmp_path / "a.bsp"), str(tmp_path / "b.bsp")])
    run(aas, "aas", ["info", str(tmp_path / "c.aas")])
    run(aas, "aas", ["regress", str(tmp_path / "a.bsp"), "--baseline", str(tmp_path / "d.json")])
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 4
    assert not re.search(r"\bb['\"]|codec", err)
