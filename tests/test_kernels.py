"""What holds of every kernel: how its columns grow, which tests run on its bounds-checked build, and its slow twin."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.test_layers import Source, sources

COLD = ("self._grow", "self._rehash")
"""Methods that a kernel may take the GIL for: growth alone, and growth of a hash table, which is then filled anew."""


def kernel_sources() -> list[Source]:
    """The sources of all kernels."""
    return [source for source in sources(".py") if source.kernel]


def wrong_growth(source: Source) -> list[str]:
    """Blocks with the GIL that do anything but grow columns, and columns that are not assigned to themselves."""
    found = []
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.With) and any(ast.unparse(item) == "cython.gil" for item in node.items):
            calls = [_called(line) for line in node.body]
            found += [
                f"{source.path}:{node.lineno}: {call}"
                for call in calls
                if call != "grown" and not call.startswith(COLD)
            ]
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_grow"):
            calls = [
                _called(line) for part in node.body for line in (part.body if isinstance(part, ast.If) else [part])
            ]
            found += [f"{source.path}:{node.lineno}: {call}" for call in calls if call != "grown"]
        if isinstance(node, ast.Assign) and _called(node) == "grown":
            assert isinstance(node.value, ast.Call)
            targets = [ast.unparse(part) for part in getattr(node.targets[0], "elts", [])]
            columns = [ast.unparse(part) for part in node.value.args[1:]]
            if targets != columns or len(set(columns)) < len(columns):
                found.append(f"{source.path}:{node.lineno}: {targets} = grown({columns})")
    return found


def _called(line: ast.stmt) -> str:
    """Name of the function that a statement calls, or whose result it assigns."""
    value = getattr(line, "value", None)
    return ast.unparse(value.func) if isinstance(value, ast.Call) else ast.unparse(line)


def test_kernels_grow_columns_in_one_way():
    assert [line for source in kernel_sources() for line in wrong_growth(source)] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("with cython.gil:\n    self.a, self.b = grown(n, self.a, self.b)", 0),
        ("with cython.gil:\n    (self.a,) = grown(n + 1, self.a)", 0),
        ("with cython.gil:\n    self._rehash()", 0),
        ("with cython.gil:\n    self.a, self.b = grown(n, self.b, self.a)", 1),
        ("self.a, self.b = grown(n, self.a, self.a)", 1),
        ("self.a = grown(n, self.a)", 1),
        ("with cython.gil:\n    self.a = np.resize(self.a, n)", 1),
        ("with cython.gil:\n    self._grow()\ndef _grow(self):\n    (self.a,) = grown(1, self.a)", 0),
        ("def _grow(self, n):\n    if n:\n        (self.a,) = grown(n, self.a)", 0),
        ("def _grow(self):\n    self.a = np.empty(9)", 1),
        ("with cython.gil:\n    self.enlarge()", 1),
    ],
)
def test_wrong_growth_is_found(text, wrong):
    assert len(wrong_growth(Source(Path("aascompile/bsp/a_kernel.py"), text))) == wrong
