"""Links: questions about travel types."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.model.links import KINDS, SPECIAL, Travel, are_of


@pytest.mark.parametrize("kinds", [SPECIAL, (Travel.WALK, Travel.CROUCH), tuple(Travel)])
def test_are_of_answers_for_known_and_unknown_travel_types(kinds: tuple[Travel, ...]) -> None:
    kind = np.arange(-3, KINDS + 3, dtype=np.int32)
    assert are_of(kind, kinds).tolist() == np.isin(kind, kinds).tolist()
