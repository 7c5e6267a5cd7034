"""Results of ``aas regress`` as text, Markdown and JUnit XML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from aascompile.cli.common import Bold
from aascompile.cli.lines import screen_width
from aascompile.cli.regress import Outcome
from aascompile.escaping import markdown, printable, xml
from aascompile.nav.baseline import Move


def text_lines(outcomes: Sequence[Outcome], written: str | None = None) -> Iterator[str]:
    """A table of the counts that moved, and a summary line. ``written`` is the baseline if it was updated."""
    quiet = ("same", "new") if written else ("same",)
    shown = [outcome for outcome in outcomes if outcome.status not in quiet]
    if shown:
        yield from _table(shown)
    yield Bold(summary(outcomes) + (f"; written to {written}" if written else ""))


def _table(shown: Sequence[Outcome]) -> Iterator[str]:
    """Rows of some maps. If they would be too wide with the map's name before them, the name has a line of its own."""
    rows = [list(_rows(outcome)) for outcome in shown]
    names = [printable(outcome.name) for outcome in shown]
    heading = f"{'count':<22}{'expected':>10}{'found':>10}{'change':>9}"
    width = max(map(len, ["map", *names])) + 2
    beside = width + max(map(len, [heading, *(row for of_map in rows for row in of_map)])) <= screen_width()
    width = width if beside else 2
    yield Bold(f"{'map':<{width}}{heading}" if beside else f"{'':<{width}}{heading}")
    for name, of_map in zip(names, rows, strict=True):
        if not beside:
            yield name
        for line, columns in enumerate(of_map):
            yield f"{name if line == 0 and beside else '':<{width}}{columns}".rstrip()


def _rows(outcome: Outcome) -> Iterator[str]:
    """Rows of a map, without its name."""
    if outcome.status == "failed":
        yield "failed"
    if outcome.status == "new":
        yield "not in the baseline; --update adds it"
    if outcome.status == "missing":
        yield "only in the baseline"
    for move in outcome.moved:
        columns = f"{move.count:<22}{_number(move.expected):>10}{_number(move.found):>10}{_change(move):>9}"
        share = _share(move)
        allowed = f"{move.allowed:,} allowed" if move.allowed else ""
        yield " ".join(part for part in (columns, f"{share:>9}", allowed) if part.strip())
    yield from (f"  lost: {printable(item, 200)}" for item in outcome.lost)


def _number(count: int | None) -> str:
    return "-" if count is None else f"{count:,}"


def _change(move: Move) -> str:
    """Difference between the found and the expected count."""
    if move.expected is None or move.found is None:
        return "-"
    return f"{move.found - move.expected:+,}"


def _share(move: Move) -> str:
    """The difference as a percentage of the expected count."""
    if not move.expected or move.found is None:
        return ""
    return f"{100.0 * (move.found - move.expected) / move.expected:+.1f} %"


def summary(outcomes: Sequence[Outcome]) -> str:
    """Summary line of all maps."""
    found = Counter(outcome.status for outcome in outcomes)
    maps = f"{len(outcomes):,} map{'' if len(outcomes) == 1 else 's'}"
    if found["same"] == len(outcomes):
        return f"{maps}: all counts as expected"
    words = {
        "same": "as expected",
        "moved": "moved",
        "new": "not in the baseline",
        "missing": "only in the baseline",
        "failed": "failed",
    }
    return f"{maps}: " + ", ".join(f"{found[status]:,} {word}" for status, word in words.items() if found[status])


# --- Markdown ---------------------------------------------------------------------------------------------------------


def markdown_text(outcomes: Sequence[Outcome]) -> str:
    """A page with the counts that moved, and all counts in a collapsed section below."""
    good = all(outcome.status == "same" for outcome in outcomes)
    lines = [f"### Navigation: {'as expected' if good else 'moved'}", "", summary(outcomes), ""]
    moved = [outcome for outcome in outcomes if outcome.moved]
    if moved:
        lines += ["| map | count | expected | found | change | |", "|---|---|---:|---:|---:|---:|"]
        for outcome in moved:
            for move in outcome.moved:
                cells = (_number(move.expected), _number(move.found), _change(move), _share(move))
                lines.append(f"| {markdown(outcome.name)} | {markdown(move.count)} | " + " | ".join(cells) + " |")
        lines.append("")
    for outcome in outcomes:
        if outcome.status == "failed":
            lines.append(f"- {markdown(outcome.name)} failed: {markdown(outcome.error or '')}")
        if outcome.status == "new":
            lines.append(f"- {markdown(outcome.name)} is not in the baseline")
        if outcome.status == "missing":
            lines.append(f"- {markdown(outcome.name)} is only in the baseline")
        lines += [f"- {markdown(outcome.name)} lost {markdown(item)}" for item in outcome.lost]
    lines += ["", "<details><summary>All counts</summary>", ""]
    columns = (
        "areas",
        "areas.grounded",
        "links",
        "clusters",
        "portals",
        "items.unreached",
        "spawns.unreached",
        "traps",
    )
    lines += [f"| map | {' | '.join(columns)} |", "|---|" + "---:|" * len(columns)]
    for outcome in outcomes:
        numbers = " | ".join(_number(outcome.counts.get(column)) for column in columns)
        lines.append(f"| {markdown(outcome.name)} | {numbers} |")
    return "\n".join([*lines, "", "</details>"]) + "\n"


# --- JUnit ------------------------------------------------------------------------------------------------------------


def junit_text(outcomes: Sequence[Outcome]) -> str:
    """A test suite with a case for each map. Moved counts are a failure, a map that cannot be compiled is an error."""
    found = Counter(outcome.status for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    bad = found["moved"] + found["new"] + found["missing"]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="aas regress" tests="{len(outcomes)}" failures="{bad}" '
        f'errors="{found["failed"]}" skipped="0" time="{seconds:.3f}">',
    ]
    for outcome in outcomes:
        case = f'<testcase classname="aas.regress" name="{xml(outcome.name)}" time="{outcome.seconds:.3f}"'
        inside = list(_failure(outcome))
        lines += [f"  {case}>", *inside, "  </testcase>"] if inside else [f"  {case}/>"]
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def _failure(outcome: Outcome) -> Iterator[str]:
    """XML element that describes the failure of a map."""
    if outcome.status == "failed":
        yield f'    <error message="{xml(outcome.error or "")}"/>'
    if outcome.status == "new":
        yield '    <failure message="not in the baseline"/>'
    if outcome.status == "missing":
        yield '    <failure message="only in the baseline"/>'
    if outcome.moved:
        message = ", ".join(f"{move.count} {_change(move)}" for move in outcome.moved)
        rows = "\n".join(xml(row) for row in _rows(outcome))
        yield f'    <failure message="{xml(message)}">{rows}</failure>'
