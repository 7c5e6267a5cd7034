"""Conversion of records to JSON."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aascompile.cli.json_types import json_text, to_json


@dataclass(frozen=True, slots=True)
class Inner:
    from_: int
    point: np.ndarray


@dataclass(frozen=True, slots=True)
class Outer:
    name: str
    rows: tuple[Inner, ...]
    counts: dict[str, Inner | None]


@dataclass(frozen=True, slots=True)
class Wider(Outer):
    more: list[tuple[float, float]]


def test_fields_become_keys_in_order():
    inner = Inner(3, np.array([1.0, 2.5]))
    found = to_json([Wider("x", (inner,), {"a": None, "b": inner}, [(0.5, 1.0)])])
    as_json = {"from": 3, "point": [1.0, 2.5]}
    assert found == [{"name": "x", "rows": [as_json], "counts": {"a": None, "b": as_json}, "more": [[0.5, 1.0]]}]
    assert list(found[0]) == ["name", "rows", "counts", "more"]
    assert type(found[0]["rows"][0]["point"][0]) is float


def test_numpy_numbers_become_plain_numbers():
    assert json_text({"count": np.int64(3), "share": np.float64(0.5), "good": np.bool_(True), "none": None}) == (
        '{\n  "count": 3,\n  "share": 0.5,\n  "good": true,\n  "none": null\n}'
    )
