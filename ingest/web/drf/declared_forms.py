"""The bodies and answers that drf-spectacular's `extend_schema` declares."""

from __future__ import annotations

import ast

import msgspec

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import constant, entries, status_of, text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External, ValueTarget
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.serializers.yasg import PACKAGE, is_yasg, written_schema
from ingest.web.syntax.scopes import Scope


class Declared(msgspec.Struct):
    """The arguments of all `extend_schema` that hold for an operation, the nearest deciding.

    `unread` tells that more may be declared than can be read, `custom` that a class of the project's own describes the
    operation, `several` that parameters are declared in more than one place, which adds them up, `beside` that answers
    without a success stand beside that of the code, as in drf-yasg.
    """

    given: dict[str, tuple[ast.expr, Scope]] = msgspec.field(default_factory=dict)
    hidden: bool = False
    unread: bool = False
    custom: bool = False
    several: bool = False
    beside: bool = False

    def has(self, name: str) -> bool:
        """Whether something is declared by this name."""
        return name in self.given


class DeclaredResponses(msgspec.Struct):
    """Declared answers by status: media types with schemas (None: the usual media types), or None without content."""

    found: dict[str, tuple[Schema | None, str | None, Location]] = msgspec.field(default_factory=dict)
    complete: bool = True


class DeclaredForms:
    """Reads what the declarations of one program say of bodies and answers."""

    def __init__(self, program: Program, models: SerializerModels) -> None:
        self.program = program
        self.models = models

    def text(self, declared: Declared, name: str) -> str | None:
        """A declared constant text."""
        return text_of(self.program, *declared.given[name]) if name in declared.given else None

    def flag(self, declared: Declared, name: str) -> bool:
        """Whether something is declared as true."""
        return name in declared.given and constant(self.program, *declared.given[name]) is True

    def request(self, declared: Declared) -> tuple[dict[str | None, Schema | None], bool] | None:
        """The declared bodies by media type (None: the usual ones), and whether they could be read.

        None where nothing is declared.
        """
        if "request" not in declared.given:
            return None
        node, scope = declared.given["request"]
        table = entries(self.program, node, scope)
        if table is None and self._is_field(node, scope):
            return {None: unknown("a field alone is no body")}, True
        if table is None:
            return {None: self._typed(node, scope)}, True
        found: dict[str | None, Schema | None] = {}
        for key, value, inner in table:
            media_type = text_of(self.program, key, inner)
            if media_type is None or "/" not in media_type:
                return {}, False
            found[media_type] = self._typed(value, inner)
        return found, True

    def writes_out(self, declared: Declared) -> bool:
        """Whether a declared body is a schema that is written out, of which contracts do not say that it must be
        there."""
        if "request" not in declared.given:
            return False
        node, scope = declared.given["request"]
        for _, value, inner in entries(self.program, node, scope) or []:
            target = self.program.resolve(value, inner)
            if isinstance(target, ValueTarget) and isinstance(target.node, ast.Dict):
                return True
        return False

    def _is_field(self, node: ast.expr, scope: Scope) -> bool:
        """Whether a declared body or answer is a field and no serializer."""
        if not isinstance(node, ast.Call) or not self.models.reader.is_field(node, scope):
            return False
        if self.models.reader.is_stated(node, scope):
            return False
        made = self.program.resolve(node.func, scope)
        several = isinstance(made, External) and made.name.endswith("Serializer")
        return not several and not self.models.is_serializer(made)

    def responses(self, declared: Declared, success: str) -> DeclaredResponses | None:
        """The declared answers; `success` is the status of what is declared without one. None where undeclared."""
        if "responses" not in declared.given:
            return None
        node, scope = declared.given["responses"]
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Dict):
            node, scope = target.node, target.scope
        answer = DeclaredResponses()
        if self._is_field(node, scope):
            # A field alone is no answer that contracts tell of.
            answer.complete = False
            return answer
        if not isinstance(node, ast.Dict | ast.BinOp):
            answer.found[success] = (self._typed(node, scope), None, self.program.place(node, scope))
            return answer
        table = entries(self.program, node, scope)
        for key, value, inner in table or []:
            media_type: str | None = None
            if isinstance(key, ast.Tuple) and key.elts:
                media_type = text_of(self.program, key.elts[-1], inner)
                key = key.elts[0]
            status = status_of(self.program, key, inner)
            text = str(status) if status is not None else text_of(self.program, key, inner)
            if text is None:
                answer.complete = False
                continue
            answer.found[text] = (self._typed(value, inner), media_type, self.program.place(key, inner))
        answer.complete = answer.complete and table is not None
        return answer

    def tells_many(self, declared: Declared, success: str) -> bool:
        """Whether the first of the declared answers is a list of what a serializer writes."""
        told = self.responses(declared, success)
        if told is None or not told.found:
            return False
        schema = told.found[min(told.found)][0]
        return schema is not None and schema.get("type") == "array"

    def _typed(self, node: ast.expr, scope: Scope) -> Schema | None:
        """A declared type, also within `OpenApiResponse` and `OpenApiRequest`; None for no content."""
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and target.node is not None:
            node, scope = target.node, target.scope
        if is_yasg(target, "no_body") or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            # A text alone describes an answer in drf-yasg.
            return None
        made = self.program.resolve(node.func, scope) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and isinstance(made, External):
            if is_yasg(made, "Response"):
                inner = argument(node, 1, "schema")
                return self._typed(inner, scope) if inner is not None else None
            if made.root == PACKAGE:
                return written_schema(self.program, node, scope, self._typed)
            if made.name == "OpenApiResponse":
                inner = argument(node, 0, "response")
                return self.models.of_value(inner, scope) if inner is not None else None
            if made.name == "OpenApiRequest":
                return self.models.of_value(argument(node, 0, "request"), scope)
        if self._is_field(node, scope):
            return unknown("a field alone is no answer")
        if isinstance(target, External) and target.dotted.endswith("OpenApiTypes.NONE"):
            return None
        return self.models.of_value(node, scope)
