"""FastAPI's security schemes as they are made in code."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import msgspec

from graph.facts import Json
from ingest.web.constants.constants import constant, text_of
from ingest.web.program.calls import argument, given_for, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ParameterTarget, Target
from ingest.web.syntax.bindings import parameters
from ingest.web.syntax.scopes import Scope

_SCHEMES = (
    "OAuth2PasswordBearer",
    "OAuth2AuthorizationCodeBearer",
    "OAuth2",
    "HTTPBearer",
    "HTTPBasic",
    "HTTPDigest",
    "APIKeyHeader",
    "APIKeyQuery",
    "APIKeyCookie",
    "OpenIdConnect",
)


class Scheme(msgspec.Struct, frozen=True):
    """One security scheme; `refuses` tells that it answers by itself where credentials are missing."""

    name: str
    described: dict[str, Json]
    refuses: bool

    @property
    def has_scopes(self) -> bool:
        """Whether the scheme knows scopes."""
        return self.described["type"] in ("oauth2", "openIdConnect")


def scheme_of(program: Program, made: Target | None, call: ast.Call, scope: Scope) -> Scheme | None:
    """The scheme that a call makes, or None where it makes something else."""
    kind = next((name for name in _SCHEMES if program.is_a(made, {"fastapi"}, {name})), None)
    if kind is None:
        return None
    own = isinstance(made, ClassTarget) and "__init__" in made.body.bindings
    written = argument(call, None, "scheme_name")
    name = text_of(program, written, scope) if written is not None else None
    if name is None:
        name = made.node.name if isinstance(made, ClassTarget) else kind
    error = argument(call, None, "auto_error")
    refuses = error is None or constant(program, error, scope) is not False
    return Scheme(name, _described(program, kind, call, scope, own), refuses)


def scopes_of(
    program: Program,
    node: ast.expr | None,
    scope: Scope,
    made: Sequence[tuple[FunctionTarget, ast.Call, Scope]],
) -> tuple[str, ...] | None:
    """The scopes that an expression names, also where it repeats what one of the calls around it was given.

    None where they cannot be known.
    """
    known = constant(program, node, scope)
    if isinstance(known, list):
        return tuple(each for each in known if isinstance(each, str))
    match node:
        case ast.Call(func=ast.Name(id="list" | "tuple" | "sorted" | "set"), args=[inner], keywords=[]):
            return scopes_of(program, inner, scope, made)
        case ast.List(elts=[ast.Starred(value=inner)]):
            return scopes_of(program, inner, scope, made)
        case ast.List(elts=[ast.Name() as inner]):
            text = next((_given(program, inner, *call) for call in made), None)
            return (text,) if isinstance(text, str) else None
        case ast.Name():
            values = next((_given(program, node, *call) for call in made), None)
            return tuple(map(str, values)) if isinstance(values, list) else None
    return None


def _given(program: Program, name: ast.Name, called: FunctionTarget, call: ast.Call, scope: Scope) -> object:
    """What a call gave for a parameter of the called function, its `*rest` included."""
    rest = called.node.args.vararg
    if rest is not None and rest.arg == name.id:
        first = len(called.node.args.posonlyargs) + len(called.node.args.args)
        return constant(program, ast.List(call.args[first:], ast.Load()), scope)
    pairs = [(argument, default) for argument, default in parameters(called.node) if argument.arg == name.id]
    if not pairs or has_stars(call):
        return None
    target = ParameterTarget(name.id, called.body, pairs[0][0].annotation, pairs[0][1])
    value, place = given_for(target, called, call, scope)
    return constant(program, value, place)


def _described(program: Program, kind: str, call: ast.Call, scope: Scope, own: bool) -> dict[str, Json]:
    if kind.startswith("HTTP"):
        return {"type": "http", "scheme": kind.removeprefix("HTTP").lower()}
    if kind == "OpenIdConnect":
        return {"type": "openIdConnect"}
    if not kind.startswith("APIKey"):
        return {"type": "oauth2"}
    key = text_of(program, argument(call, None, "name"), scope)
    described: dict[str, Json] = {"type": "apiKey", "in": kind.removeprefix("APIKey").lower()}
    return described if key is None or own else {**described, "name": key}
