"""Every command gets maps and files with hostile names. None of them controls a terminal, a page, a report or CI."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest

from aascompile.cli.bspc import bspc
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.cli.main import aas
from tests.conftest import ROOT
from tests.test_escaping import CONTROL

BAD = "\x1b]0;PWNED\x07\x1b[31m\b\x9b2J\u202egnp\u2066\x7f<script>alert(1)</script><img onerror=a()>|`*&_[l](u)~end"
"""Codes for terminals, marks that reverse text, markup of pages and of Markdown."""

COMMANDS_OF_CI = (
    "::error file=x::",
    "::add-mask::",
    "##[group]",
    "##vso[task.setvariable variable=x]",
    "##teamcity[x]",
)
"""What CI systems take for commands, at the beginning of a line or anywhere."""

IS_COMMAND = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)

NAMES = tuple(f"{command}{BAD}" for command in COMMANDS_OF_CI)

LINES: dict[str, list[list[str]]] = {
    "area": [["{file}", "0,0,24", "spawn:0"], ["{file}", "{bad}"], ["{file}", "spawn:0", "--json"]],
    "bsp": [["{map}", "-o", "{out}/x.bsp"]],
    "check": [["{file}"], ["{file}", "--replay"], ["{file}", "--json"]],
    "diff": [["{file}", "{other}"], ["{other}", "{file}"], ["{file}", "{other}", "--json"]],
    "explain": [
        ["{file}", "--to", "unreached"],
        ["{file}", "--to", "{bad}"],
        ["{file}", "--to", "unreached", "--json"],
    ],
    "export": [["{file}", f"{{out}}/x{ending}"] for ending in (".graphml", ".json", ".glb", ".npz", ".aas")],
    "gate": [["{map}"], ["{pack}/maps/*.bsp"], ["{map}", "--json"]],
    "import": [["{engine}", "-o", "{out}/y.aas.hdf"], ["{engine}", "--map", "{map}", "-o", "{out}/z.aas.hdf"]],
    "info": [["{map}"], ["{file}"], ["{pack}/maps/*.bsp"], ["{map}", "{file}", "--json"], ["{bad}"]],
    "regress": [
        ["--baseline", "{baseline}", "{map}", "{pack}/maps/*.bsp", "--complete",
         "--junit", "{out}/x.xml", "--markdown", "{out}/x.md"],
        ["--baseline", "{baseline}", "{file}", "--json"],
        ["--baseline", "{out}/new.json", "{map}", "--update", "--settings", "{settings}"],
    ],
    "route": [["{file}", "--from", "0", "--to", "1"], ["{file}", "--from", "{bad}", "--to", "spawn:0"]],
    "settings": [
        ["--settings", "{settings}"],
        ["--settings", "{settings}", "--cfg"],
        ["--settings", "{wrong}"],
        ["--game", "{game}"],
    ],
    "sight": [["{file}"], ["{file}", "--from", "spawn:0"], ["{file}", "--json"]],
    "times": [["{file}"], ["{file}", "--json"]],
    "view": [
        ["{file}", "--html", "{out}/x.html"],
        ["{file}", "{other}", "--html", "{out}/y.html"],
        ["{bad}", "--html", "{out}/z.html"],
    ],
}  # fmt: skip
"""What every command of ``aas`` is called with."""

OTHERS: list[tuple[click.Command, str, list[str]]] = [
    (compile_maps, "aascompile", ["{map}", "-o", "{out}/", "--aas", "-v", "--check"]),
    (compile_maps, "aascompile", ["{map}", "-o", "{out}/", "--json"]),
    (compile_maps, "aascompile", ["{leak}", "-o", "{out}/"]),
    (compile_maps, "aascompile", ["{by_hand}", "-o", "{out}/"]),
    (compile_maps, "aascompile", ["{leak}", "-o", "{out}/", "--allow-leak", "-v"]),
    (compile_maps, "aascompile", ["{pack}/maps/*.bsp", "-o", "{out}/"]),
    (compile_maps, "aascompile", ["{pack}/maps/*.bsp", "{bad}", "-o", "{out}/", "--jobs", "2"]),
    (compile_maps, "aascompile", ["{map}", "-o", "{out}/", "--settings", "{wrong}"]),
    (compile_maps, "aascompile", ["{map}", "-o", "{file}", "--reach-only"]),
    (bspc, "bspc", ["-bsp2aas", "{map}", "-output", "{out}"]),
    (bspc, "bspc", ["-aasinfo", "{engine}"]),
]


def quoted(name: str) -> str:
    """A name as map source can hold it."""
    return name.replace('"', "").replace("\n", "")


class Tags(HTMLParser):
    """Counts elements, and keeps attributes that run scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.running: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.running += [name for name, value in attrs if name.startswith("on") or "javascript:" in (value or "")]


@pytest.fixture(scope="module", params=NAMES, ids=["error", "mask", "group", "vso", "teamcity"])
def places(request, tmp_path_factory) -> dict[str, str]:
    """Files with hostile names, inside and outside."""
    name = quoted(request.param)
    folder = tmp_path_factory.mktemp("hostile")
    out = folder / "out"
    out.mkdir()
    source = (ROOT / "samples" / "gap.map").read_text()
    source = source.replace('"classname" "worldspawn"', f'"classname" "worldspawn"\n"message" "{name}"\n"{name}" "1"')
    source = source.replace("base/floor", f"base/{name.replace(' ', '')}")
    keys = "".join(f'"{key}" "{name}"\n' for key in ("target", "targetname", "model", "team", "noise"))
    extra = "".join(
        f'{{\n"classname" "{each}"\n"origin" "0 0 {height}"\n{keys}}}\n'
        for each, height in ((f"item_{name}", 40), (f"info_player_{name}", 60), (name, 80), ("misc_model", 90),
                             ("path_corner", 10), ("item_quad", 120))
    )  # fmt: skip
    leaf = f"{request.param.replace('/', '')[:120]}"
    map_path = folder / f"{leaf}.map"
    map_path.write_text(source + extra)
    leak = folder / f"leak {leaf}.map"
    leaking = (ROOT / "samples" / "leak.map").read_text()
    leak.write_text(leaking.replace("info_player_deathmatch", f"info_player_{name}") + extra)
    by_hand = folder / "by hand.map"
    by_hand.write_text(f'{source}{{\n"classname" "aas_link"\n"travel" "{name}"\n"target" "{name}"\n}}\n')
    pack = folder / "pack.pk3"
    inside = "".join(c for c in leaf if c.isprintable())  # others are not read from archives
    with zipfile.ZipFile(pack, "w") as archive:
        for number in range(3):
            data = (ROOT / "samples" / "box.bsp").read_bytes() if number else b"IBSP" + bytes(40)
            archive.writestr(f"maps/{inside}{number}.bsp", data)
        archive.writestr(f"maps/{inside}2.links.toml", f"[[link]]\nfrom = [0, 0, 0]\nto = {json.dumps(name)}\n")
        archive.writestr(f"scripts/{inside}.shader", f"textures/{name}\n{{ surfaceparm {name} }}\n")
    toml = json.dumps(name)
    (folder / "mine.toml").write_text(f"name = {json.dumps(inside[:64])}\n[physics]\ngravity = 700\n")
    (folder / "wrong.toml").write_text(f"[physics]\n{toml} = {toml}\n")
    (folder / "game.toml").write_text(f"name = {toml}\n[contents]\n{toml} = 1\n")
    baseline = {"format": "aas counts 1", "maps": {request.param: {"counts": {"areas": 1}, "lost": [request.param]},
                                      leaf: {"counts": {"areas": 7, request.param: 3}}}}  # fmt: skip
    (folder / "counts.json").write_text(json.dumps(baseline))
    file = folder / f"{leaf}.aas.hdf"
    run(compile_maps, "aascompile", [str(map_path), "-o", str(file), "--aas", "-q"])
    run(compile_maps, "aascompile", [str(ROOT / "samples" / "gap.bsp"), "-o", str(folder / "gap.aas.hdf"), "-q"])
    assert file.exists()
    found = {
        "map": map_path, "leak": leak, "by_hand": by_hand, "pack": pack, "file": file, "other": folder / "gap.aas.hdf",
        "engine": folder / f"{leaf}.aas", "settings": folder / "mine.toml", "wrong": folder / "wrong.toml",
        "game": folder / "game.toml", "baseline": folder / "counts.json", "out": out, "bad": name,
    }  # fmt: skip
    return {key: str(value) for key, value in found.items()}


def lines() -> Iterator[tuple[click.Command, str, list[str]]]:
    for command, calls in LINES.items():
        yield from ((aas, "aas", [command, *call]) for call in calls)
    yield from OTHERS


def test_every_command_is_tried():
    assert set(LINES) == set(aas.list_commands(click.Context(aas)))


def require_clean(text: str, where: object) -> None:
    assert not CONTROL.search(text), (where, CONTROL.search(text))
    assert not IS_COMMAND.search(text), (where, IS_COMMAND.search(text))
    assert "Traceback" not in text


def test_nothing_hostile_gets_through(places, capsys, monkeypatch):
    monkeypatch.chdir(places["out"])
    shown = ""
    capsys.readouterr()
    for program, name, line in lines():
        words = [word.format(**places) if "{" in word else word for word in line]
        code = run(program, name, words)
        out, err = capsys.readouterr()
        assert code in (0, 1, 2), (code, words)
        for text in (out, err):
            require_clean(text, words)
        if "--json" in words and code == 0:
            json.loads(out)
        shown += out + err
    assert "PWNED" in shown
    written = [path for path in Path(places["out"]).iterdir() if path.is_file()]
    assert {".html", ".xml", ".md", ".graphml", ".json"} <= {path.suffix for path in written}
    for path in written:
        CHECKS.get(path.suffix, lambda text: None)(path.read_bytes())


def clean_xml(data: bytes) -> None:
    assert not CONTROL.search(data.decode())
    tags = {re.sub(r"\{.*\}", "", each.tag) for each in ElementTree.fromstring(data).iter()}
    assert not {"script", "img"} & tags


def clean_markdown(data: bytes) -> None:
    require_clean(data.decode(), "Markdown")
    bare = re.sub(r"\\.", "", data.decode())
    own = re.sub(r"</?(details|summary)>", "", bare)
    assert not re.search(r"[<`\[]", own), own


def clean_page(data: bytes) -> None:
    text = data.decode()
    assert not CONTROL.search(text)
    assert "<script>alert" not in text
    tags = Tags(text)
    assert tags.running == []
    assert "img" not in tags.elements


def clean_json(data: bytes) -> None:
    assert data.isascii()
    json.loads(data)


CHECKS = {".xml": clean_xml, ".graphml": clean_xml, ".md": clean_markdown, ".html": clean_page, ".json": clean_json}
