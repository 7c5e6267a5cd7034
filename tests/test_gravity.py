"""Gravity: one number for throws, flights, falls, stored files and everything that reads them."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.model.compiled import Compiled
from aascompile.model.links import Links, Travel
from aascompile.nav.arcs import link_paths
from aascompile.nav.replay import replay_links
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3, Settings
from aascompile.settings_file import settings_from_json

MOON = 300.0


def under(gravity: float) -> Settings:
    """The preset with another gravity."""
    return replace(QUAKE3, physics=replace(QUAKE3.physics, gravity=gravity))


def keyed(samples: Path, folder: Path, name: str, gravity: str | None) -> Path:
    """A copy of a sample whose worldspawn has this gravity, or none."""
    text = re.sub(r'"gravity" "[^"]*"\n', "", (samples / f"{name}.map").read_text())
    line = "" if gravity is None else f'"gravity" "{gravity}"\n'
    path = folder / f"{name}.map"
    path.write_text(text.replace('"classname" "worldspawn"\n', f'"classname" "worldspawn"\n{line}', 1))
    return path


def compiled(path: Path, settings: Settings = QUAKE3) -> tuple[Compiled, Report]:
    report = Report(path.name)
    return compile_map(str(path), settings, report), report


def columns(links: Links | None) -> list[object]:
    """All links, to compare."""
    assert links is not None
    return [links.source.tolist(), links.target.tolist(), links.kind.tolist(), links.time.tolist(), links.end.tolist()]


def kinds(links: Links | None) -> Counter[Travel]:
    assert links is not None
    return Counter(Travel(kind) for kind in links.kind.tolist())


def stored(found: Compiled) -> float:
    return float(json.loads(found.provenance.settings)["physics"]["gravity"])


def test_the_key_of_the_map_has_the_last_word(samples: Path, tmp_path: Path) -> None:
    low, _ = compiled(samples / "low_gravity.map")
    usual, _ = compiled(keyed(samples, tmp_path, "low_gravity", None))
    assert (stored(low), stored(usual)) == (MOON, 800.0)
    assert kinds(low.links)[Travel.JUMP] == 2
    assert kinds(usual.links)[Travel.JUMP] == 0
    against, _ = compiled(samples / "low_gravity.map", under(1200.0))
    assert columns(against.links) == columns(low.links)
    assert against.provenance.settings == low.provenance.settings


def test_the_settings_rule_where_the_map_has_no_key(samples: Path, tmp_path: Path) -> None:
    low, _ = compiled(samples / "low_gravity.map")
    given, _ = compiled(keyed(samples, tmp_path, "low_gravity", None), under(MOON))
    assert stored(given) == MOON
    assert columns(given.links) == columns(low.links)


@pytest.mark.parametrize("value", ["-3", "0", "0.5", "much", "1e9", "nan"])
def test_a_gravity_that_is_no_number_within_the_limits_is_not_used(samples: Path, tmp_path: Path, value: str) -> None:
    found, report = compiled(keyed(samples, tmp_path, "jumppad", value), under(400.0))
    assert stored(found) == 400.0
    assert report.warnings == [f"worldspawn: its gravity is {value!r}, but must be 1 to 10000"]


@pytest.mark.parametrize("gravity", [100.0, 400.0, 800.0, 1600.0])
@pytest.mark.parametrize("where", ["map", "settings"])
def test_a_pad_throws_to_its_target_whatever_the_gravity(
    samples: Path, tmp_path: Path, gravity: float, where: str
) -> None:
    if where == "map":
        found, _ = compiled(keyed(samples, tmp_path, "jumppad", f"{gravity:g}"))
    else:
        found, _ = compiled(samples / "jumppad.map", under(gravity))
    links = found.links
    assert links is not None
    (row,) = np.flatnonzero(links.kind == Travel.JUMP_PAD)
    # The trigger's middle is (−192, 0, 4), the target (−32, 0, 352); the ledge lies at 256.
    assert links.velocity[row, 2] ** 2 / (2 * gravity) == pytest.approx(352 - 4)
    assert links.end[row, 2] == pytest.approx(256 + 24, abs=0.2)
    assert links.end[row, 0] > 0
    # Drawn, it rises as high: from the floor, where the link starts.
    start, xyz = link_paths(found, links, pieces=256)
    assert xyz[start[row] : start[row + 1], 2].max() == pytest.approx(24 + 352 - 4, abs=0.5)


def test_every_link_of_a_low_map_can_be_replayed_from_its_file(samples: Path) -> None:
    found, _ = compiled(samples / "low_gravity.map")
    assert found.links is not None
    settings = settings_from_json(found.provenance.settings, "low")
    replays = replay_links(found.areas, found.links, settings)
    assert set(found.links.kind[replays.rows].tolist()) >= {Travel.JUMP, Travel.JUMP_PAD, Travel.WALK_OFF_LEDGE}
    assert replays.good.all()
    assert not replay_links(found.areas, found.links, under(800.0)).good.all()


def aascompile(*arguments: object) -> int:
    return run(compile_maps, "aascompile", ["-q", *(str(argument) for argument in arguments)])


def test_a_changed_gravity_is_noticed_when_links_are_kept(
    samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = keyed(samples, tmp_path, "low_gravity", "300")
    settings = tmp_path / "moon.toml"
    settings.write_text("[physics]\ngravity = 300\n")
    output = path.with_suffix(".aas.hdf")
    assert aascompile(path) == 0
    before = output.read_bytes()
    # The map decides, so other settings change nothing.
    assert aascompile(path, "--clusters-only", "--settings", settings) == 0
    assert output.read_bytes() == before
    keyed(samples, tmp_path, "low_gravity", "800")
    assert aascompile(path, "--clusters-only") == 1
    assert "entities have changed" in capsys.readouterr().err
    assert aascompile(path, "--reach-only") == 0
    again = output.read_bytes()
    assert aascompile(path) == 0
    assert again == output.read_bytes() != before


def test_a_changed_setting_is_noticed_where_it_decides(
    samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = keyed(samples, tmp_path, "low_gravity", None)
    settings = tmp_path / "moon.toml"
    settings.write_text("[physics]\ngravity = 300\n")
    assert aascompile(path) == 0
    assert aascompile(path, "--clusters-only", "--settings", settings) == 1
    assert "was compiled with other settings" in capsys.readouterr().err
