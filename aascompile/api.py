"""The half of the Python API that compiles: maps in memory, pools of workers, the gate for generated maps.

``import aascompile`` provides it, and imports this module on first use. ``opened`` is the other half.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Protocol, cast

from aascompile.cached import compile_cached
from aascompile.errors import AasError, FarmError, LeakError, MapError, SettingsError
from aascompile.farm import Farm
from aascompile.mapio.by_hand import entities_of
from aascompile.mapio.game_files import files_of
from aascompile.mapio.limits import MAX_BYTES
from aascompile.mapio.load import MapSource, is_source, read_map_file, with_links
from aascompile.model.compiled import Provenance
from aascompile.nav.gate import GateFault, GateResult, gate
from aascompile.nav.gate_options import GateCheck, GateOptions
from aascompile.nav.sight import make_sight
from aascompile.opened import CompiledMap, with_methods
from aascompile.pipeline import compile_map as run_stages
from aascompile.pool import Workers, error_of_death, workers_for
from aascompile.report import Report
from aascompile.settings import GAMES, PRESETS, QUAKE3, Settings
from aascompile.settings_file import find_preset, read_settings, settings_of
from aascompile.store.cache import Cache
from aascompile.store.pack import pack, unpack
from aascompile.store.schema import from_columns, to_columns
from aascompile.system import cores
from aascompile.watchdog import Ceilings

UNNAMED = "map"
"""Default name of a map given as bytes."""


class BinaryFile(Protocol):
    """A file opened for reading in binary mode."""

    def read(self, size: int, /) -> bytes:
        """Read at most ``size`` bytes."""


Source = str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryFile
"""A path, the bytes of a map, or a binary file."""

AnyCache = Cache | str | os.PathLike[str]
"""A cache, or the folder of one."""

AnyPaths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""A path, or several."""

AnyLinks = str | os.PathLike[str] | Mapping[str, Any]
"""The path of a side file with links made by hand, or a mapping with the tables of such a file."""

AnySettings = Settings | str | os.PathLike[str] | Mapping[str, Any]
"""Settings, the name of a preset, the path of a TOML file, or a mapping with the tables of such a file."""


def compile_map(
    source: Source,
    settings: AnySettings | None = None,
    *,
    name: str | None = None,
    threads: int | None = None,
    quality: bool = False,
    allow_leak: bool = False,
    sight: bool = False,
    cache: AnyCache | None = None,
    links: AnyLinks | None = None,
    shaders: AnyPaths = (),
) -> CompiledMap:
    """Compile a map in memory. Writes no file and prints nothing.

    - ``source``: the path of a .bsp or .map file, which may be inside an archive (``pak.pk3/maps/x.bsp``); the bytes of
      such a file; or an open binary file.
    - ``settings``: Settings, the name of a preset, the path of a TOML file, or a mapping with the tables of
      such a file (``{"physics": {"gravity": 400}}``). The default is the preset quake3, and quake2 for its maps.
    - ``name``: name of the map in messages and in the compiled file. The default is the file name, or "map" for bytes.
    - ``threads``: number of threads, by default one per core. The result does not depend on it.
    - ``quality``: search longer for fewer areas.
    - ``allow_leak``: if the map leaks, put walls at its bounds and add a warning instead of raising LeakError.
    - ``sight``: also measure which areas see which.
    - ``cache``: a folder, or a ``Cache``, that holds earlier results. A map that was compiled before with the same
      settings is taken from it. A map with other entities keeps its areas. The result is the same as without a cache.
    - ``links``: links and volumes made by hand (docs/links.md), as the path of a side file, or as a mapping with the
      tables of such a file (``{"block": [{"mins": [0, 0, 0], "maxs": [64, 64, 64]}]}``). The default is the file
      beside the map.
    - ``shaders``: for map source, where to find shader scripts and models: a .shader file, a folder or archive of the
      game, or several. Those beside the map and its folder are found without it.

    Raises MapError if the map or the side file cannot be read, LeakError (with the trail) if the map leaks, and
    SettingsError if the settings are invalid.
    """
    if threads is not None and threads < 1:
        raise SettingsError("compile_map", "threads", f"is {threads}, but must be at least 1")
    chosen = _settings(settings)
    map_source = _source(source, name, links, shaders)
    report = Report(map_source.name)
    if cache is None:
        compiled = run_stages(map_source, chosen, report, threads or cores(), quality, allow_leak)
    else:
        folder = cache if isinstance(cache, Cache) else Cache(cache)
        compiled = compile_cached(map_source, chosen, report, folder, threads or cores(), quality, allow_leak)
    if sight:
        compiled = replace(compiled, sight=make_sight(compiled, threads or cores()))
    dropped = tuple(f"{item.kind} {item.number}: {item.reason}" for item in report.dropped)
    return with_methods(compiled, tuple(report.warnings), dropped)


class Pool:
    """Compiles many maps in worker processes that stay warm: ``with Pool(4) as pool: ...``.

    Results are the same as those of ``compile_map``, whatever the number of workers and wherever they run.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        cache: AnyCache | None = None,
        dask: Any = None,
        max_memory: float | None = None,
        max_seconds: float | None = None,
    ) -> None:
        """``workers`` is the number of processes, by default one per core. They start with the first map.

        - ``cache`` is as for ``compile_map``; all workers share it.
        - ``dask``: a ``distributed.Client``, or the address of a Dask scheduler (``tcp://host:8786``). The workers of
          that cluster compile the maps instead; ``cache`` is then a folder on their machines. Needs the extra
          ``aascompile[farm]`` here and there. A map whose worker dies is compiled by another.
        - ``max_memory`` in MiB and ``max_seconds`` limit what a worker may use for a map. A map that exceeds them
          yields a MapError. They do not apply to ``dask``.
        """
        given = max_memory is not None or max_seconds is not None
        self._limits = Ceilings(max_memory, max_seconds) if given else None
        self._farm = None if dask is None else Farm(_compile_packed, dask)
        self._workers = Workers(_compile_one, workers_for(workers), self._limits)
        self._cache = cache if cache is None or isinstance(cache, Cache) else Cache(cache)

    def compile_many(
        self,
        sources: Iterable[Source],
        settings: AnySettings | None = None,
        *,
        in_order: bool = True,
        quality: bool = False,
        allow_leak: bool = False,
        sight: bool = False,
        links: Iterable[AnyLinks | None] | None = None,
        shaders: AnyPaths = (),
    ) -> Iterator[tuple[int, CompiledMap | AasError]]:
        """Compile maps and yield the number of each, from 0, with its result, in order or as completed.

        A map that cannot be compiled yields its error instead of raising it, so that the others go on. ``sources`` may
        be endless: only a few maps are read ahead. ``links`` has what was made by hand for each of them, in the same
        order; None is the file beside the map. Other arguments are as for ``compile_map``, with one thread a map.
        """
        chosen = _settings(settings)

        def arguments() -> Iterator[tuple[Any, ...]]:
            each = ((source, None) for source in sources) if links is None else zip(sources, links, strict=True)
            for source, by_hand in each:
                given = _sendable(source, by_hand, shaders) if self._farm is not None else _plain_source(source)
                yield given, chosen, quality, allow_leak, sight, by_hand, shaders, self._cache

        workers = self._workers if self._farm is None else self._farm
        for number, result in workers.run(arguments(), in_order=in_order):
            found = _unpacked(result) if isinstance(result, bytes) else result
            yield number, error_of_death(f"map {number}", self._limits) if found is None else found

    def close(self) -> None:
        """End the workers. The pool can be used again; it then starts new ones. Workers of a cluster stay."""
        self._workers.close()
        if self._farm is not None:
            self._farm.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _plain_source(source: Source) -> str | bytes:
    """A source that can be sent to another process."""
    if isinstance(source, str | bytes):
        return source
    if isinstance(source, os.PathLike):
        return os.fsdecode(source)
    return _source(source, None).data


def _sendable(source: Source, links: AnyLinks | None, shaders: AnyPaths) -> MapSource | AasError:
    """A source that can be sent to another machine; the error of one that cannot be read is sent and comes back."""
    try:
        return _source(source, None, links, shaders)
    except AasError as error:
        return error


def _compile_one(
    source: str | bytes,
    settings: Settings,
    quality: bool,
    allow_leak: bool,
    sight: bool,
    links: AnyLinks | None,
    shaders: AnyPaths,
    cache: Cache | None,
) -> CompiledMap | AasError:
    """Compile a map in a worker. Errors are values there."""
    try:
        return compile_map(
            source, settings, threads=1,
            quality=quality, allow_leak=allow_leak, sight=sight, links=links, shaders=shaders, cache=cache,
        )  # fmt: skip
    except AasError as error:
        return error


def _compile_packed(
    source: MapSource | AasError,
    settings: Settings,
    quality: bool,
    allow_leak: bool,
    sight: bool,
    links: AnyLinks | None,
    shaders: AnyPaths,
    cache: Cache | None,
) -> bytes | AasError:
    """Compile a map on another machine. It has been sent with what ``links`` and ``shaders`` name here."""
    if isinstance(source, AasError):
        return source
    try:
        made = compile_map(
            cast(Any, source), settings, threads=1,
            quality=quality, allow_leak=allow_leak, sight=sight, cache=cache,
        )  # fmt: skip
    except AasError as error:
        return error
    about = {"provenance": asdict(made.provenance), "warnings": made.warnings, "dropped": made.dropped}
    return pack(about, to_columns(made))


def _unpacked(data: bytes) -> CompiledMap:
    """A map that was compiled on another machine."""
    found = unpack(data)
    about = found.about
    compiled = from_columns(found.columns, Provenance(**about["provenance"]))
    return with_methods(compiled, tuple(about["warnings"]), tuple(about["dropped"]))


def _source(
    source: Source, name: str | None, links: AnyLinks | None = None, shaders: AnyPaths = ()
) -> MapSource:  # fmt: skip
    """Bytes and name of a map, what was made by hand, and the game's files."""
    paths = [os.fsdecode(each) for each in ((shaders,) if isinstance(shaders, str | os.PathLike) else shaders)]
    if isinstance(source, str | os.PathLike):
        read = read_map_file(source, shaders=paths)
        found = read if name is None else replace(read, name=name)
    else:
        found = source if isinstance(source, MapSource) else _in_memory(source, name)
        if paths and is_source(found):
            found = replace(found, game=files_of(None, found.data, paths))
    if isinstance(links, Mapping):
        return replace(found, added=entities_of(links, "links"), side_file="links")
    return found if links is None else with_links(found, links)


def _in_memory(source: bytes | bytearray | memoryview | BinaryFile, name: str | None) -> MapSource:
    """Bytes and name of a map that is no file, or an open one."""
    if isinstance(source, bytes | bytearray | memoryview):
        return MapSource(bytes(source), name or UNNAMED)
    given = getattr(source, "name", None)
    called = name or (given if isinstance(given, str) else UNNAMED)
    try:
        data: object = source.read(MAX_BYTES + 1)
    except OSError as error:
        raise MapError(called, f"cannot be read: {error.strerror or error}") from None
    if not isinstance(data, bytes):
        raise MapError(called, "is open in text mode; open it in binary mode")
    return MapSource(data, called)


def _settings(given: AnySettings | None) -> Settings:
    """Settings from any of the accepted forms. Raises SettingsError if a value is unknown or out of range."""
    if given is None:
        return QUAKE3
    if isinstance(given, Settings):
        return settings_of(asdict(given), "settings")
    if isinstance(given, Mapping):
        return settings_of(given, "settings")
    text = os.fsdecode(given)
    if text in PRESETS or text in GAMES:
        return find_preset(text)
    if not os.path.exists(text):
        raise SettingsError(text, "", f"is neither a preset ({', '.join(GAMES)}) nor a file")
    return read_settings(text)
