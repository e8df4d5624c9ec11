"""Types that only docstrings tell, and the tests that come of them."""

from __future__ import annotations

import pytest

from planner.cases import Technique
from planner.functions.cases import function_cases
from planner.functions.told_types import annotation_of
from tests.engine.generators.drafting import answers, needed, source_of, written

_CLASSES = {"Cart": "shop.cart.Cart"}


@pytest.mark.parametrize(
    ("told", "annotation"),
    [
        ("int", "int"),
        ("integer", "int"),
        ("a string", "str"),
        ("String", "str"),
        ("int, optional", "int"),
        ("str, default 'a'", "str"),
        ("list of str", "list[str]"),
        ("List[int]", "list[int]"),
        ("list of prices", "list"),
        ("dict of str: int", "dict"),
        ("str or None", "str | None"),
        ("Optional[int]", "int | None"),
        ("int | float", "int | float"),
        ("int, float", "int | float"),
        ("int, number", ""),
        ("dict[str, int]", "dict"),
        (":py:class:`Cart`", "shop.cart.Cart"),
        (":class:`~shop.cart.Cart`", "shop.cart.Cart"),
        ("``bool``", "bool"),
        ("The names", ""),
        ("Iterable[int]", ""),
        ("other.Cart", ""),
        ("number", ""),
        ("str or number", ""),
        ("", ""),
    ],
)
def test_what_a_docstring_calls_a_type_is_one_or_nothing(told: str, annotation: str) -> None:
    assert annotation_of(told, _CLASSES) == annotation


@pytest.mark.parametrize(
    "doc",
    [
        ":param int number: it\n\n    :rtype: str",
        ":param number: it\n    :type number: int\n    :rtype: str",
        "Args:\n        number (int): It.\n\n    Returns:\n        str: The words.",
        "Parameters\n    ----------\n    number : int\n\n    Returns\n    -------\n    str\n        The words.",
    ],
)
def test_what_a_function_returns_is_told_by_the_docstring_of_its_code(doc: str) -> None:
    code = f"def label(number):\n    '''Spell it.\n\n    {doc}\n    '''\n    return str(number)\n"
    text = written({"shop.pyi": "def label(number): ...\n", "shop.py": code}, Technique.RETURNS)
    assert "found = label(1)\n\n    assert isinstance(found, str)\n" in text
    assert '@pytest.mark.spec("code:function:shop.label")' in text
    assert "found = label(1)\n" in written({"shop.py": code}, Technique.RETURNS)


@pytest.mark.parametrize("words", ["Returns None for none", "or :py:obj:`None` for none", "Spell it"])
def test_a_docstring_that_speaks_of_none_may_return_it(words: str) -> None:
    code = f"def label(number):\n    '''Spell it; {words}.\n\n    :param int number: it\n    :rtype: str\n    '''\n"
    text = written({"shop.py": code}, Technique.RETURNS)
    assert ("isinstance(found, (str, type(None)))" in text) is ("None" in words)


def test_what_looks_up_what_nobody_told_may_find_nothing() -> None:
    doc = "'''Look it up.\n\n    :param str name: it\n    :rtype: str\n    '''"
    assert "what there is to be found" in needed(
        {"shop.py": f"def get_option(name):\n    {doc}\n"}, Technique.RETURNS
    )
    assert "option_of(" in written({"shop.py": f"def option_of(name):\n    {doc}\n"}, Technique.RETURNS)


def test_a_property_tells_its_type_at_the_beginning_of_its_docstring() -> None:
    code = (
        "class Tea:\n    def __init__(self): ...\n    @property\n"
        "    def name(self):\n        '''str: How it is called.'''\n        return 'a'\n"
    )
    text = written({"shop.py": code}, Technique.RETURNS)
    assert "isinstance(found, str)" in text


def test_an_annotation_counts_more_than_the_docstring() -> None:
    code = "def label(number: str) -> bytes:\n    '''Spell it.\n\n    :param int number: it\n    :rtype: str\n    '''\n"
    assert not answers({"shop.py": code}, Technique.RETURNS)
    stub = "def label(number: bool) -> bytes: ...\n"
    text = written({"shop.py": code, "shop.pyi": stub}, Technique.RETURNS)
    assert "label(True)" in text
    assert "isinstance(found, bytes)" in text


def test_a_constructor_has_the_types_that_its_class_tells() -> None:
    code = "class Tea:\n    '''One.\n\n    :param int grams: how much\n    '''\n    def __init__(self, grams): ...\n"
    stub = "class Tea:\n    def __init__(self, grams): ...\n    def __str__(self) -> str: ...\n"
    (text,) = [str(each) for each in answers({"shop.py": code, "shop.pyi": stub}, Technique.RETURNS)]
    assert "Tea(1)" in text


def test_words_that_are_no_type_plan_nothing() -> None:
    code = "def label(number):\n    '''Spell it.\n\n    Returns:\n        The words: many.\n    '''\n"
    assert not [each for each in function_cases(source_of({"shop.py": code})) if "returns" in each.target]
