"""``dataclass`` for frozen records with slots, made in a fortieth of the standard one's time.

The standard decorator compiles six methods for each class. For the hundred records that a compile imports, that takes
longer than numpy's import. Here all records share the code of their methods, and what differs is made when it is first
needed. They behave as standard ones do: ``fields``, ``replace``, ``asdict`` and pickling work. Type
checkers see the standard decorator.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen, slots, eq=True):
        """Decorator for a frozen record with slots. ``eq=False``: records compare and hash by identity."""
        if not (frozen and slots):
            raise TypeError("this decorator is for frozen records with slots")
        return lambda cls: _record(cls, eq)


class _Later:
    """An attribute of every record class that is made when it is first asked for: most records of a run are never
    made."""

    __slots__ = ("_make", "_name")

    def __init__(self, name: str, make: Callable[[type], Any]) -> None:
        self._name = name
        self._make = make

    def __get__(self, record: Any, owner: type) -> Any:
        made = next(cls for cls in owner.__mro__ if vars(cls).get(self._name) is self)
        value = self._make(made)
        setattr(made, self._name, value)
        return value.__get__(record, owner) if isinstance(value, FunctionType) else value


def _record(cls: type, eq: bool) -> type:
    """The class anew, with slots and the methods of a frozen record."""
    body = dict(vars(cls))
    own = body.get("__annotations__", {})
    inherited: dict[str, Any] = {}
    for base in cls.__mro__[-2:0:-1]:
        if "__dataclass_fields__" in vars(base):
            inherited |= base.__dataclass_fields__  # type: ignore[attr-defined]
    values = {}
    for name, kind in own.items():
        if str(kind).startswith("ClassVar"):
            raise TypeError("records have no class variables with a type")
        values[name] = body.pop(name, dataclasses.MISSING)
    _require_order(cls, inherited, values)
    for name in _OF_OBJECTS:
        body.pop(name, None)
    body["__slots__"] = tuple(own) if not inherited else tuple(name for name in own if name not in inherited)
    body["__match_args__"] = tuple(own) if not inherited else tuple(dict.fromkeys((*inherited, *own)))
    body["__qualname__"] = cls.__qualname__
    body["__given__"] = inherited, own, values
    body.setdefault("__repr__", _repr)
    body |= _SHARED
    if eq:
        body |= _COMPARED
    return type(cls)(cls.__name__, cls.__bases__, body)


def _require_order(cls: type, inherited: dict[str, Any], values: dict[str, Any]) -> None:
    """Raise a TypeError if a field without a default follows one with a default."""
    optional = any(map(_is_optional, inherited.values()))
    for value in values.values():
        if value is not dataclasses.MISSING and _is_optional(value):
            optional = True
        elif optional:
            raise TypeError(f"{cls.__qualname__}: a field without a default follows one with a default")


def _is_optional(value: Any) -> bool:
    """Whether a field has a default, given as such or as ``field(...)``."""
    return (
        not isinstance(value, dataclasses.Field)
        or value.default is not dataclasses.MISSING
        or value.default_factory is not dataclasses.MISSING
    )


def _fields_of(made: type) -> dict[str, Any]:
    """Fields of a class: those it inherits, and those that it lists itself, with their defaults."""
    inherited, kinds, values = made.__given__  # type: ignore[attr-defined]
    fields: dict[str, Any] = dict(inherited)
    for name, kind in kinds.items():
        value = values[name]
        field: Any = value if isinstance(value, dataclasses.Field) else dataclasses.field(default=value)
        field.name, field.type, field._field_type, field.kw_only = name, kind, _PLAIN, False
        fields[name] = field
    return fields


def _init_of(made: type) -> Callable[..., None]:
    """Make ``__init__``, from the default of each field, as such or as a field. It writes into the slots themselves,
    because assignment is not allowed."""
    missing = dataclasses.MISSING
    inherited, _, own = made.__given__  # type: ignore[attr-defined]
    fields = [
        (name, getattr(made, name).__set__, value.default, value.default_factory)
        if isinstance(value, dataclasses.Field)
        else (name, getattr(made, name).__set__, value, missing)
        for name, value in (inherited | own).items()
    ]
    setters = [field[1] for field in fields]
    checks_itself = hasattr(made, "__post_init__")

    def __init__(self: Any, /, *values: Any, **named: Any) -> None:
        if len(values) > len(fields):
            raise TypeError(f"{made.__qualname__}() takes {len(fields)} arguments, but {len(values)} were given")
        for put, value in zip(setters, values, strict=False):
            put(self, value)
        for name, put, default, make in fields[len(values) :]:
            if name in named:
                put(self, named.pop(name))
            elif default is not dataclasses.MISSING:
                put(self, default)
            elif make is not dataclasses.MISSING:
                put(self, make())
            else:
                raise TypeError(f"{made.__qualname__}() needs the argument '{name}'")
        for name in named:
            twice = "twice" if name in made.__match_args__ else "which it does not take"  # type: ignore[attr-defined]
            raise TypeError(f"{made.__qualname__}() got the argument '{name}' {twice}")
        if checks_itself:
            self.__post_init__()

    __init__.__qualname__ = f"{made.__qualname__}.__init__"
    __init__.__module__ = made.__module__
    return __init__


def _signature_of(made: type) -> inspect.Signature:
    """Arguments of the class, for help texts."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    arguments = []
    for field in dataclasses.fields(made):
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        default = inspect.Parameter.empty if required else field.default
        arguments.append(inspect.Parameter(field.name, kind, default=default, annotation=field.type))
    return inspect.Signature(arguments, return_annotation=None)


def _values(record: Any) -> tuple[Any, ...]:
    """Values of all fields."""
    return tuple(getattr(record, name) for name in record.__match_args__)


def _repr(self: Any) -> str:
    """Class and fields, as in a call that makes the record."""
    inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__qualname__}({inner})"


def _eq(self: Any, other: object) -> Any:
    """Whether the other record is of the same class and has the same values."""
    if type(other) is not type(self):
        return NotImplemented
    return _values(self) == _values(other)


def _hash(self: Any) -> int:
    """Hash of all values."""
    return hash(_values(self))


def __setattr__(self: Any, name: str, value: object) -> None:
    """Records do not change."""
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def __delattr__(self: Any, name: str) -> None:
    """Records do not change."""
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def __getstate__(self: Any) -> list[Any]:
    """The values, for pickle."""
    return list(_values(self))


def __setstate__(self: Any, state: list[Any]) -> None:
    """Take over values from pickle."""
    for name, value in zip(self.__match_args__, state, strict=True):
        object.__setattr__(self, name, value)


class _Standard:
    """A standard dataclass, to take from it what all of them share."""


_Standard.__annotations__ = {"field": int}  # text would be parsed, by a pattern that is compiled for that
dataclasses.dataclass(init=False, repr=False, eq=False)(_Standard)

_PLAIN: Any = _Standard.__dataclass_fields__["field"]._field_type  # type: ignore[attr-defined]
_PARAMS: Any = _Standard.__dataclass_params__  # type: ignore[attr-defined]

_SHARED: Any = {method.__name__: method for method in (__setattr__, __delattr__, __getstate__, __setstate__)}
_SHARED["__dataclass_params__"] = _PARAMS
_SHARED["__dataclass_fields__"] = _Later("__dataclass_fields__", _fields_of)
_SHARED["__init__"] = _Later("__init__", _init_of)
_SHARED["__signature__"] = _Later("__signature__", _signature_of)
_COMPARED: Any = {"__eq__": _eq, "__hash__": _hash}
_OF_OBJECTS = {"__dict__", "__weakref__"}
"""Attributes that a class without slots has, and a record has not."""
