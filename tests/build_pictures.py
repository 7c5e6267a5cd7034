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
CONVEX = COMPILED / "convex"
"""Where they look for samples compiled with ``areas.walkable = false``."""


def commands() -> list[list[str]]:
    """The arguments of every ``aas view`` command of both pages that writes one of their pictures."""
    text = (PAGE.read_text() + TOUR.read_text()).replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines()]
    found = [shlex.split(line)[2:] for line in lines if line.startswith("aas view ")]
    return [words for words in found if any(word.startswith("docs/pictures/") for word in words)]


def samples(folder: Path = COMPILED) -> list[str]:
    """The samples that these commands show from a folder."""
    shown = {Path(word) for words in commands() for word in words}
    return sorted(path.name.split(".")[0] for path in shown if path.parent == folder)


def main() -> int:
    """Compile the samples and draw."""
    from aascompile.cli.common import run
    from aascompile.cli.compile import compile_maps
    from aascompile.cli.view import view

    os.chdir(ROOT)
    CONVEX.mkdir(parents=True, exist_ok=True)
    PICTURES.mkdir(parents=True, exist_ok=True)
    (CONVEX / "convex.toml").write_text("[areas]\nwalkable = false\n")
    failed = 0
    for folder, options in ((COMPILED, ["--sight"]), (CONVEX, ["--settings", f"{CONVEX}/convex.toml"])):
        maps = [f"samples/{name}.bsp" for name in samples(folder)]
        words = [*maps, *options, "--allow-leak", "--quiet", "-o", f"{folder}/"]
        failed = max(failed, run(compile_maps, "aascompile", words))
    for words in commands():
        if os.path.exists(words[0]):
            failed = max(failed, run(view, "aas view", words))
        else:
            print(f"{words[0]} does not exist, so its picture stays as it is")
    with tempfile.TemporaryDirectory() as folder:
        for command in pages.commands(ROOT / "docs" / "tutorial.md"):
            pages.run(command, Path(folder))
        shutil.copyfile(Path(folder) / "room.png", TUTORIAL)
    return failed


if __name__ == "__main__":
    sys.exit(main())
