"""Tests of what code and specs removed are proposed for deletion, and no others."""

from __future__ import annotations

from healer.editing.edits import edited
from healer.healers.retiring import Retiring
from healer.movements import Movement
from tests.healer.healers.patients import movement, patient

CODE = {"shop/cart.py": "def total(items): return 1\ndef tax(items): return 1\n"}
LEFT = {"shop/cart.py": "def tax(items): return 1\n"}
TESTS = {
    "tests/test_cart.py": """import shop.cart
from shop.cart import tax


def test_total():
    assert shop.cart.total([1]) == 1


class TestTax:
    def test_tax(self):
        assert tax([1]) == 1

    def test_both(self):
        assert tax([1]) == shop.cart.total([1])
"""
}
REMOVED = movement(cause="removed", subject="shop.cart.total", facts=["code:function:shop.cart.total"])
SPEC = movement(
    cause="removed", subject="shop.cart.total", side="spec", facts=["spec:function:shop.cart.total"]
)
FAILED = ["test_total", "TestTax::test_both", "TestTax::test_tax"]


def retired(moved: list[Movement], nodes: list[str]) -> tuple[str, ...]:
    sick = patient(CODE, LEFT, TESTS, moved, nodes=[f"tests/test_cart.py::{node}" for node in nodes])
    return tuple(name for payloads in Retiring().propose(sick) for each in payloads for name in each.retire)


def test_failed_tests_that_speak_of_it_are_proposed_for_deletion() -> None:
    assert retired([REMOVED, SPEC], FAILED) == ("test_total", "TestTax.test_both")
    assert retired([REMOVED, SPEC], FAILED[:1]) == ("test_total",)


def test_what_the_specs_still_have_is_not_retired() -> None:
    assert retired([REMOVED], FAILED) == ()
    assert retired([SPEC], FAILED) == ()


def test_the_rest_of_the_file_stays() -> None:
    sick = patient(CODE, LEFT, TESTS, [REMOVED, SPEC], nodes=["tests/test_cart.py::test_total"])
    ((payload,),) = Retiring().propose(sick)
    assert payload.method == "retire"
    assert payload.cites == ("code:function:shop.cart.total", "spec:function:shop.cart.total")
    text = edited(payload, TESTS["tests/test_cart.py"]).words
    assert "test_total" not in text
    assert "test_both" in text


SHARED = {
    "tests/test_shared.py": """import unittest
import shop.cart


class Totals:
    def test_one(self):
        assert self.total([1]) == 1


class TestTotal(Totals, unittest.TestCase):
    total = staticmethod(shop.cart.total)

    def test_two(self):
        assert self.total([1, 2]) == 1


class TestTax(Totals, unittest.TestCase):
    total = staticmethod(shop.cart.tax)
"""
}


def test_a_class_that_speaks_of_it_outside_its_tests_goes_as_a_whole() -> None:
    sick = patient(CODE, LEFT, SHARED, [REMOVED, SPEC], nodes=["tests/test_shared.py"])
    ((payload,),) = Retiring().propose(sick)
    assert payload.retire == ("TestTotal",)
    text = edited(payload, SHARED["tests/test_shared.py"]).words
    assert "TestTotal" not in text
    assert "class TestTax(Totals, unittest.TestCase):" in text
