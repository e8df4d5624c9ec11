"""Who has what, and until when."""

from datetime import date

import pytest
from library.lending import LOAN_DAYS, Desk, NotAvailable, fine

MONDAY = date(2026, 3, 2)


def test_an_item_is_lent_for_some_weeks() -> None:
    loan = Desk().lend(1, "ada", today=MONDAY)
    assert (loan.due - MONDAY).days == LOAN_DAYS


def test_an_item_cannot_be_lent_twice() -> None:
    """AC-2.1"""
    desk = Desk()
    desk.lend(1, "ada", today=MONDAY)
    with pytest.raises(NotAvailable):
        desk.lend(1, "bob", today=MONDAY)
    assert desk.take_back(1, today=MONDAY) == 0
    assert desk.lend(1, "bob", today=MONDAY).member == "bob"


def test_late_items_are_listed_and_cost_a_fine() -> None:
    """AC-2.2"""
    desk = Desk()
    desk.lend(1, "ada", today=MONDAY)
    assert [loan.member for loan in desk.overdue("2026-12-31")] == ["ada"]
    assert (fine(-1), fine(1), fine(10)) == (0, 0.2, 2)
