"""What one Flask handler makes of an operation: its parameters, bodies and answers, as far as it tells them."""

from __future__ import annotations

import ast
import re
from functools import cached_property

from msgspec.structs import replace

from graph.facts import Location
from ingest.web.answers.response_headers import headers_of
from ingest.web.constants.constants import elements
from ingest.web.flask.data import DataReader
from ingest.web.flask.declared import Declared, Decoration
from ingest.web.flask.requests import RequestReader
from ingest.web.flask.responses import ResponseReader
from ingest.web.flask.tree import Around
from ingest.web.flask.wrappers import Wrapping, add_hooks, wrapping_of
from ingest.web.program.methods import class_around
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ValueTarget
from ingest.web.raising.decorators import decorators_of, is_of_site
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.exits import Exits
from ingest.web.raising.own_guards import REFUSALS, credentials_of, without_credentials
from ingest.web.raising.summaries import Summary
from ingest.web.records.operations import Operation, Response
from ingest.web.requests.flows import Flows
from ingest.web.requests.path_checks import typed_path
from ingest.web.requests.reading import Reading
from ingest.web.routing.sites import Sites
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_BODILESS = frozenset({"GET", "HEAD", "DELETE"})
_WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods whose bodies mean nothing to HTTP: what shared code reads of one there is nothing to tell clients about."""
_AFTERWARDS = re.compile(
    r"\bafter_(?:app_)?request\b|\bafter_this_request\b|\bprocess_response\b|\bwsgi_app\b|\bresponse_class\b|\bTalisman\b"
)
_CALLERS = frozenset({"flask.session", "flask.g"})
_ACCOUNTS = frozenset(
    {"flask_login", "flask_security", "flask_jwt_extended", "flask_httpauth", "flask_principal"}
)
_HANDING_OUT = ("create_", "set_", "unset_", "login_user", "logout_user", "hash_", "verify_")
"""How functions are called that hand credentials out or take them back, and ask nobody for any."""
_EXTENSIONS = frozenset(
    {
        "apiflask",
        "webargs",
        "flask_pydantic",
        "spectree",
        "flask_smorest",
        "flask_restx",
        "flask_restplus",
        "flask_restful",
    }
)


class HandlerReader:
    """Fills in operations from the handlers of one program."""

    def __init__(self, program: Program, instances: Instances, exits: Exits, models: Models) -> None:
        self.program = program
        self.instances = instances
        self.exits = exits
        self.requests = RequestReader(program, models)
        self.responses = ResponseReader(program, instances, models)
        self.data = DataReader(program, instances, self.responses)

    @property
    def untouched(self) -> bool:
        """Whether nothing in the project changes answers after their handlers."""
        return not self._changes

    @cached_property
    def _changes(self) -> frozenset[str]:
        names = self.program.importers_named(("flask", "werkzeug"))
        return frozenset(word for name in names for word in _AFTERWARDS.findall(self.program.text(name)))

    def decorations(self, sites: Sites, handler: FunctionTarget) -> list[Decoration]:
        """The methods of sites that decorate a handler, outermost first, then those its view class lists."""
        return [
            found
            for node, scope in self._decorators(handler)
            if (found := self.decoration(sites, node, scope)) is not None
        ]

    def fill(
        self,
        operation: Operation,
        around: Around,
        handler: FunctionTarget,
        others: list[tuple[ast.expr, Scope]],
        declared: Declared | None = None,
        shared: bool = False,
        foreign: bool = False,
        hooks: list[FunctionTarget] | None = None,
    ) -> None:
        """Fills in what the handler reads and answers.

        `hooks` run before it, and may answer in its place; None where they cannot be known.

        `others` are its decorators that are of no framework; `foreign` tells of ones that cannot be looked into;
        `shared` that it serves other methods too.
        """
        around_it = wrapping_of(self.program, self.instances, self.responses.answers, others, handler)
        foreign = foreign or around_it.foreign
        clear = around.transparent
        plain = declared is None or declared.plain
        if plain and not clear and hooks is not None:
            clear = add_hooks(around_it, hooks, self.exits, self.responses.answers)
        summaries: list[tuple[Summary, tuple[str, ...]]] = [(self.exits.of(handler), ())]
        summaries += [(self.exits.of(each), (handler.qualified,)) for each in around_it.wrappers]
        doubts = [*(declared.doubts if declared else ()), *around_it.doubts]
        functions = [f for summary, _ in summaries for f in summary.followed]
        shared_ones = [self.exits.of(hook).followed for hook in around_it.hooks]
        elsewhere = {f.node for followed in shared_ones for f in followed} - {
            f.node for f in summaries[0][0].followed
        }
        own = [f for f in functions if f.node not in elsewhere]
        before = [self.requests.read(dict.fromkeys(followed)) for followed in shared_ones]
        reading = self.requests.read(dict.fromkeys(own), operation.parameters)
        operation.parameters = [reading.parameters.pop(each.key, each) for each in operation.parameters]
        operation.taken += [key for each in before for key in reading.after(each)]
        for node, scope in others:
            held = self.requests.models.checks.of_decorator(node, scope)
            if held is not None:
                reading.hold(held, self.program.place(node, scope))
        if plain and clear and not foreign:
            reading.release()
            flows = Flows(self.program, self.instances, functions)
            operation.parameters = typed_path(operation.parameters, flows)
        operation.parameters += list(reading.parameters.values())
        if operation.method not in _WITHOUT_BODY and not (shared and operation.method in _BODILESS):
            doubtful = foreign or any(summary.doubts for summary, _ in summaries)
            operation.bodies = reading.bodies(closed=not doubtful)
        operation.parameters_complete = reading.complete and not foreign
        doubts += self._answers(operation, handler, declared)
        handlers = around.handlers.around(around_it.caught)
        for summary, via in summaries:
            found, unclear = self.responses.raised(summary.exits, handlers, via)
            operation.responses += _beside(found, declared)
            doubts += unclear
            doubts += [(doubt.place, doubt.reason) for doubt in summary.doubts]
        operation.responses += [*around_it.answers, *self.responses.responses(around_it.given, handler)]
        if reading.parameters or operation.bodies:
            # A value or body that is missing or malformed is refused by werkzeug itself.
            operation.responses += [Response(c, "framework", operation.source) for c in ("400", "415")]
        operation.unknown.extend(("responses", place, reason) for place, reason in dict.fromkeys(doubts))
        operation.statuses_complete = not doubts and not foreign and clear
        if operation.statuses_complete and plain and self.untouched:
            operation.headers = headers_of(self.program, dict.fromkeys(functions))
        if plain and clear and not foreign:
            self._guard(operation, around_it, summaries, reading, handlers)
        if declared is not None:
            free = clear and not (foreign or around_it.guarded)
            _declare(operation, declared, reading, free)

    def _guard(
        self,
        operation: Operation,
        around_it: Wrapping,
        summaries: list[tuple[Summary, tuple[str, ...]]],
        reading: Reading,
        handlers: ErrorHandlers,
    ) -> None:
        """What plain Flask's operation asks of its callers, where only functions of the project do."""
        outer = [summary for summary, _ in summaries[1:]]
        refused = {answer.status for answer in around_it.given}
        for summary in outer:
            refused |= self.responses.statuses(summary.exits, handlers)
        if refused & REFUSALS:
            asking = [function for summary in outer for function in summary.followed]
        else:
            asking = [f for f in reading.helpers if self._refuses(f, handlers)]
        if asking:
            schemes = credentials_of(self.program, {f.node: f for f in asking}.values())
            if schemes is not None:
                operation.security = [{name: []} for name in schemes]
                operation.security_schemes = schemes
                operation.parameters = without_credentials(operation.parameters, schemes)
                known = {f"{each['in']}.{each['name']}".lower() for each in schemes.values() if "in" in each}
                operation.taken = [key for key in operation.taken if key.lower() not in known]
        elif any(summary.doubts for summary in outer):
            return
        elif around_it.schemes is not None:
            operation.security = [{name: []} for name in around_it.schemes]
            operation.security_schemes = around_it.schemes
        elif not (reading.guarded or around_it.guarded) and not self._knows_callers(summaries):
            operation.security = []

    def _refuses(self, function: FunctionTarget, handlers: ErrorHandlers) -> bool:
        """Whether a function that the handler always calls turns callers away."""
        return bool(self.responses.statuses(self.exits.of(function).exits, handlers) & REFUSALS)

    def _knows_callers(self, summaries: list[tuple[Summary, tuple[str, ...]]]) -> bool:
        """Whether one of the functions looks at a session or at who is logged in."""
        for summary, _ in summaries:
            for function in summary.followed:
                for node in ast.walk(function.node):
                    target = self.program.resolve(node, function.body) if isinstance(node, ast.Name) else None
                    if isinstance(target, External) and (
                        target.dotted in _CALLERS
                        or (target.root in _ACCOUNTS and not target.name.startswith(_HANDING_OUT))
                    ):
                        return True
        return "wsgi_app" in self._changes

    def others(self, sites: Sites, handler: FunctionTarget) -> list[tuple[ast.expr, Scope]]:
        """The decorators of a handler, and those that its view class lists, that are of no framework."""
        own = [(node, handler.scope) for node in decorators_of(self.program, sites, handler)]
        return [
            (node, scope)
            for node, scope in [*own, *(self._listed(handler) or [])]
            if self.decoration(sites, node, scope) is None
        ]

    def is_foreign(self, handler: FunctionTarget) -> bool:
        """Whether the handler's class lists decorators that cannot be known."""
        return self._listed(handler) is None

    def _answers(
        self, operation: Operation, handler: FunctionTarget, declared: Declared | None
    ) -> list[tuple[Location, str]]:
        if declared is not None and declared.success is not None:
            found, understood = self.data.returned(handler, declared.success)
        else:
            answers, understood = self.responses.returned(handler)
            found = self.responses.responses(answers, handler)
            if declared is not None:
                formless = declared.formless
                found = [replace(r, content=None) if formless & set(r.content or ()) else r for r in found]
                found = [replace(r, origin="framework") if declared.silent else r for r in found]
        operation.responses = found
        return [] if understood else [(operation.source, "what is returned cannot all be known")]

    def _decorators(self, handler: FunctionTarget) -> list[tuple[ast.expr, Scope]]:
        own = handler.node.decorator_list if isinstance(handler.node, Function) else []
        return [*((node, handler.scope) for node in own), *(self._listed(handler) or [])]

    def _listed(self, handler: FunctionTarget) -> list[tuple[ast.expr, Scope]] | None:
        """The decorators that the handler's class lists for all its methods; None where they are computed."""
        owner = class_around(handler.body)
        found = self.program.class_member(owner, "decorators") if owner is not None else None
        if isinstance(found, ValueTarget) and found.node is not None:
            return elements(self.program, found.node, found.scope)
        return []

    def decoration(self, sites: Sites, node: ast.expr, scope: Scope) -> Decoration | None:
        """The method of a site, or of an extension's module, that a decorator is; None for any other."""
        call = node if isinstance(node, ast.Call) else None
        function = call.func if call is not None else node
        if isinstance(function, ast.Attribute) and is_of_site(sites, function, scope):
            return Decoration(function.attr, call, node, scope)
        target = self.program.resolve(function, scope)
        if target is None and isinstance(function, ast.Attribute) and function.attr == "validate":
            target = self.instances.callee(function, scope)
        if isinstance(target, External) and target.root in _EXTENSIONS:
            return Decoration(target.name, call, node, scope)
        return None


def _beside(raised: list[Response], declared: Declared | None) -> list[Response]:
    """What error handlers answer; with the status of a success whose content is not known it may be either's."""
    success = declared.success if declared is not None else None
    if success is None or success.content is not None:
        return raised
    return [replace(r, content=None) if r.status == success.status else r for r in raised]


def _declare(operation: Operation, declared: Declared, reading: Reading, free: bool) -> None:
    """Adds what the extension's decorators declare to what the handler was seen to do."""
    own = {parameter.key for parameter in declared.parameters}
    types = {body.media_type for body in declared.bodies}
    by_hand = bool(reading.parameters.keys() - own) or any(
        b.media_type not in types for b in operation.bodies
    )
    operation.framework = "flask" if by_hand else declared.framework
    kept = [parameter for parameter in operation.parameters if parameter.key not in own]
    operation.parameters = [*kept, *declared.parameters]
    operation.bodies = [*declared.bodies, *(b for b in operation.bodies if b.media_type not in types)]
    operation.responses += declared.responses
    operation.parameters_complete = operation.parameters_complete and declared.complete
    operation.deprecated = operation.deprecated or declared.deprecated
    operation.operation_id = declared.operation_id
    operation.in_schema = not declared.hidden
    operation.taken = sorted(set(declared.taken))
    operation.security_schemes = declared.security_schemes or operation.security_schemes
    if declared.security is not None:
        operation.security = declared.security
    elif free and not reading.guarded and not declared.guarded:
        operation.security = []
