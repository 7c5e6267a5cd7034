"""Every question to the engine's files that other compilers made, which are optimized: they have no faces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import aascompile
from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.errors import StoreError
from aascompile.nav.navigation import Navigation
from aascompile.nav.sight import Views, make_sight
from aascompile.sampling.middle import middles

SHIPPED = ["aggressor", "am_galmevish2", "oa_ctf2", "oacmpdm8", "slimefac"]

NO_FACES = "has areas without faces, as in optimized files, so distances are not known"


@pytest.mark.corpus
@pytest.mark.parametrize("name", SHIPPED)
def test_every_question_is_answered_or_refused_in_a_sentence(corpus: Path, name: str):
    nav = aascompile.load(corpus / f"{name}.aas")
    point = middles(nav.compiled.areas)
    area = nav.areas_at(point)
    known = np.flatnonzero((area >= 0) & (nav.compiled.areas.area_flags != 0))
    assert len(known) > 100
    at, own = point[known], area[known]
    assert np.array_equal(nav.traces(at, at, box="point").start_area, own)
    assert (nav.traces(at, at - (0, 0, 500)).fraction <= 1.0).all()
    assert nav.walks(at[:50], at[50:100]).why.shape == (50,)
    assert np.isfinite(nav.predict(at[:50], wish=(1, 0, 0), seconds=0.5).end).all()
    assert int(own[0]) in nav.areas_in_box(at[0] - 4, at[0] + 4).tolist()
    assert len(nav.occupancy.link("box", at[0] - 4, at[0] + 4))
    links = nav.compiled.links
    assert links is not None
    goal = int(np.bincount(links.target).argmax())
    times = nav.times(np.arange(len(nav)), [goal])[:, 0]
    assert np.isfinite(times).sum() > 50
    start = int(np.where(np.isfinite(times), times, -1.0).argmax())
    assert nav.route(start, goal).time == pytest.approx(times[start])
    assert nav.alternatives(start, goal)[0].time == pytest.approx(times[start])
    assert np.array_equal(nav.field([goal]).time, times)
    assert nav.observer([goal], nearest=1).observe(at).shape == (len(at), 18)
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: nav.nearest(at), NO_FACES),
        (lambda: nav.distance_to_wall(at), NO_FACES),
        (lambda: nav.trace(at[0], at[1], radius=8.0), NO_FACES),
        (lambda: nav.visible(at[:1], at[1:2]), "has no faces of the map, so it is not known what blocks sight"),
        (lambda: nav.sees(0, 0), "has no sight"),
    ]
    for question, sentence in refused:
        with pytest.raises(StoreError, match=f"^{name}.aas: {sentence}"):
            question()
    assert nav.items == nav.spawns == ()


@pytest.mark.corpus
def test_a_foreign_file_with_its_map_has_items_and_sight(corpus: Path, tmp_path: Path, capsys):
    target = tmp_path / "x.aas.hdf"
    words = ["import", str(corpus / "aggressor.aas"), "-o", str(target), "--map"]
    assert run(aas, "aas", [*words, str(corpus / "oa_dm1.bsp")]) == 1
    assert "aggressor.aas: was made for another map than" in capsys.readouterr().err
    assert run(aas, "aas", [*words, str(corpus / "aggressor.bsp")]) == 0
    nav = aascompile.load(target)
    assert sum(item.area >= 0 for item in nav.items) > 10
    assert nav.times([nav.spawns[0].area], [nav.items[0].area]).shape == (1, 1)
    compiled = nav.compiled
    views = Views(replace(compiled, sight=make_sight(compiled, 2)))
    ours = Navigation(aascompile.compile_map(corpus / "aggressor.bsp", sight=True))
    assert float(np.nanmean(views.exposure)) == pytest.approx(float(np.nanmean(ours.exposure)), rel=0.5)
