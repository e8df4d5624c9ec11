"""Conditions that call a text invalid or a type wrong: which value meets them, and what is left to a person."""

from __future__ import annotations

import pytest

from engine.generators.functions.calls import EITHER, KEYWORD_ONLY, Parameter
from engine.generators.functions.invalid import INVALID, invalid
from planner.cases import Technique
from tests.engine.generators.drafting import cases_of, needed, written

TEXT = Parameter("text", EITHER, "str", None)
UNIT = Parameter("unit", EITHER, "str | None", "None")


@pytest.mark.parametrize(
    "words",
    [
        "if text is not a valid date",
        "If `text` isn't a valid date.",
        "if the given text is invalid",
        "if text cannot be parsed",
        "when the input could not be parsed as a duration",
        "if the date string is malformed",
        "if text does not match the expected format",
        "if the text does not match PEP 440",
        "if text has an unknown format",
        "if text is empty or malformed text",
        "on invalid input",
        "if an invalid text is passed",
        "Invalid text.",
        "When ``text`` is not within supported systems.",
    ],
)
def test_a_text_is_of_no_form(words: str) -> None:
    found = invalid("ValueError", words, [TEXT])
    assert found is not None
    assert (found.parameter, found.value) == ("text", INVALID)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "if text is not valid for this shop",
        "if text is invalid and the shop is open",
        "if text is not valid UTF-8",
        "if text is not a valid file",
        "if the checksum of text is invalid",
        "if the default value is invalid",
        "if the shop is invalid",
        "if text does not match the pattern of the shop",
    ],
)
def test_conditions_that_say_more_are_left_to_a_person(words: str) -> None:
    assert invalid("ValueError", words, [TEXT]) is None


def test_a_text_of_several_is_the_one_that_is_named() -> None:
    found = invalid("ShopError", "if unit is not supported", [TEXT, UNIT])
    assert found is not None
    assert found.parameter == "unit"
    assert invalid("ShopError", "if the input is invalid", [TEXT, UNIT]) is None


def test_an_option_that_has_a_function_raise_when_it_is_left_out_forgives_nothing() -> None:
    strict = Parameter("validate", KEYWORD_ONLY, "bool", "True")
    assert invalid("ValueError", "if text is invalid", [TEXT, strict]) is not None


def test_numbers_and_what_an_option_may_forgive_are_left_to_a_person() -> None:
    assert invalid("ValueError", "if text is invalid", [Parameter("text", EITHER, "int", None)]) is None
    lenient = Parameter("strict", KEYWORD_ONLY, "bool", "False")
    assert invalid("ValueError", "if text is invalid", [TEXT, lenient]) is None
    assert invalid("UnicodeDecodeError", "if text is invalid", [TEXT]) is None


@pytest.mark.parametrize(
    ("words", "is_met"),
    [
        ("When ``year`` is out of supported range.", True),
        ("if year is outside the range", True),
        ("When ``year`` is out of supported lunar range.", True),
        ("When ``year`` is not within the range of `1..last_year` for shops.", True),
        ("When ``year`` is not within the range of `-12..12`.", False),
        ("if year is out of range for the calendar", True),
        ("if year is out of range and strict", False),
        ("if the year of the shop is out of range", False),
    ],
)
def test_a_number_below_all_is_out_of_a_range_without_bounds(words: str, is_met: bool) -> None:
    found = invalid("ValueError", words, [Parameter("year", EITHER, "int", None)])
    assert (found is not None and found.value == "-1000000000") == is_met
    assert invalid("ValueError", words, [Parameter("year", EITHER, "date", None)]) is None


@pytest.mark.parametrize(
    ("words", "is_met"),
    [
        ("if text is not a supported type", True),
        ("if text is not a date or a datetime", True),
        ("if text is of an unsupported type", True),
        ("if text is not hashable", False),
        ("if text is not None", False),
        ("if text is too long", False),
    ],
)
def test_an_object_that_is_nothing_else_is_of_no_type_that_is_taken(words: str, is_met: bool) -> None:
    found = invalid("TypeError", words, [TEXT])
    assert (found is not None and found.value == "object()") == is_met


def test_a_documented_error_is_raised_for_a_text_of_no_form() -> None:
    told = "Read.\n\n    Raises:\n        ValueError: if day is not a valid date\n"
    stub = f'def read(day: str) -> int:\n    """{told}    """\n'
    text = written({"shop.pyi": stub}, Technique.RAISES)
    assert '    with pytest.raises(ValueError):\n        read("[not valid")\n' in text
    other = stub.replace("not a valid date", "not one of ours")
    assert needed({"shop.pyi": other}, Technique.RAISES).startswith(
        "a value with which read raises ValueError"
    )


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("when text is not 3 characters", '"0000"'),
        ("if `text` is not 2, 3, or 5 characters long", '"000000"'),
        ("when the text isn't exactly 60 digits", '"0" * 61'),
        ("if text has more than 2 letters", '"000"'),
        ("if text is shorter than 3 characters", '"00"'),
        ("if text is not 3 characters or malformed", '"0000"'),
        ("if text is not 3 bytes", None),
        ("if text is not 3 characters and no name", None),
        ("if text is not 3 miles", None),
    ],
)
def test_a_text_is_too_long_or_too_short(words: str, value: str | None) -> None:
    found = invalid("ValueError", words, [TEXT])
    assert (found.value if found is not None else None) == value


def test_bytes_are_counted_as_such() -> None:
    found = invalid("ValueError", "when the key is not 2 bytes", [Parameter("key", EITHER, None, None)])
    assert found is not None
    assert (found.parameter, found.value) == ("key", 'b"000"')


@pytest.mark.parametrize(
    ("code", "missing"),
    [
        ("def date_serializer(value: int, **kwargs) -> str: ...\n", "what else date_serializer is given"),
        (
            "def price(text: str, expected_size: int) -> str: ...\n",
            "which expected_size is that of what price is given",
        ),
        (
            "from typing import Any\ndef has_name(context: Any, name: str) -> bool: ...\n",
            "a value for `context`",
        ),
        ("def date_parser(text: str) -> int: ...\n", "of which form that is"),
        ("def read_rows(file_name: str) -> str: ...\n", "what read_rows finds in a test"),
    ],
)
def test_what_a_function_needs_beside_its_types_is_left_to_a_person(code: str, missing: str) -> None:
    assert missing in needed({"shop.pyi": code}, Technique.RETURNS)


@pytest.mark.parametrize(
    ("words", "is_met"),
    [
        ("if input values are of wrong type.", True),
        ("if the input value is of wrong type", True),
        ("if any of the arguments has an invalid type", False),
        ("if the arguments have invalid types", True),
        ("if input type is invalid.", True),
        ("if input is invalid", False),
        ("if the shop is of wrong type", False),
    ],
)
def test_what_is_given_is_of_no_type_that_is_taken(words: str, is_met: bool) -> None:
    found = invalid("TypeError", words, [Parameter("grams", EITHER, "int", None), TEXT])
    assert (found is not None and (found.parameter, found.value) == ("grams", "object()")) is is_met


@pytest.mark.parametrize(
    "field",
    [
        ":raises: TypeError if input values are of wrong type.",
        ":raises: :py:exc:`TypeError` if input values are\n        of wrong type",
        ":raises: a `TypeError`, if input values are of wrong type",
    ],
)
def test_an_exception_may_stand_behind_its_field(field: str) -> None:
    stub = f"def label(number: int) -> str:\n    '''Spell it.\n\n    {field}\n    '''\n"
    text = written({"shop.pyi": stub}, Technique.RAISES)
    assert "    with pytest.raises(TypeError):\n        label(object())\n" in text


@pytest.mark.parametrize(
    "sentence", ["Raise a ValueError when", "Throws an exception of", "Throw a ValueError if"]
)
def test_what_is_raised_or_thrown_is_told_in_any_sentence(sentence: str) -> None:
    stub = (
        f"def label(number: int) -> str:\n    '''Spell it.\n\n    {sentence} number is negative.\n    '''\n"
    )
    if "exception of" in sentence:
        assert not [each for each in cases_of(stub) if each.technique is Technique.RAISES]
    else:
        text = written({"shop.pyi": stub}, Technique.RAISES)
        assert "    with pytest.raises(ValueError):\n        label(-1)\n" in text
