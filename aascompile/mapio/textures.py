"""Surface flags and contents of textures in .map source, derived from the names that Quake III mappers use.

A .map file only names its textures. Their properties are in the game's shader scripts, which are rarely available. The
tables here hold the names that all games of the family share, and rules for liquids, fogs and skies.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from aascompile.distinct import distinct
from aascompile.model.contents import Contents, SurfaceFlag
from aascompile.records import dataclass

if TYPE_CHECKING:
    from aascompile.model.mapdata import MapData

_HIDDEN = SurfaceFlag.NODRAW | SurfaceFlag.NOLIGHTMAP | SurfaceFlag.NOMARKS
_GHOST = _HIDDEN | SurfaceFlag.NONSOLID
_CLIP = _GHOST | SurfaceFlag.NOIMPACT


@dataclass(frozen=True, slots=True)
class Texture:
    """Surface flags and contents of a texture, and the reason for them."""

    flags: SurfaceFlag
    contents: Contents
    why: str
    clips_models: bool = False
    """Whether models with this texture are solid, whatever their entity says."""


COMMON: dict[str, Texture] = {
    "areaportal": Texture(_GHOST, Contents.AREAPORTAL, "placed in a doorway that a door closes"),
    "antiportal": Texture(_GHOST, Contents.TRANSLUCENT, "only tells the renderer to skip what is behind it"),
    "botclip": Texture(_CLIP, Contents.BOTCLIP | Contents.TRANSLUCENT, "a wall for bots alone"),
    "nobotclip": Texture(_CLIP, Contents.NOBOTCLIP | Contents.TRANSLUCENT, "lets bots through, blocks players"),
    "caulk": Texture(_HIDDEN, Contents.SOLID, "a wall that is never drawn"),
    "clip": Texture(_CLIP, Contents.PLAYERCLIP, "blocks players, lets shots through"),
    "playerclip": Texture(_CLIP, Contents.PLAYERCLIP, "another name for clip"),
    "full_clip": Texture(SurfaceFlag.NODRAW, Contents.PLAYERCLIP, "the playerclip bit replaces the solid bit"),
    "fullclip": Texture(SurfaceFlag.NODRAW, Contents.PLAYERCLIP, "another name for full_clip"),
    "missileclip": Texture(_HIDDEN | SurfaceFlag.NODAMAGE, Contents.PLAYERCLIP, "marked playerclip in Team Arena"),
    "monsterclip": Texture(_CLIP, Contents.MONSTERCLIP, "blocks monsters, not players"),
    "clipmonster": Texture(_CLIP, Contents.MONSTERCLIP, "Wolfenstein's name for monsterclip"),
    "weapclip": Texture(
        _HIDDEN, Contents.SOLID | Contents.TRANSLUCENT, "an invisible wall against shots, and so for all"
    ),
    "clipweap": Texture(_HIDDEN, Contents.SOLID | Contents.TRANSLUCENT, "Wolfenstein's name for weapclip"),
    "clusterportal": Texture(_GHOST, Contents.CLUSTERPORTAL | Contents.TRANSLUCENT, "marks a cluster portal for bots"),
    "donotenter": Texture(_GHOST, Contents.DONOTENTER | Contents.TRANSLUCENT, "bots avoid it if they can"),
    "do_not_enter": Texture(_GHOST, Contents.DONOTENTER | Contents.TRANSLUCENT, "another name for donotenter"),
    "hint": Texture(
        _GHOST | SurfaceFlag.NOIMPACT | SurfaceFlag.HINT,
        Contents.STRUCTURAL | Contents.TRANSLUCENT,
        "asks for a split of the tree",
    ),
    "hintskip": Texture(
        _GHOST | SurfaceFlag.NOIMPACT | SurfaceFlag.SKIP,
        Contents.STRUCTURAL | Contents.TRANSLUCENT,
        "the sides of a hint brush that ask for nothing",
    ),
    "skip": Texture(_GHOST | SurfaceFlag.SKIP, Contents.STRUCTURAL | Contents.TRANSLUCENT, "another name for hintskip"),
    "invisible": Texture(SurfaceFlag.NOLIGHTMAP, Contents.SOLID, "drawn fully transparent, but still a wall"),
    "nodraw": Texture(_GHOST, Contents.TRANSLUCENT, "invisible sides of liquids: blocks no player, unlike caulk"),
    "nodrawnonsolid": Texture(SurfaceFlag.NODRAW | SurfaceFlag.NONSOLID, Contents(0), "like nodraw"),
    "nodrop": Texture(_GHOST, Contents.NODROP | Contents.TRANSLUCENT, "items dropped here vanish"),
    "origin": Texture(_GHOST, Contents.ORIGIN, "its centre is the point that its entity rotates about"),
    "slick": Texture(_HIDDEN | SurfaceFlag.SLICK, Contents.SOLID | Contents.TRANSLUCENT, "a wall without friction"),
    "cushion": Texture(
        _HIDDEN | SurfaceFlag.NODAMAGE, Contents.SOLID | Contents.TRANSLUCENT, "a floor that never hurts"
    ),
    "trigger": Texture(
        SurfaceFlag.NODRAW,
        Contents.TRIGGER,
        "its entity defines the effect; compiled maps mark it solid, but in the world that would be a wall",
    ),
    "watercaulk": Texture(_GHOST, Contents.WATER | Contents.TRANSLUCENT, "invisible side of water"),
    "slimecaulk": Texture(_GHOST, Contents.SLIME | Contents.TRANSLUCENT, "invisible side of slime"),
    "lavacaulk": Texture(_GHOST, Contents.LAVA | Contents.TRANSLUCENT, "invisible side of lava"),
}
"""Names in the folder ``common/``. The same names without a folder mean the same."""

_LADDER = Texture(_CLIP | SurfaceFlag.LADDER, Contents.PLAYERCLIP, "a clip brush to climb on")
_LIQUID = SurfaceFlag.NONSOLID | SurfaceFlag.NOLIGHTMAP | SurfaceFlag.NOMARKS
_LAVA = Texture(_LIQUID | SurfaceFlag.NOIMPACT, Contents.LAVA | Contents.TRANSLUCENT, "hot")
_SLIME = Texture(_LIQUID, Contents.SLIME | Contents.TRANSLUCENT, "corrosive")
_WATER = Texture(_LIQUID, Contents.WATER | Contents.TRANSLUCENT, "to swim in")
_FOG = Texture(_LIQUID, Contents.FOG | Contents.TRANSLUCENT, "to look through")
_SKY = Texture(
    SurfaceFlag.SKY | SurfaceFlag.NOIMPACT | SurfaceFlag.NOMARKS | SurfaceFlag.NOLIGHTMAP,
    Contents.SOLID,
    "a wall that looks far away",
)
_WALL = Texture(SurfaceFlag(0), Contents.SOLID, "default for every other texture")

RULES: tuple[tuple[re.Pattern[str], Texture], ...] = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (r"common/[^/]*ladder.*", _LADDER),
        (r"(?:.*/)?ladder_?clip", _LADDER),
        (r"liquids/.*lava.*", _LAVA),
        (r"liquids/.*(?:slime|gruel).*", _SLIME),  # Quake III's "proto_gruel" shaders are slime
        (r"liquids/.*", _WATER),  # clear_ripple, clear_calm, proto_poolpond, …: every other liquid is water
        # In other folders the whole name must match: "lavarock" and "waterpipe" are walls.
        (r"(?:.*/)?[*!#]?lava(?:hell[^/]*|[\d_]*|_?flow[^/]*)", _LAVA),
        (r"(?:.*/)?[*!#]?slime[\d_]*[a-z]?", _SLIME),
        (r"(?:.*/)?[*!#]?(?:clear_?|cold_?|dirty_?)?water[\d_]*[a-z]?", _WATER),
        (r"fogs/.*", _FOG),
        (r"(?:.*/)?[^/]*fog(?:_?\d+)?", _FOG),
        (r"skies/.*", _SKY),
        (r"(?:.*/)?sky(?:_?\d+|box)?", _SKY),
    )
)
"""Patterns for complete names (lower case, without ``textures/``). The first match wins."""

MIXED: tuple[Contents, ...] = (
    Contents.ORIGIN,
    Contents.LAVA,
    Contents.SLIME,
    Contents.WATER,
    Contents.TRIGGER,
    Contents.AREAPORTAL,
    Contents.CLUSTERPORTAL,
    Contents.DONOTENTER,
    Contents.NODROP,
    Contents.FOG,
    Contents.STRUCTURAL,
    Contents.SOLID,
    Contents.PLAYERCLIP,
    Contents.BOTCLIP,
    Contents.NOBOTCLIP,
)
"""Which side decides the contents of a brush whose sides differ: the side with the earliest of these bits, then the
first such side.

Quake III's compiler takes the first side and warns about the others. But mappers put the liquid only on top of a pool
and use nodraw or caulk elsewhere, or hint on one side of a hint brush and skip elsewhere. They rely on the special
texture. So special contents win over solid (STRUCTURAL stands for hint and skip), and solid wins over clip and over
contents that are merely invisible.
"""


def shader_name(texture: str) -> str:
    """Name of a texture as compiled maps write it: with forward slashes and the prefix ``textures/``, unless it is the
    name of a model's texture."""
    name = texture.replace("\\", "/")
    return name if name.lower().startswith(("textures/", "models/")) else f"textures/{name}"


def meaning(texture: str, in_any_folder: bool = False) -> Texture:
    """Flags and contents of a texture. Case and the prefix ``textures/`` are ignored.

    ``in_any_folder``: special textures may lie in any folder.
    """
    name = shader_name(texture).lower().removeprefix("textures/")
    folder, _, base = name.rpartition("/")
    if (in_any_folder or folder in ("", "common")) and base in COMMON:
        return COMMON[base]
    for pattern, found in RULES:
        if pattern.fullmatch(name):
            return found
    return _WALL


def is_common(name: str) -> bool:
    """Whether a texture is one of COMMON: these mean the same in all games, whatever a script says."""
    folder, _, base = name.lower().removeprefix("textures/").rpartition("/")
    return folder in ("", "common") and base in COMMON


LOOKS_LIQUID = re.compile(r"water|lava|slime|liquid", re.IGNORECASE)


def source_warnings(map_data: MapData) -> list[str]:
    """What map source may not show: solid models that were not read, and walls that look like liquids."""
    found = list(map_data.warnings)
    used = distinct(map_data.brushes.shader)
    for shader in used[used >= 0].tolist():
        name = map_data.shaders.name[shader]
        if LOOKS_LIQUID.search(name) and map_data.shaders.contents[shader] & np.uint32(Contents.SOLID):
            found.append(f"'{name}' looks like a liquid, but no shader script says so: its brushes are walls")
    return found


def precedence(contents: int) -> int:
    """Rank of a side's contents in MIXED. The side with the lowest rank decides the brush's contents."""
    for rank, bit in enumerate(MIXED):
        if contents & bit:
            return rank
    return len(MIXED)
