"""Crashes within the code that make it wrong by themselves, and those that may be the test's fault."""

from __future__ import annotations

import pytest

from healer.evidence import Judgement, Ruling
from tests.healer.judging.test_judging import judged

TEST = "from shop import price\n\n\ndef test_price():\n    assert price(3) == 15\n"
CODE = "def price(amount{take}){gives}:\n    return {body}\n"


def crashed(
    exception: str, message: str, *, take: str = "", gives: str = "", body: str = "amount - 1"
) -> Judgement:
    """The judgement after the body of `price` changed and fails by itself."""

    def files(text: str) -> dict[str, str]:
        return {"shop.py": CODE.format(take=take, gives=gives, body=text), "test_shop.py": TEST}

    return judged(files("amount * 5"), files(body), exception, message, inside=("shop.py", 2, "price"))


@pytest.mark.parametrize(
    ("exception", "message"),
    [
        ("NameError", "name 'amuont' is not defined"),
        ("UnboundLocalError", "cannot access local variable 'found' where it is not associated with a value"),
        ("UnboundLocalError", "local variable 'found' referenced before assignment"),
    ],
)
def test_a_name_that_nothing_binds_makes_the_code_wrong(exception: str, message: str) -> None:
    found = crashed(exception, message)
    assert found.ruling is Ruling.CODE_WRONG
    assert found.evidence[0] == "code:function:shop.price"


def test_an_operation_that_builtin_types_lack_does_where_all_is_annotated() -> None:
    message = "unsupported operand type(s) for -: 'str' and 'int'"
    found = crashed("TypeError", message, take=": str", gives=" -> str")
    assert found.ruling is Ruling.CODE_WRONG
    assert "its own operation fails" in found.reason


@pytest.mark.parametrize(
    ("message", "take", "gives"),
    [
        ("unsupported operand type(s) for -: 'str' and 'int'", "", " -> str"),
        ("unsupported operand type(s) for -: 'str' and 'int'", ": str", ""),
        ("unsupported operand type(s) for -: 'Fake' and 'int'", ": str", " -> str"),
        ("unsupported operand type(s) for -: 'NoneType' and 'int'", ": int", " -> int"),
        ("'Fake' object is not iterable", ": str", " -> str"),
    ],
)
def test_what_a_test_may_have_given_wrongly_is_for_a_person(message: str, take: str, gives: str) -> None:
    assert crashed("TypeError", message, take=take, gives=gives).ruling is Ruling.UNDECIDED


def test_a_test_whose_own_name_is_missing_says_nothing_about_the_code() -> None:
    then = {"shop.py": CODE.format(take="", gives="", body="amount"), "test_shop.py": TEST}
    now = {**then, "shop.py": CODE.format(take="", gives="", body="amount + 1")}
    assert judged(then, now, "NameError", "name 'price' is not defined").ruling is Ruling.UNDECIDED
