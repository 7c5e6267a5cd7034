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

_WINDOW_PROBE: Final = """
import ctypes, sys
def loaded(name):
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None
x11, gl = loaded("libX11.so.6"), loaded("libGL.so.1")
if x11 is None:
    sys.exit(print("no libX11"))
x11.XOpenDisplay.restype = ctypes.c_void_p
display = x11.XOpenDisplay(None)
if not display:
    sys.exit(print("no display"))
if gl is None or not gl.glXQueryExtension(ctypes.c_void_p(display), None, None):
    sys.exit(print("no libGL"))
print("fine")
"""

_WINDOWS: Final = {"egl": "vtkEGLRenderWindow", "osmesa": "vtkOSOpenGLRenderWindow"}


class GraphicsError(AasError, RuntimeError):
    """Nothing can be drawn on this machine as it is."""


def found_library() -> str:
    """What draws without a screen: "egl", "osmesa" or "" for nothing."""
    return _asked(_PROBE, ",".join(EGL), ",".join(OSMESA))


@cache
def _asked(script: str, *arguments: str) -> str:
    """What a script says that runs in a process of its own; nothing when it crashes."""
    command = [sys.executable, "-I", "-S", "-c", script, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def ready(*, window: bool) -> None:
    """Make sure that VTK can draw, in a window or without one; GraphicsError says what is missing."""
    if sys.platform.startswith("linux"):
        if window:
            _window_ready()
        else:
            library = found_library()
            if not library:
                raise GraphicsError(f"no OpenGL library was found: install {PACKAGES} (apt-get install)")
            os.environ["VTK_DEFAULT_OPENGL_WINDOW"] = _WINDOWS[library]
    try:
        import pyvista  # noqa: F401
    except ImportError as error:
        raise GraphicsError(f"the viewer needs pyvista ({error}): install aascompile[viewer]") from None


def _window_ready() -> None:
    """GraphicsError when no window can be opened."""
    instead = "use --screenshot, --web or --html"
    if not os.environ.get("DISPLAY"):
        raise GraphicsError(f"there is no screen to open a window on (DISPLAY is not set): {instead}")
    said = _asked(_WINDOW_PROBE)
    if said == "no display":
        raise GraphicsError(f"the screen {os.environ['DISPLAY']} cannot be reached: {instead}")
    if said != "fine":
        raise GraphicsError("no OpenGL library for windows was found: install libgl1 libgl1-mesa-dri (apt-get install)")


def in_software(render_window: Any) -> bool:
    """Whether the processor does the drawing, for want of a graphics card."""
    told = str(render_window.ReportCapabilities()).lower()
    return any(name in told for name in ("llvmpipe", "softpipe", "swrast", "swiftshader"))
