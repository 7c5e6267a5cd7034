"""Compiles Quake III maps into the Area Awareness System: convex areas, reachabilities and clusters.

``compile_map`` compiles a map in memory, ``load`` opens a compiled file, and ``Navigation`` answers questions about
either: the area at a point, routes, items and spawns. Everything else that a program may use is listed in ``__all__``
and described in docs/api.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aascompile.api import (
        AasError,
        Area,
        AreaFlag,
        CompiledMap,
        LeakError,
        Link,
        MapError,
        Navigation,
        Place,
        Route,
        RouteError,
        Settings,
        SettingsError,
        StoreError,
        Travel,
        compile_map,
        load,
        read_compiled,
    )

__version__ = "0.1.0"

__all__ = [
    "AasError",
    "Area",
    "AreaFlag",
    "CompiledMap",
    "LeakError",
    "Link",
    "MapError",
    "Navigation",
    "Place",
    "Route",
    "RouteError",
    "Settings",
    "SettingsError",
    "StoreError",
    "Travel",
    "__version__",
    "compile_map",
    "load",
    "read_compiled",
]


def __getattr__(name: str) -> object:
    """Import the API when a program first uses it: numpy and all that it needs would make ``aas --help`` slow."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module("aascompile.api"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
