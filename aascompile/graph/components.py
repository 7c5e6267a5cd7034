"""Which things hang together: components of a graph that is given as pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def components(count: int, one: NDArray[np.integer], other: NDArray[np.integer]) -> NDArray[np.int64]:
    """(count,) the lowest number among all that the pairs ``one (k,)``, ``other (k,)`` join each number with."""
    label = np.arange(count)
    while True:
        lower = np.minimum(label[one], label[other])
        new = label.copy()
        np.minimum.at(new, one, lower)
        np.minimum.at(new, other, lower)
        new = new[new]
        if np.array_equal(new, label):
            return label
        label = new
