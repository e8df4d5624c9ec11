import django_filters as filters

from clinic.models import Animal, Species, Visit


class AnimalFilter(filters.FilterSet):
    name = filters.CharFilter(lookup_expr="icontains")
    min_weight = filters.NumberFilter(field_name="weight", lookup_expr="gte")
    born_after = filters.DateFilter(field_name="born", lookup_expr="gt")
    species = filters.ModelChoiceFilter(queryset=Species.objects.all())
    size = filters.ChoiceFilter(choices=Animal.SIZES)
    weight = filters.RangeFilter()
    has_chip = filters.BooleanFilter(field_name="chip", lookup_expr="isnull", exclude=True)

    class Meta:
        model = Animal
        fields = ["sex", "alive"]


class VisitFilter(filters.FilterSet):
    ordering = filters.OrderingFilter(fields=["at", "price"])
    ids = filters.BaseInFilter(field_name="id")
    day = filters.DateFromToRangeFilter(field_name="at")

    class Meta:
        model = Visit
        fields = {"price": ["lt", "gt"], "urgent": ["exact"], "at": ["year"]}
