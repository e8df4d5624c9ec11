"""A shop with two books on sale, of which there are three copies of the first."""

from collections.abc import Iterator

import pytest
from bookshop import catalogue, orders
from bookshop.main import app
from bookshop.models import NewBook
from fastapi.testclient import TestClient


@pytest.fixture
def client() -> Iterator[TestClient]:
    for store in (catalogue.BOOKS, catalogue.REVIEWS, orders.ORDERS):
        store.clear()
    emma = NewBook(isbn="9780141439587", title="Emma", author="Jane Austen", price=9.5, purchase_price=4.1)
    walden = NewBook(isbn="9780691096124", title="Walden", author="H. D. Thoreau", price=45, purchase_price=20)
    catalogue.STOCK.deliver(catalogue.add(emma).id, 3 - catalogue.STOCK.copies(1))
    catalogue.add(walden)
    with TestClient(app) as client:
        yield client
