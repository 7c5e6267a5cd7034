"""What a texture's name in .map source means: surface flags and contents, by the names Quake III mappers use.

A .map names textures only; their properties stand in the game's shader scripts, which are seldom at hand. The tables
here hold the names that every game of the family shares, and rules for liquids, fogs and skies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from aascompile.model.contents import Contents, Surface

_HIDDEN = Surface.NODRAW | Surface.NOLIGHTMAP | Surface.NOMARKS
_GHOST = _HIDDEN | Surface.NONSOLID
_CLIP = _GHOST | Surface.NOIMPACT


@dataclass(frozen=True, slots=True)
class Meaning:
    """Surface flags and contents of a texture, and why it has them."""

    flags: Surface
    contents: Contents
    why: str


COMMON: dict[str, Meaning] = {
    "areaportal": Meaning(_GHOST, Contents.AREAPORTAL, "stands in a doorway that a door closes"),
    "antiportal": Meaning(_GHOST, Contents.TRANSLUCENT, "only hides what is behind it from the renderer"),
    "botclip": Meaning(_CLIP, Contents.BOTCLIP | Contents.TRANSLUCENT, "a wall for bots alone"),
    "nobotclip": Meaning(_CLIP, Contents.NOBOTCLIP | Contents.TRANSLUCENT, "lets bots through where players are held"),
    "caulk": Meaning(_HIDDEN, Contents.SOLID, "a wall that is never seen"),
    "clip": Meaning(_CLIP, Contents.PLAYERCLIP, "holds players, lets shots through"),
    "playerclip": Meaning(_CLIP, Contents.PLAYERCLIP, "another name of clip"),
    "full_clip": Meaning(Surface.NODRAW, Contents.PLAYERCLIP, "the playerclip mark takes the solid one away"),
    "fullclip": Meaning(Surface.NODRAW, Contents.PLAYERCLIP, "another name of full_clip"),
    "missileclip": Meaning(_HIDDEN | Surface.NODAMAGE, Contents.PLAYERCLIP, "marked playerclip in Team Arena"),
    "monsterclip": Meaning(_CLIP, Contents.MONSTERCLIP, "for monsters, not for players"),
    "clipmonster": Meaning(_CLIP, Contents.MONSTERCLIP, "Wolfenstein's name of monsterclip"),
    "weapclip": Meaning(_HIDDEN, Contents.SOLID | Contents.TRANSLUCENT, "an unseen wall for shots and so for all"),
    "clipweap": Meaning(_HIDDEN, Contents.SOLID | Contents.TRANSLUCENT, "Wolfenstein's name of weapclip"),
    "clusterportal": Meaning(_GHOST, Contents.CLUSTERPORTAL | Contents.TRANSLUCENT, "divides the bots' map here"),
    "donotenter": Meaning(_GHOST, Contents.DONOTENTER | Contents.TRANSLUCENT, "bots keep out if they can"),
    "do_not_enter": Meaning(_GHOST, Contents.DONOTENTER | Contents.TRANSLUCENT, "another name of donotenter"),
    "hint": Meaning(
        _GHOST | Surface.NOIMPACT | Surface.HINT,
        Contents.STRUCTURAL | Contents.TRANSLUCENT,
        "asks for a split of the tree here",
    ),
    "hintskip": Meaning(
        _GHOST | Surface.NOIMPACT | Surface.SKIP,
        Contents.STRUCTURAL | Contents.TRANSLUCENT,
        "the sides of a hint brush that ask for nothing",
    ),
    "skip": Meaning(_GHOST | Surface.SKIP, Contents.STRUCTURAL | Contents.TRANSLUCENT, "another name of hintskip"),
    "invisible": Meaning(Surface.NOLIGHTMAP, Contents.SOLID, "drawn, but wholly transparent: still a wall"),
    "nodraw": Meaning(_GHOST, Contents.TRANSLUCENT, "the unseen sides of liquids: holds nobody, unlike caulk"),
    "nodrawnonsolid": Meaning(Surface.NODRAW | Surface.NONSOLID, Contents(0), "as nodraw"),
    "nodrop": Meaning(_GHOST, Contents.NODROP | Contents.TRANSLUCENT, "what falls here vanishes"),
    "origin": Meaning(_GHOST, Contents.ORIGIN, "its centre is the point its entity turns about"),
    "slick": Meaning(_HIDDEN | Surface.SLICK, Contents.SOLID | Contents.TRANSLUCENT, "a wall without friction"),
    "cushion": Meaning(_HIDDEN | Surface.NODAMAGE, Contents.SOLID | Contents.TRANSLUCENT, "a floor that never hurts"),
    "trigger": Meaning(
        Surface.NODRAW,
        Contents.TRIGGER,
        "its entity says what it does; compiled maps call it solid, but in the world that would be a wall",
    ),
    "watercaulk": Meaning(_GHOST, Contents.WATER | Contents.TRANSLUCENT, "unseen side of water"),
    "slimecaulk": Meaning(_GHOST, Contents.SLIME | Contents.TRANSLUCENT, "unseen side of slime"),
    "lavacaulk": Meaning(_GHOST, Contents.LAVA | Contents.TRANSLUCENT, "unseen side of lava"),
}
"""Names in the folder ``common/``; a name without any folder that stands here means the same."""

_LADDER = Meaning(_CLIP | Surface.LADDER, Contents.PLAYERCLIP, "a clip brush to climb on")
_LIQUID = Surface.NONSOLID | Surface.NOLIGHTMAP | Surface.NOMARKS
_LAVA = Meaning(_LIQUID | Surface.NOIMPACT, Contents.LAVA | Contents.TRANSLUCENT, "hot")
_SLIME = Meaning(_LIQUID, Contents.SLIME | Contents.TRANSLUCENT, "corrosive")
_WATER = Meaning(_LIQUID, Contents.WATER | Contents.TRANSLUCENT, "to swim in")
_FOG = Meaning(_LIQUID, Contents.FOG | Contents.TRANSLUCENT, "to look through")
_SKY = Meaning(
    Surface.SKY | Surface.NOIMPACT | Surface.NOMARKS | Surface.NOLIGHTMAP, Contents.SOLID, "a wall that looks far away"
)
_WALL = Meaning(Surface(0), Contents.SOLID, "every texture that says nothing else")

RULES: tuple[tuple[re.Pattern[str], Meaning], ...] = tuple(
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
def meaning(texture: str) -> Meaning:
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
