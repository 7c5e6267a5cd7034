"""What is done with a damaged file: everything that the program does with files of its kind, in this process."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from random import Random

from aascompile.errors import AasError, CheckError
from tests.fuzz.inputs import BY_HAND, CACHED

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that must not reach a terminal. A line break ends a line."""

BUSY = 4
"""Of a compiled file, this many commands are run in one case."""

STREAMS = (io.StringIO(), io.StringIO())


class Fault(Exception):
    """Something that must not happen, in words."""


def act(kind: str, path: Path, rng: Random, whole: bool, folder: Path) -> None:
    """Do what is done with such files. ``whole``: compile too, or run every command. ``folder`` has intact files.

    Raise an AasError if the file is refused, a Fault or any other exception if that goes wrong.
    """
    if kind in ("bsp", "raven", "quake2", "map", "pk3"):
        use_map(str(path), whole, "quake2" if kind == "quake2" else None)
    elif kind == "shader":
        use_shaders(path, whole, folder)
    elif kind in ("settings", "cfg", "game"):
        use_settings(kind, str(path), whole, folder)
    elif kind == "baseline":
        use_baseline(str(path), rng, folder)
    elif kind == "model":
        use_model(path, whole, folder)
    elif kind == "links":
        use_links(path, whole, folder)
    elif kind == "cache":
        use_cache(path, folder)
    elif kind == "table":
        use_table(path, folder)
    else:
        use_compiled(kind, str(path), rng, whole, folder)


def use_map(path: str, whole: bool, game: str | None = None) -> None:
    """``aas info`` of every map of a file, or what ``aascompile --check --aas`` does except for writing.

    In an archive, an error in one map does not stop the others.
    """
    from aascompile.cli.info import text_lines
    from aascompile.cli.json_types import json_text
    from aascompile.cli.summary import summarise
    from aascompile.mapio.load import expand_inputs
    from aascompile.pipeline import understand
    from aascompile.report import Report
    from aascompile.settings_file import find_preset

    settings = find_preset(game or "quake3")
    error: AasError | None = None
    for name in expand_inputs([path])[:4]:
        report = Report(name, lambda stage: None)
        try:
            understood = understand(name, report, settings)
            summary = summarise(understood, report)
            shown(list(text_lines(summary)))
            json_text(summary)
            if whole:
                compile_whole(name, settings)
        except CheckError:
            raise
        except AasError as reason:
            error = reason
    if error is not None:
        raise error


def compile_whole(name: object, settings: object) -> None:
    """Compile a map, check every stage and the result, and make all files in memory."""
    from aascompile.checks.check_compiled import failures
    from aascompile.checks.check_stages import require_sound
    from aascompile.cli.route_report import routes_of
    from aascompile.pipeline import compile_map
    from aascompile.report import Report
    from aascompile.store.engine import for_engine, read_engine, write_engine
    from aascompile.store.hdf import compiled_bytes

    report = Report("map", None, lambda stage, records: require_sound("map", stage, records))
    compiled = compile_map(name, settings, report, allow_leak=True)
    wrong = [failure.sentence() for failure in failures(compiled)]
    if wrong:
        raise Fault("; ".join(wrong))
    routes_of(compiled, "map")
    compiled_bytes(compiled)
    read_engine(write_engine(for_engine(compiled)), "map.aas")


def use_shaders(path: Path, whole: bool, folder: Path) -> None:
    """Read a map whose textures the script describes."""
    from aascompile.mapio.entity_text import decode_text
    from aascompile.mapio.game_files import GameFiles
    from aascompile.mapio.load import MapSource, load_map
    from aascompile.settings import QUAKE3

    scripts = decode_text(path.read_bytes())
    text = (folder / "swim.map").read_bytes().replace(b"common/water", b"mine/pond")
    source = MapSource(text, "swim.map", GameFiles(scripts))
    load_map(source)
    if whole:
        compile_whole(source, QUAKE3)


def use_settings(kind: str, path: str, whole: bool, folder: Path) -> None:
    """Read settings, write them in all forms, and compile a small map with them."""
    from aascompile.settings_cfg import to_cfg
    from aascompile.settings_file import find_preset, read_settings, settings_from_json, text_to_store, to_toml

    found = find_preset(path) if kind == "game" else read_settings(path)
    to_cfg(found)
    to_toml(found)
    stored = settings_from_json(text_to_store(found), path)
    if replace(stored, name=found.name) != found and kind != "game":
        raise Fault("the stored settings are not those that were read")
    if whole:
        compile_whole(str(folder / "gap.map"), found)


def use_model(path: Path, whole: bool, folder: Path) -> None:
    """Read, or compile, a map with a solid model."""
    from aascompile.mapio.game_files import GameFiles
    from aascompile.mapio.load import MapSource, load_map
    from aascompile.settings import QUAKE3

    entity = f'{{ "classname" "misc_model" "model" "{path.name}" "spawnflags" "2" "origin" "32 0 8" "angle" "30" }}'
    text = (folder / "box.map").read_bytes() + entity.encode()
    source = MapSource(text, "box.map", GameFiles(models=((path.name, path.read_bytes()),)))
    load_map(source)
    if whole:
        compile_whole(source, QUAKE3)


def use_links(path: Path, whole: bool, folder: Path) -> None:
    """Read, or compile, the map that the links belong to."""
    from aascompile.mapio.load import read_map_file
    from aascompile.pipeline import understand
    from aascompile.report import Report
    from aascompile.settings import QUAKE3

    source = read_map_file(folder / f"{BY_HAND}.bsp", path)
    understand(source, Report(source.name), QUAKE3)
    if whole:
        compile_whole(source, QUAKE3)


def use_cache(path: Path, folder: Path) -> None:
    """Compile a map, then one with other entities, with a cache of intact entries but for this one."""
    from aascompile.cached import compile_cached
    from aascompile.mapio.load import read_map_file
    from aascompile.pipeline import compile_map
    from aascompile.report import Report
    from aascompile.settings import QUAKE3
    from aascompile.store.cache import SUFFIX, Cache
    from aascompile.store.hdf import compiled_bytes

    data = path.read_bytes()
    if data == (folder / path.name).read_bytes():
        return
    kept = path.parent / "cache"
    for entry in folder.glob(f"*{SUFFIX}"):
        place = kept / entry.name[:2] / entry.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data if entry.name == path.name else entry.read_bytes())
    source = read_map_file(folder / f"{CACHED}.bsp")
    other = replace(source, data=source.data.replace(b'"angle" "', b'"amgle" "'))
    for each in (source, other):
        made = compile_cached(each, QUAKE3, Report("map"), Cache(kept))
        if compiled_bytes(made) != compiled_bytes(compile_map(each, QUAKE3, Report("map"))):
            raise Fault("a damaged entry was used")


def use_table(path: Path, folder: Path) -> None:
    """Ask a damaged table for all times and links."""
    import numpy as np

    from aascompile.nav.navigation import Navigation
    from aascompile.opened import read_compiled

    nav = Navigation(read_compiled(folder / f"{CACHED}.aas.hdf"))
    table = nav.table(path)
    areas = np.arange(len(nav))
    pairs = np.repeat(areas, len(areas)), np.tile(areas, len(areas))
    table.times(*pairs)
    rows = table.next_links(*pairs)
    links = nav.compiled.links
    assert links is not None
    if not ((rows >= -1) & (rows < len(links))).all() or (links.source[rows[rows >= 0]] != pairs[0][rows >= 0]).any():
        raise Fault("a table names links that do not leave the area")


def use_baseline(path: str, rng: Random, folder: Path) -> None:
    """Compare a compiled file with the baseline, with reports, or update it."""
    out = Path(path).parent
    options = rng.choice(([], ["--complete"], ["--update"], ["--json"],
                          ["--junit", str(out / "x.xml"), "--markdown", str(out / "x.md"), "--force"]))  # fmt: skip
    command("aas", "regress", "--baseline", path, str(folder / "box.aas.hdf"), "-q", *options)


def commands_of(kind: str, path: str, folder: Path) -> list[list[str]]:
    """Every command that reads a compiled file."""
    intact = str(folder / Path(path).name)
    out = Path(path).parent
    lines = [
        ["aas", "info", path],
        ["aas", "info", path, "--json"],
        ["aas", "check", path],
        ["aas", "check", path, "--replay"],
        ["aas", "area", path, "0", "0,0,24", "spawn:0"],
        ["aas", "route", path, "--from", "0", "--to", "1"],
        ["aas", "route", path, "--from", "spawn:0", "--to", "item_health"],
        ["aas", "explain", path, "--from", "0", "--to", "1"],
        ["aas", "explain", path, "--to", "unreached"],
        ["aas", "times", path],
        ["aas", "sight", path],
        ["aas", "gate", path],
        ["aas", "diff", path, intact],
        ["aas", "diff", intact, path],
        ["aas", "view", path, "--html", str(out / "x.html"), "--force"],
        ["aas", "regress", "--baseline", str(folder / "counts.json"), path, "-q"],
        *[
            ["aas", "export", path, str(out / f"x{ending}"), "--force"]
            for ending in (".graphml", ".json", ".npz", ".glb")
        ],
    ]
    name = Path(path).name.partition(".")[0]
    if kind == "hdf":
        lines.append(["aas", "export", path, str(out / "y.aas"), "--force"])
        lines += [["aascompile", str(folder / f"{name}.bsp"), "-o", path, only, "-q", "--check"]
                  for only in ("--reach-only", "--clusters-only")]  # fmt: skip
    else:
        lines.append(["aas", "import", path, "-o", str(out / "x.aas.hdf"), "--force"])
        lines.append(
            ["aas", "import", path, "--map", str(folder / f"{name}.bsp"), "-o", str(out / "x.aas.hdf"), "--force"]
        )
        lines.append(["bspc", "-aasinfo", path])
    return lines


def use_compiled(kind: str, path: str, rng: Random, whole: bool, folder: Path) -> None:
    """Run some or all of the commands that read compiled files. Refused if none of them got through."""
    lines = commands_of(kind, path, folder)
    refused = 0
    lines = lines if whole else rng.sample(lines, BUSY)
    # Those that write the file come last.
    lines.sort(key=lambda line: "-o" in line and line[line.index("-o") + 1] == path)
    for line in lines:
        try:
            command(*line)
        except AasError:
            refused += 1
    if refused == len(lines):
        raise AasError(f"{kind}: refused by {' '.join(lines[0][:2])}")


def command(*words: str) -> None:
    """Run a command. AasError if it ends with 1 or 2; a Fault for another code, or for what must not be printed."""
    from aascompile.cli.bspc import bspc
    from aascompile.cli.common import run
    from aascompile.cli.compile import compile_maps
    from aascompile.cli.main import aas

    program = {"aas": aas, "aascompile": compile_maps, "bspc": bspc}[words[0]]
    with printed() as (out, err):
        code = run(program, words[0], words[1:])
    errors = err.getvalue()
    if code not in (0, 1, 2):
        raise Fault(f"{' '.join(words)}: exit code {code}")
    for text in (out.getvalue(), errors):
        if CONTROL.search(text):
            raise Fault(f"{' '.join(words)}: prints a control character: {text[:500]!r}")
    if "out of memory" in errors or "internal error" in errors:
        raise Fault(f"{' '.join(words)}: {errors[:500]}")
    if code == 1 and not errors and not out.getvalue():
        raise Fault(f"{' '.join(words)}: fails without a word")
    if code and errors:
        raise AasError(errors.splitlines()[0])


@contextmanager
def printed() -> Iterator[tuple[io.StringIO, io.StringIO]]:
    """What is printed on stdout and stderr. The same two streams each time: click keeps every stream it prints to."""
    for stream in STREAMS:
        stream.seek(0)
        stream.truncate()
    with redirect_stdout(STREAMS[0]), redirect_stderr(STREAMS[1]):
        yield STREAMS


def shown(lines: list[str]) -> None:
    """Lines as a command prints them."""
    from aascompile.cli.common import emit

    with printed() as (out, _):
        emit(*lines)
    if CONTROL.search(out.getvalue()):
        raise Fault(f"prints a control character: {out.getvalue()[:500]!r}")
