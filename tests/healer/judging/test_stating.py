"""What specs state: about exceptions, types, examples and crashes, and in which cases they stay silent."""

from __future__ import annotations

import pytest

from healer.evidence import Judgement, Ruling
from tests.healer.judging.test_judging import SHOP, TEST, judged

STORE = '''\
class Store:
    def load(self, key):
        """Load.

        :raises KeyError: where there is no such key
        """
        raise NotImplementedError


class Memory(Store):
    def __init__(self):
        self.rows = {}

    def load(self, key):
        if key not in self.rows:
            raise KeyError(key)
        return self.rows[key]
'''
LOADS = """\
import pytest

from shop import Memory


def test_price():
    with pytest.raises(KeyError):
        Memory().load("a")
"""
CODE = "def price(amount, percent=5):\n    return {}\n"
STUB = "def price(amount: int, percent: int = 5): ...\n"
TYPED = "def price(amount: int, percent: int = 5) -> {}:\n    return {}\n"


TYPES = """

import datetime
import typing
from collections.abc import Hashable
from typing import Iterator, Optional, Protocol

Amount = Optional[int]


class Money:
    pass


class Sized(Protocol):
    pass
"""


def mutated(body: str, exception: str, message: str, *, stub: str = "", crash: bool = False) -> Judgement:
    """The judgement after the body of `price` changed; `crash` says that it failed within."""
    stubs = {"shop.pyi": stub} if stub else {}
    return judged(
        {"shop.py": SHOP, "test_shop.py": TEST, **stubs},
        {"shop.py": CODE.format(body), "test_shop.py": TEST, **stubs},
        exception,
        message,
        inside=("shop.py", 2, "price") if crash else None,
    )


MARKED = [
    (":raises KeyError: where there is no such key", Ruling.CODE_WRONG),
    ("This raises :class:`.KeyError` if there is none.", Ruling.CODE_WRONG),
    ("A :exc:`KeyError` is raised where there is none.", Ruling.CODE_WRONG),
    ("It never raises :exc:`KeyError`.", Ruling.UNDECIDED),
    ("It handles :exc:`KeyError`.", Ruling.UNDECIDED),
]


@pytest.mark.parametrize(("words", "ruling"), MARKED)
def test_a_method_keeps_what_the_spec_of_its_base_says(words: str, ruling: Ruling) -> None:
    code = STORE.replace(MARKED[0][0], words) if words.startswith(":") else STORE.replace("Load.", words)
    code = code if words.startswith(":") else code.replace(MARKED[0][0], "")
    found = judged(
        {"shop.py": code, "test_shop.py": LOADS},
        {"shop.py": code.replace("raise KeyError", "raise RuntimeError"), "test_shop.py": LOADS},
        "RuntimeError",
        "a",
        line=8,
        inside=("shop.py", 16, "load"),
    )
    assert found.ruling is ruling
    if ruling is Ruling.CODE_WRONG:
        assert found.evidence == ("code:function:shop.Store.load", "code:function:shop.Memory.load")


@pytest.mark.parametrize(
    ("annotation", "value", "ruling"),
    [
        ("int", "None", Ruling.CODE_WRONG),
        ("int | None", "None", Ruling.UNDECIDED),
        ("Optional[int]", "None", Ruling.UNDECIDED),
        ("Optional[int]", "'many'", Ruling.UNDECIDED),
        ("Price", "None", Ruling.UNDECIDED),
        ("list[int]", "None", Ruling.CODE_WRONG),
        ("dict | list[int]", "()", Ruling.UNDECIDED),
        ("Iterator[int]", "None", Ruling.CODE_WRONG),
        ("int | datetime.date", "None", Ruling.CODE_WRONG),
        ("Money", "None", Ruling.CODE_WRONG),
        ("Sized", "None", Ruling.UNDECIDED),
        ("Amount", "None", Ruling.UNDECIDED),
        ("typing.Any", "None", Ruling.UNDECIDED),
        ("Hashable", "None", Ruling.UNDECIDED),
    ],
)
def test_a_function_that_gives_now_what_its_own_annotation_excludes_is_wrong(
    annotation: str, value: str, ruling: Ruling
) -> None:
    found = judged(
        {"shop.py": TYPED.format(annotation, "amount * percent") + TYPES, "test_shop.py": TEST},
        {"shop.py": TYPED.format(annotation, value) + TYPES, "test_shop.py": TEST},
        "AssertionError",
        f"assert {value} == 15",
    )
    assert found.ruling is ruling


def test_what_it_gave_before_already_is_nothing_that_changed() -> None:
    body = "{}\n    if amount:\n        return None"
    found = judged(
        {"shop.py": TYPED.format("int", body.format("1")), "test_shop.py": TEST},
        {"shop.py": TYPED.format("int", body.format("2")), "test_shop.py": TEST},
        "AssertionError",
        "assert None == 15",
    )
    assert found.ruling is Ruling.UNDECIDED


def test_a_crash_by_chance_in_what_a_stub_says_how_to_call_makes_the_code_wrong() -> None:
    found = mutated("[][amount]", "IndexError", "list index out of range", stub=STUB, crash=True)
    assert found.ruling is Ruling.CODE_WRONG
    assert "spec:function:shop.price" in found.evidence


@pytest.mark.parametrize(
    "stub", ["", STUB.replace("...", '\n    """It.\n\n    :raises LookupError: always\n    """')]
)
def test_a_crash_says_nothing_without_a_stub_or_where_that_tells_of_it(stub: str) -> None:
    found = mutated("[][amount]", "IndexError", "list index out of range", stub=stub, crash=True)
    assert found.ruling is Ruling.UNDECIDED


def test_an_exception_that_is_raised_on_purpose_is_no_crash() -> None:
    found = judged(
        {"shop.py": SHOP, "test_shop.py": TEST, "shop.pyi": STUB},
        {
            "shop.py": "def price(amount, percent=5):\n    raise IndexError(amount)\n",
            "test_shop.py": TEST,
            "shop.pyi": STUB,
        },
        "IndexError",
        "3",
        inside=("shop.py", 2, "price"),
    )
    assert found.ruling is Ruling.UNDECIDED


REFUSED = '''\
class Unknown(Exception):
    """Raised when nothing is known of a thing."""


def price(thing):
    if thing:
        raise Unknown(thing)


def weight(thing):
    {}
'''
REFUSES = """\
import pytest

from shop import Unknown, price


def test_price():
    with pytest.raises(Unknown):
        price(1)
"""


@pytest.mark.parametrize(
    ("other", "ruling"), [("return thing", Ruling.CODE_WRONG), ("raise Unknown(thing)", Ruling.UNDECIDED)]
)
def test_an_exception_that_its_class_says_is_raised_has_to_be_raised_somewhere(
    other: str, ruling: Ruling
) -> None:
    code = REFUSED.format(other)
    found = judged(
        {"shop.py": code, "test_shop.py": REFUSES},
        {"shop.py": code.replace("raise Unknown", "raise RuntimeError", 1), "test_shop.py": REFUSES},
        "RuntimeError",
        "1",
        line=8,
        inside=("shop.py", 7, "price"),
    )
    assert found.ruling is ruling
    assert ("code:class:shop.Unknown" in found.evidence) == (ruling is Ruling.CODE_WRONG)


EXAMPLE = 'def price(amount, percent=5):\n    """Tell.\n\n    >>> price(3)\n    15\n    """\n    return {}\n'
GIVEN = """\
import pytest

from shop import price


@pytest.mark.parametrize(("amount", "wanted"), [(3, 15)])
def test_price(amount, wanted):
    assert price(amount) == wanted
"""


def test_an_example_backs_a_test_whose_values_come_from_elsewhere() -> None:
    found = judged(
        {"shop.py": EXAMPLE.format("amount * percent"), "test_shop.py": GIVEN},
        {"shop.py": EXAMPLE.format("amount + percent"), "test_shop.py": GIVEN},
        "AssertionError",
        "assert 8 == 15\n +  where 8 = price(3)",
        line=8,
    )
    assert found.ruling is Ruling.CODE_WRONG
    assert "its example `price(3)` gives 15" in found.reason
