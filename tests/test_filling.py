"""What fills space, packed into a number: nothing is lost, and of two the one that counts is the higher."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aascompile.brushes.expand import STAYS_INSIDE
from aascompile.model.contents import Kind
from aascompile.model.filling import DOOR, KINDS, MOST_MODEL, TRIGGER, packed, unpacked

MODELS = st.one_of(st.integers(1, 9), st.integers(1, MOST_MODEL), st.just(MOST_MODEL))


def of(kind: int, model: int) -> int:
    return int(packed(np.array([kind], np.uint32), np.array([model], np.int32))[0])


@given(st.sampled_from((Kind.MOVER, Kind.JUMPPAD, Kind.TELEPORTER, Kind.TELEPORTER | Kind.NOTTEAM1)), MODELS)
def test_everything_comes_back(kind, model):
    found = of(kind, model)
    assert 0 < found < 1 << 63
    back, door, trigger = (int(column[0]) for column in unpacked(np.array([found])))
    assert back == kind
    assert (door, trigger) == ((model, -1) if kind == Kind.MOVER else (-1, model))


@given(MODELS, MODELS)
def test_the_higher_field_counts(one, other):
    pads, gates = ([of(kind, model) & TRIGGER for model in (one, other)] for kind in (Kind.JUMPPAD, Kind.TELEPORTER))
    assert (pads[0] > pads[1]) == (gates[0] > gates[1]) == (one < other), "the lower model"
    assert min(gates) > max(pads), "a teleporter before a jump pad"
    assert (of(Kind.MOVER, one) > of(Kind.MOVER, other)) == (one > other), "of doors the higher model"


def test_fields_do_not_overlap_and_hold_every_kind():
    assert KINDS & DOOR == KINDS & TRIGGER == DOOR & TRIGGER == 0
    assert KINDS | DOOR | TRIGGER == (1 << 63) - 1
    inside = sum(kind for kind in Kind if kind & int(STAYS_INSIDE))
    assert inside & ~KINDS == 0
    assert of(inside & ~(Kind.MOVER | Kind.JUMPPAD | Kind.TELEPORTER), -1) & ~KINDS == 0
