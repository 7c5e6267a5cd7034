"""Digests of every sample's compiled file, the same on every machine: ``python tests/golden.py`` records them.

``--check`` compares them with the record and exits with 1 if any differs; ``--json`` prints them. The digest of the
engine's file is that of its bytes. The digest of the HDF5 file is that of its columns: libraries compress them
differently. Needs only the installed package, so that ``make dist`` can run it with every version of Python.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import aascompile

HERE = Path(__file__).parent
RECORD = HERE / "golden.json"


def samples() -> list[Path]:
    """All samples, by name."""
    return sorted((HERE.parent / "samples").glob("*.bsp"))


def digests(sample: Path, threads: int = 1) -> dict[str, str]:
    """Digests of the engine's file and of all columns of a sample. Leaks are allowed."""
    from aascompile.store.engine import write_engine
    from aascompile.store.hdf import compiled_bytes

    compiled = aascompile.compile_map(sample, allow_leak=True, threads=threads)
    return {"aas": _digest(write_engine(compiled)), "hdf": _columns(compiled_bytes(compiled))}


def recorded() -> dict[str, dict[str, str]]:
    """The record."""
    found: dict[str, dict[str, str]] = json.loads(RECORD.read_text())
    return found


def _columns(data: bytes) -> str:
    """Digest of the names, types, shapes and values of all datasets in a file."""
    import h5py

    rows: list[bytes] = []

    def add(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            values = item[()]
            rows.append(f"{name} {item.dtype.str} {item.shape} {_digest(values.tobytes())}".encode())

    with h5py.File(io.BytesIO(data), "r") as file:
        file.visititems(add)
    return _digest(b"\n".join(sorted(rows)))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def main() -> None:
    """Record, check or print all digests."""
    from aascompile import pipeline

    pipeline.FEW = 0  # type: ignore[misc]  # two threads, however few brushes a sample has
    found = {sample.stem: digests(sample, threads=2) for sample in samples()}
    if "--json" in sys.argv[1:]:
        print(json.dumps(found))
    elif "--check" in sys.argv[1:]:
        expected = recorded()
        different = sorted(name for name in {*found, *expected} if found.get(name) != expected.get(name))
        if different:
            sys.exit(f"other results than recorded: {', '.join(different)}")
        print(f"{len(found)} samples: the same results as recorded")
    else:
        RECORD.write_text(json.dumps(found, indent=1) + "\n")
        print(f"{len(found)} samples: tests/{RECORD.name}")


if __name__ == "__main__":
    main()
