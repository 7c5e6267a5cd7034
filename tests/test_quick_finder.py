"""The finder that ``make setup`` puts in the place of setuptools'."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from tests.conftest import ROOT

NAME = "__editable___aascompile_9_9_finder"
USED = f"import {NAME} as finder; finder.install()"
STARTED = "import sys; assert not {'pathlib', 'importlib.util'} & set(sys.modules)"
FOUND = (
    "import aascompile, aascompile.viewer, aascompile.errors; print(aascompile.__file__, aascompile.viewer.__file__)"
)


def test_it_finds_what_the_finder_of_setuptools_finds_and_imports_nothing(tmp_path: Path) -> None:
    spec = spec_from_file_location("quick_finder", ROOT / "aascompile" / "_build" / "quick_finder.py")
    assert spec is not None
    assert spec.loader is not None
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    mapping = {"aascompile": str(ROOT / "aascompile"), "aascompile.viewer": str(ROOT / "viewer")}
    installed, other = tmp_path / f"{NAME}.py", tmp_path / "other.py"
    installed.write_text(f"import pathlib\nMAPPING: dict[str, str] = {mapping!r}\n")
    other.hardlink_to(installed)
    for _ in range(2):  # a finder that was replaced already stays as it is
        assert script.replace_finder(tmp_path) == [installed]
        code = f"import sys; sys.path.append({str(tmp_path)!r}); {USED}; {STARTED}; {FOUND}"
        done = subprocess.run(
            [sys.executable, "-S", "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.stdout.split() == [str(ROOT / "aascompile/__init__.py"), str(ROOT / "viewer/__init__.py")], done
    assert "pathlib" in other.read_text(), "a hard link belongs to another environment"
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [installed.name, other.name]
