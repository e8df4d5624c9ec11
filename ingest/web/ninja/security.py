"""How Django Ninja's operations authenticate their callers."""

from __future__ import annotations

import ast
from typing import Final

from graph.facts import Json
from ingest.web.constants.constants import constant, elements, text_of
from ingest.web.django.settings import Settings
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.project_calls import calls_of
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.records.operations import Operation
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

_SESSIONS: Final = frozenset({"SessionAuth", "SessionAuthSuperUser", "SessionAuthIsStaff"})
_KEYS: Final = {"APIKeyHeader": "header", "APIKeyQuery": "query", "APIKeyCookie": "cookie"}


class SecurityReader:
    """Reads what `auth=` is given in one program."""

    def __init__(self, program: Program, settings: Settings) -> None:
        self.program = program
        self.renamed = settings.binds("SESSION_COOKIE_NAME")

    def secure(self, operation: Operation, auth: tuple[ast.expr, Scope] | None) -> None:
        """Fills in the security where every way of authenticating is known."""
        if auth is None or is_none(auth[0]):
            operation.security = []
            return
        listed = elements(self.program, *auth) or [auth]
        schemes: dict[str, Json] = {}
        for node, scope in listed:
            scheme = self._scheme(node, scope)
            if scheme is None:
                return
            schemes[f"auth{len(schemes)}"] = scheme
        operation.security_schemes = schemes
        operation.security = [{name: []} for name in schemes]

    def _scheme(self, node: ast.expr, scope: Scope) -> dict[str, Json] | None:
        target = self.program.resolve(node, scope)
        if isinstance(target, External) and target.root == "ninja" and target.name.startswith("django_auth"):
            return None if self.renamed else {"type": "apiKey", "in": "cookie", "name": "sessionid"}
        made = (
            self.program.resolve(target.node.func, target.scope)
            if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call)
            else None
        )
        if self.program.is_a(made, {"ninja"}, _SESSIONS) and not _arguments(target):
            own = self.program.class_member(made, "param_name") if isinstance(made, ClassTarget) else None
            usual = not isinstance(own, ValueTarget) and not self.renamed
            return {"type": "apiKey", "in": "cookie", "name": "sessionid"} if usual else None
        stated = self._stated(made)
        if stated is not None:
            return stated
        for base, scheme in (("HttpBearer", "bearer"), ("HttpBasicAuth", "basic")):
            if self.program.is_a(made, {"ninja"}, {base}):
                own = (
                    self.program.class_member(made, "openapi_scheme")
                    if isinstance(made, ClassTarget)
                    else None
                )
                if not isinstance(own, ValueTarget):
                    return {"type": "http", "scheme": scheme}
                said = text_of(self.program, own.node, own.scope)
                return {"type": "http", "scheme": said} if said else None
        for base, place in _KEYS.items():
            if self.program.is_a(made, {"ninja"}, {base}) and isinstance(made, ClassTarget):
                own = self.program.class_member(made, "param_name")
                plain = own is None or isinstance(own, External)
                name = text_of(self.program, own.node, own.scope) if isinstance(own, ValueTarget) else None
                name = "key" if plain else name
                maker = self.program.class_member(made, "__init__")
                own_maker = isinstance(maker, FunctionTarget) and "param_name" not in ast.dump(maker.node)
                known = name and (own_maker or not _arguments(target))
                return {"type": "apiKey", "in": place, "name": name} if known else None
        return None

    def _stated(self, made: Target | None) -> dict[str, Json] | None:
        """The scheme that a class writes down as `openapi_security_schema`; None where it does not."""
        if not isinstance(made, ClassTarget):
            return None
        own = self.program.class_member(made, "openapi_security_schema")
        value = constant(self.program, own.node, own.scope) if isinstance(own, ValueTarget) else None
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            return None
        return {key: value[key] for key in ("type", "in", "name", "scheme") if key in value}


def _arguments(target: Target | None) -> bool:
    """Whether the call that makes something gives it arguments, apart from whether it looks for forged requests."""
    call = target.node if isinstance(target, ValueTarget) else None
    return isinstance(call, ast.Call) and bool(call.args or any(k.arg != "csrf" for k in call.keywords))


def passed_on(program: Program, call: ast.Call, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """What a function puts under `auth` among the options that it makes an API of, where no caller gives that itself:
    `options.setdefault("auth", key_auth)`; None where that is not known."""
    given = [each.value for each in call.keywords if each.arg is None]
    function = scope.node
    if len(given) != 1 or not isinstance(given[0], ast.Name) or not isinstance(function, Function):
        return None
    name = given[0].id
    if function.args.kwarg is None or function.args.kwarg.arg != name or scope.parent is None:
        return None
    put = [found for statement in function.body if (found := _put(statement, name)) is not None]
    calls = calls_of(program, FunctionTarget(function, scope.parent))
    if len(put) != 1 or any(has_stars(each) or argument(each, None, "auth") for each, _ in calls):
        return None
    return put[0], scope


def _put(statement: ast.stmt, name: str) -> ast.expr | None:
    """What a statement puts under `auth` into the dictionary of this name."""
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=owner), attr="setdefault"),
                args=[ast.Constant(value="auth"), value],
            )
        ) if owner == name:
            return value
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value="auth"))], value=value
        ) if owner == name:
            return value
    return None
