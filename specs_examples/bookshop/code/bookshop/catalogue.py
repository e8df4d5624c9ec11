"""The books on sale, in memory."""

from fastapi import HTTPException

from bookshop.models import Book, NewBook, Review
from bookshop.stock import Stock

BOOKS: dict[int, Book] = {}
REVIEWS: dict[int, list[Review]] = {}
STOCK = Stock()


def add(new: NewBook) -> Book:
    """Put a book on sale."""
    book = Book(
        id=len(BOOKS) + 1,
        isbn=new.isbn,
        title=new.title,
        subtitle=new.subtitle,
        author=new.author,
        price=new.price,
        purchase_price=new.purchase_price,
    )
    BOOKS[book.id] = book
    return book


def find(book_id: int) -> Book:
    """The book with this id; answers 404 where there is none."""
    book = BOOKS.get(book_id)
    if book is None:
        raise HTTPException(status_code=404, detail="There is no such book.")
    return book
