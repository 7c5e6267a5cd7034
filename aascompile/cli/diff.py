"""``aas diff``: show what differs between two compiled files, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from aascompile.cli.common import CONTEXT, FAILED, FINE, Bold, emit_answer, print_error
from aascompile.cli.diff_records import (
    AlteredArea,
    AreaChanges,
    AreaGroup,
    ClusterChanges,
    DiffReport,
    LinkChanges,
    LinkRow,
    describe,
)
from aascompile.cli.lines import MAX_LISTED, rounded
from aascompile.errors import AasError, StoreError

if TYPE_CHECKING:
    from aascompile.model.compiled import Compiled

TROUBLE = 2
"""Exit code if a file cannot be compared, as for diff(1)."""

MAX_AREAS = 8
"""Limit on the areas of a group that are listed in text."""


@click.command(context_settings=CONTEXT)
@click.argument("old", metavar="A", type=click.Path())
@click.argument("new", metavar="B", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the differences as a JSON object.")
@click.pass_context
def diff(ctx: click.Context, old: str, new: str, as_json: bool) -> None:
    """Show what differs between two compiled maps, and where.

    A and B are compiled files (x.aas.hdf, or the engine's x.aas), or maps, which are compiled with default settings.
    Areas are matched by the volume they share, not by number, and links by the areas they join. The output lists areas
    that vanished, appeared, were split, merged, recut (several into several), reshaped or altered (contents, flags,
    presence), and links that were lost, gained or moved, with positions. Links between areas that are a single area in
    the other file are only counted.

    Exit codes: 0 no differences, 1 differences, 2 wrong usage or a file that cannot be compared, 130 interrupted.
    """
    from aascompile.nav.difference import difference

    try:
        both = _load(old), _load(new)
    except AasError as error:
        print_error(error)
        ctx.exit(TROUBLE)
    found = difference(*both)
    described = describe(found, (old, new), both)
    emit_answer(described, text_lines(described), as_json)
    ctx.exit(FINE if found.equal else FAILED)


def _load(path: str) -> Compiled:
    """Load a compiled file, or compile a map. Its areas must have faces."""
    from aascompile.nav.difference import has_shapes
    from aascompile.store.read import is_compiled, load_compiled

    if is_compiled(path):
        compiled = load_compiled(path)
    else:
        from aascompile.pipeline import compile_map
        from aascompile.report import Report
        from aascompile.settings import QUAKE3
        from aascompile.system import cores

        compiled = compile_map(path, QUAKE3, Report(path), cores())
    if not has_shapes(compiled.areas):
        raise StoreError(f"{path}: has areas without faces (an optimised file), so their shapes cannot be compared")
    return compiled


# --- text -------------------------------------------------------------------------------------------------------------


def text_lines(described: DiffReport) -> Iterator[str]:
    """A difference as text."""
    areas, links, clusters = described.areas, described.links, described.clusters
    yield Bold(f"{described.old} -> {described.new}")
    if described.equal:
        yield f"no difference: {areas.old:,} areas, {links.old or 0:,} links"
        return
    yield from _area_lines(areas)
    yield from _link_lines(links)
    yield f"clusters  {_arrow(clusters)}"
    for word, portals in (("lost", clusters.portals_lost), ("gained", clusters.portals_gained)):
        yield from _listed(f"portal {word}", [f"area {portal.area} at ({rounded(portal.point)})" for portal in portals])


def _arrow(counts: AreaChanges | LinkChanges | ClusterChanges) -> str:
    """The count in both files."""
    return " -> ".join("not computed" if number is None else f"{number:,}" for number in (counts.old, counts.new))


def _area_lines(areas: AreaChanges) -> Iterator[str]:
    volumes = (("lost", areas.volume_lost), ("gained", areas.volume_gained))
    yield f"areas     {_arrow(areas)}, {areas.same:,} the same" + "".join(
        f", {volume:,.0f} cubic units {word}" for word, volume in volumes if volume
    )
    changes: tuple[tuple[str, Sequence[AreaGroup]], ...] = (
        ("vanished", areas.vanished),
        ("appeared", areas.appeared),
        ("split", areas.split),
        ("merged", areas.merged),
        ("recut", areas.recut),
        ("reshaped", areas.reshaped),
        ("altered", areas.altered),
    )
    for change, groups in changes:
        yield from _listed(change, [_area_line(group) for group in groups])


def _area_line(group: AreaGroup) -> str:
    """Text for a group of areas."""
    named = " -> ".join(_areas(rows) for rows in (group.old, group.new) if rows)
    where = f"{named} at ({rounded(group.point)})"
    if isinstance(group, AlteredArea):
        return f"{where}: {', '.join(group.what)}"
    before, after = group.volume_old, group.volume_new
    if not group.old or not group.new:
        return f"{where}, {max(before, after):,.0f} cubic units"
    grown = f"{100.0 * (after - before) / before:+.1f}" if before else ""
    return where + (f", volume {grown} %" if grown.strip("+-0.") else "")


def _areas(rows: Sequence[int]) -> str:
    shown = " ".join(str(row) for row in rows[:MAX_AREAS])
    return f"area {shown}" if len(rows) == 1 else f"{len(rows):,} areas ({shown}{' ...' * (len(rows) > MAX_AREAS)})"


def _link_lines(links: LinkChanges) -> Iterator[str]:
    inside = links.inside
    yield (
        f"links     {_arrow(links)}, {links.same:,} the same"
        + (f", {inside[0]:,} and {inside[1]:,} inside a single area of the other file" if any(inside) else "")
    )
    yield from _listed("lost", [_link_line(link) for link in links.lost])
    yield from _listed("gained", [_link_line(link) for link in links.gained])
    yield from _listed(
        "moved",
        [
            f"{_link_line(link)}; now ({rounded(link.now.start)}) to ({rounded(link.now.end)}), "
            f"{link.now.time / 100:g} s"
            for link in links.moved
        ],
    )


def _link_line(link: LinkRow) -> str:
    return (
        f"{link.kind.replace('_', ' ')} from area {link.from_} ({rounded(link.start)}) "
        f"to area {link.to} ({rounded(link.end)}), {link.time / 100:g} s"
    )


def _listed(what: str, rows: Sequence[str]) -> Iterator[str]:
    """The first rows, and the number of those left out."""
    for row in rows[:MAX_LISTED]:
        yield f"  {what:<14}{row}"
    if len(rows) > MAX_LISTED:
        yield f"  {what:<14}... and {len(rows) - MAX_LISTED:,} more (--json lists all)"
