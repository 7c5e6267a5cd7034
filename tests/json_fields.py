"""What the fields of the commands' JSON mean; docs/commands.md shows it, tests/test_commands.py holds it against them.

``x[]`` is each element of a list, ``x.*`` a table whose keys depend on the map. The meaning of anything else that has
keys names them in backticks.
"""

from __future__ import annotations

ROUTES = [
    ("routes", "null without links: else `spawns` and `items`, how many there are, and `reached`, items that a spawn "
     "has a route to without a weapon"),
    ("routes.unreached[]", "an item or spawn without a route: `entity`, `classname`, `item` (else a spawn), `point`, "
     "`area`, `reason` in words, `nearest`: the area nearest to it that a spawn has a route to"),
    ("routes.traps[]", "places that one gets into and not out of: `areas`, `point` and `kind` of a way in, `from` "
     "which area, `links`: how many ways in there are, `entities` in there"),
    ("routes.hazards[]", "lava, slime and what hurts: `kind`, `areas`, `mins`, `maxs`"),
]  # fmt: skip
STAGE = "`name`, `seconds`, `peak_mb` and `counts`, which are the stage's own"
LINK = "`link`, `kind`, `from` and `to` (areas), `start`, `end`, `time` in 1/100 s"

FIELDS: dict[str, dict[str, list[tuple[str, str]]]] = {
    "aascompile": {
        "`--json`: a list with an object for each map.": [
            ("map", "as it was named"),
            ("error", "one sentence, or null"),
            ("files", "what was written"),
            ("leak", "the trail out of the map as points; empty if it is closed"),
            ("counts.*", "`areas`, `grounded`, `liquid`, `ladder`, `faces`, `edges`, `vertices`, `nodes`, `links`, "
             "`clusters`, `portals`; empty when the map failed"),
            *ROUTES,
            ("seconds", "for this map"),
            ("peak_mb", "the process's highest memory in use, in MB; null where it cannot be told"),
            ("dropped[]", "what is broken in the map and was left out: `kind`, `number`, `reason`"),
            ("warnings", "sentences"),
            ("stages[]", STAGE),
        ],
    },
    "aas info": {
        "`--json`: a list with an object for each input. Of a map:": [
            ("map", "as it was named"),
            ("format", "of the file"),
            ("sha256", "of its bytes"),
            ("checksum", "the engine's, signed 32 bits"),
            ("bounds", "`mins` and `maxs` of all brushes"),
            ("planes", "how many"),
            ("models", "`count`, and those `without_entity`"),
            ("brushes", "`count` and `sides`"),
            ("brushes.contents.*", "brushes by contents as the file says"),
            ("brushes.meaning.*", "brushes by what they come to in the hands of their entity"),
            ("brushes.unused.*", "brushes that mean nothing to a player, by reason"),
            ("patches", "`count`, and `facets` they become"),
            ("patches.contents.*", "as of brushes; only if there are patches"),
            ("patches.meaning.*", "as of brushes; only if there are patches"),
            ("patches.unused.*", "as of brushes; only if there are patches"),
            ("entities.count", "how many"),
            ("entities.classes.*", "entities by class"),
            ("dropped[]", "as of `aascompile`"),
            ("warnings", "sentences"),
            ("stages[]", STAGE),
        ],
        "Of a compiled file:": [
            ("file", "as it was named"),
            ("generator", "program and version that made it"),
            ("source", "the map: `name`, `sha256`, `checksum`"),
            ("bounds", "`mins` and `maxs` of all areas"),
            ("areas", "`count` and `volume` in cubic units"),
            ("areas.flags.*", "areas by flag"),
            ("areas.contents.*", "areas by contents"),
            ("areas.presence.*", "areas by the boxes that have room in them"),
            ("faces.count", "how many"),
            ("faces.flags.*", "faces by flag"),
            ("edges", "how many"),
            ("vertices", "how many"),
            ("planes", "how many"),
            ("nodes", "of the tree"),
            ("links", "null if not computed: else `count`"),
            ("links.kinds.*", "links by kind"),
            ("clusters", "null if not computed: else `count`, `portals`, and areas of the `largest`"),
            *ROUTES,
            ("rides", "platforms that take players along"),
            ("context", "`count` of the map's faces kept for looking at, of which `patches`"),
            ("entities.count", "how many"),
            ("entities.classes.*", "entities by class"),
            ("leak", "as of `aascompile`"),
            ("settings.*", "all settings of the compile"),
            ("stages[]", "`name` and `counts` of each stage"),
        ],
    },
    "aas check": {
        "`--json`: a list with an object for each file that can be read.": [
            ("file", "as it was named"),
            ("ok", "whether all requirements hold"),
            ("failed[]", "a requirement that does not: `id`, `table`, `requirement` in words, `count` of rows, "
             "`rows`: the first 100"),
            ("replay", "with `--replay`: `links` that were taken, `arrived`, their `share`"),
            ("replay.kinds.*", "the same by kind: `links`, `arrived`"),
            ("replay.failed[]", "the 100 that miss by most: `link`, `kind`, `from`, `to`, `start`, `end`, `reason`, "
             "the `area` and `place` where it ended, `miss` in units"),
        ],
    },
    "aas explain": {
        "`--json`: one object.": [
            ("file", "as it was named"),
            ("from", "`area`, and a `point` in it"),
            ("to", "`area`, and a `point` in it"),
            ("kinds[]", "each kind of way: `kind`, whether the two are `linked` by it, `link` (−1: none), `reason` as "
             "a word, `measure`: by how much, from `start` to `place`, the `area` or `areas` concerned, `hit` and "
             "`by`: what was run into, `text`: all of it as a clause"),
            ("route", "null if there is none: else its `time` in seconds"),
            ("route.steps[]", "`kind`, `link`, and the `area` it leads to"),
            ("ends", "null if there is a route: else how many areas are `reached`, whether the goal is among them but "
             "barred (`goal_reached`), the `area` nearest to the goal, its middle (`point`), and its `distance`"),
        ],
    },
    "aas diff": {
        "`--json`: one object.": [
            ("equal", "whether nothing differs"),
            ("areas", "`old` and `new`: how many; `same`; `volume_lost` and `volume_gained` in cubic units"),
            *((f"areas.{word}[]", f"{what}: numbers in the `old` and `new` file, `point`, `volume_old`, "
               f"`volume_new`{more}") for word, what, more in (
                ("vanished", "areas that only the old file has", ""),
                ("appeared", "areas that only the new file has", ""),
                ("split", "one that became several", ""),
                ("merged", "several that became one", ""),
                ("recut", "several that became several", ""),
                ("reshaped", "one that is one of another shape", ""),
                ("altered", "one of the same shape", ", and `what` is another, in words"),
              )),
            ("links", "`old` and `new`: how many; `same`; `inside`: two counts of links inside what is one area in the "
             "other file"),
            ("links.lost[]", LINK),
            ("links.gained[]", LINK),
            ("links.moved[]", LINK + "; `now`: the same of the new file"),
            ("clusters", "`old` and `new`: how many, or null"),
            ("clusters.portals_lost[]", "`area` and `point`"),
            ("clusters.portals_gained[]", "`area` and `point`"),
            ("old", "the first file's name"),
            ("new", "the second file's name"),
        ],
    },
    "aas regress": {
        "`--json`: a list with an object for each map. [ci.md](ci.md) lists the counts.": [
            ("map", "as it was named"),
            ("name", "in the baseline"),
            ("status", "`same`, `moved`, `new` (not in the baseline) or `failed`"),
            ("error", "one sentence, or null"),
            ("moved[]", "a count that moved too far: `count`, `expected`, `found`, and how far it was `allowed` to"),
            ("counts.*", "all that were found"),
            ("seconds", "for this map"),
        ],
    },
}  # fmt: skip
