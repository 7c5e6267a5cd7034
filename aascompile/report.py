"""What a run did: per stage its counts, time and peak memory; what was left out, and why; warnings.

Stages write into a Report, the command line prints it: there is no formatting here.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

Records = Mapping[str, object]
"""What a stage made, by name."""


@dataclass(slots=True)
class Stage:
    """One stage's part of a report."""

    name: str
    seconds: float = 0.0
    """Wall time."""
    peak_mb: float | None = None
    """The process's highest memory up to the stage's end, MiB; None where the system does not tell."""
    counts: dict[str, int] = field(default_factory=dict)
    records: Records = field(default_factory=dict)
    """What it made, until the run's observer has seen it."""

    def gives(self, **records: object) -> None:
        """Show what the stage made, by name, to the run's observer: to draw it, to check it."""
        self.records = records

    def count(self, **numbers: int) -> None:
        """Add to the stage's counters, which start at 0."""
        for name, number in numbers.items():
            self.counts[name] = self.counts.get(name, 0) + int(number)


@dataclass(frozen=True, slots=True)
class Timing:
    """What a stage took and counted, rounded for people and for JSON."""

    name: str
    seconds: float
    """Wall time, to a microsecond."""
    peak_mb: float | None
    """As ``Stage.peak_mb``, to a tenth."""
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something of the map that was left out, and why: never silently, never fatally."""

    kind: str
    """"brush", "side", "patch", "entity" or "model"; of a side the number is its brush's."""
    number: int
    """Its number in the source file."""
    reason: str
    """One clause: "has no volume", "plane 3 is not finite", …"""


class Report:
    """Collects what stages have to say about one map."""

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
        self._said: set[str] = set()
        self._watch = watch
        self._observe = observe

    @contextmanager
    def stage(self, name: str) -> Iterator[Stage]:
        """Time a stage; the watcher hears its name when it starts, the observer sees what it made when it ends."""
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
        # Outside the stage's time, and the record is not kept.
        records, stage.records = stage.records, {}
        if self._observe is not None and records:
            self._observe(name, records)

    def drop(self, *things: Dropped) -> None:
        """Note what was left out."""
        self.dropped.extend(things)

    def warn(self, sentence: str) -> None:
        """Note something the mapper should look at; said once however often it happens."""
        if sentence not in self._said:
            self._said.add(sentence)
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


def peak_memory() -> float | None:
    """The highest resident memory of this process so far, MiB."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024.0 * 1024.0) if sys.platform == "darwin" else peak / 1024.0
