"""Operations of the REST framework's views and viewsets."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import unknown
from ingest.web.constants.constants import constant
from ingest.web.django.answers import AnswerReader
from ingest.web.django.routes import Route
from ingest.web.django.yasg_exports import answered_as_sent, exported
from ingest.web.django_views.views import METHODS, path_parameters
from ingest.web.drf.bodies import BodyReader, guess
from ingest.web.drf.choice import SerializerChoice
from ingest.web.drf.declared import DeclarationReader
from ingest.web.drf.declared_forms import Declared
from ingest.web.drf.declared_parameters import DeclaredParameters
from ingest.web.drf.entries import STATUS, TAKES, Entry
from ingest.web.drf.json_api import ASKED, is_asked_by_form
from ingest.web.drf.known_views import known_methods
from ingest.web.drf.lists import Listing, ListReader
from ingest.web.drf.lookups import LookupReader
from ingest.web.drf.permissions import PermissionReader
from ingest.web.drf.requests import RequestReading, read_requests
from ingest.web.drf.responses import ResponseReader
from ingest.web.drf.spelling import Spellings
from ingest.web.drf.stubs import is_stub, may_refuse, turns_pages
from ingest.web.drf.turned_to import asked_by_itself, filters_rows
from ingest.web.drf.views import REST, Policies, View
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.records.operations import Operation
from ingest.web.requests.method_tests import for_method, is_split
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import uncalled

FRAMEWORK: Final = "djangorestframework"
_GENERIC: Final[dict[str, dict[str, str]]] = {
    "CreateAPIView": {"post": "create"},
    "ListAPIView": {"get": "list"},
    "RetrieveAPIView": {"get": "retrieve"},
    "DestroyAPIView": {"delete": "destroy"},
    "UpdateAPIView": {"put": "update", "patch": "partial_update"},
    "ListCreateAPIView": {"get": "list", "post": "create"},
    "RetrieveUpdateAPIView": {"get": "retrieve", "put": "update", "patch": "partial_update"},
    "RetrieveDestroyAPIView": {"get": "retrieve", "delete": "destroy"},
    "RetrieveUpdateDestroyAPIView": {
        **{"get": "retrieve", "put": "update"},
        **{"patch": "partial_update", "delete": "destroy"},
    },
}


class RestReader:
    """Reads the operations of views of the REST framework of one program."""

    def __init__(
        self, program: Program, policies: Policies, models: SerializerModels, answers: AnswerReader
    ) -> None:
        self.program = program
        self.policies = policies
        self.models = models
        self.answers = answers
        self.choice = SerializerChoice(program, policies, models)
        self.spellings = Spellings(policies, models)
        self.permissions = PermissionReader(program, policies)
        self.lookups = LookupReader(policies, models)
        self.lists = ListReader(program, policies, models)
        self.declarations = DeclarationReader(program, models)
        self.parameters = DeclaredParameters(program, models)
        self.bodies = BodyReader(policies, models, self.choice, self.declarations)
        self.responses = ResponseReader(program, policies, self.choice, self.declarations, answers)

    def is_view(self, target: Target | None) -> bool:
        """Whether this is a view class of the REST framework."""
        if not isinstance(target, ClassTarget):
            return False
        bases = self.program.ancestry(target)
        framed = any(isinstance(base, External) and base.root == REST for base in bases)
        return framed or bool(known_methods(bases))

    def api_methods(self, handler: FunctionTarget) -> list[str] | None:
        """The methods of a function that is decorated by `@api_view`; None where it is not."""
        for node in handler.node.decorator_list if isinstance(handler.node, Function) else []:
            call = uncalled(node)
            target = self.program.resolve(call, handler.scope)
            if isinstance(target, External) and target.root == REST and target.name == "api_view":
                written = argument(node, 0, "http_method_names") if isinstance(node, ast.Call) else None
                found = constant(self.program, written, handler.scope) if written is not None else ["GET"]
                return [str(m).upper() for m in found] if isinstance(found, list) else []
        return None

    def function(self, route: Route, handler: FunctionTarget, methods: list[str]) -> Iterator[Operation]:
        """The operations of an `@api_view` function."""
        over = {}
        for node in handler.node.decorator_list if isinstance(handler.node, Function) else []:
            target = self.program.resolve(node.func, handler.scope) if isinstance(node, ast.Call) else None
            if (
                isinstance(target, External)
                and target.root == REST
                and isinstance(node, ast.Call)
                and node.args
            ):
                over[target.name] = (node.args[0], handler.scope)
        for method in methods:
            if method not in ("HEAD", "OPTIONS"):
                view = View(None, over)
                read = for_method(handler, method) if len(methods) > 1 and is_split(handler) else handler
                yield self.operation(Entry(route, view, method.lower(), method, read, False))

    def of_class(self, route: Route, view: View) -> Iterator[Operation]:
        """The operations of a class-based view."""
        assert view.target is not None
        names = self.policies.value(view, "http_method_names")
        generic: dict[str, str] = {}
        for base in reversed(self.program.ancestry(view.target)):
            if isinstance(base, External):
                generic.update(_GENERIC.get(base.name, {}))
        known = known_methods(self.program.ancestry(view.target))
        for name in METHODS:
            if isinstance(names, list) and name not in names:
                continue
            found = self.policies.of_class(view.target, name)
            if name in known and not isinstance(found, FunctionTarget):
                yield self._known(Entry(route, view, name, name.upper(), None, False))
                continue
            if isinstance(found, FunctionTarget):
                action = self._delegated(found, generic) or name
                # A list's `get` of the project's own may filter and page like the one that it replaces, or not.
                doubtful = generic.get(name) == "list" and action != "list"
                entry = Entry(route, view, action, name.upper(), found, False, action == "list", doubtful)
                if action == "create" and "post" not in generic:
                    # What writes contracts knows only the framework's own views for those that make rows.
                    entry = replace(entry, usual="200")
            elif name in generic:
                own = self.policies.of_class(view.target, generic[name])
                handler = own if isinstance(own, FunctionTarget) else None
                listed = generic[name] == "list"
                entry = Entry(route, view, generic[name], name.upper(), handler, handler is None, listed)
            else:
                continue
            yield self.operation(entry)

    def _known(self, entry: Entry) -> Operation:
        """The operation of a view that answers as its base from a well-known package does: what nothing declares of
        it is not known."""
        operation = self.operation(entry)
        declared = self.declarations.of(entry.view.target, None, entry.action, entry.method)
        operation.parameters_complete, operation.read_by_hand = False, []
        # Such bases have policies of their own.
        operation.security, operation.security_schemes = None, {}
        if not declared.has("request"):
            operation.bodies = []
        if not declared.has("responses"):
            operation.responses, operation.statuses_complete = [], False
        return operation

    def of_action(self, route: Route, view: View, action: str, method: str) -> Operation:
        """The operation of one action of a viewset."""
        assert view.target is not None
        found = self.policies.of_class(view.target, action)
        handler = found if isinstance(found, FunctionTarget) else None
        if handler is not None and is_split(handler):
            handler = for_method(handler, method)
        return self.operation(Entry(route, view, action, method, handler, handler is None, action == "list"))

    def operation(self, entry: Entry) -> Operation:
        """All that one action of a view does for one method."""
        target, handler = entry.view.target, entry.handler
        place = self._place(entry)
        name = handler.qualified if handler is not None else target.qualified if target is not None else ""
        operation = Operation(entry.method, entry.route.pattern.path, place, name, FRAMEWORK)
        declared = self.declarations.of(target, handler, entry.action, entry.method)
        self._describe(operation, entry, declared)
        serializer = self.choice.of(entry.view, entry.action, entry.method)
        if handler is not None and not declared.has("responses"):
            operation.guessed.update(guess("response", serializer))
        listing = self._listing(entry, place)
        many = not entry.listed and self.declarations.tells_many(declared, entry.usual)
        if many and handler is not None and (is_stub(handler) or filters_rows(handler)):
            entry, many = replace(entry, listed=True, stated=True), False
        if serializer is not None and self.models.lists_itself(serializer):
            listing.wrap = None
        # `?format=json` is the framework's own way to choose how an answer is written.
        operation.taken = ["query.format", *(listing.taken if entry.listed else [])]
        operation.taken += (
            asked_by_itself(handler, listing) if not entry.listed and handler is not None else ()
        )
        operation.taken += ASKED if self._asked_by_form(entry) else ()
        if self.models.loose and entry.method == "GET":
            # drf-yasg tells filters and pages of everything that is reached without a key.
            operation.taken += [each.key for each in listing.parameters]
        reading = self._read(entry)
        self._parameters(operation, entry, declared, listing, reading)
        if (many or entry.doubtful) and (listing.parameters or not listing.complete):
            # The export takes it for a list that is filtered and paged; whether the handler does so is not known.
            operation.parameters_complete = False
        if entry.method in TAKES:
            self.bodies.fill(operation, entry, declared, serializer, handed=reading.body)
        answering = self.choice.answering(entry.view, entry.action, entry.method)
        if answering != serializer and not declared.has("responses"):
            # What writes contracts knows only one serializer of a view.
            operation.guessed.update(guess("response", serializer))
        self.responses.fill(operation, entry, declared, answering, listing)
        self.spellings.note(operation, entry)
        if self.models.loose:
            exported(operation, bool({"auth", "operation"} & set(declared.given)))
            if declared.has("request") and (declared.beside or not declared.has("responses")):
                answered_as_sent(operation)
        return operation

    def _describe(self, operation: Operation, entry: Entry, declared: Declared) -> None:
        """Fills in what is said about an operation, whatever it takes and gives: names, words, whom it asks."""
        refused = entry.handler is not None and may_refuse(entry.handler)
        operation.in_schema = entry.route.around.certain and not declared.hidden and not refused
        operation.application = self.policies.versioned(entry.view, entry.route.around.spaces)
        if not declared.custom:
            operation.operation_id = self.declarations.text(declared, "operation_id")
        operation.deprecated = self.declarations.flag(declared, "deprecated")
        operation.summary = self.declarations.text(declared, "summary") or ""
        operation.description = self.declarations.text(declared, "description") or ""
        if not {"auth", "operation"} & set(declared.given) and not declared.custom:
            operation.security, operation.security_schemes = self.permissions.security(
                entry.view, entry.action, entry.method
            )

    def _listing(self, entry: Entry, place: Location) -> Listing:
        """How the view makes lists, where this is one or may turn out to be."""
        handler = entry.handler
        listing = self.lists.of(entry.view, place) if entry.listed or handler is not None else Listing()
        if entry.listed and handler is not None and not is_stub(handler) and not turns_pages(handler):
            listing.unpaged()
        return listing

    def _place(self, entry: Entry) -> Location:
        if entry.handler is not None:
            return self.program.place(entry.handler.node, entry.handler.scope)
        assert entry.view.target is not None
        return self.program.place(entry.view.target.node, entry.view.target.scope)

    def _delegated(self, handler: FunctionTarget, generic: dict[str, str]) -> str | None:
        """The standard action that a method such as `get` only passes on to (`return self.list(request)`)."""
        if not isinstance(handler.node, Function):
            return None
        body = [s for s in handler.node.body if not isinstance(s, ast.Expr)]
        match body:
            case [ast.Return(value=ast.Call(func=ast.Attribute(attr=name, value=ast.Name(id="self"))))]:
                return name if name in STATUS else None
            case [ast.Return(value=ast.Call(func=ast.Attribute(attr=name, value=ast.Call())))]:
                return generic.get(name)
        return None

    def _parameters(
        self,
        operation: Operation,
        entry: Entry,
        declared: Declared,
        listing: Listing,
        reading: RequestReading,
    ) -> None:
        found = {p.key: p for p in path_parameters(entry.route, operation.source)}
        for key, parameter in found.items():
            pattern = entry.route.pattern
            if parameter.name not in pattern.slugs:
                stated = parameter.name in pattern.stated
                schema = self.lookups.schema(parameter, entry.view, entry.handler, stated)
                found[key] = replace(parameter, schema=schema)
            elif "format" not in parameter.schema:
                # What a slug is made of may be told, or not.
                found[key] = replace(parameter, schema={**parameter.schema, "x-implied": ["pattern"]})
        operation.taken += sorted(reading.elsewhere)
        if entry.listed and not declared.has("filters"):
            found.update({p.key: p for p in listing.parameters})
        for parameter in reading.parameters:
            found.setdefault(parameter.key, parameter)
        told, removed, complete = self.parameters.of(declared.given.get("parameters"))
        if not complete or declared.unread:
            # What is declared may stand over what filters and the code make of a parameter.
            open_ = unknown("what is declared of parameters could not be read")
            found = {k: p if p.place == "path" else replace(p, schema=open_) for k, p in found.items()}
        path = {key for key in found if key.startswith("path.")}
        # The export calls the key `id`, so that a declaration does too.
        named = [
            replace(p, name="pk") if p.key == "path.id" and "path.pk" in path - {"path.id"} else p
            for p in told
        ]
        # By the name that the route has, it is not reached where the key is called otherwise.
        lost = {id(p) for p in told if p.key == "path.pk"}
        told = [replace(p, schema=unknown("it is called id")) if id(p) in lost else p for p in named]
        found.update({p.key: p for p in told if p.place != "path" or p.key in path})
        operation.parameters = [p for key, p in found.items() if key not in removed]
        settled = reading.complete and complete and not (declared.unread or declared.several)
        settled = settled and not declared.has("filters")
        operation.parameters_complete = settled and (listing.complete or not entry.listed) and not removed

    def _asked_by_form(self, entry: Entry) -> bool:
        """Whether what writes answers down reads the query too, as JSON:API's `include` and `fields[…]`."""
        listed = self.policies.classes(entry.view, "renderer_classes")
        return listed is not None and is_asked_by_form(listed[0])

    def _read(self, entry: Entry) -> RequestReading:
        return read_requests(self.program, self.models, entry.view.target, entry.handler)
