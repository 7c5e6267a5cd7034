"""Makes the imports of commands quick: on a small map they take longer than the compile.

Packages import modules that a command hardly ever uses. Such modules are *postponed*: they are loaded when something in
them is first asked for.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import typing
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from aascompile.patterns import LaterPattern
from aascompile.system import end_when_interrupted, raise_when_interrupted

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

MANY_OBJECTS: Final = 50_000
"""New objects after which the garbage collector looks for cycles. A compile makes few, and arrays are none."""

BY_NUMPY: Final = (
    "ast", "ctypes", "numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars", "numpy.lib.npyio", "pickle",
    "platform", "textwrap",
)  # fmt: skip
"""Modules that numpy imports, but a compile does not use. Two of them hold its documentation, which takes an eighth of
its import. Without it numpy is as under ``python -OO``."""

REPLACED: Final = ("numpy._utils._inspect", "numpy.lib._nanfunctions_impl", "numpy.lib._npyio_impl", "numpy.linalg")
"""Modules of numpy of which its other modules import functions that a compile does not need."""

TYPES: Final = ("numpy._typing", "numpy.typing")
"""Modules from which numpy and this package take types for annotations, and nothing else. They take a quarter of
numpy's import."""

TYPED: Final = ("aascompile.", "numpy.linalg.", "click.types")
"""Packages that use types of postponed modules in annotations only, or for options that no command has."""

NAN_FUNCTIONS: Final = (
    "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile",
    "nanprod", "nanquantile", "nanstd", "nansum", "nanvar",
)  # fmt: skip
FILE_FUNCTIONS: Final = (
    "fromregex", "genfromtxt", "load", "loadtxt", "save", "savetxt", "savez", "savez_compressed",
)  # fmt: skip
"""Functions of numpy that load their modules when they are called. If numpy asks for others, it gets the modules."""

TYPE_NAMES: Final = ("ArrayLike", "NDArray")
"""Types that this package takes from ``numpy.typing``."""

_LOADING: Final = RLock()


class _Postponed(ModuleType):
    """A module that is loaded when something in it is first asked for."""

    def __getattr__(self, name: str) -> Any:
        with _LOADING:
            if name == "__path__":
                return self._path()
            if self.__spec__ is None:
                self._load()
        return ModuleType.__getattribute__(self, name)

    def _path(self) -> list[str]:
        """Folders of a package. Imports ask for it of every module, and load modules of a package before the package
        itself, if that is postponed."""
        found = self._found().submodule_search_locations
        if found is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute '__path__'")
        vars(self)["__path__"] = found
        return found

    def _found(self) -> ModuleSpec:
        """Where the module is."""
        from importlib.machinery import PathFinder

        package = self.__name__.rpartition(".")[0]
        spec = PathFinder.find_spec(self.__name__, import_module(package).__path__ if package else None)
        if spec is None or spec.loader is None:
            raise ModuleNotFoundError(f"No module named {self.__name__!r}", name=self.__name__)
        return spec

    def _load(self) -> None:
        from importlib.util import module_from_spec

        spec = self._found()
        vars(self).update(vars(module_from_spec(spec)))
        assert spec.loader is not None
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


class _Replaced(_Postponed):
    """A module of which some other modules get functions that need not load it: ``_INSTEAD``."""

    def __getattr__(self, name: str) -> Any:
        asking = str(sys._getframe(1).f_globals.get("__name__"))
        package = asking.partition(".")[0]
        given = _INSTEAD.get((asking, self.__name__)) or _INSTEAD.get((package, self.__name__)) or {}
        if name in given:
            return given[name]
        if given and name == "__path__":  # as an import asks
            raise AttributeError(name)
        return super().__getattr__(name)


class _ReplacedInspect(_Replaced):
    """``inspect``, which click and numpy use for their help texts while they are imported, and kernels for numbers."""

    CO_OPTIMIZED, CO_NEWLOCALS, CO_VARARGS, CO_VARKEYWORDS = 1, 2, 4, 8
    CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR = 32, 128, 512


def _cleandoc(text: str) -> str:
    """A help text without the indentation of its lines. That of an option is a line, with nothing to remove."""
    if text.isprintable() and not text.startswith(" "):
        return text
    from inspect import cleandoc

    return cleandoc(text)


def _near(word: str, possible: Collection[str]) -> list[str]:
    """Names like this one. click takes short options for long ones first, and needs none that are like them."""
    if not word.startswith("--"):
        return []
    from difflib import get_close_matches

    return get_close_matches(word, possible)


def _of(module: str, *names: str) -> dict[str, Callable[..., Any]]:
    """Functions of a module that is loaded when one of them is called."""

    def function(name: str) -> Callable[..., Any]:
        def call(*values: Any, **named: Any) -> Any:
            return getattr(import_module(module), name)(*values, **named)

        return call

    return {name: function(name) for name in names}


def _listed(functions: dict[str, Callable[..., Any]]) -> dict[str, Any]:
    """The functions, and ``__all__`` with their names."""
    return {**functions, "__all__": list(functions)}


_INSTEAD: Final[Mapping[tuple[str, str], Mapping[str, Any]]] = {
    ("click", "difflib"): {"get_close_matches": _near},
    ("click", "gettext"): {
        "gettext": lambda text: text,  # there are no translations
        "ngettext": lambda one, several, count: one if count == 1 else several,
    },
    ("click.core", "inspect"): {"cleandoc": _cleandoc},
    ("numpy._core.overrides", "inspect"): {"cleandoc": lambda text: text, "signature": lambda function: None},
    ("numpy._core.overrides", "numpy._utils._inspect"): {  # compares the arguments of numpy's functions
        "getargspec": lambda function: ((), None, None, None)
    },
    ("numpy", "numpy.lib._nanfunctions_impl"): _listed(_of("numpy.lib._nanfunctions_impl", *NAN_FUNCTIONS)),
    ("numpy", "numpy.lib._npyio_impl"): _listed(
        _of("numpy.lib._npyio_impl", *FILE_FUNCTIONS) | _of("numpy._core.multiarray", "packbits", "unpackbits")
    ),
    ("numpy.lib._polynomial_impl", "numpy.linalg"): _of("numpy.linalg", "eigvals", "inv", "lstsq"),
    ("numpy.matrixlib.defmatrix", "numpy.linalg"): _of("numpy.linalg", "matrix_power"),
}
"""What a module or package gets in the place of functions of another module. Those for numpy save an eighth of its
import."""


def _quick_datetime() -> _Postponed:
    """``datetime`` without the implementation in Python that it has besides that in C, and drops when it is loaded."""
    module = _Postponed("datetime")
    with suppress(ImportError):
        import _datetime  # type: ignore[import-not-found]

        vars(module).update({name: value for name, value in vars(_datetime).items() if not name.startswith("__")})
    return module


class _Unread:
    """Stands for an annotation given as text. The standard class compiles it, which loads what Python needs for that:
    for click, this takes a quarter of its import."""

    def __init__(self, text: str, *_: Any, **_named: Any) -> None:
        self.text = text


@contextmanager
def _in_place_of(module: ModuleType, name: str, value: object) -> Iterator[None]:
    """Put something into a module while others are imported."""
    standard = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, standard)


@contextmanager
def _types_at_hand() -> Iterator[None]:
    """Have the types that modules of this package annotate with in ``numpy.typing``, if it is postponed: else each of a
    hundred modules asks for them in three calls."""
    module = sys.modules.get("numpy.typing")
    given: dict[str, object] = {}
    if isinstance(module, _PostponedTypes):
        given = {**dict.fromkeys(TYPE_NAMES, _Type), "__path__": []}
        vars(module).update(given)
    try:
        yield
    finally:
        for name, value in given.items():
            if vars(module).get(name) is value:  # not that of the module itself, if it was loaded after all
                del vars(module)[name]


def _later_pattern(text: Any, flags: int = 0) -> LaterPattern:
    """In place of ``re.compile``, for modules whose patterns a compile does not use."""
    return LaterPattern(text, flags)


def import_click() -> None:
    """Import click, but postpone what it imports and a command does not use, which takes longer than click itself."""
    replaced = _ReplacedInspect("inspect"), _Replaced("gettext"), _Replaced("difflib")
    _put(*replaced, _PostponedTypes("uuid"), _quick_datetime())
    with _in_place_of(typing, "ForwardRef", _Unread), _in_place_of(re, "compile", _later_pattern):
        import_module("click")
        import_module("dataclasses")


def _postpone_for_numpy() -> list[_Postponed]:
    """Postpone what numpy imports and a compile does not use."""
    return _put(*map(_Postponed, BY_NUMPY), *map(_Replaced, REPLACED), *map(_PostponedTypes, TYPES))


def _put(*modules: _Postponed) -> list[_Postponed]:
    """Put modules where imports find them, except for those that are loaded."""
    added = [module for module in modules if module.__name__ not in sys.modules]
    sys.modules.update({module.__name__: module for module in added})
    return added


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
    postponed = [] if "numpy" in sys.modules else _postpone_for_numpy()
    try:
        with _in_place_of(re, "compile", _later_pattern), _types_at_hand():
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
