"""What one Flask handler makes of an operation: its parameters, bodies and answers, as far as it tells them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from msgspec.structs import replace

from graph.facts import Location
from ingest.web.answers.response_headers import headers_of
from ingest.web.constants.constants import elements
from ingest.web.constants.star_arguments import written_out
from ingest.web.flask.data import DataReader
from ingest.web.flask.declared import Declared, Decoration
from ingest.web.flask.guards import Guards, Looked
from ingest.web.flask.requests import RequestReader
from ingest.web.flask.responses import ResponseReader
from ingest.web.flask.sent import by_itself
from ingest.web.flask.tree import Around
from ingest.web.flask.wrappers import add_hooks, guarding, wrapping_of
from ingest.web.program.methods import class_around
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ValueTarget
from ingest.web.raising.decorators import decorators_of, is_of_site
from ingest.web.raising.exits import Exits
from ingest.web.raising.remaking import remade
from ingest.web.raising.summaries import Summary
from ingest.web.records.operations import Operation, Parameter, Response
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
_EXTENSIONS = frozenset(
    {
        "apiflask",
        "webargs",
        "flask_apispec",
        "flask_accepts",
        "flask_pydantic",
        "quart_schema",
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
        self.guards = Guards(program, exits, self.responses)
        self.data = DataReader(program, instances, self.responses)

    @property
    def untouched(self) -> bool:
        """Whether nothing in the project changes answers after their handlers."""
        return not self.guards.changes

    def decorations(self, sites: Sites, handler: FunctionTarget) -> list[Decoration]:
        """The methods of sites that decorate a handler, outermost first, then those its view class lists."""
        return [
            found
            for node, scope in self._decorators(handler)
            if (found := self.decoration(sites, node, scope)) is not None
        ]

    def gives(self, handler: FunctionTarget, parameters: Iterable[Parameter]) -> None:
        """Notes that a handler is given the parameters of a path, of which it answers what their converters made."""
        for each in parameters:
            told = {k: value for k, value in each.schema.items() if k in ("type", "format", "x-unknown")}
            self.responses.values.given[handler.node, each.name] = told

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
        if declared is None:
            handler, others = remade(self.program, self.responses.answers, handler, others)
        looked = self._looked(around, handler, others, declared, foreign, hooks)
        reading = self._take(operation, looked, others)
        doubtful = looked.foreign or any(summary.doubts for summary, _ in looked.summaries)
        if not (shared and operation.method in _BODILESS):
            bodies = reading.bodies(closed=not doubtful)
            # Who only may be sent one is rather asked without it.
            always = operation.method not in _WITHOUT_BODY or all(body.required for body in bodies)
            operation.bodies = bodies if always else []
        operation.parameters_complete = reading.complete and not looked.foreign
        doubts = self._answer(operation, looked, shared)
        if reading.parameters or operation.bodies:
            # A value or body that is missing or malformed is refused by werkzeug itself.
            operation.responses += [Response(c, "framework", operation.source) for c in ("400", "415")]
        operation.responses += by_itself(self.program, looked.functions, operation.source)
        operation.unknown.extend(("responses", place, reason) for place, reason in dict.fromkeys(doubts))
        operation.statuses_complete = not doubts and not looked.foreign and looked.clear
        if operation.statuses_complete and looked.plain and self.untouched:
            operation.headers = headers_of(self.program, dict.fromkeys(looked.functions))
        if looked.certain:
            self.guards.fill(operation, looked, reading)
        if declared is not None:
            free = looked.clear and not (looked.foreign or looked.wrapping.guarded)
            _declare(operation, declared, reading, free)

    def _looked(
        self,
        around: Around,
        handler: FunctionTarget,
        others: list[tuple[ast.expr, Scope]],
        declared: Declared | None,
        foreign: bool,
        hooks: list[FunctionTarget] | None,
    ) -> Looked:
        wrapping = wrapping_of(self.program, self.instances, self.responses.answers, others, handler)
        clear = around.transparent
        plain = declared is None or declared.plain
        for hook in hooks or ():
            # What decorates a function that runs before the handler guards the handler.
            guards = [(node, hook.scope) for node in guarding(hook)]
            inner = wrapping_of(self.program, self.instances, self.responses.answers, guards, hook)
            wrapping.put_on(inner, chosen=False)
        foreign = foreign or wrapping.foreign
        if not clear and hooks is not None:
            clear = add_hooks(wrapping, hooks, self.exits, self.responses.answers)
        answering = {hook.node for hook in wrapping.hooks}
        wrapping.looking = [hook for hook in hooks or () if hook.node not in answering]
        summaries: list[tuple[Summary, tuple[str, ...]]] = [(self.exits.of(handler), ())]
        summaries += [(self.exits.of(each), (handler.qualified,)) for each in wrapping.wrappers]
        handlers = around.handlers.around(wrapping.caught)
        return Looked(handler, declared, wrapping, summaries, handlers, plain, clear, foreign)

    def _take(self, operation: Operation, looked: Looked, others: list[tuple[ast.expr, Scope]]) -> Reading:
        """What is read of requests, apart from what hooks read for several handlers: that may be sent to each."""
        shared = [self.exits.of(h).followed for h in (*looked.wrapping.hooks, *looked.wrapping.looking)]
        handling = {function.node for function in looked.summaries[0][0].followed}
        elsewhere = {function.node for followed in shared for function in followed} - handling
        own = [function for function in looked.functions if function.node not in elsewhere]
        before = [self.requests.read(dict.fromkeys(followed)) for followed in shared]
        hooks = {hook.node for hook in looked.wrapping.hooks}
        around = {each.node for each in looked.wrapping.wrappers} - hooks
        reading = self.requests.read(dict.fromkeys(own), operation.parameters, around)
        for each in (*before, reading):
            each.without_body(operation.method in ("GET", "HEAD", "DELETE"))
        operation.parameters = [reading.parameters.pop(each.key, each) for each in operation.parameters]
        operation.taken += [key for each in before for key in reading.after(each)]
        if reading.routed:
            operation.taken += sorted(reading.parameters)
            reading.parameters, reading.complete = {}, False
        for node, scope in others:
            held = self.requests.models.checks.of_decorator(node, scope)
            if held is not None:
                reading.hold(held, self.program.place(node, scope))
        if looked.certain:
            reading.release()
            flows = Flows(self.program, self.instances, looked.functions)
            operation.parameters = typed_path(operation.parameters, flows)
        operation.parameters += list(reading.parameters.values())
        return reading

    def _answer(self, operation: Operation, looked: Looked, shared: bool) -> list[tuple[Location, str]]:
        """Fills in what is answered; gives what cannot be known of it."""
        doubts = [*(looked.declared.doubts if looked.declared else ()), *looked.wrapping.doubts]
        doubts += self._returned(operation, looked.handler, looked.declared)
        if looked.wrapping.remakes and (looked.declared is None or looked.declared.success is None):
            operation.responses = [replace(each, content=None) for each in operation.responses]
        if not (doubts or looked.foreign or shared):
            operation.succeed_surely()
        for summary, via in looked.summaries:
            found, unclear = self.responses.raised(summary.exits, looked.handlers, via)
            operation.responses += _beside(found, looked.declared)
            doubts += unclear
            doubts += [(doubt.place, doubt.reason) for doubt in summary.doubts]
        wrapping = looked.wrapping
        given = self.responses.responses(wrapping.given, looked.handler)
        operation.responses += [*wrapping.answers, *given]
        return doubts

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

    def _returned(
        self, operation: Operation, handler: FunctionTarget, declared: Declared | None
    ) -> list[tuple[Location, str]]:
        if declared is not None and declared.success is not None:
            found, understood = self.data.returned(
                handler, declared.success, declared.plain and declared.success.unnamed
            )
            # What is declared of another status than that of the success is what is answered with it.
            told = {r.status: r.content for r in declared.responses if r.content}
            told.pop(declared.success.status, None)
            found = [replace(r, content=told.get(r.status, r.content)) if r.content else r for r in found]
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
        if call is not None:
            call, scope = written_out(self.program, call, scope)
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
    # On plain Flask, an extension checks what it is told, and the handler perhaps the rest.
    beside = declared.plain and declared.framework == "flask"
    checked = [replace(p, declared=beside and p.key not in reading.parameters) for p in declared.parameters]
    operation.parameters = [*kept, *checked]
    taken = [replace(b, declared=beside and not operation.bodies) for b in declared.bodies]
    operation.bodies = [*taken, *(b for b in operation.bodies if b.media_type not in types)]
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
