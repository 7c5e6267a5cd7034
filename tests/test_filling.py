"""What fills space, packed into a number: nothing is lost, and of two the one that counts is the higher."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aascompile.brushes.expand import STAYS_INSIDE
from aascompile.model.contents import Kind
from aascompile.model.filling import COST, DOOR, KINDS, MOST_FACTORS, MOST_MODEL, TRIGGER, cost_rank, packed, unpacked

MODELS = st.one_of(st.integers(1, 9), st.integers(1, MOST_MODEL), st.just(MOST_MODEL))


def of(kind: int, model: int, rank: int = -1) -> int:
    return int(packed(np.array([kind], np.uint32), np.array([model], np.int32), np.array([rank], np.int32))[0])


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
    fields = (KINDS, DOOR, TRIGGER, COST)
    assert sum(fields) == KINDS | DOOR | TRIGGER | COST == (1 << 63) - 1
    inside = sum(kind for kind in Kind if kind & int(STAYS_INSIDE) and kind != Kind.COST)
    assert inside & ~KINDS == 0
    assert of(inside & ~(Kind.MOVER | Kind.JUMPPAD | Kind.TELEPORTER), -1) & ~KINDS == 0


@given(st.integers(0, MOST_FACTORS - 1), st.integers(0, MOST_FACTORS - 1), MODELS)
def test_the_rank_of_a_cost_comes_back_and_the_higher_counts(one, other, model):
    found = np.array([of(Kind.COST | Kind.JUMPPAD, model, rank) for rank in (one, other, -1)])
    assert cost_rank(found).tolist() == [one, other, -1]
    assert (found & COST).argmax() == (0 if one >= other else 1)
    kind, _, trigger = unpacked(found)
    assert kind.tolist() == [Kind.JUMPPAD] * 3, "areas have the factor instead of the bit"
    assert trigger.tolist() == [model] * 3
