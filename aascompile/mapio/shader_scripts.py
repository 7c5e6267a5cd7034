"""Shader scripts: what textures of .map source are filled with.

Only ``surfaceparm`` and ``q3map_clipModel`` matter to the compiler. A script is a list of names, each with
a block in braces::

    textures/mine/pool
    {
        surfaceparm water
        surfaceparm nonsolid
        { map textures/mine/pool.tga }
    }
"""

from __future__ import annotations

import re
from typing import Final

from aascompile.mapio.textures import Texture
from aascompile.model.contents import Contents, SurfaceFlag

CLIPS_MODELS: Final = "q3map_clipmodel"
"""Makes models solid whose entity does not say so."""

CONTENTS: Final = {
    "water": Contents.WATER,
    "slime": Contents.SLIME,
    "lava": Contents.LAVA,
    "fog": Contents.FOG,
    "playerclip": Contents.PLAYERCLIP,
    "monsterclip": Contents.MONSTERCLIP,
    "botclip": Contents.BOTCLIP,
    "nodrop": Contents.NODROP,
    "clusterportal": Contents.CLUSTERPORTAL,
    "donotenter": Contents.DONOTENTER,
    "areaportal": Contents.AREAPORTAL,
    "origin": Contents.ORIGIN,
    "nonsolid": Contents(0),
}
"""Parameters that replace the solid contents."""

MARKS: Final = {"trans": Contents.TRANSLUCENT, "detail": Contents.DETAIL, "structural": Contents.STRUCTURAL}
"""Parameters that add to the contents."""

FLAGS: Final = {
    "nonsolid": SurfaceFlag.NONSOLID,
    "sky": SurfaceFlag.SKY | SurfaceFlag.NOIMPACT,
    "nodraw": SurfaceFlag.NODRAW,
    "noimpact": SurfaceFlag.NOIMPACT,
    "nomarks": SurfaceFlag.NOMARKS,
    "nolightmap": SurfaceFlag.NOLIGHTMAP,
    "slick": SurfaceFlag.SLICK,
    "ladder": SurfaceFlag.LADDER,
    "nodamage": SurfaceFlag.NODAMAGE,
    "hint": SurfaceFlag.HINT,
    "skip": SurfaceFlag.SKIP,
}
"""Parameters that set surface flags."""

_TOKENS: Final = re.compile(r"//[^\n]*|/\*.*?\*/|[{}]|\n|[^\s{}]+", re.DOTALL)


def parse_scripts(text: str) -> dict[str, Texture]:
    """Textures of all shaders in some scripts, by name in lower case; the first of a name counts, as in the game."""
    found: dict[str, Texture] = {}
    name, depth, line = "", 0, []
    parameters: set[str] = set()
    for match in _TOKENS.finditer(f"{text}\n"):
        token = match[0]
        if token.startswith(("//", "/*")):
            continue
        if token not in "{}\n":
            line.append(token.lower())
            continue
        if depth == 1 and len(line) > 1 and line[0] == "surfaceparm":
            parameters.add(line[1])
        if depth == 1 and line == [CLIPS_MODELS]:
            parameters.add(CLIPS_MODELS)
        if depth == 0 and line:
            name = line[-1]
        line = []
        if token == "{":
            depth += 1
        elif token == "}":
            depth = max(depth - 1, 0)
            if depth == 0 and name:
                found.setdefault(name.replace("\\", "/"), texture_of(parameters))
                name, parameters = "", set()
    return found


def texture_of(parameters: set[str]) -> Texture:
    """Flags and contents of a shader with these parameters."""
    contents, flags = Contents.SOLID, SurfaceFlag(0)
    replaced = [CONTENTS[name] for name in sorted(parameters) if name in CONTENTS]
    if replaced:
        contents = Contents(0)
        for bits in replaced:
            contents |= bits
    for name in sorted(parameters):
        contents |= MARKS.get(name, Contents(0))
        flags |= FLAGS.get(name, SurfaceFlag(0))
    return Texture(flags, contents, "as its shader script says", CLIPS_MODELS in parameters)
