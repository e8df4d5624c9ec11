from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Generic, Literal, NewType, Type, TypeVar
from uuid import UUID

from a2wsgi import WSGIMiddleware
from fastapi import (
    APIRouter,
    BackgroundTasks,
    Body,
    Depends,
    FastAPI,
    File,
    Form,
    Header,
    HTTPException,
    Path,
    Query,
    Request,
    UploadFile,
)
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException as StarletteHTTPException
from flask import Flask

T = TypeVar("T")
UserId = NewType("UserId", int)
flask_app = Flask(__name__)


class Settings(BaseModel):
    app_name: str = "Awesome"
    admin_email: str = "x@y.z"


@lru_cache
def get_settings() -> Settings:
    return Settings()


app = FastAPI(dependencies=[Depends(get_settings)], responses={500: {"description": "boom"}})


@app.exception_handler(StarletteHTTPException)
async def http_exception_handler(request, exc):
    return PlainTextResponse(str(exc.detail), status_code=exc.status_code)


@app.exception_handler(RequestValidationError)
async def validation_exception_handler(request, exc):
    return JSONResponse(status_code=422, content={})


@app.middleware("http")
async def add_process_time_header(request: Request, call_next):
    response = await call_next(request)
    response.headers["X-Process-Time"] = "1"
    return response


class Envelope(BaseModel, Generic[T]):
    data: T
    count: int = 1


class Thing(BaseModel):
    model_config = ConfigDict(title="Thing!", frozen=True, str_max_length=100, populate_by_name=True)
    ident: UserId
    name: str = Field(alias="theName", examples=["a"])
    kind: Literal["a", "b"] = "a"


class ThingPatch(BaseModel):
    name: str | None = None


class Controller:
    router = APIRouter(prefix="/controller")

    @staticmethod
    @router.get("/static")
    def static_one() -> int:
        return 1


class Service:
    def __init__(self, model: type[BaseModel], prefix: str):
        self.model = model
        self.router = APIRouter(prefix=prefix, tags=[prefix])
        self.router.add_api_route("/", self.index, methods=["GET"])
        self.router.add_api_route(
            "/{ident}", self.show, methods=["GET"], response_model=Thing, status_code=200
        )
        self.router.add_api_route("/{ident}", self.remove, methods=["DELETE"], status_code=204)

    def index(self, limit: int = 10) -> list[Thing]:
        return []

    def show(self, ident: int):
        if ident < 0:
            raise HTTPException(404)
        return {}

    def remove(self, ident: int) -> None:
        return None


service = Service(Thing, "/services")


def make_router(prefix: str, out: Type[BaseModel], *, secured: bool = False) -> APIRouter:
    router = APIRouter(prefix=prefix)

    @router.get("/{ident}", response_model=out)
    def get_one(ident: Annotated[int, Path(gt=0)]):
        return {}

    @router.get("/", response_model=list[out])
    def get_all(limit: int = Query(20, le=100)):
        return []

    return router


app.include_router(service.router)
app.include_router(make_router("/things", Thing))
app.include_router(make_router("/settings", Settings))
app.include_router(Controller.router)


@app.get("/info")
async def info(settings: Annotated[Settings, Depends(get_settings)]):
    return {"app_name": settings.app_name}


@app.get("/wrapped", response_model=Envelope[Thing])
async def wrapped(): ...


@app.get("/wrapped-list", response_model=Envelope[list[Thing]])
async def wrapped_list(): ...


class CommonQuery:
    def __call__(self, q: str = "", fixed: bool = Query(False)):
        return q


checker = CommonQuery()


@app.get("/checked")
async def checked(content: Annotated[bool, Depends(checker)]): ...


def verify(x_token: Annotated[str, Header(min_length=4)], x_key: str = Header()):
    if x_token != "fake":
        raise HTTPException(status_code=400, detail="X-Token header invalid")
    return x_key


admin = APIRouter(dependencies=[Depends(verify)])


@admin.post("/admin", deprecated=True)
async def admin_post(
    thing: Thing, background: BackgroundTasks, flag: Annotated[bool, Body()] = True
) -> Envelope[Thing]: ...


@admin.put("/things/{ident}")
async def put(ident: UUID, patch: ThingPatch = Body(..., embed=True)) -> Thing | None: ...


@admin.patch("/things/{ident}/form")
async def form(
    ident: UUID,
    name: str = Form(..., max_length=10),
    size: int = Form(1, ge=1),
    photo: UploadFile | None = File(None),
    docs: list[UploadFile] = File(...),
): ...


app.include_router(admin, prefix="/admin", tags=["admin"], deprecated=False)


@dataclass
class Page:
    number: int = 1
    size: Annotated[int, Query(le=50)] = 10
    sort: list[str] = field(default_factory=list)


@app.get("/dataclass-dep")
def dataclass_dep(page: Annotated[Page, Depends()]): ...


@app.post("/any")
def any_body(payload: dict[str, Any], other: Any = Body(None)) -> Any: ...


@app.post("/raw-dict")
def raw_dict(payload: dict) -> dict: ...


@app.post("/body-default")
def body_default(payload: Annotated[Thing, Body(description="x")] = Thing(ident=1, theName="x")) -> None: ...


@app.post("/scalar-list")
def scalar_list(
    ids: list[int] = Body(..., min_length=1, max_length=10), note: str | None = Body(None, max_length=3)
) -> int: ...


@app.get("/weird/{a}/{b:path}")
def weird(b: str, a: Literal["x", "y"] = Path()): ...


app.mount("/v1", WSGIMiddleware(flask_app))


class VersionedRoute(APIRoute):
    pass


versioned = APIRouter(route_class=VersionedRoute)
VERSIONS = {"v1": "/v1", "v2": "/v2"}

for _, prefix in VERSIONS.items():
    app.include_router(versioned, prefix=prefix)


@versioned.get("/late")
def late() -> str:
    return ""


for name in ["alpha", "beta"]:

    @app.get(f"/loop/{name}")
    def looped() -> str:
        return ""


ROUTES = [("/table/a", "GET"), ("/table/b", "POST")]


def handler(n: int = 0) -> int:
    return n


for path, method in ROUTES:
    app.add_api_route(path, handler, methods=[method])

app.router.add_api_route("/via-router", handler)
app.get("/called")(handler)


@app.get("/two-a")
@app.get("/two-b", include_in_schema=True)
def two() -> bool:
    return True
