"""What is reachable from each area over the links in use: answered for many areas, while links are added.

Areas that are mutually reachable are one component, and most of a map is in a single one, so the answers are short.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import starts_of
from aascompile.distinct import distinct
from aascompile.graph.strong_kernel import strong_components
from aascompile.model.links import Links


class ReachableSets:
    """Graph of the links in use. Links out of barred areas count only if the area itself is asked about."""

    def __init__(self, links: Links, used: NDArray[np.bool_], barred: NDArray[np.bool_]) -> None:
        self.links, self.used, self.barred = links, used.copy(), barred
        passed = self.used & ~barred[links.source]
        self.component: list[int] = strong_components(links.area_start, links.target, passed.astype(np.uint8)).tolist()
        label = np.array(self.component, np.int64)
        count = int(label.max()) + 1 if len(label) else 0
        code = distinct(label[links.source[passed]] * count + label[links.target[passed]])
        code = code[code // max(count, 1) != code % max(count, 1)]
        self._start: list[int] = starts_of(np.bincount(code // max(count, 1), minlength=count)).tolist()
        self._next: list[int] = (code % max(count, 1)).tolist()
        self.work = 0
        """Components that searches have come to."""
        self._added: dict[int, list[int]] = {}
        self._known: dict[int, set[int]] = {}

    def after(self, area: int) -> set[int]:
        """Components reachable from an area, its own included; not to be modified."""
        if not self.barred[area]:
            return self._beyond(self.component[area])
        found = {self.component[area]}
        own = slice(*self.links.area_start[area : area + 2].tolist())
        for target in self.links.target[own][self.used[own]].tolist():
            found |= self._beyond(self.component[target])
        return found

    def use(self, row: int) -> None:
        """Add a link."""
        self.used[row] = True
        source, target = int(self.links.source[row]), int(self.links.target[row])
        before, after = self.component[source], self.component[target]
        if not self.barred[source] and before != after:
            self._added.setdefault(before, []).append(after)
            self.work += len(self._known)
            self._known = {
                known: found for known, found in self._known.items() if before not in found or after in found
            }

    def _beyond(self, component: int) -> set[int]:
        """Components reachable from a component, itself included."""
        if component in self._known:
            return self._known[component]
        found, edge = {component}, [component]
        while edge:
            last = edge.pop()
            ahead = set(self._next[self._start[last] : self._start[last + 1]]).union(self._added.get(last, ()))
            self.work += len(ahead)
            for other in ahead - found:
                if other in self._known:
                    found |= self._known[other]
                    self.work += len(self._known[other])
                else:
                    found.add(other)
                    edge.append(other)
        self._known[component] = found
        return found
