"""Report of a run: counts, time and peak memory of each stage, what was dropped and why, and warnings.

Stages write into a Report and the command line prints it. Nothing is formatted here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from aascompile.records import dataclass
from aascompile.system import peak_memory

Records = Mapping[str, object]
"""Records that a stage made, by name."""


class Stage:
    """Report of a stage.

    ``seconds``   wall time.
    ``peak_mb``   peak memory of the process up to the end of the stage, MiB; None if the system does not report it.
    ``records``   records that the stage made, until the observer has seen them.
    """

    __slots__ = ("counts", "name", "peak_mb", "records", "seconds")

    def __init__(self, name: str) -> None:
        self.name = name
        self.seconds = 0.0
        self.peak_mb: float | None = None
        self.counts: dict[str, int] = {}
        self.records: Records = {}

    def gives(self, **records: object) -> None:
        """Pass the records of the stage, by name, to the observer of the run, which may draw or check them."""
        self.records = records

    def count(self, **numbers: int) -> None:
        """Add to the stage's counters, which start at 0."""
        for name, number in numbers.items():
            self.counts[name] = self.counts.get(name, 0) + int(number)


@dataclass(frozen=True, slots=True)
class Timing:
    """Time, memory and counts of a stage, rounded for output."""

    name: str
    seconds: float
    """Wall time, to a microsecond."""
    peak_mb: float | None
    """Like ``Stage.peak_mb``, to a tenth."""
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A part of the map that was dropped, and why. Nothing is dropped without a record, and the compile continues."""

    kind: str
    """"brush", "side", "patch", "entity" or "model"; of a side the number is its brush's."""
    number: int
    """Its number in the source file."""
    reason: str
    """One clause: "has no volume", "plane 3 is not finite", …"""


class Report:
    """Collects the reports of all stages for one map."""

    def __init__(
        self,
        source: str,
        watch: Callable[[str], None] | None = None,
        observe: Callable[[str, Records], None] | None = None,
    ) -> None:
        self.source = source
        self.stages: list[Stage] = []
        self.dropped: list[Dropped] = []
        self.warnings: list[str] = []
        self._seen: set[str] = set()
        self._watch = watch
        self._observe = observe

    @contextmanager
    def stage(self, name: str) -> Iterator[Stage]:
        """Time a stage. The watcher gets its name when it starts, the observer its records when it ends."""
        if self._watch is not None:
            self._watch(name)
        stage = Stage(name)
        self.stages.append(stage)
        start = time.perf_counter()
        try:
            yield stage
        finally:
            stage.seconds = time.perf_counter() - start
            stage.peak_mb = peak_memory()
        # Not part of the stage's time. The records are not kept.
        records, stage.records = stage.records, {}
        if self._observe is not None and records:
            self._observe(name, records)

    def also_observe(self, observe: Callable[[str, Records], None]) -> None:
        """Add an observer, which gets the records of each stage after the one that is there already."""
        before = self._observe

        def both(name: str, records: Records) -> None:
            if before is not None:
                before(name, records)
            observe(name, records)

        self._observe = both

    def drop(self, *things: Dropped) -> None:
        """Record what was dropped."""
        self.dropped.extend(things)

    def warn(self, sentence: str) -> None:
        """Record a warning for the author of the map. Repeated warnings are recorded once."""
        if sentence not in self._seen:
            self._seen.add(sentence)
            self.warnings.append(sentence)

    def timings(self) -> tuple[Timing, ...]:
        """Time, memory and counts of every stage so far, in order."""
        return tuple(
            Timing(
                stage.name,
                round(stage.seconds, 6),
                None if stage.peak_mb is None else round(stage.peak_mb, 1),
                dict(stage.counts),
            )
            for stage in self.stages
        )
