"""What documentation says in words of what changed: defaults, exceptions, and that something is returned."""

from __future__ import annotations

import pytest

from healer.evidence import Judgement, Ruling
from tests.healer.judging.test_judging import judged

TEST = "from shop import price\n\n\ndef test_price():\n    assert price(3) == 15\n"
CODE = '''\
def price(amount, percent={default}, mode="r", strict=True):
    """Tell the price.

{words}
    """
    return amount * percent
'''


def defaulted(words: str, before: str = "5", after: str = "6", pages: str = "") -> Judgement:
    """The judgement after the default of `percent` changed under these words of its docstring, and of a manual."""

    def files(default: str) -> dict[str, str]:
        text = CODE.format(default=default, words="\n".join(f"    {each}" for each in words.splitlines()))
        return {"shop.py": text, "test_shop.py": TEST, **({"docs/api.rst": pages} if pages else {})}

    return judged(files(before), files(after), "AssertionError", "assert 18 == 15")


@pytest.mark.parametrize(
    "words",
    [
        ":param percent: how much. Default is 5.",
        ":param percent: how much (default: ``5``)",
        ":param percent: how much, 5 by default",
        ":param int percent: how much [default 5]",
        "Args:\n    percent (int, optional): How much. Defaults to 5.\n    mode: the mode",
        "Args:\n    percent (int): 5 (the default) is usual.",
        "Parameters\n----------\npercent : int, default 5\n    How much.",
        "Parameters\n----------\npercent : int, optional (default: 5)\n    How much.",
        "If nothing is given, `percent` defaults to 5.",
        "By default, ``percent`` is there. The default value of *percent* is 5.",
    ],
)
def test_a_docstring_that_says_the_default_of_before_makes_the_code_wrong(words: str) -> None:
    found = defaulted(words)
    assert found.ruling is Ruling.CODE_WRONG
    assert "code:function:shop.price" in found.evidence


@pytest.mark.parametrize(
    "words",
    [
        "",
        ":param percent: at most 5",
        ":param percent: how much, see `mode`\n:param mode: 5 by default",
        ":param percent: 5 by default, in strict mode the default is 6",
        ".. versionchanged:: 2.0\n   `percent` defaults to 5.",
        ":param percent: defaults to 50",
        ":param percent: defaults to 5.5",
    ],
)
def test_what_is_not_said_of_this_default_decides_nothing(words: str) -> None:
    assert defaulted(words).ruling is Ruling.UNDECIDED


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        ("If *percent* is true (the default), it is added.", "True", "False"),
        (":param percent: if it is ``False`` (default), nothing happens", "False", "True"),
        (":param percent: separator, defaults to an empty string", "''", "'x'"),
        (":param percent: defaults to ``'rc'``", '"rc"', '"rcx"'),
        (":param percent: None by default", "None", "0"),
    ],
)
def test_values_of_all_kinds_are_told_as_defaults(words: str, before: str, after: str) -> None:
    assert defaulted(words, before, after).ruling is Ruling.CODE_WRONG


MANUAL = """\
API
===

.. module:: shop

.. autofunction:: price(amount, percent=5, mode="r", strict=True)

   Tells it.
"""


def test_a_manual_that_lists_the_default_of_before_makes_the_code_wrong() -> None:
    found = defaulted("", pages=MANUAL)
    assert found.ruling is Ruling.CODE_WRONG
    assert found.evidence[0] == "spec:page:docs/api.rst"
    assert "docs/api.rst:6 says `percent=5`" in found.reason


def test_brackets_of_a_manual_around_what_may_be_left_out_are_read() -> None:
    for listed in ('price(amount, [percent=5, mode="r"])', "price(amount[, percent=5])"):
        manual = MANUAL.replace('price(amount, percent=5, mode="r", strict=True)', listed)
        assert defaulted("", pages=manual).ruling is Ruling.CODE_WRONG


def test_a_manual_of_something_else_decides_nothing() -> None:
    assert defaulted("", pages=MANUAL.replace("price(", "cost(")).ruling is Ruling.UNDECIDED
    assert defaulted("", pages=MANUAL.replace("percent=5", "percent=...")).ruling is Ruling.UNDECIDED
    assert defaulted("", pages=MANUAL.replace("percent=5", "percent=7")).ruling is Ruling.UNDECIDED


RAISING = '''\
class Limit(Exception):
    pass


def price(amount):
    """Tell the price.

    {words}
    """
    if amount < 0:
        raise {raised}("less")
    return amount
'''
RAISED = """\
import pytest
from shop import Limit, price


def test_price():
    with pytest.raises(Limit):
        price(-1)
"""


def raising(words: str, pages: str = "") -> Judgement:
    """The judgement after another exception is raised under these words."""

    def files(raised: str) -> dict[str, str]:
        text = RAISING.format(words=words, raised=raised)
        return {"shop.py": text, "test_shop.py": RAISED, **({"docs/api.rst": pages} if pages else {})}

    return judged(
        files("Limit"),
        files("RuntimeError"),
        "RuntimeError",
        "less",
        line=7,
        inside=("shop.py", 11, "price"),
    )


@pytest.mark.parametrize(
    "words",
    [
        "Small amounts raise ``Limit``.",
        "Amounts are checked.\n\n    A Limit is raised for what is below zero.",
        "It is an error that throws :exc:`.Limit` to ask for less.",
    ],
)
def test_a_docstring_that_tells_the_exception_of_before_makes_the_code_wrong(words: str) -> None:
    assert raising(words).ruling is Ruling.CODE_WRONG


@pytest.mark.parametrize(
    "words",
    [
        "See Limit.",
        "It never raises Limit.",
        "It raises RuntimeError. Raised instead of Limit.",
        "Amounts are checked.\n\n    .. versionchanged:: 2.0\n       It raises Limit.",
    ],
)
def test_an_exception_that_is_only_named_decides_nothing(words: str) -> None:
    assert raising(words).ruling is Ruling.UNDECIDED


def test_a_manual_that_tells_the_exception_of_before_makes_the_code_wrong() -> None:
    manual = ".. module:: shop\n\n.. function:: price(amount)\n\n   Tells it.\n\n   Raises :exc:`Limit` below zero.\n"
    found = raising("", manual)
    assert (found.ruling, found.evidence[0]) == (Ruling.CODE_WRONG, "spec:page:docs/api.rst")
    nested = manual.replace("   Raises", "   .. method:: other()\n\n      Raises")
    assert raising("", nested).ruling is Ruling.UNDECIDED


def returning(words: str, after: str = "None") -> Judgement:
    """The judgement after a function gives None under these words."""
    code = 'def price(amount):\n    """{}"""\n    return {}\n'
    return judged(
        {"shop.py": code.format(words, "amount * 5"), "test_shop.py": TEST},
        {"shop.py": code.format(words, after), "test_shop.py": TEST},
        "TypeError",
        "unsupported operand type(s) for -: 'NoneType' and 'int'",
    )


def test_words_that_tell_what_is_returned_exclude_none() -> None:
    assert returning("Return the price of an amount.").ruling is Ruling.CODE_WRONG
    assert returning("Tell it.\n\n    :returns: the price").ruling is Ruling.CODE_WRONG


@pytest.mark.parametrize(
    "words",
    [
        "Tell the price.",
        "Return the price, or None below zero.",
        "Return the price if any.",
        "Returning is hard.",
    ],
)
def test_words_that_do_not_tell_that_something_is_returned_decide_nothing(words: str) -> None:
    assert returning(words).ruling is Ruling.UNDECIDED


SEVERAL = """\
class Basket:
    def add(self, amount):
        if amount < 0:
            raise {raised}("less")
        if amount > 9:
            raise Limit("more")
        return amount


class Limit(Exception):
    pass
"""
ADDED = RAISED.replace("Limit, price", "Basket, Limit").replace("price(-1)", "Basket().add(-1)")


def adding(page: str) -> Judgement:
    """The judgement after one of several places raises another exception, beside a page that has an example too."""
    page = f"{page}\n\n    >>> from shop import Basket\n    >>> Basket().add(1)\n    1\n"
    return judged(
        {"shop.py": SEVERAL.format(raised="Limit"), "test_shop.py": ADDED, "docs/use.rst": page},
        {"shop.py": SEVERAL.format(raised="RuntimeError"), "test_shop.py": ADDED, "docs/use.rst": page},
        "RuntimeError",
        "less",
        line=7,
        inside=("shop.py", 4, "add"),
    )


def test_a_paragraph_that_names_the_class_and_what_is_raised_makes_the_code_wrong() -> None:
    found = adding("Each :class:`Basket` is small.\nWhat does not fit raises :exc:`Limit`.")
    assert (found.ruling, found.evidence[0]) == (Ruling.CODE_WRONG, "spec:page:docs/use.rst")
    assert "docs/use.rst:1 says" in found.reason


@pytest.mark.parametrize(
    "page",
    [
        "Each :class:`Basket` is small.\n\nWhat does not fit elsewhere raises :exc:`Limit`.",
        "A :class:`Basket` never raises :exc:`Limit`.",
        "A :class:`Basket` raises :exc:`Limit`, and :exc:`RuntimeError` for less.",
        "A :class:`Bask` raises :exc:`Limit`.",
    ],
)
def test_a_paragraph_about_something_else_decides_nothing(page: str) -> None:
    assert adding(page).ruling is Ruling.UNDECIDED


MANY = '''\
class Flags:
    """Known flags only: a ValueError will be thrown when unknown ones are added."""

    def __init__(self, known):
        self.known = {known}


class Frame:
    def __init__(self, number):
        if number < {least}:
            raise {error}(number)
'''


def test_words_about_something_else_that_changed_too_say_nothing() -> None:
    test = "import pytest\nfrom shop import Frame\n\ndef test_price():\n    with pytest.raises(ValueError): Frame(0)\n"
    then = MANY.format(known="known", least=1, error="ValueError")
    now = MANY.format(known="set(known)", least=2, error="LookupError")
    found = judged(
        {"shop.py": then, "test_shop.py": test},
        {"shop.py": now, "test_shop.py": test},
        "LookupError",
        "0",
        inside=("shop.py", 11, "__init__"),
    )
    assert found.ruling is Ruling.UNDECIDED
