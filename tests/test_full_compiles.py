"""Maps compiled in full, with links and clusters: every requirement holds, also of what the engine's file keeps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from aascompile import CompiledMap, compile_map, read_compiled
from aascompile.checks.check_compiled import failures
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel
from aascompile.store.engine import read_engine, write_engine
from tests.conftest import ROOT
from tests.fetch_corpus import baseline_names
from tests.reference.clusters import TwoLevels, faults, linked_areas, plain_times
from tests.store.same import NOT_IN_ENGINE_FILES, different

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.bsp"))
GOALS = 3
"""Goals of a map to which routes with and without clusters are compared."""


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_meet_every_requirement(samples: Path, tmp_path: Path, name: str):
    require_sound(compile_map(samples / f"{name}.bsp", allow_leak=True), tmp_path)


@pytest.mark.corpus
@pytest.mark.parametrize("name", baseline_names())
def test_real_maps_meet_every_requirement(corpus: Path, tmp_path: Path, name: str):
    require_sound(compile_map(corpus / f"{name}.bsp"), tmp_path)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["aggressor", "oa_dm1", "oa_dm4"])
def test_clusters_route_as_quickly_as_the_whole_map(corpus: Path, name: str):
    compiled = compile_map(corpus / f"{name}.bsp")
    links, clusters = compiled.links, compiled.clusters
    assert len(clusters) > 1
    routes, joined = TwoLevels(links, clusters), sorted(linked_areas(links))
    for goal in joined[:: len(joined) // GOALS]:
        plain = plain_times(links, len(compiled.areas), goal)
        assert routes.times(joined, goal) == [plain[area] for area in joined]


def require_sound(compiled: CompiledMap, folder: Path) -> None:
    """Assert that a map has all tables, meets every requirement, and survives both kinds of files."""
    assert compiled.links is not None
    assert compiled.clusters is not None
    assert compiled.places is not None
    assert sentences(compiled) == []
    held = np.unique(compiled.places.area[compiled.places.area >= 0]).tolist()
    assert faults(compiled.clusters, compiled.links, held) == []

    compiled.save(folder / "x.aas.hdf")
    found = read_compiled(folder / "x.aas.hdf")
    assert different(compiled, found) == []

    data = write_engine(found)
    back = read_engine(data, "x.aas")
    assert sentences(back) == []
    # The engine's file has no field for a plat that bears players who walk over it.
    carries = np.isin(compiled.links.kind, (Travel.ELEVATOR, Travel.BOBBING))
    model = np.where(carries, compiled.links.model, -1).astype(np.int32)
    kept = replace(compiled, links=replace(compiled.links, model=model))
    assert different(kept, back, without=NOT_IN_ENGINE_FILES, single=True) == []
    assert write_engine(back) == data


def sentences(compiled: Compiled) -> list[str]:
    """The requirements that a map does not meet."""
    return [failure.sentence() for failure in failures(compiled)]
