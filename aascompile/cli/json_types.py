"""Converts the records of commands to the JSON that ``--json`` prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def to_json(value: object) -> Any:
    """A record as JSON types. Its fields, in order, become keys, without the underscore of ``from_``.

    Tuples and arrays become lists. Text, numbers and None are unchanged.
    """
    if is_dataclass(value):
        return {field.name.rstrip("_"): to_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


def json_text(value: object) -> str:
    """JSON text of a record or of a list of records. CI systems find no commands in it (``##vso[...``)."""
    return json.dumps(to_json(value), indent=2).replace("##", "#\\u0023")
