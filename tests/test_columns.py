"""Growth of columns: what was there stays, new rows are 0, and all columns of a table get the same capacity."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile.columns import grown

DTYPES = (np.intc, np.int8, np.int64, np.float64)


@given(
    st.lists(st.tuples(st.sampled_from(DTYPES), st.integers(0, 9), st.sampled_from([(), (2,), (3,)])), min_size=1),
    st.integers(0, 40),
    st.booleans(),
)
def test_rows_stay_and_all_columns_get_the_same_capacity(columns, rows, last_axis):
    old = []
    for dtype, length, width in columns:
        shape = (*width, length) if last_axis else (length, *width)
        old.append((np.arange(np.prod(shape)) + 1).astype(dtype).reshape(shape))
    axis = -1 if last_axis else 0
    new = grown(rows, *(memoryview(column) for column in old), axis=axis)
    capacity = max(rows, 2 * max(column.shape[axis] for column in old))
    for before, after in zip(old, new, strict=True):
        assert after.dtype == before.dtype
        assert after.shape[axis] == capacity
        assert after.flags.c_contiguous
        kept, added = np.split(after, [before.shape[axis]], axis)
        assert np.array_equal(kept, before)
        assert not added.any()


@pytest.mark.skipif(sys.platform == "win32", reason="limits of memory are set with POSIX calls")
def test_without_memory_the_process_ends_instead_of_writing_past_a_column():
    script = (
        "import resource, numpy as np\n"
        "from aascompile.columns import grown\n"
        "column = np.zeros(1 << 20)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))\n"
        "grown(1 << 40, column)\n"
        "print('went on')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "error: out of memory\n")
