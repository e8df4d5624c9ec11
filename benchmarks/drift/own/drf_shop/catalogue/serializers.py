from decimal import Decimal
from typing import Dict, List, TypedDict

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from catalogue.models import Category, Discount, Product


class Dimensions(TypedDict):
    width: float
    height: float
    unit: str


class CategorySerializer(serializers.HyperlinkedModelSerializer):
    url = serializers.HyperlinkedIdentityField(view_name="v1:category-detail")

    class Meta:
        model = Category
        fields = ["url", "name", "parent", "position"]
        extra_kwargs = {"parent": {"view_name": "v1:category-detail"}, "position": {"max_value": 99}}


class TreeSerializer(serializers.ModelSerializer):
    class Meta:
        model = Category
        fields = ["id", "name", "parent"]
        depth = 1


class DiscountSerializer(serializers.ModelSerializer):
    class Meta:
        model = Discount
        fields = "__all__"


class ProductSerializer(serializers.ModelSerializer):
    category = serializers.SlugRelatedField(slug_field="name", queryset=Category.objects.all())
    dimensions = serializers.SerializerMethodField()
    links = serializers.SerializerMethodField(method_name="all_links")
    totals = serializers.SerializerMethodField()
    discount = DiscountSerializer(read_only=True, allow_null=True)
    colour = serializers.RegexField(r"^#[0-9a-f]{6}$", required=False)
    size = serializers.ChoiceField(choices=[("s", "Small"), ("l", "Large")], allow_blank=True, required=False)
    extras = serializers.MultipleChoiceField(choices=["wrap", "card"], required=False)
    options = serializers.JSONField(required=False)
    vat = serializers.DecimalField(
        max_digits=4, decimal_places=2, max_value=Decimal("25"), coerce_to_string=True
    )

    class Meta:
        model = Product
        fields = [
            *("id", "category", "title", "text", "state", "price", "stock", "weight", "image", "sheet"),
            *("lead_time", "opened", "address", "related", "launched", "is_scarce", "label", "dimensions"),
            *("links", "totals", "discount", "colour", "size", "extras", "options", "vat"),
        ]
        read_only_fields = ["stock"]

    def get_dimensions(self, product) -> Dimensions:
        return {"width": 1, "height": 2, "unit": "cm"}

    def all_links(self, product) -> List[str]:
        return []

    def get_totals(self, product) -> Dict[str, int]:
        return {}


@extend_schema_serializer(exclude_fields=["secret"])
class PriceSerializer(serializers.Serializer):
    amount = serializers.DecimalField(max_digits=9, decimal_places=2)
    currency = serializers.CharField(min_length=3, max_length=3)
    secret = serializers.CharField()
    valid_until = serializers.DateField(allow_null=True, required=False)
    code = serializers.UUIDField(format="hex_verbose")
    host = serializers.IPAddressField()
    owner = serializers.HiddenField(default=1)
