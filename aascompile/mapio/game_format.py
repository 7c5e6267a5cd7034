"""Converts what a map file means in another game to the meanings of Quake III, so that later stages know one game.

The tables ``contents``, ``surfaces`` and ``entities`` of the settings say how. Without tables nothing changes.
"""

from __future__ import annotations

from dataclasses import replace
from enum import IntFlag
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import SettingsError
from aascompile.mapio.game_entities import with_roles
from aascompile.model.contents import Contents, SurfaceFlag
from aascompile.model.mapdata import Bits, Brushes, MapData
from aascompile.settings import QUAKE3, Settings, Table
from aascompile.settings_file import find_preset

LADDER: Final = "ladder"
"""Name in the table of contents for brushes that can be climbed. In Quake III, surfaces are marked instead."""


GAME_OF_FORMAT: Final = {"IBSP 38": "quake2"}
"""Formats that only one game uses, and its preset."""


def fitting_settings(map_data: MapData, settings: Settings) -> Settings:
    """The settings with the tables of the map's game, if the format belongs to one game alone.

    If the settings are the defaults, the player is that game's too.
    """
    game = GAME_OF_FORMAT.get(map_data.format)
    if game is None or settings.contents:
        return settings
    preset = find_preset(game)
    if settings == QUAKE3:
        return preset
    return replace(settings, contents=preset.contents, surfaces=preset.surfaces, entities=preset.entities)


def as_quake3(map_data: MapData, settings: Settings) -> MapData:
    """A map of the game that the settings describe, in terms of Quake III."""
    made = map_data
    if settings.contents:
        made = _with_contents(made, settings.contents)
    if settings.surfaces:
        made = _with_surfaces(made, settings.surfaces)
    if settings.contents and dict(settings.contents).get(LADDER):
        ladder = (map_data.brushes.contents & np.uint32(dict(settings.contents)[LADDER])) != 0
        made = replace(made, brushes=_with_ladders(made.brushes, ladder))
    return with_roles(made, settings) if settings.entities else made


def _with_contents(map_data: MapData, table: Table) -> MapData:
    """The map with Quake III's contents bits."""
    pairs = [(bits, _named(Contents, "contents", name)) for name, bits in table if name != LADDER]

    def bits_of(raw: Bits) -> Bits:
        return _translated(raw, pairs)

    return replace(
        map_data,
        brushes=replace(map_data.brushes, contents=bits_of(map_data.brushes.contents)),
        patches=replace(map_data.patches, contents=bits_of(map_data.patches.contents)),
        shaders=replace(map_data.shaders, contents=bits_of(map_data.shaders.contents)),
    )


def _with_surfaces(map_data: MapData, table: Table) -> MapData:
    """The map with Quake III's surface flags."""
    pairs = [(bits, _named(SurfaceFlag, "surfaces", name)) for name, bits in table]
    return replace(
        map_data,
        brushes=replace(map_data.brushes, side_flags=_translated(map_data.brushes.side_flags, pairs)),
        patches=replace(map_data.patches, flags=_translated(map_data.patches.flags, pairs)),
        shaders=replace(map_data.shaders, flags=_translated(map_data.shaders.flags, pairs)),
    )


def _with_ladders(brushes: Brushes, ladder: NDArray[np.bool_]) -> Brushes:
    """The brushes with all sides of ladders marked."""
    flags = brushes.side_flags.copy()
    flags[np.repeat(ladder, np.diff(brushes.side_start))] |= np.uint32(SurfaceFlag.LADDER)
    return replace(brushes, side_flags=flags)


def _translated(raw: Bits, pairs: list[tuple[int, int]]) -> Bits:
    """Bits of a file in our numbers. Bits without a name are dropped."""
    made = np.zeros(len(raw), np.uint32)
    for theirs, ours in pairs:
        made[(raw & np.uint32(theirs)) != 0] |= np.uint32(ours)
    return made


def _named(kind: type[IntFlag], table: str, name: str) -> int:
    """Our bit of a name in a table."""
    found = kind.__members__.get(name.upper())
    if found is None:
        valid = ", ".join(member.lower() for member in kind.__members__)
        raise SettingsError("game", f"{table}.{name}", f"is unknown; expected one of {valid}")
    return int(found)
