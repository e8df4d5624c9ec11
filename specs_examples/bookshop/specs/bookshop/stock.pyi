"""How many copies of each book the shop has."""

class OutOfStock(Exception):
    """There are fewer copies than were asked for."""

    book_id: int
    def __init__(self, book_id: int) -> None: ...

class Stock:
    """The copies in the store room."""

    def copies(self, book_id: int) -> int:
        """How many copies there are; 0 for a book that is not known."""

    async def deliver(self, book_id: int, copies: int) -> None:
        """Put copies that arrived into the store room."""

    def reserve(self, book_id: int, copies: int = 1) -> bool:
        """Set copies aside for an order; whether the book has to be ordered anew.

        Raises:
            OutOfStock: there are not enough.
        """
