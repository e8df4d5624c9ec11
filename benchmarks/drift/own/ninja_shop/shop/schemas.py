from datetime import date, datetime, time
from decimal import Decimal
from typing import Annotated, Optional

from ninja import Field, FilterSchema, ModelSchema, Schema
from ninja.orm import create_schema
from pydantic import AnyUrl, ConfigDict, conint, constr, model_validator

from shop.models import Category, Line, Order, Product

Sku = Annotated[str, Field(pattern=r"^[A-Z]{2}-\d+$", max_length=12)]


def to_camel(text: str) -> str:
    head, *rest = text.split("_")
    return head + "".join(word.capitalize() for word in rest)


class CamelSchema(Schema):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Address(CamelSchema):
    street_name: str
    house_number: int
    zip_code: str = "0000"


class ProductIn(Schema):
    sku: Sku
    title: constr(min_length=1, max_length=200)
    price: Decimal = Field(Decimal("1.00"), ge=0)
    stock: conint(ge=0, le=1000) = 0
    tags: list[str] = Field(default_factory=list, max_length=5)
    url: AnyUrl | None = None
    opened: time | None = None
    dimensions: tuple[int, int, int] | None = None

    @model_validator(mode="after")
    def consistent(self):
        return self


class ProductOut(ModelSchema):
    category_name: str
    discounted: Decimal = Decimal("0")

    class Meta:
        model = Product
        fields = ["sku", "title", "price", "stock", "rating", "url", "weight", "opened", "created"]

    @staticmethod
    def resolve_category_name(obj, context):
        return obj.category.name


class ProductAll(ModelSchema):
    class Meta:
        model = Product
        exclude = ["blob", "address"]


class ProductSub(ProductOut):
    class Meta(ProductOut.Meta):
        fields = ["sku", "category"]


class CategoryOut(ModelSchema):
    children: list["CategoryOut"] = []

    class Meta:
        model = Category
        fields = ["id", "name", "slug"]


class LineOut(ModelSchema):
    product: ProductOut
    total: Decimal = Field(..., alias="price_total")

    class Meta:
        model = Line
        fields = ["quantity"]


class OrderOut(ModelSchema):
    lines: list[LineOut]

    class Meta:
        model = Order
        fields = ["id", "state", "note", "created"]


class OrderIn(Schema):
    state: str = Field("new", max_length=4)
    placed: datetime
    lines: list[dict[str, int]]
    address: Address


class OrderPatch(Schema):
    state: Optional[str] = None
    note: str | None = Field(None, max_length=500)


class OrderKey(Schema):
    year: int
    number: int = Field(..., ge=1)

    def value(self):
        return date(self.year, 1, self.number)


class Filters(FilterSchema):
    min_price: Decimal | None = Field(None, q="price__gte")
    max_price: Decimal | None = Field(None, q="price__lte")
    in_stock: bool = True
    category: str | None = Field(None, q="category__slug", max_length=50)


class Problem(Schema):
    title: str
    status: int
    errors: dict[str, list[str]] = {}


OrderRow = create_schema(Order, name="OrderRow", exclude=["products"])
CategoryShallow = create_schema(Category, fields=["id", "name"])
