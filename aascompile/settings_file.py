"""Settings as TOML: a file names what differs from a preset; what is written names everything, with units and limits.

An unknown key, a wrong type or a value beyond its limit is a SettingsError that says where and what is right.
"""

from __future__ import annotations

import json
import math
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, asdict, fields, replace
from typing import Any, TypeVar

from aascompile.errors import SettingsError
from aascompile.settings import MOST_BOXES, PRESETS, QUAKE3, AreaSettings, Box, Costs, Physics, ReachSettings, Settings

MOST_BYTES = 1 << 20
"""A settings file of more is none."""

MOST_LETTERS = 64
"""Of a name."""

GROUPS: dict[str, type[Any]] = {"physics": Physics, "costs": Costs, "areas": AreaSettings, "reach": ReachSettings}
"""Tables of the file besides ``boxes``."""

Group = TypeVar("Group")


# --- reading ----------------------------------------------------------------------------------------------------------


def read_settings(path: str, preset: str | None = None) -> Settings:
    """The settings of a file; ``preset``: what it builds on, in place of the preset that it names itself."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SettingsError(path, "", f"cannot be read: {(error.strerror or 'unknown reason').lower()}") from None
    if len(data) > MOST_BYTES:
        raise SettingsError(path, "", f"has more than {MOST_BYTES >> 20} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SettingsError(path, "", "is not UTF-8 text") from None
    return parse_settings(text, path, preset)


def parse_settings(text: str, file: str, preset: str | None = None) -> Settings:
    """The settings in a TOML text; ``file`` is what messages call it."""
    try:
        given = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(file, "", f"is not TOML: {str(error).splitlines()[0]}") from None
    return _settings(given, file, preset)


def text_to_store(settings: Settings) -> str:
    """All settings as the JSON that compiled files hold."""
    return json.dumps(asdict(settings), separators=(",", ":"))


def stored_settings(text: str, file: str) -> Settings:
    """The settings in a compiled file's JSON; what is missing (all of it in an imported file) is as in the preset."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise SettingsError(file, "", "its settings are no JSON object")
    return _settings(given, file)


def _settings(given: Mapping[str, Any], file: str, preset: str | None = None) -> Settings:
    """Settings from what a file says."""
    _only_known(file, "", given, ["preset", "name", "boxes", *GROUPS])
    base = preset_named(preset or _text(file, "preset", given.get("preset", QUAKE3.name)), file)
    made = base
    if "name" in given:
        made = replace(made, name=_text(file, "name", given["name"]))
    if "boxes" in given:
        made = replace(made, boxes=_boxes(file, given["boxes"]))
    return replace(made, **{name: _group(file, name, getattr(base, name), given.get(name, {})) for name in GROUPS})


def preset_named(name: str, file: str = "") -> Settings:
    """A preset; SettingsError names those that there are."""
    if name not in PRESETS:
        raise SettingsError(file or "preset", "preset" if file else "", f"'{name}' is unknown: {_options(PRESETS)}")
    return PRESETS[name]


def _group(file: str, name: str, base: Group, given: Any) -> Group:
    """A table of plain fields."""
    if not isinstance(given, dict):
        raise SettingsError(file, name, f"is {_shown(given)}, but must be a table: [{name}]")
    known = {one.name: one for one in fields(base)}  # type: ignore[arg-type]  # all groups are dataclasses
    _only_known(file, name, given, list(known))
    return replace(base, **{key: _value(file, f"{name}.{key}", known[key], value) for key, value in given.items()})  # type: ignore[type-var]


def _boxes(file: str, given: Any) -> tuple[Box, ...]:
    """The array of boxes, each of which names every field."""
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise SettingsError(file, "boxes", "must be an array of tables: [[boxes]]")
    if not 1 <= len(given) <= MOST_BOXES:
        raise SettingsError(file, "boxes", f"are {len(given)}, but must be 1 to {MOST_BOXES}")
    made: list[Box] = []
    for row, one in enumerate(given):
        key = f"boxes[{row}]"
        known = {field.name: field for field in fields(Box)}
        _only_known(file, key, one, list(known))
        missing = [name for name in known if name not in one]
        if missing:
            raise SettingsError(file, f"{key}.{missing[0]}", "is missing")
        box = Box(**{name: _value(file, f"{key}.{name}", field, one[name]) for name, field in known.items()})
        if box.presence & (box.presence - 1):
            raise SettingsError(file, f"{key}.presence", f"is {box.presence}, but must be a power of two")
        for earlier in made:
            for name in ("name", "presence"):
                if getattr(box, name) == getattr(earlier, name):
                    raise SettingsError(file, f"{key}.{name}", f"is {_shown(one[name])}, as an earlier box's is")
        made.append(box)
    return tuple(made)


def _value(file: str, key: str, field: Field[Any], given: Any) -> Any:
    """A value of the field's type within its limits."""
    if field.type == "bool":
        if not isinstance(given, bool):
            raise SettingsError(file, key, f"is {_shown(given)}, but must be true or false")
        return given
    if field.type == "str":
        return _text(file, key, given)
    if field.type == "Point":
        if not isinstance(given, list) or len(given) != 3:
            raise SettingsError(file, key, f"is {_shown(given)}, but must be three numbers: [x, y, z]")
        return tuple(_number(file, f"{key}[{axis}]", field, one) for axis, one in enumerate(given))
    return _number(file, key, field, given)


def _number(file: str, key: str, field: Field[Any], given: Any) -> int | float:
    """A number within the field's limits."""
    whole = field.type == "int"
    if isinstance(given, bool) or not isinstance(given, int if whole else int | float):
        raise SettingsError(file, key, f"is {_shown(given)}, but must be a {'whole ' if whole else ''}number")
    low, high = field.metadata["low"], field.metadata["high"]
    if not low <= given <= high:  # not a number is in no limits either
        raise SettingsError(file, key, f"is {_shown(given)}, but must be {_limits(field)}")
    return int(given) if whole else float(given)


def _text(file: str, key: str, given: Any) -> str:
    """A short line of printable text."""
    if not isinstance(given, str):
        raise SettingsError(file, key, f"is {_shown(given)}, but must be text")
    if not 1 <= len(given) <= MOST_LETTERS or not given.isprintable():
        raise SettingsError(file, key, f"is {_shown(given)}, but must be 1 to {MOST_LETTERS} printable letters")
    return given


def _only_known(file: str, table: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse the first key that means nothing, with the nearest one that does."""
    for key in given:
        if key not in known:
            from difflib import get_close_matches

            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else _options(known)
            raise SettingsError(file, f"{table}.{_word(key)}" if table else _word(key), f"is unknown: {hint}")


def _options(names: Sequence[str] | Mapping[str, Any]) -> str:
    return f"there {'is' if len(names) == 1 else 'are'} {', '.join(names)}"


def _word(key: str) -> str:
    """A key as it can be printed."""
    return key if key.isprintable() and 1 <= len(key) <= MOST_LETTERS else ascii(key[:MOST_LETTERS])


def _shown(given: Any) -> str:
    """A value of the file in a message."""
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, int | float):
        return _plain(given) if isinstance(given, float) or abs(given) < sys.maxsize else "beyond all limits"
    if isinstance(given, str):
        return ascii(given) if len(given) <= MOST_LETTERS else ascii(given[:MOST_LETTERS]) + "..."
    return {"dict": "a table", "list": "an array"}.get(type(given).__name__, "a date or time")


# --- writing ----------------------------------------------------------------------------------------------------------


def to_toml(settings: Settings) -> str:
    """All settings as a TOML text with units, limits and meanings, which reads back as the same settings."""
    lines = [
        "# Settings of aascompile. Lengths are in map units (about 2.5 cm), times in hundredths of a second.",
        "# A file may leave anything out: it stays as in the preset.",
        "",
        f"name = {_quoted(settings.name)}",
        "",
        f"# 1 to {MOST_BOXES} boxes, the largest first: liquids and triggers reach as far as the first one does.",
    ]
    for box in settings.boxes:
        lines += ["", "[[boxes]]", *_lines(box)]
    for name, kind in GROUPS.items():
        lines += ["", f"# {_sentence(kind)}", f"[{name}]", *_lines(getattr(settings, name))]
    return "\n".join(lines) + "\n"


def _lines(group: Any) -> Iterator[str]:
    """A line for each field, with a comment."""
    for field in fields(group):
        limits = f" ({_limits(field)})" if "low" in field.metadata else ""
        yield f"{field.name} = {_toml(getattr(group, field.name))}  # {field.metadata['meaning']}{limits}"


def _limits(field: Field[Any]) -> str:
    """The limits of a field with its unit."""
    unit = f", in {field.metadata['unit']}" if field.metadata["unit"] else ""
    return f"{_plain(field.metadata['low'])} to {_plain(field.metadata['high'])}{unit}"


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(one) for one in value)}]"
    return ("true" if value else "false") if isinstance(value, bool) else _plain(value)


def _plain(number: int | float) -> str:
    """A number that reads back the same, without a useless fraction."""
    if isinstance(number, float) and not math.isfinite(number):
        return str(number)
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _sentence(kind: type[Any]) -> str:
    """The first line of a class's description."""
    return (kind.__doc__ or "").splitlines()[0]


def to_markdown() -> str:
    """The page of all settings."""
    presets = ", ".join(f"`{name}`" for name in PRESETS)
    rows = [_PAGE.format(presets=presets, default=QUAKE3.name, letters=MOST_LETTERS, boxes=MOST_BOXES)]
    rows += ["| key | unit | limits | meaning |", "|---|---|---|---|"]
    for field in fields(Box):
        rows.append(f"| `{field.name}` | {_row_end(field)} |")
    rows += ["", f"Those of `{QUAKE3.name}`:", "", "| box | presence | mins | maxs |", "|---|---|---|---|"]
    for box in QUAKE3.boxes:
        rows.append(f"| {box.name} | {box.presence} | {_toml(box.mins)} | {_toml(box.maxs)} |")
    for name, kind in GROUPS.items():
        rows += ["", f"## `[{name}]`", "", _sentence(kind), ""]
        rows += ["| key | default | unit | limits | meaning |", "|---|---|---|---|---|"]
        for field in fields(kind):
            rows.append(f"| `{field.name}` | {_toml(field.default)} | {_row_end(field)} |")
    return "\n".join(rows) + "\n"


def _row_end(field: Field[Any]) -> str:
    """Unit, limits and meaning of a field."""
    about = field.metadata
    limits = f"{_plain(about['low'])} to {_plain(about['high'])}" if "low" in about else ""
    return f"{about.get('unit', '')} | {limits} | {about['meaning']}"


_PAGE = """\
# Settings

A compile depends on the map and on these settings alone. `aascompile --settings FILE.toml` reads them from a TOML
file, `--preset NAME` starts from a preset, and `aas settings` prints what is in force as such a file. A file names only
what differs from its preset:

```toml
preset = "{default}"

[physics]
gravity = 400
```

An unknown key, a wrong type or a value beyond its limit is an error that says so, and nothing is compiled. Presets:
{presets}. The defaults below are those of `{default}`.

This page is written by `make docs` from `aascompile/settings.py`, where another preset is one line.

## `preset`, `name`

What the file builds on, and what the settings are called: 1 to {letters} letters. The name and all values are stored in
every compiled file.

## `[[boxes]]`

The shapes an agent takes, 1 to {boxes}, the largest first: liquids and triggers reach as far as the first one does. A
file that has boxes names all of them, with every key.
"""
