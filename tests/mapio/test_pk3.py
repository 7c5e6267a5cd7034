"""Maps inside archives, and damaged or malicious archives."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from aascompile.cli.maps import sizes_of
from aascompile.errors import MapError
from aascompile.mapio import pk3
from aascompile.mapio.pk3 import map_names, read_member
from tests.mapio.ibsp_builder import room


def pack(path: Path, files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> str:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return str(path)


@pytest.fixture
def archive(tmp_path: Path) -> str:
    files = {"maps/Room.BSP": room().build(), "maps/hall.bsp": b"IBSP", "maps/hall.map": b"{}", "scripts/x.shader": b""}
    return pack(tmp_path / "pak0.pk3", files)


def test_maps_are_listed_and_read_whatever_their_case(archive: str) -> None:
    assert map_names(archive) == ["maps/Room.BSP", "maps/hall.bsp", "maps/hall.map"]
    for name in ("maps/Room.BSP", "maps/room.bsp", "MAPS\\ROOM.BSP"):
        assert read_member(archive, name) == room().build()


def test_an_archive_is_opened_once_for_the_sizes_of_all_its_maps(tmp_path: Path, monkeypatch) -> None:
    path = pack(tmp_path / "p.pk3", {f"maps/{n}.bsp": b"x" * n for n in range(300)})
    opened = []

    class Counting(zipfile.ZipFile):
        def __init__(self, *arguments: object) -> None:
            opened.append(self)
            super().__init__(*arguments)

    monkeypatch.setattr(zipfile, "ZipFile", Counting)
    wanted = [f"{path}/maps/{n}.BSP" for n in range(301)]
    assert sizes_of([*wanted, f"{tmp_path}/none.pk3/x.bsp", __file__]) == [
        *range(300),
        0,
        0,
        Path(__file__).stat().st_size,
    ]
    assert len(opened) == 1


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_stored_and_deflated_maps_are_read(tmp_path: Path, method: int) -> None:
    assert read_member(pack(tmp_path / "p.pk3", {"maps/x.bsp": b"abc" * 99}, method), "maps/x.bsp") == b"abc" * 99


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compression_that_the_engine_lacks_is_rejected(tmp_path: Path, method: int) -> None:
    path = pack(tmp_path / "p.pk3", {"maps/x.bsp": b"abc"}, method)
    message = f"x.bsp: uses compression method {method}; only stored and deflated files are supported"
    with pytest.raises(MapError, match=message):
        read_member(path, "maps/x.bsp")


def test_a_missing_map_is_reported_with_similar_names(archive: str, tmp_path: Path) -> None:
    with pytest.raises(MapError, match=r"pak0\.pk3: holds no map 'maps/rooom\.bsp'; did you mean maps/Room\.BSP\?"):
        read_member(archive, "maps/rooom.bsp")
    with pytest.raises(MapError, match=r"holds no map 'room\.bsp'; did you mean maps/Room\.BSP\?"):
        read_member(archive, "room.bsp")
    with pytest.raises(MapError, match=r"holds no map 'qqqqqqqqqqqqqq'$"):
        read_member(archive, "qqqqqqqqqqqqqq")
    with pytest.raises(MapError, match=r"holds no map 'maps/x\.bsp' or any other map$"):
        read_member(pack(tmp_path / "empty.pk3", {"readme.txt": b""}), "maps/x.bsp")


def test_a_zip_bomb_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pk3, "MAX_BYTES", 8 << 20)
    path = pack(tmp_path / "p.pk3", {"maps/bomb.bsp": bytes(9 << 20), "maps/fits.bsp": bytes(8 << 20)})
    with pytest.raises(MapError, match=r"maps/bomb\.bsp: is larger than 8 MB when unpacked"):
        read_member(path, "maps/bomb.bsp")
    assert len(read_member(path, "maps/fits.bsp")) == 8 << 20


def test_a_zip_bomb_with_a_false_size_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pk3, "MAX_BYTES", 1 << 20)
    path = Path(pack(tmp_path / "p.pk3", {"maps/x.bsp": bytes(9 << 20)}))
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<I", 9 << 20), struct.pack("<I", 100)))
    with pytest.raises(MapError, match="is damaged"):
        read_member(str(path), "maps/x.bsp")


def damaged(path: str, old: bytes, new: bytes, *, last: bool = False) -> str:
    data = Path(path).read_bytes()
    at = data.rindex(old) if last else data.index(old)
    Path(path).write_bytes(data[:at] + new + data[at + len(new) :])
    return path


def test_a_wrong_crc_is_rejected(tmp_path: Path) -> None:
    path = damaged(pack(tmp_path / "p.pk3", {"maps/x.bsp": b"abcdef"}, zipfile.ZIP_STORED), b"abcdef", b"abcxef")
    with pytest.raises(MapError, match=r"maps/x\.bsp: is damaged: its checksum \(CRC\) does not match"):
        read_member(path, "maps/x.bsp")


def test_corrupt_deflate_data_is_rejected(tmp_path: Path) -> None:
    path = pack(tmp_path / "p.pk3", {"maps/x.bsp": bytes(range(256)) * 40})
    damaged(path, b"maps/x.bsp", b"maps/x.bsp" + b"\xff" * 40)
    with pytest.raises(MapError, match=r"maps/x\.bsp: is damaged: it cannot be unpacked"):
        read_member(path, "maps/x.bsp")


def test_an_encrypted_map_is_rejected(tmp_path: Path) -> None:
    path = Path(pack(tmp_path / "p.pk3", {"maps/x.bsp": b"abcdef"}, zipfile.ZIP_STORED))
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(MapError, match=r"maps/x\.bsp: is encrypted"):
        read_member(str(path), "maps/x.bsp")


def test_a_huge_archive_directory_is_rejected(tmp_path: Path) -> None:
    """zipfile alone would read as many bytes as the end record claims."""
    path = tmp_path / "p.pk3"
    size = 1 << 30
    with path.open("wb") as file:
        file.truncate(size)
        file.seek(size)
        file.write(struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1, 1, size, 0, 0))
    with pytest.raises(MapError, match="is a broken archive: its directory claims 1,024 MB"):
        map_names(str(path))


@pytest.mark.parametrize("data", [b"", b"not a zip", b"PK\3\4" + bytes(100), b"IBSP" + bytes(200)])
def test_other_files_are_not_archives(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "p.pk3"
    path.write_bytes(data)
    with pytest.raises(MapError, match=r"p\.pk3: is not a \.pk3 archive"):
        map_names(str(path))


def test_a_missing_archive_is_reported(tmp_path: Path) -> None:
    with pytest.raises(MapError, match=r"p\.pk3: no such file"):
        map_names(str(tmp_path / "p.pk3"))
    with pytest.raises(MapError, match="cannot be read: Is a directory"):
        map_names(str(tmp_path))


def test_every_truncation_and_flipped_byte_gives_a_map_or_a_map_error(tmp_path: Path) -> None:
    """However zipfile reacts, the result is the map, a map of another name, or one MapError."""
    whole = Path(pack(tmp_path / "whole.pk3", {"maps/x.bsp": b"IBSP" + bytes(50)})).read_bytes()
    path = tmp_path / "p.pk3"
    cases = [whole[:size] for size in range(len(whole))]
    cases += [whole[:at] + bytes([whole[at] ^ flip]) + whole[at + 1 :] for at in range(len(whole)) for flip in (1, 255)]
    errors = 0
    for data in cases:
        path.write_bytes(data)
        try:
            for name in map_names(str(path)):
                read_member(str(path), name)
        except MapError:
            errors += 1
    assert errors > len(whole)
