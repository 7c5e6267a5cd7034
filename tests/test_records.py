"""Records: made quickly, they behave as standard frozen dataclasses do."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from dataclasses import field

import pytest

from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Ours:
    """A record."""

    a: int
    b: tuple[int, ...] = (1, 2)
    c: list[int] = field(default_factory=list)


@dataclasses.dataclass(frozen=True, slots=True)
class Theirs:
    """The same, standard."""

    a: int
    b: tuple[int, ...] = (1, 2)
    c: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Single:
    """A record that equals only itself."""

    a: int = 0


def test_fields_values_and_text_are_the_standard_ones():
    ours, theirs = Ours(3, c=[4]), Theirs(3, c=[4])
    assert [item.name for item in dataclasses.fields(ours)] == [item.name for item in dataclasses.fields(theirs)]
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert Ours.__slots__ == Theirs.__slots__
    assert Ours(1).c is not Ours(1).c


def test_records_compare_and_hash_by_value():
    assert Ours(1) == Ours(1)
    assert Ours(1) != Ours(2)
    assert Ours(1) != Theirs(1)
    assert Single(1) != Single(1)
    assert hash(Single(1)) is not None
    with pytest.raises(TypeError, match="unhashable"):
        hash(Ours(1))


def test_records_do_not_change_but_can_be_replaced_and_pickled():
    record = Ours(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'a'"):
        record.a = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'a'"):
        del record.a
    assert dataclasses.replace(record, a=5) == Ours(5)
    assert pickle.loads(pickle.dumps(record)) == record


@pytest.mark.parametrize(
    ("arguments", "named", "fault"),
    [
        ((), {}, "needs the argument 'a'"),
        ((1, 2, 3, 4), {}, "takes 3 arguments, but 4 were given"),
        ((1,), {"a": 1}, "the argument 'a' twice"),
        ((1,), {"e": 1}, "the argument 'e' which it does not take"),
    ],
)
def test_wrong_arguments_are_refused(arguments, named, fault):
    with pytest.raises(TypeError, match=fault):
        Ours(*arguments, **named)


def test_other_kinds_of_dataclasses_are_refused():
    with pytest.raises(TypeError, match="frozen records with slots"):
        dataclass(frozen=False, slots=True)


@dataclass(frozen=True, slots=True)
class Longer(Ours):
    """A record with the fields of another before its own."""

    d: int = 7

    def __post_init__(self) -> None:
        """Refuse a value."""
        if self.d < 0:
            raise ValueError("negative")


def test_records_inherit_fields_and_check_themselves():
    assert dataclasses.asdict(Longer(1, d=2)) == {"a": 1, "b": (1, 2), "c": [], "d": 2}
    assert Longer.__slots__ == ("d",)
    assert dataclasses.replace(Longer(1), a=4) == Longer(4)
    assert inspect.signature(Longer).parameters.keys() == {"a", "b", "c", "d"}
    with pytest.raises(ValueError, match="negative"):
        Longer(1, d=-1)


def test_a_field_without_a_default_must_not_follow_one_with_a_default():
    with pytest.raises(TypeError, match="without a default"):

        @dataclass(frozen=True, slots=True)
        class Wrong:
            a: int = 1
            b: int
