"""``aas view --watch``: a file that changes is shown in place, within a second, with the view as it was."""

from __future__ import annotations

import shutil
import time

import numpy as np
import pytest

import aascompile
from aascompile.viewer.camera import from_above
from aascompile.viewer.follow import follow, show_news
from aascompile.viewer.picture import pixels
from aascompile.viewer.scene import Scene
from aascompile.viewer.window import offscreen_window
from tests.conftest import ROOT
from tests.viewer.samples import need_gl, sample, scene

SIZE = (320, 240)


def test_a_scene_takes_over_what_another_shows():
    old = scene("stairs")
    old.show(["map"], on=False)
    old.colour("cluster")
    old.toggle_area_kind("air")
    old.toggle_link_kind(2)
    old.cut_height(0.0, 100.0)
    old.shell_opacity, old.focus = 0.7, True
    links = old.compiled.links
    old.pick(len(old.compiled.areas) - 1)
    old.set_start(int(links.source[0]))
    old.set_goal(int(links.target[0]))
    new = Scene(sample("stairs"))
    new.take_over(old)
    for name in ("layers", "colour_by", "hidden_areas", "hidden_links", "cut", "shell_opacity", "focus"):
        assert getattr(new, name) == getattr(old, name), name
    assert (new.picked, new.start, new.goal) == (old.picked, old.start, old.goal)
    assert new.route is not None


def test_areas_that_are_gone_are_no_longer_picked():
    old = scene("pillars")
    old.pick(0)
    new = Scene(sample("box"))
    new.take_over(old)
    centre = old.compiled.areas.area_centre[0]
    assert new.picked == aascompile.Navigation(new.compiled).area_at(centre)


@pytest.fixture
def window():
    need_gl()
    made = offscreen_window(scene("stairs"), SIZE)
    yield made
    made.close()


def test_a_new_file_is_shown_in_place_with_the_camera_where_it_was(window):
    window.view.look(from_above(window.scene, window.view.aspect))
    camera = window.view.plotter.camera
    before = (camera.position, camera.focal_point, camera.up)
    picture = pixels(window.view)
    assert not show_news(window, None)
    assert show_news(window, sample("pillars"))
    assert (camera.position, camera.focal_point, camera.up) == before
    assert window.scene.compiled is sample("pillars")
    assert window.view.scene is window.scene
    assert "areas: " in window.scene.message
    shown = pixels(window.view)
    assert (shown != picture).any()
    fresh = offscreen_window(scene("pillars"), SIZE)
    fresh.scene.message = window.scene.message
    fresh.view.look(from_above(scene("stairs"), window.view.aspect))
    fresh.perform(lambda: setattr(fresh.scene, "message", window.scene.message))
    assert np.array_equal(pixels(fresh.view), shown)
    fresh.close()


def test_a_window_polls(window):
    calls: list[object] = []
    window.poll(calls.append)
    window.view.plotter.iren.interactor.InvokeEvent("TimerEvent")
    assert calls == [window]
    window.closed = True
    window.view.plotter.iren.interactor.InvokeEvent("TimerEvent")
    assert calls == [window]
    window.closed = False


def test_errors_are_messages_and_the_old_file_stays(window):
    old = window.scene.compiled
    assert show_news(window, aascompile.MapError("x.map", "is empty"))
    assert window.scene.message == "x.map: is empty"
    assert window.scene.compiled is old


def test_saving_a_map_shows_the_new_picture(tmp_path, window):
    path = tmp_path / "x.map"
    shutil.copy(ROOT / "samples" / "stairs.map", path)
    follower = follow([str(path)], lambda: aascompile.compile_map(path))
    try:
        shutil.copy(ROOT / "samples" / "pillars.map", path)
        start = time.monotonic()
        while not show_news(window, follower.take()):
            assert time.monotonic() - start < 60.0
            time.sleep(0.01)
        pixels(window.view)
    finally:
        follower.close()
    assert window.scene.name == "x.map"
