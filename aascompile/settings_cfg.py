"""Settings as a cfg file of the C compiler: blocks ``bbox { … }`` and ``settings { … }`` of names and values.

``parse_cfg`` reads both flavours, Quake III's and Return to Castle Wolfenstein's. ``to_cfg`` writes what that format
can express. ``FIELDS`` says which of our settings each name is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from aascompile.errors import SettingsError
from aascompile.records import dataclass
from aascompile.settings import QUAKE3, Point, Settings
from aascompile.settings_file import find_preset, plain, read_text, settings_over

SUFFIXES: Final = (".cfg", ".c")
"""Endings of the names of cfg files."""

FALL_SCALE: Final = 5000.0
"""The game's measure of a fall is height times gravity, divided by this; damage starts at a threshold of it."""

STEP: Final = 18.0
"""Height that games of the family lift a player; cfg files give the first height that they do not, or this one."""

WOLFENSTEIN: Final = 8
"""Version of the engine's file in Return to Castle Wolfenstein, whose cfg files have other names."""

PRESENCE: Final = {"PRESENCE_NONE": 1, "PRESENCE_NORMAL": 2, "PRESENCE_CROUCH": 4}
NAMES: Final = {2: "standing", 4: "crouched"}
"""Names of boxes by presence; a cfg file has no names."""


@dataclass(frozen=True, slots=True)
class CfgField:
    """A name of a ``settings`` block."""

    name: str
    key: str
    """Our setting, as ``table.key``; "" if there is no such setting."""
    note: str = ""
    """How the value is converted, or why it is ignored."""


def _fields(prefix: str, pairs: str) -> Iterator[CfgField]:
    """Fields from lines of name and key."""
    for line in pairs.strip().splitlines():
        name, _, key = line.partition(" ")
        yield CfgField(prefix + name, key)


FIELDS: Final = (
    CfgField("phys_gravitydirection", "", "must be {0, 0, -1}"),
    *_fields(
        "phys_",
        """
friction physics.friction
stopspeed physics.stop_speed
gravity physics.gravity
waterfriction physics.water_friction
watergravity physics.water_gravity""",
    ),
    CfgField("phys_maxvelocity", "", "ignored: `phys_maxwalkvelocity` decides"),
    *_fields(
        "phys_",
        """
maxwalkvelocity physics.walk_speed
maxcrouchvelocity physics.crouch_speed
maxswimvelocity physics.swim_speed
walkaccelerate physics.walk_accelerate
airaccelerate physics.air_accelerate
swimaccelerate physics.swim_accelerate""",
    ),
    CfgField("phys_maxstep", "physics.max_step", "`physics.step` is 18, or the whole of a lower value, or 1 less"),
    *_fields(
        "phys_",
        """
maxsteepness physics.floor_up
maxwaterjump physics.max_waterjump
maxbarrier physics.max_barrier
jumpvel physics.jump_velocity""",
    ),
    CfgField("phys_falldelta5", "physics.fall_damage_small", "times 5000 / `phys_gravity`"),
    CfgField("phys_falldelta10", "physics.fall_damage_large", "times 5000 / `phys_gravity`"),
    *_fields(
        "rs_",
        """
waterjump costs.water_jump
teleport costs.teleport
barrierjump costs.barrier_jump
startcrouch costs.start_crouch
startgrapple costs.start_grapple
startwalkoffledge costs.start_ledge
startjump costs.start_jump
rocketjump costs.rocket_jump
bfgjump costs.bfg_jump
jumppad costs.jump_pad
aircontrolledjumppad costs.jump_pad_steered
funcbob costs.bobbing
startelevator costs.start_elevator
falldamage5 costs.fall_damage_small
falldamage10 costs.fall_damage_large""",
    ),
    CfgField("rs_maxfallheight", "", "ignored: falls have no limit"),
    CfgField("rs_maxjumpfallheight", "physics.max_jump_fall"),
    CfgField("rs_allowladders", "reach.ladder", "0 is false"),
)
"""Names of a ``settings`` block in the order in which they are written."""

_BY_NAME: Final = {field.name: field for field in FIELDS}
_COMMENT: Final = re.compile(r'"[^"\n]*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TOKEN: Final = re.compile(r'[{}]|"[^"\n]*"|[^\s{},"]+')

# --- reading ----------------------------------------------------------------------------------------------------------


def read_cfg(path: str, base: Settings | None = None) -> Settings:
    """Read a cfg file. What it leaves out is as in ``base``."""
    return parse_cfg(read_text(path), path, base)


def parse_cfg(text: str, file: str, base: Settings | None = None) -> Settings:
    """Settings from the text of a cfg file. ``file`` names it in messages.

    Without ``base``, a file with the name that only Wolfenstein's compiler knows builds on ``rtcw``, others on
    ``quake3``.
    """
    given: dict[str, Any] = {}
    numbers: dict[str, float] = {}
    for block, pairs in _blocks(text, file):
        if block == "bbox":
            given.setdefault("boxes", []).append(_box(file, pairs, f"bbox {len(given.get('boxes', ()))}"))
            continue
        for name, words in pairs.items():
            if name not in _BY_NAME:
                raise SettingsError(file, name, "is unknown")
            if name != "phys_gravitydirection":
                numbers[name] = _numbers(file, name, words, 1)[0]
            elif _numbers(file, name, words, 3) != [0.0, 0.0, -1.0]:
                raise SettingsError(file, name, "must be {0, 0, -1}: gravity pulls straight down")
    if base is None:
        base = find_preset("rtcw") if "rs_allowladders" in numbers else QUAKE3
    gravity = numbers.get("phys_gravity", base.physics.gravity)
    for name, number in numbers.items():
        for key, value in _converted(_BY_NAME[name], number, gravity):
            table, _, entry = key.partition(".")
            given.setdefault(table, {})[entry] = value
    return settings_over(base, given, file)


def _converted(field: CfgField, number: float, gravity: float) -> Iterator[tuple[str, float | bool]]:
    """Our settings that a number of a cfg file means."""
    if field.name == "phys_maxstep":
        yield "physics.step", min(max(STEP, number - 1.0), number)
    if field.name.startswith("phys_falldelta"):
        number = number * FALL_SCALE / gravity if gravity > 0 else number
    if field.key:
        yield field.key, number != 0 if field.name == "rs_allowladders" else number


def _box(file: str, pairs: dict[str, list[str]], label: str) -> dict[str, Any]:
    """Table of a box from a ``bbox`` block."""
    for name in pairs:
        if name not in ("presencetype", "flags", "mins", "maxs"):
            raise SettingsError(file, f"{label}: {name}", "is unknown; expected presencetype, flags, mins or maxs")
    missing = [name for name in ("presencetype", "mins", "maxs") if name not in pairs]
    if missing:
        raise SettingsError(file, f"{label}: {missing[0]}", "is missing")
    presence = 0
    for word in "|".join(pairs["presencetype"]).split("|"):
        presence |= PRESENCE[word] if word in PRESENCE else int(_numbers(file, f"{label}: presencetype", [word], 1)[0])
    return {
        "name": NAMES.get(presence, f"box {presence}"),
        "presence": presence,
        "mins": _numbers(file, f"{label}: mins", pairs["mins"], 3),
        "maxs": _numbers(file, f"{label}: maxs", pairs["maxs"], 3),
    }


def _numbers(file: str, key: str, words: list[str], count: int) -> list[float]:
    """The numbers of a value, decimal or hexadecimal."""
    try:
        found = [float(int(word, 16)) if word.lower().startswith("0x") else float(word) for word in words]
    except ValueError:
        found = []
    if len(found) != count:
        wanted = "a number" if count == 1 else f"{count} numbers in braces"
        raise SettingsError(file, key, f"is {' '.join(words)[:40]!r}, but must be {wanted}")
    return found


def _blocks(text: str, file: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Name of each block, and the words of each value in it."""
    words = iter(_words(text))
    for block in words:
        if block not in ("bbox", "settings"):
            raise SettingsError(file, block[:40], "is unknown; expected a block bbox or settings")
        if next(words, "") != "{":
            raise SettingsError(file, block, "must be followed by {")
        pairs: dict[str, list[str]] = {}
        for name in words:
            if name == "}":
                break
            pairs[name.lower()] = list(_value(words, file, name))
        else:
            raise SettingsError(file, block, "is never closed")
        yield block, pairs


def _value(words: Iterator[str], file: str, name: str) -> Iterator[str]:
    """Words of a value: a single word, or those in braces."""
    first = next(words, "}")
    if first == "}":
        raise SettingsError(file, name[:40], "has no value")
    if first != "{":
        yield first
        return
    for word in words:
        if word == "}":
            return
        yield word
    raise SettingsError(file, name[:40], "is never closed")


def _words(text: str) -> list[str]:
    """Words and braces of a cfg file, without comments, commas and quotes."""
    bare = _COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)
    return [word.strip('"') for word in _TOKEN.findall(bare)]


# --- writing ----------------------------------------------------------------------------------------------------------


def to_cfg(settings: Settings) -> str:
    """The settings as a cfg file, as far as that format can express them."""
    named = {number: name for name, number in PRESENCE.items()}
    lines = [f"// Settings {settings.name}, written by aascompile for compilers that read cfg files."]
    for row, box in enumerate(settings.boxes):
        lines += [
            "",
            "bbox",
            "{",
            f"\tpresencetype\t{named.get(box.presence, box.presence)}",
            f"\tflags\t{min(row, 1)}",
            f"\tmins\t{_braces(box.mins)}",
            f"\tmaxs\t{_braces(box.maxs)}",
            "}",
        ]
    lines += ["", "settings", "{", *(f"\t{name}\t{value}" for name, value in _values(settings)), "}"]
    return "\n".join(lines) + "\n"


def _values(settings: Settings) -> Iterator[tuple[str, str]]:
    """Names and values of the ``settings`` block, in the flavour of the game whose engine file is written."""
    wolfenstein = settings.engine.version == WOLFENSTEIN
    for field in FIELDS:
        if field.name == ("rs_maxfallheight" if wolfenstein else "rs_allowladders"):
            continue
        table, _, key = field.key.partition(".")
        value = getattr(getattr(settings, table), key) if key else 0.0
        if field.name == "phys_gravitydirection":
            yield field.name, "{0, 0, -1}"
        elif field.name == "phys_maxvelocity":
            yield field.name, plain(settings.physics.walk_speed)
        elif field.name.startswith("phys_falldelta"):
            yield field.name, plain(round(value * settings.physics.gravity / FALL_SCALE, 9))
        else:
            yield field.name, plain(float(value))


def _braces(point: Point) -> str:
    return f"{{{', '.join(plain(number) for number in point)}}}"


def cfg_markdown() -> str:
    """Section of docs/settings.md about cfg files."""
    rows = [f"| `{field.name}` | {f'`{field.key}`' if field.key else ''} | {field.note} |" for field in FIELDS]
    return "\n".join([_SECTION, *rows]) + "\n"


_SECTION: Final = """\
## Cfg files

`--settings` and `bspc -cfg` also read the C compiler's cfg files (`.cfg`, `.c`), and `aas settings --cfg` writes one. A
file has a block `bbox` for each box, with `presencetype`, `flags` (ignored), `mins` and `maxs`, and a block `settings`.
What it leaves out is as in the preset; what it cannot express is not written. An unknown name is an error. If no preset
is named, a file with `rs_allowladders`, which only Wolfenstein's compiler knows, builds on `rtcw`.

| name in a cfg file | setting | note |
|---|---|---|"""
