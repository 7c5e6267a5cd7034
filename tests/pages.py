"""Runs the commands of documentation pages, to compare the output that a page shows with the actual output.

``python -m tests.pages`` updates the output in these pages; with ``--all`` also where only times and memory differ.

Fenced blocks of type ``sh`` are run as a whole. In ``console`` blocks, each line that starts with ``$ `` is a command,
followed by all its output on stdout and stderr.
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

SHOWN = (ROOT / "README.md", ROOT / "docs" / "tutorial.md", ROOT / "docs" / "ci.md", ROOT / "docs" / "generators.md")
TABLE = re.compile(r" +\d+\.\d\d +\d+$")
"""Seconds and memory at the end of a row of aascompile's table."""
HASH = re.compile(r"(sha256 )[0-9a-f]{12}(?:(, checksum )[0-9a-f]{8})?")
"""Hash and checksum of a file."""
PLACE = re.compile(r"\(-?\d[-\d. ]*\)")
TIME = re.compile(r"\d+(\.\d+)? s\b")


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a page, and the output that the page shows."""

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
    """Update the output in the pages."""
    with tempfile.TemporaryDirectory() as folder:
        for number, page in enumerate(SHOWN):
            place = Path(folder) / str(number)
            place.mkdir()
            (place / "samples").symlink_to(ROOT / "samples")
            text, at = page.read_text(), 0
            for command in commands(page):
                _, output = run(command, place)
                if command.line.count("\n") > 1:
                    continue
                at = text.index(f"$ {command.line}{command.shown}", at) + len(f"$ {command.line}")
                wanted = output if "--all" in sys.argv else _updated(command.shown, output)
                text = text[:at] + wanted + text[at + len(command.shown) :]
            page.write_text(text)


def run(command: Command, folder: Path) -> tuple[int, str]:
    """Run a command in a folder, with this Python's ``aascompile`` and ``aas``; return exit code and output."""
    tools = os.path.dirname(sys.executable)
    variables = {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT),
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        [shutil.which("bash") or "sh", "-c", command.line],
        cwd=folder, env=os.environ | variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def lasting(text: str) -> list[str]:
    """Lines of an output, without what differs between runs."""
    return [HASH.sub(r"\1…", TABLE.sub("", line)).rstrip() for line in text.splitlines()]


def stable(text: str) -> list[str]:
    """The same without exact positions and times, which small changes to the compiler may move."""
    return [TIME.sub("… s", PLACE.sub("(…)", line)) for line in lasting(text)]


def _updated(shown: str, output: str) -> str:
    """The new output, with old lines where only times and memory differ."""
    before = dict(zip(lasting(shown), shown.splitlines(), strict=True))
    after = zip(lasting(output), output.splitlines(), strict=True)
    return "".join(f"{before.get(line, now)}\n" for line, now in after)


if __name__ == "__main__":
    main()
