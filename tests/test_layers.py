"""Rules enforced by reading the sources: imports between layers, unique names, kernels without the GIL, tolerances."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import ROOT

BASE = (
    "", "errors", "escaping", "tolerances", "settings", "settings_file", "settings_cfg", "report", "records", "stages",
    "patterns",
    "system",
    "threads", "columns", "csr", "digests", "distinct", "watching", "watchdog",
)  # fmt: skip
SHARED = (*BASE, "geometry", "graph", "model", "sampling")
STAGES = ("mapio", "brushes", "bsp", "areas", "reach", "cluster", "store")
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(BASE, BASE),
    "": (*BASE, "api", "opened"),
    "geometry": BASE,
    "graph": BASE,
    "model": (*BASE, "geometry"),
    "sampling": (*BASE, "geometry", "model"),
    "checks": SHARED,
    "player": SHARED,
    **dict.fromkeys(STAGES, SHARED),
    "reach": (*SHARED, "player"),
    "store": (*SHARED, "checks"),
    "quickbsp": (*SHARED, "mapio"),
    "nav": (*SHARED, "checks", "player", "reach", "store"),
    "viewer": (*SHARED, "store", "nav"),
    "reuse": SHARED,
    "pipeline": (*SHARED, "checks", "player", *STAGES, "reuse"),
    "cached": (*SHARED, "checks", *STAGES, "reuse", "pipeline"),
    "dump": SHARED,
    "pool": BASE,
    "farm": (*BASE, "pool", "cached"),
    "opened": (*SHARED, "player", "store", "nav"),
    "api": (*SHARED, "player", "mapio", "store", "nav", "opened", "pipeline", "cached", "pool", "farm"),
    "cli": (
        *SHARED,
        "checks",
        "player",
        *STAGES,
        "quickbsp",
        "nav",
        "reuse",
        "pipeline",
        "cached",
        "farm",
        "opened",
        "api",
        "dump",
        "viewer",
    ),
    "__main__": ("", "cli"),
}
"""Part of the package → other parts it may import. Only cli comes after everything, and only __main__ imports it; ""
is the package's own __init__, which imports the API when a program first uses it."""

SHARED_NAMES = {
    "Options": "each command has the record of its own options",
    "Task": "the protocol of over_maps, and the task of regress that follows it",
    "Entities": "the record, and its row in a summary",
    "Models": "the record, and its row in a summary",
}
"""Names of public classes that may stand in several files, with the reason."""

HEAVY = (
    "scipy",
    "trimesh",
    "h5py",
    "rich",
    "pyvista",
    "vtk",
    "vtkmodules",
    "trame",
    "matplotlib",
    "dask",
    "distributed",
)
SMALLEST_PLAIN_FLOAT = 0.01
MOST_LINES = 1000


@dataclass(frozen=True)
class Source:
    """One source file of the package."""

    path: Path
    """From the root of the project."""
    text: str

    @property
    def package_path(self) -> tuple[str, ...]:
        """Its path inside the package: the viewer lies beside it in the tree, inside it when installed."""
        parts = self.path.with_suffix("").parts
        return parts if parts[0] == "viewer" else parts[1:]

    @property
    def part(self) -> str:
        """The part of the package it belongs to, "" for the package's own __init__."""
        first = self.package_path[0]
        return "" if first == "__init__" else first

    @property
    def kernel(self) -> bool:
        return self.path.stem.endswith("_kernel")


def sources(*suffixes: str) -> list[Source]:
    """All files of the package and the viewer, the build backend aside."""
    files = [path for top in ("aascompile", "viewer") for path in sorted((ROOT / top).rglob("*"))]
    return [
        Source(path.relative_to(ROOT), path.read_text())
        for path in files
        if path.suffix in suffixes and "_build" not in path.parts
    ]


def imported(source: Source, *, at_start_only: bool = False) -> Iterator[str]:
    """Full names of the modules a file imports, inside functions too; cimports count as imports."""
    if source.path.suffix == ".pxd":
        yield from re.findall(r"^\s*(?:from|cimport)\s+([\w.]+)", source.text, re.MULTILINE)
        return
    package = ("aascompile", *source.package_path[:-1])
    for node in _nodes(ast.parse(source.text), at_start_only):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join((*start, *([node.module] if node.module else [])))
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "aascompile" else [module]
        else:
            continue
        yield from (name.removeprefix("cython.cimports.") for name in names)


def _nodes(node: ast.AST, at_start_only: bool) -> Iterator[ast.AST]:
    """All nodes; or only those that run when the module is imported."""
    for child in ast.iter_child_nodes(node):
        if at_start_only and isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if at_start_only and isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        yield child
        yield from _nodes(child, at_start_only)


def wrong_imports(source: Source) -> list[str]:
    """Imports of a higher layer, or of another stage."""
    found = []
    for name in imported(source):
        parts = name.split(".")
        if parts[0] not in ("aascompile", "viewer"):
            continue
        target = parts[0] if parts[0] == "viewer" else parts[1] if len(parts) > 1 else ""
        if target.startswith("__"):
            target = ""
        if target != source.part and target not in MAY_IMPORT[source.part]:
            found.append(f"{source.path} imports {name}")
    return found


def with_gil(source: Source) -> list[str]:
    """C functions of a kernel that are not declared nogil."""
    if source.path.suffix == ".pxd":
        declared = re.findall(
            r"^\s*cp?def\s+(?!class\b)[^\n(=]*?(\w+)\s*\(([^)]*)\)([^\n]*)", source.text, re.MULTILINE
        )
        return [f"{source.path}: {name}" for name, _, tail in declared if "nogil" not in tail]
    found = []
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.FunctionDef):
            marks = {ast.unparse(mark).removeprefix("cython.") for mark in node.decorator_list}
            if marks & {"cfunc", "ccall", "inline"} and "nogil" not in marks:
                found.append(f"{source.path}:{node.lineno}: {node.name}")
    return found


def epsilons(source: Source) -> list[str]:
    """Small float literals, which belong in tolerances.py with a reason."""
    return [
        f"{source.path}:{node.lineno}: {node.value!r}"
        for node in ast.walk(ast.parse(source.text))
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and 0.0 < node.value < SMALLEST_PLAIN_FLOAT
    ]


def class_names(source: Source) -> list[str]:
    """Public classes that a file defines."""
    nodes = ast.walk(ast.parse(source.text))
    return [node.name for node in nodes if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


def test_no_class_name_stands_for_two_things():
    names = Counter(name for source in sources(".py") for name in class_names(source))
    assert {name for name, count in names.items() if count > 1} == set(SHARED_NAMES)


def test_imports_go_downwards():
    assert [line for source in sources(".py", ".pxd") for line in wrong_imports(source)] == []


def test_every_part_is_in_the_table():
    assert {source.part for source in sources(".py")} <= set(MAY_IMPORT)


def test_heavy_packages_are_imported_late():
    found = [
        f"{source.path} imports {name}"
        for source in sources(".py")
        if source.part != "viewer"
        for name in imported(source, at_start_only=True)
        if name.split(".")[0] in HEAVY
    ]
    assert found == []


def test_files_have_less_than_a_thousand_lines():
    tests = [Source(path.relative_to(ROOT), path.read_text()) for path in sorted((ROOT / "tests").rglob("*.py"))]
    every = sources(".py", ".pxd", ".pyx") + tests
    assert [str(source.path) for source in every if source.text.count("\n") >= MOST_LINES] == []


def test_kernels_run_without_the_gil():
    assert [line for source in sources(".py", ".pxd") if source.kernel for line in with_gil(source)] == []


def test_tolerances_are_defined_in_one_place():
    checked = [source for source in sources(".py") if source.part != "tolerances"]
    assert [line for source in checked for line in epsilons(source)] == []


@pytest.mark.parametrize(
    ("path", "text", "wrong"),
    [
        ("aascompile/geometry/a.py", "from aascompile.model.mapdata import MapData", 1),
        ("aascompile/bsp/a.py", "def f():\n    import aascompile.reach.walk", 1),
        ("aascompile/bsp/a.py", "from ..areas import merge", 1),
        ("aascompile/bsp/a.py", "from . import split\nfrom ..model import mapdata", 0),
        ("aascompile/bsp/a_kernel.py", "from cython.cimports.aascompile.areas.x_kernel import X", 1),
        ("aascompile/bsp/a_kernel.pxd", "from aascompile.cluster.x_kernel cimport X", 1),
        ("aascompile/bsp/a_kernel.pxd", "from aascompile.geometry.polygon_kernel cimport Polys", 0),
        ("aascompile/pipeline.py", "from aascompile import cli", 1),
        ("aascompile/pipeline.py", "from aascompile import __version__, tolerances\nimport numpy", 0),
        ("aascompile/nav/a.py", "from aascompile.bsp import tree", 1),
        ("viewer/a.py", "from aascompile.bsp import tree", 1),
        ("viewer/a.py", "from aascompile.store.read import load\nfrom aascompile.viewer import scene", 0),
        ("aascompile/report.py", "from aascompile.model import mapdata", 1),
        ("aascompile/__init__.py", "from aascompile.api import load", 0),
        ("aascompile/__init__.py", "from aascompile.pipeline import compile_map", 1),
        ("aascompile/pipeline.py", "from aascompile.api import load", 1),
        ("aascompile/api.py", "from aascompile.cli.common import run", 1),
    ],
)
def test_wrong_imports_are_found(path, text, wrong):
    assert len(wrong_imports(Source(Path(path), text))) == wrong


def test_module_level_imports_are_distinguished_from_later_ones():
    text = "import scipy\nif TYPE_CHECKING:\n    import h5py\ndef f():\n    import rich\nclass A:\n    import trimesh"
    assert list(imported(Source(Path("aascompile/bsp/a.py"), text), at_start_only=True)) == ["scipy", "trimesh"]


def test_kernels_with_the_gil_are_found():
    text = "@cython.cfunc\ndef a(): ...\n@cython.cfunc\n@cython.nogil\ndef b(): ...\ndef c(): ..."
    assert with_gil(Source(Path("aascompile/bsp/a_kernel.py"), text)) == ["aascompile/bsp/a_kernel.py:2: a"]
    header = (
        "cdef class A:\n    cdef int x\n    cdef int a(self) noexcept\n    cdef void b(self, int c) noexcept nogil\n"
    )
    assert with_gil(Source(Path("aascompile/bsp/a_kernel.pxd"), header)) == ["aascompile/bsp/a_kernel.pxd: a"]


def test_epsilons_are_found():
    assert len(epsilons(Source(Path("aascompile/bsp/a.py"), "a = 0.0 + 0.5 + 0.01\nb = 1e-6\nc = -0.001"))) == 2


@pytest.mark.parametrize(
    "command",
    [
        ("main", "--help"),
        *(("main", name, "--help") for name in ("bsp", "view", "check", "export", "gate", "import", "info")),
        ("compile", "--help"),
    ],
)
def test_help_does_not_import_numpy(command):
    module, *arguments = command
    script = (
        f"import sys; sys.argv = ['x', *{arguments!r}]\n"
        f"from aascompile.cli.{module} import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        f"loaded = [name for name in ('numpy', *{HEAVY!r}) if name in sys.modules]\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Usage:" in done.stdout


NOT_FOR_COMPILING = (
    "numpy.ma", "numpy.random", "numpy.fft", "numpy.polynomial", "tomllib", "logging", "concurrent.futures",
    "_hashlib",
    "aascompile.mapio.textures", "aascompile.checks.check_areas", "aascompile.store.cache", *HEAVY,
)  # fmt: skip
"""Modules that take longer to import than a small map takes to compile, and that a compile does not need."""


def test_a_compile_imports_no_more_than_it_needs(tmp_path):
    sample = str(ROOT / "samples" / "elevator.bsp")
    script = (
        f"import sys; sys.argv = ['aascompile', {sample!r}, '--aas', '--output', sys.argv[1]]\n"
        "import aascompile.cli.common as common\n"
        f"common.end_process = lambda code: print([name for name in {NOT_FOR_COMPILING!r} if name in sys.modules])\n"
        "from aascompile.cli.compile import main\n"
        "main()\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "x.aas.hdf")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_nothing_that_is_compiled_is_computed_by_blas_or_hypot():
    """BLAS adds in another order on another processor, and the last digit of hypot depends on the C library.
    ``geometry.vectors`` has products and lengths that are the same everywhere."""
    used = re.compile(
        r"[\w)\]] @ [\w(]|np\.(dot|inner|vdot|matmul|einsum|tensordot|hypot)\(|\.dot\(|linalg\.norm\((?!.*axis=)"
    )
    compiled = {*STAGES, "geometry", "model", "sampling", "player", "reach", "checks", "mapio", "store"}
    found = [
        f"{source.path}:{number}: {line.strip()}"
        for source in sources(".py")
        if source.part in compiled
        for number, line in enumerate(source.text.splitlines(), 1)
        if used.search(line)
    ]
    assert found == []
