"""``aas bsp``: output files, rejected input, and damaged source."""

from __future__ import annotations

import zipfile
from pathlib import Path
from random import Random

import pytest

from aascompile.api import compile_map
from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.errors import MapError
from aascompile.mapio.load import load_map
from tests.fuzz.mutate import mutate

CASES = 100


def call(*words: object) -> int:
    """Run ``aas bsp`` in this process."""
    return run(aas, "aas", ["bsp", *(str(word) for word in words)])


@pytest.fixture
def room(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy of a sample's source in an empty current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "ledge.map"
    path.write_bytes((samples / "ledge.map").read_bytes())
    return path


def test_the_bsp_is_written_beside_the_source(room: Path, samples: Path, capsys: pytest.CaptureFixture[str]):
    assert call(room) == 0
    wanted = (samples / "ledge.bsp").read_bytes()
    assert room.with_suffix(".bsp").read_bytes() == wanted
    assert capsys.readouterr() == (f"{room.with_suffix('.bsp')}: 7 brushes, 0 patches, {len(wanted):,} bytes\n", "")


def test_the_bsp_compiles_like_its_source(room: Path):
    assert call(room) == 0
    source, made = compile_map(room), compile_map(room.with_suffix(".bsp"))
    assert len(made.areas) == len(source.areas)
    assert made.links.kind.tolist() == source.links.kind.tolist()
    assert (made.provenance.checksum != 0, source.provenance.checksum) == (True, 0)


def test_source_in_an_archive_goes_into_the_current_folder(room: Path, samples: Path, capsys):
    with zipfile.ZipFile("pak.pk3", "w") as pack:
        pack.writestr("maps/Inner.map", room.read_bytes())
    assert call("pak.pk3/maps/Inner.map") == 0
    assert Path("Inner.bsp").read_bytes() == (samples / "ledge.bsp").read_bytes()


def test_dropped_brushes_are_reported(room: Path, capsys: pytest.CaptureFixture[str]):
    text = room.read_text()
    at = text.index("{", text.index("{") + 1)
    flat = "{\n" + "( 0 0 0 ) ( 0 8 0 ) ( 0 0 8 ) x 0 0 0 1 1\n" * 4 + "}\n"
    room.write_text(text[:at] + flat + text[at:])
    assert call(room) == 0
    out, err = capsys.readouterr()
    assert ": 7 brushes, " in out
    assert err.startswith("warning: brush 0: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("output", ["ledge.map", "./ledge.map", "link.map"])
def test_the_source_is_never_overwritten(room: Path, capsys: pytest.CaptureFixture[str], output: str):
    before = room.read_bytes()
    Path("link.map").symlink_to(room)
    assert call("ledge.map", "-o", output) == 2
    assert capsys.readouterr().err.startswith(f"error: -o {output}: the name of a map must end in .bsp\n")
    assert room.read_bytes() == before


def test_an_existing_bsp_is_replaced_only_by_force(room: Path, samples: Path, capsys: pytest.CaptureFixture[str]):
    Path("ledge.bsp").write_bytes(b"hours of light")
    assert call("ledge.map") == 1
    assert capsys.readouterr().err == "error: ledge.bsp: exists already; --force replaces it\n"
    assert Path("ledge.bsp").read_bytes() == b"hours of light"
    assert call("ledge.map", "-o", "ledge.bsp") == 1
    assert call("ledge.map", "-o", "ledge.bsp", "--force") == 0
    assert Path("ledge.bsp").read_bytes() == (samples / "ledge.bsp").read_bytes()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("none.map", None, "none.map: no such file"),
        ("empty.map", b"", "empty.map: is empty"),
        ("bad.map", b"{\n{", "bad.map: the file ends at the end of a brush (line 2)"),
        ("x.txt", b"{}", "x.txt: is not a map; expected a .bsp, .map or .pk3 file"),
        ("x.bsp", b"IBSP", "x.bsp: is truncated"),
    ],
)
def test_bad_input_gives_one_sentence(room: Path, capsys, name: str, data: bytes | None, message: str):
    if data is not None:
        Path(name).write_bytes(data)
    before = sorted(Path().iterdir())
    assert call(name) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1
    assert sorted(Path().iterdir()) == before


def test_a_compiled_map_is_rejected(samples: Path, room: Path, capsys: pytest.CaptureFixture[str]):
    assert call(samples / "box.bsp") == 1
    assert capsys.readouterr().err.endswith("box.bsp: is already a compiled map; aas bsp reads .map source\n")


def test_missing_output_folder(room: Path, capsys: pytest.CaptureFixture[str]):
    assert call(room, "-o", "none/x.bsp") == 1
    assert capsys.readouterr().err == "error: none/x.bsp: cannot be written (no such file or directory)\n"


def test_damaged_source_gives_a_bsp_or_one_sentence(room: Path, samples: Path, capsys: pytest.CaptureFixture[str]):
    others = [path.read_bytes() for path in sorted(samples.glob("*.map"))]
    made = 0
    for case in range(CASES):
        rng = Random(case)
        room.write_bytes(mutate("map", rng.choice(others), others, rng))
        code = call(room, "-o", "out.bsp")
        out, err = capsys.readouterr()
        if code:
            assert (out, err.count("\n"), err[:7]) == ("", 1, "error: ")
            continue
        made += 1
        try:
            load_map("out.bsp")
        except MapError as error:
            pytest.fail(f"case {case}: {error}")
    assert 0 < made < CASES
