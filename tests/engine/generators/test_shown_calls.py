"""What docstrings and pages show being given to functions and classes, and that tests give the same."""

from __future__ import annotations

import ast

import pytest

from engine.generators.functions.facts import Surface
from engine.generators.functions.laws import LawGenerator
from engine.generators.functions.shown_calls import shown_calls
from planner.cases import Technique
from planner.functions.cases import function_cases
from planner.generator import Context, Draft
from tests.engine.generators.drafting import needed, source_of, written

CODE = "def parse(expression: str) -> list[int]:\n    {}\nclass Rule:\n    def __init__(self, when: str) -> None: ...\n"


def shown(docstring: str, name: str = "parse") -> list[str]:
    """The arguments of the calls that a docstring of `shop.parse` shows of one of its neighbours."""
    code = CODE.format(f'"""Read.\n\n    {docstring}\n    """')
    surface = Surface(source_of({"shop.py": code}))
    fact = surface.at(f"shop.{name}")
    assert fact is not None
    return [", ".join(map(ast.unparse, each.args)) for each in shown_calls(fact, surface)]


@pytest.mark.parametrize(
    ("docstring", "found"),
    [
        (">>> parse('1-3')\n    [1, 2, 3]", ["'1-3'"]),
        (">>> numbers = parse('1-3')", ["'1-3'"]),
        (">>> print(len(parse('1-3')))\n    3", ["'1-3'"]),
        (">>> import shop\n    >>> shop.parse('7')\n    [7]", ["'7'"]),
        (">>> from shop import parse as read\n    >>> read('7')\n    [7]", ["'7'"]),
        ("Say::\n\n        numbers = parse('1-3')", ["'1-3'"]),
        (">>> parse('no')\n    Traceback (most recent call last):\n    ValueError", []),
        (">>> parse('it may be there to show that it fails')", []),
        (">>> parse(text)\n    [1]", []),
        (">>> def parse(text): ...\n    >>> parse('another one')\n    [1]", []),
        (">>> text = '7'\n    >>> parse(text)\n    [7]", ["'7'"]),
        (">>> text = '7'\n    >>> text = read()\n    >>> parse(text)\n    [7]", []),
        (">>> days = []\n    >>> parse(days)\n    [7]", []),
        (">>> found.append(parse('7'))", ["'7'"]),
        (">>> found.check(parse('7'))", []),
        (">>> for day in parse('7'):\n    ...     print(day)\n    7", ["'7'"]),
        (">>> parse('/etc/rules')\n    [1]", []),
        (">>> parse('rules.txt')\n    [1]", []),
    ],
)
def test_calls_are_found_in_which_all_is_said_and_that_hold(docstring: str, found: list[str]) -> None:
    assert shown(docstring) == found


def test_what_reads_a_file_of_its_writer_is_not_made_as_it_is_shown() -> None:
    stub = "class {0}:\n    def __init__(self, place) -> None: ...\n    def days(self) -> list[int]: ...\n"
    page = "# Days\n\n```python\nfrom shop import {0}\n\nwith {0}('data/days') as rows:\n    pass\n```\n"
    for name, is_made in (("DayReader", False), ("Day", True)):
        files = {"shop.pyi": stub.format(name), "README.md": page.format(name)}
        if is_made:
            assert "Day('data/days')" in written(files, Technique.RETURNS).replace('"', "'")
        else:
            assert "a value for `place`" in needed(files, Technique.RETURNS)
            far = {**files, "README.md": page.format(name).replace("data/days", "https://shop.test/days.zip")}
            assert "a value for `place`" in needed(far, Technique.RETURNS)


def test_an_object_of_a_file_is_not_made_of_a_text_that_is_made_up() -> None:
    stub = (
        "from os import PathLike\nclass Days:\n    def __init__(self, {}: str{}) -> None: ...\n"
        "    def count(self) -> int: ...\n"
    )
    assert "a value for `label`" in needed(
        {"shop.pyi": stub.format("label", " | PathLike[str]")}, Technique.RETURNS
    )
    assert 'Days("label")' in written({"shop.pyi": stub.format("label", "")}, Technique.RETURNS)


def test_objects_are_made_as_they_are_shown() -> None:
    code = (
        "class Rule:\n    def __init__(self, when: str) -> None: ...\n"
        "    def days(self) -> list[int]:\n"
        "        '''The days.\n\n        >>> rule = Rule('Mon-Fri')\n        >>> other = rule.days()\n        '''\n"
    )
    stub = (
        "class Rule:\n    def __init__(self, when: str) -> None: ...\n    def days(self) -> list[int]: ...\n"
    )
    text = written({"shop.pyi": stub, "shop.py": code}, Technique.RETURNS)
    assert "    rule = Rule('Mon-Fri')\n" in text


def test_a_function_that_reads_a_text_is_given_one_that_is_shown() -> None:
    stub = "def parse(text: str) -> list[int]:\n    '''Read.\n\n    {}Raises:\n        ValueError: it is so\n    '''\n"
    assert "does not raise" in needed({"shop.pyi": stub.format("")}, Technique.RETURNS)
    text = written({"shop.pyi": stub.format(">>> n = parse('1-3')\n\n    ")}, Technique.RETURNS)
    assert "    found = parse('1-3')\n" in text


def test_what_a_page_shows_of_a_name_that_a_package_hands_on_is_found_where_it_is_defined() -> None:
    text = "# Rules\n\n```python\nfrom shop import Rule\n\nrule = Rule('Mon')\nrule.days(3)  # => [1]\n```\n"
    code = {
        "shop/__init__.py": "from shop.rules import Rule\n",
        "shop/rules.py": "class Rule:\n    def days(self, number: int) -> list[int]: ...\n",
    }
    surface = Surface(source_of({"README.md": text, **code}))
    made, called = surface.at("shop.rules.Rule"), surface.at("shop.rules.Rule.days")
    assert made is not None
    assert called is not None
    assert [len(shown_calls(each, surface)) for each in (made, called)] == [1, 1]


def test_what_is_given_to_an_object_is_not_what_its_class_is_made_with() -> None:
    found = shown(">>> rule = Rule('Mon')\n    >>> found = rule('Tue')\n    >>> found = Rule('Wed')", "Rule")
    assert found == ["'Mon'", "'Wed'"]


def test_another_value_is_compared_with_one_that_is_made_up_alike() -> None:
    stub = "def spoken(number: int) -> str:\n    '''In words.\n\n    >>> said = spoken(7)\n    '''\n"
    source = source_of({"shop.pyi": stub})
    context = Context(source=source, application=None)
    (case,) = [each for each in function_cases(source) if each.target.get("law") == "effect"]
    draft = LawGenerator().generate(case, context)
    assert isinstance(draft, Draft)
    assert "        usual = spoken(1)\n        found = spoken(2)\n" in draft.source


def test_defaults_are_compared_with_a_call_that_gives_none_of_them() -> None:
    stub = (
        "def cut(text: str, size: int = 3) -> str:\n"
        "    '''Cut.\n\n    >>> part = cut('long text', size=4)\n    '''\n"
    )
    assert '    found = cut("text")\n' in written({"shop.pyi": stub}, Technique.RETURNS)


def test_what_is_shown_of_a_function_with_several_signatures_may_be_of_any_of_them() -> None:
    stub = (
        "from typing import overload\n"
        "@overload\n"
        "def double(number: int) -> int: ...\n"
        "@overload\n"
        "def double(number: float) -> float: ...\n"
    )
    code = "def double(number):\n    '''Twice.\n\n    >>> double(1.5)\n    3.0\n    '''\n"
    text = written({"shop.pyi": stub, "shop.py": code}, Technique.RETURNS)
    assert "double(1.5)" not in text
    assert "isinstance(found, int)" in text
