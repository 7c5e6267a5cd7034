"""Distinct values, compared with Python's sets."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aascompile.distinct import distinct, distinct_pairs, occurs

numbers = st.lists(st.integers(-5, 5), max_size=20)


@given(numbers)
def test_distinct_values_ascend_and_occur_once(values):
    assert distinct(np.array(values, np.int32)).tolist() == sorted(set(values))


def test_rows_of_a_table_count_together():
    assert distinct(np.array([[3, 1], [1, 2]])).tolist() == [1, 2, 3]


@given(numbers, numbers)
def test_occurs_as_in_a_set(values, known):
    found = occurs(np.array(values, np.int64), np.array(known, np.int64))
    assert found.tolist() == [value in known for value in values]


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), max_size=20))
def test_distinct_pairs(pairs):
    found = distinct_pairs(np.array(pairs, np.int64).reshape(-1, 2))
    assert [tuple(pair) for pair in found.tolist()] == sorted(set(pairs))
