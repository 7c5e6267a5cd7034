"""Runs the sections named on the command line, by default all."""

from __future__ import annotations

import argparse
import importlib

SECTIONS = {
    "kernels": "compiled kernels against the same loops in C",
    "corpus": "real maps: time, areas and memory beside the C compiler's",
    "growth": "generated buildings and landscapes: how time and memory grow with size",
    "pool": "many small maps: a process each, a warm pool, a cache; entities that change; watching",
    "nav": "real maps: queries and routes, beside scipy's Dijkstra and Detour",
    "viewer": "the largest real map: time to the first picture, and to draw it again",
}


def main() -> None:
    """Parse the names of sections and run them in order."""
    listing = "\n".join(f"  {name}: {what}" for name, what in SECTIONS.items())
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description=f"Measures the project. Sections:\n{listing}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("section", nargs="*", metavar="SECTION", help="what to run (default: all)")
    chosen = parser.parse_args().section or list(SECTIONS)
    for name in chosen:
        if name not in SECTIONS:
            parser.error(f"no section '{name}': there are {', '.join(SECTIONS)}")
    for number, name in enumerate(chosen):
        print(f"{'' if number == 0 else chr(10)}=== {name}: {SECTIONS[name]}")
        importlib.import_module(f"tests.bench.{name}").run()


if __name__ == "__main__":
    main()
