"""``aas view --html``: a self-contained page, tested in a browser."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.model.links import Travel
from aascompile.nav.routes import Router
from aascompile.nav.sight import make_sight
from aascompile.store.hdf import write_compiled
from aascompile.viewer import palette
from aascompile.viewer.colouring import AREA_KINDS
from aascompile.viewer.options import ViewOptions, apply
from aascompile.viewer.page import page
from aascompile.viewer.scene import Scene
from aascompile.viewer.text import facts
from tests.viewer.browser import browser
from tests.viewer.samples import like, sample, scene

LEFT = 270
"""Width of the controls, pixels."""


def unpacked(text: str) -> tuple[dict, dict[str, np.ndarray]]:
    """Header and arrays of a page."""
    packed = re.search(r'<script id="data" type="text/plain">([^<]*)</script>', text)[1]
    data = gzip.decompress(base64.b64decode(packed))
    length = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + length])
    return header, {
        name: np.frombuffer(data, f"<{kind}", size, 4 + length + offset)
        for name, (kind, offset, size) in header["arrays"].items()
    }


def test_page_coordinates_are_accurate_to_a_fraction_of_a_unit():
    shown = scene("stairs")
    header, arrays = unpacked(page(shown, ViewOptions()))
    low, span = np.array(header["low"]), np.array(header["span"])
    corner = low + span * arrays["areas/xyz"].reshape(-1, 3) / 65535
    assert np.abs(corner - shown.shells.xyz).max() <= span.max() / 65535
    assert np.array_equal(np.cumsum(arrays["areas/size"]), shown.shells.start[1:])
    assert np.array_equal(arrays["areas/item"], shown.shells.item)
    assert header["facts"] == ["\n".join(facts(shown, area)) for area in range(len(shown.compiled.areas))]
    links = shown.compiled.links
    assert np.array_equal(arrays["link/target"], links.target)
    assert np.array_equal(arrays["colouring/kind"].reshape(-1, 3), shown.colouring.colours)
    layers = {part["layer"] for part in header["parts"]}
    assert {"map", "areas", "ground", "links", "entities"} <= layers


def test_page_contains_hidden_parts_and_leaves_the_scene_unchanged():
    shown = scene("stairs")
    apply(ViewOptions(layers="areas", areas="ground", links="-walk", below=100.0, camera="area:1", focus=True), shown)
    before = (dict(shown.layers), shown.hidden_areas, shown.hidden_links, shown.cut, shown.picked, shown.focus)
    header, arrays = unpacked(page(shown, ViewOptions(camera="area:1")))
    assert before == (dict(shown.layers), shown.hidden_areas, shown.hidden_links, shown.cut, shown.picked, shown.focus)
    assert header["state"]["layers"] == ["areas"]
    assert header["state"]["cut"] == [[None, None, None], [None, None, 100.0]]
    assert (header["state"]["picked"], header["state"]["focus"], header["camera"]["where"]) == (1, True, "area")
    assert set(arrays["areas/item"].tolist()) == set(range(len(shown.compiled.areas)))
    assert len(arrays["links/item"]) == len(shown.compiled.links)


def test_page_is_deterministic_and_escapes_names():
    hostile = Scene(sample("stairs"), name="</title><script>alert(1)</script>{{data}}")
    text = page(hostile, ViewOptions())
    assert text == page(Scene(sample("stairs"), name=hostile.name), ViewOptions())
    assert "<script>alert" not in text
    assert len(re.findall(r"</script>", text)) == 2
    # The page loads nothing: no URLs, no files.
    assert not re.search(r"https?://|\bsrc=|@import|url\(", text.split('<script id="data"')[0])
    assert "default-src 'none'" in text


def test_command_writes_a_page(tmp_path, capsys):
    path, out = tmp_path / "stairs.aas.hdf", tmp_path / "out.html"
    write_compiled(str(path), sample("stairs"))
    assert run(aas, "aas", ["view", str(path), "--html", str(out)]) == 0
    assert capsys.readouterr() == (f"{out}\n", "")
    assert out.read_text("utf-8").startswith("<!doctype html>")
    assert run(aas, "aas", ["view", str(path), "--html", str(tmp_path / "out.pdf")]) == 2
    assert capsys.readouterr().err == f"error: {tmp_path}/out.pdf: the name of a page must end in .html\n"


@pytest.fixture(scope="module")
def chromium():
    with browser() as opened:
        yield opened


@pytest.fixture
def shown(chromium, tmp_path):
    """Opens a page of a scene in the browser."""

    def show(made: Scene, options: ViewOptions | None = None):
        wanted = options or ViewOptions()
        apply(wanted, made)
        path = tmp_path / "page.html"
        path.write_text(page(made, wanted), "utf-8")
        chromium.requests.clear()
        chromium.errors.clear()
        chromium.open(path.as_uri())
        chromium.wait("document.readyState === 'complete' && !!window.aas")
        return chromium

    yield show
    assert chromium.errors == []
    assert chromium.requests == [(tmp_path / "page.html").as_uri()]


def share(chromium, colour, near=0.985) -> float:
    """Share of a colour in the picture beside the controls."""
    return float(like(chromium.screenshot()[:, LEFT:], colour, near).mean())


def test_clicks_and_keys_switch_layers_and_kinds(shown):
    open_page = shown(scene("stairs"), ViewOptions(layers="ground,links,entities"))
    ground, walk, spawn = AREA_KINDS["ground"], palette.LINKS[Travel.WALK], palette.ENTITIES["spawn"]
    assert share(open_page, ground) > 0.05
    open_page.click_on("[data-layer=ground]")
    assert share(open_page, ground) < 0.001
    open_page.press("3")
    assert share(open_page, ground) > 0.05
    assert share(open_page, spawn) > 0.0002
    open_page.click_on("[data-layer=entities]")
    assert share(open_page, spawn) == 0.0
    assert share(open_page, walk, 0.999) == 0.0, "walk links are hidden at first"
    open_page.click_on("[data-link=walk]")
    assert share(open_page, walk, 0.999) > 0.0005
    open_page.click_on("[data-area=ground]")
    assert share(open_page, ground) < 0.001
    # The legend shows the new state.
    assert open_page.evaluate("document.querySelector('[data-area=ground]').getAttribute('aria-pressed')") == "false"


def pixel_of(chromium, point) -> tuple[float, float]:
    """Pixel at which the page shows a point of the map."""
    x, y, _ = chromium.evaluate(f"project(aas.view().matrix, {list(map(float, point))})")
    width, height = chromium.evaluate("[innerWidth, innerHeight]")
    return (1 + x) / 2 * width, (1 - y) / 2 * height


def test_click_picks_the_visible_area(shown):
    made = scene("pillars")
    open_page = shown(made, ViewOptions(camera="top", layers="ground"))
    areas = made.compiled.areas
    faces = made.parts()["ground"].mesh
    for cell in (0, len(faces) // 2, len(faces) - 1):
        open_page.evaluate("aas.press('Escape')")
        middle = faces.xyz[faces.start[cell] : faces.start[cell + 1]].mean(axis=0)
        open_page.click(*pixel_of(open_page, middle))
        area = int(faces.item[cell])
        assert open_page.evaluate("aas.scene.picked") == area
        card = open_page.evaluate("document.getElementById('right').innerText")
        assert "\n".join(facts(made, area)).split() == card[card.index(f"area {area}") :].split("links out")[0].split()
    links = made.compiled.links
    assert f"links out: {np.sum(links.source == area)}" in card
    # A click on the background clears the pick. A drag rotates and picks nothing.
    open_page.click(990, 630)
    assert open_page.evaluate("aas.scene.picked") == -1
    assert open_page.evaluate("document.getElementById('right').hidden")
    before = open_page.screenshot()
    open_page.drag((600, 300), (660, 340))
    assert open_page.evaluate("aas.scene.picked") == -1
    assert np.any(before != open_page.screenshot())
    assert len(areas) > area


def test_go_to_area_colours_and_cut(shown):
    made = scene("pillars")
    open_page = shown(made, ViewOptions(layers="-map"))
    picked, lit = palette.PICKED, palette.LIT
    open_page.evaluate("document.getElementById('number').value = '4'")
    open_page.click_on("#go button")
    assert open_page.evaluate("aas.scene.picked") == 4
    assert share(open_page, picked, 0.999) > 0.01
    assert share(open_page, lit) > 0.0005
    areas = made.compiled.areas
    open_page.press("b")
    assert open_page.evaluate("aas.scene.cutHigh") == pytest.approx((areas.area_maxs[4] + 128.0).tolist(), abs=0.01)
    open_page.press("b")
    assert open_page.evaluate("aas.scene.cutHigh") == [1e9, 1e9, 1e9]
    open_page.evaluate("document.getElementById('number').value = '99999'")
    open_page.click_on("#go button")
    message = open_page.evaluate("document.getElementById('message').textContent")
    assert message == f"there is no area 99999: areas are numbered 0 to {len(made.compiled.areas) - 1}"
    open_page.click_on("#clear")
    open_page.click_on("#above")
    made.colour("cluster")
    for row in (row for row in made.colouring.legend if row.text.startswith("cluster") and row.count > 3):
        open_page.evaluate("aas.perform(() => (aas.scene.colour = 'cluster'))")
        assert share(open_page, row.colour) > 0.02
    title = open_page.evaluate("document.getElementById('legend').innerText")
    assert made.colouring.title in title
    low = float(made.bounds[0][2])
    open_page.evaluate(f"aas.cut(1, {low - 30.0})")
    background = np.all(open_page.screenshot()[:, LEFT:] == palette.BACKGROUND, axis=-1)
    assert background.mean() > 0.99


def test_routes_match_the_router(shown):
    made = scene("pillars")
    router = Router(made.compiled)
    open_page = shown(made, ViewOptions(camera="route:4-3"))
    number = len(made.compiled.areas)
    for goal in range(0, number, 5):
        times = open_page.evaluate(f"[...aas.scene.router.timesTo({goal})].map((t) => Number.isFinite(t) ? t : -1)")
        expected = router.times_to(goal)
        assert np.allclose(times, np.where(np.isfinite(expected), expected, -1.0), atol=0.05)
    best = router.route(4, 3)
    assert open_page.evaluate("aas.scene.route.map(({ link }) => link)") == best.rows.tolist()
    listed = open_page.evaluate("document.getElementById('route').innerText")
    assert f"route 4 to 3: {best.time / 100:.2f} s, {len(best)} link" in listed
    assert share(open_page, palette.ROUTE) > 0.001
    open_page.click_on("#clear")
    assert share(open_page, palette.ROUTE) == 0.0


def test_page_of_a_comparison(shown):
    made = Scene(sample("clip"), before=sample("doorway"))
    open_page = shown(made, ViewOptions(camera="top", layers="-map,-ground"))
    new = np.flatnonzero(made.change.area == 2)[0]
    for middle, colour in (
        (made.compiled.areas.area_centre[new], palette.GAINED),
        (made.change.gone.xyz.mean(axis=0), palette.LOST),
    ):
        x, y = pixel_of(open_page, middle)
        assert like(open_page.screenshot(), colour, 0.93)[round(y), round(x)]
    lost = share(open_page, palette.LOST)
    open_page.click_on("[data-layer=gone]")
    open_page.click_on("[data-layer=lost]")
    assert share(open_page, palette.LOST) < lost / 10


def test_alternatives_match_the_router(shown):
    made = scene("pillars")
    open_page = shown(made, ViewOptions(camera="route:4-3", alternatives=3))
    expected = Router(made.compiled).alternatives(4, 3, 4)
    found = open_page.evaluate("aas.scene.others.map((route) => route.map(({ link }) => link))")
    assert found == [route.rows.tolist() for route in expected[1:]]
    listed = open_page.evaluate("document.getElementById('route').innerText")
    assert f"alternative 1: {expected[1].seconds:.2f} s" in listed
    assert share(open_page, palette.ALTERNATIVES[0]) > 0.0005
    open_page.press("k")
    assert open_page.evaluate("aas.scene.others.length") == 0


def test_colours_by_sight_match_the_scene(shown):
    compiled = sample("pillars")
    made = Scene(replace(compiled, sight=make_sight(compiled)))
    open_page = shown(made, ViewOptions(colour="sight", camera="area:4"))
    colours = np.array(open_page.evaluate("[...aas.scene.colouring().colours]")).reshape(-1, 3)
    assert np.abs(colours - made.colouring.colours).max() <= 1
    open_page.evaluate("aas.perform(() => (aas.scene.colour = 'exposure'))")
    made.colour("exposure")
    assert made.colouring.title in open_page.evaluate("document.getElementById('legend').innerText")
