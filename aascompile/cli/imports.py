"""Makes the imports of commands quick: on a small map they take longer than the compile.

Packages import modules that a command hardly ever uses. Such modules are *postponed*: they are loaded when something in
them is first asked for.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from types import ModuleType
from typing import Any, Final

from aascompile.system import end_when_interrupted, raise_when_interrupted

MANY_OBJECTS: Final = 50_000
"""New objects after which the garbage collector looks for cycles. A compile makes few, and arrays are none."""

BY_NUMPY: Final = ("ctypes", "numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars", "pickle", "textwrap")
"""Modules that numpy imports, but a compile does not use. Two of them hold its documentation, which takes an eighth of
its import. Without it numpy is as under ``python -OO``."""

TYPES: Final = ("numpy._typing", "numpy.typing")
"""Modules from which numpy and this package take types for annotations, and nothing else. They take a quarter of
numpy's import."""

TYPED: Final = ("aascompile.", "numpy.linalg.")
"""Packages that use those types in annotations only."""

_LOADING: Final = RLock()


class _Postponed(ModuleType):
    """A module that is loaded when something in it is first asked for."""

    def __getattr__(self, name: str) -> Any:
        with _LOADING:
            if self.__spec__ is None:
                self._load()
        return ModuleType.__getattribute__(self, name)

    def _load(self) -> None:
        from importlib import import_module
        from importlib.machinery import PathFinder
        from importlib.util import module_from_spec

        package = self.__name__.rpartition(".")[0]
        spec = PathFinder.find_spec(self.__name__, import_module(package).__path__ if package else None)
        if spec is None or spec.loader is None:
            raise ModuleNotFoundError(f"No module named {self.__name__!r}", name=self.__name__)
        vars(self).update(vars(module_from_spec(spec)))
        spec.loader.exec_module(self)
        self.__class__ = ModuleType  # type: ignore[assignment]


class _Type:
    """Stands for every type of such a module."""

    def __class_getitem__(cls, item: object) -> type:
        return cls


class _PostponedTypes(_Postponed):
    """A module of types that is loaded when somebody asks for them who may do more with them than annotate."""

    def __getattr__(self, name: str) -> Any:
        asking = str(sys._getframe(1).f_globals.get("__name__"))
        if not asking.startswith(TYPED):
            return super().__getattr__(name)
        if name.startswith("__"):
            raise AttributeError(name)
        return _Type


def _postpone() -> list[_Postponed]:
    """Postpone what numpy imports and a compile does not use."""
    modules = [_Postponed(name) for name in BY_NUMPY if name not in sys.modules]
    modules += [_PostponedTypes(name) for name in TYPES]
    sys.modules.update({module.__name__: module for module in modules})
    return modules


@contextmanager
def quick_imports() -> Iterator[None]:
    """Import numpy and the stages inside this context, to save time.

    It postpones what a compile does not need. It switches off the threads of numpy's linear algebra, which is not used,
    and keeps the garbage collector from examining what is imported. In a process that runs many commands, only those
    that import something do so: garbage that is there at that moment is never freed.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()
    end_when_interrupted()  # an exception inside an import may turn up as another one
    known = len(sys.modules)
    postponed = [] if "numpy" in sys.modules else _postpone()
    try:
        yield
    finally:
        for module in postponed:
            package, _, name = module.__name__.rpartition(".")
            if package in sys.modules:
                setattr(sys.modules[package], name, module)  # as an import does
        raise_when_interrupted()
        if len(sys.modules) > known:
            gc.freeze()
        gc.set_threshold(MANY_OBJECTS)
        gc.enable()
