"""What holds of every kernel: how its columns grow, which tests run on its bounds-checked build, and its slow twin."""

from __future__ import annotations

import ast
import importlib
import os
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.test_layers import Source, imported, sources

TWINS = {
    "areas/contacts": ("areas/test_walkable.py", "walks_straight"),
    "areas/gravity": ("areas/test_areas.py", "slow"),
    "areas/headroom": ("areas/test_walkable.py", "floor_below"),
    "areas/ladder_split": ("areas/test_ladder_faces.py", "inside_polygon"),
    "areas/merge": ("areas/test_subdivide.py", "sticks_out"),
    "areas/mesh": ("areas/test_subdivide.py", "leak"),
    "areas/piece": ("areas/test_walkable.py", "walks_straight"),
    "areas/plan": ("areas/test_walkable.py", "ground_points"),
    "areas/recut": ("areas/test_walkable.py", "walks_straight"),
    "areas/rim": ("areas/test_rim.py", "slow"),
    "areas/seal": ("areas/test_seal.py", "volume"),
    "areas/underside": ("areas/test_areas.py", "slow"),
    "areas/weld": ("areas/test_weld.py", "slow"),
    "brushes/patches": ("brushes/test_patches.py", "twin"),
    "bsp/branch": ("bsp/test_tree.py", "Space"),
    "bsp/cell": ("bsp/test_tree.py", "Space"),
    "bsp/choice": ("bsp/test_tree.py", "Space"),
    "bsp/contents": ("bsp/test_tree.py", "Space"),
    "bsp/node": ("bsp/test_tree.py", "Space"),
    "bsp/outside": ("bsp/test_outside.py", "Solids"),
    "bsp/portals": ("bsp/test_portals.py", "leak"),
    "bsp/surface": ("bsp/test_surface.py", "inside_polygon"),
    "bsp/tree": ("bsp/test_tree.py", "Space"),
    "cluster/cut": ("cluster/test_cut.py", "parts_without"),
    "geometry/bevel": ("geometry/test_bevels.py", "slow"),
    "geometry/closest": ("geometry/test_closest.py", "slow_pair"),
    "geometry/grid": ("geometry/test_grid.py", "touching"),
    "geometry/hull": ("geometry/test_hull.py", "slow"),
    "geometry/merging": ("geometry/test_merging.py", "slow"),
    "geometry/notch": ("geometry/test_notches.py", "windings"),
    "geometry/outline": ("areas/test_walkable.py", "depths"),
    "geometry/overlap": ("geometry/test_overlap.py", "twin"),
    "geometry/planes": ("geometry/test_planes.py", "SlowPlaneTable"),
    "geometry/polygon": ("geometry/test_winding.py", "slow"),
    "geometry/rays": ("geometry/test_rays.py", "crosses"),
    "geometry/solid": ("geometry/test_hull.py", "slow"),
    "geometry/width": ("geometry/test_grid.py", "width"),
    "geometry/winding": ("geometry/test_winding.py", "slow"),
    "graph/flood": ("graph/test_flood.py", "slow_flood"),
    "graph/queue": ("nav/test_tables.py", "PlainRoutes"),
    "graph/strong": ("graph/test_strong.py", "leads_to"),
    "mapio/md4": ("mapio/test_ibsp_md4.py", "RFC_1320"),
    "nav/fields": ("nav/test_fields.py", "PlainRoutes"),
    "nav/observe": ("nav/test_agents.py", "seen_slowly"),
    "nav/routes": ("nav/test_tables.py", "PlainRoutes"),
    "nav/search": ("nav/test_tables.py", "PlainRoutes"),
    "nav/tables": ("nav/test_tables.py", "PlainRoutes"),
    "player/body": ("player/test_movement.py", "Player"),
    "player/bot": ("player/test_bot.py", "SlowBot"),
    "player/follow": ("reach/test_probe.py", "Try"),
    "player/move": ("player/test_movement.py", "Player"),
    "player/player": ("player/test_movement.py", "Player"),
    "player/strafe": ("player/test_strafe.py", "run_up"),
    "quickbsp/leaves": ("quickbsp/test_write.py", "Solids"),
    "reach/attempts": ("reach/test_probe.py", "Try"),
    "reach/detour": ("reach/test_detour.py", "quickest"),
    "reach/nearest": ("reach/test_nearest.py", "between"),
    "reach/platforms": ("reach/test_platforms.py", "above"),
    "reach/probe": ("reach/test_probe.py", "Try"),
    "reach/rims": ("reach/test_probe.py", "Try"),
    "reach/uses": ("reach/test_uses.py", "PlainRoutes"),
    "sampling/fan": ("sampling/test_fan.py", "traces"),
    "sampling/sample": ("sampling/test_sample.py", "Grown"),
    "sampling/shape": ("sampling/test_shape.py", "slow"),
    "sampling/sight": ("sampling/test_sight.py", "Opaque"),
    "sampling/walk": ("sampling/test_walk.py", "straight_walk"),
    "store/lookup3": ("store/test_hdf_writer.py", "h5py"),
}
"""Kernel → the test that holds it against something slow, readable and independent, and what that is called there."""

COLD = ("self._grow", "self._rehash")
"""Methods that a kernel may take the GIL for: growth alone, and growth of a hash table, which is then filled anew."""


def kernel_sources() -> list[Source]:
    """The sources of all kernels."""
    return [source for source in sources(".py") if source.kernel]


def wrong_growth(source: Source) -> list[str]:
    """Blocks with the GIL that do anything but grow columns, and columns that are not assigned to themselves."""
    found = []
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.With) and any(ast.unparse(item) == "cython.gil" for item in node.items):
            calls = [_called(line) for line in node.body]
            found += [
                f"{source.path}:{node.lineno}: {call}"
                for call in calls
                if call != "grown" and not call.startswith(COLD)
            ]
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_grow"):
            calls = [
                _called(line) for part in node.body for line in (part.body if isinstance(part, ast.If) else [part])
            ]
            found += [f"{source.path}:{node.lineno}: {call}" for call in calls if call != "grown"]
        if isinstance(node, ast.Assign) and _called(node) == "grown":
            assert isinstance(node.value, ast.Call)
            targets = [ast.unparse(part) for part in getattr(node.targets[0], "elts", [])]
            columns = [ast.unparse(part) for part in node.value.args[1:]]
            if targets != columns or len(set(columns)) < len(columns):
                found.append(f"{source.path}:{node.lineno}: {targets} = grown({columns})")
    return found


def _called(line: ast.stmt) -> str:
    """Name of the function that a statement calls, or whose result it assigns."""
    value = getattr(line, "value", None)
    return ast.unparse(value.func) if isinstance(value, ast.Call) else ast.unparse(line)


def test_kernels_grow_columns_in_one_way():
    assert [line for source in kernel_sources() for line in wrong_growth(source)] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("with cython.gil:\n    self.a, self.b = grown(n, self.a, self.b)", 0),
        ("with cython.gil:\n    (self.a,) = grown(n + 1, self.a)", 0),
        ("with cython.gil:\n    self._rehash()", 0),
        ("with cython.gil:\n    self.a, self.b = grown(n, self.b, self.a)", 1),
        ("self.a, self.b = grown(n, self.a, self.a)", 1),
        ("self.a = grown(n, self.a)", 1),
        ("with cython.gil:\n    self.a = np.resize(self.a, n)", 1),
        ("with cython.gil:\n    self._grow()\ndef _grow(self):\n    (self.a,) = grown(1, self.a)", 0),
        ("def _grow(self, n):\n    if n:\n        (self.a,) = grown(n, self.a)", 0),
        ("def _grow(self):\n    self.a = np.empty(9)", 1),
        ("with cython.gil:\n    self.enlarge()", 1),
    ],
)
def test_wrong_growth_is_found(text, wrong):
    assert len(wrong_growth(Source(Path("aascompile/bsp/a_kernel.py"), text))) == wrong


def checked_tests() -> list[Path]:
    """Folders and files of tests that ``make checked`` runs."""
    (line,) = re.findall(r"^CHECKED := ((?:.*\\\n)*.*)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return [ROOT / name for name in line.replace("\\\n", " ").split()]


def behind(path: Path) -> set[str]:
    """Names of all modules that a test imports, and that those import."""
    found: set[str] = set()
    waiting = list(_imports(path))
    while waiting:
        name = waiting.pop()
        file = ROOT / Path(*name.split(".")).with_suffix(".py")
        if name not in found and file.exists():
            found.add(name)
            waiting += _imports(file)
    return found


def _imports(path: Path) -> list[str]:
    """Modules that a file imports; names imported from a package may be modules themselves."""
    source = Source(path.relative_to(ROOT), path.read_text())
    names = list(imported(source))
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [f"{node.module.removeprefix('cython.cimports.')}.{alias.name}" for alias in node.names]
    return names


def test_every_kernel_has_a_twin():
    kernels = {"/".join(source.package_path).removesuffix("_kernel") for source in kernel_sources()}
    assert set(TWINS) == kernels


@pytest.mark.parametrize("kernel", TWINS)
def test_a_kernels_twin_is_used_on_it_in_a_test_that_make_checked_runs(kernel):
    name, twin = TWINS[kernel]
    path = ROOT / "tests" / name
    assert f"aascompile.{kernel.replace('/', '.')}_kernel" in behind(path)
    assert any(path.is_relative_to(place) for place in checked_tests())
    tree = ast.parse(path.read_text())
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assert twin in used


@pytest.mark.skipif(
    not os.environ.get("AASCOMPILE_EXPECT_CHECKED"), reason="only for the bounds-checked build: `make checked` runs it"
)
@pytest.mark.parametrize("kernel", TWINS)
def test_the_checked_build_of_a_kernel_is_the_one_under_test(kernel):
    module = importlib.import_module(f"aascompile.{kernel.replace('/', '.')}_kernel")
    assert module.__file__ is not None
    assert Path(module.__file__).is_relative_to(ROOT / "build" / "checked")
    assert not module.__file__.endswith(".py")
