"""Fixtures for all tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.examples import examples

if TYPE_CHECKING:
    from aascompile.model.compiled import Compiled

# No deadlines: a busy machine is no failure.
EXAMPLES = examples(10 if os.environ.get("AASCOMPILE_EXPECT_CHECKED") else 20)
settings.register_profile("untimed", deadline=None, max_examples=EXAMPLES)
settings.load_profile("untimed")

# A run in the background may have been told to ignore Ctrl-C, which every process it starts would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent


def corpus_dir() -> Path | None:
    """Where the real maps lie: $AASCOMPILE_CORPUS, beside the project, or what `make corpus` fetched."""
    named = os.environ.get("AASCOMPILE_CORPUS")
    places = [Path(named)] if named else [ROOT.parent / "shared" / "corpus", ROOT / ".corpus"]
    return next((place for place in places if any(place.glob("*.bsp"))), None)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real maps; skips the test when there is none."""
    place = corpus_dir()
    if place is None:
        pytest.skip("no real maps: set AASCOMPILE_CORPUS to a folder of .bsp files, or run `make corpus`")
    return place


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of hand-made maps."""
    return ROOT / "samples"


@pytest.fixture(scope="session")
def compiled_sample(samples: Path) -> Callable[[str], Compiled]:
    """Areas of a hand-made map by name, without links and clusters; each is compiled once."""
    from aascompile.pipeline import gather, make_areas, understand
    from aascompile.report import Report
    from aascompile.settings import QUAKE3

    @cache
    def compiled(name: str) -> Compiled:
        report = Report(name)
        understood = understand(str(samples / f"{name}.bsp"), report)
        divided = make_areas(understood, QUAKE3, report, allow_leak=True)
        return gather(understood, divided, None, None, QUAKE3, report)

    return compiled
