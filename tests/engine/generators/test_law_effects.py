"""Tests of what results owe to arguments: where they are planned, and what is written."""

from __future__ import annotations

import pytest

from engine.generators.functions.laws import LawGenerator
from planner.functions.cases import function_cases
from planner.generator import Context, Declined, Draft
from tests.engine.generators.drafting import source_of


def texts(stub: str) -> dict[str, str]:
    """The sources of the tests of results by law and parameter; each assertion is inferred."""
    source = source_of({"shop.pyi": stub})
    context = Context(source=source, application=None)
    found = {}
    for case in function_cases(source):
        if case.target.get("law") in ("effect", "default", "again"):
            answer = LawGenerator().generate(case, context)
            assert isinstance(answer, Draft), answer
            assert all(each.inferred for each in answer.assertions)
            found[" ".join(filter(None, [case.target["law"], case.target.get("parameter")]))] = answer.source
    return found


def test_another_argument_gives_another_result() -> None:
    text = texts("def shout(text: str, times: int) -> str: ...\n")
    assert '    usual = shout("text", 1)\n' in text["effect text"]
    assert '    found = shout("another text", 1)\n' in text["effect text"]
    assert '    found = shout("text", 2)\n' in text["effect times"]
    assert "    assert found != usual  # inferred\n" in text["effect times"]
    assert "found = shout(" in text["again"] and "assert found == usual" in text["again"]


def test_defaults_that_are_given_change_nothing() -> None:
    text = texts("def wrap(text: str, width: int = 70, *, fill: str = ' ') -> list[str]: ...\n")
    assert '    usual = wrap("text")\n' in text["default"]
    assert "    found = wrap(\"text\", 70, fill=' ')\n" in text["default"]
    assert "again" not in text and "effect width" not in text


def test_what_is_returned_is_of_its_type_with_another_option() -> None:
    source = source_of(
        {"shop.pyi": "def told(text: str, loud: bool = False, strict: bool = False) -> str: ...\n"}
    )
    (case,) = [each for each in function_cases(source) if each.target.get("law") == "option"]
    answer = LawGenerator().generate(case, Context(source=source, application=None))
    assert isinstance(answer, Draft)
    assert '    found = told("text", True)\n\n    assert isinstance(found, str)\n' in answer.source
    assert not any(each.inferred for each in answer.assertions)


def test_values_of_other_types_differ_too() -> None:
    text = texts(
        "import datetime\nfrom enum import Enum\nfrom typing import Literal, Hashable\n"
        "class Unit(Enum):\n    GRAM = 1\n    PIECE = 2\n"
        'def told(when: datetime.date, of: Literal["a", "b"], sizes: list[float]) -> str: ...\n'
        "def keyed(*args: Hashable, **kwargs: Hashable) -> tuple[Hashable, ...]: ...\n"
    )
    assert "found = told(date(2025, 11, 3), 'a', [1.5])" in text["effect when"]
    assert "found = told(date(2024, 5, 17), 'b', [1.5])" in text["effect of"]
    assert "found = told(date(2024, 5, 17), 'a', [4.25, 1.5])" in text["effect sizes"]
    assert 'found = keyed("text", "text", "another text")' in text["effect args"]
    assert 'found = keyed("text", "text", another="text")' in text["effect kwargs"]


def test_of_numbers_there_are_two_since_one_says_nothing_of_how_far_they_are_apart() -> None:
    text = texts("def climbed(heights: list[float]) -> tuple[float, float]: ...\n")
    assert "    usual = climbed([1.5])\n" in text["effect heights"]
    assert "    found = climbed([4.25, 1.5])\n" in text["effect heights"]
    text = texts("def dot(one: list[int], other: list[int]) -> str: ...\n")
    assert "    found = dot([2], [1])\n" in text["effect one"]


def test_a_name_of_the_module_stands_for_its_type() -> None:
    stub = (
        "from typing import TypeAlias\nNumber: TypeAlias = float | str\ndef told(value: Number) -> str: ...\n"
    )
    assert "found = told(4.25)" in texts(stub)["effect value"]


def test_a_method_is_asked_of_one_object() -> None:
    text = texts(
        "class Plain:\n    def __init__(self, key: str) -> None: ...\n"
        "class Signer(Plain):\n    def sign(self, value: bytes) -> bytes: ...\n"
    )
    assert '    signer = Signer("key")\n        usual = signer.sign(b"value")\n' in text["effect value"]
    assert '    found = signer.sign(b"another value")\n' in text["effect value"]


@pytest.mark.parametrize(
    "stub",
    [
        "def told(usage: str) -> str: ...",  # a text whose form nobody says
        "def told(text) -> str: ...",
        "def told(value: int) -> None: ...",
        "def told(value: int) -> object: ...",
        "async def told(value: int) -> str: ...",
        "def parse(text: str) -> list[str]: ...",  # its text has a form
        "def main(name: str = 'x') -> int: ...",
        "class Box:\n    def count(self, item: str) -> int: ...",  # it holds nothing
        "class Box(list[str]):\n    def __init__(self, name: str) -> None: ...\n"
        "    def first(self, item: str) -> str: ...",
        "class Box:\n    def __init__(self, usage: str) -> None: ...\n    def first(self, item: str) -> str: ...",
    ],
)
def test_nothing_is_planned_where_types_say_too_little(stub: str) -> None:
    assert not texts(f"{stub}\n")


@pytest.mark.parametrize(
    ("name", "returns", "planned"),
    [
        ("getrandbits", "int", set()),  # by chance the same, and by chance not
        ("full_jitter", "str", set()),
        ("make_token", "str", {"effect value"}),
        ("naturaltime", "str", {"effect value"}),
        ("is_known", "bool", {"again"}),  # true or false of many
        ("sizeof", "int", {"again"}),
        ("strip_marks", "str", {"effect value", "again"}),
        ("extract_digits", "list[str]", set()),  # nothing of many
    ],
)
def test_what_differs_from_call_to_call_or_is_often_the_same_is_not_compared(
    name: str, returns: str, planned: set[str]
) -> None:
    assert set(texts(f"def {name}(value: int, prefix: str) -> {returns}: ...\n")) == planned


def test_what_may_be_refused_by_the_words_of_a_docstring_is_not_asked() -> None:
    doc = '    """Encode a name.\n\n    :raises ValueError: If {} an invalid label.\n    """\n'
    stub = f"def spelled(text: str) -> str:\n{doc.format('`text` contains')}"
    source = source_of({"shop.pyi": stub})
    context = Context(source=source, application=None)
    asked = [each for each in function_cases(source) if each.target.get("law") in ("effect", "again")]
    answers = [LawGenerator().generate(each, context) for each in asked]
    assert len(answers) == 2
    assert {each.needs for each in answers if isinstance(each, Declined)} == {
        "an example of a call of spelled that does not raise"
    }


@pytest.mark.parametrize(
    "stub",
    [
        "def shorten(text: str, width: int) -> str: ...",
        "def quot2(dividend: float, divisor: float) -> float: ...\n",
        "def max_day(month: float) -> float: ...\n",
        "from decimal import Decimal\ndef days_of(year: Decimal) -> Decimal: ...\n",
        "def put(low: float) -> float: ...\n",
    ],
)
def test_quotients_and_what_a_range_ends_with_are_the_same_for_many_values(stub: str) -> None:
    assert not any(each.startswith("effect") for each in texts(stub))
