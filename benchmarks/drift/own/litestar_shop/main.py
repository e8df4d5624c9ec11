"""The routes of a small shop: controllers, routers, functions, and every kind of input."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar
from uuid import UUID

from litestar import (
    Controller,
    HttpMethod,
    Litestar,
    MediaType,
    Response,
    Router,
    delete,
    get,
    head,
    patch,
    post,
    put,
    route,
)
from litestar.di import Provide
from litestar.enums import RequestEncodingType
from litestar.exceptions import HTTPException, NotFoundException, PermissionDeniedException
from litestar.openapi import ResponseSpec
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.params import Body, Parameter
from litestar.response import Redirect
from litestar.status_codes import HTTP_202_ACCEPTED

from litestar_shop.models import Address, Item, NewItem, Parcel, Person, Renamed, Strict

ITEMS: dict[UUID, Item] = {}


async def page(limit: Annotated[int, Parameter(ge=1, le=100)] = 20, offset: int = 0) -> tuple[int, int]:
    """What part of a list is asked for."""
    return limit, offset


def find(item_id: UUID) -> Item:
    """The item of this id."""
    if item_id not in ITEMS:
        raise NotFoundException("no such item")
    return ITEMS[item_id]


class ItemController(Controller):
    """All about items."""

    path = "/items"
    tags = ("items",)
    dependencies: ClassVar = {"page": Provide(page)}

    @get()
    async def list_items(
        self, page: tuple[int, int], colour: str | None = None, sort: str = "name"
    ) -> list[Item]:
        """All items."""
        return list(ITEMS.values())

    @post(operation_id="createItem", raises=[PermissionDeniedException])
    async def create(self, data: NewItem) -> Item:
        """A new item, which nobody may make."""
        raise PermissionDeniedException()

    @get("/{item_id:uuid}", responses={404: ResponseSpec(data_container=Address, description="none")})
    async def one(self, item_id: UUID) -> Item:
        """One item."""
        return find(item_id)

    @put("/{item_id:uuid}", tags=["write"])
    async def replace(
        self, item_id: UUID, data: Strict, x_trace: Annotated[str, Parameter(header="X-Trace")]
    ) -> Item:
        """An item in place of another."""
        return find(item_id)

    @patch("/{item_id:uuid}", status_code=HTTP_202_ACCEPTED)
    async def change(self, item_id: UUID, data: dict[str, Any]) -> None:
        """Changes an item later."""

    @delete("/{item_id:uuid}", deprecated=True)
    async def remove(
        self, item_id: UUID, session: Annotated[str | None, Parameter(cookie="sid")] = None
    ) -> None:
        """Takes an item away."""
        find(item_id)

    @get("/hidden", include_in_schema=False)
    async def hidden(self) -> dict[str, str]:
        """In no contract."""
        return {}


@get(["/", "/index"], media_type=MediaType.TEXT)
def index() -> str:
    """A greeting."""
    return "hello"


@route("/both/{name:str}", http_method=[HttpMethod.GET, HttpMethod.PUT])
def both(name: str) -> dict[str, str]:
    """Says the name that is asked for."""
    return {"name": name}


@post("/people")
async def add_person(data: Person) -> Person:
    """A new person."""
    return data


@post("/parcels", status_code=200)
async def send(data: Annotated[Parcel, Body(media_type=RequestEncodingType.URL_ENCODED)]) -> Renamed:
    """Sends a parcel."""
    return Renamed(kind="x")


@get("/teapot", status_code=203)
async def teapot() -> Response[Address]:
    """Short and stout."""
    if len(ITEMS) > 3:
        raise HTTPException(status_code=418, detail="short and stout")
    return Response(Address("a", 1), status_code=203)


@get("/old", status_code=301)
async def old() -> Redirect:
    """Leads elsewhere."""
    return Redirect("/", status_code=301)


@get("/numbers")
async def numbers(
    ids: list[int],
    flag: bool,
    ratio: float = 0.5,
    q: Annotated[str | None, Parameter(query="search", max_length=5)] = None,
) -> list[int]:
    """The numbers that were sent."""
    return ids


@head("/ping")
async def ping() -> None:
    """Whether somebody is there."""


@get("/files/{path:path}")
async def files(path: str) -> bytes:
    """A file."""
    return b""


shop_router = Router(
    path="/shop", route_handlers=[ItemController, both], tags=["shop"], security=[{"BearerToken": []}]
)
app = Litestar(
    route_handlers=[shop_router, index, add_person, send, teapot, old, numbers, ping, files],
    openapi_config=OpenAPIConfig(
        title="Shop",
        version="1",
        components=Components(security_schemes={"BearerToken": SecurityScheme(type="http", scheme="bearer")}),
    ),
)
