"""Shader scripts: what textures of .map source are filled with, where the scripts lie beside the map.

Only ``surfaceparm`` matters to the compiler. A script is a list of names, each with a block in braces::

    textures/mine/pool
    {
        surfaceparm water
        surfaceparm nonsolid
        { map textures/mine/pool.tga }
    }
"""

from __future__ import annotations

import os
import re
from typing import Final

from aascompile.errors import MapError
from aascompile.mapio.entity_text import decode_text
from aascompile.mapio.textures import Texture
from aascompile.model.contents import Contents, SurfaceFlag

SUFFIX: Final = ".shader"

MAX_SCRIPTS: Final = 16 << 20
"""Limit on the bytes of all scripts of a map; the rest is ignored."""

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
    return Texture(flags, contents, "as its shader script says")


def scripts_of(path: str) -> str:
    """Text of all scripts that belong to a map: in its archive, or in ``scripts`` beside the map or its folder."""
    from aascompile.mapio.load import split_archive

    archive, _ = split_archive(path)
    if archive is not None:
        from aascompile.mapio.pk3 import read_scripts

        try:
            return _joined(read_scripts(archive, SUFFIX))
        except MapError:
            return ""
    folder = os.path.dirname(path)
    texts = []
    for place in (os.path.join(folder, "scripts"), os.path.join(folder, os.pardir, "scripts")):
        try:
            names = sorted(name for name in os.listdir(place) if name.lower().endswith(SUFFIX))
            for name in names:
                with open(os.path.join(place, name), "rb") as file:
                    texts.append(file.read(MAX_SCRIPTS))
        except OSError:
            continue
    return _joined(texts)


def _joined(texts: list[bytes]) -> str:
    return decode_text(b"\n".join(texts)[:MAX_SCRIPTS])
