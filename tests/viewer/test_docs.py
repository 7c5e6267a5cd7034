"""docs/viewer.md is up to date: its commands, pictures, layers and keys."""

from __future__ import annotations

import re

import click
import pytest

from aascompile.cli.view import view
from aascompile.viewer.colouring import COLOURINGS
from aascompile.viewer.scene import LAYER_NAMES
from aascompile.viewer.window import LAYER_KEYS
from tests.build_pictures import COMPILED, CONVEX, PAGE, PICTURES, TOUR, TUTORIAL, commands, samples
from tests.conftest import ROOT

MOST_BYTES = 60_000


def test_every_picture_has_a_command():
    made = sorted(words[words.index("--screenshot") + 1] for words in commands())
    assert made == sorted(f"docs/pictures/{path.name}" for path in PICTURES.iterdir() if path != TUTORIAL)
    assert len(made) >= 8
    assert sorted(re.findall(r"\]\((pictures/[^)]+)\)", PAGE.read_text() + TOUR.read_text())) == [
        name.removeprefix("docs/") for name in made
    ]


def test_pictures_are_small():
    assert [path.name for path in PICTURES.iterdir() if path.stat().st_size > MOST_BYTES] == []


@pytest.mark.parametrize("words", commands(), ids=lambda words: words[-1])
def test_commands_parse(words):
    with click.Context(view) as context:
        view.parse_args(context, list(words))
    assert context.params["screenshot"].startswith("docs/pictures/")


def test_commands_show_existing_samples():
    assert all((ROOT / "samples" / f"{name}.bsp").exists() for folder in (COMPILED, CONVEX) for name in samples(folder))
    assert samples(CONVEX)


def test_layers_keys_and_colours_are_listed():
    text = PAGE.read_text()
    keys = {layer: key for key, layer in LAYER_KEYS.items()}
    for layer in LAYER_NAMES:
        assert f"| `{layer}` | {keys[layer]} |" in text
    for by in COLOURINGS:
        assert f"`{by}`" in text


def test_readme_shows_existing_pictures():
    shown = re.findall(r"\]\((docs/pictures/[^)]+)\)", (ROOT / "README.md").read_text())
    assert shown
    assert all((ROOT / name).exists() for name in shown)
