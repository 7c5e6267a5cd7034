"""An sdist holds all sources and nothing that was built; ``make dist`` also builds and tries a wheel from it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import aascompile
from tests.build_dist import make_sdist, unpack
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("sdist")
    return unpack(make_sdist(place / "clone", place / "dist"), place / "unpacked")


def test_it_holds_every_file_under_version_control(tree: Path):
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("not a clone: no list of the files under version control")
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    wanted = {name for name in done.stdout.split("\0") if name and (ROOT / name).exists()}
    found = {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()}
    assert wanted - found == set()
    made = {name for name in found - wanted if not name.startswith("aascompile.egg-info/")}
    assert made <= {"PKG-INFO", "setup.cfg", *_new_files(made)}


def _new_files(names: set[str]) -> set[str]:
    """Files of the working tree that are not under version control yet."""
    return {name for name in names if (ROOT / name).exists() and not name.endswith((".so", ".pyc"))}


def test_its_metadata(tree: Path):
    text = (tree / "PKG-INFO").read_text()
    assert f"\nVersion: {aascompile.__version__}\n" in text
    assert "\nLicense-File: LICENSE\n" in text
    assert len(re.findall(r"^Classifier: ", text, re.MULTILINE)) >= 5
    assert "\nClassifier: Typing :: Typed\n" in text


def test_every_package_is_listed():
    """setuptools takes only packages that pyproject.toml names."""
    listed = set(re.findall(r'^    "(aascompile[.\w]*)",$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE))
    found = {".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "aascompile").rglob("__init__.py")}
    assert listed == found | {"aascompile.viewer"}
