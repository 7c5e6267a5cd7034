"""Compiled samples, and helpers that inspect pictures."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from aascompile.model.compiled import Compiled
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.viewer import gl
from aascompile.viewer.meshes import Colour
from aascompile.viewer.scene import Scene
from tests.conftest import ROOT
from tests.stages import EXACT

SIZE = (480, 320)


@cache
def sample(name: str) -> Compiled:
    """A compiled sample with links and clusters. The stairs have an area for each step."""
    settings = EXACT if name == "stairs" else QUAKE3
    return compile_map(str(ROOT / "samples" / f"{name}.bsp"), settings, Report(name), allow_leak=name == "leak")


def scene(name: str) -> Scene:
    """A new scene of a sample."""
    return Scene(sample(name))


@cache
def _library() -> str:
    return gl.find_library()


def need_gl() -> None:
    """Skip the test if this machine cannot draw."""
    if not _library():
        pytest.skip(f"no OpenGL library: install {gl.PACKAGES}")


def like(shown: NDArray[np.uint8], colour: Colour, near: float = 0.995) -> NDArray[np.bool_]:
    """``(height, width)`` pixels of a hue, at any brightness."""
    pixel, wanted = shown.astype(np.float64), np.array(colour, np.float64)
    length = np.linalg.norm(pixel, axis=-1)
    along = (pixel @ wanted) / np.maximum(length * np.linalg.norm(wanted), 1.0)
    return (along > near) & (length > 90.0)
