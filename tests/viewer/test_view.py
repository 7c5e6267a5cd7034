"""The pixels of a view; and the window, driven by keys and clicks without a screen."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from aascompile.csr import owners_of
from aascompile.model.areas import AreaFlag
from aascompile.model.links import Travel
from aascompile.viewer import camera, palette
from aascompile.viewer.colouring import AREA_KINDS
from aascompile.viewer.page import page_file
from aascompile.viewer.picture import open_view, pixels
from aascompile.viewer.scene import QUIET, Scene
from aascompile.viewer.view import View
from aascompile.viewer.window import KEYS, LAYER_KEYS, Window, help_lines, offscreen_window
from tests.viewer.samples import SIZE, like, need_gl, sample, scene


@pytest.fixture(autouse=True)
def _drawing() -> Iterator[None]:
    """Skips tests if this machine cannot draw; closes all windows afterwards."""
    need_gl()
    import pyvista

    yield
    pyvista.close_all()


def from_above(shown: Scene, *, panel: bool = False) -> View:
    view = open_view(shown, SIZE, panel=panel)
    view.look(camera.from_above(shown, view.aspect))
    return view


def pixel_of(view: View, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """``(n, 2)`` pixels at which points are visible, from the lower left corner."""
    matrix = view.plotter.camera.GetCompositeProjectionTransformMatrix(SIZE[0] / SIZE[1], -1.0, 1.0)
    full = np.array([[matrix.GetElement(i, j) for j in range(4)] for i in range(4)])
    at = np.column_stack([points, np.ones(len(points))]) @ full.T
    return (at[:, :2] / at[:, 3:] + 1.0) / 2.0 * np.array(SIZE)


def picture(view: View) -> NDArray[np.uint8]:
    """Picture of a view, bottom row first."""
    view.refresh()
    return pixels(view)[::-1]


def boxed(mask: NDArray[np.bool_], low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The part of a mask between two pixels."""
    (x0, y0), (x1, y1) = np.round(np.minimum(low, high)).astype(int), np.round(np.maximum(low, high)).astype(int)
    return mask[max(y0, 0) : y1, max(x0, 0) : x1]


def test_areas_are_drawn_in_the_colour_of_their_kind():
    shown = scene("lava")
    shown.show_only(["areas"])
    shown.shell_opacity = 1.0
    view = from_above(shown)
    areas = shown.compiled.areas
    hot = np.flatnonzero(shown.area_kind == list(AREA_KINDS).index("hazard"))
    found = like(picture(view), AREA_KINDS["hazard"])
    corners = pixel_of(view, np.concatenate([areas.area_mins[hot], areas.area_maxs[hot]]))
    inside = boxed(found, corners.min(axis=0) - 1, corners.max(axis=0) + 1)
    assert inside.sum() == found.sum() > 1000
    # The bridge covers part of the lava, in the colour of ground.
    assert 0.3 < inside.mean() < 0.95
    assert like(picture(view), AREA_KINDS["ground"]).sum() > 1000


def test_hidden_layers_are_not_drawn():
    shown = scene("pool_deep")
    view = from_above(shown)
    shown.show_only(["liquid"])
    from aascompile.viewer.parts import SURFACE

    blue = like(picture(view), SURFACE, 0.97)
    assert blue.sum() > 2000
    shown.toggle("liquid")
    empty = picture(view)
    assert np.all(empty == np.array(palette.BACKGROUND))
    shown.show_only(["map"])
    grey = like(picture(view), palette.MAP)
    assert grey.mean() > 0.2


def test_map_hides_no_ground_from_above():
    shown = scene("stairs")
    shown.show_only(["map", "ground"])
    view = from_above(shown)
    green = like(picture(view), AREA_KINDS["ground"], 0.98)
    ground = np.flatnonzero(shown.compiled.areas.area_flags & AreaFlag.GROUNDED)
    for x, y in np.round(pixel_of(view, shown.compiled.areas.area_centre[ground])).astype(int):
        assert green[y, x]


@pytest.mark.parametrize("name", ["stairs", "hole", "doorway"])
def test_click_picks_the_visible_area(name):
    shown = scene(name)
    shown.toggle("entities")
    view = from_above(shown)
    ground = np.flatnonzero(shown.compiled.areas.area_flags & AreaFlag.GROUNDED)
    view.plotter.render()
    places = pixel_of(view, shown.compiled.areas.area_centre[ground])
    assert [view.thing_at(*place) for place in places] == [("area", area) for area in ground.tolist()]
    assert view.thing_at(1, 1) == ("", -1)


def test_links_are_drawn_in_the_colour_of_their_travel_type():
    shown = scene("gap")
    shown.show_only(["links"])
    shown.hide_link_kinds(set(Travel) - {Travel.JUMP})
    view = open_view(shown, SIZE, panel=False)
    view.look(camera.overview(shown, view.aspect, azimuth=270.0, elevation=5.0))
    yellow = like(picture(view), palette.LINKS[Travel.JUMP], 0.99)
    links = shown.compiled.links
    jumps = np.flatnonzero(links.kind == Travel.JUMP)
    ends = pixel_of(view, np.concatenate([links.start[jumps], links.end[jumps]]))
    rows, columns = np.nonzero(yellow)
    assert len(rows) > 100
    # An arc: it rises above both ends by the height of a jump, and stays between them.
    assert columns.min() >= ends[:, 0].min() - 4
    assert columns.max() <= ends[:, 0].max() + 4
    top = pixel_of(view, links.start[jumps[:1]] + np.array([[0.0, 0.0, 49.5]]))[0, 1]
    assert rows.max() == pytest.approx(top, abs=4)
    shown.toggle_link_kind(Travel.JUMP)
    assert not like(picture(view), palette.LINKS[Travel.JUMP], 0.99).any()


def test_route_is_drawn_through_its_points():
    shown = scene("stairs")
    ground = np.flatnonzero(shown.compiled.areas.area_flags & AreaFlag.GROUNDED)
    order = ground[np.argsort(shown.compiled.areas.area_centre[ground, 0])]
    shown.set_start(int(order[0]))
    shown.set_goal(int(order[-1]))
    view = from_above(shown)
    pink = like(picture(view), palette.ROUTE, 0.98)
    for x, y in np.round(pixel_of(view, shown.route.points[1:])).astype(int):
        assert pink[y - 4 : y + 5, x - 4 : x + 5].any()


def test_cut_removes_the_ledge():
    shown = scene("jumppad")
    shown.show_only(["ground"])
    view = from_above(shown)
    areas = shown.compiled.areas
    high = int(np.flatnonzero((areas.area_mins[:, 2] > 200.0) & (areas.area_flags & AreaFlag.GROUNDED != 0))[0])
    ((x, y),) = np.round(pixel_of(view, areas.area_centre[[high]])).astype(int)
    assert like(picture(view), AREA_KINDS["ground"])[y, x]
    shown.cut_height(high=200.0)
    after = picture(view)
    assert np.all(after[y, x] == palette.BACKGROUND)
    assert like(after, AREA_KINDS["ground"]).any()


def test_numbers_are_drawn_on_their_areas():
    shown = scene("stairs")
    view = from_above(shown)
    before = picture(view)
    shown.toggle("numbers")
    changed = np.any(picture(view) != before, axis=-1)
    areas = shown.compiled.areas
    rows, columns = np.nonzero(changed)
    for x, y in pixel_of(view, areas.area_centre[shown.shown_areas]):
        assert np.min(np.hypot(columns - x, rows - y)) < 12.0


def test_legend_explains_the_colours_in_the_picture():
    shown = scene("lava")
    view = from_above(shown, panel=True)
    left = int(view.panel.margins(shown, SIZE)[0] * SIZE[0])
    legend = picture(view)[:, :left]
    assert np.all(legend == np.array(AREA_KINDS["hazard"]), axis=-1).sum() >= 30
    assert not np.all(legend == np.array(AREA_KINDS["water"]), axis=-1).any()
    # The map is fitted beside the legend.
    assert np.all(pixel_of(view, shown.frame)[:, 0] >= left)


# --- the window -------------------------------------------------------------------------------------------------------


@pytest.fixture
def window() -> Window:
    """A window that shows the stairs from above."""
    made = offscreen_window(scene("stairs"), SIZE)
    made.press("t")
    return made


def key(window: Window, name: str) -> None:
    """Send a key to the interactor."""
    interactor = window.view.plotter.iren.interactor
    interactor.SetKeySym(name)
    interactor.SetKeyCode(name if len(name) == 1 else "\0")
    for event in ("KeyPressEvent", "CharEvent", "KeyReleaseEvent"):
        interactor.InvokeEvent(event)


def click(window: Window, x: float, y: float, moved: int = 0) -> None:
    """Press and release the left button, with a move in between."""
    interactor = window.view.plotter.iren.interactor
    interactor.SetEventInformation(round(x), round(y), 0, 0, "\0", 0, None)
    interactor.InvokeEvent("LeftButtonPressEvent")
    if moved:
        interactor.SetEventInformation(round(x) + moved, round(y), 0, 0, "\0", 0, None)
        interactor.InvokeEvent("MouseMoveEvent")
    interactor.InvokeEvent("LeftButtonReleaseEvent")


def at(window: Window, area: int) -> tuple[float, float]:
    ((x, y),) = pixel_of(window.view, window.scene.compiled.areas.area_centre[[area]])
    return x, y


def test_clicks_pick_and_drags_do_not(window):
    areas = window.scene.compiled.areas
    ground = np.flatnonzero(areas.area_flags & AreaFlag.GROUNDED)
    area = int(ground[np.argmin(np.abs(areas.area_centre[ground, 0]))])
    before = pixels(window.view)
    click(window, *at(window, area), moved=40)
    assert window.scene.picked == -1
    window.press("t")
    click(window, *at(window, area))
    assert window.scene.picked == area
    assert window.scene.card()[0] == f"area {area}"
    x, y = np.round(at(window, area)).astype(int)
    after = pixels(window.view)
    assert np.any(after[::-1][y - 8 : y + 9, x - 8 : x + 9] != before[::-1][y - 8 : y + 9, x - 8 : x + 9])
    click(window, SIZE[0] - 2, 2)
    assert window.scene.picked == -1


@pytest.mark.parametrize("name", ["1", "2", "3", "7", "9"])
def test_layer_keys_change_the_picture(window, name):
    before = pixels(window.view)
    key(window, name)
    assert not window.scene.layers[LAYER_KEYS[name]]
    without = pixels(window.view)
    assert np.any(before != without)
    key(window, name)
    assert np.array_equal(pixels(window.view), before)


def test_legend_rows_are_switches(window):
    spot = next(
        spot for spot in window.view.panel.spots if spot.action.argument == "ground" and "area" in spot.action.operation
    )
    before = like(pixels(window.view), AREA_KINDS["ground"], 0.98).sum()
    click(window, (spot.x0 + spot.x1) / 2, (spot.y0 + spot.y1) / 2)
    assert window.scene.hidden_areas == {"air", "ground"}
    assert like(pixels(window.view), AREA_KINDS["ground"], 0.98).sum() < before / 3


def test_go_to_an_area_by_number(window):
    for name in ("g", "9", "BackSpace", "x", "KP_4"):
        key(window, name)
    assert window.view.prompt == "go to area: 4_"
    assert window.scene.layers["ladders"]  # digits do not switch layers now
    key(window, "Return")
    assert window.scene.picked == 4
    x, y = at(window, 4)
    assert abs(x - SIZE[0] / 2) < SIZE[0] / 4
    assert abs(y - SIZE[1] / 2) < SIZE[1] / 4
    for name in ("g", "9", "9", "Return"):
        key(window, name)
    last = len(window.scene.compiled.areas) - 1
    assert window.scene.message == f"there is no area 99: areas are numbered 0 to {last}"
    for name in ("g", "1", "Escape"):
        key(window, name)
    assert (window.scene.picked, window.number, window.view.prompt) == (4, None, "")


def test_route_between_two_picks(window):
    areas = window.scene.compiled.areas
    ground = np.flatnonzero(areas.area_flags & AreaFlag.GROUNDED)
    ground = ground[np.argsort(areas.area_centre[ground, 0])][3:]  # the legend covers the others
    before = like(pixels(window.view), palette.ROUTE, 0.98).sum()
    for area, name in ((ground[0], "s"), (ground[-1], "e")):
        window.press("t")
        click(window, *at(window, area))
        key(window, name)
    assert (window.scene.start, window.scene.goal) == (ground[0], ground[-1])
    assert window.scene.route is not None
    assert like(pixels(window.view), palette.ROUTE, 0.98).sum() > before + 50
    key(window, "f")
    assert window.scene.focus
    key(window, "Escape")
    assert window.scene.route is None


def test_keys_for_colours_cuts_and_opacity(window):
    shown = window.scene
    key(window, "c")
    assert shown.colour_by == "cluster"
    key(window, "C")
    assert shown.colour_by == "kind"
    low, high = (float(limit[2]) for limit in shown.bounds)
    for name in ("bracketleft", "bracketleft", "bracketright", "braceright"):
        key(window, name)
    assert (shown.cut.mins[2], shown.cut.maxs[2]) == (low + 32.0, high - 32.0)
    key(window, "b")
    assert shown.cut.open
    shown.pick(3)
    key(window, "b")
    assert shown.cut.mins == pytest.approx(shown.compiled.areas.area_mins[3] - 128.0)
    key(window, "o")
    assert shown.shell_opacity == pytest.approx(0.2)
    for name in ("a", "w", "v", "i"):
        key(window, name)
    assert shown.hidden_areas == set()
    assert shown.hidden_links == QUIET - {Travel.WALK}, "w shows walk links, which are hidden at first"


def test_help_lists_every_key(window):
    text = "\n".join(help_lines())
    for about, _ in KEYS.values():
        assert about in text
    for layer in LAYER_KEYS.values():
        assert layer in text
    before = pixels(window.view)
    key(window, "h")
    assert np.any(pixels(window.view) != before)
    key(window, "h")
    assert np.array_equal(pixels(window.view), before)


def test_pictures_are_saved_under_a_free_name(window, tmp_path, monkeypatch):
    from PIL import Image

    monkeypatch.chdir(tmp_path)
    key(window, "p")
    key(window, "p")
    assert window.scene.message == "saved stairs-2.png"
    with Image.open(tmp_path / "stairs-1.png") as saved:
        assert saved.size == SIZE


def test_new_and_vanished_areas_are_drawn():
    shown = Scene(sample("clip"), before=sample("doorway"))
    shown.layers["map"] = False
    view = from_above(shown)
    seen = picture(view)
    new = np.flatnonzero(shown.change.area == 2)
    (spot,) = np.round(pixel_of(view, shown.compiled.areas.area_centre[new[:1]])).astype(int)
    assert like(seen, palette.GAINED, 0.97)[spot[1], spot[0]]
    middle = shown.change.gone.xyz.mean(axis=0)[None]
    (spot,) = np.round(pixel_of(view, middle)).astype(int)
    assert like(seen, palette.LOST, 0.93)[spot[1], spot[0]]


def test_entities_are_named_under_the_mouse_and_picked(window):
    """Where no mark is, a click picks the area."""
    shown = window.scene
    mark = shown.marks.sort.index("spawn")
    window.view.plotter.render()
    middle = shown.marks.mesh.xyz[shown.marks.mesh.item[owners_of(shown.marks.mesh.start)] == mark].mean(axis=0)
    x, y = pixel_of(window.view, middle[None])[0]
    interactor = window.view.plotter.iren.interactor
    interactor.SetEventInformation(round(x), round(y), 0, 0, "\0", 0, None)
    interactor.InvokeEvent("MouseMoveEvent")
    assert shown.hovered == mark
    click(window, x, y)
    assert shown.picked_entity == mark
    assert shown.picked == shown.area_of_mark(mark)
    interactor.SetEventInformation(1, 1, 0, 0, "\0", 0, None)
    interactor.InvokeEvent("MouseMoveEvent")
    assert shown.hovered == -1


def test_the_window_offers_what_the_page_offers():
    """Every key of the page is a key of the window, with the same words."""
    page = page_file("page.js")
    keys = dict(re.findall(r'^  "?([^\s":]+)"?: \["([^"]+)"', page[page.index("const KEYS") :], re.MULTILINE))
    names = {"[": "bracketleft", "]": "bracketright", "{": "braceleft", "}": "braceright"}
    assert {names.get(key, key): about for key, about in keys.items()} == {
        key: about for key, (about, _) in KEYS.items() if key not in ("p", "q", "question")
    }
