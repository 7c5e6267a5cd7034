"""The Python API: all kinds of sources, settings and errors; it is silent, lazy, typed and documented."""

from __future__ import annotations

import ast
import io
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import aascompile
from aascompile import pipeline
from aascompile.settings import QUAKE3, Physics
from aascompile.store.engine import for_engine, write_engine
from aascompile.store.hdf import compiled_bytes
from tests import build_api
from tests.conftest import ROOT
from tests.store.same import NOT_IN_ENGINE_FILES, different


@pytest.fixture
def ledge(samples: Path) -> Path:
    return samples / "ledge.bsp"


@pytest.fixture(scope="module")
def compiled() -> aascompile.CompiledMap:
    return aascompile.compile_map(ROOT / "samples" / "ledge.bsp")


def python(script: str, *words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a script in a new process, with the package of this tree."""
    path = {"PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT)}
    command = [sys.executable, *words, *(["-c", script] if script else [])]
    return subprocess.run(command, cwd=folder, env=os.environ | path, capture_output=True, text=True, check=False)


# --- compiling --------------------------------------------------------------------------------------------------------


def test_every_kind_of_source_gives_the_same_map(ledge: Path, tmp_path: Path, compiled: aascompile.CompiledMap):
    data = ledge.read_bytes()
    archive = tmp_path / "pak.pk3"
    with zipfile.ZipFile(archive, "w") as pack:
        pack.writestr("maps/ledge.bsp", data)
    with ledge.open("rb") as file:
        sources = [str(ledge), f"{archive}/maps/ledge.bsp", archive, data, bytearray(data), memoryview(data), file]
        sources.append(io.BytesIO(data))
        made = [aascompile.compile_map(source, name="ledge.bsp") for source in sources]
    for each in made:
        assert different(each, compiled) == []
        assert each.provenance == compiled.provenance


def test_source_text_compiles_from_bytes(ledge: Path):
    path = ledge.with_suffix(".map")
    from_bytes = aascompile.compile_map(path.read_bytes())
    assert different(from_bytes, aascompile.compile_map(path)) == []
    assert from_bytes.provenance.name == "map"


def test_the_result_does_not_depend_on_threads(
    ledge: Path, compiled: aascompile.CompiledMap, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pipeline, "FEW", 0)
    for threads in (1, 2):
        assert compiled_bytes(aascompile.compile_map(ledge, threads=threads)) == compiled_bytes(compiled)


def test_every_kind_of_settings(ledge: Path, tmp_path: Path):
    file = tmp_path / "low.toml"
    file.write_text("[physics]\njump_velocity = 120\n")
    wanted = replace(QUAKE3, physics=Physics(jump_velocity=120))
    every = [wanted, str(file), file, {"physics": {"jump_velocity": 120}}]
    found = [compiled_bytes(aascompile.compile_map(ledge, settings)) for settings in every]
    assert len(set(found)) == 1
    assert found[0] != compiled_bytes(aascompile.compile_map(ledge, "quake3"))


def test_nothing_is_printed_and_no_file_is_written(ledge: Path, tmp_path: Path):
    script = (
        "import os, sys, aascompile\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, given: opened.append(given) if event == 'open' else None)\n"
        "aascompile.compile_map(sys.argv[1], quality=True)\n"
        "changing = os.O_WRONLY | os.O_RDWR | os.O_CREAT\n"
        "written = [str(path) for path, _, flags in opened if flags & changing]\n"
        "assert all('__pycache__' in path for path in written), written\n"
    )
    done = python("", "-c", script, str(ledge), folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_warnings_and_dropped_parts_are_returned(ledge: Path):
    corners = "( 0 0 0 ) ( 0 8 0 ) ( 0 0 8 )", "( 0 0 0 ) ( 0 0 8 ) ( 8 0 0 )", "( 0 0 0 ) ( 8 0 0 ) ( 0 8 0 )"
    far = "( 9 0 0 ) ( 0 0 9 ) ( 0 9 0 )"
    closed, opened = (
        "{\n" + "".join(f"{side} x 0 0 0 1 1\n" for side in sides) + "}\n" for sides in ((*corners, far), corners)
    )
    text = ledge.with_suffix(".map").read_text() + f'{{\n"classname" "func_odd"\n{closed}{opened}}}\n'
    made = aascompile.compile_map(text.encode())
    assert made.warnings == ("unknown class 'func_odd': its brushes are ignored",)
    assert len(made.dropped) == 1
    assert made.dropped[0].startswith("brush ")


# --- saving and loading -----------------------------------------------------------------------------------------------


def test_saved_files_load_again(tmp_path: Path, compiled: aascompile.CompiledMap):
    ours, engine = tmp_path / "x.aas.hdf", tmp_path / "x.aas"
    compiled.save(ours)
    compiled.save_engine(str(engine))
    assert ours.read_bytes() == compiled_bytes(compiled)
    assert engine.read_bytes() == write_engine(for_engine(compiled))
    assert different(aascompile.read_compiled(ours), compiled) == []
    assert different(aascompile.read_compiled(engine), compiled, without=NOT_IN_ENGINE_FILES, single=True) == []
    again = tmp_path / "again.aas"
    aascompile.read_compiled(ours).save_engine(again)
    assert again.read_bytes() == engine.read_bytes()
    for path in (ours, str(engine)):
        nav = aascompile.load(path)
        assert isinstance(nav, aascompile.Navigation)
        assert len(nav) == len(compiled.areas) == 3
    assert aascompile.load(engine).items == (), "the engine's file has no items"


def test_a_compiled_map_can_be_queried_without_a_file(compiled: aascompile.CompiledMap):
    nav = aascompile.Navigation(compiled)
    route = nav.route(nav.spawns[0].point, nav.items[0].point)
    assert [link.travel for link in route.links] == [aascompile.Travel.WALK_OFF_LEDGE]


# --- errors -----------------------------------------------------------------------------------------------------------


def test_all_errors_derive_from_one_class():
    errors = [getattr(aascompile, name) for name in aascompile.__all__ if name.endswith("Error")]
    assert {error.__name__ for error in errors} == set(build_api.ERRORS)
    assert all(issubclass(error, aascompile.AasError) for error in errors)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("none.bsp", r"^none\.bsp: no such file$"),
        (Path("none.pk3/maps/x.bsp"), r"^none\.pk3: no such file$"),
        (b"", "^map: is empty$"),
        (b"IBSP", "^map: is truncated"),
        (b"{", "^map: "),
        (io.StringIO("{}"), "^map: is open in text mode; open it in binary mode$"),
    ],
)
def test_unreadable_maps_are_reported(source: object, message: str):
    with pytest.raises(aascompile.MapError, match=message) as caught:
        aascompile.compile_map(source)
    assert "\n" not in str(caught.value)


def test_messages_use_the_given_name():
    with pytest.raises(aascompile.MapError, match=r"^upload\.bsp: is truncated"):
        aascompile.compile_map(b"IBSP", name="upload.bsp")


def test_a_leak_comes_with_its_trail(samples: Path):
    with pytest.raises(aascompile.LeakError, match=r"leak\.bsp: leaks: ") as caught:
        aascompile.compile_map(samples / "leak.bsp")
    trail = np.array(caught.value.trail)
    made = aascompile.compile_map(samples / "leak.bsp", allow_leak=True)
    assert np.array_equal(made.leak, trail)
    assert len(made.warnings) == 1
    assert caught.value.goal in made.warnings[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("quake4", r"^quake4: is neither a preset \(quake2, quake3, rtcw\) nor a file$"),
        ({"physics": {"gravty": 1}}, r"^settings: physics\.gravty is unknown; did you mean gravity\?$"),
        ({"physics": {"gravity": None}}, r"^settings: physics\.gravity is of type NoneType, but must be a number$"),
        ({3: 4}, "^settings: 3 is unknown"),
        (replace(QUAKE3, physics=Physics(gravity=-1.0)), r"^settings: physics\.gravity is -1, but must be 1 to 10000"),
    ],
)
def test_invalid_settings_are_reported(ledge: Path, settings: object, message: str):
    with pytest.raises(aascompile.SettingsError, match=message):
        aascompile.compile_map(ledge, settings)


def test_zero_threads_are_rejected(ledge: Path):
    with pytest.raises(aascompile.SettingsError, match="threads is 0, but must be at least 1"):
        aascompile.compile_map(ledge, threads=0)


def test_unusable_files_are_reported(tmp_path: Path, ledge: Path, compiled: aascompile.CompiledMap):
    with pytest.raises(aascompile.StoreError, match=r"none\.aas\.hdf: cannot be read"):
        aascompile.load(tmp_path / "none.aas.hdf")
    with pytest.raises(aascompile.StoreError, match="is not a compiled file"):
        aascompile.load(ledge)
    for save in (compiled.save, compiled.save_engine):
        with pytest.raises(aascompile.StoreError, match="cannot be written"):
            save(tmp_path / "none" / "x")


# --- the package ------------------------------------------------------------------------------------------------------


def test_import_is_lazy():
    script = (
        "import sys, aascompile\n"
        "assert set(aascompile.__all__) <= set(dir(aascompile))\n"
        "assert not {'numpy', 'h5py', 'scipy', 'aascompile.api', 'aascompile.pipeline'} & set(sys.modules)\n"
        "assert aascompile.Travel.WALK == 2\n"
        "assert 'numpy' in sys.modules and not {'h5py', 'scipy', 'rich', 'click'} & set(sys.modules)\n"
        "try:\n    aascompile.nothing\nexcept AttributeError as error:\n    assert 'nothing' in str(error)\n"
        "else:\n    raise SystemExit('no error')\n"
    )
    done = python(script)
    assert done.returncode == 0, done.stderr


def test_queries_do_without_the_compiler(compiled: aascompile.CompiledMap, tmp_path: Path):
    compiled.save(tmp_path / "x.aas.hdf")
    script = (
        "import sys, aascompile\n"
        "nav = aascompile.load(sys.argv[1])\n"
        "print(nav.route(nav.spawns[0].point, nav.items[0].point).areas)\n"
        "compiler = {'mapio', 'brushes', 'bsp', 'areas', 'reach', 'cluster', 'pipeline', 'api'}\n"
        "loaded = {name.split('.')[1] for name in sys.modules if name.startswith('aascompile.')}\n"
        "assert not compiler & loaded, compiler & loaded\n"
        "assert not {'scipy', 'rich', 'click', 'multiprocessing', 'asyncio'} & set(sys.modules)\n"
    )
    words = [sys.executable, "-c", script, str(tmp_path / "x.aas.hdf")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[2 1]\n"), done.stderr


def test_all_names_exist_and_are_documented():
    assert aascompile.__all__ == sorted(aascompile.__all__)
    for name in aascompile.__all__:
        assert getattr(aascompile, name).__doc__
    documented = {name for names in build_api.SECTIONS.values() for name in names}
    assert documented == set(aascompile.__all__) - {"__version__"}


def test_type_checkers_see_all_names():
    text = (ROOT / "aascompile" / "__init__.py").read_text()
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    halves = ("aascompile.api", "aascompile.opened")
    seen = [alias.name for node in imports if node.module in halves for alias in node.names]
    assert sorted([*seen, "__version__"]) == aascompile.__all__


def test_the_page_is_up_to_date():
    assert (ROOT / "docs" / "api.md").read_text() == build_api.page(), "run make docs"


def test_the_module_is_the_compile_command(ledge: Path, tmp_path: Path):
    done = python("", "-m", "aascompile", str(ledge), "-o", str(tmp_path / "x.aas.hdf"), "-q")
    assert done.returncode == 0, done.stderr
    assert len(aascompile.load(tmp_path / "x.aas.hdf")) == 3
    assert python("", "-m", "aascompile", "--version").stdout == f"aascompile {aascompile.__version__}\n"


def test_the_version_is_defined_once():
    places = [ROOT / "pyproject.toml", *(ROOT / "aascompile").rglob("*.py")]
    found = [path.name for path in places if f'"{aascompile.__version__}"' in path.read_text()]
    assert found == ["__init__.py"]


USER = """\
import aascompile

compiled = aascompile.compile_map(b"", {"physics": {"gravity": 400}}, threads=1)
nav: aascompile.Navigation = aascompile.Navigation(compiled)
number: int = nav.area_at((0.0, 0.0, 0.0))
route = nav.route(nav.spawns[0].point, nav.area_at([1, 2, 3]))
names: list[str] = [link.travel.name for link in route.links]
try:
    compiled.save("x.aas.hdf")
except aascompile.LeakError as error:
    x: float = error.trail[0][0]
"""
WRONG = """\
text: str = nav.area_at((0.0, 0.0, 0.0))
nav.items[0].nothing
aascompile.compile_map(3)
aascompile.nothing()
"""


def test_type_checking_of_a_program_that_uses_the_api(tmp_path: Path):
    pytest.importorskip("mypy")
    assert (ROOT / "aascompile" / "py.typed").read_bytes() == b""
    assert '"aascompile" = ["py.typed", ' in (ROOT / "pyproject.toml").read_text()
    script = tmp_path / "user.py"
    script.write_text(USER + WRONG)
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\nfollow_imports = silent\n")
    words = [
        "-m",
        "mypy",
        "--config-file",
        str(tmp_path / "mypy.ini"),
        "--cache-dir",
        str(ROOT / ".mypy_cache"),
        "user.py",
    ]
    done = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, env=os.environ | {"MYPYPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    wrong = [int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line]
    first = USER.count("\n") + 1
    assert wrong == [first, first + 1, first + 2, first + 3], done.stdout
