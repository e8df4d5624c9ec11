"""Puts the desk together."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Mount, Route

from starlette_desk.access import KeyMiddleware, TokenBackend
from starlette_desk.store import TICKETS, MissingError
from starlette_desk.tickets import router


async def on_missing(request: Request, error: MissingError) -> JSONResponse:
    """Says what is missing."""
    return JSONResponse({"error": f"no such {error.what}"}, status_code=404)


async def counts(request: Request) -> JSONResponse:
    """How many tickets there are."""
    closed = sum(1 for each in TICKETS.values() if each.closed)
    return JSONResponse({"open": len(TICKETS) - closed, "closed": closed})


async def ping(request: Request) -> PlainTextResponse:
    """Whether all is well."""
    return PlainTextResponse("pong")


async def old(request: Request) -> RedirectResponse:
    """Leads to the new place."""
    return RedirectResponse(f"/tickets/{request.path_params['number']}", status_code=301)


async def page(request: Request) -> PlainTextResponse:
    """A page of the handbook, in a language."""
    language = request.cookies.get("language", "en")
    return PlainTextResponse(f"{request.path_params['name']} in {language}")


app = Starlette(
    routes=[
        Mount("/tickets", app=router),
        Mount("/internal", routes=[Route("/counts", counts), Route("/ping", ping)]),
        Route("/old/{number:int}", old),
        Route("/handbook/{name:path}", page),
    ],
    middleware=[Middleware(KeyMiddleware), Middleware(AuthenticationMiddleware, backend=TokenBackend())],
    exception_handlers={MissingError: on_missing},
)
