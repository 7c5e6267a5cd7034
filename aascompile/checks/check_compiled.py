"""Check of a compiled map against the requirements listed in docs/data-model.md.

Structure is checked first: starts and row numbers must be in range. The other requirements use those numbers, so they
are checked only if the structure is valid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aascompile.checks.check_areas import OF_AREAS, QUICK
from aascompile.checks.check_links import OF_LINKS
from aascompile.checks.check_structure import STRUCTURE
from aascompile.checks.requirement import Requirement, Rows
from aascompile.errors import CheckError, StoreError
from aascompile.model.compiled import Compiled
from aascompile.records import dataclass

REQUIREMENTS: tuple[Requirement, ...] = STRUCTURE + OF_AREAS + OF_LINKS
"""All requirements, in the order in which they are checked."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A requirement that is violated."""

    requirement: Requirement
    rows: Rows
    """All rows that violate it."""

    def sentence(self, most: int = 8) -> str:
        """The requirement, and the first rows that violate it."""
        first = ", ".join(str(row) for row in self.rows[:most])
        more = f" and {len(self.rows) - most:,} more" if len(self.rows) > most else ""
        return f"{self.requirement.id}: {self.requirement.text}; not so: {self.requirement.table} {first}{more}"


def structure_faults(compiled: Compiled) -> Iterator[str]:
    """A clause for each violated requirement of the structure."""
    return (failure.sentence(3) for failure in _failures(compiled, STRUCTURE))


def failures(compiled: Compiled) -> list[Failure]:
    """All violated requirements; only those of the structure if any of them is violated."""
    return list(_failures(compiled, STRUCTURE)) or list(_failures(compiled, OF_AREAS + OF_LINKS))


def require_areas(compiled: Compiled, file: str) -> None:
    """Raise a StoreError about ``file`` if its areas break a requirement that quickly shows."""
    for failure in _failures(compiled, QUICK):
        raise StoreError(f"{file}: is damaged ({failure.sentence(3)}); run a full compile")


def require_none(found: Sequence[Failure], source: str) -> None:
    """Raise a CheckError that names the map if there are failures."""
    if found:
        more = f" (and {len(found) - 1} more)" if found[1:] else ""
        raise CheckError(f"{source}: {found[0].sentence()}{more}")


def _failures(compiled: Compiled, requirements: tuple[Requirement, ...]) -> Iterator[Failure]:
    for requirement in requirements:
        rows = requirement.offenders(compiled)
        if len(rows):
            yield Failure(requirement, rows)
