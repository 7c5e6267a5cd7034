"""Contents and flags derived from texture names."""

from __future__ import annotations

import pytest

from aascompile.mapio import textures
from aascompile.mapio.source import read_source
from aascompile.mapio.textures import COMMON, MIXED, meaning, precedence, shader_name
from aascompile.model.contents import BLOCKS_PLAYER, LIQUID, Contents, SurfaceFlag
from tests.furniture import Text


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        ("common/clip", Contents.PLAYERCLIP),
        ("common/playerclip", Contents.PLAYERCLIP),
        ("common/weapclip", Contents.SOLID),
        ("common/caulk", Contents.SOLID),
        ("common/slick", Contents.SOLID),
        ("common/system", Contents.SOLID),
        ("common/botclip", Contents.BOTCLIP),
        ("common/nobotclip", Contents.NOBOTCLIP),
        ("common/donotenter", Contents.DONOTENTER),
        ("common/clusterportal", Contents.CLUSTERPORTAL),
        ("common/areaportal", Contents.AREAPORTAL),
        ("common/nodraw", Contents(0)),
        ("common/nodrawnonsolid", Contents(0)),
        ("common/antiportal", Contents(0)),
        ("common/trigger", Contents.TRIGGER),
        ("common/origin", Contents.ORIGIN),
        ("common/nodrop", Contents.NODROP),
        ("common/hint", Contents.STRUCTURAL),
        ("common/skip", Contents.STRUCTURAL),
        ("common/hintskip", Contents.STRUCTURAL),
        ("common/ladderclip", Contents.PLAYERCLIP),
        ("common/my_ladder_2", Contents.PLAYERCLIP),
        ("liquids/clear_ripple1", Contents.WATER),
        ("liquids/clear_calm1", Contents.WATER),
        ("liquids/proto_poolpond", Contents.WATER),
        ("liquids/lavahell_750", Contents.LAVA),
        ("liquids/protolava", Contents.LAVA),
        ("liquids/slime1_2000", Contents.SLIME),
        ("mine/water", Contents.WATER),
        ("mine/water2", Contents.WATER),
        ("ice/coldwater", Contents.WATER),
        ("mine/lava1", Contents.LAVA),
        ("mine/slime0", Contents.SLIME),
        ("*lava1", Contents.LAVA),
        ("clip", Contents.PLAYERCLIP),
        ("sfx/hellfog", Contents.FOG),
        ("fogs/grey", Contents.FOG),
        ("skies/hellsky", Contents.SOLID),
        ("base_wall/lavarock", Contents.SOLID),
        ("base_wall/waterpipe", Contents.SOLID),
        ("base_wall/slimewall", Contents.SOLID),
        ("gothic_wall/skull", Contents.SOLID),
        ("base_wall/clip", Contents.SOLID),
        ("", Contents.SOLID),
    ],
)
def test_names_give_contents_in_any_spelling(name: str, contents: Contents):
    ignored = Contents.TRANSLUCENT
    for spelling in (name, f"textures/{name}", name.upper(), f"Textures\\{name}".replace("/", "\\")):
        assert meaning(spelling).contents & ~ignored == contents, spelling


def test_special_names_set_surface_flags():
    assert meaning("common/ladderclip").flags & SurfaceFlag.LADDER
    assert meaning("common/hint").flags & SurfaceFlag.HINT
    assert not meaning("common/skip").flags & SurfaceFlag.HINT
    assert meaning("skies/anything").flags & SurfaceFlag.SKY
    assert meaning("common/slick").flags & SurfaceFlag.SLICK


def test_nonsolid_flags_and_contents_agree():
    for name, row in COMMON.items():
        if row.contents & Contents.SOLID:
            assert not row.flags & SurfaceFlag.NONSOLID, name
        assert not (row.contents & LIQUID and row.contents & BLOCKS_PLAYER), name


def test_precedence_lists_every_bit_once():
    assert len(set(MIXED)) == len(MIXED)
    assert precedence(Contents.WATER | Contents.SOLID) == MIXED.index(Contents.WATER)
    assert precedence(0) == len(MIXED)


def test_shader_names_have_the_prefix_and_forward_slashes():
    assert shader_name("common/clip") == shader_name("textures/common/clip") == "textures/common/clip"
    assert shader_name("common\\clip") == "textures/common/clip"


@pytest.mark.corpus
def test_the_tables_agree_with_compiled_maps(corpus):
    """For every shared name in real maps, the bits that block a player or fill a volume with liquid are the same.

    If contents combine several liquids (some of id's lava is also marked water and fog), the worst counts.
    """
    import struct

    matters = BLOCKS_PLAYER | LIQUID | Contents.CLUSTERPORTAL | Contents.DONOTENTER
    compared = 0
    for path in sorted(corpus.glob("*.bsp")):
        data = path.read_bytes()
        start, size = struct.unpack_from("<ii", data, 16)
        for row in range(start, start + size, 72):
            name = data[row : row + 64].split(b"\0")[0].decode("latin-1").lower()
            _, folder, _ = f"{name}//".split("/", 2)
            if folder not in ("common", "liquids") or name.endswith(("common/trigger", "liquids/tele")):
                continue
            bits = struct.unpack_from("<I", data, row + 68)[0]
            assert precedence(bits & matters) == precedence(meaning(name).contents & matters), name
            compared += 1
    assert compared > 50


def test_ranks_are_computed_once_for_each_contents(monkeypatch):
    """Work is counted: 500 textures have two kinds of contents."""
    asked = []

    def counting(bits):
        asked.append(bits)
        return precedence(bits)

    monkeypatch.setattr(textures, "precedence", counting)
    written = Text()
    for n in range(500):
        written.box((0, 0, 0), (16, 16, 16), f"liquids/w{n}" if n % 2 else f"wall/w{n}")
    text = f'{{\n"classname" "worldspawn"\n{"".join(written.world)}}}\n'
    data = read_source(text, text.encode(), "x.map")
    assert len(data.shaders.name) == 500
    assert len(asked) == len(set(asked)) == 2
