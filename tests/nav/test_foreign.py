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
from aascompile.store.engine import for_engine, write_engine
from tests.nav.test_routes import sample

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


A, B = (-280.0, -40.0, 24.125), (-200.0, -40.0, 24.125)
"""Two places on the floor of the sample."""

NO_MAP = "has no faces of the map, so it is not known what blocks sight"

QUESTIONS: dict[str, tuple[Callable[[Navigation], object], str]] = {
    "alternatives": (lambda nav: nav.alternatives(A, B), ""),
    "area": (lambda nav: nav.area(0), ""),
    "area_at": (lambda nav: nav.area_at(A), ""),
    "areas_at": (lambda nav: nav.areas_at([A]), ""),
    "areas_in_box": (lambda nav: nav.areas_in_box(A, B), ""),
    "areas_in_boxes": (lambda nav: nav.areas_in_boxes([A], [B]), ""),
    "areas_passed": (lambda nav: nav.areas_passed([A], [B]), ""),
    "block": (lambda nav: nav.block([0]), ""),
    "distance_to_wall": (lambda nav: nav.distance_to_wall([A]), NO_FACES),
    "exposure": (lambda nav: nav.exposure, "has no sight"),
    "field": (lambda nav: nav.field([A]).at([B]), ""),
    "items": (lambda nav: nav.items, ""),
    "link": (lambda nav: nav.link(0), ""),
    "links_from": (lambda nav: nav.links_from(0), ""),
    "locate": (lambda nav: nav.locate(A), ""),
    "nearest": (lambda nav: nav.nearest([A]), NO_FACES),
    "next_links": (lambda nav: nav.next_links([0], 1), ""),
    "observer": (lambda nav: nav.observer([A], nearest=1).observe([B]), ""),
    "occupancy": (lambda nav: nav.occupancy.link("box", A, B), ""),
    "open": (lambda nav: nav.open(), ""),
    "place_at": (lambda nav: nav.place_at(A), ""),
    "potential": (lambda nav: nav.potential([A], [B]), ""),
    "predict": (lambda nav: nav.predict([A], wish=(1, 0, 0)), ""),
    "route": (lambda nav: nav.route(A, B), ""),
    "routes": (lambda nav: nav.routes([A], [B]), ""),
    "search": (lambda nav: nav.search(A, B, lambda row, time: 0.0), ""),
    "seen_from": (lambda nav: nav.seen_from(0), "has no sight"),
    "sees": (lambda nav: nav.sees([0], [1]), "has no sight"),
    "spawns": (lambda nav: nav.spawns, ""),
    "spots": (lambda nav: nav.spots("hiding"), "has no sight"),
    "table": (lambda nav: nav.table(), ""),
    "times": (lambda nav: nav.times([A], [B]), ""),
    "trace": (lambda nav: nav.trace(A, B), ""),
    "traces": (lambda nav: nav.traces([A], [B]), ""),
    "visible": (lambda nav: nav.visible([A], [B]), NO_MAP),
    "walkable": (lambda nav: nav.walkable([A], [B]), ""),
    "walks": (lambda nav: nav.walks([A], [B]), ""),
}
"""Method → a question, and the sentence that an optimized file answers; "" if it can answer the question."""


@pytest.fixture(scope="module")
def optimized(tmp_path_factory) -> Path:
    path: Path = tmp_path_factory.mktemp("foreign") / "x.aas"
    path.write_bytes(write_engine(for_engine(sample("jumppad")), optimize=True))
    return path


def test_every_method_is_asked():
    public = {name for name in dir(Navigation) if not name.startswith("_")}
    assert public == set(QUESTIONS)


@pytest.mark.parametrize("method", QUESTIONS)
def test_optimized_files_answer_or_say_why_not(optimized: Path, method: str):
    question, sentence = QUESTIONS[method]
    nav = aascompile.load(optimized)
    if not sentence:
        question(nav)
        return
    with pytest.raises(StoreError, match=f"^x.aas: {sentence}"):
        question(nav)


@pytest.mark.parametrize("method", [name for name in QUESTIONS if name not in ("area", "distance_to_wall", "nearest")])
def test_answers_do_not_depend_on_the_faces(optimized: Path, method: str, tmp_path: Path):
    """An engine file with faces gives the same answers as an optimized one, wherever both answer."""
    whole = tmp_path / "x.aas"
    whole.write_bytes(write_engine(for_engine(sample("jumppad"))))
    question, sentence = QUESTIONS[method]
    if sentence:
        with pytest.raises(StoreError, match=f"^x.aas: {sentence}"):
            question(aascompile.load(whole))
        return
    assert repr(question(aascompile.load(whole))) == repr(question(aascompile.load(optimized)))


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["area", "FILE", "-280,-40,24"], 0, "area"),
        (["area", "FILE", "item_health"], 2, "this file has no entities"),
        (["route", "FILE", "--from", "-280,-40,24", "--to", "-200,-40,24", "--alternatives", "2"], 0, "route"),
        (["route", "FILE", "--from", "spawn:0", "--to", "-200,-40,24"], 2, "this file has no entities"),
        (["times", "FILE"], 1, "x.aas"),
        (["sight", "FILE"], 1, "x.aas"),
        (["export", "FILE", "OUT.json"], 0, ""),
        (["export", "FILE", "OUT.graphml"], 0, ""),
        (["export", "FILE", "OUT.npz"], 0, ""),
        (["info", "FILE"], 0, "areas"),
    ],
)
def test_commands_answer_or_say_why_not(
    optimized: Path, words: list[str], code: int, said: str, tmp_path: Path, capsys
):
    given = [word.replace("FILE", str(optimized)).replace("OUT", str(tmp_path / "out")) for word in words]
    assert run(aas, "aas", given) == code
    found = capsys.readouterr()
    assert said in (found.out if code == 0 else found.err)
    if code:
        assert found.err.startswith("error: ")
        assert len(found.err.strip().splitlines()) <= 2
