"""Writes samples/*.bsp anew from samples/*.map: ``python -m tests.build_samples``, or ``make samples``."""

from __future__ import annotations

from pathlib import Path

from aascompile.mapio.source import read_source
from aascompile.model.mapdata import MapData
from aascompile.quickbsp.write import write_ibsp

SAMPLES = Path(__file__).parent.parent / "samples"


def read_sample(source: Path) -> MapData:
    """A sample as its .map says."""
    data = source.read_bytes()
    return read_source(data.decode(), data, source.name)


def main() -> None:
    """Write those that changed, and take away those whose source is gone."""
    sources = sorted(SAMPLES.glob("*.map"))
    for source in sources:
        target = source.with_suffix(".bsp")
        data = write_ibsp(read_sample(source))
        if not target.exists() or target.read_bytes() != data:
            target.write_bytes(data)
            print(f"wrote {target.name}, {len(data):,} bytes")
    for orphan in {*SAMPLES.glob("*.bsp")} - {source.with_suffix(".bsp") for source in sources}:
        orphan.unlink()
        print(f"removed {orphan.name}")
    print(f"{len(sources)} samples are up to date")


if __name__ == "__main__":
    main()
