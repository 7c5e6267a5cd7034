"""Repeats a case of the fuzzer, and makes its file as small as its fault allows."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.fuzz.inputs import Sample, read_samples
from tests.fuzz.runner import Bench, make_case

TRIES = 2000
"""Most files that are tried."""


def repeat(options: argparse.Namespace) -> int:
    """Run one case in this process, and keep its file if that is asked for."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        bench = Bench(Path(folder), read_samples(options.samples))
        bench.limit()
        sample, data, choices = make_case(bench.samples, options.seed, options.only)
        whole, state = options.only % options.whole == 0, choices.getstate()

        def attempt(tried: bytes) -> tuple[str, str]:
            again = Random()
            again.setstate(state)
            return bench.try_file(sample, tried, again, whole)

        ends, text = attempt(data)
        print(f"case {options.only}: {sample.kind} {sample.name} damaged, {len(data):,} bytes: {ends}\n{text}")
        if options.keep:
            if options.minimise and ends == "fault":
                data = minimised(data, sample, lambda tried: same(attempt(tried), (ends, text)))
            options.keep.mkdir(parents=True, exist_ok=True)
            kept = options.keep / f"{sample.kind}-{options.seed}-{options.only}-{sample.name}"
            kept.write_bytes(data)
            print(f"{len(data):,} bytes in {kept}")
    return 1 if ends == "fault" else 0


def same(found: tuple[str, str], wanted: tuple[str, str]) -> bool:
    """Whether two ends are the same fault: the same last line, apart from numbers."""
    lines = [re.sub(r"\d+", "#", text.splitlines()[-1] if text else "") for _, text in (found, wanted)]
    return found[0] == wanted[0] and lines[0] == lines[1]


def minimised(data: bytes, sample: Sample, fails: Callable[[bytes], bool]) -> bytes:
    """A smaller file with the same fault, or one that differs from the intact one in fewer bytes."""
    left = TRIES

    def attempt(tried: bytes) -> bool:
        nonlocal left
        left -= 1
        return left > 0 and fails(tried)

    if len(data) == len(sample.data):  # undo damage that does not matter
        changed = [at for at in range(len(data)) if data[at] != sample.data[at]]
        for at in changed:
            tried = data[:at] + sample.data[at : at + 1] + data[at + 1 :]
            if attempt(tried):
                data = tried
        return data
    size = len(data) // 2
    while size and left > 0:
        at = 0
        while at < len(data) and left > 0:
            tried = data[:at] + data[at + size :]
            if attempt(tried):
                data = tried
            else:
                at += size
        size //= 2
    return data
