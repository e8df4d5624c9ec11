"""A blog, with everything in one module."""

import uuid
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, Router

app = Starlette()


@dataclass
class Post:
    title: str
    body: str
    tags: list[str] = field(default_factory=list)
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    published: bool = False
    created: str = field(default_factory=lambda: datetime.now(timezone.utc).isoformat())


POSTS: dict[str, Post] = {}


class Timing(BaseHTTPMiddleware):
    async def dispatch(self, request, call_next):
        response = await call_next(request)
        response.headers["X-Process-Time"] = "0"
        return response


def require_key(handler):
    async def inner(request: Request):
        if request.headers.get("x-api-key") != "secret":
            return JSONResponse({"detail": "key"}, status_code=403)
        return await handler(request)

    return inner


def validate(data, partial=False):
    errors = {}
    if not isinstance(data, dict):
        raise HTTPException(400, "object expected")
    if "title" in data:
        if not isinstance(data["title"], str) or not data["title"].strip():
            errors["title"] = "must not be empty"
    elif not partial:
        errors["title"] = "is required"
    if "tags" in data and not isinstance(data["tags"], list):
        errors["tags"] = "must be a list"
    if errors:
        raise HTTPException(422, str(errors))
    return data


async def list_posts(request: Request):
    tag = request.query_params.get("tag")
    limit = int(request.query_params.get("limit", "10"))
    posts = [asdict(p) for p in POSTS.values() if tag is None or tag in p.tags]
    return JSONResponse({"posts": posts[:limit], "tag": tag})


async def get_post(request: Request):
    post_id = request.path_params["post_id"]
    post = POSTS.get(post_id)
    if post is None:
        raise HTTPException(status_code=404, detail="Post not found")
    return JSONResponse(asdict(post))


@require_key
async def create_post(request: Request):
    data = validate(await request.json())
    post = Post(title=data["title"], body=data.get("body", ""), tags=data.get("tags", []))
    POSTS[post.id] = post
    return JSONResponse(asdict(post), status_code=201)


@require_key
async def publish(request: Request):
    post = POSTS.get(request.path_params["post_id"])
    if post is None:
        raise HTTPException(404)
    if post.published:
        return JSONResponse({"detail": "published"}, 409)
    post.published = True
    return JSONResponse({"id": post.id, "published": post.published})


@require_key
async def delete_post(request: Request):
    if POSTS.pop(request.path_params["post_id"], None) is None:
        raise HTTPException(404)
    return Response(status_code=204)


async def feed(request: Request):
    return Response("<rss/>", media_type="application/rss+xml")


async def robots(request: Request):
    return PlainTextResponse("User-agent: *")


async def not_found(request: Request, exc: HTTPException):
    return JSONResponse({"detail": exc.detail}, status_code=exc.status_code)


app.add_middleware(Timing)
app.add_exception_handler(HTTPException, not_found)
app.add_route("/robots.txt", robots)
app.add_route("/feed", feed, methods=["GET"])
app.mount(
    "/posts",
    Router(
        [
            Route("/", list_posts, methods=["GET"]),
            Route("/", create_post, methods=["POST"]),
            Route("/{post_id}", get_post),
            Route("/{post_id}", delete_post, methods=["DELETE"]),
            Route("/{post_id}/publish", publish, methods=["POST"]),
        ]
    ),
)
