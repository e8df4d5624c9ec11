"""FastAPI's security schemes as they are made in code."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from graph.facts import Json
from ingest.web.calls import argument
from ingest.web.constants import constant, text_of
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import ClassTarget, Target

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


@dataclass(frozen=True, slots=True)
class Scheme:
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
