"""Ragged columns against lists of lists."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aascompile.csr import joined, owners_of, ranges, rows_of, starts_of, within

SIZES = st.lists(st.integers(0, 5), max_size=12)


@given(SIZES, st.data())
def test_rows_of_pieces(sizes, data):
    start = starts_of(np.array(sizes, np.int64))
    pieces = data.draw(st.lists(st.integers(0, len(sizes) - 1), max_size=8)) if sizes else []
    rows = [list(range(sum(sizes[:i]), sum(sizes[: i + 1]))) for i in range(len(sizes))]
    assert start.tolist() == [sum(sizes[:i]) for i in range(len(sizes) + 1)]
    assert rows_of(start, np.array(pieces, np.int64)).tolist() == [row for piece in pieces for row in rows[piece]]
    assert owners_of(start).tolist() == [i for i, size in enumerate(sizes) for _ in range(size)]
    assert within(np.array(sizes, np.int64)).tolist() == [k for size in sizes for k in range(size)]


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 5)), max_size=12))
def test_ranges(pieces):
    first, sizes = (np.array([piece[k] for piece in pieces], np.int64) for k in range(2))
    assert ranges(first, sizes).tolist() == [row for begin, size in pieces for row in range(begin, begin + size)]


@given(st.lists(SIZES, max_size=4))
def test_columns_end_to_end(columns):
    starts = [starts_of(np.array(sizes, np.int64)) for sizes in columns]
    assert joined(starts).tolist() == starts_of(np.array([n for sizes in columns for n in sizes], np.int64)).tolist()
