"""Runs the commands of a page of the documents, to tell what it shows from what really comes out.

``python -m tests.pages`` writes into README.md and docs/tutorial.md what comes out now; with ``--all`` also where only
times and memory differ.

Of its fenced blocks, ``sh`` are run as they are; in ``console`` every line that begins with ``$ `` is a command, and
what follows is all it prints, on stdout and stderr.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

TABLE = re.compile(r" +\d+\.\d\d +\d+$")
"""Seconds and memory at the end of a row of aascompile's table."""
HASH = re.compile(r"(sha256 )[0-9a-f]{12}(?:(, checksum )[0-9a-f]{8})?")
"""Of a file; changes with every byte of it."""
PLACE = re.compile(r"\(-?\d[-\d. ]*\)")
TIME = re.compile(r"\d+(\.\d+)? s\b")


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a page with what the page shows of it."""

    line: str
    shown: str


def commands(page: Path) -> Iterator[Command]:
    """The commands of a page, in order."""
    for language, block in re.findall(r"^```(sh|console)\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE):
        if language == "sh":
            yield Command(block, "")
            continue
        for line, shown in re.findall(r"^\$ ([^\n]*\n)((?:(?!\$ )[^\n]*\n)*)", block, re.MULTILINE):
            yield Command(line, shown)


def main() -> None:
    """Bring what the pages show up to date."""
    with tempfile.TemporaryDirectory() as folder:
        for number, page in enumerate((ROOT / "README.md", ROOT / "docs" / "tutorial.md")):
            place = Path(folder) / str(number)
            place.mkdir()
            (place / "samples").symlink_to(ROOT / "samples")
            text, at = page.read_text(), 0
            for command in commands(page):
                _, told = run(command, place)
                if command.line.count("\n") > 1:
                    continue
                at = text.index(f"$ {command.line}{command.shown}", at) + len(f"$ {command.line}")
                wanted = told if "--all" in sys.argv else _brought_up(command.shown, told)
                text = text[:at] + wanted + text[at + len(command.shown) :]
            page.write_text(text)


def run(command: Command, folder: Path) -> tuple[int, str]:
    """Exit code and all that a command prints, in a folder, with this Python's ``aascompile`` and ``aas``."""
    tools = os.path.dirname(sys.executable)
    known = {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT),
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        [shutil.which("bash") or "sh", "-c", command.line],
        cwd=folder, env=os.environ | known, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def lasting(text: str) -> list[str]:
    """The lines of an output without what differs from run to run."""
    return [HASH.sub(r"\1…", TABLE.sub("", line)).rstrip() for line in text.splitlines()]


def stable(text: str) -> list[str]:
    """The same without exact places and travel times, which move with the least change of the compiler."""
    return [TIME.sub("… s", PLACE.sub("(…)", line)) for line in lasting(text)]


def _brought_up(shown: str, told: str) -> str:
    """What comes out, with the lines of before where nothing that lasts differs."""
    before = dict(zip(lasting(shown), shown.splitlines(), strict=True))
    after = zip(lasting(told), told.splitlines(), strict=True)
    return "".join(f"{before.get(line, now)}\n" for line, now in after)


if __name__ == "__main__":
    main()
