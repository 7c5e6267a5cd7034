"""Connected components of an undirected graph given as pairs of nodes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def components(count: int, first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.int64]:
    """(count,) label of each node: the lowest node number in its component.

    Row i of ``first (k,)`` and ``second (k,)`` joins two nodes.
    """
    label = np.arange(count)
    while True:
        lower = np.minimum(label[first], label[second])
        new = label.copy()
        np.minimum.at(new, first, lower)
        np.minimum.at(new, second, lower)
        new = new[new]
        if np.array_equal(new, label):
            return label
        label = new
