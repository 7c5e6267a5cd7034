"""Settings as TOML. A settings file lists only what differs from a preset; ``to_toml`` writes every field.

An unknown key, a wrong type or a value out of range raises a SettingsError with the key and what is allowed.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, fields, replace
from functools import lru_cache
from typing import Any, TypeVar

from aascompile.errors import SettingsError, reason_of
from aascompile.settings import (
    ENGINE_VERSIONS,
    GAMES,
    GAMES_FOLDER,
    MAX_BOXES,
    MODES,
    PRESETS,
    QUAKE3,
    AreaSettings,
    Box,
    Costs,
    EngineSettings,
    Physics,
    ReachSettings,
    Settings,
    Table,
)

MAX_BYTES = 1 << 20
"""Larger files are rejected."""

TOML_WIDTH = 80
"""Columns of a settings file that we write."""

MAX_CHARACTERS = 64
"""Limit on the length of a name."""

GROUPS: dict[str, type[Any]] = {
    "physics": Physics,
    "costs": Costs,
    "areas": AreaSettings,
    "reach": ReachSettings,
    "engine": EngineSettings,
}
"""Tables of a settings file, except ``boxes`` and ``TABLES``."""

TABLES: dict[str, type[Any]] = {"contents": int, "surfaces": int, "entities": str}
"""Tables with keys of their own, and the type of their values. A file that has such a table replaces the preset's."""

Group = TypeVar("Group")


# --- reading ----------------------------------------------------------------------------------------------------------


def read_settings(path: str, preset: str | None = None) -> Settings:
    """Read a settings file. ``preset`` overrides the preset that the file itself names."""
    if path.lower().endswith((".cfg", ".c")):
        from aascompile.settings_cfg import read_cfg

        return read_cfg(path, find_preset(preset) if preset else None)
    return parse_settings(read_text(path), path, preset)


def read_text(path: str) -> str:
    """Text of a settings file."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SettingsError(path, "", f"cannot be read: {reason_of(error)}") from None
    if len(data) > MAX_BYTES:
        raise SettingsError(path, "", f"is larger than {MAX_BYTES >> 20} MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SettingsError(path, "", "is not UTF-8 text") from None


def parse_settings(text: str, file: str, preset: str | None = None) -> Settings:
    """Settings from TOML text. ``file`` names the source in error messages."""
    return settings_of(_parsed(text, file), file, preset)


def _parsed(text: str, file: str) -> dict[str, Any]:
    """Tables of TOML text."""
    import tomllib  # most compiles read no such file

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(file, "", f"is not valid TOML: {str(error).splitlines()[0]}") from None


def text_to_store(settings: Settings) -> str:
    """All settings as the JSON that compiled files hold."""
    return json.dumps(settings, separators=(",", ":"), default=_values)


def _values(group: Any) -> dict[str, Any]:
    """Settings of a group by name, as ``asdict`` gives them; that copies each of them."""
    return {field.name: getattr(group, field.name) for field in fields(group)}


@lru_cache(maxsize=16)
def settings_from_json(text: str, file: str) -> Settings:
    """Settings from a compiled file's JSON. Missing values (all of them in an imported file) come from the preset."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise SettingsError(file, "", "the stored settings are not a JSON object")
    return settings_of(given, file)


def settings_of(given: Mapping[str, Any], file: str, preset: str | None = None) -> Settings:
    """The settings in nested tables as a settings file has them; ``file`` is what messages call them."""
    _only_known(file, "", given, ["preset", "name", "mode", "boxes", *GROUPS, *TABLES])
    return settings_over(
        find_preset(preset or _text(file, "preset", given.get("preset", QUAKE3.name)), file), given, file
    )


def settings_over(base: Settings, given: Mapping[str, Any], file: str) -> Settings:
    """``base`` with the values of nested tables applied."""
    made = base
    if "name" in given:
        made = replace(made, name=_text(file, "name", given["name"]))
    if given.get("mode"):
        made = with_mode(made, _text(file, "mode", given["mode"]), file)
    if "boxes" in given:
        made = replace(made, boxes=_boxes(file, given["boxes"]))
    tables: dict[str, Any] = {
        name: _table(file, name, kind, given[name]) for name, kind in TABLES.items() if name in given
    }
    groups = {name: _group(file, name, getattr(base, name), given.get(name, {})) for name in GROUPS}
    made = replace(made, **tables, **groups)
    if made.engine.version not in ENGINE_VERSIONS:
        allowed = _options([str(version) for version in ENGINE_VERSIONS])
        raise SettingsError(file, "engine.version", f"is {made.engine.version}; {allowed}")
    return made


def with_mode(settings: Settings, mode: str, file: str) -> Settings:
    """The settings for one game mode."""
    if mode not in MODES:
        raise SettingsError(file, "mode", f"is {_shown(mode)}; {_options(MODES)}")
    return replace(settings, mode=mode)


def find_preset(name: str, file: str = "") -> Settings:
    """Settings of a game: a file of the package by its name, or another file by its path.

    For an unknown name, the SettingsError lists the valid ones.
    """
    if name in PRESETS:
        return PRESETS[name]
    if name in GAMES:
        path = os.path.join(GAMES_FOLDER, f"{name}.toml")
        return PRESETS.setdefault(name, parse_settings(read_text(path), path))
    if name.lower().endswith(".toml") and not file:
        return read_settings(name)
    where, key = (file, "preset") if file else ("game", "")
    raise SettingsError(where, key, f"'{name}' is unknown; {_options(sorted({*GAMES, *PRESETS}))}")


def _table(file: str, name: str, kind: type[Any], given: Any) -> Table:
    """A table with keys of its own, or a list of pairs as compiled files have it."""
    pairs = list(given.items()) if isinstance(given, dict) else given
    are_pairs = isinstance(pairs, list | tuple) and all(isinstance(p, list | tuple) and len(p) == 2 for p in pairs)
    if not are_pairs:
        raise SettingsError(file, name, f"is {_shown(given)}, but must be a table: [{name}]")
    for key, value in pairs:
        if not isinstance(key, str) or type(value) is not kind or (kind is int and not 0 <= value < 1 << 32):
            wanted = "32 bits" if kind is int else "text"
            raise SettingsError(file, f"{name}.{_word(str(key))}", f"is {_shown(value)}, but must be {wanted}")
    return tuple((key, value) for key, value in pairs)


def _group(file: str, name: str, base: Group, given: Any) -> Group:
    """Group ``base`` with the values of one TOML table applied."""
    if not isinstance(given, dict):
        raise SettingsError(file, name, f"is {_shown(given)}, but must be a table: [{name}]")
    by_name = {field.name: field for field in fields(base)}  # type: ignore[arg-type]  # all groups are dataclasses
    _only_known(file, name, given, list(by_name))
    return replace(base, **{key: _value(file, f"{name}.{key}", by_name[key], value) for key, value in given.items()})  # type: ignore[type-var]


def _boxes(file: str, given: Any) -> tuple[Box, ...]:
    """The array of boxes, each of which names every field."""
    if not isinstance(given, list | tuple) or not all(isinstance(entry, dict) for entry in given):
        raise SettingsError(file, "boxes", "must be an array of tables: [[boxes]]")
    if not 1 <= len(given) <= MAX_BOXES:
        raise SettingsError(file, "boxes", f"has {len(given)} entries, but must have 1 to {MAX_BOXES}")
    made: list[Box] = []
    for row, entry in enumerate(given):
        key = f"boxes[{row}]"
        by_name = {field.name: field for field in fields(Box)}
        _only_known(file, key, entry, list(by_name))
        missing = [name for name in by_name if name not in entry]
        if missing:
            raise SettingsError(file, f"{key}.{missing[0]}", "is missing")
        box = Box(**{name: _value(file, f"{key}.{name}", field, entry[name]) for name, field in by_name.items()})
        if box.presence & (box.presence - 1):
            raise SettingsError(file, f"{key}.presence", f"is {box.presence}, but must be a power of two")
        for earlier in made:
            for name in ("name", "presence"):
                if getattr(box, name) == getattr(earlier, name):
                    raise SettingsError(
                        file, f"{key}.{name}", f"is {_shown(entry[name])}, the same as an earlier box's"
                    )
        made.append(box)
    return tuple(made)


def _value(file: str, key: str, field: Field[Any], given: Any) -> Any:
    """The given value, checked against the field's type and limits."""
    if field.type == "bool":
        if not isinstance(given, bool):
            raise SettingsError(file, key, f"is {_shown(given)}, but must be true or false")
        return given
    if field.type == "str":
        text, options = _text(file, key, given), field.metadata.get("options")
        if options is not None and text not in options:
            raise SettingsError(file, key, f"is {_shown(text)}; {_options(options)}")
        return text
    if field.type == "Point":
        if not isinstance(given, list | tuple) or len(given) != 3:
            raise SettingsError(file, key, f"is {_shown(given)}, but must be three numbers: [x, y, z]")
        return tuple(_number(file, f"{key}[{axis}]", field, number) for axis, number in enumerate(given))
    return _number(file, key, field, given)


def _number(file: str, key: str, field: Field[Any], given: Any) -> int | float:
    """The given number, checked against the field's limits."""
    integer = field.type == "int"
    if isinstance(given, bool) or not isinstance(given, int if integer else int | float):
        raise SettingsError(file, key, f"is {_shown(given)}, but must be {'an integer' if integer else 'a number'}")
    low, high = field.metadata["low"], field.metadata["high"]
    if not low <= given <= high:  # NaN fails this test too
        raise SettingsError(file, key, f"is {_shown(given)}, but must be {_limits(field)}")
    return int(given) if integer else float(given)


def _text(file: str, key: str, given: Any) -> str:
    """The given text, checked to be short and printable."""
    if not isinstance(given, str):
        raise SettingsError(file, key, f"is {_shown(given)}, but must be text")
    if not 1 <= len(given) <= MAX_CHARACTERS or not given.isprintable():
        raise SettingsError(file, key, f"is {_shown(given)}, but must be 1 to {MAX_CHARACTERS} printable characters")
    return given


def _only_known(file: str, table: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raise a SettingsError for the first unknown key, suggesting the closest known one."""
    for key in given:
        if key not in known:
            from difflib import get_close_matches

            near = get_close_matches(str(key), known, 1)
            hint = f"did you mean {near[0]}?" if near else _options(known)
            raise SettingsError(file, f"{table}.{_word(str(key))}" if table else _word(str(key)), f"is unknown; {hint}")


def _options(names: Sequence[str] | Mapping[str, Any]) -> str:
    """Clause of a message that lists the valid names."""
    return f"expected {'one of ' if len(names) > 1 else ''}{', '.join(names)}"


def _word(key: str) -> str:
    """A key in printable form."""
    return key if key.isprintable() and 1 <= len(key) <= MAX_CHARACTERS else ascii(key[:MAX_CHARACTERS])


def _shown(given: Any) -> str:
    """A value as messages show it."""
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, int | float):
        return plain(given) if isinstance(given, float) or abs(given) < sys.maxsize else "too large"
    if isinstance(given, str):
        return ascii(given) if len(given) <= MAX_CHARACTERS else ascii(given[:MAX_CHARACTERS]) + "..."
    kinds = {"dict": "a table", "list": "an array", "tuple": "an array"}
    kinds |= dict.fromkeys(("date", "time", "datetime"), "a date or time")
    return kinds.get(type(given).__name__, f"of type {type(given).__name__}")


# --- writing ----------------------------------------------------------------------------------------------------------


def to_toml(settings: Settings) -> str:
    """All settings as TOML, with units, limits and meanings in comments. It parses back to equal settings."""
    lines = [
        *_comment(
            "Settings of aascompile. Lengths are in map units (about 2.5 cm), times in hundredths of a second. "
            "Anything left out keeps the preset's value."
        ),
        "",
        f"name = {_quoted(settings.name)}",
        *([f"mode = {_quoted(settings.mode)}"] if settings.mode else []),
        "",
        *_comment(f"1 to {MAX_BOXES} boxes, largest first: liquids and triggers are expanded by the first box only."),
    ]
    for box in settings.boxes:
        lines += ["", "[[boxes]]", *_lines(box)]
    for name, kind in GROUPS.items():
        lines += ["", *_comment(_sentence(kind)), f"[{name}]", *_lines(getattr(settings, name))]
    for name in TABLES:
        if getattr(settings, name):
            rows = (f"{_quoted(key)} = {_bits_or_text(value)}" for key, value in getattr(settings, name))
            lines += ["", f"[{name}]", *rows]
    return "\n".join(lines) + "\n"


def _lines(group: Any) -> Iterator[str]:
    """One TOML line per field, with a comment: behind it if there is room, else above it."""
    for field in fields(group):
        limits = f" ({_limits(field)})" if "low" in field.metadata else ""
        if "options" in field.metadata:
            limits = f" ({', '.join(field.metadata['options'])})"
        line, comment = f"{field.name} = {_toml(getattr(group, field.name))}", f"{field.metadata['meaning']}{limits}"
        if len(line) + len(comment) + 4 <= TOML_WIDTH:
            yield f"{line}  # {comment}"
        else:
            yield from (*_comment(comment), line)


def _comment(text: str) -> Iterator[str]:
    """A text as lines of comment."""
    from textwrap import wrap

    yield from wrap(text, TOML_WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def _bits_or_text(value: int | str) -> str:
    return _quoted(value) if isinstance(value, str) else f"{value:#x}"


def _limits(field: Field[Any]) -> str:
    """Limits of a field, with its unit."""
    unit = f", in {field.metadata['unit']}" if field.metadata["unit"] else ""
    return f"{plain(field.metadata['low'])} to {plain(field.metadata['high'])}{unit}"


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(number) for number in value)}]"
    return ("true" if value else "false") if isinstance(value, bool) else plain(value)


def plain(number: int | float) -> str:
    """The number in a form that parses back to the same value, without a trailing ``.0``."""
    if isinstance(number, float) and not math.isfinite(number):
        return str(number)
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _sentence(kind: type[Any]) -> str:
    """First line of a class's docstring."""
    return (kind.__doc__ or "").splitlines()[0]


def to_markdown() -> str:
    """Text of docs/settings.md."""
    presets = ", ".join(f"`{name}`" for name in GAMES)
    rows = [_PAGE.format(presets=presets, default=QUAKE3.name, characters=MAX_CHARACTERS, boxes=MAX_BOXES)]
    rows += ["| key | unit | limits | meaning |", "|---|---|---|---|"]
    for field in fields(Box):
        rows.append(f"| `{field.name}` | {_row_end(field)} |")
    rows += ["", f"The boxes of `{QUAKE3.name}`:", "", "| box | presence | mins | maxs |", "|---|---|---|---|"]
    for box in QUAKE3.boxes:
        rows.append(f"| {box.name} | {box.presence} | {_toml(box.mins)} | {_toml(box.maxs)} |")
    for name, kind in GROUPS.items():
        rows += ["", f"## `[{name}]`", "", _sentence(kind), ""]
        rows += ["| key | default | unit | limits | meaning |", "|---|---|---|---|---|"]
        for field in fields(kind):
            rows.append(f"| `{field.name}` | {_toml(field.default)} | {_row_end(field)} |")
    from aascompile.settings_cfg import cfg_markdown

    return "\n".join([*rows, "", _GAME_TABLES, cfg_markdown()])


def _row_end(field: Field[Any]) -> str:
    """Unit, limits and meaning of a field as table cells."""
    about = field.metadata
    limits = f"{plain(about['low'])} to {plain(about['high'])}" if "low" in about else ""
    limits = ", ".join(about["options"]) if "options" in about else limits
    return f"{about.get('unit', '')} | {limits} | {about['meaning']}"


_PAGE = """\
# Settings

The result of a compile depends only on the map and on these settings. `aascompile --settings FILE.toml` reads them
from a TOML file, `--game NAME` starts from the settings of a game, its *preset*, and `aas settings` prints the settings
in force as a TOML file. A file needs to list only what differs from its preset:

```toml
preset = "{default}"

[physics]
gravity = 400
```

An unknown key, a wrong type or a value out of range is reported as an error, and nothing is compiled. Presets:
{presets}. The defaults below are those of `{default}`.

Each preset is a file in `aascompile/games/`. To compile for another game, copy the nearest of them, change its tables
and pass it as `--game my-game.toml`; no code is needed. IBSP 38 is always a map of Quake II, so `quake2` need not be
named. IBSP 47 is used by Wolfenstein and by Quake Live, so `rtcw` must be.

`make docs` generates this page from `aascompile/settings.py`.

## `preset`, `name`, `mode`

`preset` names the preset that the file builds on. `name` is the name of the settings, 1 to {characters} characters. The
name and all values are stored in every compiled file. `mode` (`--mode`) is `ffa`, `team`, `ctf` or `single`: only
entities that this game mode spawns count, and their brushes. Without it, everything counts that any mode has.

## `[[boxes]]`

The agent's bounding boxes, 1 to {boxes}, largest first: liquids and triggers are expanded by the first box only. A file
that lists boxes must list all of them, each with every key.
"""

_GAME_TABLES = """\
## `[contents]`, `[surfaces]`, `[entities]`

What a map file's numbers and class names mean in this game; without these tables, the same as in Quake III.
`[contents]` gives the contents bits of brushes by their names in `aascompile/model/contents.py` (`solid = 0x1`), and
`ladder` for brushes that can be climbed; bits that are not listed mean nothing. `[surfaces]` does the same for surface
flags.
`[entities]` gives the role of classes that Quake III does not have: a class of Quake III that acts the same; `ignored`;
`push along angle`, for a trigger that throws players along its angle, ten times as fast as its `speed`; or `teleporter
pad`, for a pad at the origin that sends players to its target. A table replaces the preset's table as a whole.
"""
