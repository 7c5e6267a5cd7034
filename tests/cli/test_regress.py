"""``aas regress``: maps that moved, failed or are new, and the files it writes."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.cli.main import aas
from aascompile.cli.workers import WorkerDied
from tests.conftest import ROOT

NAMES = ("box", "doorway", "lava")


def regress(*arguments: object) -> int:
    return run(aas, "aas", ["regress", *(str(argument) for argument in arguments)])


@pytest.fixture
def maps(samples, tmp_path) -> Path:
    """A folder with copies of three samples and their baseline."""
    for name in NAMES:
        shutil.copy(samples / f"{name}.bsp", tmp_path / f"{name}.bsp")
    assert regress("--baseline", tmp_path / "counts.json", tmp_path / "*.bsp", "--update") == 0
    return tmp_path


@pytest.fixture
def moved(maps) -> Path:
    """The same folder, but the baseline expects other counts of one map."""
    return edited(maps, lambda data: data["maps"]["box"]["counts"].update({"areas": 4, "links.jump": 1}))


def edited(maps: Path, change) -> Path:
    file = maps / "counts.json"
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))
    return maps


def test_nothing_moved(maps, capsys):
    capsys.readouterr()
    assert regress("--baseline", maps / "counts.json", maps / "*.bsp") == 0
    assert capsys.readouterr() == ("3 maps: all counts as expected\n", "")


def test_moved_counts_are_listed_in_a_table(moved, capsys):
    capsys.readouterr()
    assert regress("--baseline", moved / "counts.json", moved / "*.bsp", "--jobs", "2") == 1
    out, err = capsys.readouterr()
    assert err == ""
    heading, first, second, last = out.splitlines()
    assert heading.split() == ["map", "count", "expected", "found", "change"]
    assert first.split() == ["box", "areas", "4", "2", "-2", "-50.0", "%"]
    assert second.split() == ["links.jump", "1", "0", "-1", "-100.0", "%"]
    assert last == "3 maps: 2 as expected, 1 moved"


def test_tolerances_of_the_baseline_are_applied(moved, capsys):
    edited(moved, lambda data: data["tolerance"].update({"areas": "50%", "links.jump": 0}))
    assert regress("--baseline", moved / "counts.json", moved / "*.bsp") == 1
    assert "areas" not in capsys.readouterr().out
    edited(moved, lambda data: data["maps"]["box"].update({"tolerance": {"*": 2}}))
    assert regress("--baseline", moved / "counts.json", moved / "*.bsp") == 0


def test_update_keeps_tolerances_and_other_maps(moved, capsys):
    edited(
        moved,
        lambda data: (
            data["tolerance"].update({"areas": 1}),
            data["maps"].update({"aaa": {"counts": {"areas": 1}, "tolerance": {"areas": 9}}}),
        ),
    )
    capsys.readouterr()
    assert regress("--baseline", moved / "counts.json", moved / "*.bsp", "--update") == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        f"3 maps: 2 as expected, 1 moved; written to {moved / 'counts.json'}"
    )
    text = (moved / "counts.json").read_text()
    data = json.loads(text)
    assert data["tolerance"] == {"areas": 1}
    assert list(data["maps"]) == ["aaa", *NAMES]
    assert data["maps"]["aaa"] == {"counts": {"areas": 1}, "tolerance": {"areas": 9}}
    assert regress("--baseline", moved / "counts.json", moved / "*.bsp", "--jobs", "3", "--update") == 0
    assert (moved / "counts.json").read_text() == text, "a second update changes nothing"


def test_compiled_files_give_the_counts_of_their_maps(maps, capsys):
    assert run(compile_maps, "aascompile", [*(str(maps / f"{name}.bsp") for name in NAMES), "-o", f"{maps}/o"]) == 0
    capsys.readouterr()
    for files in ([maps / "o" / f"{name}.aas.hdf" for name in NAMES], [f"{maps}/o/*.aas.hdf"]):
        assert regress("--baseline", maps / "counts.json", *files) == 0
        assert capsys.readouterr().out == "3 maps: all counts as expected\n"


def test_an_engine_file_has_no_items(maps, capsys):
    assert run(compile_maps, "aascompile", [f"{maps}/doorway.bsp", "--aas"]) == 0
    capsys.readouterr()
    assert regress("--baseline", maps / "counts.json", maps / "doorway.aas") == 1
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["doorway", "items", "1", "-", "-"] in rows


def test_failures_do_not_stop_the_others(moved, samples, capsys):
    shutil.copy(samples / "leak.bsp", moved)
    (moved / "broken.bsp").write_bytes(b"IBSP")
    capsys.readouterr()
    assert regress("--baseline", moved / "counts.json", moved / "*.bsp", moved / "none.bsp", moved / "x*.hdf") == 1
    out, err = capsys.readouterr()
    assert [line.split(": ")[1] for line in err.splitlines()] == [
        str(moved / name) for name in ("x*.hdf", "broken.bsp", "leak.bsp", "none.bsp")
    ]
    assert [line.split()[:2] for line in out.splitlines()[1:]] == [
        ["box", "areas"], ["links.jump", "1"], ["broken", "failed"], ["leak", "failed"], ["none", "failed"],
        ["6", "maps:"],
    ]  # fmt: skip
    assert out.splitlines()[-1] == "6 maps: 2 as expected, 1 moved, 3 failed"
    assert regress("--baseline", moved / "counts.json", moved / "*.bsp", "--update") == 1
    assert set(json.loads((moved / "counts.json").read_text())["maps"]) == set(NAMES), "failed maps are not written"


def test_a_map_missing_in_the_baseline_is_reported(maps, samples, capsys):
    capsys.readouterr()
    assert regress("--baseline", maps / "counts.json", maps / "box.bsp", samples / "gap.bsp") == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        "gap  not in the baseline; --update adds it",
        "2 maps: 1 as expected, 1 not in the baseline",
    ]


def test_an_allowed_leak_is_counted(samples, tmp_path):
    file = tmp_path / "counts.json"
    assert regress("--baseline", file, samples / "leak.bsp", "--allow-leak", "--update") == 0
    assert json.loads(file.read_text())["maps"]["leak"]["counts"]["leaks"] == 1


def test_json(moved, samples, capsys):
    capsys.readouterr()
    assert regress("--baseline", moved / "counts.json", moved / "*.bsp", samples / "leak.bsp", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    keys = {"map", "name", "status", "error", "moved", "counts", "lost", "unreached", "seconds"}
    assert all(set(outcome) == keys for outcome in found)
    assert [(outcome["name"], outcome["status"]) for outcome in found] == [
        ("box", "moved"), ("doorway", "same"), ("lava", "same"), ("leak", "failed"),
    ]  # fmt: skip
    assert found[0]["moved"] == [
        {"count": "areas", "expected": 4, "found": 2, "allowed": 0},
        {"count": "links.jump", "expected": 1, "found": 0, "allowed": 0},
    ]
    assert found[1]["counts"]["areas"] == 6


def test_junit(moved, samples, capsys):
    out = moved / "out.xml"
    named = [moved / "*.bsp", samples / "leak.bsp", samples / "gap.bsp"]
    assert regress("--baseline", moved / "counts.json", *named, "--junit", out) == 1
    suite = ET.parse(out).getroot()
    assert suite.tag == "testsuite"
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5", "failures": "2", "errors": "1", "skipped": "0",
    }  # fmt: skip
    cases = {case.get("name"): case for case in suite}
    assert [[element.tag for element in cases[name]] for name in ("box", "lava", "leak", "gap")] == [
        ["failure"], [], ["error"], ["failure"],
    ]  # fmt: skip
    failure = cases["box"][0]
    assert failure.get("message") == "areas -2, links.jump -1"
    assert failure.text.splitlines()[0].split()[:4] == ["areas", "4", "2", "-2"]
    assert "leaks: item_health" in cases["leak"][0].get("message")
    assert float(suite.get("time")) == pytest.approx(sum(float(case.get("time")) for case in suite), abs=0.01)


def test_markdown(moved, samples):
    out = moved / "out.md"
    shutil.copy(samples / "gap.bsp", moved / "a|b.bsp")
    assert regress("--baseline", moved / "counts.json", moved / "*.bsp", samples / "leak.bsp", "--markdown", out) == 1
    lines = out.read_text().splitlines()
    assert lines[:3] == [
        "### Navigation: moved", "", "5 maps: 2 as expected, 1 moved, 1 not in the baseline, 1 failed",
    ]  # fmt: skip
    assert "| box | areas | 4 | 2 | -2 | -50.0 % |" in lines
    assert "- a\\|b is not in the baseline" in lines
    assert any(line.startswith("- leak failed: ") for line in lines)
    assert any(line.startswith("| doorway | 6 | ") for line in lines)
    assert regress("--baseline", moved / "counts.json", moved / "lava.bsp", "--markdown", out) == 0
    assert out.read_text().startswith("### Navigation: as expected\n\n1 map: all counts as expected\n")


def test_names_are_escaped_in_xml(maps, samples):
    shutil.copy(samples / "gap.bsp", maps / 'od\x01d<">.bsp')
    out = maps / "out.xml"
    assert regress("--baseline", maps / "counts.json", maps / "od*.bsp", "--junit", out) == 1
    assert [case.get("name") for case in ET.parse(out).getroot()] == ['od\\x01d<">']


def test_a_dead_worker_is_a_failure(maps, capsys, monkeypatch):
    def dying(work, items, jobs, sizes, watcher, limits=None):
        yield 1, WorkerDied("its process was killed by SIGSEGV")
        yield 0, work(items[0], watcher(0))
        yield 2, work(items[2], watcher(2))

    monkeypatch.setattr("aascompile.cli.over_maps.run_all", dying)
    capsys.readouterr()
    assert regress("--baseline", maps / "counts.json", maps / "*.bsp", "--jobs", "2") == 1
    out, err = capsys.readouterr()
    assert err == f"error: {maps / 'doorway.bsp'}: its process was killed by SIGSEGV\n"
    assert out.splitlines()[-1] == "3 maps: 2 as expected, 1 failed"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["box.bsp"], "--baseline is missing"),
        (["--baseline", "counts.json"], "MAP-OR-FILE is missing"),
        (["--baseline", "counts.json", "box.bsp", "sub/box.bsp"], "would have the same name in the baseline"),
        (["--baseline", "counts.json", "box.bsp", "--jobs", "0"], "0 is not in the range"),
    ],
)
def test_wrong_usage(maps, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(maps)
    assert regress(*arguments) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_an_unusable_baseline_is_reported(maps, capsys):
    capsys.readouterr()
    assert regress("--baseline", maps / "none.json", maps / "box.bsp") == 1
    assert capsys.readouterr().err == f"error: {maps / 'none.json'}: does not exist; --update creates it\n"
    assert regress("--baseline", maps / "none" / "x.json", maps / "box.bsp", "--update") == 1
    assert "cannot be written" in capsys.readouterr().err
    (maps / "bad.json").write_text("{}")
    assert regress("--baseline", maps / "bad.json", maps / "box.bsp", "--update") == 1
    assert (maps / "bad.json").read_text() == "{}", "a file that is not a baseline is not overwritten"


# --- our baselines ----------------------------------------------------------------------------------------------------


def test_samples_are_as_expected(samples, capsys):
    """A change to the compiler that moves a count must also update samples/counts.json (`make baselines`)."""
    moved = regress("--baseline", samples / "counts.json", samples / "*.bsp", "--allow-leak")
    assert moved == 0, capsys.readouterr().out
    known = json.loads((samples / "counts.json").read_text())["maps"]
    assert list(known) == sorted(path.stem for path in samples.glob("*.bsp"))


@pytest.mark.corpus
def test_real_maps_are_as_expected(corpus, capsys):
    """Only some small maps; `make regress` compares all of them."""
    few = [corpus / f"{name}.bsp" for name in ("aggressor", "oa_bases3cl", "q3dm6ish")]
    here = [path for path in few if path.exists()]
    moved = regress("--baseline", ROOT / "tests" / "corpus-counts.json", *here)
    assert moved == 0, capsys.readouterr().out


def test_a_deleted_map_is_noticed(maps, capsys):
    (maps / "lava.bsp").unlink()
    assert regress("--baseline", maps / "counts.json", maps / "*.bsp") == 0
    capsys.readouterr()
    assert regress("--baseline", maps / "counts.json", maps / "*.bsp", "--complete") == 1
    out = capsys.readouterr().out.splitlines()
    assert out[1:] == ["lava  only in the baseline", "3 maps: 2 as expected, 1 only in the baseline"]


def test_a_tolerance_that_matches_nothing_is_an_error(maps, capsys):
    edited(maps, lambda data: data["tolerance"].update({"link.*": 5}))
    assert regress("--baseline", maps / "counts.json", maps / "*.bsp") == 1
    assert capsys.readouterr().err.endswith("counts.json: tolerance link.* matches no count\n")
    edited(maps, lambda data: (data["tolerance"].clear(), data["tolerance"].update({"links.grapple": 5})))
    assert regress("--baseline", maps / "counts.json", maps / "*.bsp") == 0


def test_other_settings_are_noted(maps, capsys):
    (maps / "weak.toml").write_text("[physics]\njump_velocity = 120\n")
    capsys.readouterr()
    assert regress("--baseline", maps / "counts.json", maps / "box.bsp", "--settings", maps / "weak.toml") == 0
    assert capsys.readouterr().err == "note: the baseline has physics.jump_velocity = 270.0, now 120.0\n"
    edited(maps, lambda data: data.update({"version": "0.0.1"}))
    assert regress("--baseline", maps / "counts.json", maps / "box.bsp") == 0
    assert capsys.readouterr().err.startswith("note: the baseline has version 0.0.1, now ")


def test_lost_items_are_named(samples, tmp_path, capsys):
    """With weak jumps, the item behind the barrier has no route; traps are counted too."""
    shutil.copy(samples / "barrier.bsp", tmp_path / "barrier.bsp")
    assert regress("--baseline", tmp_path / "counts.json", tmp_path / "barrier.bsp", "--update") == 0
    assert json.loads((tmp_path / "counts.json").read_text())["maps"]["barrier"]["counts"]["traps"] == 0
    (tmp_path / "weak.toml").write_text("[physics]\njump_velocity = 120\n")
    capsys.readouterr()
    weak = ("--settings", tmp_path / "weak.toml")
    assert regress("--baseline", tmp_path / "counts.json", tmp_path / "barrier.bsp", *weak) == 1
    out = capsys.readouterr().out
    assert re.search(r"^ +lost: item_health \(\S+ \S+ \S+\)$", out, re.MULTILINE), out
    assert regress("--baseline", tmp_path / "counts.json", tmp_path / "barrier.bsp", *weak, "--update") == 0
    assert len(json.loads((tmp_path / "counts.json").read_text())["maps"]["barrier"]["lost"]) == 1
    assert regress("--baseline", tmp_path / "counts.json", tmp_path / "barrier.bsp", *weak) == 0


def test_updating_some_maps_keeps_how_the_others_were_made(maps, capsys):
    """A map that is updated with other settings has its own record; the baseline's stays true for the rest."""
    before = json.loads((maps / "counts.json").read_text())
    (maps / "weak.toml").write_text("[physics]\njump_velocity = 120\n")
    weak = ("--settings", maps / "weak.toml")
    assert regress("--baseline", maps / "counts.json", maps / "box.bsp", *weak, "--update") == 0
    after = json.loads((maps / "counts.json").read_text())
    assert after["settings"] == before["settings"]
    assert after["maps"]["box"]["settings"] == {"physics.jump_velocity": 120.0}
    assert "settings" not in after["maps"]["lava"]
    capsys.readouterr()
    assert regress("--baseline", maps / "counts.json", maps / "lava.bsp") == 0
    assert capsys.readouterr().err == ""
    assert regress("--baseline", maps / "counts.json", maps / "box.bsp", maps / "lava.bsp") == 0
    assert capsys.readouterr().err == "note: the baseline of box has physics.jump_velocity = 120.0, now 270.0\n"
    assert regress("--baseline", maps / "counts.json", maps / "*.bsp", "--update") == 0
    assert json.loads((maps / "counts.json").read_text()) == before, "an update of all maps has one record again"


def test_an_update_from_compiled_files_claims_no_settings(maps, capsys):
    """Options of this command do not say how a file was compiled that it only reads."""
    from aascompile.cli.compile import compile_maps

    assert run(compile_maps, "aascompile", [str(maps / "box.bsp"), "-q"]) == 0
    assert regress("--baseline", maps / "counts.json", maps / "box.aas.hdf", "--update") == 0
    assert json.loads((maps / "counts.json").read_text())["maps"]["box"]["settings"] == {}
    (maps / "weak.toml").write_text("[physics]\njump_velocity = 120\n")
    capsys.readouterr()
    assert regress("--baseline", maps / "counts.json", maps / "box.bsp", "--settings", maps / "weak.toml") == 0
    assert capsys.readouterr().err == "", "it is not known how the file was compiled"


def test_a_long_name_has_a_line_of_its_own(monkeypatch):
    """At 80 columns, the table of a map with a long name still fits."""
    from aascompile.cli import regress_report
    from aascompile.cli.regress import Outcome
    from aascompile.nav.baseline import Move

    monkeypatch.setattr(regress_report, "screen_width", lambda: 80)
    moved = [Move("links.walk_off_ledge", 1234567, 1234569, 0)]
    outcome = Outcome("x", "a_map_with_quite_a_long_name", "moved", None, moved, {}, (), (), 0.0)
    lines = list(regress_report.text_lines([outcome]))
    assert lines[1] == "a_map_with_quite_a_long_name"
    assert lines[2].split() == ["links.walk_off_ledge", "1,234,567", "1,234,569", "+2", "+0.0", "%"]
    assert all(len(line) <= 80 for line in lines[1:])
