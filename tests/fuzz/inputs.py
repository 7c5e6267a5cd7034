"""Intact files of every kind that the program reads, to be damaged: small ones, so that a case takes milliseconds."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SAMPLES = ROOT / "samples"

COMPILED = (
    "box",
    "gap",
    "stairs",
    "ladder",
    "elevator",
    "jumppad",
    "swim",
    "doorway",
    "teleporter",
    "bobbing_horizontal",
)
"""Samples whose compiled files are damaged: together they have all travel types and most contents."""

ALIKE = ("door", "jumppad", "swim", "stairs", "elevator")
"""Samples that are written in the formats of other games."""

BY_HAND = "by_hand"
"""Sample that has links made by hand."""

CACHED = "stairs"
"""Sample whose entries of a cache are damaged."""

SHADERS = b"""
textures/mine/pond
{
    qer_editorimage textures/mine/pond.tga
    surfaceparm water
    surfaceparm nonsolid
    cull disable
    {
        map textures/mine/pond.tga
        tcMod turb 0 .2 0 .1
    }
}
textures/base/clip { surfaceparm playerclip surfaceparm trans }
textures/mine/rungs { surfaceparm ladder { map $lightmap } }
"""

LINKS = b"""
[[link]]
from = [-292, 0, 0]
to = [96, 0, 0]
travel = "teleport"
cost = 1.0
note = "any text"
[[link]]
from = [0, 0, 0]
to = [96, 64, 0]
travel = "walk"
both_ways = true
[[unlink]]
from = [0, -96, 0]
to = [-96, -96, 0]
[[block]]
mins = [-8, 64, 0]
maxs = [8, 128, 96]
[[cost]]
mins = [-8, -128, 0]
maxs = [8, -64, 96]
factor = 4
[[portal]]
mins = [152, -32, 0]
maxs = [168, 32, 96]
"""

SETTINGS = b"""
name = "mine"
[physics]
gravity = 600
jump_velocity = 300.5
[reach]
grapple = true
[areas]
walkable = false
widest = 256
[costs]
jump = 3.0
[[boxes]]
name = "standing"
presence = 2
mins = [-15, -15, -24]
maxs = [15, 15, 32]
[[boxes]]
name = "crouched"
presence = 4
mins = [-15, -15, -24]
maxs = [15, 15, 16]
"""


@dataclass(frozen=True)
class Sample:
    """A file to damage."""

    name: str
    """With the ending that its reader expects."""
    kind: str
    """A key of ``mutate.KINDS``."""
    data: bytes


def read_samples(folder: Path = SAMPLES) -> list[Sample]:
    """Intact files of all kinds, made of the maps in a folder."""
    maps = sorted([*folder.glob("*.bsp"), *folder.glob("*.map")])
    samples = [Sample(path.name, path.suffix[1:], path.read_bytes()) for path in maps]
    samples += [replace(each, data=each.data[:4] + b"\x2f" + each.data[5:]) for each in samples if each.kind == "bsp"]
    samples += _archives(maps)
    samples += _other_games(folder)
    samples += _texts(folder)
    return samples + _compiled(folder) + _kept(folder)


def _archives(maps: list[Path]) -> list[Sample]:
    made = []
    for start in range(0, len(maps), 8):
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in maps[start : start + 8]:
                info = zipfile.ZipInfo(f"maps/{path.name}")
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, path.read_bytes())
            archive.writestr("scripts/mine.shader", SHADERS)
            archive.writestr(f"maps/{maps[start].stem}.links.toml", LINKS)
        made.append(Sample(f"pak{start // 8}.pk3", "pk3", packed.getvalue()))
    return made


def _other_games(folder: Path) -> list[Sample]:
    """The same rooms as maps of Quake II, and in Raven's and QFusion's formats."""
    from aascompile.mapio.load import load_map
    from aascompile.quickbsp.write import write_ibsp
    from aascompile.quickbsp.write_quake2 import write_quake2

    made = []
    for name in ALIKE:
        source = load_map(folder / f"{name}.map")
        made.append(Sample(f"{name}.bsp", "quake2", write_quake2(source)))
        made += [Sample(f"{name}.bsp", "raven", write_ibsp(source, magic)) for magic in (b"RBSP", b"FBSP")]
    return made


def _texts(folder: Path) -> list[Sample]:
    from aascompile.settings import GAMES, QUAKE3
    from aascompile.settings_cfg import to_cfg
    from aascompile.settings_file import find_preset, to_toml
    from tests.mapio.test_solid_models import ase, md3, obj

    games = [(ROOT / "aascompile" / "games" / f"{name}.toml").read_bytes() for name in GAMES]
    return [
        Sample("mine.shader", "shader", SHADERS),
        *[
            Sample(f"{BY_HAND}.links.toml", "links", text)
            for text in (LINKS, (folder / f"{BY_HAND}.links.toml").read_bytes())
        ],
        *[Sample(f"crate.{make.__name__}", "model", make()) for make in (md3, ase, obj)],
        Sample("mine.toml", "settings", SETTINGS),
        Sample("all.toml", "settings", to_toml(QUAKE3).encode()),
        *[Sample("mine.cfg", "cfg", to_cfg(find_preset(name)).encode()) for name in GAMES],
        *[Sample("game.toml", "game", data) for data in games],
        *[Sample("counts.json", "baseline", text) for text in _baselines(folder)],
    ]


def _baselines(folder: Path) -> list[bytes]:
    """A baseline of one map with tolerances, and a part of a real one."""
    import json

    whole = json.loads((folder / "counts.json").read_text())
    names = sorted(whole["maps"])[:3]
    part = {**whole, "maps": {name: whole["maps"][name] for name in (*names, "box") if name in whole["maps"]}}
    few = {"format": whole["format"], "tolerance": {"areas": 2, "links.*": "1%"}}
    counts = {"areas": 2, "links": 0}
    few["maps"] = {"box": {"counts": counts, "lost": ["item_health (0 0 0)"], "tolerance": {"links": 0}}}
    return [json.dumps(part, indent=1).encode(), json.dumps(few).encode()]


def _compiled(folder: Path) -> list[Sample]:
    from aascompile.pipeline import compile_map
    from aascompile.report import Report
    from aascompile.settings import QUAKE3
    from aascompile.settings_file import text_to_store
    from aascompile.store.engine import for_engine, write_engine
    from aascompile.store.hdf import compiled_bytes

    made = []
    for name in COMPILED:
        compiled = compile_map(str(folder / f"{name}.bsp"), QUAKE3, Report(name), allow_leak=True)
        made.append(Sample(f"{name}.aas.hdf", "hdf", compiled_bytes(compiled)))
        for version in (4, 5, 8):
            settings = replace(QUAKE3, engine=replace(QUAKE3.engine, version=version))
            own = replace(compiled, provenance=replace(compiled.provenance, settings=text_to_store(settings)))
            made.append(Sample(f"{name}.aas", "aas", write_engine(for_engine(own), optimize=version == 5)))
    return made


def _kept(folder: Path) -> list[Sample]:
    """What the program keeps for itself: entries of a cache, and a table of times."""
    import tempfile

    from aascompile.cached import compile_cached
    from aascompile.mapio.load import read_map_file
    from aascompile.nav.navigation import Navigation
    from aascompile.report import Report
    from aascompile.settings import QUAKE3
    from aascompile.store.cache import SUFFIX, Cache

    with tempfile.TemporaryDirectory() as place:
        source = read_map_file(folder / f"{CACHED}.bsp")
        compiled = compile_cached(source, QUAKE3, Report(CACHED), Cache(place))
        entries = sorted(Path(place).rglob(f"*{SUFFIX}"))
        made = [Sample(path.name, "cache", path.read_bytes()) for path in entries]
        Navigation(compiled).table(Path(place) / "times")
        return [*made, Sample(f"{CACHED}.times", "table", (Path(place) / "times").read_bytes())]
