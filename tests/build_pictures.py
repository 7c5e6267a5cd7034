"""Draws the pictures of docs/viewer.md, docs/navigation.md and docs/tutorial.md: runs their commands as they stand."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from tests import pages
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "viewer.md"
TOUR = ROOT / "docs" / "navigation.md"
PICTURES = ROOT / "docs" / "pictures"
TUTORIAL = PICTURES / "tutorial.png"
"""What docs/tutorial.md draws last, as room.png."""
COMPILED = Path("build/pictures")
"""Where the commands look for compiled samples, from the root."""


def commands() -> list[list[str]]:
    """The arguments of every ``aas view`` command of both pages that writes one of their pictures."""
    text = (PAGE.read_text() + TOUR.read_text()).replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines()]
    found = [shlex.split(line)[2:] for line in lines if line.startswith("aas view ")]
    return [words for words in found if any(word.startswith("docs/pictures/") for word in words)]


def samples() -> list[str]:
    """The samples that these commands show."""
    names = {Path(word).name.split(".")[0] for words in commands() for word in words if word.startswith(str(COMPILED))}
    return sorted(names)


def main() -> int:
    """Compile the samples and draw."""
    from aascompile.cli.common import run
    from aascompile.cli.compile import compile_maps
    from aascompile.cli.view import view

    os.chdir(ROOT)
    COMPILED.mkdir(parents=True, exist_ok=True)
    PICTURES.mkdir(parents=True, exist_ok=True)
    maps = [f"samples/{name}.bsp" for name in samples()]
    failed = run(compile_maps, "aascompile", [*maps, "--allow-leak", "--sight", "--quiet", "-o", f"{COMPILED}/"])
    failed = max([failed, *(run(view, "aas view", words) for words in commands())])
    with tempfile.TemporaryDirectory() as folder:
        for command in pages.commands(ROOT / "docs" / "tutorial.md"):
            pages.run(command, Path(folder))
        shutil.copyfile(Path(folder) / "room.png", TUTORIAL)
    return failed


if __name__ == "__main__":
    sys.exit(main())
