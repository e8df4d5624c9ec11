"""Browsing books and keeping the range up to date."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from bookshop import catalogue
from bookshop.models import Book, NewBook, Price
from bookshop.security import staff_only

router = APIRouter()


@router.get("/books")
def list_books(
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    offset: Annotated[int, Query(ge=0)] = 0,
) -> list[Book]:
    """The books on sale, newest first."""
    newest_first = sorted(catalogue.BOOKS.values(), key=lambda book: -book.id)
    return newest_first[offset : offset + limit]


@router.post("/books", status_code=201, dependencies=[Depends(staff_only)])
def add_book(new: NewBook) -> Book:
    """Put a new book on sale."""
    return catalogue.add(new)


@router.get("/books/{book_id}")
def get_book(book_id: int) -> Book:
    """One book."""
    return catalogue.find(book_id)


@router.put("/books/{book_id}")
def change_price(book_id: int, new: Price) -> Book:
    """Change what a book costs."""
    book = catalogue.find(book_id)
    book.price = new.price
    return book


@router.get("/authors")
def list_authors() -> list[str]:
    """Everybody who wrote a book on sale."""
    return sorted({book.author for book in catalogue.BOOKS.values()})
