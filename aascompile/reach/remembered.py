"""What is known of the links between areas whatever the entities are: links along edges, and how bots fare on links.

It holds for one record of areas with one record of settings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model.mapdata import Int
from aascompile.player.bot import COLUMNS, DIGEST, Tries

EDGE_LINKS: Final = "edge_links/"
"""Start of the names of the columns of links along edges."""


class Remembered:
    """Links along edges, and the results of tries, of earlier compiles with the same areas and settings."""

    def __init__(self, columns: Mapping[str, NDArray[Any]] | None = None) -> None:
        """``columns`` as made by ``columns()``; None if nothing is known yet."""
        self.edge_links: Mapping[str, NDArray[Any]] | None = None
        self.grown = False
        """Whether something was added."""
        self._tried: dict[bytes, NDArray[np.int32]] = {}
        if columns is not None:
            start = len(EDGE_LINKS)
            self.edge_links = {name[start:]: rows for name, rows in columns.items() if name.startswith(EDGE_LINKS)}
            keys = [row.tobytes() for row in columns["tried/digest"]]
            self._tried = dict(zip(keys, columns["tried/result"], strict=True))

    def add_edge_links(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Remember the links along edges."""
        self.edge_links = columns
        self.grown = True

    def results(self, tries: Tries, simulate: Callable[[Tries], Int]) -> Int:
        """(n, 6) results of tries; only those that are new are simulated."""
        digests = tries.digests()
        new = np.array([row for row, digest in enumerate(digests) if digest not in self._tried], np.int64)
        if len(new):
            for row, result in zip(new.tolist(), simulate(tries.take(new)), strict=True):
                self._tried[digests[row]] = result
            self.grown = True
        return np.array([self._tried[digest] for digest in digests], np.int32).reshape(-1, COLUMNS)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Everything that is known, to be stored."""
        made = {EDGE_LINKS + name: rows for name, rows in (self.edge_links or {}).items()}
        made["tried/digest"] = np.frombuffer(b"".join(self._tried), np.uint8).reshape(-1, DIGEST)
        made["tried/result"] = np.array(list(self._tried.values()), np.int32).reshape(-1, COLUMNS)
        return made
