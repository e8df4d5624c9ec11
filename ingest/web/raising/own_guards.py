"""What the project's own functions around a handler ask of callers: the credentials they look at before refusing."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graph.facts import Json
from ingest.web.constants.constants import text_of
from ingest.web.program.calls import taken_by_key
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.raising.catching import ends
from ingest.web.records.operations import Parameter
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import own_statements

REFUSALS = frozenset({401, 403})
_PLACES = {
    "headers": "header",
    "args": "query",
    "query": "query",
    "query_params": "query",
    "cookies": "cookie",
}
_HTTP = ("bearer", "basic", "digest")
_USUAL = frozenset(
    {
        "accept",
        "content-type",
        "cookie",
        "host",
        "origin",
        "referer",
        "user-agent",
        "x-forwarded-for",
        "x-real-ip",
    }
)


def credentials_of(program: Program, functions: Iterable[FunctionTarget]) -> dict[str, Json] | None:
    """The one security scheme by which these functions know callers; None where it cannot be known."""
    found: dict[str, dict[str, Json]] = {}
    words: set[str] = set()
    authorization = False
    for function in functions:
        program.saw(function.scope.path)
        for node in ast.walk(function.node):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words |= {word for word in _HTTP if node.value.strip().lower() == word}
            if isinstance(node, ast.Attribute):
                if node.attr == "authorization":
                    authorization = True
                words |= {"basic"} if node.attr == "BasicAuth" else set()
            key = _read(program, node, function.body)
            if key is None:
                continue
            where, name = key
            if (where, name.lower()) == ("header", "authorization"):
                authorization = True
            elif where != "header" or name.lower() not in _USUAL:
                found[f"{where} {name}"] = {"type": "apiKey", "in": where, "name": name}
    if authorization and not found:
        return {words.copy().pop(): {"type": "http", "scheme": words.pop()}} if len(words) == 1 else None
    return dict(found) if len(found) == 1 and not authorization else None


def lets_nobody_in(function: FunctionTarget) -> bool:
    """Whether a function that says who calls says so in each case, or raises: nobody stays unknown."""
    body = function.node.body
    if not isinstance(body, list) or not ends(body):
        return False
    given = [each.value for each in own_statements(body) if isinstance(each, ast.Return)]
    return not any(value is None or is_none(value) or _is_of_nobody(value) for value in given)


def _is_of_nobody(value: ast.expr) -> bool:
    """Whether this is what tells that a caller is not known: `AuthCredentials(), UnauthenticatedUser()`."""
    return any(isinstance(node, ast.Name) and node.id == "UnauthenticatedUser" for node in ast.walk(value))


def without_credentials(parameters: list[Parameter], schemes: dict[str, Json]) -> list[Parameter]:
    """The parameters that are no credentials of these schemes."""
    taken = {f"{s['in']}.{s['name']}".lower() for s in schemes.values() if s["type"] == "apiKey"}
    return [parameter for parameter in parameters if parameter.key.lower() not in taken]


def _read(program: Program, node: ast.AST, scope: Scope) -> tuple[str, str] | None:
    """The place and name of what is taken from a request's headers, query or cookies."""
    taken = taken_by_key(node)
    if taken is None:
        return None
    owner, key = taken
    if not isinstance(owner, ast.Attribute) or owner.attr not in _PLACES:
        return None
    name = text_of(program, key, scope)
    return (_PLACES[owner.attr], name) if name is not None else None
