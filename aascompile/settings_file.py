"""Settings as TOML. A settings file lists only what differs from a preset; ``to_toml`` writes every field.

An unknown key, a wrong type or a value out of range raises a SettingsError with the key and what is allowed.
"""

from __future__ import annotations

import json
import math
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, asdict, fields, replace
from typing import Any, TypeVar

from aascompile.errors import SettingsError, reason_of
from aascompile.settings import MAX_BOXES, PRESETS, QUAKE3, AreaSettings, Box, Costs, Physics, ReachSettings, Settings

MAX_BYTES = 1 << 20
"""Larger files are rejected."""

MAX_CHARACTERS = 64
"""Limit on the length of a name."""

GROUPS: dict[str, type[Any]] = {"physics": Physics, "costs": Costs, "areas": AreaSettings, "reach": ReachSettings}
"""Tables of a settings file, except ``boxes``."""

Group = TypeVar("Group")


# --- reading ----------------------------------------------------------------------------------------------------------


def read_settings(path: str, preset: str | None = None) -> Settings:
    """Read a settings file. ``preset`` overrides the preset that the file itself names."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SettingsError(path, "", f"cannot be read: {reason_of(error)}") from None
    if len(data) > MAX_BYTES:
        raise SettingsError(path, "", f"is larger than {MAX_BYTES >> 20} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SettingsError(path, "", "is not UTF-8 text") from None
    return parse_settings(text, path, preset)


def parse_settings(text: str, file: str, preset: str | None = None) -> Settings:
    """Settings from TOML text. ``file`` names the source in error messages."""
    try:
        given = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(file, "", f"is not valid TOML: {str(error).splitlines()[0]}") from None
    return settings_of(given, file, preset)


def text_to_store(settings: Settings) -> str:
    """All settings as the JSON that compiled files hold."""
    return json.dumps(asdict(settings), separators=(",", ":"))


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
    _only_known(file, "", given, ["preset", "name", "boxes", *GROUPS])
    base = find_preset(preset or _text(file, "preset", given.get("preset", QUAKE3.name)), file)
    made = base
    if "name" in given:
        made = replace(made, name=_text(file, "name", given["name"]))
    if "boxes" in given:
        made = replace(made, boxes=_boxes(file, given["boxes"]))
    return replace(made, **{name: _group(file, name, getattr(base, name), given.get(name, {})) for name in GROUPS})


def find_preset(name: str, file: str = "") -> Settings:
    """Preset of this name. For an unknown name, the SettingsError lists the valid ones."""
    if name not in PRESETS:
        raise SettingsError(file or "preset", "preset" if file else "", f"'{name}' is unknown; {_options(PRESETS)}")
    return PRESETS[name]


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
        return _text(file, key, given)
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
        return _plain(given) if isinstance(given, float) or abs(given) < sys.maxsize else "too large"
    if isinstance(given, str):
        return ascii(given) if len(given) <= MAX_CHARACTERS else ascii(given[:MAX_CHARACTERS]) + "..."
    kinds = {"dict": "a table", "list": "an array", "tuple": "an array"}
    kinds |= dict.fromkeys(("date", "time", "datetime"), "a date or time")
    return kinds.get(type(given).__name__, f"of type {type(given).__name__}")


# --- writing ----------------------------------------------------------------------------------------------------------


def to_toml(settings: Settings) -> str:
    """All settings as TOML, with units, limits and meanings in comments. It parses back to equal settings."""
    lines = [
        "# Settings of aascompile. Lengths are in map units (about 2.5 cm), times in hundredths of a second.",
        "# Anything left out keeps the preset's value.",
        "",
        f"name = {_quoted(settings.name)}",
        "",
        f"# 1 to {MAX_BOXES} boxes, largest first: liquids and triggers are expanded by the first box only.",
    ]
    for box in settings.boxes:
        lines += ["", "[[boxes]]", *_lines(box)]
    for name, kind in GROUPS.items():
        lines += ["", f"# {_sentence(kind)}", f"[{name}]", *_lines(getattr(settings, name))]
    return "\n".join(lines) + "\n"


def _lines(group: Any) -> Iterator[str]:
    """One TOML line per field, with a comment."""
    for field in fields(group):
        limits = f" ({_limits(field)})" if "low" in field.metadata else ""
        yield f"{field.name} = {_toml(getattr(group, field.name))}  # {field.metadata['meaning']}{limits}"


def _limits(field: Field[Any]) -> str:
    """Limits of a field, with its unit."""
    unit = f", in {field.metadata['unit']}" if field.metadata["unit"] else ""
    return f"{_plain(field.metadata['low'])} to {_plain(field.metadata['high'])}{unit}"


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(number) for number in value)}]"
    return ("true" if value else "false") if isinstance(value, bool) else _plain(value)


def _plain(number: int | float) -> str:
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
    presets = ", ".join(f"`{name}`" for name in PRESETS)
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
    return "\n".join(rows) + "\n"


def _row_end(field: Field[Any]) -> str:
    """Unit, limits and meaning of a field as table cells."""
    about = field.metadata
    limits = f"{_plain(about['low'])} to {_plain(about['high'])}" if "low" in about else ""
    return f"{about.get('unit', '')} | {limits} | {about['meaning']}"


_PAGE = """\
# Settings

The result of a compile depends only on the map and on these settings. `aascompile --settings FILE.toml` reads them
from a TOML file, `--preset NAME` starts from a preset, and `aas settings` prints the settings in force as a TOML file.
A file needs to list only what differs from its preset:

```toml
preset = "{default}"

[physics]
gravity = 400
```

An unknown key, a wrong type or a value out of range is reported as an error, and nothing is compiled. Presets:
{presets}. The defaults below are those of `{default}`.

`make docs` generates this page from `aascompile/settings.py`. Adding a preset takes one line there.

## `preset`, `name`

`preset` names the preset that the file builds on. `name` is the name of the settings, 1 to {characters} characters. The
name and all values are stored in every compiled file.

## `[[boxes]]`

The agent's bounding boxes, 1 to {boxes}, largest first: liquids and triggers are expanded by the first box only. A file
that lists boxes must list all of them, each with every key.
"""
