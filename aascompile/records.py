"""``dataclass`` for frozen records with slots, made in a twentieth of the standard one's time.

The standard decorator compiles six methods for each class. For the hundred records that a compile imports, that takes
longer than numpy's import. Here records with the same number of fields share the code of ``__init__``, and all records
share the other methods. They behave as standard ones do: ``fields``, ``replace``, ``asdict`` and pickling work. Type
checkers see the standard decorator.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from types import CodeType, FunctionType
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


def _record(cls: type, eq: bool) -> type:
    """The class anew, with slots and the methods of a frozen record."""
    inherited = [field for base in cls.__mro__[:0:-1] for field in vars(base).get("__dataclass_fields__", {}).values()]
    own = _own_fields(cls)
    fields = {field.name: field for field in [*inherited, *own]}
    slots = tuple(field.name for field in own if field not in inherited)
    body = {name: value for name, value in vars(cls).items() if name not in {*fields, "__dict__", "__weakref__"}}
    body |= {"__slots__": slots, "__match_args__": tuple(fields), "__dataclass_fields__": fields, **_SHARED}
    body["__dataclass_params__"] = _PARAMS
    body.setdefault("__repr__", _repr)
    if eq:
        body |= {"__eq__": _eq, "__hash__": _hash}
    scope: dict[str, Any] = {"MISSING": dataclasses.MISSING}
    body["__init__"] = _init_of(cls, tuple(fields.values()), scope)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    for number, name in enumerate(fields):
        scope[f"set{number}"] = getattr(made, name).__set__
    return made


def _own_fields(cls: type) -> list[Any]:
    """Fields that the class itself lists, with their defaults."""
    fields = []
    for name, kind in vars(cls).get("__annotations__", {}).items():
        if str(kind).startswith("ClassVar"):
            raise TypeError("records have no class variables with a type")
        value = vars(cls).get(name, dataclasses.MISSING)
        field: Any = value if isinstance(value, dataclasses.Field) else dataclasses.field(default=value)
        field.name, field.type, field._field_type, field.kw_only = name, kind, _PLAIN, False
        fields.append(field)
    return fields


def _init_of(cls: type, fields: tuple[Any, ...], scope: dict[str, Any]) -> FunctionType:
    """Make ``__init__``. It writes into the slots themselves, because assignment is not allowed.

    ``scope`` must get the setters of the slots, set0, set1, … before it is called.
    """
    factories = tuple(k for k, field in enumerate(fields) if field.default_factory is not dataclasses.MISSING)
    code = _init_code(len(fields), factories, "__post_init__" in vars(cls))
    required = [k for k, field in enumerate(fields) if field.default is dataclasses.MISSING and k not in factories]
    if required and required[-1] >= len(required):
        raise TypeError(f"{cls.__qualname__}: a field without a default follows one with a default")
    defaults = tuple(field.default for field in fields[len(required) :])
    scope |= {f"make{k}": fields[k].default_factory for k in factories}
    named = code.replace(co_varnames=("self", *(field.name for field in fields)))
    init = FunctionType(named, scope, "__init__", defaults)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__module__ = cls.__module__
    init.__annotations__ = {field.name: field.type for field in fields} | {"return": None}
    return init


@cache
def _init_code(count: int, factories: tuple[int, ...], post_init: bool) -> CodeType:
    """Code of ``__init__`` for records with this number of fields, whose arguments are still to be named."""
    values = [f"make{k}() if v{k} is MISSING else v{k}" if k in factories else f"v{k}" for k in range(count)]
    lines = [f" set{k}(self, {value})\n" for k, value in enumerate(values)]
    lines += [" self.__post_init__()\n"] if post_init else []
    scope: dict[str, Any] = {}
    exec(f"def __init__({', '.join(['self', *(f'v{k}' for k in range(count))])}):\n{''.join(lines) or ' pass'}", scope)
    code: CodeType = scope["__init__"].__code__
    return code


def _values(record: Any) -> tuple[Any, ...]:
    """Values of all fields."""
    return tuple(getattr(record, name) for name in record.__dataclass_fields__)


def _repr(self: Any) -> str:
    """Class and fields, as in a call that makes the record."""
    inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__dataclass_fields__)
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
    for name, value in zip(self.__dataclass_fields__, state, strict=True):
        object.__setattr__(self, name, value)


_SHARED = {method.__name__: method for method in (__setattr__, __delattr__, __getstate__, __setstate__)}


@dataclasses.dataclass(init=False, repr=False, eq=False)
class _Standard:
    """A standard dataclass, to take from it what all of them share."""

    field: int


_PLAIN: Any = _Standard.__dataclass_fields__["field"]._field_type  # type: ignore[attr-defined]
_PARAMS: Any = _Standard.__dataclass_params__  # type: ignore[attr-defined]
