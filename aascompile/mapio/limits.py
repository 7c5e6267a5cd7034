"""File name suffixes and size limit of map files."""

from __future__ import annotations

from typing import Final

MAX_BYTES: Final = 256 << 20
"""Limit on the size of a map file, packed or not: ten times the size of a large map."""

MAP_SUFFIXES: Final = (".bsp", ".map")
