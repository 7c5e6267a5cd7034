"""``aascompile``: honest about what it cannot do yet."""

from __future__ import annotations

from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps


def test_reads_reports_and_says_that_it_stops(samples, capsys, tmp_path):
    target = tmp_path / "out.aas.hdf"
    assert run(compile_maps, "aascompile", [str(samples / "box.map"), "-o", str(target)]) == 1
    out, err = capsys.readouterr()
    assert out.startswith(f"{samples / 'box.map'}: ")
    assert out.count("\n") == 1
    assert err == "error: compiling is not implemented in this version; nothing was written\n"
    assert not target.exists()


def test_unreadable_map(capsys, tmp_path):
    bad = tmp_path / "bad.map"
    bad.write_text("{")
    assert run(compile_maps, "aascompile", [str(bad)]) == 1
    assert capsys.readouterr().err.startswith(f"error: {bad}: ")
