"""``aas diff``: what differs between two compiled files, and where."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from aascompile.cli.common import CONTEXT, FAILED, FINE, emit, plain, say_error
from aascompile.cli.lines import MOST_LISTED, rounded
from aascompile.errors import AasError, StoreError

if TYPE_CHECKING:
    from aascompile.model.compiled import Compiled
    from aascompile.model.links import Links
    from aascompile.nav.difference import Difference, Groups

TROUBLE = 2
"""Exit code when a file cannot be compared, as of diff(1)."""

MOST_AREAS = 8
"""Areas of a group that text names."""


@click.command(context_settings=CONTEXT)
@click.argument("old", metavar="A", type=click.Path())
@click.argument("new", metavar="B", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="All of it as a JSON object.")
@click.pass_context
def diff(ctx: click.Context, old: str, new: str, as_json: bool) -> None:
    """Explain in space what differs between two compiled maps.

    A and B are compiled files (x.aas.hdf, or the engine's x.aas), or maps, which are compiled with the usual settings.
    Areas are matched by the volume they share, not by number, and links by the areas they join. Shown is which areas
    vanished, appeared, were split, merged, recut (several into several), reshaped or altered (contents, flags,
    presence), and which links were lost, gained or moved, with positions; links inside what is one area in the other
    file are only counted.

    Exit codes: 0 nothing differs, 1 something does, 2 wrong usage or a file that cannot be compared, 130 interrupted.
    """
    from aascompile.nav.difference import difference

    try:
        both = _load(old), _load(new)
    except AasError as error:
        say_error(error)
        ctx.exit(TROUBLE)
    found = difference(*both)
    told = describe(found, *both) | {"old": old, "new": new}
    emit(json.dumps(told, indent=2) if as_json else "\n".join(text_lines(told)))
    ctx.exit(FINE if found.equal else FAILED)


def _load(path: str) -> Compiled:
    """A compiled file, or a map compiled; with areas that have a shape."""
    from aascompile.nav.difference import has_shapes
    from aascompile.store.read import is_compiled, load_compiled

    if is_compiled(path):
        compiled = load_compiled(path)
    else:
        from aascompile.pipeline import compile_map
        from aascompile.report import Report
        from aascompile.settings import QUAKE3
        from aascompile.threads import cores

        compiled = compile_map(path, QUAKE3, Report(path), cores())
    if not has_shapes(compiled.areas):
        raise StoreError(f"{path}: has areas without faces (an optimised file), so nothing can be said of their shapes")
    return compiled


# --- what is said -----------------------------------------------------------------------------------------------------


def describe(found: Difference, old: Compiled, new: Compiled) -> dict[str, Any]:
    """A difference in JSON's types, with keys that stay; the largest areas first."""
    lost = (1.0 - found.old.area_covered) * old.areas.area_volume * (found.old.area_change != 0)
    gained = (1.0 - found.new.area_covered) * new.areas.area_volume * (found.new.area_change != 0)
    return {
        "equal": found.equal,
        "areas": {
            "old": len(old.areas),
            "new": len(new.areas),
            "volume_lost": round(float(lost.sum()), 3),
            "volume_gained": round(float(gained.sum()), 3),
            **_area_changes(found.groups, old, new),
        },
        "links": _link_changes(found, old.links, new.links),
        "clusters": {
            "old": None if old.clusters is None else len(old.clusters),
            "new": None if new.clusters is None else len(new.clusters),
            "portals_lost": _portals(old, found.old.portal_gone),
            "portals_gained": _portals(new, found.new.portal_gone),
        },
    }


def _area_changes(groups: Groups, old: Compiled, new: Compiled) -> dict[str, Any]:
    """Of every change, the groups of areas; of the same, how many."""
    from aascompile.nav.difference import AreaChange

    result: dict[str, Any] = {change.name.lower(): [] for change in AreaChange}
    result["same"] = int((groups.change == AreaChange.SAME).sum())
    for g in (groups.change != AreaChange.SAME).nonzero()[0].tolist():
        before = groups.old_area[groups.old_start[g] : groups.old_start[g + 1]]
        after = groups.new_area[groups.new_start[g] : groups.new_start[g + 1]]
        areas, rows = (old.areas, before) if len(before) else (new.areas, after)
        weight = areas.area_volume[rows]
        middle = (areas.area_centre[rows] * weight[:, None]).sum(axis=0) / max(float(weight.sum()), 1.0)
        one = {
            "old": before.tolist(),
            "new": after.tolist(),
            "point": [round(value, 3) for value in middle.tolist()],
            "volume_old": round(float(old.areas.area_volume[before].sum()), 3),
            "volume_new": round(float(new.areas.area_volume[after].sum()), 3),
        }
        change = AreaChange(int(groups.change[g]))
        if change == AreaChange.ALTERED:
            one["what"] = _altered(old, int(before[0]), new, int(after[0]))
        result[change.name.lower()].append(one)
    for listed in result.values():
        if isinstance(listed, list):
            listed.sort(key=lambda one: -max(one["volume_old"], one["volume_new"]))
    return result


def _altered(old: Compiled, before: int, new: Compiled, after: int) -> list[str]:
    """What of an area's properties is another, in words."""
    from aascompile.model.areas import AreaFlag
    from aascompile.model.contents import Kind

    told = []
    for word, column, names in (
        ("contents", "area_contents", Kind),
        ("flags", "area_flags", AreaFlag),
        ("presence", "area_presence", None),
        ("model", "area_model", None),
        ("trigger", "area_trigger", None),
    ):
        was, is_now = int(getattr(old.areas, column)[before]), int(getattr(new.areas, column)[after])
        if was == is_now:
            continue
        spelled = [
            str(bits) if names is None else "+".join(str(flag.name).lower() for flag in names if flag & bits) or "none"
            for bits in (was, is_now)
        ]
        told.append(f"{word} {spelled[0]} -> {spelled[1]}")
    return told


def _link_changes(found: Difference, old: Links | None, new: Links | None) -> dict[str, Any]:
    """Links that are lost and gained, and those that moved, with where they begin and end."""
    from aascompile.nav.difference import LinkChange

    counts = {"old": None if old is None else len(old), "new": None if new is None else len(new)}
    if old is None or new is None:
        return {**counts, "same": 0, "inside": [0, 0], "lost": [], "gained": [], "moved": []}
    gone = [(side.link_change == LinkChange.GONE).nonzero()[0].tolist() for side in (found.old, found.new)]
    moved = (found.old.link_change == LinkChange.MOVED).nonzero()[0]
    partner = found.old.link_partner[moved]
    apart = abs(old.start[moved] - new.start[partner]).sum(axis=1) + abs(old.end[moved] - new.end[partner]).sum(axis=1)
    farthest_first = moved[(-apart).argsort(kind="stable")].tolist()
    return {
        **counts,
        "same": int((found.old.link_change == LinkChange.SAME).sum()),
        "inside": [int((side.link_change == LinkChange.INSIDE).sum()) for side in (found.old, found.new)],
        "lost": [_link(old, row) for row in gone[0]],
        "gained": [_link(new, row) for row in gone[1]],
        "moved": [_link(old, row) | {"now": _link(new, int(found.old.link_partner[row]))} for row in farthest_first],
    }


def _link(links: Links, row: int) -> dict[str, Any]:
    from aascompile.model.links import Travel

    known = {int(travel): travel.name.lower() for travel in Travel}
    kind = int(links.kind[row])
    return {
        "link": row,
        "kind": known.get(kind, f"kind {kind}"),
        "from": int(links.source[row]),
        "to": int(links.target[row]),
        "start": [round(value, 3) for value in links.start[row].tolist()],
        "end": [round(value, 3) for value in links.end[row].tolist()],
        "time": int(links.time[row]),
    }


def _portals(compiled: Compiled, gone: Any) -> list[dict[str, Any]]:
    if compiled.clusters is None or not len(gone):
        return []
    return [
        {"area": area, "point": [round(value, 3) for value in compiled.areas.area_centre[area].tolist()]}
        for area in compiled.clusters.portal_area[gone].tolist()
    ]


# --- text -------------------------------------------------------------------------------------------------------------


def text_lines(told: Mapping[str, Any]) -> Iterator[str]:
    """A difference as readable text."""
    yield click.style(f"{plain(told['old'], 4096)} -> {plain(told['new'], 4096)}", bold=True)
    if told["equal"]:
        areas, links = told["areas"], told["links"]
        yield f"no difference: {areas['old']:,} areas, {links['old'] or 0:,} links"
        return
    yield from _area_lines(told["areas"])
    yield from _link_lines(told["links"])
    clusters = told["clusters"]
    yield f"clusters  {_arrow(clusters)}"
    for word in ("lost", "gained"):
        rows = [f"area {one['area']} at ({rounded(one['point'])})" for one in clusters[f"portals_{word}"]]
        yield from _listed(f"portal {word}", rows)


def _arrow(counts: Mapping[str, Any]) -> str:
    """A count in both files."""
    both = ["not computed" if counts[side] is None else f"{counts[side]:,}" for side in ("old", "new")]
    return " -> ".join(both)


def _area_lines(areas: Mapping[str, Any]) -> Iterator[str]:
    yield f"areas     {_arrow(areas)}, {areas['same']:,} the same" + "".join(
        f", {areas[f'volume_{word}']:,.0f} cubic units {word}" for word in ("lost", "gained") if areas[f"volume_{word}"]
    )
    for change in ("vanished", "appeared", "split", "merged", "recut", "reshaped", "altered"):
        yield from _listed(change, [_area_line(change, one) for one in areas[change]])


def _area_line(change: str, one: Mapping[str, Any]) -> str:
    """One group of areas."""
    named = " -> ".join(_areas(one[side]) for side in ("old", "new") if one[side])
    where = f"{named} at ({rounded(one['point'])})"
    before, after = one["volume_old"], one["volume_new"]
    if change == "altered":
        return f"{where}: {', '.join(one['what'])}"
    if change in ("vanished", "appeared"):
        return f"{where}, {max(before, after):,.0f} cubic units"
    grown = f"{100.0 * (after - before) / before:+.1f}" if before else ""
    return where + (f", volume {grown} %" if grown.strip("+-0.") else "")


def _areas(rows: Sequence[int]) -> str:
    told = " ".join(str(row) for row in rows[:MOST_AREAS])
    return f"area {told}" if len(rows) == 1 else f"{len(rows):,} areas ({told}{' ...' * (len(rows) > MOST_AREAS)})"


def _link_lines(links: Mapping[str, Any]) -> Iterator[str]:
    inside = links["inside"]
    yield (
        f"links     {_arrow(links)}, {links['same']:,} the same"
        + (f", {inside[0]:,} and {inside[1]:,} inside what is one area in the other file" if any(inside) else "")
    )
    for change in ("lost", "gained"):
        yield from _listed(change, [_link_line(one) for one in links[change]])
    yield from _listed(
        "moved",
        [
            f"{_link_line(one)}; now ({rounded(one['now']['start'])}) to ({rounded(one['now']['end'])}), "
            f"{one['now']['time'] / 100:g} s"
            for one in links["moved"]
        ],
    )


def _link_line(one: Mapping[str, Any]) -> str:
    return (
        f"{one['kind'].replace('_', ' ')} from area {one['from']} ({rounded(one['start'])}) "
        f"to area {one['to']} ({rounded(one['end'])}), {one['time'] / 100:g} s"
    )


def _listed(what: str, rows: Sequence[str]) -> Iterator[str]:
    """The first few of many."""
    for row in rows[:MOST_LISTED]:
        yield f"  {what:<14}{row}"
    if len(rows) > MOST_LISTED:
        yield f"  {what:<14}... and {len(rows) - MOST_LISTED:,} more (--json lists all)"
