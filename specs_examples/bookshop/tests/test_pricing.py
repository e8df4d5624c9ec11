"""What things cost."""

import pytest
from bookshop.pricing import discount, shipping, subtotal
from bookshop.stock import OutOfStock, Stock


def test_prices_add_up_to_the_cent() -> None:
    assert subtotal([0.1, 0.2]) == 0.3


def test_a_discount_is_taken_off_the_total() -> None:
    assert discount(100) == 95
    assert discount(100, percent=20) == 80


def test_shipping_is_free_from_40_euros() -> None:
    assert (shipping(39.99, "DE"), shipping(40, "DE"), shipping(10, "FR")) == (3.5, 0, 9.9)


def test_copies_are_set_aside() -> None:
    stock = Stock()
    stock.deliver(1, 3)
    assert stock.reserve(1, 2) == 1
    with pytest.raises(OutOfStock):
        stock.reserve(1, 2)
