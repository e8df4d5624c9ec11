"""Puts the tracker together."""

from litestar import Litestar, Router
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import ControllerRouterHandler

from litestar_tracker.routes import CommentController, IssueController, by_day, motto, summary

PREFIX = "/api"
SCHEMES = {
    "token": SecurityScheme(type="http", scheme="bearer"),
    "key": SecurityScheme(type="apiKey", name="X-Key", security_scheme_in="header"),
}


def handlers() -> list[ControllerRouterHandler]:
    """All that is served below the prefix."""
    reports = Router("/reports", route_handlers=[summary, by_day], security=[{"key": []}])
    return [IssueController, CommentController, reports]


def create_app() -> Litestar:
    """The application."""
    config = OpenAPIConfig(
        title="Tracker",
        version="1",
        security=[{"token": []}],
        components=Components(security_schemes=SCHEMES),
    )
    return Litestar([Router(PREFIX + "/v1", route_handlers=handlers()), motto], openapi_config=config)


app = create_app()
