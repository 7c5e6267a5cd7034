"""What a texture's name in .map source means: surface flags and contents, by the names Quake III mappers use.

A .map names textures only; their properties stand in the game's shader scripts, which are seldom at hand. The tables
here hold the names that every game of the family shares, and rules for liquids, fogs and skies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from aascompile.model.contents import Contents, SurfaceFlag

_HIDDEN = SurfaceFlag.NODRAW | SurfaceFlag.NOLIGHTMAP | SurfaceFlag.NOMARKS
_GHOST = _HIDDEN | SurfaceFlag.NONSOLID
_CLIP = _GHOST | SurfaceFlag.NOIMPACT


@dataclass(frozen=True, slots=True)
class Texture:
    """Surface flags and contents of a texture, and why it has them."""

    flags: SurfaceFlag
    contents: Contents
    why: str


COMMON: dict[str, Texture] = {
    "areaportal": Texture(_GHOST, Contents.AREAPORTAL, "stands in a doorway that a door closes"),
    "antiportal": Texture(_GHOST, Contents.TRANSLUCENT, "only hides what is behind it from the renderer"),
    "botclip": Texture(_CLIP, Contents.BOTCLIP | Contents.TRANSLUCENT, "a wall for bots alone"),
    "nobotclip": Texture(_CLIP, Contents.NOBOTCLIP | Contents.TRANSLUCENT, "lets bots through where players are held"),
    "caulk": Texture(_HIDDEN, Contents.SOLID, "a wall that is never seen"),
    "clip": Texture(_CLIP, Contents.PLAYERCLIP, "holds players, lets shots through"),
    "playerclip": Texture(_CLIP, Contents.PLAYERCLIP, "another name of clip"),
    "full_clip": Texture(SurfaceFlag.NODRAW, Contents.PLAYERCLIP, "the playerclip mark takes the solid one away"),
    "fullclip": Texture(SurfaceFlag.NODRAW, Contents.PLAYERCLIP, "another name of full_clip"),
    "missileclip": Texture(_HIDDEN | SurfaceFlag.NODAMAGE, Contents.PLAYERCLIP, "marked playerclip in Team Arena"),
    "monsterclip": Texture(_CLIP, Contents.MONSTERCLIP, "for monsters, not for players"),
    "clipmonster": Texture(_CLIP, Contents.MONSTERCLIP, "Wolfenstein's name of monsterclip"),
    "weapclip": Texture(_HIDDEN, Contents.SOLID | Contents.TRANSLUCENT, "an unseen wall for shots and so for all"),
    "clipweap": Texture(_HIDDEN, Contents.SOLID | Contents.TRANSLUCENT, "Wolfenstein's name of weapclip"),
    "clusterportal": Texture(_GHOST, Contents.CLUSTERPORTAL | Contents.TRANSLUCENT, "divides the bots' map here"),
    "donotenter": Texture(_GHOST, Contents.DONOTENTER | Contents.TRANSLUCENT, "bots keep out if they can"),
    "do_not_enter": Texture(_GHOST, Contents.DONOTENTER | Contents.TRANSLUCENT, "another name of donotenter"),
    "hint": Texture(
        _GHOST | SurfaceFlag.NOIMPACT | SurfaceFlag.HINT,
        Contents.STRUCTURAL | Contents.TRANSLUCENT,
        "asks for a split of the tree here",
    ),
    "hintskip": Texture(
        _GHOST | SurfaceFlag.NOIMPACT | SurfaceFlag.SKIP,
        Contents.STRUCTURAL | Contents.TRANSLUCENT,
        "the sides of a hint brush that ask for nothing",
    ),
    "skip": Texture(_GHOST | SurfaceFlag.SKIP, Contents.STRUCTURAL | Contents.TRANSLUCENT, "another name of hintskip"),
    "invisible": Texture(SurfaceFlag.NOLIGHTMAP, Contents.SOLID, "drawn, but wholly transparent: still a wall"),
    "nodraw": Texture(_GHOST, Contents.TRANSLUCENT, "the unseen sides of liquids: holds nobody, unlike caulk"),
    "nodrawnonsolid": Texture(SurfaceFlag.NODRAW | SurfaceFlag.NONSOLID, Contents(0), "as nodraw"),
    "nodrop": Texture(_GHOST, Contents.NODROP | Contents.TRANSLUCENT, "what falls here vanishes"),
    "origin": Texture(_GHOST, Contents.ORIGIN, "its centre is the point its entity turns about"),
    "slick": Texture(_HIDDEN | SurfaceFlag.SLICK, Contents.SOLID | Contents.TRANSLUCENT, "a wall without friction"),
    "cushion": Texture(
        _HIDDEN | SurfaceFlag.NODAMAGE, Contents.SOLID | Contents.TRANSLUCENT, "a floor that never hurts"
    ),
    "trigger": Texture(
        SurfaceFlag.NODRAW,
        Contents.TRIGGER,
        "its entity says what it does; compiled maps call it solid, but in the world that would be a wall",
    ),
    "watercaulk": Texture(_GHOST, Contents.WATER | Contents.TRANSLUCENT, "unseen side of water"),
    "slimecaulk": Texture(_GHOST, Contents.SLIME | Contents.TRANSLUCENT, "unseen side of slime"),
    "lavacaulk": Texture(_GHOST, Contents.LAVA | Contents.TRANSLUCENT, "unseen side of lava"),
}
"""Names in the folder ``common/``; a name without any folder that stands here means the same."""

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
_WALL = Texture(SurfaceFlag(0), Contents.SOLID, "every texture that says nothing else")

RULES: tuple[tuple[re.Pattern[str], Texture], ...] = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (r"common/[^/]*ladder.*", _LADDER),
        (r"(?:.*/)?ladder_?clip", _LADDER),
        (r"liquids/.*lava.*", _LAVA),
        (r"liquids/.*(?:slime|gruel).*", _SLIME),  # Quake III's "proto_gruel" shaders are slime
        (r"liquids/.*", _WATER),  # clear_ripple, clear_calm, proto_poolpond, …: what is neither hot nor green is water
        # Elsewhere the name must say it itself; "lavarock" and "waterpipe" are walls.
        (r"(?:.*/)?[*!#]?lava(?:hell[^/]*|[\d_]*|_?flow[^/]*)", _LAVA),
        (r"(?:.*/)?[*!#]?slime[\d_]*[a-z]?", _SLIME),
        (r"(?:.*/)?[*!#]?(?:clear_?|cold_?|dirty_?)?water[\d_]*[a-z]?", _WATER),
        (r"fogs/.*", _FOG),
        (r"(?:.*/)?[^/]*fog(?:_?\d+)?", _FOG),
        (r"skies/.*", _SKY),
        (r"(?:.*/)?sky(?:_?\d+|box)?", _SKY),
    )
)
"""Rules over whole names (lower case, without ``textures/``); the first that fits counts."""

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
"""Which side speaks for a brush whose sides differ: the one with the earliest of these bits, the first of equals.

Quake III's compiler takes the first side and complains about the rest. But mappers give a pool the liquid on top and
nodraw or caulk elsewhere, a hint brush hint on one side and skip elsewhere, and rely on the special one: so what is
special wins over solid (STRUCTURAL stands for hint and skip), and solid over clip and over what is only not drawn.
"""


def shader_name(texture: str) -> str:
    """A texture's name as compiled maps write it: with ``textures/`` in front and forward slashes."""
    name = texture.replace("\\", "/")
    return name if name.lower().startswith("textures/") else f"textures/{name}"


@cache
def meaning(texture: str) -> Texture:
    """What a texture means, whatever its case and with or without ``textures/`` in front."""
    name = shader_name(texture).lower().removeprefix("textures/")
    folder, _, base = name.rpartition("/")
    if folder in ("", "common") and base in COMMON:
        return COMMON[base]
    for pattern, found in RULES:
        if pattern.fullmatch(name):
            return found
    return _WALL


def precedence(contents: int) -> int:
    """Rank of a side's contents among those of its brush; the lowest speaks for the brush."""
    for rank, bit in enumerate(MIXED):
        if contents & bit:
            return rank
    return len(MIXED)
