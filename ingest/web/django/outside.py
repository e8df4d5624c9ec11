"""Places of a URLconf at which code outside of the project may answer."""

from __future__ import annotations

from ingest.web.django.routes import Route
from ingest.web.records.operations import Operation


def outside(route: Route, extent: str) -> Operation:
    """That code outside of the project may answer at a path (`path`), or at all paths that begin so (`below`)."""
    operation = Operation("ANY", route.pattern.path, route.place, "", "django")
    operation.open = extent
    operation.in_schema = False
    return operation
