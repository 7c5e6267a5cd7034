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
from aascompile.model.contents import CURRENT_BITS, CURRENTS, FIRST_CURRENT, Contents, SurfaceFlag
from aascompile.model.mapdata import Bits, MapData
from aascompile.settings import QUAKE3, Settings
from aascompile.settings_file import find_preset

LADDER: Final = "ladder"
"""Name in the table of contents for brushes that can be climbed. In Quake III, surfaces are marked instead."""


SOURCE: Final = "map"
"""Format of map source."""

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
    if replace(settings, mode="") == QUAKE3:
        return replace(preset, mode=settings.mode)
    return replace(settings, contents=preset.contents, surfaces=preset.surfaces, entities=preset.entities)


def as_quake3(map_data: MapData, settings: Settings) -> MapData:
    """A map of the game that the settings describe, in terms of Quake III. Source has such bits already."""
    made = map_data
    if map_data.format != SOURCE:
        brushes, patches, shaders = map_data.brushes, map_data.patches, map_data.shaders
        flags = flags_in_quake3(brushes.side_flags, settings)
        of_side = np.repeat(climbed(brushes.contents, settings), np.diff(brushes.side_start))
        made = replace(
            map_data,
            brushes=replace(
                brushes,
                contents=contents_in_quake3(brushes.contents, settings),
                side_flags=np.where(of_side, flags | np.uint32(SurfaceFlag.LADDER), flags),
            ),
            patches=replace(
                patches,
                contents=contents_in_quake3(patches.contents, settings),
                flags=flags_in_quake3(patches.flags, settings),
            ),
            shaders=replace(
                shaders,
                contents=contents_in_quake3(shaders.contents, settings),
                flags=flags_in_quake3(shaders.flags, settings),
            ),
        )
    if not settings.entities:
        return made
    from aascompile.mapio.game_entities import with_roles

    return with_roles(made, settings)


def contents_in_quake3(raw: Bits, settings: Settings) -> Bits:
    """Contents bits of a map file in Quake III's numbers. Quake III itself has no currents, whatever a file says."""
    if not settings.contents:
        return raw & ~np.uint32(sum(ours for _, ours, _ in CURRENT_BITS))
    own = [(name, bits) for name, bits in settings.contents if name != LADDER and name not in CURRENTS]
    pairs = [(bits, _named(Contents, "contents", name)) for name, bits in own]
    return _translated(raw, pairs) | _currents(raw, settings)


def _currents(raw: Bits, settings: Settings) -> Bits:
    """Contents bits of the currents of a map file. A brush with several has none: their sum is no direction of ours."""
    table = dict(settings.contents)
    flows = [(raw & np.uint32(table.get(name, 0))) != 0 for name in CURRENTS]
    number = np.sum([(FIRST_CURRENT + row) * has for row, has in enumerate(flows)], axis=0)
    number[np.sum(flows, axis=0) != 1] = 0
    made = np.zeros(len(raw), np.uint32)
    for bit, ours, _ in CURRENT_BITS:
        made[(number & bit) != 0] |= np.uint32(ours)
    return made


def flags_in_quake3(raw: Bits, settings: Settings) -> Bits:
    """Surface flags of a map file in Quake III's numbers."""
    pairs = [(bits, _named(SurfaceFlag, "surfaces", name)) for name, bits in settings.surfaces]
    return _translated(raw, pairs) if settings.surfaces else raw


def climbed(contents: Bits, settings: Settings) -> NDArray[np.bool_]:
    """Which brushes are ladders by their contents."""
    bits = np.uint32(dict(settings.contents).get(LADDER, 0))
    return np.asarray((contents & bits) != 0)


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
