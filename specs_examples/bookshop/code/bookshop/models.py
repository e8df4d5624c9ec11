"""What travels over the wire."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, Field


class Book(BaseModel):
    id: int
    isbn: str
    title: str
    subtitle: str | None
    author: str
    price: float
    purchase_price: float


class NewBook(BaseModel):
    isbn: str = Field(pattern=r"^97[89][0-9]{10}$")
    title: str = Field(min_length=1, max_length=200)
    subtitle: str | None = None
    author: str = Field(min_length=1)
    price: float = Field(ge=0)
    purchase_price: float = Field(ge=0)


class Price(BaseModel):
    price: float = Field(ge=0)


class Review(BaseModel):
    id: int
    stars: int
    author: str
    text: str


class NewReview(BaseModel):
    stars: int = Field(ge=1, le=10)
    author: str = Field(min_length=1, max_length=80)
    text: str = Field(default="", max_length=2000)


class OrderStatus(StrEnum):
    PLACED = "placed"
    PAID = "paid"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"


class Order(BaseModel):
    id: int
    book_id: int
    quantity: int
    total: str
    status: OrderStatus
    placed_at: datetime


class NewOrder(BaseModel):
    book_id: int
    quantity: int = Field(default=1, ge=1, le=10)
    country: str = Field(min_length=2, max_length=2)
    email: str
