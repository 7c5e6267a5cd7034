"""Compiles Quake III maps into the Area Awareness System: areas, reachabilities and clusters.

``compile_map`` compiles a map in memory, ``load`` opens a compiled file, and ``Navigation`` answers queries about
either: the area at a point, routes, items and spawns. ``__all__`` lists the whole API, and docs/api.md describes it.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # known to type checkers; importing typing would take longer than all the rest here
if TYPE_CHECKING:
    from aascompile.api import (
        Cache,
        FarmError,
        GateCheck,
        GateFault,
        GateOptions,
        GateResult,
        LeakError,
        MapError,
        Pool,
        Settings,
        compile_map,
        gate,
    )
    from aascompile.opened import (
        AasError,
        AllPairs,
        Area,
        AreaFlag,
        CompiledMap,
        Event,
        Field,
        FieldAt,
        Limits,
        Link,
        MissCost,
        Navigation,
        NearestAreas,
        Observer,
        Occupancy,
        Paths,
        Place,
        Predictions,
        Route,
        RouteError,
        SettingsError,
        StoreError,
        Tier,
        Trace,
        Traces,
        Travel,
        ViewSpot,
        WalkEnd,
        Walks,
        Walls,
        load,
        read_compiled,
    )

__version__ = "0.1.0"

__all__ = [
    "AasError",
    "AllPairs",
    "Area",
    "AreaFlag",
    "Cache",
    "CompiledMap",
    "Event",
    "FarmError",
    "Field",
    "FieldAt",
    "GateCheck",
    "GateFault",
    "GateOptions",
    "GateResult",
    "LeakError",
    "Limits",
    "Link",
    "MapError",
    "MissCost",
    "Navigation",
    "NearestAreas",
    "Observer",
    "Occupancy",
    "Paths",
    "Place",
    "Pool",
    "Predictions",
    "Route",
    "RouteError",
    "Settings",
    "SettingsError",
    "StoreError",
    "Tier",
    "Trace",
    "Traces",
    "Travel",
    "ViewSpot",
    "WalkEnd",
    "Walks",
    "Walls",
    "__version__",
    "compile_map",
    "gate",
    "load",
    "read_compiled",
]


def __getattr__(name: str) -> object:
    """Import the API on first use: numpy and the rest would make ``aas --help`` slow, and the compiler ``load``."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module("aascompile.opened")
    value: object = getattr(module if hasattr(module, name) else import_module("aascompile.api"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
