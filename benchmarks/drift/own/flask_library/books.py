"""Books: found, added, changed, thrown away."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, jsonify, request
from flask.typing import ResponseReturnValue

from flask_library.auth import needs_key
from flask_library.store import BOOKS, numbers

bp = Blueprint("books", __name__)
GENRES = ("novel", "poetry", "science")


def book_or_404(number: int) -> dict[str, Any]:
    """The book of this number."""
    book = BOOKS.get(number)
    if book is None:
        abort(404, description="no such book")
    return book


def checked(data: dict[str, Any]) -> dict[str, Any]:
    """What is sent for a book, if all is well with it."""
    if not isinstance(data.get("title"), str) or not 1 <= len(data["title"]) <= 120:
        abort(422)
    if data["genre"] not in GENRES:
        abort(422)
    return data


@bp.get("")
def search() -> ResponseReturnValue:
    """Books of a genre, page by page."""
    genre = request.args.get("genre")
    page = request.args.get("page", default=1, type=int)
    size = request.args.get("size", 20, type=int)
    if size > 100:
        abort(400, description="too many")
    found = [book for book in BOOKS.values() if genre is None or book["genre"] == genre]
    return jsonify(items=found[(page - 1) * size : page * size], total=len(found))


@bp.post("")
@needs_key
def add() -> ResponseReturnValue:
    """A new book."""
    data = checked(request.get_json())
    number = next(numbers)
    BOOKS[number] = {"id": number, "title": data["title"], "genre": data["genre"], "lent": False}
    return BOOKS[number], 201


@bp.get("/<int:number>")
def one(number: int) -> ResponseReturnValue:
    """One book."""
    return book_or_404(number)


@bp.patch("/<int:number>")
@needs_key
def change(number: int) -> ResponseReturnValue:
    """Another title."""
    book = book_or_404(number)
    body = request.json
    if "title" in body:
        book["title"] = body["title"].strip()
    return jsonify(book)


@bp.delete("/<int:number>")
@needs_key
def remove(number: int) -> ResponseReturnValue:
    """Throws a book away."""
    book_or_404(number)
    del BOOKS[number]
    return "", 204
