"""Imports numpy without what a compile does not use: docstrings of its C functions, and types for annotations.

That saves a fifth of the time of numpy's import. Programs that use the package as a library get all of numpy.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Final

DOCSTRINGS: Final = ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars")
"""Modules that only add docstrings."""

ANNOTATIONS: Final = ("numpy._typing", "numpy.typing")
"""Modules that only define types for annotations, which are not evaluated."""


class AnyType:
    """Stands for every type of ``numpy.typing``."""

    def __class_getitem__(cls, item: object) -> type[AnyType]:
        return cls


def import_numpy() -> None:
    """Import numpy, unless it is there already. The stand-ins for types stay for the modules that are imported next."""
    if "numpy" in sys.modules:
        return
    for name in DOCSTRINGS:
        sys.modules[name] = ModuleType(name)
    for name in ANNOTATIONS:
        module = ModuleType(name)
        module.__path__ = []
        module.__getattr__ = _type_named  # type: ignore[method-assign]
        sys.modules[name] = module
    import numpy

    for name in ANNOTATIONS:  # as an import does
        setattr(numpy, name.removeprefix("numpy."), sys.modules[name])


def _type_named(name: str) -> type[AnyType]:
    """The type of this name in a module of types."""
    if name.startswith("__"):
        raise AttributeError(name)
    return AnyType
