"""Loading maps by path: files, globs and archives, and one clear error for anything else."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from aascompile.errors import MapError
from aascompile.mapio import load
from aascompile.mapio.load import MapSource, expand_inputs, load_map, load_map_bytes, split_archive
from tests.mapio.ibsp_builder import room

BOX = """{
"classname" "worldspawn"
{
( 0 0 0 ) ( 0 1 0 ) ( 1 0 0 ) stone 0 0 0 0.5 0.5 0 0 0
( 0 0 8 ) ( 1 0 8 ) ( 0 1 8 ) stone 0 0 0 0.5 0.5 0 0 0
( 0 0 0 ) ( 0 0 1 ) ( 0 1 0 ) stone 0 0 0 0.5 0.5 0 0 0
( 8 0 0 ) ( 8 1 0 ) ( 8 0 1 ) stone 0 0 0 0.5 0.5 0 0 0
( 0 0 0 ) ( 1 0 0 ) ( 0 0 1 ) stone 0 0 0 0.5 0.5 0 0 0
( 0 8 0 ) ( 0 8 1 ) ( 1 8 0 ) stone 0 0 0 0.5 0.5 0 0 0
}
}
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of maps, which becomes the working directory."""
    data = room().build()
    for name in ("a.bsp", "B.BSP", "odd[1].bsp", "sub/c.bsp", "readme.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "box.map").write_text(BOX)
    (tmp_path / "empty.bsp").write_bytes(b"")
    with zipfile.ZipFile(tmp_path / "pak.pk3", "w") as pack:
        for name in ("maps/One.bsp", "maps/two.BSP", "maps/sub/three.bsp", "textures/x.tga"):
            pack.writestr(name, data)
        pack.writestr("maps/two.map", BOX)
    with zipfile.ZipFile(tmp_path / "Source.PK3", "w") as pack:
        pack.writestr("maps/box.map", BOX)
    with zipfile.ZipFile(tmp_path / "none.pk3", "w") as pack:
        pack.writestr("readme.txt", "")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", ["a.bsp", "B.BSP", "./odd[1].bsp", "pak.pk3/maps/one.bsp", "pak.pk3/maps/TWO.bsp"])
def test_compiled_maps_are_loaded(place: Path, path: str) -> None:
    data = load_map(path)
    assert (data.name, data.format, len(data.brushes)) == (path, "IBSP 46", 3)
    assert load_map(place / path).sha256 == data.sha256


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("box.map", "box.map"),
        ("Source.PK3/maps/box.map", "Source.PK3/maps/box.map"),
        ("Source.PK3", "Source.PK3/maps/box.map"),
    ],
)
def test_map_source_is_loaded(place: Path, path: str, name: str) -> None:
    data = load_map(path)
    assert (data.name, data.format, len(data.brushes)) == (name, "map", 1)
    assert data.entities[0].classname == "worldspawn"


@pytest.mark.parametrize(
    ("data", "name", "format"),
    [
        (room().build(), "a.bsp", "IBSP 46"),
        (room().build(), "anything", "IBSP 46"),
        (room().build(), "wrong.map", "IBSP 46"),
        (BOX.encode(), "box.map", "map"),
        (BOX.encode(), "anything", "map"),
    ],
)
def test_the_format_of_bytes_is_recognised(data: bytes, name: str, format: str) -> None:
    found = load_map_bytes(data, name)
    assert (found.name, found.format) == (name, format)
    assert load_map(MapSource(data, name)).sha256 == found.sha256


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"", "x", "x: is empty"),
        (BOX.encode(), "x.bsp", r"x\.bsp: is not a compiled Quake III map"),
        (b"IBSP", "x", "x: is truncated"),
        (b"PK\3\4 an archive", "x", "x: "),
    ],
)
def test_bytes_of_other_files_are_rejected(data: bytes, name: str, message: str) -> None:
    with pytest.raises(MapError, match=message):
        load_map_bytes(data, name)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("gone.bsp", "gone.bsp: no such file"),
        ("a.bsp/x.bsp", "a.bsp/x.bsp: no such file"),
        ("sub", r"sub: is a folder; give its maps, for example sub/\*\.bsp"),
        ("", ": no such file"),
        ("empty.bsp", "empty.bsp: is empty"),
        ("readme.txt", r"readme.txt: is not a map; expected a \.bsp, \.map or \.pk3 file"),
        ("nul\0.bsp", "is not a valid path"),
        ("x" * 5000 + ".bsp", "cannot be read: File name too long"),
        ("/dev/null", "/dev/null: is not a regular file"),
        ("gone.pk3", "gone.pk3: no such file"),
        ("gone.pk3/maps/x.bsp", "gone.pk3: no such file"),
        ("sub/gone.pk3/maps/x.bsp", "sub/gone.pk3: no such file"),
        ("pak.pk3", r"pak.pk3: holds 3 maps; choose one, for example pak.pk3/maps/One\.bsp"),
        ("none.pk3", "none.pk3: holds no map"),
        ("pak.pk3/maps/tow.bsp", r"pak.pk3: holds no map 'maps/tow.bsp'; did you mean .*two\.(BSP|map)"),
        ("pak.pk3/textures/x.tga", "pak.pk3: holds no map 'textures/x.tga'"),
    ],
)
def test_paths_without_a_map_are_rejected(place: Path, path: str, message: str) -> None:
    with pytest.raises(MapError, match=message):
        load_map(path)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser can read every file")
def test_an_unreadable_file_is_rejected(place: Path) -> None:
    (place / "a.bsp").chmod(0)
    with pytest.raises(MapError, match="cannot be read: Permission denied"):
        load_map("a.bsp")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("name", ["pipe.bsp", "pipe.pk3", "pipe.map"])
def test_a_pipe_does_not_block(place: Path, name: str) -> None:
    os.mkfifo(name)
    with pytest.raises(MapError, match="is not a regular file"):
        load_map(name)


def test_a_large_file_is_rejected(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "MAX_BYTES", 1 << 20)
    with (place / "large.bsp").open("wb") as file:
        file.truncate((1 << 20) + 1)
    with pytest.raises(MapError, match=r"large\.bsp: is larger than 1 MB"):
        load_map("large.bsp")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOX.replace("0.5", "5" * 200_000 + "x"), None),
        (BOX.replace("( 8 0 0", f"( {'8' * 200_000}x 0 0"), "is not a number"),
        (BOX.replace("( 8 0 0", f"( {'8' * 200_000} 0 0"), None),
        ("{}" * (1 << 17), "more than 65,536 entities"),
        ("{" + '"" ""' * ((1 << 19) + 1) + "}", "more than 524,288 entity keys"),
        ("{" + "{}" * (1 << 19) + "}", "more than 262,144 brushes and patches"),
        (" " * (64 << 20) + "{}", "is larger than 64 MB, the limit for map source"),
        ("{ {" + "a" * 100_000 + "{ } x", "expected '}'"),
    ],
    ids=["scale", "digits", "long", "entities", "keys", "brushes", "large", "kind"],
)
def test_hostile_source_is_read_or_rejected_quickly(tmp_path: Path, text: str, message: str | None) -> None:
    """Without limits, each of these would take minutes or gigabytes."""
    path = tmp_path / "x.map"
    path.write_text(text)
    if message is None:
        load_map(path)
        return
    with pytest.raises(MapError, match=message) as caught:
        load_map(path)
    assert len(str(caught.value)) < len(str(path)) + 120


@pytest.mark.parametrize(
    ("inputs", "want"),
    [
        (["a.bsp", "gone.bsp", "a.bsp"], ["a.bsp", "gone.bsp"]),
        (["*.bsp"], ["B.BSP", "a.bsp", "empty.bsp", "odd[1].bsp"]),
        (["odd[1].bsp"], ["odd[1].bsp"]),
        (["*.map"], ["box.map"]),
        (["*/c.*", "**/C.bsp"], ["sub/c.bsp"]),
        (["s*/*"], ["sub/c.bsp"]),
        (["pak.pk3"], ["pak.pk3/maps/One.bsp", "pak.pk3/maps/sub/three.bsp", "pak.pk3/maps/two.BSP"]),
        (["pak.pk3/"], ["pak.pk3/maps/One.bsp", "pak.pk3/maps/sub/three.bsp", "pak.pk3/maps/two.BSP"]),
        (["pak.pk3/maps/T*.bsp"], ["pak.pk3/maps/two.BSP"]),
        (["pak.pk3/maps/*.map"], ["pak.pk3/maps/two.map"]),
        (["pak.pk3/maps/one.bsp"], ["pak.pk3/maps/one.bsp"]),
        (["Source.PK3"], ["Source.PK3/maps/box.map"]),
        (["[ps]*.pk3/maps/[ob]*"], ["Source.PK3/maps/box.map", "pak.pk3/maps/One.bsp"]),
        (["gone.pk3/maps/x.bsp"], ["gone.pk3/maps/x.bsp"]),
        ([], []),
    ],
)
def test_globs_and_archives_expand_to_their_maps(place: Path, inputs: list[str], want: list[str]) -> None:
    assert expand_inputs(inputs) == want


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("*.txt", r"\*\.txt: matches no map"),
        ("gone/*.bsp", "gone/.*: matches no map"),
        ("pak.pk3/maps/q*.bsp", "matches no map"),
        ("none.pk3", "none.pk3: holds no map"),
        ("gone.pk3", "gone.pk3: no such file"),
        ("gone*.pk3", "matches no map"),
    ],
)
def test_inputs_without_a_map_are_rejected(place: Path, text: str, message: str) -> None:
    with pytest.raises(MapError, match=message):
        expand_inputs(["a.bsp", text])


def test_a_folder_may_be_named_like_an_archive(place: Path) -> None:
    (place / "dir.pk3" / "maps").mkdir(parents=True)
    (place / "dir.pk3" / "maps" / "x.bsp").write_bytes(room().build())
    assert split_archive("dir.pk3/maps/x.bsp") == (None, "dir.pk3/maps/x.bsp")
    assert len(load_map("dir.pk3/maps/x.bsp").brushes) == 3
    (place / "pak.pk3").rename(place / "dir.pk3" / "in.pk3")
    assert split_archive("dir.pk3/in.pk3/maps/one.bsp") == ("dir.pk3/in.pk3", "maps/one.bsp")
    with pytest.raises(MapError, match=r"dir\.pk3: is a folder"):
        load_map("dir.pk3")
