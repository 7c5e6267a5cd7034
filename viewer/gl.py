"""Checks that VTK can draw on this machine. Without an OpenGL library VTK aborts the process, so ask first.

The check runs in a process of its own, because a broken driver may crash.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from typing import Any, Final

from aascompile.errors import AasError

PACKAGES: Final = "libegl1 libgl1-mesa-dri, or libosmesa6"
"""Debian packages that let VTK draw without a screen; either choice will do."""

EGL: Final = ("libEGL.so.1", "libEGL.so")
OSMESA: Final = ("libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so")

_PROBE: Final = """
import ctypes, sys
def load(names):
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
def egl_works(egl):
    # EGL can draw if a device, or the surfaceless platform, initialises.
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
egl, osmesa = load(sys.argv[1].split(",")), load(sys.argv[2].split(","))
if egl is not None and egl_works(egl):
    print("egl")
elif osmesa is not None:
    print("osmesa")
"""

_WINDOW_PROBE: Final = """
import ctypes, sys
def load(name):
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None
x11, gl = load("libX11.so.6"), load("libGL.so.1")
if x11 is None:
    sys.exit(print("no libX11"))
x11.XOpenDisplay.restype = ctypes.c_void_p
display = x11.XOpenDisplay(None)
if not display:
    sys.exit(print("no display"))
if gl is None or not gl.glXQueryExtension(ctypes.c_void_p(display), None, None):
    sys.exit(print("no libGL"))
print("ok")
"""

_WINDOWS: Final = {"egl": "vtkEGLRenderWindow", "osmesa": "vtkOSOpenGLRenderWindow"}


class GraphicsError(AasError, RuntimeError):
    """This machine cannot draw as it is set up."""


def find_library() -> str:
    """Library that draws without a screen: "egl", "osmesa", or "" if there is none."""
    return _run_probe(_PROBE, ",".join(EGL), ",".join(OSMESA))


@cache
def _run_probe(script: str, *arguments: str) -> str:
    """Output of a script that runs in a process of its own; "" if it fails."""
    command = [sys.executable, "-I", "-S", "-c", script, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def require_graphics(*, window: bool) -> None:
    """Check that VTK can draw, in a window or off screen. GraphicsError states what is missing."""
    if sys.platform.startswith("linux"):
        if window:
            _require_window()
        else:
            library = find_library()
            if not library:
                raise GraphicsError(f"no OpenGL library found: install {PACKAGES} (apt-get install), or use --html")
            os.environ["VTK_DEFAULT_OPENGL_WINDOW"] = _WINDOWS[library]
    try:
        import pyvista  # noqa: F401
    except ImportError as error:
        raise GraphicsError(f"the viewer needs pyvista ({error}): install aascompile[viewer]") from None


def _require_window() -> None:
    """Raise GraphicsError if no window can be opened."""
    instead = "use --screenshot, --web or --html"
    if not os.environ.get("DISPLAY"):
        raise GraphicsError(f"no screen for a window, as DISPLAY is not set: {instead}")
    result = _run_probe(_WINDOW_PROBE)
    if result == "no display":
        raise GraphicsError(f"cannot connect to the screen {os.environ['DISPLAY']}: {instead}")
    if result != "ok":
        packages = "libgl1 libgl1-mesa-dri"
        raise GraphicsError(f"no OpenGL library for windows found: install {packages} (apt-get install), or use --html")


def renders_in_software(render_window: Any) -> bool:
    """Whether the CPU draws, because there is no graphics card."""
    capabilities = str(render_window.ReportCapabilities()).lower()
    return any(name in capabilities for name in ("llvmpipe", "softpipe", "swrast", "swiftshader"))
