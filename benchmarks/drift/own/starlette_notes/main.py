"""The whole application in one module."""

from __future__ import annotations

from typing import Any

from starlette.applications import Starlette
from starlette.endpoints import HTTPEndpoint
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

NOTES: dict[str, dict[str, Any]] = {}


class TakenError(Exception):
    """There is a note of that key."""


class TeapotError(Exception):
    """Short and stout."""


def on_taken(request: Request, error: Exception) -> Response:
    """Says that there is one."""
    return JSONResponse({"detail": "there is one"}, status_code=409)


async def on_teapot(request: Request, error: Exception) -> Response:
    """Says what it is."""
    return PlainTextResponse("teapot", 418)


def find(key: str) -> dict[str, Any]:
    """The note of this key."""
    if key not in NOTES:
        raise HTTPException(404)
    return NOTES[key]


async def listed(request: Request) -> Response:
    """All notes."""
    limit = int(request.query_params.get("limit", "20"))
    word = request.query_params.get("word")
    return JSONResponse([note for note in NOTES.values() if word is None or word in note["text"]][:limit])


async def made(request: Request) -> Response:
    """A new note."""
    data = await request.json()
    if data["key"] in NOTES:
        raise TakenError
    NOTES[data["key"]] = {"text": data["text"], "pinned": False}
    return JSONResponse(NOTES[data["key"]], status_code=201)


class Note(HTTPEndpoint):
    """One note."""

    async def get(self, request: Request) -> Response:
        """The note."""
        return JSONResponse(find(request.path_params["key"]))

    async def delete(self, request: Request) -> Response:
        """Takes it away."""
        find(request.path_params["key"])
        return Response(status_code=204)


async def number(request: Request) -> Response:
    """Says a number."""
    return PlainTextResponse(str(request.path_params["number"]))


async def health(request: Request) -> Response:
    """Whether all is well."""
    return PlainTextResponse("ok")


async def import_all(request: Request) -> Response:
    """Takes in what a form sends."""
    form = await request.form()
    if request.headers["X-Owner"] != "me":
        raise HTTPException(status_code=403)
    if form["notes"] == "tea":
        raise TeapotError
    return JSONResponse({"taken": 1}, status_code=202)


app = Starlette(
    routes=[
        Route("/notes", listed),
        Route("/notes", made, methods=["POST"]),
        Route("/notes/{key}", Note),
        Route("/numbers/{number:int}", number),
        Mount("/admin", routes=[Route("/health", health), Route("/import", import_all, methods=["POST"])]),
    ],
    exception_handlers={TakenError: on_taken, TeapotError: on_teapot},
)
