"""``aas explain --to GOAL`` without ``--from``: which spawns reach a goal, and why the others do not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aascompile.cli.common import Bold
from aascompile.cli.explain import KindAnswer, kind_answer
from aascompile.cli.lines import counted
from aascompile.cli.places import named, named_entity
from aascompile.cli.why_report import WhyReport, explained, report_of, why_line
from aascompile.errors import StoreError
from aascompile.model.compiled import Compiled
from aascompile.nav.unreached import Routes, find_routes
from aascompile.nav.why import Investigator, cost_of
from aascompile.records import dataclass

ALL = "unreached"
"""Goal that stands for everything without a route."""


@dataclass(frozen=True, slots=True)
class GoalAnswer:
    """Whether and why spawns reach something."""

    file: str
    goal: str
    """As given."""
    spawns: int
    """Number of spawns."""
    routed: int
    """Number of spawns with a route to the goal; −1 if the goal is "unreached"."""
    longest: float
    """Seconds of the longest of these routes; −1 if there is none."""
    why: tuple[WhyReport, ...]
    """What is not reached, or not from every spawn."""
    tried: tuple[tuple[KindAnswer, ...], ...]
    """For each of them, the travel types that were tried between the two areas of its best attempt."""


def answer_goal(file: str, compiled: Compiled, goal: str) -> GoalAnswer:
    """Explain one goal, or everything without a route."""
    routes = find_routes(compiled)
    if routes is None:
        raise StoreError(f"{file}: has no items and spawns, so --from must say where players come from")
    if goal.strip().lower() == ALL:
        why = explained(compiled, routes, file)
        return GoalAnswer(file, goal, routes.spawns, -1, -1.0, why, _tried(file, compiled, why))
    return _one(file, compiled, routes, goal)


def _one(file: str, compiled: Compiled, routes: Routes, goal: str) -> GoalAnswer:
    """Explain one goal."""
    it, places = Investigator(compiled, file), compiled.places
    assert places is not None
    row = named_entity(compiled, goal, "--to")
    of_goal = [why for why in it.explain(routes) if row in why.entities]
    if row >= 0 and of_goal:
        why = tuple(report_of(compiled, found) for found in of_goal)
        missing = max((len(found.spawns) or routes.spawns) for found in of_goal)
        return GoalAnswer(file, goal, routes.spawns, routes.spawns - missing, -1.0, why, _tried(file, compiled, why))
    place = named(compiled, goal, "--to")
    spawns = np.flatnonzero(~places.item)
    seconds = _seconds(compiled, place.area, place.point)
    without = tuple(places.entity[spawns[~np.isfinite(seconds)]].tolist())
    longest = float(seconds[np.isfinite(seconds)].max(initial=-1.0))
    if not without:
        return GoalAnswer(file, goal, routes.spawns, routes.spawns, round(longest, 2), (), ())
    found = it.area(place.area, np.array(place.point), without if len(without) < len(spawns) else ())
    why = (report_of(compiled, found),)
    return GoalAnswer(
        file, goal, routes.spawns, routes.spawns - len(without), round(longest, 2), why, _tried(file, compiled, why)
    )


def _seconds(
    compiled: Compiled, area: int, point: tuple[float, float, float]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Time from each spawn to a place without a weapon; infinite without a route."""
    from aascompile.errors import RouteError
    from aascompile.nav.navigation import Navigation

    nav = Navigation(compiled)
    found = np.full(len(nav.spawns), np.inf)
    for i, spawn in enumerate(nav.spawns):
        if spawn.area < 0:
            continue
        try:
            route = nav.route(spawn.point, area, avoid=("rocket_jump", "bfg_jump", "grapple"))
        except RouteError:
            continue
        found[i] = route.seconds
    return found


def _tried(file: str, compiled: Compiled, why: tuple[WhyReport, ...]) -> tuple[tuple[KindAnswer, ...], ...]:
    """The travel types that come into question between the areas of each best attempt, the nearest miss first."""
    from aascompile.nav.explain import Explainer

    it: Explainer | None = None
    found: list[tuple[KindAnswer, ...]] = []
    for report in why:
        if report.from_ < 0:
            found.append(())
            continue
        if it is None:
            it = Investigator(compiled, file).explainer
        verdicts = [verdict for verdict in it.explain(report.from_, report.to) if np.isfinite(cost_of(verdict))]
        verdicts.sort(key=cost_of)
        found.append(tuple(kind_answer(compiled, verdict, report.from_, report.to) for verdict in verdicts))
    return tuple(found)


def goal_lines(answer: GoalAnswer) -> Iterator[str]:
    """The answer as text."""
    if answer.routed < 0 and not answer.why:
        yield f"every spawn has a route to every item ({answer.spawns:,} spawns)"
    if answer.routed >= 0:
        yield from _headline(answer)
    for report, tried in zip(answer.why, answer.tried, strict=True):
        yield ("  " if answer.routed >= 0 else "") + why_line(report, answer.spawns)
        if len(tried) > 1:
            yield f"    also tried from area {report.from_} to area {report.to}:"
            for kind in tried:
                if kind.kind != report.kind:
                    yield f"      {kind.kind.replace('_', ' '):<16}{kind.text}"


def _headline(answer: GoalAnswer) -> Iterator[str]:
    """How many spawns have a route to the goal."""
    spawns = counted(answer.spawns, "spawn")
    if answer.routed == answer.spawns:
        yield Bold(f"{answer.goal}: all of {spawns} have a route to it")
    elif answer.routed:
        yield Bold(f"{answer.goal}: {answer.routed:,} of {spawns} have a route to it")
    else:
        yield Bold(f"{answer.goal}: none of {spawns} has a route to it")
    if answer.longest >= 0.0:
        yield f"  the longest takes {answer.longest:.1f} s"
