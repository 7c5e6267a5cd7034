"""Entity text: parsed values, errors with their line, and linear time on any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile.errors import MapError
from aascompile.mapio.entity_text import MAX_ENTITIES, MAX_PAIRS, decode_text, parse_entities


def pairs(text: str) -> list[list[tuple[str, str]]]:
    return [list(entity.pairs) for entity in parse_entities(text, "x.bsp")]


def outcome(text: str) -> MapError | None:
    """Error raised by a text, None if it parses."""
    try:
        parse_entities(text, "x.bsp")
    except MapError as error:
        return error
    return None


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("", []),
        ("{}", [[]]),
        ('{"a" "b"}{"c" "d"}', [[("a", "b")], [("c", "d")]]),
        ('{ "a""b" }', [[("a", "b")]]),
        ("{ a b }", [[("a", "b")]]),
        ('{ "" "" }', [[("", "")]]),
        ('{ "a" "b" "a" "c" }', [[("a", "b"), ("a", "c")]]),
        ('// x\n{ // "a" "b"\n"c" "d" /* "e" "f"\n}{ */ }', [[("c", "d")]]),
        ('{ "a" "http://x /* y */ {z}" }', [[("a", "http://x /* y */ {z}")]]),
        (r'{ "a" "say \"hi\" now" }', [[("a", 'say "hi" now')]]),
        ('{ "a" "c:\\maps\\"\n"b" "c" }', [[("a", "c:\\maps\\"), ("b", "c")]]),
        (r'{ "a" "one\ntwo" }', [[("a", r"one\ntwo")]]),
        ('{\r\n"a" "b"\r\n}\r\n', [[("a", "b")]]),
        ('{ "a" "x" } /* open', [[("a", "x")]]),
    ],
)
def test_valid_texts_are_parsed(text: str, want: list[list[tuple[str, str]]]) -> None:
    assert pairs(text) == want


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"entity 0 is never closed \(line 1\)"),
        ('{}\n{\n"a" "b"\n\n', r"entity 1 is never closed \(line 2\)"),
        ("}", r"expected '{' before entity 0, found '}' \(line 1\)"),
        ("{}\nfoo", r"expected '{' before entity 1, found 'foo' \(line 2\)"),
        ('{\n"a" "b"\n"c"\n}', r"entity 0 has no value for the key 'c' \(line 4\)"),
        ('{ "a" "b"\n{ } }', r"entity 0 is not closed before the next entity starts \(line 2\)"),
        ('{ "a" "b }\n}', r"entity 0 has an unterminated quoted string \(line 1\)"),
        ('{\n"a }', r"entity 0 has an unterminated quoted string \(line 2\)"),
        ('/* a\nb */ "', r"expected '{' before entity 0, found '\"' \(line 2\)"),
    ],
)
def test_errors_name_the_entity_and_line(text: str, message: str) -> None:
    with pytest.raises(MapError, match=f"x.bsp: {message}"):
        parse_entities(text, "x.bsp")


@pytest.mark.parametrize(
    "text",
    [
        '{ "' + '\\"' * 200_000,
        '{ "a" "' + "\\" * 400_001 + '" }',
        '"' * 400_001,
        '{ "a" "b" ' * 50_000,
        "{" * 400_000,
        "/" * 400_000,
        "/*" * 200_000,
        " //" * 200_000,
        '"\n' * 200_000,
        '{ a"' + 'b"' * 100_000,
        "a" * 1_000_000,
        "{ " + " " * 1_000_000,
    ],
    ids=lambda text: text[:9],
)
def test_hostile_texts_take_linear_time(text: str) -> None:
    """Each of these would take minutes if any text were scanned repeatedly."""
    assert len(str(outcome(text))) < 200


def test_entities_and_keys_are_limited() -> None:
    with pytest.raises(MapError, match="more than 65,536 entities"):
        parse_entities("{}" * (MAX_ENTITIES + 1), "x.bsp")
    with pytest.raises(MapError, match="more than 524,288 entity keys"):
        parse_entities("{a b}" + "{" + "a b " * MAX_PAIRS + "}", "x.bsp")


@given(st.lists(st.lists(st.tuples(*[st.text(st.characters(exclude_characters='"\\\n\r'), max_size=8)] * 2))))
def test_written_pairs_are_read_back(entities: list[list[tuple[str, str]]]) -> None:
    text = "".join("{" + "".join(f'"{key}" "{value}"\n' for key, value in entity) + "}\n" for entity in entities)
    assert pairs(text) == entities


@given(st.text('{}"\\/*\n ab', max_size=60))
def test_any_text_parses_or_raises_an_error_with_a_line(text: str) -> None:
    error = outcome(text)
    assert error is None or error.where.startswith("line ")


def test_utf8_and_latin1_are_decoded() -> None:
    assert decode_text("café".encode()) == decode_text("café".encode("latin-1")) == "café"
