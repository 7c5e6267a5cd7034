"""Which entities are in which areas, for boxes that move while a game runs (thesis §6.6)."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence

import numpy as np

from aascompile.model.mapdata import Float, Int
from aascompile.nav.queries import Space
from aascompile.sampling.sample import areas_in_box, sampler_of
from aascompile.sampling.sample_kernel import Sampler


class Occupancy:
    """Boxes of entities, linked to the areas from which a player can touch them.

    Any hashable value can name an entity. All methods may be called from several threads at once.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self._lock = threading.Lock()
        self._areas: dict[Hashable, Int] = {}
        self._inside: dict[int, dict[Hashable, None]] = {}
        self._sampler: Sampler | None = None

    def __len__(self) -> int:
        """Number of linked entities."""
        return len(self._areas)

    def link(self, entity: Hashable, mins: Sequence[float] | Float, maxs: Sequence[float] | Float) -> Int:
        """Link an entity's box, in map coordinates, in place of its last one. Return its areas, ascending."""
        boxes = self._space.compiled.boxes
        low = np.asarray(mins, np.float64) - boxes.maxs[0]
        high = np.asarray(maxs, np.float64) - boxes.mins[0]
        with self._lock:
            if self._sampler is None:
                self._sampler = sampler_of(self._space.tree)
            areas = areas_in_box(self._sampler, low, high)
            self._remove(entity)
            self._areas[entity] = areas
            for area in areas.tolist():
                self._inside.setdefault(area, {})[entity] = None
            return areas

    def unlink(self, entity: Hashable) -> None:
        """Forget an entity. Nothing happens if it is not linked."""
        with self._lock:
            self._remove(entity)

    def areas_of(self, entity: Hashable) -> Int:
        """Return the areas from which a player can touch an entity; none if it is not linked."""
        with self._lock:
            return self._areas.get(entity, np.zeros(0, np.int32))

    def entities_in(self, area: int) -> tuple[Hashable, ...]:
        """Return the entities that are linked to an area, in the order in which they were linked."""
        with self._lock:
            return tuple(self._inside.get(area, ()))

    def _remove(self, entity: Hashable) -> None:
        for area in self._areas.pop(entity, np.zeros(0, np.int32)).tolist():
            del self._inside[area][entity]
            if not self._inside[area]:
                del self._inside[area]
