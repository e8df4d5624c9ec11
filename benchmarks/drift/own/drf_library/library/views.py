"""The library's views."""

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import mixins, permissions, status, viewsets
from rest_framework.decorators import action
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.response import Response

from library.filters import BookFilter
from library.models import Author, Book, Loan, Shelf
from library.serializers import (
    AuthorSerializer,
    BookListSerializer,
    BookSerializer,
    LoanSerializer,
    ReturnSerializer,
    ShelfSerializer,
    StatisticsSerializer,
)


class AuthorViewSet(viewsets.ModelViewSet):
    """People who wrote."""

    queryset = Author.objects.all()
    serializer_class = AuthorSerializer
    search_fields = ["name"]
    ordering_fields = ["name", "born"]
    filterset_fields = ["born", "email"]


@extend_schema_view(
    list=extend_schema(summary="All books"),
    destroy=extend_schema(deprecated=True, responses={204: None, 409: OpenApiResponse(description="Lent")}),
)
class BookViewSet(viewsets.ModelViewSet):
    queryset = Book.objects.select_related("shelf")
    filterset_class = BookFilter
    lookup_field = "slug"
    search_fields = ["title", "authors__name"]

    def get_serializer_class(self):
        if self.action == "list":
            return BookListSerializer
        return BookSerializer

    @extend_schema(request=None, responses=BookSerializer)
    @action(detail=True, methods=["post"], permission_classes=[permissions.IsAdminUser])
    def feature(self, request, slug=None):
        book = self.get_object()
        return Response(BookSerializer(book).data)

    @extend_schema(
        parameters=[
            OpenApiParameter("year", int, description="Of publication", required=True),
            OpenApiParameter("kind", str, enum=["novel", "essay"], many=True),
            OpenApiParameter("X-Branch", str, OpenApiParameter.HEADER, default="main"),
        ],
        responses={200: StatisticsSerializer},
    )
    @action(detail=False, url_path="statistics", pagination_class=None, filter_backends=[])
    def numbers(self, request):
        return Response(StatisticsSerializer({}).data)


class ShelfViewSet(viewsets.ReadOnlyModelViewSet):
    queryset = Shelf.objects.all()
    serializer_class = ShelfSerializer
    pagination_class = None
    permission_classes = [permissions.AllowAny]
    authentication_classes = []
    filter_backends = []


class LoanViewSet(
    mixins.CreateModelMixin, mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet
):
    queryset = Loan.objects.all()
    serializer_class = LoanSerializer
    permission_classes = [permissions.IsAuthenticated]
    pagination_class = LimitOffsetPagination
    filterset_fields = {"since": ["exact", "gte"], "days": ["lt"]}

    @action(detail=True, methods=["post"], url_path="return", serializer_class=ReturnSerializer)
    def give_back(self, request, pk=None):
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        return Response(serializer.data, status=status.HTTP_200_OK)

    @give_back.mapping.delete
    def undo(self, request, pk=None):
        return Response(status=status.HTTP_204_NO_CONTENT)
