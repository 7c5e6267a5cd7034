"""Packed columns: everything comes back, and damage is noticed."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.errors import StoreError
from aascompile.store.pack import ALIGN, pack, unpack

COLUMNS = {
    "bits": np.arange(5, dtype=np.uint32),
    "points": np.arange(12.0).reshape(4, 3),
    "none": np.zeros((0, 3)),
    "flags": np.array([True, False]),
    "strided": np.arange(20, dtype=np.int64)[::2],
}


def test_columns_and_description_come_back():
    data = pack({"words": "ünicode", "list": [1, 2.5, None]}, COLUMNS)
    found = unpack(data)
    assert found.about == {"words": "ünicode", "list": [1, 2.5, None]}
    assert list(found.columns) == list(COLUMNS)
    for name, column in COLUMNS.items():
        assert found.columns[name].dtype == column.dtype
        np.testing.assert_array_equal(found.columns[name], column)
        assert found.columns[name].flags.writeable
        assert found.columns[name].ctypes.data % 8 == 0


def test_the_same_columns_give_the_same_bytes():
    assert pack({}, COLUMNS) == pack({}, COLUMNS)
    assert len(pack({}, COLUMNS)) % ALIGN == 0


def test_every_changed_byte_is_noticed():
    data = pack({"a": 1}, COLUMNS)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 0x40
        with pytest.raises(StoreError):
            unpack(changed)


@pytest.mark.parametrize("size", [0, 1, 8, 19, 20, 64])
def test_incomplete_bytes_are_refused(size):
    with pytest.raises(StoreError):
        unpack(pack({}, COLUMNS)[:size])


def test_only_plain_types_are_unpacked():
    with pytest.raises(StoreError, match="complex"):
        unpack(pack({}, {"column": np.zeros(3, np.complex128)}))
