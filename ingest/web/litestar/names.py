"""Litestar's own names: handler decorators, media types, converters of paths, values of its enums."""

from __future__ import annotations

import ast
import re
from typing import Final

from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import constant, elements, text_of
from ingest.web.program.calls import argument
from ingest.web.program.nulls import stands_for_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope

PACKAGE: Final = frozenset({"litestar"})
METHODS: Final = ("get", "post", "put", "patch", "delete", "head")
DECORATORS: Final = (*METHODS, "route", "HTTPRouteHandler")
SILENT_DECORATORS: Final = frozenset(
    {"websocket", "asgi", "websocket_listener", "websocket_stream", "listener"}
)
VARIABLE: Final = re.compile(r"\{\s*([A-Za-z_]\w*)\s*(?::\s*([a-z]+)\s*)?\}")
_MEDIA_TYPES = {
    "JSON": "application/json",
    "MESSAGEPACK": "application/x-msgpack",
    "HTML": "text/html",
    "TEXT": "text/plain",
    "CSS": "text/css",
    "XML": "application/xml",
    "MULTI_PART": "multipart/form-data",
    "URL_ENCODED": "application/x-www-form-urlencoded",
    "OPENAPI_YAML": "application/vnd.oai.openapi",
    "OPENAPI_JSON": "application/vnd.oai.openapi+json",
}
_TEXT: Schema = {"type": "string"}
CONVERTERS: Final[dict[str, Schema]] = {
    "": _TEXT,
    "str": _TEXT,
    "path": unknown("a path is text in any format"),
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "decimal": unknown("a decimal is text or a number"),
    "uuid": {"type": "string", "format": "uuid"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
    "time": unknown("the format of a time is not settled"),
    "timedelta": {"type": "string", "format": "duration"},
}
_FILE: Schema = {"type": "string", "format": "binary"}
_URL: Schema = {"type": "string", "format": "uri"}

SCALARS: Final[dict[str, Schema]] = {
    **dict.fromkeys(("pydantic.AnyUrl", "pydantic.AnyHttpUrl", "pydantic.HttpUrl"), _URL),
    "litestar.datastructures.UploadFile": _FILE,
    "litestar.datastructures.upload_file.UploadFile": _FILE,
    "builtins.bytes": _TEXT,
    "builtins.bytearray": _TEXT,
    "datetime.time": CONVERTERS["time"],
    "pathlib.Path": CONVERTERS["path"],
    "pathlib.PurePath": CONVERTERS["path"],
    "decimal.Decimal": CONVERTERS["decimal"],
}


def decorator_of(program: Program, node: ast.expr, scope: Scope) -> str:
    """The name of the handler decorator that an expression is or calls (`get`, `route`), else an empty string."""
    target = program.resolve(uncalled(node), scope)
    found = next((name for name in DECORATORS if program.is_a(target, PACKAGE, {name})), "")
    if not found and isinstance(target, External) and target.root in PACKAGE:
        return target.name if target.name in SILENT_DECORATORS else ""
    return found


def handler_of(program: Program, function: FunctionTarget) -> tuple[str, ast.expr] | None:
    """The decorator that makes a function a handler of HTTP or of another protocol, and its name."""
    for node in getattr(function.node, "decorator_list", []):
        if name := decorator_of(program, node, function.scope):
            return name, node
    return None


def option(
    program: Program, call: ast.Call | None, name: str, position: int | None, scope: Scope
) -> Target | None:
    """What a call gives for an option, resolved; None where it does not give it."""
    written = argument(call, position, name)
    if written is None:
        return None
    return program.resolve(written, scope) or ValueTarget(written, scope)


def class_option(program: Program, owner: ClassTarget, name: str) -> Target | None:
    """What a controller says for an option in its body; None where neither it nor a base of the project does."""
    found = program.class_member(owner, name)
    return None if isinstance(found, External) and found.root in PACKAGE else found


def media_type_of(program: Program, target: Target | None) -> str | None:
    """The media type that an option stands for: text, or a member of Litestar's enums."""
    if isinstance(target, External) and target.root in PACKAGE:
        return _MEDIA_TYPES.get(target.name)
    return text_of(program, target.node, target.scope) if isinstance(target, ValueTarget) else None


def methods_of(program: Program, name: str, call: ast.Call | None, scope: Scope) -> list[str] | None:
    """The methods in capitals that a handler decorator registers; None where they cannot be known."""
    if name in METHODS:
        return [name.upper()]
    written = argument(call, None, "http_method")
    if written is None:
        return None
    nodes = elements(program, written, scope)
    found = [_method(program, node, inner) for node, inner in nodes or [(written, scope)]]
    return sorted({m for m in found if m}) if all(found) else None


def _method(program: Program, node: ast.expr, scope: Scope) -> str:
    target = program.resolve(node, scope)
    if isinstance(target, External) and target.root in PACKAGE:
        return target.name
    value = constant(program, node, scope)
    return value.upper() if isinstance(value, str) else ""


def paths_of(program: Program, target: Target | None) -> list[str] | None:
    """The path or paths that an option stands for, one empty path where there is none; None where unknown."""
    if target is None or stands_for_none(target):
        return [""]
    with program.following():
        value = constant(program, target.node, target.scope) if isinstance(target, ValueTarget) else None
    if isinstance(value, str):
        return [value]
    known = isinstance(value, list) and value and all(isinstance(path, str) for path in value)
    return list(value) if known and isinstance(value, list) else None


def joined(*parts: str) -> str:
    """The path that these parts make together, as Litestar normalises it."""
    return re.sub("//+", "/", "/" + "/".join(parts).strip("/"))
