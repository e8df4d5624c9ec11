"""How many copies of each book the shop has."""


class OutOfStock(Exception):
    """There are fewer copies than were asked for."""

    def __init__(self, book_id: int) -> None:
        super().__init__(f"Book {book_id} is out of stock.")
        self.book_id = book_id


class Stock:
    """The copies in the store room."""

    def __init__(self) -> None:
        self._copies: dict[int, int] = {}

    def copies(self, book_id: int) -> int:
        """How many copies there are; 0 for a book that is not known."""
        return self._copies.get(book_id, 0)

    def deliver(self, book_id: int, copies: int) -> None:
        """Put copies that arrived into the store room."""
        self._copies[book_id] = self.copies(book_id) + copies

    def reserve(self, book_id: int, copies: int = 1) -> int:
        """Set copies aside for an order; how many are left."""
        if self.copies(book_id) < copies:
            raise OutOfStock(book_id)
        self._copies[book_id] -= copies
        return self._copies[book_id]
