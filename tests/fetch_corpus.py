"""Fetches real maps to test with: OpenArena's, out of Debian's packages, by apt-get's own configuration.

``python tests/fetch_corpus.py FOLDER`` fills FOLDER with the maps that tests/corpus-counts.json holds counts of, each
as ``x.bsp`` and, where the game ships one, ``x.aas``; ``--all`` takes every map of the packages. ``--names`` prints the
names instead, for `make regress`. Uses the standard library alone, so that it runs before anything is installed.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Collection
from pathlib import Path

# In the order in which the game layers its archives: a map in a later one replaces its namesake.
PACKAGES = ("openarena-081-maps", "openarena-085-data", "openarena-088-data", "openarena-oacmp1")
MAP_FILE = re.compile(r"maps/([A-Za-z0-9_.+-]+\.(?:bsp|aas))", re.IGNORECASE)
TOOLS = {"apt-get": "apt", "dpkg-deb": "dpkg"}
BASELINE = Path(__file__).parent / "corpus-counts.json"


class FetchError(Exception):
    """Reason why the maps cannot be downloaded, in one sentence."""


def baseline_names() -> list[str]:
    """Names of the maps whose counts the baseline holds."""
    return sorted(json.loads(BASELINE.read_text())["maps"])


def run(command: list[str], folder: Path, purpose: str) -> None:
    """Run a tool in a folder; its last line of complaint becomes the error."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        # apt-get ends with its summary; the first error is the cause.
        cause = next((line for line in lines if line.startswith(("E:", "dpkg-deb: error"))), lines[-1] if lines else "")
        raise FetchError(f"{purpose} failed: {cause or f'{command[0]} ended with {done.returncode}'}")


def require_tools() -> None:
    """Debian's two tools, or one sentence about what is missing."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise FetchError(
            f"{' and '.join(missing)} not found: the maps come from Debian's packages, so this needs Debian or Ubuntu; "
            f"elsewhere, take the .bsp files out of an OpenArena installation and set AASCOMPILE_CORPUS to their folder"
        )


def download(package: str, folder: Path) -> Path:
    """Download and unpack one package; returns the folder of its files."""
    place = folder / package
    place.mkdir()
    try:
        run(["apt-get", "-q", "download", package], place, f"downloading {package}")
    except FetchError as error:
        if "Unable to locate package" in str(error) or "No candidate version" in str(error):
            raise FetchError(f"apt-get does not know {package}: run `apt-get update` first") from None
        raise
    archives = sorted(place.glob("*.deb"))
    if not archives:
        raise FetchError(f"downloading {package} failed: apt-get left no .deb file")
    files = place / "files"
    run(["dpkg-deb", "-x", str(archives[0]), str(files)], place, f"unpacking {archives[0].name}")
    archives[0].unlink()
    return files


def extract(archive: Path, target: Path, names: Collection[str] | None = None) -> int:
    """Copy the maps of a .pk3 into the target folder; returns the number of .bsp files. ``names``: only these maps."""
    maps = 0
    with zipfile.ZipFile(archive) as pack:
        for member in pack.infolist():
            match = MAP_FILE.fullmatch(member.filename)
            if match is None:
                continue
            name = match[1].lower()
            if names is not None and Path(name).stem not in names:
                continue
            partial = target / f"{name}.partial"
            with pack.open(member) as source, partial.open("wb") as copy:
                shutil.copyfileobj(source, copy)
            partial.replace(target / name)
            maps += name.endswith(".bsp")
    return maps


def fetch(target: Path, names: Collection[str] | None) -> int:
    """Fill the target folder from all packages; returns the number of maps in it. ``names``: only these maps."""
    require_tools()
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="corpus-") as temporary:
        for package in PACKAGES:
            files = download(package, Path(temporary))
            found = 0
            for archive in sorted(files.rglob("*.pk3")):
                # Some archives are links into other packages: their own package brings them.
                if archive.is_file() and not archive.is_symlink():
                    found += extract(archive, target, names)
            print(f"{package}: {found} maps")
            shutil.rmtree(files)
    missing = [name for name in names or () if not (target / f"{name}.bsp").exists()]
    if missing:
        raise FetchError(f"the packages hold no {' and no '.join(f'{name}.bsp' for name in missing)}")
    return len(list(target.glob("*.bsp")))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Fetch real maps from Debian's packages.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path(".corpus"), help="where the .bsp files go")
    parser.add_argument("--all", action="store_true", help="every map of the packages, not only the baseline's")
    parser.add_argument(
        "--names", action="store_true", help="print the names of the baseline's maps, and fetch nothing"
    )
    given = parser.parse_args()
    if given.names:
        print(*baseline_names())
        return 0
    target: Path = given.folder
    try:
        count = fetch(target, None if given.all else baseline_names())
    except OSError as error:
        print(f"fetch_corpus: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except (FetchError, zipfile.BadZipFile) as error:
        print(f"fetch_corpus: {error}", file=sys.stderr)
        return 1
    print(f"{count} maps in {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
