"""Builds and loads the C twin of the kernels."""

from __future__ import annotations

import ctypes
import os
import shlex
import subprocess
import sysconfig
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SOURCE = Path(__file__).with_name("twin.c")
BUILD = Path(__file__).parents[2] / "build"

# Compiler flags of the kernels that affect speed and arithmetic.
FLAGS = ["-O2", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC"]

HANDLES = ("polys_new", "planes_new", "hull_new", "polys_xyz")


def load() -> ctypes.CDLL:
    """Load the twin, compiled into build/ again if its source is newer."""
    library = BUILD / "bench-twin.so"
    if not library.exists() or library.stat().st_mtime < SOURCE.stat().st_mtime:
        BUILD.mkdir(exist_ok=True)
        compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
        command = [shlex.split(compiler)[0], *FLAGS, str(SOURCE), "-o", str(library), "-lm"]
        subprocess.run(command, check=True)
    twin = ctypes.CDLL(str(library))
    for name in HANDLES:
        getattr(twin, name).restype = ctypes.c_void_p
    return twin


def pointer(array: NDArray[np.generic]) -> ctypes.c_void_p:
    """Address of a contiguous array's first element."""
    assert array.flags.c_contiguous
    return ctypes.c_void_p(array.ctypes.data)


def doubles(*values: float) -> list[ctypes.c_double]:
    """Arguments as C doubles."""
    return [ctypes.c_double(value) for value in values]
