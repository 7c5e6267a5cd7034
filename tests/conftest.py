"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No deadlines: a busy machine is no failure.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

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
