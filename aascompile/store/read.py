"""Reader of compiled files of both kinds, ours and the engine's. The first bytes decide which."""

from __future__ import annotations

from aascompile.model.compiled import Compiled
from aascompile.store import engine_lumps, hdf, hdf_writer
from aascompile.store.files import read_file


def is_compiled(path: str) -> bool:
    """Whether a file starts like a compiled file or has the name of one."""
    try:
        with open(path, "rb") as file:
            start = file.read(len(hdf_writer.MAGIC))
    except (OSError, ValueError):
        return path.endswith((".hdf", ".aas"))
    return start == hdf_writer.MAGIC or start[:4] == engine_lumps.MAGIC or path.endswith((".hdf", ".aas"))


def load_compiled(path: str, *, check: bool = True) -> Compiled:
    """Read a compiled file. Raise a StoreError if it cannot be read. ``check`` is as for ``read_compiled``."""
    try:
        with open(path, "rb") as file:
            engine = file.read(len(engine_lumps.MAGIC)) == engine_lumps.MAGIC
    except (OSError, ValueError):
        engine = False
    if not engine:
        return hdf.read_compiled(path, check=check)
    from aascompile.store.engine import read_engine

    return read_engine(read_file(path), path)
