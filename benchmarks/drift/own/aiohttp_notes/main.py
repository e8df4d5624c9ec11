"""Puts the application together."""

from __future__ import annotations

from aiohttp import web
from aiohttp.typedefs import Handler

from aiohttp_notes.views import Admin, routes


@web.middleware
async def timed(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Passes on what is answered."""
    response = await handler(request)
    response.headers["X-Time"] = "0"
    return response


def make_admin() -> web.Application:
    """The part for the owner."""
    admin = web.Application()
    handlers = Admin()
    admin.router.add_get("/health", handlers.health)
    admin.add_routes([web.get("/old", handlers.moved), web.post("/import", handlers.import_all)])
    return admin


def create() -> web.Application:
    """The whole application."""
    application = web.Application(middlewares=[timed])
    application.add_routes(routes)
    application.add_subapp("/admin", make_admin())
    return application


app = create()
