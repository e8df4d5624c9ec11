"""How the library's things are written."""

from typing import Optional

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from library.models import Author, Book, Loan, Shelf


class AuthorSerializer(serializers.ModelSerializer):
    number_of_books = serializers.SerializerMethodField()
    latest = serializers.SerializerMethodField()

    class Meta:
        model = Author
        fields = [
            "id",
            "name",
            "born",
            "website",
            "email",
            "initials",
            "number_of_books",
            "latest",
            "created",
        ]
        read_only_fields = ["created"]

    def get_number_of_books(self, author) -> int:
        return author.books.count()

    def get_latest(self, author) -> Optional[str]:
        return None


class AuthorBriefSerializer(AuthorSerializer):
    class Meta(AuthorSerializer.Meta):
        fields = ["id", "name"]


class ShelfSerializer(serializers.ModelSerializer):
    class Meta:
        model = Shelf
        fields = "__all__"


class BookListSerializer(serializers.ModelSerializer):
    authors = serializers.StringRelatedField(many=True, read_only=True)
    weight = serializers.SerializerMethodField()

    class Meta:
        model = Book
        fields = ("id", "title", "kind", "authors", "price", "weight")

    @extend_schema_field(OpenApiTypes.FLOAT)
    def get_weight(self, book):
        return 0.4


class BookSerializer(serializers.ModelSerializer):
    authors = AuthorBriefSerializer(many=True, read_only=True)
    author_ids = serializers.PrimaryKeyRelatedField(
        many=True, write_only=True, queryset=Author.objects.all(), source="authors"
    )
    password = serializers.CharField(write_only=True, required=False, min_length=4, max_length=40)

    class Meta:
        model = Book
        exclude = ["changed"]
        extra_kwargs = {
            "isbn": {"min_length": 10},
            "subtitle": {"required": True},
            "available": {"read_only": True},
            "rating": {"help_text": "Zero to five"},
        }


class LoanSerializer(serializers.ModelSerializer):
    book_title = serializers.CharField(source="book.title", read_only=True)
    book_price = serializers.ReadOnlyField(source="price")
    overdue = serializers.BooleanField(read_only=True)

    class Meta:
        model = Loan
        fields = "__all__"
        read_only_fields = ("fee",)


class ReturnSerializer(serializers.Serializer):
    condition = serializers.ChoiceField(choices=["fine", "worn", "lost"], default="fine")
    remarks = serializers.CharField(max_length=400, allow_blank=True, required=False)
    damage = serializers.DecimalField(max_digits=6, decimal_places=2, min_value=0, allow_null=True)
    photos = serializers.ListField(child=serializers.URLField(), max_length=5, required=False)
    at = serializers.DateTimeField(required=False)


class StatisticsSerializer(serializers.Serializer):
    books = serializers.IntegerField(min_value=0)
    by_kind = serializers.DictField(child=serializers.IntegerField())
    busiest = BookListSerializer(allow_null=True)
    span = serializers.DurationField()
