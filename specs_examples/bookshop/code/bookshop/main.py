"""The web application: `uvicorn bookshop.main:app`."""

from fastapi import FastAPI

from bookshop import books, orders, reviews

app = FastAPI(title="Bookshop", version="1.4.0")
app.include_router(books.router)
app.include_router(reviews.router)
app.include_router(orders.router)
