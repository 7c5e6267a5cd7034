"""Real maps are compiled, written, read, checked, exported and imported."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.checks.check_compiled import failures
from aascompile.model.links import Travel
from aascompile.pipeline import gather, make_areas, make_links, understand
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.engine import read_engine, write_engine
from aascompile.store.hdf import read_compiled, write_compiled
from tests.store.same import NOT_IN_ENGINE_FILES, different

MAPS = ("fan", "oa_bases3cl", "am_galmevish2")
"""The real maps that compile fastest. They have plats, jump pads and patches."""
ENDS = {"L9"}
"""Requirement on link ends, which the tests of links check."""


@pytest.mark.parametrize("name", MAPS)
def test_real_maps_survive_both_formats(corpus, tmp_path, name):
    if not (corpus / f"{name}.bsp").exists():
        pytest.skip(f"no {name}.bsp among the real maps")
    report = Report(name)
    understood = understand(str(corpus / f"{name}.bsp"), report)
    divided = make_areas(understood, QUAKE3, report)
    links = make_links(understood, divided.areas, QUAKE3, report)
    compiled = gather(understood, divided.areas, links, None, divided.leak, QUAKE3, report)
    path = tmp_path / f"{name}.aas.hdf"
    write_compiled(str(path), compiled)
    found = read_compiled(str(path))
    assert different(compiled, found) == []
    assert [failure.sentence() for failure in failures(found) if failure.requirement.id not in ENDS] == []
    data = write_engine(found)
    back = read_engine(data, f"{name}.aas")
    # The engine's file cannot store the plat that a walk crosses.
    carries = np.isin(links.kind, (Travel.ELEVATOR, Travel.BOBBING))
    expected = replace(compiled, links=replace(links, model=np.where(carries, links.model, -1).astype(np.int32)))
    assert different(expected, back, without=NOT_IN_ENGINE_FILES, single=True) == []
    assert write_engine(back) == data
