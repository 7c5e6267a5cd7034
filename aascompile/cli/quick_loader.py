"""Finds and loads modules as Python does, in half of its time for each: a command imports hundreds of them.

Python tries many places and endings for every module, and makes the name of its bytecode twice. Here the names in a
folder are listed once, and a module whose bytecode lies beside it is loaded at once. Whatever is not as usual is left
to Python.
"""

from __future__ import annotations

import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import (
    MAGIC_NUMBER,
    ExtensionFileLoader,
    PathFinder,
    SourceFileLoader,
)
from _imp import _fix_co_filename, extension_suffixes  # type: ignore[attr-defined]
from marshal import loads
from os import O_RDONLY, close, listdir, read, stat
from os import __file__ as _of_os
from os import open as open_file

TYPE_CHECKING = False  # known to type checkers; typing is imported later
if TYPE_CHECKING:
    from types import CodeType

_KERNEL = next((ending for ending in extension_suffixes() if "abi3" in ending), "")
_COMPILED = tuple(ending for ending in extension_suffixes() if ending != _KERNEL)
_BYTECODE = f".{sys.implementation.cache_tag}.pyc"
_STANDARD = _of_os.rpartition("/")[0]
"""Folder of Python's own modules."""

_HEAD = MAGIC_NUMBER + bytes(4)
"""How bytecode begins that belongs to a source of a certain time and size. Both follow."""

_PIECE = 1 << 16
"""Bytes that are read at a time. Most bytecode is shorter."""

_names: dict[str, frozenset[str]] = {}
"""Names in a folder."""


class _QuickLoader(SourceFileLoader):
    """Loads a module from its bytecode, if that belongs to its source."""

    def get_code(self, fullname: str) -> CodeType | None:
        """Code of the module."""
        path = self.path
        folder, _, file = path.rpartition("/")
        try:
            source = stat(path)
            data = _content(f"{folder}/__pycache__/{file[:-3]}{_BYTECODE}")
        except OSError:
            return super().get_code(fullname)
        made = (int(source.st_mtime) & 0xFFFFFFFF).to_bytes(4, "little")
        size = (source.st_size & 0xFFFFFFFF).to_bytes(4, "little")
        if data[:16] != _HEAD + made + size:
            return super().get_code(fullname)
        code: CodeType = loads(memoryview(data)[16:])
        if code.co_filename != path:  # the folder was moved, or given in another way
            _fix_co_filename(code, path)
        return code


def _content(path: str) -> bytes:
    """What is in a file."""
    file = open_file(path, O_RDONLY)
    try:
        data = read(file, _PIECE)
        while len(data) % _PIECE == 0:
            more = read(file, 16 * _PIECE)
            if not more:
                break
            data += more
        return data
    finally:
        close(file)


class QuickFinder:
    """Finds Python's own modules, and those of packages that lie in one folder."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Where a module is; None if Python has to look for it."""
        if type(path) is list and len(path) == 1:
            folder = path[0]
        elif path is None and name in sys.stdlib_module_names:
            folder = _STANDARD
        else:
            return None
        names = _names.get(folder)
        if names is None:
            try:
                names = _names[folder] = frozenset(listdir(folder))
            except OSError:
                return None
        own = name.rpartition(".")[2]
        if own in names:  # a package
            return None
        for ending in _COMPILED:
            if own + ending in names:
                return None
        if own + _KERNEL in names:
            origin = f"{folder}/{own}{_KERNEL}"
            spec = ModuleSpec(name, ExtensionFileLoader(name, origin), origin=origin)
        elif own + ".py" in names:
            origin = f"{folder}/{own}.py"
            spec = ModuleSpec(name, _QuickLoader(name, origin), origin=origin)
            spec.cached = f"{folder}/__pycache__/{own}{_BYTECODE}"
        else:
            return None
        spec.has_location = True
        return spec


def find_quickly() -> None:
    """Let imports ask the quick finder before Python's own, if bytecode lies where it expects it."""
    usual = sys.pycache_prefix is None and not sys.flags.optimize and "/" in _of_os
    if usual and PathFinder in sys.meta_path and QuickFinder not in sys.meta_path:
        sys.meta_path.insert(sys.meta_path.index(PathFinder), QuickFinder)
