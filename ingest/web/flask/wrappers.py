"""What the decorators around a Flask handler add to its answers: those of the project, and well-known guards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Final

import msgspec

from graph.facts import Json, Location
from graph.schema_algebra import Schema
from graph.schemas import normalise
from ingest.web.answers.answers import Answer, Answers
from ingest.web.constants.constants import Missing, constant
from ingest.web.program.calls import argument
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, Target
from ingest.web.raising.decorators import around_of
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.exits import Exits
from ingest.web.raising.own_guards import REFUSALS
from ingest.web.records.operations import Response
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import last_name, uncalled
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, own_statements, returned
from ingest.web.values.modes import asks_route

_GUARDS: Final[dict[str, tuple[str, ...]]] = {
    "flask_jwt_extended": ("401", "403", "422"),
    "flask_httpauth": ("401", "403"),
    "apiflask": ("401", "403"),
    "flask_login": ("302", "401"),
    "flask_security": ("302", "401", "403"),
    "flask_principal": ("401", "403"),
    "flask_basicauth": ("401",),
    "flask_oidc": ("302", "401", "403"),
    "flask_praetorian": ("401", "403"),
    "flask_limiter": ("429",),
    "quart_auth": ("401",),
    "quart_jwt_extended": ("401", "403", "422"),
    "quart_rate_limiter": ("429",),
    "quart_cors": (),
    "flask_caching": (),
    "flask_cors": (),
    "flask_wtf": ("400",),
    "dependency_injector": (),
    "injector": (),
    "flask_expects_json": ("400",),
    "flask_jsonschema": ("400",),
    "flask_jsonschema_validator": ("400",),
    "flask_json_schema": ("400",),
    "flasgger": (),
    "prometheus_flask_exporter": (),
    "prometheus_client": (),
    "pony": (),
    "sentry_sdk": (),
    "opentelemetry": (),
    "ddtrace": (),
}
"""Packages whose decorators let a request pass or answer it with one of these statuses: a refusal means credentials."""
_REMAKING = re.compile(
    r"respon|return|output|marshal|seriali|dump|json|wrap|envelop|format|render", re.IGNORECASE
)
"""What the name of a decorator says that makes something else of what a handler gives."""
_REFUSING = re.compile(r"_loader\b|JWT_ERROR_MESSAGE_KEY|JWTExtendedException|NoAuthorizationError")
_ANSWERING: Final = ("flask_restx", "flask_restplus", "flask_restful", "apiflask", "flask_smorest")
"""Extensions that answer errors in a form of their own."""
_BEARER: Final[dict[str, Json]] = {"bearer": {"type": "http", "scheme": "bearer"}}
_BASIC_GUARDS: Final = ("flask_httpauth.HTTPBasicAuth.", "flask_basicauth.BasicAuth.")
_BASIC: Final[dict[str, Json]] = {"basic": {"type": "http", "scheme": "basic"}}


class Wrapping(msgspec.Struct):
    """What lies around a handler.

    `wrappers` are the project's functions, those in `hooks` run before the requests of other routes too, as `looking`
    do, which answer nothing, or nobody knows what; `given` is
    what these answer by themselves, `caught` what they catch of the handler; `answers` those of known guards. `foreign`
    tells of decorators that cannot be looked into, `remakes` of such that may write answers otherwise than the handler
    gives them, `guarded` of ones that ask for credentials.
    """

    wrappers: list[FunctionTarget] = msgspec.field(default_factory=list)
    hooks: list[FunctionTarget] = msgspec.field(default_factory=list)
    looking: list[FunctionTarget] = msgspec.field(default_factory=list)
    answers: list[Response] = msgspec.field(default_factory=list)
    given: list[Answer] = msgspec.field(default_factory=list)
    doubts: list[tuple[Location, str]] = msgspec.field(default_factory=list)
    caught: ErrorHandlers = msgspec.field(default_factory=ErrorHandlers)
    foreign: bool = False
    remakes: bool = False
    guarded: bool = False
    schemes: dict[str, Json] | None = None

    def put_on(self, inner: Wrapping, chosen: bool) -> None:
        """Adds what a wrapper puts around the handler by itself, be it on a condition of its own (`chosen`)."""
        self.wrappers += inner.wrappers
        self.answers += inner.answers
        self.given += inner.given
        self.doubts += inner.doubts
        self.caught = self.caught.around(inner.caught)
        self.foreign = self.foreign or inner.foreign
        self.remakes = self.remakes or inner.remakes
        self.guarded = self.guarded or inner.guarded
        self.schemes = self.schemes or (None if chosen else inner.schemes)


def wrapping_of(
    program: Program,
    instances: Instances,
    answers: Answers,
    decorators: Iterable[tuple[ast.expr, Scope]],
    handler: FunctionTarget,
) -> Wrapping:
    """What these decorators, each with the scope it stands in, put around a handler."""
    found = Wrapping()
    for decorator, scope in decorators:
        place = program.place(decorator, scope)
        guard = _guard(program, instances, decorator, scope)
        if guard:
            found.guarded = found.guarded or bool(REFUSALS & set(map(int, _GUARDS[guard])))
            found.schemes = scheme_of(program, instances, decorator, scope) or found.schemes
            # Of the others, 422 is what services answer by themselves to what is not valid.
            told = {"401": _refusal(program)} if guard == "flask_jwt_extended" else {}
            found.answers += [Response(each, "framework", place, told.get(each)) for each in _GUARDS[guard]]
            continue
        around = around_of(program, answers, decorator, scope)
        if around is None or around.opaque:
            found.foreign = True
            found.remakes = found.remakes or _may_remake(program, instances, decorator, scope)
            found.doubts.append((place, "what a decorator does is not known"))
            continue
        found.wrappers += around.wrappers
        found.given += around.given
        found.caught = found.caught.around(around.caught)
        if around.applied:
            found.put_on(wrapping_of(program, instances, answers, around.applied, handler), around.chosen)
    return found


def _refusal(program: Program) -> dict[str, Schema] | None:
    """What Flask-JWT-Extended refuses with, where the project does not change it."""
    if any(_REFUSING.search(program.text(name)) for name in program.importers_named(("flask_jwt_extended",))):
        return None
    if not program.importers_named(("flask",)) or program.importers_named(_ANSWERING):
        return None
    text: Schema = {"type": "string"}
    told: Schema = {"type": "object", "properties": {"msg": text}, "required": ["msg"], "x-complete": True}
    return {"application/json": normalise(told)}


def scheme_of(
    program: Program, instances: Instances, decorator: ast.expr, scope: Scope
) -> dict[str, Json] | None:
    """The credentials that a well-known decorator asks for, where these are those that it asks for by default."""
    target = _made_by(program, instances, decorator, scope)
    call = decorator if isinstance(decorator, ast.Call) else None
    optional = constant(program, argument(call, 0, "optional"), scope)
    if not isinstance(target, External) or not isinstance(optional, Missing | None):
        return None
    if target.root == "flask_jwt_extended" and target.name in ("jwt_required", "fresh_jwt_required"):
        places = program.importers_named(("flask_jwt_extended", "flask"))
        return None if any("JWT_TOKEN_LOCATION" in program.text(name) for name in places) else dict(_BEARER)
    if target.dotted.startswith("flask_httpauth.HTTPTokenAuth."):
        return dict(_BEARER)
    return dict(_BASIC) if target.dotted.startswith(_BASIC_GUARDS) else None


def add_hooks(found: Wrapping, hooks: Iterable[FunctionTarget], exits: Exits, answers: Answers) -> bool:
    """Adds functions that run before the handler and may answer in its place; false where that cannot be known."""
    wrappers: list[FunctionTarget] = []
    given: list[Answer] = []
    for hook in hooks:
        if exits.of(hook).doubts or _asks_route(hook):
            return False
        own = [(value, scope) for value, scope in returned(hook) if not is_none(value)]
        if own or exits.of(hook).exits:
            # What only looks at requests of this route asks nothing of them.
            wrappers.append(hook)
        given += [answer for value, scope in own for answer in answers.of(value, scope)]
    if not all(answer.known and answer.status is not None for answer in given):
        return False
    found.wrappers += wrappers
    found.hooks += wrappers
    found.given += given
    return True


def guarding(hook: FunctionTarget) -> list[ast.expr]:
    """The decorators of a function that runs before requests, but for the one that makes it do so."""
    nodes = hook.node.decorator_list if isinstance(hook.node, Function) else []
    return [node for node in nodes if not last_name(uncalled(node)).startswith("before_")]


def _asks_route(function: FunctionTarget) -> bool:
    """Whether a test in a function's body still asks by which route a request came."""
    body = function.node.body if isinstance(function.node.body, list) else []
    return any(
        isinstance(each, ast.If) and asks_route(each.test, function.body) for each in own_statements(body)
    )


def _may_remake(program: Program, instances: Instances, decorator: ast.expr, scope: Scope) -> bool:
    """Whether another package has a decorator whose name tells of what is answered: `@responds(schema=Book)`."""
    target = _made_by(program, instances, decorator, scope)
    return isinstance(target, External) and _REMAKING.search(target.name) is not None


def _guard(program: Program, instances: Instances, decorator: ast.expr, scope: Scope) -> str:
    """The package whose decorator this is, of those that are known to guard handlers; else an empty string."""
    target = _made_by(program, instances, decorator, scope)
    return target.root if isinstance(target, External) and target.root in _GUARDS else ""


def _made_by(program: Program, instances: Instances, decorator: ast.expr, scope: Scope) -> Target | None:
    """What a decorator is, or what makes it where it is called."""
    function = uncalled(decorator)
    return program.resolve(function, scope) or instances.callee(function, scope)
