"""Writes docs/api.md from the docstrings of the API: `python -m tests.build_api > docs/api.md`."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from functools import cached_property
from typing import is_typeddict

import aascompile

INTRODUCTION = """\
# Python API

`make docs` generates this page from the code. All names are attributes of the package: `import aascompile`, then
`aascompile.load("x.aas.hdf")`. The package is typed (`py.typed`). Anything that is not on this page may change with any
version. Lengths and points are in map units. Travel times are in hundredths of a second unless stated otherwise.
`Point` is a tuple of three floats; `Float`, `Int` and `Index` are numpy arrays of float64, int32 and int64.

All errors are subclasses of `AasError`. Each message is one sentence: the file, what is wrong, and where."""

ERRORS = ("AasError", "MapError", "LeakError", "SettingsError", "StoreError", "RouteError", "FarmError")
SECTIONS = {
    "Compile, save, load": ("compile_map", "CompiledMap", "Pool", "Cache", "read_compiled", "load"),
    "Gate for generated maps": ("gate", "GateOptions", "GateResult", "GateFault", "GateCheck"),
    "Query": ("Navigation", "Limits", "Route", "Paths", "AllPairs", "Field", "FieldAt", "Occupancy", "Observer"),
    "Answers": ("Trace", "Traces", "Walls", "NearestAreas", "Walks", "WalkEnd", "Predictions", "Event", "ViewSpot"),
    "Records": ("Link", "Place", "Area", "Travel", "Tier", "AreaFlag"),
    "Settings": ("Settings",),
    "Errors": ERRORS,
}
"""Headings of the page and the names below each."""

SEE_ALSO = {
    "Settings": "[settings.md](settings.md) lists all of them with units and limits.",
    "CompiledMap": "[data-model.md](data-model.md) describes its tables.",
}


def page() -> str:
    """Text of the page."""
    parts = [INTRODUCTION]
    for heading, names in SECTIONS.items():
        parts.append(f"## {heading}")
        parts += ["\n".join(_section(name)) for name in names]
    return "\n\n".join(parts) + "\n"


def _section(name: str) -> Iterator[str]:
    """Section of a function, or of a class with its public members."""
    thing = getattr(aascompile, name)
    yield f"### `{name}`"
    yield ""
    if inspect.isfunction(thing):
        yield from _function(thing, thing.__name__)
        return
    yield from _text(thing)
    if name in SEE_ALSO:
        yield ""
        yield SEE_ALSO[name]
    if issubclass(thing, Enum):
        yield ""
        yield ", ".join(f"`{member.name}`" for member in thing)
        return
    rows = list(_fields(thing))
    if rows:
        yield "\n| field | type | meaning |\n|---|---|---|"
        yield from rows
    for attribute, value in vars(thing).items():
        if isinstance(value, property | cached_property):
            function = value.fget if isinstance(value, property) else value.func
        elif inspect.isfunction(value):
            function = value
        else:
            continue
        shown = attribute == "__len__" or not attribute.startswith("_")
        if shown and function is not None and function.__doc__:
            yield ""
            if function is value:
                yield from _function(function, f"{thing.__name__}.{attribute}", method=True)
            else:
                yield f"**`{thing.__name__}.{attribute}`** `{_returns(function)}`"
                yield ""
                yield from _text(function)


def _function(function: object, name: str, *, method: bool = False) -> Iterator[str]:
    """A signature and its docstring."""
    signature = inspect.signature(function)  # type: ignore[arg-type]
    parameters = list(signature.parameters.values())[1 if method else 0 :]
    shown = str(signature.replace(parameters=parameters)).replace("'", "")
    if name.endswith(".__len__"):
        yield f"**`len({name.split('.', maxsplit=1)[0].lower()})`**"
    elif len(name) + len(shown) < 96:
        yield f"**`{name}{shown}`**"
    else:
        inner = ",\n".join(f"    {text}" for text in _parameters(parameters))
        yield f"```python\n{name}(\n{inner},\n) -> {_returns(function)}\n```"
    yield ""
    yield from _text(function)


def _parameters(parameters: list[inspect.Parameter]) -> Iterator[str]:
    """Parameters as a signature shows them."""
    star = False
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not star:
            star = True
            yield "*"
        yield str(parameter).replace("'", "")


def _returns(function: object) -> str:
    return str(inspect.signature(function).return_annotation)  # type: ignore[arg-type]


def _text(thing: object) -> Iterator[str]:
    """A docstring, with its literals in Markdown."""
    yield from inspect.cleandoc(thing.__doc__ or "").replace("``", "`").splitlines()


def _fields(thing: type) -> Iterator[str]:
    """A table row for each field of a dataclass or TypedDict, or attribute that an error's constructor sets."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(thing))).body[0]
    assert isinstance(tree, ast.ClassDef)
    body = tree.body
    if not (is_dataclass(thing) or is_typeddict(thing)):
        body = [node for made in body if getattr(made, "name", "") == "__init__" for node in getattr(made, "body", [])]
    for node, after in zip(body, [*body[1:], None][: len(body)], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name | ast.Attribute):
            name = node.target.id if isinstance(node.target, ast.Name) else node.target.attr
        else:
            continue
        meaning = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            meaning = " ".join(inspect.cleandoc(str(after.value.value)).replace("``", "`").split())
        if not name.startswith("_"):
            kind = ast.unparse(node.annotation).replace(" | ", " or ")
            yield f"| `{name}` | `{kind}` | {meaning} |"


if __name__ == "__main__":
    print(page(), end="")
