"""What Django Ninja's operations answer: the declared tables of statuses, else what the handler gives."""

from __future__ import annotations

import ast
import json
from typing import Final

import msgspec

from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import constant, entries, status_of
from ingest.web.django.answers import AnswerReader
from ingest.web.ninja.aliases import by_alias
from ingest.web.ninja.pages import Pages
from ingest.web.program.calls import argument
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.shapes import ShapeKind
from ingest.web.program.targets import External, FunctionTarget, ValueTarget
from ingest.web.records.operations import Operation, Response
from ingest.web.routing.sites import Event
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of

_OWN: Final = ("400", "401", "403", "404", "405", "422", "429")
_GROUPS: Final[dict[str, tuple[int, ...]]] = {
    "codes_1xx": (100, 101),
    "codes_2xx": tuple(range(200, 207)),
    "codes_3xx": tuple(range(300, 309)),
    "codes_4xx": (*range(400, 413), 416, 418, 425, 429, 451),
    "codes_5xx": tuple(range(500, 505)),
}
"""The groups of statuses that `ninja.responses` offers."""
_MANY: Final = 5
_TABLES: Final = (ast.Dict, ast.BinOp)
_COLLECTIONS: Final = frozenset({ShapeKind.ARRAY, ShapeKind.SET, ShapeKind.TUPLE})


class Telling(msgspec.Struct, frozen=True):
    """How an operation speaks: its pages, whether answers are JSON, whether all that exceptions lead to is known,
    whether no decorator may change the answers, whether they name fields by their aliases, and the statuses of the
    API's own handlers of exceptions."""

    pages: Pages | None
    json: bool
    transparent: bool
    plain: bool
    by_alias: bool
    handled: tuple[str, ...] = ()


class ResponseReader:
    """Reads the answers of the operations of one program."""

    def __init__(self, program: Program, models: SerializerModels, answers: AnswerReader) -> None:
        self.program = program
        self.models = models
        self.answers = answers
        self._pages: dict[str, list[tuple[str, dict[str, Schema]]]] = {}

    def add(self, operation: Operation, event: Event, handler: FunctionTarget, telling: Telling) -> None:
        """Adds all answers of an operation."""
        scope, place = event.scope, operation.source
        written = argument(event.call, None, "response")
        if written is None:
            complete = self._undeclared(operation, handler)
        else:
            target = self.program.resolve(written, scope)
            if isinstance(target, ValueTarget) and isinstance(target.node, _TABLES):
                written, scope = target.node, target.scope
            table = entries(self.program, written, scope) if isinstance(written, _TABLES) else None
            if table is not None:
                complete = self._table(operation, table, telling)
            elif self._is_open(written, scope):
                complete = False
            else:
                complete = True
                content = self._content(written, scope, telling, telling.pages)
                operation.responses.append(Response("200", "success", place, content, certain=True))
        thrown, doubts = self.answers.raised(handler, framework=False)
        operation.responses += thrown if telling.transparent and not telling.handled else []
        said = {response.status for response in operation.responses}
        own = [status for status in dict.fromkeys((*_OWN, *telling.handled)) if status not in said]
        operation.responses += [Response(status, "framework", place) for status in own]
        operation.unknown += [("responses", where, reason) for where, reason in doubts]
        operation.statuses_complete = complete and telling.plain and not doubts and telling.transparent

    def _undeclared(self, operation: Operation, handler: FunctionTarget) -> bool:
        """Adds the answers of a handler without a declared response: data is answered with 200, which is also what
        Ninja documents of handlers that make responses of another status themselves."""
        found = self.answers.answers.of_function(handler)
        made = [answer for answer in found if answer.status is not None]
        if not found or any(answer.known and answer.status is None for answer in found):
            operation.responses.append(Response("200", "success", operation.source))
        for answer in made:
            origin = "success" if answer.status == 200 else "returned"
            operation.responses.append(Response(str(answer.status), origin, answer.place, via=answer.via))
        documented = any(response.status == "200" for response in operation.responses)
        return documented and all(answer.known for answer in found)

    def _is_open(self, node: ast.expr, scope: Scope) -> bool:
        """Whether a run decides what is declared: a type, or a table of statuses."""
        if isinstance(node, ast.IfExp | ast.Dict):
            return True
        target = self.program.resolve(node, scope)
        inner = target.node if isinstance(target, ValueTarget) else node
        if not isinstance(inner, ast.Call):
            return False
        made = self.program.resolve(inner.func, target.scope if isinstance(target, ValueTarget) else scope)
        return not (isinstance(made, External) and made.name == "create_schema")

    def _table(
        self, operation: Operation, table: list[tuple[ast.expr, ast.expr, Scope]], telling: Telling
    ) -> bool:
        complete = True
        pages = telling.pages
        successes = [key for key, _, inner in table if (status_of(self.program, key, inner) or 0) // 100 == 2]
        for key, value, inner in table:
            status = status_of(self.program, key, inner)
            place = self.program.place(key, inner)
            codes = [str(status)] if status is not None else self._codes(key, inner)
            complete = complete and bool(codes)
            # The first list among the answers is the one that comes in pages.
            paged = pages if pages is not None and self._is_list(value, inner) else None
            pages = None if paged is not None else pages
            for code in codes:
                content = self._content(value, inner, telling, paged)
                # A group stands for whatever of it occurs: contracts need not name each of its statuses.
                single = len(codes) < _MANY
                origin = "success" if code.startswith("2") else "declared" if single else "framework"
                certain = origin == "success" and successes == [key]
                operation.responses.append(Response(code, origin, place, content, certain=certain))
        return complete

    def _codes(self, key: ast.expr, scope: Scope) -> list[str]:
        """The statuses of a group; none where they are not constant."""
        target = self.program.resolve(key, scope)
        if isinstance(target, External) and target.root == "ninja" and target.name in _GROUPS:
            return [str(status) for status in _GROUPS[target.name]]
        if isinstance(target, ValueTarget) and target.node is not None and target.node is not key:
            return self._codes(target.node, target.scope)
        match key:
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                first, second = self._codes(left, scope), self._codes(right, scope)
                return [*first, *(code for code in second if code not in first)] if first and second else []
            case ast.Call(func=ast.Name(id="frozenset" | "set"), args=[inner]):
                return self._codes(inner, scope)
        value = constant(self.program, key, scope)
        if isinstance(value, list) and all(isinstance(status, int) for status in value):
            return [str(status) for status in value]
        return []

    def _is_list(self, node: ast.expr, scope: Scope) -> bool:
        return shape_of(self.program, node, scope).kind in _COLLECTIONS

    def _content(
        self, node: ast.expr, scope: Scope, telling: Telling, pages: Pages | None
    ) -> dict[str, Schema] | None:
        if is_none(node):
            return {}
        if not telling.json:
            return None
        schema = self.models.schema(shape_of(self.program, node, scope))
        schema = by_alias(self.models, schema) if telling.by_alias else schema
        content = {"application/json": pages.around(schema) if pages is not None else schema}
        if pages is not None and pages.form is not None:
            forms = self._pages.setdefault(json.dumps(schema, sort_keys=True, default=str), [])
            forms.append((json.dumps(pages.form, sort_keys=True, default=str), content))
        return content

    def settle(self) -> None:
        """Leaves the pages of a type open that come in several forms: Ninja documents them under one name."""
        for forms in self._pages.values():
            if len({form for form, _ in forms}) > 1:
                for _, content in forms:
                    content["application/json"] = unknown("pages of this type come in several forms")
