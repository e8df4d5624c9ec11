"""A shelf of books, served by FastAPI."""

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

app = FastAPI(title="Shelf")
BOOKS: dict[int, dict] = {}
LOANS: dict[int, str] = {}


class NewBook(BaseModel):
    title: str
    pages: int = 100


class Book(BaseModel):
    number: int
    title: str
    pages: int


class Loan(BaseModel):
    reader: str


@app.get("/books", response_model=list[Book], operation_id="listBooks")
def list_books():
    return [{"number": number, **book} for number, book in BOOKS.items()]


@app.post("/books", response_model=Book, status_code=201, operation_id="addBook")
def add_book(book: NewBook):
    number = len(BOOKS) + 1
    BOOKS[number] = {"title": book.title, "pages": book.pages}
    return {"number": number, **BOOKS[number]}


@app.get("/books/{number}", response_model=Book, operation_id="getBook")
def get_book(number: int):
    if number not in BOOKS:
        raise HTTPException(status_code=404, detail="no such book")
    return {"number": number, **BOOKS[number]}


@app.delete("/books/{number}", status_code=204, operation_id="removeBook")
def remove_book(number: int):
    if number not in BOOKS:
        raise HTTPException(status_code=404, detail="no such book")
    del BOOKS[number]


@app.put("/books/{number}/loan", response_model=Loan, operation_id="lendBook")
def lend_book(number: int, loan: Loan):
    if number not in BOOKS:
        raise HTTPException(status_code=404, detail="no such book")
    if number in LOANS:
        raise HTTPException(status_code=409, detail="it is lent already")
    LOANS[number] = loan.reader
    return {"reader": loan.reader}
