"""Builds dist/*.tar.gz and tries it: ``python -m tests.build_sdist``, or ``make sdist``.

The archive is unpacked into a fresh folder; a fresh virtual environment builds a wheel from it alone, installs it and
compiles a sample. pip fetches what the build and the package need.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILT = (".*", "build", "dist", "out", "__pycache__", "*.egg-info", "*.so", "*.pyd")
"""What is no part of the sources; of names that begin with a dot, ``KEPT`` are."""
KEPT = (".ci", ".editorconfig", ".gitignore", ".pre-commit-config.yaml")


def main() -> None:
    """Build, unpack, build again, install, compile."""
    with tempfile.TemporaryDirectory(prefix="sdist-") as folder:
        place = Path(folder)
        archive = make_sdist(place / "clone", ROOT / "dist")
        print(f"{archive.relative_to(ROOT)}: {archive.stat().st_size:,} bytes")
        tree = unpack(archive, place / "unpacked")
        venv.create(place / "venv", with_pip=True)
        tools = place / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        pip = [str(tools / "python"), "-m", "pip", "--disable-pip-version-check", "-q"]
        subprocess.run([*pip, "wheel", "--no-deps", str(tree), "-w", str(place / "wheel")], check=True)
        (wheel,) = (place / "wheel").glob("*.whl")
        subprocess.run([*pip, "install", str(wheel)], check=True)
        sample = [str(tree / "samples" / "pillars.bsp"), "-o", str(place / "pillars.aas.hdf"), "--aas", "--check"]
        subprocess.run([str(tools / "aascompile"), *sample], check=True, cwd=place)
        print(f"{wheel.name}: built from the sdist alone, installed, and compiled a sample")


def make_sdist(clone: Path, target: Path) -> Path:
    """Build the sdist of a copy of the sources, so that nothing is left behind in them; returns its path."""
    ignore = shutil.ignore_patterns(*BUILT)
    shutil.copytree(ROOT, clone, ignore=lambda folder, names: ignore(folder, names) - set(KEPT))
    target.mkdir(parents=True, exist_ok=True)
    script = (
        "import sys; sys.path.insert(0, 'aascompile/_build'); import kernel_build\n"
        "print(kernel_build.build_sdist(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(target)], cwd=clone, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return target / done.stdout.splitlines()[-1]


def unpack(archive: Path, target: Path) -> Path:
    """Unpack an sdist; returns the folder of its files."""
    with tarfile.open(archive) as pack:
        pack.extractall(target, filter="data")
    (tree,) = target.iterdir()
    return tree


if __name__ == "__main__":
    main()
