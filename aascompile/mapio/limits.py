"""What counts as a map file, and how much of one is read."""

from __future__ import annotations

from typing import Final

MAX_BYTES: Final = 256 << 20
"""Size of a map file, packed or not: ten times that of large maps."""

MAP_SUFFIXES: Final = (".bsp", ".map")
