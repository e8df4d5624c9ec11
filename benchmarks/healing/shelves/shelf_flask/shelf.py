"""A shelf of books, served by Flask."""

from flask import Flask, abort, request

app = Flask("shelf")
BOOKS: dict[int, dict] = {}
LOANS: dict[int, str] = {}


@app.get("/books")
def list_books():
    return [{"number": number, **book} for number, book in BOOKS.items()], 200


@app.post("/books")
def add_book():
    given = request.get_json()
    number = len(BOOKS) + 1
    BOOKS[number] = {"title": given["title"], "pages": given.get("pages", 100)}
    return {"number": number, **BOOKS[number]}, 201


@app.get("/books/<int:number>")
def get_book(number):
    if number not in BOOKS:
        abort(404)
    return {"number": number, **BOOKS[number]}, 200


@app.delete("/books/<int:number>")
def remove_book(number):
    if number not in BOOKS:
        abort(404)
    del BOOKS[number]
    return "", 204


@app.put("/books/<int:number>/loan")
def lend_book(number):
    if number not in BOOKS:
        abort(404)
    if number in LOANS:
        abort(409)
    LOANS[number] = request.get_json()["reader"]
    return {"reader": LOANS[number]}, 200
