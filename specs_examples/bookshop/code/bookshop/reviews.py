"""What readers say about the books."""

from fastapi import APIRouter, status

from bookshop import catalogue
from bookshop.models import NewReview, Review

router = APIRouter(prefix="/books/{book_id}/reviews")


@router.get("")
def list_reviews(book_id: int) -> list[Review]:
    """All reviews of a book, oldest first."""
    book = catalogue.find(book_id)
    return catalogue.REVIEWS.get(book.id, [])


@router.post("", status_code=status.HTTP_201_CREATED)
def add_review(book_id: int, new: NewReview) -> Review:
    """Review a book."""
    book = catalogue.find(book_id)
    reviews = catalogue.REVIEWS.setdefault(book.id, [])
    review = Review(id=len(reviews) + 1, stars=new.stars, author=new.author, text=new.text)
    reviews.append(review)
    return review
