from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, List, Literal, Optional, Union
from uuid import UUID

from fastapi import Cookie, Depends, FastAPI, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    NonNegativeInt,
    PositiveInt,
    StringConstraints,
)

app = FastAPI(title="Queries")

DEFAULT_LIMIT = 20
MAX_LIMIT = 100


def check(value: str) -> str:
    if not value.startswith("id-"):
        raise ValueError("bad")
    return value


Slug = Annotated[str, StringConstraints(min_length=2, max_length=30, pattern=r"^[a-z-]+$")]
Page = Annotated[int, Query(ge=1, description="page")]
CheckedId = Annotated[str, AfterValidator(check)]


class Filter(BaseModel):
    model_config = {"extra": "forbid"}

    limit: int = Field(DEFAULT_LIMIT, gt=0, le=MAX_LIMIT)
    offset: int = Field(0, ge=0)
    order_by: Literal["created_at", "updated_at"] = "created_at"
    tags: list[str] = []
    maybe: Optional[datetime] = None
    price: Decimal | None = None


class CommonHeaders(BaseModel):
    host: str
    save_data: bool
    if_modified_since: str | None = None
    traceparent: str | None = None
    x_tag: list[str] = []


class CookieJar(BaseModel):
    session_id: str
    fatebook_tracker: str | None = None


class CommonParams:
    def __init__(self, q: str | None = None, skip: int = 0, limit: int = 100):
        self.q = q
        self.skip = skip
        self.limit = limit


@app.get("/items/{item_id}")
async def read_item(
    item_id: Annotated[int, Path(title="id", ge=0, le=1000)],
    q: Annotated[str | None, Query(min_length=3, max_length=50, pattern="^fixed")] = None,
    size: Annotated[float, Query(gt=0, lt=10.5)] = 1.5,
    short: bool = False,
):
    result = {"item_id": item_id}
    if q:
        result.update({"q": q})
    return result


@app.get("/old-style/{ident}")
async def old(
    ident: int = Path(..., title="id", gt=1),
    q: Optional[str] = Query(None, max_length=50, alias="item-query", deprecated=True),
    r: str = Query(...),
    s: List[str] = Query(["foo", "bar"]),
    t: list = Query([]),
    u: Union[str, None] = Query(default=None, include_in_schema=False),
    regex: str = Query("x", pattern="^[xyz]$"),
    needed: Union[int, None] = Query(),
):
    return {"ident": ident}


@app.get("/files/{file_path:path}")
async def file(file_path: str):
    return {"file_path": file_path}


@app.get("/nodes/{node_id:int}/children")
async def nodes(node_id: int, page: Page = 1, size: Annotated[int, Query(le=50)] = 10):
    return []


@app.get("/ids")
async def ids(
    ident: CheckedId | None = None,
    slug: Slug = "a-b",
    at: datetime | None = None,
    day: date = date(2020, 1, 1),
    when: time | None = None,
    length: timedelta | None = None,
    number: UUID | None = None,
):
    return 1


@app.get("/filtered")
async def filtered(filter_query: Annotated[Filter, Query()]):
    return filter_query


@app.get("/headers")
async def headers(
    headers: Annotated[CommonHeaders, Header()],
    user_agent: Annotated[str | None, Header()] = None,
    strange_header: Annotated[str | None, Header(convert_underscores=False)] = None,
    x_token: Annotated[list[str] | None, Header()] = None,
):
    return headers


@app.get("/headers-raw")
async def headers_raw(headers: Annotated[CommonHeaders, Header(convert_underscores=False)]):
    return headers


@app.get("/cookies")
async def cookies(cookies: Annotated[CookieJar, Cookie()], ads_id: Annotated[str | None, Cookie()] = None):
    return cookies


@app.get("/common")
async def common(commons: Annotated[CommonParams, Depends()]):
    return commons.q


@app.get("/common2")
async def common2(commons: CommonParams = Depends(CommonParams)):
    return commons.q


@app.get("/users/{user_id}/items/{item_id}")
async def user_items(
    user_id: int, item_id: str, needy: str, skip: PositiveInt = 1, limit: NonNegativeInt | None = None
):
    return {}


@app.get("/users/me")
async def me():
    return {"user_id": "me"}


@app.get("/raw/{ident}")
def raw(ident: str, request: Request):
    return {"host": request.client.host, "ident": ident}


@app.get("/untyped")
def untyped(a, b=5, c="x", d=None):
    return a


@app.get("/nested")
def nested(
    values: Annotated[list[int] | None, Query()] = None,
    pair: Annotated[tuple[int, int], Query()] = (1, 2),
    unique: Annotated[set[int], Query(max_length=4)] = set(),
    anything: Any = None,
):
    return values


def pagination(page: int = Query(1, ge=1), per_page: int = Query(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)) -> dict:
    return {"page": page, "per_page": per_page}


Pagination = Annotated[dict, Depends(pagination)]


def sub(pagination: Pagination, last: Annotated[str | None, Cookie()] = None):
    return last


@app.get("/sub")
def with_sub(thing: Annotated[str, Depends(sub)], pages: Pagination):
    return thing


@app.get("/response-directly")
def directly(flag: bool = False) -> Response:
    if flag:
        return RedirectResponse(url="/x")
    return JSONResponse(content={"a": 1})


@app.get("/optional-default")
def optional_default(
    q: int | None = 3,
    z: str = Query(default="zed", min_length=1, max_length=9),
    y: Annotated[str, Query(examples=["x"], title="T", description="d")] = "why",
):
    return q
