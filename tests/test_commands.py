"""docs/commands.md is up to date and describes the JSON fields of all commands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.cli.main import aas
from tests.build_commands import every_command, page
from tests.conftest import ROOT
from tests.json_fields import FIELDS


def test_the_page_is_up_to_date():
    assert (ROOT / "docs" / "commands.md").read_text() == page(), "run make docs"


def test_every_command_with_json_is_described():
    commands = every_command().items()
    listed = {name for name, command in commands if any(option.name == "as_json" for option in command.params)}
    assert set(FIELDS) == listed


@pytest.fixture(scope="module")
def outputs(tmp_path_factory) -> dict[str, list[Any]]:
    """JSON output of each command for samples that exercise every field."""
    place = tmp_path_factory.mktemp("outputs")
    names = ("leak", "rocketjump", "ledge", "lava", "door", "jumppad")
    maps = [str(ROOT / "samples" / f"{name}.bsp") for name in names]
    ledge, lava, door, jumppad = (str(place / f"{name}.aas.hdf") for name in ("ledge", "lava", "door", "jumppad"))
    rocketjump = str(place / "rocketjump.aas.hdf")
    baseline = place / "counts.json"
    baseline.write_text('{"format": "aas counts 1", "maps": {"ledge": {"counts": {"areas": 99}}}}')
    calls = {
        "aascompile": [[*maps, "-o", f"{place}/", "--allow-leak", "-q"]],
        "aas info": [maps, [ledge, lava, str(place / "rocketjump.aas.hdf")]],
        "aas check": [[ledge, "--replay"]],
        "aas gate": [[ledge]],
        "aas area": [[ledge, "spawn:0", "1"]],
        "aas route": [[ledge, "--from", "2", "--to", "1"]],
        "aas times": [[ledge]],
        "aas sight": [[jumppad], [ledge, "--from", "1"]],
        "aas explain": [
            [rocketjump, "--to", "unreached"],
            [ledge, "--from", "1", "--to", "2"],
            [ledge, "--from", "2", "--to", "1"],
        ],
        "aas diff": [[ledge, lava], [lava, ledge], [door, lava]],
        "aas regress": [[ledge, "--baseline", str(baseline), "-q"]],
    }
    found: dict[str, list[Any]] = {}
    for name, every in calls.items():
        for words in every:
            found.setdefault(name, []).append(_output(name, words))
    return found


def _output(name: str, words: list[str]) -> Any:
    """Parsed JSON output of a command."""
    import contextlib
    import io

    stdout = io.StringIO()
    with contextlib.redirect_stdout(stdout):
        command = compile_maps if name == "aascompile" else aas
        run(command, name, [*name.split()[1:], *words, "--json"])
    return json.loads(stdout.getvalue())


MAY_BE_EMPTY = {
    "dropped[]", "failed[]", "routes.rare[]", "replay.failed[]", "areas.altered[]", "areas.split[]", "areas.merged[]",
    "areas.reshaped[]", "links.moved[]", "sniper[]", "clusters.portals_lost[]", "clusters.portals_gained[]",
}  # fmt: skip
"""Lists that may be empty with these samples."""


@pytest.mark.parametrize("name", FIELDS)
def test_json_has_the_described_fields(name: str, outputs: dict[str, list[Any]]):
    answers = [item for output in outputs[name] for item in (output if isinstance(output, list) else [output])]
    tables = list(FIELDS[name].values())
    seen: set[str] = set()
    for answer in answers:
        second = ("file" in answer and name == "aas info") or ("from" in answer and name == "aas sight")
        table = dict(tables[second or "kinds" in answer])
        found = dict(keys(answer, table))
        assert set(found) <= set(table)
        for path, inner in found.items():
            named = set(re.findall(r"`(\w+)`", table[path]))
            assert inner <= named, path
        seen |= set(found)
    described = {path for table in tables for path, _ in table}
    assert described - seen <= MAY_BE_EMPTY


def keys(value: Any, table: dict[str, str], path: str = "") -> Iterator[tuple[str, set[str]]]:
    """Paths of the fields of a value, each with the keys that its description must name."""
    if path.endswith(".*"):
        yield path, set()
        return
    if isinstance(value, list) and f"{path}[]" in table:
        for item in value:
            yield from keys(item, table, f"{path}[]")
        return
    if not isinstance(value, dict):
        yield path, set()
        return
    own = set()
    for key, inner in value.items():
        below = f"{path}.{key}" if path else key
        known = [below, f"{below}.*", f"{below}[]"]
        deeper = any(field.startswith((f"{below}.", f"{below}[")) for field in table)
        if path and not deeper and not any(field in table for field in known):
            own.add(key)
        elif f"{below}.*" in table:
            yield f"{below}.*", set()
        else:
            yield from keys(inner, table, below)
    if path in table:
        yield path, own
    elif own:
        yield f"{path}: {', '.join(sorted(own))}", set()
