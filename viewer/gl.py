"""Whether pictures can be drawn here at all: without an OpenGL library VTK ends the process, so it is asked first.

The question is put to the libraries in a process of its own, as a driver may crash, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from typing import Any, Final

from aascompile.errors import AasError

PACKAGES: Final = "libegl1 libgl1-mesa-dri, or libosmesa6"
"""Debian's packages of which either lets VTK draw without a screen."""

EGL: Final = ("libEGL.so.1", "libEGL.so")
OSMESA: Final = ("libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so")

_PROBE: Final = """
import ctypes, sys
def loaded(names):
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
def egl_works(egl):
    # EGL draws when a device, or the platform without a surface, can be initialised.
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    egl.eglGetProcAddress.argtypes = [ctypes.c_char_p]
    egl.eglInitialize.argtypes = [ctypes.c_void_p] * 3
    found = egl.eglGetProcAddress(b"eglGetPlatformDisplayEXT")
    displays = []
    if found:
        get = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p)(found)
        query = egl.eglGetProcAddress(b"eglQueryDevicesEXT")
        if query:
            ask = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(query)
            devices, count = (ctypes.c_void_p * 16)(), ctypes.c_int(0)
            ask(16, devices, ctypes.byref(count))
            displays += [get(0x313F, devices[row], None) for row in range(min(count.value, 16))]
        displays.append(get(0x31DD, None, None))
    return any(display and egl.eglInitialize(display, None, None) for display in displays)
egl, osmesa = loaded(sys.argv[1].split(",")), loaded(sys.argv[2].split(","))
if egl is not None and egl_works(egl):
    print("egl")
elif osmesa is not None:
    print("osmesa")
"""

_WINDOWS: Final = {"egl": "vtkEGLRenderWindow", "osmesa": "vtkOSOpenGLRenderWindow"}


class GraphicsError(AasError, RuntimeError):
    """Nothing can be drawn on this machine as it is."""


def found_library() -> str:
    """What draws without a screen: "egl", "osmesa" or "" for nothing."""
    return _probed(EGL, OSMESA)


@cache
def _probed(egl: tuple[str, ...], osmesa: tuple[str, ...]) -> str:
    command = [sys.executable, "-I", "-S", "-c", _PROBE, ",".join(egl), ",".join(osmesa)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def ready(*, window: bool) -> None:
    """Make sure that VTK can draw, in a window or without one; GraphicsError says what to install."""
    if sys.platform.startswith("linux"):
        if window and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            raise GraphicsError(
                "there is no screen to open a window on (DISPLAY is not set): use --screenshot, --web or --html"
            )
        library = found_library()
        if not library:
            raise GraphicsError(f"no OpenGL library was found: install {PACKAGES} (apt-get install)")
        if not window:
            os.environ["VTK_DEFAULT_OPENGL_WINDOW"] = _WINDOWS[library]
    try:
        import pyvista  # noqa: F401
    except ImportError as error:
        raise GraphicsError(f"the viewer needs pyvista ({error}): install aascompile[viewer]") from None


def in_software(render_window: Any) -> bool:
    """Whether the processor does the drawing, for want of a graphics card."""
    told = str(render_window.ReportCapabilities()).lower()
    return any(name in told for name in ("llvmpipe", "softpipe", "swrast", "swiftshader"))
