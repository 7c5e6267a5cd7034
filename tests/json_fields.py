"""Descriptions of the JSON fields of all commands, for docs/commands.md. tests/test_commands.py compares them.

``x[]`` is each element of a list, ``x.*`` a table whose keys depend on the map. The description of any other object
names its keys in backticks.
"""

from __future__ import annotations

WHY = (
    "`name`, `entities`, `point` of the first, `points` of all, `cause` as a word, `text`: the whole explanation, "
    "numbers of `areas` and `items` on its island, `spawns` without a route if others have one; the best "
    "attempt, if there is any: areas `from` and `to`, travel type `kind`, `reason` as a word, `measure`: by how much "
    "it fails, `start`, `place`"
)
ROUTES = [
    ("routes", "null if there are no links; else the numbers of `spawns` and `items`; `reached`: items with a "
     "route from a spawn that needs no weapon; `pairs`: pairs of a spawn and an item with such a route"),
    ("routes.unreached[]", "an item or spawn without a route: `entity`, `classname`, `item` (false for a spawn), "
     "`point`, `area`, `reason` as text, `nearest`: the nearest area with a route from a spawn, `cause` as a word"),
    ("routes.rare[]", "an item that only some spawns have a route to: `entity`, `classname`, `area`, `spawns` without"),
    ("routes.why[]", f"an explanation of what is not reached, or not from all spawns: {WHY}"),
    ("routes.traps[]", "areas that players can enter but not leave: `areas`, end (`point`), `kind` and source area "
     "(`from`) of the first link into them, `links`: number of such links, `entities` in the areas"),
    ("routes.hazards[]", "lava, slime and hurt triggers: `kind`, `areas`, `mins`, `maxs`"),
]  # fmt: skip
STAGE = "`name`, `seconds`, `peak_mb` and the `counts` of the stage"
LINK = "`link`, `kind`, `from` and `to` (areas), `start`, `end`, `time` in 1/100 s"

FIELDS: dict[str, dict[str, list[tuple[str, str]]]] = {
    "aascompile": {
        "`--json`: a list with an object for each map.": [
            ("map", "path as given"),
            ("error", "one sentence, or null"),
            ("files", "files that were written"),
            ("leak", "points of the trail out of the map; empty if the map does not leak"),
            ("counts.*", "`areas`, `grounded`, `liquid`, `ladder`, `faces`, `edges`, `vertices`, `nodes`, `links`, "
             "`clusters`, `portals`; empty if the map failed"),
            *ROUTES,
            ("seconds", "time for this map"),
            ("peak_mb", "peak memory of the process in MB; null if unknown"),
            ("dropped[]", "invalid parts of the map that were dropped: `kind`, `number`, `reason`"),
            ("warnings", "list of sentences"),
            ("stages[]", STAGE),
        ],
    },
    "aas info": {
        "`--json`: a list with an object for each input. For a map:": [
            ("map", "path as given"),
            ("format", "format of the file"),
            ("sha256", "SHA-256 of the file"),
            ("checksum", "the engine's checksum, signed 32 bits"),
            ("bounds", "`mins` and `maxs` of all brushes"),
            ("planes", "number"),
            ("models", "`count`, and number `without_entity`"),
            ("brushes", "`count` and `sides`"),
            ("brushes.contents.*", "brushes by contents in the file"),
            ("brushes.meaning.*", "brushes by their meaning to the compiler"),
            ("brushes.unused.*", "brushes that the compiler ignores, by reason"),
            ("patches", "`count`, and the number of `facets` made from them"),
            ("patches.contents.*", "as for brushes; only if there are patches"),
            ("patches.meaning.*", "as for brushes; only if there are patches"),
            ("patches.unused.*", "as for brushes; only if there are patches"),
            ("entities.count", "number"),
            ("entities.classes.*", "entities by class"),
            ("dropped[]", "as for `aascompile`"),
            ("warnings", "list of sentences"),
            ("stages[]", STAGE),
        ],
        "For a compiled file:": [
            ("file", "path as given"),
            ("generator", "program and version that wrote the file, as far as known"),
            ("source", "the map: `name`, `sha256`, `checksum`"),
            ("bounds", "`mins` and `maxs` of all areas"),
            ("areas", "`count` and `volume` in cubic units"),
            ("areas.flags.*", "areas by flag"),
            ("areas.contents.*", "areas by contents"),
            ("areas.presence.*", "areas by the boxes that fit in them"),
            ("faces.count", "number"),
            ("faces.flags.*", "faces by flag"),
            ("edges", "number"),
            ("vertices", "number"),
            ("planes", "number"),
            ("nodes", "number of nodes of the tree"),
            ("links", "null if not computed; else `count`"),
            ("links.kinds.*", "links by travel type"),
            ("clusters", "null if not computed; else `count`, `portals`, and number of areas in the `largest`"),
            *ROUTES,
            ("views", "number of pairs of areas that see each other, both ways; null if not computed"),
            ("rides", "number of rides on platforms and trains"),
            ("context", "`count` of the map's faces stored for display, and how many are from `patches`"),
            ("entities.count", "number"),
            ("entities.classes.*", "entities by class"),
            ("by_hand.*", "entries that the mapper added by hand, by kind"),
            ("leak", "as for `aascompile`"),
            ("settings.*", "all settings of the compile"),
            ("stages[]", "`name` and `counts` of each stage"),
        ],
    },
    "aas check": {
        "`--json`: a list with an object for each file that can be read.": [
            ("file", "path as given"),
            ("ok", "whether all requirements hold"),
            ("failed[]", "a violated requirement: `id`, `table`, `requirement` as text, `count` of rows, "
             "`rows`: the first 100"),
            ("replay", "with `--replay`: number of `links` replayed, number that `arrived`, their `share`"),
            ("replay.kinds.*", "the same by travel type: `links`, `arrived`; and how many `bots` took them, as the "
             "engine's bots run at a link, with how many of them arrived (`bots_arrived`) and died (`bots_died`)"),
            ("replay.bots[]", "every link that bots took: `link`, `kind`, number of `bots`, how many `arrived` and "
             "`died`"),
            ("replay.routes", "number of routes from spawns and items to items that bots followed"),
            ("replay.on_routes.*", "by travel type, how often these routes take such a link (`uses`), and the shares "
             "of these uses that `arrived` and `died`"),
            ("replay.skipped.*", "number of links that were not replayed, by reason: on movers that turn, in older "
             "files (`turning`), or that the file does not describe (`unknown`), and by travel type"),
            ("replay.failed[]", "the 100 links that miss by most: `link`, `kind`, `from`, `to`, `start`, `end`, "
             "`reason`, the `area` and `place` where the replay ended, `miss` in units"),
        ],
    },
    "aas gate": {
        "`--json`: a list with an object for each map.": [
            ("map", "path as given"),
            ("passed", "whether it passes"),
            ("error", "one sentence if the map cannot be read or compiled, or null"),
            ("checked", "names of the checks that were made"),
            ("spawns", "number"),
            ("items", "number"),
            ("faults[]", "`check`, `entity` (−1 for a trap), `classname`, `point`, `reason` as text"),
        ],
    },
    "aas area": {
        "`--json`: a list with an object for each point.": [
            ("name", "as it was written"),
            ("area", "number of the area"),
            ("point", "origin of a player there"),
            ("mins", "lower corner of the area"),
            ("maxs", "upper corner"),
            ("volume", "cubic units"),
            ("flags", "list of `grounded`, `ladder`, `liquid`, `disabled`"),
            ("contents", "list of names such as `water` or `jumppad`"),
            ("cost", "factor of what walking in it costs"),
            ("by_hand", "volumes that the mapper put there, a clause each"),
            ("stand", "whether a player can stand upright in it"),
            ("cluster", "−1 for a portal, and without clusters"),
            ("portal", "−1 if it is no portal"),
            ("links_from", "number of links that leave it"),
            ("links_to", "number of links into it"),
            ("entities", "items and spawns in it, as rows of the entities"),
        ],
    },
    "aas route": {
        "`--json`: one object.": [
            ("file", "path as given"),
            ("from", "`name` as given, `area` and `point`"),
            ("to", "`name` as given, `area` and `point`"),
            ("routes[]", "the quickest first: `time` in seconds"),
            ("routes[].steps[]", "`kind`, row of the `link`, `area` that it leads to, `start`, `end`, `time` of "
             "arrival at its end in seconds"),
        ],
    },
    "aas times": {
        "`--json`: one object.": [
            ("file", "path as given"),
            ("spawns", "entities of the spawns, in order: spawn:0, spawn:1, ..."),
            ("items[]", "`classname`, `entity`, `area`, and `seconds` from each spawn; null where there is no route"),
        ],
    },
    "aas sight": {
        "`--json`: one object.": [
            ("file", "path as given"),
            ("added", "whether sight was measured now"),
            ("areas", "number of areas in which a player can stay"),
            ("pairs", "number of pairs of areas that see each other"),
            ("seen", "share of all pairs"),
            ("exposure", "least, median and most"),
            ("hiding[]", "the least exposed spots: `area`, `point`, `exposure`, and its part that is `far` away"),
            ("exposed[]", "the most exposed spots: `area`, `point`, `exposure`, `far`"),
            ("sniper[]", "spots with a far view: `area`, `point`, `exposure`, `far`"),
        ],
        "`--json` with `--from`: one object.": [
            ("file", "path as given"),
            ("from", "area"),
            ("point", "the point in it"),
            ("exposure", "share of the ground that sees it; null if no player can stay there"),
            ("areas", "areas that it sees, the most visible first"),
            ("shares", "how much of each it sees"),
        ],
    },
    "aas explain": {
        "`--json` without `--from`: one object.": [
            ("file", "path as given"),
            ("goal", "as given"),
            ("spawns", "number of spawns"),
            ("routed", "number of spawns with a route to the goal; −1 for `unreached`"),
            ("longest", "seconds of the longest of these routes; −1 if unknown"),
            ("why[]", f"what is not reached, or not from all spawns: {WHY}"),
            ("tried", "for each of them, a list of the travel types that were tried, as in `kinds` below"),
        ],
        "`--json` with `--from`: one object.": [
            ("file", "path as given"),
            ("from", "`area`, and a `point` in it"),
            ("to", "`area`, and a `point` in it"),
            ("kinds[]", "each travel type: `kind`, whether such a link exists (`linked`), its row (`link`, −1 if "
             "none), `reason` as a word, `measure`: by how much it fails, from `start` to `place`, the `area` or "
             "`areas` concerned, `hit` and `by`: the obstacle, `by_hand`: how the mapper "
             "added it, `text`: the whole result as a clause, `margin`: how simulated bots fare on the link, `ride`: "
             "what carries the player, where it is boarded and left, and how long that takes, a clause each"),
            ("removed", "what the mapper removes between the two, a clause each"),
            ("blocked", "how the mapper blocks areas, if all routes pass areas that bots must not enter"),
            ("route", "null if there is no route; else its `time` in seconds"),
            ("route.steps[]", "`kind`, `link`, and the `area` that it leads to"),
            ("ends", "null if there is a route; else the number of areas `reached`, whether the goal is among them, "
             "behind areas that bots must not enter (`goal_reached`), the `area` nearest to the goal, its centre "
             "(`point`) and its `distance` from the goal"),
        ],
    },
    "aas diff": {
        "`--json`: one object.": [
            ("equal", "true if there are no differences"),
            ("areas", "`old` and `new`: numbers of areas; `same`; `volume_lost` and `volume_gained` in cubic units"),
            *((f"areas.{word}[]", f"{what}: area numbers in the `old` and `new` file, `point`, `volume_old`, "
               f"`volume_new`{more}") for word, what, more in (
                ("vanished", "areas that only the old file has", ""),
                ("appeared", "areas that only the new file has", ""),
                ("split", "areas that became several areas", ""),
                ("merged", "several areas that became one", ""),
                ("recut", "several areas that became several others", ""),
                ("reshaped", "areas with another shape", ""),
                ("altered", "areas with the same shape and other properties", ", `what` changed"),
              )),
            ("links", "`old` and `new`: numbers of links; `same`; `inside`: numbers of links of each file inside a "
             "single area of the other file"),
            ("links.lost[]", LINK),
            ("links.gained[]", LINK),
            ("links.moved[]", LINK + "; `now`: the same link in the new file"),
            ("clusters", "`old` and `new`: number of clusters, or null"),
            ("clusters.portals_lost[]", "`area` and `point`"),
            ("clusters.portals_gained[]", "`area` and `point`"),
            ("old", "path of the first file"),
            ("new", "path of the second file"),
        ],
    },
    "aas regress": {
        "`--json`: a list with an object for each map. [ci.md](ci.md) lists the counts.": [
            ("map", "path as given"),
            ("name", "name in the baseline"),
            ("status", "`same`, `moved`, `new` (not in the baseline), `missing` (only there) or `failed`"),
            ("error", "one sentence, or null"),
            ("moved[]", "a count that moved too far: `count`, `expected`, `found`, and the `allowed` difference"),
            ("counts.*", "all counts of the map"),
            ("lost", "items without a route that had one, by class and origin"),
            ("unreached", "all items without a route"),
            ("seconds", "time for this map"),
        ],
    },
}  # fmt: skip
