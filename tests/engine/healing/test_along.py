"""Several causes in one file: what one edit makes green along with its own is told as healed, and waits for nobody."""

from __future__ import annotations

from engine.healing.records import Result
from tests.engine.healing.conftest import Yard

CARTS = '''\
class Cart:
    """A cart."""

    def __init__(self, owner="ann"):
        self.owner = owner

    def add(self, amount):
        return [*self.owner[:1], amount]

    def opened(self):
        return self

    def label(self):
        return f"{self.owner}'s cart"

    def send(self):
        return sum(range(7)) + len(self.owner)
'''
HELPS = """\
import pytest
from shop import Cart


@pytest.fixture
def cart():
    return Cart().opened()
"""
TESTS = """\
from shop import Cart


def test_add(cart):
    assert cart.add(amount=2) == ["a", 2]


def test_label(cart):
    assert cart.label() == "ann's cart"


def test_send(cart):
    assert cart.send() == 24 and isinstance(cart, Cart)
"""


def test_what_a_later_edit_makes_green_does_not_wait_for_a_person(yard: Yard) -> None:
    yard.write({"shop.py": CARTS, "tests/test_shop.py": TESTS, "tests/conftest.py": HELPS})
    yard.heal()
    yard.change(
        "shop.py",
        ("class Cart", "class Basket"),
        ("add(self, amount)", "add(self, count)"),
        ("[:1], amount]", "[:1], count]"),
        ("def send", "def post"),
        ("def label", "def title_of"),
    )
    done = yard.heal()
    assert [each.result for each in done.treatments] == [Result.HEALED]
    assert len(done.treatments[0].healed) == 3
    assert yard.heal().treatments == ()
