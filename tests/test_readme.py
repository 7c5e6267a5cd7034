"""The README shows what really comes out."""

from __future__ import annotations

import re

from aascompile.cli.common import run
from aascompile.cli.main import aas
from tests.conftest import ROOT


def test_examples_are_real(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    examples = re.findall(
        r"^```\n\$ aas ([^\n]+)\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE
    )
    assert examples
    for command, shown in examples:
        assert run(aas, "aas", command.split()) == 0
        assert without_hash(capsys.readouterr().out) == without_hash(shown)


def without_hash(text: str) -> list[str]:
    """The lines but for the file's hash and checksum, which change with every byte of a sample."""
    return [line for line in text.splitlines() if not line.startswith("  format ")]
