"""Which headers the functions behind an operation set on their answers, where it is certain that these are all."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from graph.facts import Json
from ingest.web.constants.constants import Missing, constant, entries, text_of
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

_ADD = frozenset({"setdefault", "add", "set", "append", "add_header"})
_IMPLIED = {
    "set_cookie": ("Set-Cookie",),
    "delete_cookie": ("Set-Cookie",),
    "redirect": ("Location",),
    "RedirectResponse": ("Location",),
    "add_etag": ("ETag",),
    "set_etag": ("ETag",),
    "make_conditional": ("ETag", "Last-Modified", "Accept-Ranges"),
    "last_modified": ("Last-Modified",),
    "cache_control": ("Cache-Control",),
    "location": ("Location",),
    "expires": ("Expires",),
}
_OPEN = frozenset(
    {
        "send_file",
        "send_from_directory",
        "FileResponse",
        "StreamingResponse",
        "after_this_request",
        "force_type",
    }
)


def headers_of(program: Program, functions: Iterable[FunctionTarget]) -> dict[str, Json] | None:
    """The headers by lower-case name that any of these functions may set; None where one cannot be known."""
    found: dict[str, Json] = {}
    for function in functions:
        if not isinstance(function.node, Function):
            continue
        program.saw(function.scope.path)
        own = program.remember(("headers", function.node), lambda f=function: _of(program, f))  # type: ignore[misc]  # mypy cannot type a lambda with a default
        if own is None:
            return None
        found = {**own, **found}
    return found


def _of(program: Program, function: FunctionTarget) -> dict[str, Json] | None:
    found: dict[str, Json] = {}
    for name, line in _names(program, function):
        if name is None:
            return None
        found.setdefault(name.lower(), {"name": name, "required": False, "schema": {}, "line": line})
    return found


def _names(program: Program, function: FunctionTarget) -> Iterator[tuple[str | None, int]]:
    scope = function.body
    for node in ast.walk(function.node):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _assigned(program, target, node.value, scope, line)
        elif isinstance(node, ast.Call):
            yield from _called(program, node, scope, line)
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            yield from _returned(program, node.value, scope, line)
        elif isinstance(node, ast.Attribute) and node.attr in _IMPLIED and not isinstance(node.ctx, ast.Load):
            yield from ((name, line) for name in _IMPLIED[node.attr])


def _assigned(
    program: Program, target: ast.expr, value: ast.expr, scope: Scope, line: int
) -> Iterator[tuple[str | None, int]]:
    if isinstance(target, ast.Subscript) and _is_headers(target.value):
        yield text_of(program, target.slice, scope), line
    elif _is_headers(target):
        yield from _table(program, value, scope, line)


def _called(program: Program, node: ast.Call, scope: Scope, line: int) -> Iterator[tuple[str | None, int]]:
    function = node.func
    name = last_name(function)
    if name in _OPEN:
        yield None, line
    yield from ((implied, line) for implied in _IMPLIED.get(name, ()))
    if isinstance(function, ast.Attribute) and _is_headers(function.value):
        if name in _ADD:
            yield text_of(program, node.args[0] if node.args else None, scope), line
        elif name in ("update", "extend"):
            yield from _table(program, node.args[0] if node.args else None, scope, line)
    for keyword in node.keywords:
        if keyword.arg == "headers":
            yield from _table(program, keyword.value, scope, line)


def _returned(program: Program, node: ast.Tuple, scope: Scope, line: int) -> Iterator[tuple[str | None, int]]:
    """A status, or a table of headers, or both after the data, as Flask takes them."""
    for element in node.elts[1:3]:
        if isinstance(constant(program, element, scope), Missing | dict) or isinstance(element, ast.Dict):
            yield from _table(program, element, scope, line)


def _table(
    program: Program, node: ast.expr | None, scope: Scope, line: int
) -> Iterator[tuple[str | None, int]]:
    if is_none(node):
        return
    table = entries(program, node, scope)
    if table is None:
        yield None, line
    for key, _, inner in table or []:
        yield text_of(program, key, inner), key.lineno


def _is_headers(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "headers"
