"""What books can be filtered by."""

import django_filters

from library.models import Book


class BookFilter(django_filters.FilterSet):
    min_price = django_filters.NumberFilter(field_name="price", lookup_expr="gte")
    author = django_filters.CharFilter(field_name="authors__name", lookup_expr="icontains")
    since = django_filters.DateFilter(field_name="created", lookup_expr="date__gte")
    on_shelf = django_filters.BooleanFilter(field_name="shelf", lookup_expr="isnull", exclude=True)

    class Meta:
        model = Book
        fields = ["kind", "available"]
