"""The authentication objects of APIFlask and Flask-HTTPAuth as security schemes."""

from __future__ import annotations

import ast

from graph.facts import Json
from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import Target, ValueTarget
from ingest.web.syntax.scopes import Scope

_ROOTS = frozenset({"apiflask", "flask_httpauth"})
_KEYED = {
    "HTTPAPIKeyAuth": "header",
    "APIKeyHeaderAuth": "header",
    "APIKeyCookieAuth": "cookie",
    "APIKeyQueryAuth": "query",
}
_MULTIPLE = frozenset({"HTTPMultiAuth", "MultiAuth"})


def auth_of(program: Program, node: ast.expr | None, scope: Scope) -> dict[str, Json] | None:
    """The schemes of an authentication object by name, one of which is enough; None where they cannot be known."""
    target = program.resolve(node, scope)
    if not (isinstance(target, ValueTarget) and isinstance(target.node, ast.Call)):
        return None
    call, scope = target.node, target.scope
    made = program.resolve(call.func, scope)
    if program.is_a(made, _ROOTS, _MULTIPLE):
        found: dict[str, Json] = {}
        for part in call.args:
            inner = auth_of(program, part, scope)
            if inner is None:
                return None
            found |= inner
        return found or None
    scheme = _scheme(program, made, call, scope)
    if scheme is None:
        return None
    return {f"{scheme.get('scheme', scheme['type'])} {scheme.get('name', '')}".strip(): scheme}


def requirements_of(value: object) -> list[dict[str, list[str]]] | None:
    """Security requirements as APIFlask takes them: a name, names, or requirements; None for anything else."""
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list):
        return None
    found: list[dict[str, list[str]]] = []
    for part in listed:
        if isinstance(part, str):
            found.append({part: []})
        elif isinstance(part, dict):
            found.append({str(name): sorted(map(str, scopes)) for name, scopes in part.items()})
    return found


def _scheme(program: Program, made: Target | None, call: ast.Call, scope: Scope) -> dict[str, Json] | None:
    if program.is_a(made, _ROOTS, {"HTTPBasicAuth"}):
        return {"type": "http", "scheme": "basic"}
    if program.is_a(made, _ROOTS, {"HTTPDigestAuth"}):
        return {"type": "http", "scheme": "digest"}
    if program.is_a(made, _ROOTS, {"HTTPTokenAuth"}):
        kind = argument(call, 0, "scheme")
        header = argument(call, 3, "header")
        word = "Bearer" if kind is None else text_of(program, kind, scope)
        if word is None:
            return None
        if word.lower() == "bearer" and header is None:
            return {"type": "http", "scheme": "bearer"}
        name = text_of(program, header, scope) if header is not None else "Authorization"
        return None if name is None else {"type": "apiKey", "in": "header", "name": name}
    for name, place in _KEYED.items():
        if program.is_a(made, _ROOTS, {name}):
            written = argument(call, 3, "param_name")
            key = "X-API-Key" if written is None else text_of(program, written, scope)
            return None if key is None else {"type": "apiKey", "in": place, "name": key}
    return None
