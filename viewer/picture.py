"""Pictures without a window: a still, or an animation that circles the map."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import AasError
from aascompile.store.files import read_file, write_atomically
from aascompile.viewer import gl
from aascompile.viewer.camera import Camera, turned
from aascompile.viewer.scene import Scene

if TYPE_CHECKING:
    from aascompile.viewer.view import View

Pixels = NDArray[np.uint8]

SAMPLES: Final = 8
"""Samples per pixel, for smooth lines."""

FORMATS: Final = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}

FRAME_RATE: Final = 15
"""Frames per second of a turntable animation."""


class PictureError(AasError, ValueError):
    """The picture cannot be made."""


def open_view(
    scene: Scene, size: tuple[int, int], *, panel: bool = True, full: bool = False, smooth: bool = True
) -> View:
    """An off-screen view with smooth lines or without; GraphicsError if this machine cannot draw."""
    gl.require_graphics(window=False)
    import pyvista

    from aascompile.viewer.view import View

    plotter = pyvista.Plotter(off_screen=True, window_size=list(size), lighting="light kit")
    set_smooth(plotter, smooth)
    view = View(scene, plotter, full=full, panel=panel)
    view.refresh()
    return view


def set_smooth(plotter: Any, smooth: bool) -> None:
    """Switch smooth lines on or off. They double the drawing time where the CPU draws."""
    if smooth:
        plotter.enable_anti_aliasing("msaa", multi_samples=SAMPLES)
    else:
        plotter.disable_anti_aliasing()


def pixels(view: View) -> Pixels:
    """``(height, width, 3)`` picture of a view."""
    view.plotter.renderer.ResetCameraClippingRange()
    view.plotter.render()
    shown: Pixels = np.asarray(view.plotter.screenshot(return_img=True))[:, :, :3]
    return shown


def save_picture(shown: Pixels, path: str, *, palette: bool = False) -> None:
    """Write a picture in the format of its suffix. ``palette`` reduces it to 256 colours, a quarter of the size."""
    from PIL import Image

    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise PictureError(f"{path}: the name of a picture must end in .png or .jpg")
    image = Image.fromarray(shown)
    if palette:
        image = image.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
    out = io.BytesIO()
    image.save(out, FORMATS[suffix], optimize=palette)
    write_atomically(path, out.getvalue())


def save_turntable(view: View, camera: Camera, path: str, frames: int) -> None:
    """Circle the camera's target once, as .gif or .mp4."""
    writers: dict[str, Callable[[Iterator[Pixels], str], None]] = {".gif": _write_gif, ".mp4": _write_mp4}
    suffix = Path(path).suffix.lower()
    if suffix not in writers:
        raise PictureError(f"{path}: the name of an animation must end in .gif or .mp4")
    writers[suffix](_turn(view, camera, frames), path)


def _turn(view: View, camera: Camera, frames: int) -> Iterator[Pixels]:
    for number in range(frames):
        view.look(turned(camera, 360.0 * number / frames))
        yield pixels(view)


def _write_gif(frames: Iterator[Pixels], path: str) -> None:
    from PIL import Image

    images: list[Any] = []
    for shown in frames:
        image = Image.fromarray(shown)
        # All frames share a palette, to avoid flicker.
        images.append(image.quantize(palette=images[0], dither=Image.Dither.NONE) if images else image.quantize(255))
    out = io.BytesIO()
    images[0].save(out, "GIF", save_all=True, append_images=images[1:], duration=1000 // FRAME_RATE, loop=0)
    write_atomically(path, out.getvalue())


def _write_mp4(frames: Iterator[Pixels], path: str) -> None:
    program = _ffmpeg()
    first = next(frames)
    height, width = first.shape[0] // 2 * 2, first.shape[1] // 2 * 2  # the codec requires even sizes
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "turn.mp4")
        raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(FRAME_RATE), "-i", "-"]
        command = [program, "-y", "-loglevel", "error", *raw, "-pix_fmt", "yuv420p", "-movflags", "+faststart", out]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as encoder:
            assert encoder.stdin is not None
            assert encoder.stderr is not None
            try:
                for shown in (first, *frames):
                    encoder.stdin.write(np.ascontiguousarray(shown[:height, :width]).tobytes())
            except BrokenPipeError:
                pass
            encoder.stdin.close()
            errors = encoder.stderr.read().decode("utf-8", "replace").strip()
        if encoder.returncode:
            raise PictureError(f"{path}: ffmpeg failed ({errors.splitlines()[-1] if errors else 'no error message'})")
        write_atomically(path, read_file(out))


def _ffmpeg() -> str:
    """Path of the program that writes videos."""
    found = shutil.which("ffmpeg")
    if found:
        return found
    try:
        from imageio_ffmpeg import get_ffmpeg_exe
    except ImportError:
        raise PictureError("an .mp4 needs ffmpeg: install ffmpeg or aascompile[viewer], or write a .gif") from None
    return str(get_ffmpeg_exe())
