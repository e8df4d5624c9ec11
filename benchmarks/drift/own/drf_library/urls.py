"""Where the library answers."""

from django.urls import include, path
from rest_framework.routers import DefaultRouter

from library.views import AuthorViewSet, BookViewSet, LoanViewSet, ShelfViewSet

router = DefaultRouter()
router.register("authors", AuthorViewSet)
router.register("books", BookViewSet, basename="book")
router.register("shelves", ShelfViewSet)
router.register(r"loans", LoanViewSet)

urlpatterns = [path("api/v1/", include(router.urls))]
