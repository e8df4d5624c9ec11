"""Time slots, and what is free between them."""

from datetime import datetime, timedelta

import pytest
from rooms.schedule import SHORTEST, Clash, Slot, check_free, first_gap, gaps

NINE = datetime(2026, 3, 2, 9)
DAY = Slot.of(NINE, minutes=480)


def test_a_slot_has_a_length() -> None:
    assert Slot.of(NINE).length == timedelta(hours=1)


def test_slots_that_touch_do_not_overlap() -> None:
    check_free(Slot.of(NINE), [Slot.of(NINE + timedelta(hours=1))])
    with pytest.raises(Clash) as caught:
        check_free(Slot.of(NINE), [Slot.of(NINE + timedelta(minutes=30))])
    assert caught.value.other is not None


def test_what_is_free_lies_between_the_slots() -> None:
    taken = [Slot.of(NINE + timedelta(hours=2)), Slot.of(NINE)]
    assert [gap.start.hour for gap in gaps(taken, DAY)] == [10, 12]
    assert [gap.start.hour for gap in gaps(taken, DAY, shortest=timedelta(hours=2))] == [12]
    assert first_gap([DAY], DAY) is None
    assert SHORTEST == timedelta(minutes=15)
