"""Real maps: compiled, written, read, checked, exported and imported."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.checks.check_compiled import failures
from aascompile.model.links import Travel
from aascompile.pipeline import gather, link_areas, make_areas, understand
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.engine import read_engine, write_engine
from aascompile.store.hdf import read_compiled, write_compiled
from tests.store.same import NOT_IN_ENGINE_FILES, different

MAPS = ("fan", "oa_bases3cl", "am_galmevish2")
"""Plats, jump pads and patches; the quickest of the real maps."""
ENDS = {"L9"}
"""Links are another stage's to judge."""


@pytest.mark.parametrize("name", MAPS)
def test_real_maps(corpus, tmp_path, name):
    if not (corpus / f"{name}.bsp").exists():
        pytest.skip(f"no {name}.bsp among the real maps")
    report = Report(name)
    understood = understand(str(corpus / f"{name}.bsp"), report)
    divided = make_areas(understood, QUAKE3, report)
    linked = link_areas(understood, divided.areas, QUAKE3, report)
    links = linked.links
    compiled = gather(understood, divided, linked, None, QUAKE3, report)
    path = tmp_path / f"{name}.aas.hdf"
    write_compiled(str(path), compiled)
    found = read_compiled(str(path))
    assert different(compiled, found) == []
    assert [one.sentence() for one in failures(found) if one.requirement.id not in ENDS] == []
    data = write_engine(found)
    back = read_engine(data, f"{name}.aas")
    # That a plat bears whoever walks over it is a thing the engine's file has no field for.
    carries = np.isin(links.kind, (Travel.ELEVATOR, Travel.BOBBING))
    told = replace(compiled, links=replace(links, model=np.where(carries, links.model, -1).astype(np.int32)))
    assert different(told, back, without=NOT_IN_ENGINE_FILES, single=True) == []
    assert write_engine(back) == data
