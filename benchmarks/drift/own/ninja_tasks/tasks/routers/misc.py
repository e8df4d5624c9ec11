from typing import List, Optional

from django.http import HttpResponse, StreamingHttpResponse
from ninja import Cookie, Form, Header, Query, Router, Schema
from ninja.throttling import AnonRateThrottle

from tasks.auth import by_address, header_key
from tasks.schemas import Message, Priority, TaskIn

router = Router()


class Login(Schema):
    username: str
    password: str
    remember: bool = False


class Headers(Schema):
    x_request_id: str
    accept_language: Optional[str] = "en"


@router.post("/login", auth=None, throttle=[AnonRateThrottle("10/s")], response={200: Message, 401: Message})
def login(request, data: Form[Login]):
    if data.username != "me":
        return 401, {"detail": "no"}
    return {"detail": "ok"}


@router.post("/login2", auth=by_address, response=Message)
def login2(
    request,
    username: str = Form(...),
    password: str = Form(..., min_length=8),
    otp: Optional[int] = Form(None),
):
    return {"detail": "ok"}


@router.get("/headers", auth=header_key)
def headers(
    request,
    user_agent: str = Header(...),
    x_trace: Optional[str] = Header(None, alias="X-Trace-Id"),
    session: str = Cookie(None),
):
    return {"agent": user_agent}


@router.get("/headers2", response=None)
def headers2(request, headers: Header[Headers]):
    return None


@router.get("/priority/{priority}", response=List[int], operation_id="by_priority", deprecated=True)
def by_priority(
    request, priority: Priority, ids: List[int] = Query(..., alias="id"), letters: set[str] = Query(set())
):
    return ids


@router.get(
    "/export", openapi_extra={"parameters": [{"in": "query", "name": "format", "schema": {"type": "string"}}]}
)
def export(request):
    return HttpResponse("a,b", content_type="text/csv")


@router.get("/stream")
def stream(request):
    return StreamingHttpResponse(["a"])


@router.post("/bulk", response={200: List[Message], 207: List[Message]})
async def bulk(request, tasks: List[TaskIn]):
    return 207, []


@router.get("/files/{path:name}")
def files(request, name: str):
    return {"name": name}


@router.get("/archive/{year}/{month}", response=Optional[Message])
async def archive(request, year: int, month: int, q: str | None = Query(None, min_length=2, max_length=10)):
    return None
