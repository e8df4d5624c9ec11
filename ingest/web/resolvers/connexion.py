"""Connexion: the functions that a contract names for its operations, what they take and how they answer."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from graph.facts import Extract, Fact, Kind, Unknown
from graph.schema_algebra import Schema
from ingest import versions
from ingest.resolver import Contracted, Project
from ingest.web.answers.answers import Answer
from ingest.web.answers.json_marshmallow import written_out
from ingest.web.answers.json_values import JsonValues
from ingest.web.connexion.answers import PROBLEM, AnswerReader
from ingest.web.connexion.bodies import BodyReader
from ingest.web.connexion.contracts import Contracts
from ingest.web.connexion.foca import APPLICATIONS as FOCA
from ingest.web.connexion.foca import exception_table, naming_by_ids
from ingest.web.connexion.functions import NamedFunctions
from ingest.web.connexion.given import given_by
from ingest.web.connexion.handlers import HandlerReader
from ingest.web.connexion.names import Naming, raw_path
from ingest.web.connexion.resolvers import naming_of
from ingest.web.connexion.verbatim import checked_names, passes_on
from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument
from ingest.web.program.discovery import resolved
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, Target
from ingest.web.raising.decorators import decorators_of, wrappers_of
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.exits import Exits
from ingest.web.raising.raised import RaisedReader
from ingest.web.raising.risks import Risks
from ingest.web.records.facts import extract_of
from ingest.web.records.operations import Operation, Response
from ingest.web.routing.attempts import attempted
from ingest.web.routing.sites import Event, Site, Sites
from ingest.web.schemas.models import Models
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_JOINS = re.compile(r"\badd_api\b|\badd_error_handler\b")
_APPLICATIONS = ("App", "FlaskApp", "AsyncApp", "AioHttpApp", "FlaskBApp", "ConnexionMiddleware")
_APIS = ("FlaskApi", "AioHttpApi")
"""What Connexion 2 makes of one contract, for a project that registers it by itself."""
_DATA = ("object", "array", "string", "integer", "number", "boolean")
_REFUSALS = ("400", "401", "403", "406", "415")

_TEXT: Schema = {"type": "string"}
_PROBLEM: Schema = {
    "type": "object",
    "properties": {"type": _TEXT, "title": _TEXT, "detail": _TEXT, "status": {"type": "integer"}},
    "required": ["detail", "status", "title", "type"],
    "x-complete": True,
}
_AROUND = ("flask", "werkzeug", "pymongo")


class ConnexionResolver:
    """The resolver of the operations that Connexion serves from the project's contracts."""

    name = "connexion"
    version = versions.CONNEXION

    def resolve(self, project: Project) -> Extract:
        """See `Resolver.resolve`."""

        def reader(program: Program, modules: list[Module]) -> _Reader:
            return _Reader(program, modules, project.promised() if isinstance(project, Contracted) else ())

        return resolved(project, ("connexion", "foca"), _JOINS, reader)


class _Reader:
    def __init__(self, program: Program, modules: list[Module], promised: tuple[Fact, ...]) -> None:
        self.program = program
        self.instances = Instances(program)
        self.models = Models(program)
        self.exits = Exits(program, self.instances, Risks(program, modules))
        self.sites = Sites(program, self.instances, modules, self.kind_of)
        self.values = JsonValues(program, self.instances, self.models)
        self.answers = AnswerReader(program, self.instances, self.is_data)
        self.raised = RaisedReader(program, self.answers.answers, content=self.content, values=self.values)
        bodies = BodyReader(program, self.instances, self.answers.answers)
        self.handlers = HandlerReader(program, self.models, bodies)
        self.unknown: list[Unknown] = []
        self.modules = modules
        self.functions = NamedFunctions(program, self.instances)
        self.contracts = Contracts(program, promised)
        self.errors: dict[Site, ErrorHandlers] = {}

    def read(self) -> Extract:
        events = list(self.sites.events({"add_api", "add_error_handler"}))
        events += [
            Event(site, "add_api", site.call, site.scope)
            for site in self.sites.all()
            if site.kind in _APIS and site.call is not None
        ]
        for event in events:
            if event.method == "add_error_handler":
                node = argument(event.call, 1, "function")
                made = self.instances.callee(node, event.scope) if node is not None else None
                table = self.errors.setdefault(event.site, ErrorHandlers())
                table.register(self.program, argument(event.call, 0, "code_or_exception"), event.scope, made)
        operations: list[Operation] = []
        # What is kept by one function may be answered by another: all that is given is noted first.
        for event in events:
            if event.method == "add_api":
                self.note_given(event)
        for event in events:
            if event.method == "add_api":
                operations += self.api(event)
        for site in self.sites.all():
            if site.kind in FOCA and site.call is not None:
                operations += self.configured(Event(site, "add_api", site.call, site.scope))
        return extract_of(operations, self.models, self.unknown)

    def is_data(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is a plain value, and no answer that is made already."""
        if isinstance(node, ast.Call) and written_out(self.program, self.instances, node, scope) is not None:
            return True
        found = self.values.schema(node, scope)
        return "$ref" in found or found.get("type") in _DATA

    def kind_of(self, target: Target | None) -> str:
        known = [("connexion", name) for name in (*_APPLICATIONS, *_APIS)] + [("foca", name) for name in FOCA]
        return next((name for root, name in known if self.program.is_a(target, {root}, {name})), "")

    def note_given(self, event: Event) -> None:
        """Notes the types that Connexion has checked of what it gives to the functions of one contract."""
        contract = self.contracts.served(event)
        naming = naming_of(self.instances, event)
        if contract is None or naming is None:
            return
        for promised in self.contracts.operations[contract]:
            handler = self.functions.of(naming.dotted(promised), event.scope)
            if isinstance(handler, FunctionTarget):
                parts = self.contracts.parts_of(promised)
                writes = any(part.kind is Kind.BODY for part in parts)
                checked = self.checked(handler, event) if writes else None
                given = given_by(parts, self.contracts.schemas, checked)
                self.values.given.update({(handler.node, key): schema for key, schema in given.items()})

    def checked(self, handler: FunctionTarget, event: Event) -> frozenset[str] | None:
        """The names of what a function that refuses nothing holds against limits; None for one that may refuse."""
        summary = self.exits.of(handler)
        answers, understood = self.answers.of(handler)
        raised, unclear = self.raised.responses(summary.exits, self.errors.get(event.site, ErrorHandlers()))
        statuses = [*(int(each.status) for each in raised), *(each.status or 200 for each in answers)]
        whole = understood and not (summary.doubts or unclear or getattr(handler.node, "decorator_list", ()))
        return checked_names(summary.followed) if whole and passes_on(statuses) else None

    def api(self, event: Event) -> Iterator[Operation]:
        """The operations of one contract that an application serves."""
        place = self.program.place(event.call, event.scope)
        contract = self.contracts.served(event)
        if contract is None:
            reason = "which contract is served here cannot be known"
            self.unknown.append(Unknown(f"Connexion {place.path}", "routes", place.path, place.line, reason))
            return
        yield from self.of_contract(event, contract, naming_of(self.instances, event))

    def of_contract(self, event: Event, contract: str, naming: Naming | None) -> Iterator[Operation]:
        """The operations of a contract by the functions that serve them."""
        written = argument(event.call, None, "base_path")
        base = text_of(self.program, written, event.scope) if written is not None else None
        listed = self.contracts.operations[contract]
        names = {each.id: naming.dotted(each) if naming is not None else each.id for each in listed}
        shared = Counter(names.values())
        for promised in listed:
            path = str(promised.aspects["path"])
            if written is not None:
                path = (base or "").rstrip("/") + raw_path(promised)
            with self.program.trail() as paths:
                read = partial(self.operation, event, promised, naming, path, shared[names[promised.id]] > 1)
                served = attempted(read, self.program.place(event.call, event.scope), self.unknown)
            for found in served:
                found.sources = {*paths, promised.source.path, contract, event.scope.path}
                found.document = event.scope.path
                yield found

    def configured(self, event: Event) -> Iterator[Operation]:
        """The operations of the contracts whose functions the project has, where a file of settings names them."""
        handlers = exception_table(self.program, self.modules)
        self.errors[event.site] = handlers or ErrorHandlers()
        for contract, promised in sorted(self.contracts.operations.items()):
            naming: Naming | None = Naming()
            dotted = [Naming().dotted(each) for each in promised]
            if not any(
                isinstance(self.functions.of(d, event.scope), FunctionTarget) for d in dotted if "." in d
            ):
                # Functions alone often import nothing of the framework.
                naming = naming_by_ids(promised, self.modules) or naming_by_ids(
                    promised, self.program.importers(_AROUND)
                )
            if naming is None:
                continue
            for operation in self.of_contract(event, contract, naming):
                if handlers is None:
                    operation.statuses_complete = False
                yield operation

    def operation(
        self, event: Event, promised: Fact, naming: Naming | None, path: str, shared: bool
    ) -> Iterator[Operation]:
        """One operation with the function that serves it; nothing where there is no such function."""
        place = self.program.place(event.call, event.scope)
        dotted = naming.dotted(promised) if naming is not None else None
        handler = self.functions.of(dotted, event.scope) if dotted is not None else External("")
        if handler is None:
            return
        operation = Operation(str(promised.aspects["method"]), path, place, "", "connexion")
        operation.deprecated = promised.aspects.get("deprecated") is True
        if not isinstance(handler, FunctionTarget):
            reason = "the function that serves it is not the project's own"
            operation.unknown.append(("handler", place, reason))
            yield operation
            return
        operation.source = self.program.place(handler.node, handler.scope)
        operation.handler = handler.qualified
        self.fill(operation, event, handler, promised, shared)
        yield operation

    def fill(
        self, operation: Operation, event: Event, handler: FunctionTarget, promised: Fact, shared: bool
    ) -> None:
        """Fills in what a function takes and answers; `shared` tells that it serves other operations too."""
        parts = self.contracts.parts_of(promised)
        summary = self.exits.of(handler)
        doubts = [(doubt.place, doubt.reason) for doubt in summary.doubts]
        self.handlers.take(operation, handler, promised, parts, summary.followed)
        answers, understood = self.answers.of(handler)
        operation.responses = [
            Response(
                str(answer.status),
                "success" if answer.status is not None and answer.status < 400 else "returned",
                answer.place,
                self.content(answer),
                via=(handler.qualified, *answer.via),
            )
            for answer in answers
        ]
        if not understood:
            doubts.append((operation.source, "what is returned cannot all be known"))
        if not understood or shared:
            # What is not understood, or is for another operation, may have the same status.
            operation.responses = [
                replace(each, content=None) if each.origin == "success" else each
                for each in operation.responses
            ]
        handlers = self.errors.get(event.site, ErrorHandlers())
        exits = list(summary.exits)
        plain = understood and not shared
        for decorator in decorators_of(self.program, self.sites, handler):
            wrappers = wrappers_of(self.program, self.answers.answers, decorator, handler)
            if wrappers is None:
                operation.parameters_complete = plain = False
                doubts.append(
                    (self.program.place(decorator, handler.scope), "what a decorator does is not known")
                )
            exits += [leaving for wrapper in wrappers or [] for leaving in self.exits.of(wrapper).exits]
        if plain:
            operation.succeed_surely()
        found, unclear = self.raised.responses(exits, handlers)
        operation.responses += found
        operation.responses += [Response(code, "framework", operation.source) for code in _REFUSALS]
        doubts += unclear
        operation.unknown.extend(("responses", place, reason) for place, reason in dict.fromkeys(doubts))
        operation.statuses_complete = not doubts

    def content(self, answer: Answer) -> dict[str, Schema] | None:
        """The form of an answer, where it is certain to be JSON."""
        if answer.status == 204:
            return {}
        media_type = (answer.media_type or "").split(";")[0].strip()
        if media_type.startswith("text/"):
            return {media_type: {"type": "string"}}
        if media_type == PROBLEM:
            return {media_type: _PROBLEM}
        if answer.data is None or answer.scope is None or media_type not in ("", "application/json"):
            return None
        schema = self.values.schema(answer.data, answer.scope)
        known = "$ref" in schema or schema.get("type") in ("object", "array")
        return {"application/json": schema} if known else None
