"""What surrounds the handlers of FastAPI's and Starlette's applications: exception handlers and middlewares."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import msgspec

from ingest.web.constants.constants import elements, entries, status_of
from ingest.web.fastapi.middlewares import MiddlewareReader
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.raising.asgi_middlewares import HARMLESS
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.exceptions import lineage
from ingest.web.routing.sites import Event, Site
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

GUARDS = frozenset({"exception_handler", "add_exception_handler", "middleware", "add_middleware"})


class Application(msgspec.Struct, eq=False):
    """One application: its exception handlers, and whether a middleware may answer in its place."""

    site: Site
    handlers: ErrorHandlers = msgspec.field(default_factory=ErrorHandlers)
    transparent: bool = True
    plain: bool = True
    """Whether nothing of the project stands between the handlers and the client."""
    opaque: bool = False
    """Whether something else than `guards`, the project's own functions, may answer in the handlers' place."""
    knows_callers: bool = False
    """Whether a middleware of the project may tell the handlers who calls."""
    own_statuses: frozenset[int] | None = frozenset()
    """The statuses that middlewares answer with in the handlers' place; None where these cannot be known."""
    guards: list[FunctionTarget] = msgspec.field(default_factory=list)
    backends: list[FunctionTarget] = msgspec.field(default_factory=list)
    """The functions that tell who calls."""
    refusing: list[Target | None] = msgspec.field(default_factory=list)
    """What answers for those among them that refuse wrong credentials; None is the framework's own answer."""


class Surroundings:
    """Reads what is registered around applications."""

    def __init__(
        self,
        program: Program,
        instances: Instances,
        guards: Mapping[Site, list[Event]],
        middlewares: MiddlewareReader,
    ) -> None:
        self.program = program
        self.instances = instances
        self.guards = guards
        self.middlewares = middlewares

    def application(self, site: Site) -> Application:
        """An application with its exception handlers and middlewares."""
        application = Application(site)
        if site.call is not None:
            table = entries(self.program, argument(site.call, None, "exception_handlers"), site.scope)
            for key, value, scope in table or []:
                self._handle(application, key, value, scope)
            middleware = argument(site.call, None, "middleware")
            for node, scope in elements(self.program, middleware, site.scope) or [] if middleware else []:
                inner = argument(node, 0, "cls") if isinstance(node, ast.Call) else None
                self._pass(application, self.program.resolve(inner, scope), node, scope)
        for event in self.guards.get(site, []):
            first = argument(event.call, 0, "exc_class_or_status_code", "middleware_class")
            if event.method == "exception_handler":
                self._handled(application, first, event.scope, event.function)
            elif event.method == "add_exception_handler":
                handler = argument(event.call, 1, "handler")
                if first is not None and handler is not None:
                    self._handle(application, first, handler, event.scope)
            elif event.method == "middleware":
                self._pass(application, event.function)
            else:
                self._pass(application, self.program.resolve(first, event.scope), event.call, event.scope)
        return application

    def _handle(self, application: Application, key: ast.expr, value: ast.expr, scope: Scope) -> None:
        self._handled(application, key, scope, self.instances.callee(value, scope))

    def _handled(
        self, application: Application, key: ast.expr | None, scope: Scope, handler: Target | None
    ) -> None:
        function = handler if isinstance(handler, FunctionTarget) else None
        status = status_of(self.program, key, scope)
        if status is not None:
            application.handlers.statuses[status] = function
            return
        target = self.program.resolve(key, scope)
        if isinstance(target, ClassTarget | External):
            application.handlers.classes[lineage(self.program, target)[0][0]] = function

    def _pass(
        self,
        application: Application,
        middleware: Target | None,
        call: ast.expr | None = None,
        scope: Scope | None = None,
    ) -> None:
        """Notes a middleware, which a call may have made."""
        middleware = self._meant(middleware, call, scope)
        known = isinstance(middleware, External) and middleware.name in HARMLESS
        application.plain = application.plain and known
        application.knows_callers = application.knows_callers or self.middlewares.knows_callers(middleware)
        if known or self._asks(application, middleware, call, scope) or self.middlewares.harmless(middleware):
            return
        application.transparent = False
        given = self.middlewares.statuses(middleware)
        before = application.own_statuses
        application.own_statuses = None if before is None or given is None else before | given
        function = middleware
        if isinstance(middleware, ClassTarget):
            function = self.program.class_member(middleware, "dispatch")
        if isinstance(function, FunctionTarget):
            application.guards.append(function)
        else:
            application.opaque = True

    def _meant(self, middleware: Target | None, call: ast.expr | None, scope: Scope | None) -> Target | None:
        """What answers for a middleware: `dispatch=` where a call names it; a class of an installed distribution."""
        if call is None or scope is None or not isinstance(middleware, External):
            return middleware
        if middleware.name == "BaseHTTPMiddleware" and isinstance(call, ast.Call):
            written = argument(call, None, "dispatch")
            return self.instances.callee(written, scope) if written is not None else middleware
        if middleware.name in HARMLESS:
            return middleware
        return self.program.outside.lead(self.program, middleware, self.program.place(call, scope))

    def _asks(
        self, application: Application, middleware: Target | None, call: ast.expr | None, scope: Scope | None
    ) -> bool:
        """Whether this is Starlette's own asking who calls, which refuses at most those with wrong credentials."""
        if middleware != External("starlette.middleware.authentication.AuthenticationMiddleware"):
            return False
        made = argument(call, None, "backend") if isinstance(call, ast.Call) else None
        backend = self.instances.of(made, scope) if made is not None and scope is not None else None
        asked = (
            self.program.class_member(backend, "authenticate") if isinstance(backend, ClassTarget) else None
        )
        if not isinstance(asked, FunctionTarget):
            return False
        raised = [part for part in ast.walk(asked.node) if isinstance(part, ast.Raise)]
        if not all(self._is_refusal(each, asked) for each in raised):
            return False
        application.backends.append(asked)
        if raised and isinstance(call, ast.Call) and scope is not None:
            written = argument(call, None, "on_error")
            told = self.instances.callee(written, scope) if written is not None else None
            application.refusing.append(told or (External("") if written is not None else None))
            application.transparent, application.own_statuses = False, None
        return True

    def _is_refusal(self, node: ast.Raise, function: FunctionTarget) -> bool:
        """Whether a statement raises what Starlette's asking turns into its answer."""
        made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        target = self.program.resolve(made, function.body)
        return self.program.is_a(target, {"starlette"}, {"AuthenticationError"})
