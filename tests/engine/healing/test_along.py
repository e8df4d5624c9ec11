"""Several causes in one file: what one edit makes green along with its own is told as healed, and waits for nobody."""

from __future__ import annotations

from engine.healing.records import Result
from tests.engine.healing.conftest import Yard

CARTS = """\
class Cart:
    def add(self, amount):
        return [amount]

    def send(self):
        return 7
"""
TESTS = """\
import pytest

from shop import Cart


@pytest.fixture
def cart():
    return Cart()


def test_add(cart):
    assert cart.add(amount=2) == [2]


def test_send(cart):
    assert cart.send() == 7
"""


def test_what_a_later_edit_makes_green_does_not_wait_for_a_person(yard: Yard) -> None:
    yard.write({"shop.py": CARTS, "tests/test_shop.py": TESTS})
    yard.heal()
    yard.change(
        "shop.py",
        ("class Cart", "class Basket"),
        ("add(self, amount):\n        return [amount]", "add(self, count):\n        return [count]"),
        ("def send", "def post"),
    )
    done = yard.heal()
    assert [each.result for each in done.treatments] == [Result.HEALED]
    assert len(done.treatments[0].healed) == 2
    assert yard.heal().treatments == ()
