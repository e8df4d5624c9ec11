import json
from typing import Annotated, Any, AsyncIterable, Iterable, Union

from fastapi import (
    APIRouter,
    BackgroundTasks,
    Body,
    FastAPI,
    File,
    Form,
    HTTPException,
    Request,
    Response,
    UploadFile,
    WebSocket,
    status,
)
from fastapi.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    StreamingResponse,
)
from fastapi.routing import APIRoute
from fastapi.sse import EventSourceResponse, ServerSentEvent
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel, Field
from starlette.middleware.cors import CORSMiddleware

app = FastAPI(
    separate_input_output_schemas=False, strict_content_type=False, summary="x", openapi_tags=[{"name": "a"}]
)
app.add_middleware(CORSMiddleware, allow_origins=["*"])
templates = Jinja2Templates(directory="templates")


class Item(BaseModel):
    name: str
    description: str | None = None
    price: float = Field(10.5, gt=0)
    tax: float = 10.5
    tags: list[str] = []


class Message(BaseModel):
    message: str


class User(BaseModel):
    username: str
    email: str


class UserIn(User):
    password: str


class FormData(BaseModel):
    username: str
    password: str = Field(min_length=8)
    remember: bool = False
    model_config = {"extra": "forbid"}


@app.get(
    "/items/{item_id}",
    response_model=Item,
    response_model_exclude_unset=True,
    responses={
        404: {"model": Message, "description": "Not there"},
        200: {"description": "Item", "content": {"application/json": {"example": {"id": "bar"}}}},
    },
)
async def read(item_id: str):
    return {}


@app.get(
    "/include",
    response_model=Item,
    response_model_include={"name", "description"},
    response_model_exclude={"tax"},
)
async def include():
    return {}


@app.post("/user", response_model=User)
async def create_user(user: UserIn) -> Any:
    return user


@app.post("/base")
async def base_user(user: UserIn) -> User:
    return user


@app.get("/portal")
async def portal(teleport: bool = False) -> Response:
    if teleport:
        return RedirectResponse(url="https://example.com")
    return JSONResponse(content={"message": "x"})


@app.get("/teleport")
async def teleport() -> RedirectResponse:
    return RedirectResponse(url="https://example.com")


@app.get("/none-model", response_model=None)
async def none_model(teleport: bool = False) -> Response | dict:
    return {}


@app.get("/html", response_class=HTMLResponse)
async def html():
    return "<p>"


@app.get("/html2")
async def html2():
    return HTMLResponse(content="<p>", status_code=200)


@app.get("/template/{ident}", response_class=HTMLResponse)
async def template(request: Request, ident: str):
    return templates.TemplateResponse(request=request, name="item.html", context={"id": ident})


@app.get("/plain", response_class=PlainTextResponse)
async def plain():
    return "x"


@app.get("/redirect", response_class=RedirectResponse)
async def redirect():
    return "https://x"


@app.get("/redirect302", response_class=RedirectResponse, status_code=302)
async def redirect302():
    return "https://x"


@app.get("/stream")
async def stream():
    return StreamingResponse(iter([b"a"]), media_type="video/mp4")


@app.get("/stream2", response_class=StreamingResponse)
async def stream2() -> Iterable[str]:
    yield "a"


@app.get("/download", response_class=FileResponse)
async def download():
    return "file"


class PNG(StreamingResponse):
    media_type = "image/png"


@app.get("/png", response_class=PNG)
async def png():
    yield b"x"


@app.get("/jsonl")
async def jsonl() -> AsyncIterable[Item]:
    yield Item(name="x")


@app.get("/jsonl-no")
async def jsonl_untyped():
    yield {"a": 1}


@app.get("/sse", response_class=EventSourceResponse)
async def sse() -> AsyncIterable[Item]:
    yield Item(name="x")


@app.post("/sse2", response_class=EventSourceResponse)
async def sse2(prompt: Message) -> AsyncIterable[ServerSentEvent]:
    yield ServerSentEvent(data="x")


@app.get("/sse3", response_class=EventSourceResponse)
def sse3():
    yield {"a": 1}


@app.put("/get-or-create/{task_id}", status_code=200)
def get_or_create(task_id: str, response: Response):
    if task_id == "x":
        response.status_code = status.HTTP_201_CREATED
    return {}


@app.put("/upsert/{item_id}")
async def upsert(
    item_id: str, name: Annotated[str | None, Body()] = None, size: Annotated[int | None, Body()] = None
):
    if item_id in {}:
        return {"name": name}
    item = {"name": name, "size": size}
    return JSONResponse(status_code=status.HTTP_201_CREATED, content=item)


@app.get("/legacy")
def legacy():
    return Response(content="<xml/>", media_type="application/xml")


@app.post("/cookie/")
def create_cookie(response: Response):
    response.set_cookie(key="fakesession", value="x")
    response.headers["X-Cat-Dog"] = "alone"
    return {"message": "Come"}


@app.get("/cookie-direct")
def cookie_direct():
    response = JSONResponse(content={"m": 1}, headers={"X-A": "b"})
    response.set_cookie(key="a", value="b")
    return response


@app.post("/login")
async def login(
    username: Annotated[str, Form()],
    password: Annotated[str, Form(min_length=3)],
    remember: bool = Form(False),
):
    return {"username": username}


@app.post("/form-model")
async def form_model(data: Annotated[FormData, Form()]):
    return data


@app.post("/files/")
async def files(
    file: Annotated[bytes, File()],
    fileb: Annotated[UploadFile, File(description="B")],
    token: Annotated[str, Form()],
):
    return {"file_size": len(file)}


@app.post("/upload")
async def upload(file: UploadFile, note: str | None = Form(None)):
    return {"filename": file.filename}


@app.post("/uploads")
async def uploads(files: list[UploadFile], more: Annotated[list[bytes], File()] = []):
    return {}


@app.post("/upload-optional")
async def upload_optional(file: UploadFile | None = None):
    if not file:
        return {"message": "none"}
    else:
        return {"filename": file.filename}


@app.post("/upload-optional2")
async def upload_optional2(
    file: Annotated[bytes | None, File()] = None, enabled: Annotated[list[int] | None, Form()] = None
):
    return {}


@app.get("/union", response_model=Union[Item, User])
async def union():
    return {}


@app.get("/list", response_model=list[Item])
async def lists():
    return []


@app.get("/weights", response_model=dict[str, float])
async def weights():
    return {}


@app.get("/created", status_code=status.HTTP_202_ACCEPTED)
async def accepted(background: BackgroundTasks) -> dict:
    return {}


@app.get(
    "/extra", openapi_extra={"x-aperture-labs-portal": "blue", "deprecated": True}, operation_id="some_extra"
)
async def extra():
    """
    Get extra.

    \f
    hidden
    """
    return []


@app.post(
    "/yaml",
    openapi_extra={
        "requestBody": {
            "content": {"application/x-yaml": {"schema": Item.model_json_schema()}},
            "required": True,
        }
    },
)
async def yaml(request: Request):
    raw_body = await request.body()
    try:
        data = json.loads(raw_body)
    except ValueError:
        raise HTTPException(status_code=422, detail="Invalid YAML")
    return data


@app.get("/image", responses={200: {"content": {"image/png": {}}, "description": "x"}}, response_model=Item)
async def image(img: bool | None = None):
    if img:
        return FileResponse("image.png", media_type="image/png")
    return {"name": "foo"}


common = {
    404: {"description": "Not found"},
    302: {"description": "moved"},
    "5XX": {"description": "boom", "model": Message},
}


@app.get("/common", responses={**common, 200: {"content": {"image/png": {}}}})
async def common_responses():
    return {}


@app.api_route("/multi", methods=["GET", "POST"])
async def multi(q: int = 1):
    return q


@app.head("/head")
def head() -> None: ...


@app.options("/options")
def options():
    return {}


@app.trace("/trace", name="tracing")
def trace():
    return {}


@app.patch(
    "/items/{item_id}",
    response_model=Item,
    tags=["a"],
    summary="S",
    description="D",
    response_description="R",
)
async def patch(
    item_id: str, item: Annotated[Item, Body(openapi_examples={"normal": {"value": {"name": "x"}}})]
):
    return item


@app.get("/old", deprecated=True)
async def old():
    return []


@app.get("/hidden", include_in_schema=False)
async def hidden():
    return []


@app.websocket("/ws/{room}")
async def ws(websocket: WebSocket, room: str, q: int | None = None):
    await websocket.accept()


class TimedRoute(APIRoute):
    def get_route_handler(self):
        original = super().get_route_handler()

        async def custom(request: Request) -> Response:
            response = await original(request)
            response.headers["X-Response-Time"] = "1"
            return response

        return custom


timed = APIRouter(route_class=TimedRoute)


@timed.get("/timed")
async def in_time():
    return {}


app.include_router(timed)
sub = FastAPI()


@sub.get("/sub")
def read_sub():
    return {"message": "sub"}


app.mount("/subapi", sub)


class Invoice(BaseModel):
    id: str
    total: float


callback_router = APIRouter()


@callback_router.post("{$callback_url}/invoices/{$request.body.id}", response_model=Message)
def invoice_notification(body: Invoice):
    pass


@app.post("/invoices/", callbacks=callback_router.routes)
def create_invoice(invoice: Invoice, callback_url: str | None = None):
    return {"msg": "Invoice received"}


@app.webhooks.post("new-subscription")
def new_subscription(body: Invoice):
    """When a new user subscribes"""


@app.exception_handler(KeyError)
async def keyed(request: Request, exc: KeyError):
    return JSONResponse(status_code=418, content={"message": "x"})
