"""What a run did: per stage its counts, time and peak memory; what was left out, and why; warnings.

Stages write into a Report, the command line prints it: there is no formatting here.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Stage:
    """One stage's part of a report."""

    name: str
    seconds: float = 0.0
    """Wall time."""
    peak_mb: float | None = None
    """The process's highest memory up to the stage's end, MiB; None where the system does not tell."""
    counts: dict[str, int] = field(default_factory=dict)
    records: tuple[object, ...] = ()
    """What it made, until whoever observes the run has seen it."""

    def gives(self, *records: object) -> None:
        """What the stage made, for whoever observes the run: to draw it, to check it."""
        self.records = records

    def count(self, **numbers: int) -> None:
        """Add to the stage's counters, which start at 0."""
        for name, number in numbers.items():
            self.counts[name] = self.counts.get(name, 0) + int(number)


@dataclass(frozen=True, slots=True)
class Left:
    """Something of the map that was left out."""

    kind: str
    """"brush", "side", "patch", "facet" or "entity"."""
    number: int
    """Its number in the source file."""
    reason: str
    """One clause."""


class Report:
    """Collects what stages have to say about one map."""

    def __init__(
        self,
        source: str,
        watch: Callable[[str], None] | None = None,
        observe: Callable[[str, tuple[object, ...]], None] | None = None,
    ) -> None:
        self.source = source
        self.stages: list[Stage] = []
        self.dropped: list[Left] = []
        self.warnings: list[str] = []
        self._said: set[str] = set()
        self._watch = watch
        self._observe = observe

    @contextmanager
    def stage(self, name: str) -> Iterator[Stage]:
        """Time a stage; whoever watches hears its name when it starts, whoever observes sees what it made."""
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
        records, stage.records = stage.records, ()
        if self._observe is not None and records:
            self._observe(name, records)

    def drop(self, kind: str, number: int, reason: str) -> None:
        """Note that something was left out."""
        self.dropped.append(Left(kind, int(number), reason))

    def warn(self, sentence: str) -> None:
        """Note something the mapper should look at; said once however often it happens."""
        if sentence not in self._said:
            self._said.add(sentence)
            self.warnings.append(sentence)

    def to_dict(self) -> dict[str, object]:
        """All of it in JSON's types, with keys that stay."""
        return {
            "source": self.source,
            "stages": [
                {
                    "name": stage.name,
                    "seconds": round(stage.seconds, 6),
                    "peak_mb": None if stage.peak_mb is None else round(stage.peak_mb, 1),
                    "counts": dict(stage.counts),
                }
                for stage in self.stages
            ],
            "dropped": [{"kind": one.kind, "number": one.number, "reason": one.reason} for one in self.dropped],
            "warnings": list(self.warnings),
        }


def peak_memory() -> float | None:
    """The highest resident memory of this process so far, MiB."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024.0 * 1024.0) if sys.platform == "darwin" else peak / 1024.0
