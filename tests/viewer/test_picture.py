"""``aas view`` as a command: pictures, animations and error messages."""

from __future__ import annotations

import subprocess
import sys

import h5py
import numpy as np
import pytest
from PIL import Image

from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.cli.view import view
from aascompile.model.areas import AreaFlag
from aascompile.store.engine import write_engine
from aascompile.store.hdf import write_compiled
from aascompile.viewer import gl, palette
from aascompile.viewer.colouring import AREA_KINDS
from tests.conftest import corpus_dir
from tests.viewer.samples import like, need_gl, sample


def call(*arguments: object) -> int:
    """Run ``aas view`` in this process."""
    return run(aas, "aas", ["view", *(str(argument) for argument in arguments)])


@pytest.fixture
def stairs(tmp_path):
    path = tmp_path / "stairs.aas.hdf"
    write_compiled(str(path), sample("stairs"))
    return path


def opened(path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def test_picture_has_the_requested_size(stairs, tmp_path, capsys):
    need_gl()
    out = tmp_path / "out.png"
    assert call(stairs, "--screenshot", out, "--size", "400x240") == 0
    assert capsys.readouterr() == (f"{out}\n", "")
    shown = opened(out)
    assert shown.shape == (240, 400, 3)
    assert like(shown, AREA_KINDS["ground"], 0.98).mean() > 0.1
    # The same command writes the same bytes.
    again = tmp_path / "again.png"
    assert call(stairs, "--screenshot", again, "--size", "400x240") == 0
    assert out.read_bytes() == again.read_bytes()


def test_cameras_layers_and_colours(stairs, tmp_path):
    need_gl()
    ground = np.flatnonzero(sample("stairs").areas.area_flags & AreaFlag.GROUNDED)
    first, last = ground[0], ground[-1]
    seen = {}
    for name, options in {
        "plain": [],
        "bare": ["--bare"],
        "top": ["--camera", "top"],
        "area": ["--camera", f"area:{first}"],
        "route": ["--camera", f"route:{first}-{last}", "--bare"],
        "near": ["--camera", f"area:{first}", "--near", "10", "--focus"],
        "layers": ["--layers", "ground"],
        "cut": ["--below", "60"],
        "cluster": ["--color", "cluster"],
        "time": ["--color", "time", "--goal", first],
        "zoom": ["--zoom", "1.5", "--azimuth", "30", "--elevation", "60"],
    }.items():
        out = tmp_path / f"{name}.png"
        assert call(stairs, "--screenshot", out, "--size", "240x160", *options) == 0
        seen[name] = opened(out)
    assert len({picture.tobytes() for picture in seen.values()}) == len(seen)
    assert like(seen["route"], palette.ROUTE, 0.98).sum() > like(seen["plain"], palette.ROUTE, 0.98).sum() + 20


def test_palette_makes_pictures_smaller(stairs, tmp_path):
    need_gl()
    for name, options in (("full", []), ("small", ["--palette"])):
        assert call(stairs, "--screenshot", tmp_path / f"{name}.png", "--size", "400x240", *options) == 0
    assert (tmp_path / "small.png").stat().st_size < (tmp_path / "full.png").stat().st_size
    with Image.open(tmp_path / "small.png") as image:
        assert image.mode == "P"
    off = opened(tmp_path / "small.png").astype(int) - opened(tmp_path / "full.png")
    assert np.abs(off).mean() < 4.0


@pytest.mark.parametrize("suffix", ["gif", "mp4"])
def test_turntable_animation(stairs, tmp_path, suffix):
    need_gl()
    if suffix == "mp4":
        pytest.importorskip("imageio_ffmpeg", reason="no ffmpeg: install aascompile[viewer]")
    out = tmp_path / f"turn.{suffix}"
    assert call(stairs, "--turntable", out, "--frames", "6", "--size", "161x120") == 0
    if suffix == "mp4":
        assert out.read_bytes()[4:8] == b"ftyp"
        return
    with Image.open(out) as image:
        assert (image.n_frames, image.size) == (6, (161, 120))
        frames = []
        for number in range(6):
            image.seek(number)
            frames.append(np.asarray(image.convert("RGB")).tobytes())
    assert len(set(frames)) == 6


def test_comparison_of_two_files(stairs, tmp_path):
    need_gl()
    other = tmp_path / "hole.aas.hdf"
    write_compiled(str(other), sample("hole"))
    out = tmp_path / "out.png"
    assert call(stairs, other, "--screenshot", out, "--size", "300x200") == 0
    assert like(opened(out), palette.LOST, 0.97).any()
    assert like(opened(out), palette.GAINED, 0.97).any()


def test_unusable_files_are_reported(stairs, tmp_path, capsys):
    newer = tmp_path / "newer.aas.hdf"
    newer.write_bytes(stairs.read_bytes())
    with h5py.File(newer, "r+") as file:
        file.attrs["format_version"] = 99
    foreign = tmp_path / "foreign.aas.hdf"
    with h5py.File(foreign, "w") as file:
        file["x"] = 1
    text = tmp_path / "notes.txt"
    text.write_text("hello")
    for path, expected in (
        (newer, "99"),
        (foreign, "is not a compiled file"),
        (text, "is not"),
        (tmp_path / "none.aas.hdf", "cannot be read"),
    ):
        assert call(path, "--screenshot", tmp_path / "out.png") == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"error: {path}: ")
        assert expected in err
        assert err.count("\n") == 1
    assert call(stairs, "--screenshot", tmp_path / "out.png", "--camera", "area:400") == 2
    assert "there is no area 400" in capsys.readouterr().err
    assert not (tmp_path / "out.png").exists()


def test_wrong_usage_is_reported(stairs, tmp_path, capsys):
    assert call(stairs, "--screenshot", "x.png", "--size", "10x10") == 2
    assert "write 1280x800" in capsys.readouterr().err
    need_gl()
    assert call(stairs, "--screenshot", tmp_path / "out.xyz") == 2
    assert "the name of a picture must end in .png, .jpg or .jpeg" in capsys.readouterr().err
    assert call(stairs, "--turntable", tmp_path / "out.png") == 2
    assert "must end in .gif or .mp4" in capsys.readouterr().err
    assert call(stairs, "--screenshot", tmp_path / "no" / "out.png") == 1
    assert "cannot be written" in capsys.readouterr().err


def test_missing_library_is_named(stairs, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(gl, "EGL", ("libNoSuchEGL.so",))
    monkeypatch.setattr(gl, "OSMESA", ("libNoSuchMesa.so",))
    assert call(stairs, "--screenshot", tmp_path / "out.png") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"error: no OpenGL library found: install {gl.PACKAGES} (apt-get install), or use --html\n"


def test_library_that_crashes_counts_as_missing(monkeypatch):
    monkeypatch.setattr(gl, "_PROBE", "import os; os.abort()")
    assert gl.find_library() == ""


def test_window_needs_a_screen(stairs, capsys, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    assert run(view, "aasview", [str(stairs)]) == 1
    assert "no screen for a window, as DISPLAY is not set" in capsys.readouterr().err
    monkeypatch.setenv("DISPLAY", ":4711")
    assert run(view, "aasview", [str(stairs)]) == 1
    err = capsys.readouterr().err
    assert "cannot connect to the screen :4711" in err or "no OpenGL library for windows" in err
    assert err.count("\n") == 1
    monkeypatch.setattr(gl, "_WINDOW_PROBE", "print('no libGL')")
    assert run(view, "aasview", [str(stairs)]) == 1
    assert "install libgl1 libgl1-mesa-dri" in capsys.readouterr().err


def test_viewing_does_not_load_the_compiler(stairs, tmp_path):
    need_gl()
    script = (
        "import sys\n"
        "from aascompile.cli.common import run\n"
        "from aascompile.cli.view import view\n"
        f"assert run(view, 'aasview', [{str(stairs)!r}, '--screenshot', 'o.png', '--size', '64x64']) == 0\n"
        "stages = ('mapio', 'brushes', 'bsp', 'areas', 'reach', 'cluster', 'pipeline')\n"
        "loaded = [name for name in sys.modules if name.startswith(tuple(f'aascompile.{stage}' for stage in stages))]\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.corpus
def test_picture_of_a_shipped_engine_file(corpus, tmp_path):
    need_gl()
    shipped = next(iter(sorted((corpus_dir() or corpus).glob("*.aas"))), None)
    if shipped is None:
        pytest.skip("no engine file beside the real maps")
    assert call(shipped, "--screenshot", tmp_path / "out.png", "--size", "320x200") == 0
    assert like(opened(tmp_path / "out.png"), AREA_KINDS["ground"], 0.97).mean() > 0.01


def test_picture_of_our_own_engine_file(tmp_path):
    need_gl()
    path = tmp_path / "stairs.aas"
    path.write_bytes(write_engine(sample("stairs")))
    assert call(path, "--screenshot", tmp_path / "out.png", "--size", "320x200") == 0
