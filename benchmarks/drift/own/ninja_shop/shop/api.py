from django.core.exceptions import ObjectDoesNotExist
from ninja import Body, NinjaAPI, Path, PatchDict, Query, Router, Schema
from ninja.decorators import decorate_view
from ninja.errors import HttpError
from ninja.pagination import PageNumberPagination, RouterPaginated, paginate
from ninja.security import APIKeyHeader, HttpBearer
from django.views.decorators.cache import cache_page

from shop import schemas
from shop.models import Category, Order, Product
from shop.pages import CursorPagination, Skip


class GlobalAuth(HttpBearer):
    def authenticate(self, request, token):
        return token or None


class ApiKey(APIKeyHeader):
    param_name = "X-Key"

    def authenticate(self, request, key):
        return key


api = NinjaAPI(title="Shop", version="3", auth=GlobalAuth(), csrf=True)
products = RouterPaginated(tags=["products"])
orders = Router(auth=ApiKey())


@api.exception_handler(ObjectDoesNotExist)
def missing(request, exc):
    return api.create_response(request, {"title": "missing", "status": 404}, status=404)


@products.get("", response=list[schemas.ProductOut], auth=None)
def list_products(request, filters: Query[schemas.Filters]):
    return filters.filter(Product.objects.all())


@api.get("/cursor", response=list[schemas.ProductAll])
@paginate(CursorPagination)
def cursor(request):
    return Product.objects.all()


@products.get("/{sku}", response={200: schemas.ProductOut, 404: schemas.Problem})
def product(request, sku: str):
    return Product.objects.get(sku=sku)


@products.post("", response={201: schemas.ProductOut, 400: schemas.Problem})
def add(request, product: schemas.ProductIn):
    if product.stock > 500:
        raise HttpError(400, "too many")
    return 201, Product.objects.create(**product.dict())


@products.get("/{sku}/sub", response=schemas.ProductSub)
def sub(request, sku: str):
    return Product.objects.get(sku=sku)


@api.get("/categories", response=list[schemas.CategoryOut])
@decorate_view(cache_page(60))
def categories(request):
    return Category.objects.filter(parent=None)


@api.get("/categories/{slug:slug}", response=schemas.CategoryOut)
def category(request, slug: str):
    return Category.objects.get(slug=slug)


@api.get("/shallow", response=list[schemas.CategoryShallow])
@paginate(Skip)
def shallow(request):
    return Category.objects.all()


@orders.get("/", response=list[schemas.OrderRow])
@paginate(PageNumberPagination)
def list_orders(request, state: str = "new", year: int | None = None):
    return Order.objects.filter(state=state)


@orders.post("/", response={201: schemas.OrderOut})
def place(
    request,
    order: schemas.ProductIn = Body(...),
    coupon: str | None = Body(None),
    express: bool = Query(False),
):
    return 201, Order.objects.create()


@orders.get("/{year}/{number}", response=schemas.OrderOut)
def by_key(request, key: Path[schemas.OrderKey]):
    return Order.objects.get(pk=key.number)


@orders.patch("/{int:pk}", response=schemas.OrderOut)
def change(request, pk: int, patch: PatchDict[schemas.OrderPatch]):
    order = Order.objects.get(pk=pk)
    return order


@orders.put("/{int:pk}", response={200: schemas.OrderOut, 202: None})
def replace(request, pk: int, order: schemas.OrderIn):
    return 202, None


@orders.delete("/{int:pk}", response={204: None})
def remove(request, pk: int):
    Order.objects.filter(pk=pk).delete()
    return 204, None


@orders.get("/address", response=schemas.Address, by_alias=True)
def address(request):
    return {}


@api.post("/embedded")
def embedded(request, product: schemas.ProductIn, key: schemas.OrderKey):
    return {}


@api.post("/numbers")
def numbers(request, items: list[int] = Body(..., min_length=1)):
    return {}


class Both(Schema):
    a: int
    b: str | None = None


@api.get("/both")
def both(
    request,
    both: Both = Query(...),
    c: float = Query(1.5, gt=0, lt=9),
    d: list[str] = Query(..., max_length=3),
):
    return {}


api.add_router("/products", products)
api.add_router("/orders", orders, tags=["orders"])
