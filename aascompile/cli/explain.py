"""``aas explain``: try every travel type between two areas, and say why each of them fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from aascompile.cli.common import CONTEXT, Bold, emit_answer
from aascompile.cli.lines import counted, rounded
from aascompile.cli.places import PLACE_HELP, named
from aascompile.records import dataclass

if TYPE_CHECKING:
    from aascompile.model.compiled import Compiled
    from aascompile.nav.explain import Verdict

MAX_STEPS = 24
"""Limit on the links of a route that are listed in text."""


@click.command(context_settings=CONTEXT)
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--from", "source", metavar="A", help=f"{PLACE_HELP} Default: all spawns.")
@click.option("--to", "target", metavar="B", required=True, help="The same, or unreached: all that is not reached.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as a JSON object.")
def explain(file: str, source: str | None, target: str, as_json: bool) -> None:
    """Explain why players do not get somewhere, or why one area is linked to another.

    FILE is a compiled file (x.aas.hdf, or the engine's x.aas). A and B are area numbers, as printed by `aas info` and
    `aas check`, points of the map, or names as for `aas area`.

    Without --from, the answer says which spawns have a route to B. If some have none, it says why: of all attempts from
    areas that they reach to areas that lead to B, the one that fails by least, where, by how much, and what to change
    in the map. `--to unreached` explains all items and spawns without a route; those on one island have one answer.

    With --from, every travel type from A to B is tried again as in a compile, and the reason is given for each one
    that fails. Then the fastest route is shown or, if there is none, how close to B a player can get.
    """
    from aascompile.errors import StoreError
    from aascompile.store.read import load_compiled

    compiled = load_compiled(file)
    if compiled.links is None:
        raise StoreError(f"{file}: has no links, so there is nothing to explain")
    if source is None:
        from aascompile.cli.explain_goal import answer_goal, goal_lines

        goals = answer_goal(file, compiled, target)
        emit_answer(goals, goal_lines(goals), as_json)
        return
    places = [named(compiled, text, option) for option, text in (("--from", source), ("--to", target))]
    ends = [End(place.area, list(place.point)) for place in places]
    answer = answer_of(file, compiled, *ends)
    emit_answer(answer, text_lines(answer), as_json)


@dataclass(frozen=True, slots=True)
class End:
    """An end of the question: an area and a point in it."""

    area: int
    point: list[float]


@dataclass(frozen=True, slots=True)
class KindAnswer:
    """Result of one travel type between the two areas."""

    kind: str
    linked: bool
    """Whether the file has such a link."""
    link: int
    """Row of that link; −1 if none."""
    reason: str
    measure: float
    """By how much it fails, in the unit of the reason."""
    start: list[float] | None
    place: list[float] | None
    area: int
    areas: tuple[int, ...]
    hit: str
    by: str
    """Description of the brush or patch that was hit."""
    by_hand: str
    """How the mapper added the link; "" if the compiler found it, or there is none."""
    text: str
    """The whole result as a clause."""
    margin: str
    """How simulated bots fare on the link, as a clause; empty if it has no margins."""
    ride: tuple[str, ...]
    """What carries the player, where it is boarded and left, and how long that takes, a clause each; empty if nothing
    does, or the file does not describe it."""


@dataclass(frozen=True, slots=True)
class Step:
    """A link of a route."""

    kind: str
    area: int
    """Area that it leads to."""
    link: int


@dataclass(frozen=True, slots=True)
class FoundRoute:
    """The fastest route."""

    time: float
    """Seconds."""
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """How close to the target a player can get if there is no route."""

    reached: int
    """Number of areas that can be reached."""
    goal_reached: bool
    """Whether the target is among them: every route to it passes areas that bots must not enter."""
    area: int
    """Nearest of them to the target."""
    distance: float
    """From that area to the centre of the target, units."""
    point: list[float]
    """Centre of that area."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Links and route from one area to another."""

    file: str
    from_: End
    to: End
    kinds: tuple[KindAnswer, ...]
    removed: tuple[str, ...]
    """What the mapper removes between the two areas, a clause each."""
    blocked: tuple[str, ...]
    """How the mapper blocks areas, a clause each; only if all routes pass areas that bots must not enter."""
    route: FoundRoute | None
    ends: DeadEnd | None
    """None if there is a route."""


def answer_of(file: str, compiled: Compiled, source: End, target: End) -> Answer:
    """Try every travel type between two areas, and find the fastest route."""
    import numpy as np

    from aascompile.model.contents import Kind
    from aascompile.model.places import Places
    from aascompile.nav.by_hand import removed_between, volumes_at
    from aascompile.nav.explain import Explainer
    from aascompile.settings_file import settings_from_json

    assert compiled.links is not None
    settings = settings_from_json(compiled.provenance.settings, file)
    places = compiled.places if compiled.places is not None else Places.none()
    verdicts = Explainer(compiled.areas, compiled.links, places, settings).explain(source.area, target.area)
    kinds = tuple(kind_answer(compiled, verdict, source.area, target.area) for verdict in verdicts)
    removed = tuple(removed_between(compiled, source.area, target.area))
    route, ends = _route(compiled, source.area, target.area)
    blocked: tuple[str, ...] = ()
    if ends is not None and ends.goal_reached:
        barred = np.flatnonzero(compiled.areas.area_contents & np.uint32(Kind.DONOTENTER)).tolist()
        blocked = tuple(dict.fromkeys(text for area in barred for text in volumes_at(compiled, area)))
    return Answer(file, source, target, kinds, removed, blocked, route, ends)


def kind_answer(compiled: Compiled, verdict: Verdict, source: int, target: int) -> KindAnswer:
    """A verdict in words."""
    from aascompile.cli.reason_text import clause, margin
    from aascompile.model.links import Travel
    from aascompile.nav.by_hand import added_by
    from aascompile.nav.obstacle import obstacle
    from aascompile.nav.rides import ride_lines, ride_of
    from aascompile.player.reason import Reason

    ride = None if verdict.link < 0 else ride_of(compiled, verdict.link)
    by, by_hand = obstacle(compiled, verdict), added_by(compiled, verdict.link)
    text = clause(verdict, by, source, target)
    if verdict.kind is Travel.ELEVATOR and verdict.why is Reason.NO_PLATFORM:
        from aascompile.nav.ride_replay import why_not_ridden
        from aascompile.settings_file import settings_from_json

        settings = settings_from_json(compiled.provenance.settings, compiled.provenance.name)
        text = why_not_ridden(compiled, settings, source, target) or text

    def place(point: tuple[float, float, float]) -> list[float] | None:
        return None if point[0] != point[0] else list(point)  # NaN: there is no such point

    return KindAnswer(
        kind=verdict.kind.name.lower(),
        linked=verdict.link >= 0,
        link=verdict.link,
        reason=verdict.why.name.lower(),
        measure=round(verdict.measure, 3),
        start=place(verdict.start),
        place=place(verdict.place),
        area=verdict.area,
        areas=tuple(verdict.areas),
        hit=verdict.hit,
        by=by,
        by_hand=by_hand,
        text=f"{text}, {by_hand}" if by_hand else text,
        margin="" if compiled.links is None or verdict.link < 0 else margin(compiled.links, verdict.link),
        ride=() if ride is None else tuple(ride_lines(ride)),
    )


def _route(compiled: Compiled, source: int, target: int) -> tuple[FoundRoute | None, DeadEnd | None]:
    """The fastest route; or, if there is none, the reachable area nearest to the target."""
    import numpy as np

    from aascompile.errors import RouteError
    from aascompile.nav.routes import Router
    from aascompile.nav.unreached import graph_of

    links = compiled.links
    assert links is not None
    try:
        route = Router(compiled).route(source, target)
    except RouteError:
        found = graph_of(links, np.ones(len(links), np.bool_)).forward.reach(np.array([source]))
        areas, goal = compiled.areas, compiled.areas.area_centre[target]
        rows = np.flatnonzero(found)
        nearest = np.clip(goal, areas.area_mins[rows], areas.area_maxs[rows])
        far = np.linalg.norm(nearest - goal, axis=1)
        best = int(far.argmin())
        return None, DeadEnd(
            reached=int(found.sum()),
            goal_reached=bool(found[target]),
            area=int(rows[best]),
            distance=round(float(far[best]), 1),
            point=areas.area_centre[rows[best]].tolist(),
        )
    steps = tuple(Step(link.travel.name.lower(), link.target, link.row) for link in route.links)
    return FoundRoute(round(route.seconds, 2), steps), None


def text_lines(answer: Answer) -> Iterator[str]:
    """The answer as text."""
    source, target = answer.from_, answer.to
    ends = [f"area {end.area} ({rounded(end.point)})" for end in (source, target)]
    yield Bold(f"from {ends[0]} to {ends[1]}")
    if source.area == target.area:
        yield "  both are in the same area, where a player moves in a straight line"
        return
    linked = [kind for kind in answer.kinds if kind.linked]
    others = [kind for kind in answer.kinds if not kind.linked]
    for kind in linked:
        yield f"  {_name(kind)} leads there: {kind.text}"
        yield from (f"    {text}" for text in (kind.margin, *kind.ride) if text)
    yield "  no other direct link:" if linked else "  no direct link:"
    for kind in others:
        yield f"    {_name(kind):<18}{kind.text}"
    yield from (f"  {text}" for text in answer.removed)
    yield from _route_lines(answer)


def _route_lines(answer: Answer) -> Iterator[str]:
    route, ends = answer.route, answer.ends
    if route is not None and len(route.steps) > 1:
        yield f"  the fastest route has {len(route.steps):,} links and takes {route.time:.1f} s:"
        shown = [f"{_name(step)} to {step.area}" for step in route.steps[:MAX_STEPS]]
        more = len(route.steps) - MAX_STEPS
        yield f"    {', '.join(shown)}" + (f" ... and {more:,} more" if more > 0 else "")
    if ends is not None and ends.goal_reached:
        yield "  all routes pass through areas that bots must not enter"
        yield from (f"    {text}" for text in answer.blocked)
    elif ends is not None:
        yield (
            f"  no route: {counted(ends.reached, 'area')} can be reached; nearest to the goal is area "
            f"{ends.area} ({rounded(ends.point)}), {ends.distance:g} units from the goal's centre"
        )


def _name(answer: KindAnswer | Step) -> str:
    return answer.kind.replace("_", " ")
