"""What views of the REST framework answer: declared answers, those of serializers, and what handlers do."""

from __future__ import annotations

import ast
from functools import partial
from typing import Final

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.django.answers import AnswerReader
from ingest.web.drf.bases import passes_on_steps
from ingest.web.drf.choice import SerializerChoice
from ingest.web.drf.conditions import as_reached
from ingest.web.drf.declared import DeclarationReader
from ingest.web.drf.declared_forms import Declared
from ingest.web.drf.entries import STATUS, Entry
from ingest.web.drf.exception_handlers import handled_statuses
from ingest.web.drf.hooks import EXCEPTIONS, given_instead, keeps_statuses
from ingest.web.drf.lists import Listing
from ingest.web.drf.stubs import is_stub, passes_on
from ingest.web.drf.views import REST, Policies
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget
from ingest.web.records.operations import Operation, Response

_HOOKS: Final = {
    "create": ("perform_create", "get_success_headers"),
    "update": ("perform_update", "get_object"),
    "partial_update": ("perform_update", "get_object", "update"),
    "destroy": ("perform_destroy", "get_object"),
    "retrieve": ("get_object",),
    "list": (),
}
_ROWS: Final = frozenset({"get_queryset", "filter_queryset", "get_object"})
_FIRST: Final = "initial"
_DEEP: Final = frozenset({"dispatch", EXCEPTIONS, "finalize_response", "initialize_request", _FIRST})
_USUAL: Final = ("400", "401", "403", "405", "406", "415", "429")


class ResponseReader:
    """Reads the answers of the actions of one program."""

    def __init__(
        self,
        program: Program,
        policies: Policies,
        choice: SerializerChoice,
        declarations: DeclarationReader,
        answers: AnswerReader,
    ) -> None:
        self.program = program
        self.policies = policies
        self.choice = choice
        self.declarations = declarations
        self.answers = answers

    def fill(
        self,
        operation: Operation,
        entry: Entry,
        declared: Declared,
        serializer: Schema | None,
        listing: Listing,
    ) -> None:
        """Adds the answers of an operation, and says whether these are all."""
        rendered = self.policies.rendered(entry.view)
        told = self.declarations.responses(declared, entry.usual)
        known = not declared.unread
        if told is not None:
            for status, (schema, media_type, place) in told.found.items():
                content = self._content(status, schema, media_type, rendered, listing, entry)
                operation.responses.append(Response(status, "declared", place, content))
            known = known and told.complete
        if told is None and declared.unread and serializer is not None:
            serializer = unknown("what is declared of the answers could not be read")
        # What says in which form it is answered stands over the forms that the view has for all answers.
        formed = (
            {status for status, (_, form, _) in told.found.items() if form} if told is not None else set()
        )
        rendered = None if formed else rendered
        succeeding = told is None or (declared.beside and not any(s.startswith("2") for s in told.found))
        plain, doubts = self._handled(operation, entry, serializer, listing, rendered, succeeding)
        operation.responses += [Response(s, "framework", operation.source) for s in _USUAL]
        if operation.parameters:
            operation.responses.append(Response("404", "framework", operation.source))
        handled = handled_statuses(self.program, self.policies)
        operation.responses += [Response(s, "framework", operation.source) for s in sorted(handled or ())]
        operation.unknown += [("responses", place, reason) for place, reason in doubts]
        operation.statuses_complete = known and plain and not doubts and handled is not None

    def _handled(
        self,
        operation: Operation,
        entry: Entry,
        serializer: Schema | None,
        listing: Listing,
        rendered: list[str] | None,
        undeclared: bool,
    ) -> tuple[bool, list[tuple[Location, str]]]:
        """Adds what the code answers; tells whether that is all, and what was not understood."""
        handler = entry.handler
        doubts: list[tuple[Location, str]] = []
        if handler is None or is_stub(handler):
            status = (STATUS.get(entry.action) if entry.standard else None) or entry.usual
            if handler is None or serializer is not None:
                content = self._content(status, serializer, None, rendered, listing, entry)
                content = {} if status == "204" else content
                if undeclared:
                    certain = handler is None and entry.standard and not _is_replaced(self.policies, entry)
                    operation.responses.append(
                        Response(status, "success", operation.source, content, certain=certain)
                    )
            # What has no body of its own yet answers with nothing beside what is declared.
            plain = handler is None or not undeclared or serializer is not None
        else:
            plain = self._answered(operation, entry, handler, listing, rendered, undeclared)
            thrown, unclear = self.answers.raised(handler, framework=True)
            operation.responses += thrown
            doubts += unclear
        rows = ("get_queryset",) if entry.action != "create" or _asks_rows(handler) else ()
        first = self._first(entry)
        for name in (*first, *rows, "get_serializer_class", *_HOOKS.get(entry.action, ())):
            hook = self.policies.of_class(entry.view.target, name) if entry.view.target is not None else None
            if isinstance(hook, FunctionTarget):
                thrown, unclear = self.answers.raised(self._reached(hook, entry), framework=True)
                operation.responses += thrown
                doubts += unclear
        for name in sorted(_DEEP - set(first)):
            step = self.policies.member(entry.view, name) if entry.view.target is not None else None
            if isinstance(step, FunctionTarget) and keeps_statuses(self.program, step, name):
                thrown, unclear = self.answers.raised(step, framework=True)
                operation.responses += thrown
                doubts += unclear
                instead = given_instead(self.program, step) if name == EXCEPTIONS else None
                operation.responses += [
                    Response(s, "framework", operation.source) for s in sorted(instead or ())
                ]
            elif step is not None and not (isinstance(step, External) and passes_on_steps(step)):
                plain = False
        return plain, doubts

    def _reached(self, hook: FunctionTarget, entry: Entry) -> FunctionTarget:
        own = partial(self.policies.member, entry.view)
        return as_reached(self.program, hook, entry.action, entry.method, own)

    def _first(self, entry: Entry) -> tuple[str, ...]:
        """The step before the handler, where the view has one of its own that goes through the framework's too."""
        own = self.policies.member(entry.view, _FIRST) if entry.view.target is not None else None
        return (_FIRST,) if isinstance(own, FunctionTarget) and passes_on(own, _FIRST) else ()

    def _answered(
        self,
        operation: Operation,
        entry: Entry,
        handler: FunctionTarget,
        listing: Listing,
        rendered: list[str] | None,
        undeclared: bool,
    ) -> bool:
        """Adds what a handler's own statements answer; tells whether that is all."""
        declared = {response.status for response in operation.responses}
        documented = declared or {entry.usual}
        answers, plain = self.answers.returned(handler)
        given = [
            self.choice.given(
                answer.data, answer.scope or handler.body, entry.view, entry.action, entry.method, listing
            )
            for answer in answers
        ]
        numbers = {
            (answer.status, _many(schema, listing)) for answer, schema in zip(answers, given, strict=True)
        }
        unseen = {answer.status for answer, schema in zip(answers, given, strict=True) if schema is None}
        for answer, schema in zip(answers, given, strict=True):
            if entry.listed and schema is not None and not _many(schema, listing) and answer.status in unseen:
                schema = unknown("whether there are many depends on the request")
            # Without a declaration the export guesses one object of the view's serializer, and the usual status.
            several = _many(schema, listing)
            if schema is not None and {(answer.status, True), (answer.status, False)} <= numbers:
                schema = unknown("whether there are many depends on the request")
            if undeclared and several and not (entry.standard or entry.listed):
                schema = unknown("whether the contract tells that there are many is not known")
            types = [answer.media_type] if answer.media_type else rendered
            content = {} if answer.status == 204 else _typed(types, schema)
            # What is declared for a status stands over what its handler seems to give.
            content = None if str(answer.status) in declared else content
            guessed = str(answer.status) in documented or entry.standard
            origin = "success" if guessed and (answer.status or 0) < 400 else "returned"
            via = (handler.qualified, *answer.via)
            # What its own statement gives, a handler gives, whatever else functions that it calls may raise.
            certain = plain and not answer.via and origin == "success"
            given_here = Response(str(answer.status), origin, answer.place, content, via=via, certain=certain)
            operation.responses.append(given_here)
        if undeclared:
            # What writes contracts guesses the usual status, whatever the handler answers.
            operation.responses.append(Response(entry.usual, "framework", operation.source))
        return plain

    def _content(
        self,
        status: str,
        schema: Schema | None,
        media_type: str | None,
        rendered: list[str] | None,
        listing: Listing,
        entry: Entry,
    ) -> dict[str, Schema] | None:
        """The content of one answer: lists of serializers come in pages where the view has them."""
        if schema is None:
            return {}
        if self.choice.models.is_empty(schema):
            return None
        if not status.startswith("2") and schema.get("type") == "array" and "$ref" in schema.get("items", {}):
            # What writes contracts names many of a serializer for successes alone.
            schema = unknown("whether there are many is not told")
        if status.startswith("2"):
            if entry.listed and not entry.stated and "properties" in schema:
                # Many of what serializers write, one of what is written down as a schema.
                schema = unknown("whether there are many is not told")
            elif (
                entry.listed
                and not entry.stated
                and ("$ref" in schema or "x-among" in schema)
                and not self.choice.models.is_single(schema)
            ):
                schema = listing.answer(schema) or unknown("the form of the pages is not known")
            elif schema.get("type") == "array" and isinstance(schema.get("items"), dict):
                whole = listing.answer(schema["items"])
                several = entry.view.target is not None and whole != schema
                schema = (whole or unknown("the form of the pages is not known")) if entry.listed else schema
                if several and not entry.listed:
                    schema = unknown("whether the list comes in pages is not known")
        return _typed([media_type] if media_type is not None else rendered, schema)


def _asks_rows(handler: FunctionTarget | None) -> bool:
    """Whether a handler asks its view for rows that are there, which the framework's own `create` does not."""
    calls = handler.body.calls if handler is not None else []
    return any(isinstance(call.func, ast.Attribute) and call.func.attr in _ROWS for call in calls)


def _many(schema: Schema | None, listing: Listing) -> bool:
    """Whether an answer is a list, or a page of one."""
    return schema is not None and (schema.get("type") == "array" or _is_page(schema, listing.answer({})))


def _is_replaced(policies: Policies, entry: Entry) -> bool:
    """Whether a base from elsewhere may answer in place of the framework's own action."""
    if entry.view.target is None:
        return True
    found = policies.of_class(entry.view.target, entry.action)
    return not (isinstance(found, External) and found.root == REST)


def _is_page(schema: Schema, page: Schema | None) -> bool:
    """Whether a schema is that of a page of these."""
    names = page.get("properties") if page is not None else None
    return bool(names) and set(schema.get("properties", ())) == set(names or ())


def _typed(types: list[str] | None, schema: Schema | None) -> dict[str, Schema] | None:
    if types is None:
        return None
    return {media_type: schema or unknown("the answer is built by hand") for media_type in types}
