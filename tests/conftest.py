"""Fixtures for all tests."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.examples import examples
from tests.fetch_corpus import baseline_names

if TYPE_CHECKING:
    from aascompile.model.compiled import Compiled

# No deadlines: a busy machine is no failure.
EXAMPLES = examples(10 if os.environ.get("AASCOMPILE_EXPECT_CHECKED") else 20)
settings.register_profile("untimed", deadline=None, max_examples=EXAMPLES)
settings.load_profile("untimed")

# A background run may ignore Ctrl-C, and every process it starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT))  # for worker processes that run functions of tests


def corpus_dir() -> Path | None:
    """Where the real maps lie: $AASCOMPILE_CORPUS, beside the project, or what `make corpus` fetched."""
    named = os.environ.get("AASCOMPILE_CORPUS")
    places = [Path(named)] if named else [ROOT.parent / "shared" / "corpus", ROOT / ".corpus"]
    return next((place for place in places if any(place.glob("*.bsp"))), None)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real maps; skips the test when there is none, or when maps of the baseline are missing."""
    place = corpus_dir()
    if place is None:
        pytest.skip("no real maps: set AASCOMPILE_CORPUS to a folder of .bsp files, or run `make corpus`")
    missing = missing_maps(place)
    if missing:
        pytest.skip(f"no {', '.join(missing)} among the real maps: run `make corpus`")
    return place


def missing_maps(place: Path) -> list[str]:
    """Maps of the baseline that a folder of real maps does not hold."""
    return [f"{name}.bsp" for name in baseline_names() if not (place / f"{name}.bsp").exists()]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Stop a run in which the mark and the need of real maps differ: `-m "not corpus"` must leave out all of them."""
    wrong = wrongly_marked(items)
    if wrong:
        raise pytest.UsageError(f"@pytest.mark.corpus marks tests that need 'corpus'; not so {', '.join(wrong)}")


def wrongly_marked(items: Iterable[pytest.Item]) -> list[str]:
    """Tests that need real maps without the mark, or have the mark without need."""
    return [
        item.nodeid
        for item in items
        if ("corpus" in getattr(item, "fixturenames", ())) != (item.get_closest_marker("corpus") is not None)
    ]


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
