"""Operations of the REST framework's views and viewsets."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.bindings import Function
from ingest.web.constants import constant
from ingest.web.django_answers import AnswerReader
from ingest.web.django_columns import unlimited
from ingest.web.django_settings import Given
from ingest.web.django_urls import Route
from ingest.web.django_views import METHODS, path_parameters
from ingest.web.drf_choice import SerializerChoice
from ingest.web.drf_declared import DeclarationReader, Declared
from ingest.web.drf_lists import Listing, ListReader
from ingest.web.drf_requests import RequestReading, read_requests
from ingest.web.drf_serializers import SerializerModels
from ingest.web.drf_stubs import is_stub, reads_body
from ingest.web.drf_views import REST, Policies, View
from ingest.web.flask_methods import for_method, is_split
from ingest.web.operations import Body, Operation, Parameter, Response
from ingest.web.program import Program
from ingest.web.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget

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
_STATUS: Final = {
    **{"list": "200", "create": "201", "retrieve": "200"},
    **{"update": "200", "partial_update": "200", "destroy": "204"},
}
_HOOKS: Final = {
    "create": ("perform_create", "get_success_headers"),
    "update": ("perform_update", "get_object"),
    "partial_update": ("perform_update", "get_object", "update"),
    "destroy": ("perform_destroy", "get_object"),
    "retrieve": ("get_object",),
    "list": (),
}
_DEEP: Final = frozenset(
    {"dispatch", "handle_exception", "finalize_response", "initialize_request", "initial"}
)
_TAKES: Final = frozenset({"POST", "PUT", "PATCH"})
_USUAL: Final = ("400", "401", "403", "405", "406", "415", "429")


@dataclass(frozen=True, slots=True)
class Entry:
    """One action of a view for one method at one path; `handler` is None where the framework's own code answers."""

    route: Route
    view: View
    action: str
    method: str
    handler: FunctionTarget | None
    standard: bool
    listed: bool = False


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
        self.lists = ListReader(program, policies, models.tables)
        self.declarations = DeclarationReader(program, models)

    def is_view(self, target: Target | None) -> bool:
        """Whether this is a view class of the REST framework."""
        return isinstance(target, ClassTarget) and any(
            isinstance(base, External) and base.root == REST for base in self.program.ancestry(target)
        )

    def api_methods(self, handler: FunctionTarget) -> list[str] | None:
        """The methods of a function that is decorated by `@api_view`; None where it is not."""
        for node in handler.node.decorator_list if isinstance(handler.node, Function) else []:
            call = node.func if isinstance(node, ast.Call) else node
            target = self.program.resolve(call, handler.scope)
            if isinstance(target, External) and target.root == REST and target.name == "api_view":
                written = node.args[0] if isinstance(node, ast.Call) and node.args else None
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
        for name in METHODS:
            if isinstance(names, list) and name not in names:
                continue
            found = self.program.class_member(view.target, name)
            if isinstance(found, FunctionTarget):
                action = self._delegated(found, generic) or name
                entry = Entry(route, view, action, name.upper(), found, False, action == "list")
            elif name in generic:
                own = self.program.class_member(view.target, generic[name])
                handler = own if isinstance(own, FunctionTarget) else None
                listed = generic[name] == "list"
                entry = Entry(route, view, generic[name], name.upper(), handler, handler is None, listed)
            else:
                continue
            yield self.operation(entry)

    def of_action(self, route: Route, view: View, action: str, method: str) -> Operation:
        """The operation of one action of a viewset."""
        assert view.target is not None
        found = self.program.class_member(view.target, action)
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
        operation.in_schema = entry.route.around.certain and not declared.hidden
        operation.operation_id = self.declarations.text(declared, "operation_id")
        operation.deprecated = self.declarations.flag(declared, "deprecated")
        operation.summary = self.declarations.text(declared, "summary") or ""
        operation.description = self.declarations.text(declared, "description") or ""
        if "auth" not in declared.given:
            operation.security, operation.security_schemes = self.policies.security(entry.view, entry.method)
        serializer = self.choice.of(entry.view, entry.action, entry.method)
        listing = self.lists.of(entry.view, place) if entry.listed or handler is not None else Listing()
        if serializer is not None and self.models.lists_itself(serializer):
            listing.wrap = None
        self._parameters(operation, entry, declared, listing)
        if entry.method in _TAKES:
            self._body(operation, entry, declared, serializer)
        self._responses(operation, entry, declared, serializer, listing)
        return operation

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
                return name if name in _STATUS else None
            case [ast.Return(value=ast.Call(func=ast.Attribute(attr=name, value=ast.Call())))]:
                return generic.get(name)
        return None

    def _parameters(self, operation: Operation, entry: Entry, declared: Declared, listing: Listing) -> None:
        found = {p.key: p for p in path_parameters(entry.route, operation.source)}
        for key, parameter in found.items():
            found[key] = replace(parameter, schema=self._looked_up(parameter, entry.view))
        reading = self._read(entry)
        if entry.listed:
            found.update({p.key: p for p in listing.parameters})
        for parameter in reading.parameters:
            found.setdefault(parameter.key, parameter)
        told, removed, complete = self.declarations.parameters(declared)
        path = {key for key in found if key.startswith("path.")}
        # The export calls the key `id`, so that a declaration does too.
        told = [
            replace(p, name="pk") if p.key == "path.id" and "path.pk" in path - {"path.id"} else p
            for p in told
        ]
        found.update({p.key: p for p in told if p.place != "path" or p.key in path})
        operation.parameters = [p for key, p in found.items() if key not in removed]
        settled = reading.complete and complete and not declared.unread and not declared.has("filters")
        operation.parameters_complete = settled and (listing.complete or not entry.listed) and not removed

    def _read(self, entry: Entry) -> RequestReading:
        return read_requests(self.program, entry.view.target, entry.handler)

    def _looked_up(self, parameter: Parameter, view: View) -> Schema:
        """The schema of a path parameter: views may make more of a text than the text."""
        if parameter.schema.get("type") != "string" and "x-unknown" not in parameter.schema:
            return parameter.schema
        if parameter.schema.get("format"):
            return parameter.schema
        open_ = unknown("the view may make something else of the text")
        if view.target is None or self.policies.member(view, "get_object") is not None:
            return open_
        lookup = self.policies.text(view, "lookup_field") or "pk"
        named = self.policies.text(view, "lookup_url_kwarg") or lookup
        model = self._model(view)
        if parameter.name != named or model is None or not isinstance(lookup, str):
            return open_
        tables = self.models.tables
        if lookup == "pk":
            return tables.key(model)
        column = tables.table(model).columns.get(lookup)
        if column is None:
            return tables.key(model) if lookup == "id" else open_
        return unlimited(tables.value(column))

    def _model(self, view: View) -> ClassTarget | External | None:
        queryset = self.policies.member(view, "queryset")
        if isinstance(queryset, ValueTarget) and queryset.node is not None:
            found = self.models.tables.model_of_queryset(queryset.node, queryset.scope)
            if found is not None:
                return found
        chosen = self.policies.member(view, "get_queryset")
        if chosen is not None and queryset is None:
            return None
        return None

    def _body(
        self, operation: Operation, entry: Entry, declared: Declared, serializer: Schema | None
    ) -> None:
        table = self.declarations.request(declared)
        schemas: dict[str | None, Schema | None]
        if declared.unread:
            return
        if table is not None:
            schemas = table[0]
        else:
            handler = entry.handler
            inferred = serializer if handler is None or is_stub(handler) else None
            if handler is None and inferred is None:
                inferred = unknown("the serializer is not known")
            if handler is not None and inferred is None:
                inferred = self.choice.taken(handler, entry.view, entry.action, entry.method)
                if inferred is None and not entry.standard and self._delegates(handler):
                    inferred = serializer or unknown("the serializer is not known")
            schemas = {None: inferred} if inferred is not None else {}
            by_hand = handler is not None and any(reads_body(part) for part in ast.walk(handler.node))
            operation.parameters_complete = operation.parameters_complete and (bool(schemas) or not by_hand)
        shown = table is None and serializer is None
        parsed = self.policies.parsed(entry.view)
        for media_type, schema in schemas.items():
            if schema is None:
                continue
            partial = entry.method == "PATCH" and "$ref" in schema
            whole = self.models.partial(schema) if partial else schema
            required = True if self._demands(whole) else None
            types = [media_type] if media_type is not None else parsed[0] if parsed is not None else []
            for each in types:
                implicit = media_type is None and parsed is not None and not parsed[1]
                operation.bodies.append(Body(each, required, whole, operation.source, implicit, shown))

    def _delegates(self, handler: FunctionTarget) -> bool:
        """Whether a handler passes its request on to the view's own actions, whatever else it does."""
        for part in ast.walk(handler.node):
            match part:
                case ast.Call(func=ast.Attribute(attr=name, value=ast.Name(id="self"))) if name in _STATUS:
                    return True
                case ast.Call(func=ast.Attribute(attr=name, value=ast.Call(func=ast.Name(id="super")))):
                    if name in _STATUS or name.upper() in _TAKES:
                        return True
        return False

    def _demands(self, schema: Schema) -> bool:
        target = self.models.classes.get(str(schema.get("$ref", "")).removeprefix("code:schema:"))
        whole = self.models.whole(target) if target is not None else schema
        properties = whole.get("properties", {})
        return any(not properties.get(name, {}).get("readOnly") for name in whole.get("required", []))

    def _responses(
        self,
        operation: Operation,
        entry: Entry,
        declared: Declared,
        serializer: Schema | None,
        listing: Listing,
    ) -> None:
        rendered = self.policies.rendered(entry.view)
        success = _STATUS.get(entry.action) if entry.standard else None
        usual = "204" if entry.method == "DELETE" else "201" if entry.action == "create" else "200"
        told = self.declarations.responses(declared, usual)
        known = not declared.unread
        if told is not None:
            paged = entry.listed
            for status, (schema, media_type, place) in told.found.items():
                content = self._content(status, schema, media_type, rendered, paged, listing, entry)
                operation.responses.append(Response(status, "declared", place, content))
            known = known and told.complete
        plain, doubts = self._handled(operation, entry, serializer, listing, rendered, success, told is None)
        operation.responses += [Response(s, "framework", operation.source) for s in _USUAL]
        if operation.parameters:
            operation.responses.append(Response("404", "framework", operation.source))
        custom = isinstance(self.policies.settings.rest("EXCEPTION_HANDLER"), Given)
        operation.unknown += [("responses", place, reason) for place, reason in doubts]
        operation.statuses_complete = known and plain and not doubts and not custom

    def _handled(
        self,
        operation: Operation,
        entry: Entry,
        serializer: Schema | None,
        listing: Listing,
        rendered: list[str] | None,
        success: str | None,
        undeclared: bool,
    ) -> tuple[bool, list[tuple[Location, str]]]:
        """Adds what the code answers; tells whether that is all, and what was not understood."""
        handler = entry.handler
        usual = "204" if entry.method == "DELETE" else "201" if entry.action == "create" else "200"
        documented = {response.status for response in operation.responses} or {usual}
        doubts: list[tuple[Location, str]] = []
        plain = True
        if handler is None or is_stub(handler):
            status = success or (
                "204" if entry.method == "DELETE" else "201" if entry.action == "create" else "200"
            )
            if handler is None or serializer is not None:
                content = self._content(status, serializer, None, rendered, entry.listed, listing, entry)
                content = {} if status == "204" else content
                if undeclared:
                    operation.responses.append(Response(status, "success", operation.source, content))
            plain = handler is None
        else:
            answers, plain = self.answers.returned(handler)
            for answer in answers:
                scope = answer.scope or handler.body
                schema = self.choice.given(
                    answer.data, scope, entry.view, entry.action, entry.method, listing
                )
                # Without a declaration the export guesses one object of the view's serializer, and the usual status.
                if undeclared and not entry.standard and schema is not None and schema.get("type") == "array":
                    schema = unknown("whether the contract tells that there are many is not known")
                types = [answer.media_type] if answer.media_type else rendered
                content = {} if answer.status == 204 else self._typed(types, schema)
                guessed = str(answer.status) in documented or entry.standard
                origin = "success" if guessed and (answer.status or 0) < 400 else "returned"
                plain = plain and (origin == "success" or (answer.status or 0) >= 400)
                via = (handler.qualified, *answer.via)
                operation.responses.append(
                    Response(str(answer.status), origin, answer.place, content, via=via)
                )
            thrown, unclear = self.answers.raised(handler, framework=True)
            operation.responses += thrown
            doubts += unclear
        for name in ("get_queryset", "get_serializer_class", *_HOOKS.get(entry.action, ())):
            hook = (
                self.program.class_member(entry.view.target, name) if entry.view.target is not None else None
            )
            if isinstance(hook, FunctionTarget):
                thrown, unclear = self.answers.raised(hook, framework=True)
                operation.responses += thrown
                doubts += unclear
        deep = entry.view.target is not None and any(
            self.policies.member(entry.view, name) is not None for name in _DEEP
        )
        return plain and not deep, doubts

    def _content(
        self,
        status: str,
        schema: Schema | None,
        media_type: str | None,
        rendered: list[str] | None,
        paged: bool,
        listing: Listing,
        entry: Entry,
    ) -> dict[str, Schema] | None:
        """The content of one answer: lists of serializers come in pages where the view has them."""
        if schema is None:
            return {}
        if status.startswith("2") and entry.method == "GET":
            if paged and "$ref" in schema:
                schema = listing.answer(schema) or unknown("the form of the pages is not known")
            elif schema.get("type") == "array" and "$ref" in schema.get("items", {}):
                whole = listing.answer(schema["items"])
                several = entry.view.target is not None and whole != schema
                schema = (whole or unknown("the form of the pages is not known")) if paged else schema
                if several and not paged:
                    schema = unknown("whether the list comes in pages is not known")
        return self._typed([media_type] if media_type is not None else rendered, schema)

    def _typed(self, types: list[str] | None, schema: Schema | None) -> dict[str, Schema] | None:
        if types is None:
            return None
        return {media_type: schema or unknown("the answer is built by hand") for media_type in types}
