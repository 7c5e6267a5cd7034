"""``aas info``: output, errors and exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from aascompile.cli.common import run
from aascompile.cli.main import aas

KEYS = [
    "map",
    "format",
    "sha256",
    "checksum",
    "bounds",
    "planes",
    "models",
    "brushes",
    "patches",
    "entities",
    "dropped",
    "warnings",
    "stages",
]


def info(*arguments: object) -> int:
    """Run ``aas info`` in this process."""
    return run(aas, "aas", ["info", *map(str, arguments)])


def test_text(samples, capsys):
    assert info(samples / "door.map") == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "\x1b" not in out
    assert out.splitlines()[0] == str(samples / "door.map")
    for line in ("  brushes   ", "    by contents", "    by meaning", "  entities  ", "  dropped   none"):
        assert line in out
    assert "mover" in out
    assert max(len(line) for line in out.splitlines()[1:]) <= 120


def test_json_is_always_a_list_with_the_same_keys(samples, capsys):
    assert info("--json", samples / "arch.map") == 0
    (arch,) = json.loads(capsys.readouterr().out)
    assert list(arch) == KEYS
    assert info("--json", samples / "arch.map", samples / "box.map") == 0
    both = json.loads(capsys.readouterr().out)
    assert [list(summary) for summary in both] == [KEYS, KEYS]
    assert both[0]["sha256"] == arch["sha256"]


def test_counts_add_up(samples, capsys):
    assert info("--json", *sorted(samples.glob("*.map"))) == 0
    every = json.loads(capsys.readouterr().out)
    assert len(every) >= 24
    for summary in every:
        for part in (summary["brushes"], summary["patches"]):
            assert sum(part["contents"].values()) == part["count"]
            assert sum(part["meaning"].values()) + sum(part["unused"].values()) == part["count"]
        assert sum(summary["entities"]["classes"].values()) == summary["entities"]["count"]
        assert all(low < high for low, high in zip(summary["bounds"]["mins"], summary["bounds"]["maxs"], strict=True))


@pytest.mark.parametrize(
    ("sample", "kind"),
    [
        ("ladder", "solid+ladder"),
        ("teleporter", "teleporter"),
        ("jumppad", "jumppad"),
        ("hurt", "hurt"),
        ("lava", "lava"),
        ("swim", "water"),
        ("door", "mover"),
        ("hint", "hint"),
        ("clusterportal", "clusterportal"),
        ("donotenter", "donotenter"),
    ],
)
def test_samples_have_the_expected_meaning(samples, capsys, sample, kind):
    assert info("--json", samples / f"{sample}.map") == 0
    (summary,) = json.loads(capsys.readouterr().out)
    assert summary["brushes"]["meaning"][kind] > 0
    assert summary["warnings"] == []


def test_an_unreadable_map_gives_one_sentence_and_the_others_go_on(samples, capsys, tmp_path):
    bad = tmp_path / "bad.bsp"
    bad.write_bytes(b"IBSP")
    assert info(bad, samples / "box.map") == 1
    out, err = capsys.readouterr()
    assert err.startswith(f"error: {bad}: ")
    assert err.count("\n") == 1
    assert out.splitlines()[0] == str(samples / "box.map")


def test_maps_inside_an_archive(samples, capsys, tmp_path):
    archive = tmp_path / "pak.pk3"
    with zipfile.ZipFile(archive, "w") as zipped:
        for name in ("box", "door"):
            zipped.write(samples / f"{name}.map", f"maps/{name}.map")
    assert info("--json", f"{archive}/maps/*.map", tmp_path / "*.nothing") == 1
    out, err = capsys.readouterr()
    assert [summary["map"] for summary in json.loads(out)] == [f"{archive}/maps/box.map", f"{archive}/maps/door.map"]
    assert err == f"error: {tmp_path / '*.nothing'}: matches no map\n"


def test_missing_map(capsys, tmp_path):
    assert info(tmp_path / "none.bsp") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {tmp_path / 'none.bsp'}: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [["info"], ["info", "--nonsense", "x"], ["nonsense"]])
def test_wrong_usage(capsys, arguments):
    assert run(aas, "aas", arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")


def test_version(capsys):
    from aascompile import __version__

    assert run(aas, "aas", ["--version"]) == 0
    assert capsys.readouterr().out == f"aas {__version__}\n"


def test_interrupt_leaves_no_traceback(monkeypatch, samples, capsys):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("aascompile.pipeline.understand", interrupted)
    assert info(samples / "box.map") == 130
    assert capsys.readouterr().err.strip() == ""


def test_out_of_memory_is_reported(monkeypatch, samples, capsys):
    def exhausted(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("aascompile.pipeline.understand", exhausted)
    assert info(samples / "box.map") == 1
    assert capsys.readouterr().err == "error: out of memory\n"


def test_names_cannot_contain_terminal_codes(capsys, tmp_path, samples):
    odd = tmp_path / "odd.map"
    text = (samples / "box.map").read_text()
    odd.write_text(text + '{\n"classname" "ev\x1b[31mil"\n"origin" "0 0 0"\n}\n')
    assert info(odd) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "ev\\x1b[31mil" in out


def command(*arguments: object, **environment: str) -> tuple[list[str], dict[str, str]]:
    """Command line and environment that run ``aas`` in a new process."""
    script = "import sys; from aascompile.cli.main import main; sys.argv[0] = 'aas'; main()"
    return [sys.executable, "-c", script, *map(str, arguments)], {**os.environ, **environment}


def test_a_closed_pipe_is_not_an_error(samples):
    line, environment = command("info", *sorted(samples.glob("*.map")))
    process = subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    first = process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 0
    assert err == ""
    assert first.strip() == str(sorted(samples.glob("*.map"))[0])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_gives_one_sentence(samples):
    line, environment = command("info", samples / "box.map")
    with open("/dev/full", "w") as full:
        done = subprocess.run(line, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "error: stdout: cannot be written (No space left on device)\n"


def test_interrupt_signal_ends_with_130(samples):
    script = (
        "import os, signal, sys, threading\n"
        "import aascompile.pipeline as pipeline\n"
        "pipeline.load_map = lambda *given: os.kill(os.getpid(), signal.SIGINT) or threading.Event().wait(60)\n"
        "from aascompile.cli.main import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "info", str(samples / "box.map")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert done.stderr.strip() == ""


def test_names_that_the_encoding_lacks_are_escaped(samples, tmp_path):
    odd = tmp_path / "日.map"
    odd.write_bytes((samples / "box.map").read_bytes())
    line, environment = command("info", odd, PYTHONIOENCODING="latin-1")
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "\\u65e5.map" in done.stdout


def test_completion_lists_the_commands():
    line, environment = command(_AAS_COMPLETE="bash_complete", COMP_WORDS="aas in", COMP_CWORD="1")
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["plain,info"]


@pytest.mark.corpus
def test_corpus_maps(corpus: Path, capsys):
    maps = sorted(corpus.glob("*.bsp"))
    assert info("--json", *maps) == 0
    out, err = capsys.readouterr()
    every = {Path(summary["map"]).stem: summary for summary in json.loads(out)}
    assert err == ""
    assert set(every) == {path.stem for path in maps}
    for summary in every.values():
        assert summary["brushes"]["meaning"]["solid"] > 0
        for part in (summary["brushes"], summary["patches"]):
            assert sum(part["meaning"].values()) + sum(part["unused"].values()) == part["count"]
