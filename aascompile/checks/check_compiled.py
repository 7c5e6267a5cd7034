"""Check of a compiled map against the requirements listed in docs/data-model.md.

Structure is checked first: starts and row numbers must be in range. The other requirements use those numbers, so they
are checked only if the structure is valid.
"""

from __future__ import annotations

from collections.abc import Sequence

from aascompile.checks.check_areas import OF_AREAS, QUICK
from aascompile.checks.check_links import OF_LINKS
from aascompile.checks.check_structure import STRUCTURE
from aascompile.checks.check_walks import OF_WALKS
from aascompile.checks.requirement import Failure, Requirement, failures_of
from aascompile.errors import CheckError, StoreError
from aascompile.model.compiled import Compiled

REQUIREMENTS: tuple[Requirement, ...] = STRUCTURE + OF_AREAS + OF_WALKS + OF_LINKS
"""All requirements, in the order in which they are checked."""


def failures(compiled: Compiled) -> list[Failure]:
    """All violated requirements; only those of the structure if any of them is violated."""
    return list(failures_of(compiled, STRUCTURE)) or list(failures_of(compiled, REQUIREMENTS[len(STRUCTURE) :]))


def require_areas(compiled: Compiled, file: str) -> None:
    """Raise a StoreError about ``file`` if its areas break a requirement that quickly shows."""
    for failure in failures_of(compiled, QUICK):
        raise StoreError(f"{file}: is damaged ({failure.sentence(3)}); run a full compile")


def require_none(found: Sequence[Failure], source: str) -> None:
    """Raise a CheckError that names the map if there are failures."""
    if found:
        more = f" (and {len(found) - 1} more)" if found[1:] else ""
        raise CheckError(f"{source}: {found[0].sentence()}{more}")
