"""The bodies that views of the REST framework take: declared ones, else those of their serializers."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from graph.schema_algebra import Schema, implied, unknown
from ingest.web.drf.choice import SerializerChoice
from ingest.web.drf.declared import DeclarationReader
from ingest.web.drf.declared_forms import Declared
from ingest.web.drf.entries import STATUS, TAKES, Entry
from ingest.web.drf.sent_bodies import read_by_keys
from ingest.web.drf.stubs import is_stub, reads_body
from ingest.web.drf.views import Policies, View
from ingest.web.program.targets import FunctionTarget
from ingest.web.records.operations import Body, Operation
from ingest.web.serializers.serializers import SerializerModels


class BodyReader:
    """Reads the bodies of the actions of one program."""

    def __init__(
        self,
        policies: Policies,
        models: SerializerModels,
        choice: SerializerChoice,
        declarations: DeclarationReader,
    ) -> None:
        self.policies = policies
        self.models = models
        self.choice = choice
        self.declarations = declarations

    def fill(
        self,
        operation: Operation,
        entry: Entry,
        declared: Declared,
        serializer: Schema | None,
        handed: bool = False,
    ) -> None:
        """Adds the bodies of an operation; where the handler may read more of one, it notes that; `handed` is whether
        something else reads it that is given the request."""
        if not self._fill(operation, entry, declared, serializer, handed):
            operation.read_by_hand = ["body"] if operation.parameters_complete else []
            operation.parameters_complete = False

    def _fill(
        self, operation: Operation, entry: Entry, declared: Declared, serializer: Schema | None, handed: bool
    ) -> bool:
        """Adds the bodies of an operation; tells whether there can be no other one."""
        table = self.declarations.request(declared)
        keyed: Schema | None = None
        if declared.unread:
            return True
        if table is not None:
            schemas = table[0]
            seen = table[1]
        else:
            schemas = self._inferred(entry, serializer)
            handler = entry.handler
            by_hand = handler is not None and any(reads_body(part) for part in ast.walk(handler.node))
            by_hand = by_hand or handed or (handler is not None and self._asks_for_it(entry.view, handler))
            if handler is not None and by_hand and not schemas:
                keyed = read_by_keys(self.models.program, handler)
                schemas = {None: keyed} if keyed is not None else {}
            seen = bool(schemas) or not by_hand
            if handler is not None and not self._is_usual(schemas.get(None), serializer, entry.method):
                operation.guessed.update(guess("request", serializer))
        shown = (table is None and serializer is None) or keyed is not None
        parsed = self.policies.parsed(entry.view)
        begun = len(operation.bodies)
        for media_type, schema in schemas.items():
            if schema is None or self.models.is_empty(schema):
                continue
            if media_type is None and parsed is None:
                # There is a body, but in which forms is not known.
                seen = False
                continue
            # Whether a contract names a body of which nothing is taken depends on who wrote it.
            told = shown or self.models.takes_nothing(schema)
            partial = entry.method == "PATCH" and "$ref" in schema
            whole = self.models.partial(schema) if partial else schema
            if "request" in operation.guessed and whole == self.models.partial(serializer or {}):
                # Nothing tells that a part is enough.
                whole = _perhaps_demanded(whole)
            required = self._demands(schema, partial, table is not None) if keyed is None else None
            if required is False and self.models.loose:
                required = None
            if "request" in operation.guessed or self.declarations.writes_out(declared):
                required = None
            types = [media_type] if media_type is not None else parsed[0] if parsed is not None else []
            for each in types:
                implicit = media_type is None and parsed is not None and not parsed[1]
                operation.bodies.append(Body(each, required, whole, operation.source, implicit, told))
        if len({body.required for body in operation.bodies[begun:]}) > 1:
            # A contract says once for all forms of a body whether there must be one.
            operation.bodies[begun:] = [replace(body, required=None) for body in operation.bodies[begun:]]
        return seen

    def _inferred(self, entry: Entry, serializer: Schema | None) -> dict[str | None, Schema | None]:
        """The body that nothing declares, by what the handler gives to serializers."""
        handler = entry.handler
        inferred = serializer if handler is None or is_stub(handler) else None
        if handler is None and inferred is None:
            inferred = unknown("the serializer is not known")
        if handler is not None and inferred is None:
            inferred = self.choice.taken(handler, entry.view, entry.action, entry.method)
            if inferred is None and not entry.standard and _delegates(handler):
                inferred = serializer or unknown("the serializer is not known")
        if inferred is not None and entry.method == "PATCH":
            # Of one among several, nothing tells that a part is enough.
            inferred = {key: value for key, value in inferred.items() if key != "x-among"}
        return {None: inferred} if inferred is not None else {}

    def _asks_for_it(self, view: View, method: FunctionTarget, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a method asks another one of its view that reads the body: `self.get_input()`."""
        for part in ast.walk(method.node):
            match part:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) if name not in seen:
                    seen = seen | {name}
                    asked = self.policies.member(view, name)
                    if not isinstance(asked, FunctionTarget):
                        continue
                    if any(reads_body(each) for each in ast.walk(asked.node)):
                        return True
                    if self._asks_for_it(view, asked, seen):
                        return True
        return False

    def _is_usual(self, schema: Schema | None, serializer: Schema | None, method: str) -> bool:
        if schema is None or serializer is None:
            return False
        return schema == serializer or (method == "PATCH" and schema == self.models.partial(serializer))

    def _demands(self, schema: Schema, partial: bool, stated: bool) -> bool | None:
        """Whether a body must be there: a list must, an object where one of its fields must; None where unknown."""
        if schema.get("type") == "array":
            # Whether a list that is written as a schema must be there is not said.
            return None if stated and "$ref" not in schema.get("items", {}) else True
        target = self.models.classes.get(str(schema.get("$ref", "")).removeprefix("code:schema:"))
        if target is None:
            whole = schema
        else:
            whole = self.models.whole(target)
            if partial:
                return False if "properties" in whole else None
        properties = whole.get("properties", {})
        if any(not properties.get(name, {}).get("readOnly") for name in whole.get("required", [])):
            return True
        if target is not None and any(_is_open(inner) for inner in properties.values()):
            return None
        return False if properties and (target is not None or not stated) else None


def guess(side: str, serializer: Schema | None) -> dict[str, str]:
    """What exporters of contracts take a side of an operation for where nothing declares it: the view's serializer.

    Empty where the view chooses it in a way that is not known.
    """
    if serializer is None:
        return {}
    usual = serializer.get("$ref")
    return {side: usual} if isinstance(usual, str) else {side: ""} if "x-unknown" in serializer else {}


def _perhaps_demanded(schema: Schema) -> Schema:
    """The schema, where each of the properties may be required."""
    properties = schema.get("properties", {})
    may = {n: implied(p, "required") for n, p in properties.items()}
    return {**schema, "properties": may}


def _is_open(schema: Schema) -> bool:
    """Whether requests must have a field or not is open."""
    return "required" in schema.get("x-implied", ())


def _delegates(handler: FunctionTarget) -> bool:
    """Whether a handler passes its request on to the view's own actions, whatever else it does."""
    for part in ast.walk(handler.node):
        match part:
            case ast.Call(func=ast.Attribute(attr=name, value=ast.Name(id="self"))) if name in STATUS:
                return True
            case ast.Call(func=ast.Attribute(attr=name, value=ast.Call(func=ast.Name(id="super")))):
                if name in STATUS or name.upper() in TAKES:
                    return True
    return False
