"""What extensions of Flask answer by themselves where something fails, unless the project says otherwise."""

from __future__ import annotations

import re
from typing import Final

from graph.schema_algebra import Schema
from ingest.web.flask.settings import Settings

_OTHERWISE: Final = re.compile(
    r"\berror_?handlers?\b|\berror_processor\b|\bjson_errors\b|\b(?:HTTP_|VALIDATION_)?ERROR_SCHEMA\b"
    r"|\bhandle_(?:http_)?exception\b|\bhandle_error\b|\bBASE_RESPONSE_SCHEMA\b"
)
_TEXT: Final[Schema] = {"type": "string"}
SMOREST: Final[Schema] = {
    "type": "object",
    "properties": {
        "code": {"type": "integer"},
        "status": _TEXT,
        "message": _TEXT,
        "errors": {"type": "object"},
    },
    "required": ["code", "status"],
    "x-by-framework": True,
}
"""What flask-smorest makes of every exception of HTTP."""
APIFLASK: Final[Schema] = {
    "type": "object",
    "properties": {"detail": {"type": "object"}, "message": _TEXT},
    "required": ["detail", "message"],
    "x-by-framework": True,
}
"""What APIFlask makes of its own exceptions, those of what is not valid among them."""


def failures(settings: Settings, schema: Schema) -> dict[str, Schema] | None:
    """The content of failures that an extension writes in this form; None where the project may write them."""
    return None if settings.says(_OTHERWISE) else {"application/json": schema}
