"""The models of Flask-RESTX: made by `api.model(…)`, inherited, cloned, and used as input or output."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec
from msgspec.structs import replace

from graph.facts import Json, Kind, Location, Tag, fact_id
from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, normalise
from ingest.web.constants.constants import constant, entries, text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ValueTarget
from ingest.web.restx.fields import ROOTS, FieldReader, ModelField
from ingest.web.restx.made import Table, made_of, made_table
from ingest.web.routing.sites import Sites
from ingest.web.schemas.named_schemas import NamedField, NamedSchema
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_MAKERS = frozenset({"model", "Model", "OrderedModel"})
_JOINERS = frozenset({"inherit", "clone", "extend"})
_MAKING = frozenset({"model", "schema_model", "inherit", "clone", "extend"})
_PLAIN: dict[str, Schema] = {
    "builtins.int": {"type": "integer"},
    "builtins.str": {"type": "string"},
    "builtins.bool": {"type": "boolean"},
    "builtins.float": {"type": "number"},
}
_DEPTH = 10
_UNNAMED = "model of line "


class Model(msgspec.Struct, frozen=True):
    """One model: its name and its fields; `unread` says why they cannot all be known."""

    name: str
    key: str
    place: Location
    fields: tuple[ModelField, ...] = ()
    strict: bool = False
    unread: str = ""
    schema: Schema | None = None


class Models:
    """Gives each use of a model its schema, and remembers which models were referred to."""

    def __init__(
        self, program: Program, instances: Instances, modules: Iterable[Module], sites: Sites
    ) -> None:
        self.program = program
        self.sites = sites
        self.instances = instances
        self.fields = FieldReader(program, instances, self.schema)
        self.known: dict[str, Model] = {}
        self._modules = list(modules)
        self._made: dict[ast.Call, Model] = {}
        self._open: list[ast.Call] = []

    def schema(self, node: ast.expr | None, scope: Scope) -> Schema:
        """The schema of what is written as a model: a model or its name, a list of one, a field, a table of fields."""
        if node is None:
            return unknown("no model is named")
        if isinstance(node, ast.List | ast.Tuple) and node.elts:
            return normalise({"type": "array", "items": self.schema(node.elts[0], scope)})
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self._by_name(node.value)
        model = self.model(node, scope)
        if model is not None:
            return self._referred(model)
        field = self.fields.schema(node, scope)
        if field is not None:
            return field
        target = self.program.resolve(node, scope)
        if isinstance(target, External) and target.dotted in _PLAIN:
            return dict(_PLAIN[target.dotted])
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.List | ast.Tuple):
            return self.schema(target.node, target.scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Dict):
            fields = self._table(target.node, target.scope)
            if fields is None or any(field.unread for field in fields):
                return unknown("the fields are computed")
            return _object(fields, "")
        return unknown("the model is not known")

    def model(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Model | None:
        """The model that an expression stands for, or None where it is none."""
        target = self.program.resolve(node, scope)
        if depth > _DEPTH or not (isinstance(target, ValueTarget) and isinstance(target.node, ast.Call)):
            return None
        call, scope = target.node, target.scope
        if call in self._made:
            return self._made[call]
        called = self.program.resolve(call.func, scope) or self.instances.callee(call.func, scope)
        if isinstance(called, FunctionTarget):
            made = made_of(self.program, self.instances, call, scope)
            found = self.model(*made, depth + 1) if made is not None else None
            if found is not None and found.name.startswith(_UNNAMED):
                # Each call makes another one, though it stands on one line.
                found = replace(found, key=f"{found.key}, called on line {call.lineno} of {scope.module}")
            return found
        if not isinstance(called, External) or called.root not in ROOTS:
            called = self._of_site(call.func, scope)
        if called is None:
            return None
        if call in self._open:
            return self._named(call, scope)
        self._open.append(call)
        try:
            found = self._of_call(called.name, call, scope, depth)
        finally:
            self._open.pop()
        if found is not None:
            self._made[call] = found
        return found

    def _of_site(self, function: ast.expr, scope: Scope) -> External | None:
        """A method that makes models, of a namespace or API that only its own tree knows for one."""
        making = isinstance(function, ast.Attribute) and function.attr in _MAKING
        if not isinstance(function, ast.Attribute) or not making or not self.sites.of(function.value, scope):
            return None
        return External(f"flask_restx.Namespace.{function.attr}")

    def named(self) -> Iterator[NamedSchema]:
        """Every model that was referred to."""
        for key in sorted(self.known):
            model = self.known[key]
            fields = tuple(
                NamedField(f.name, f.required, f.place) for f in sorted(model.fields, key=lambda f: f.name)
            )
            schema = model.schema
            if schema is None:
                schema = unknown(model.unread) if model.unread else _object(model.fields, model.place.path)
                if model.strict and not is_unknown(schema):
                    schema = {**schema, "additionalProperties": False}
            sources = frozenset({model.place.path, *(field.place.path for field in model.fields)})
            yield NamedSchema(key, model.name, model.place, schema, fields, sources)

    def _referred(self, model: Model) -> Schema:
        # A model that is still being read stands in for itself; the whole one takes its place afterwards.
        if model.key not in self.known or self.known[model.key].unread:
            self.known[model.key] = model
        return {"$ref": fact_id(Tag.CODE, Kind.SCHEMA, model.key)}

    def _of_call(self, kind: str, call: ast.Call, scope: Scope, depth: int) -> Model | None:
        if kind in _MAKERS:
            return self._whole(self._named(call, scope), [], argument(call, 1, "model"), call, scope)
        if kind == "schema_model" or kind == "SchemaModel":
            value = constant(self.program, argument(call, 1, "schema"), scope)
            schema = normalise(value) if isinstance(value, dict) else unknown("the schema is not constant")
            _promised(schema)
            if "$ref" in str(value):
                schema = unknown("the schema refers to others")
            return replace(self._named(call, scope), unread="", schema=schema)
        if kind not in _JOINERS or not call.args:
            return None
        owner = (
            self.model(call.func.value, scope, depth + 1) if isinstance(call.func, ast.Attribute) else None
        )
        fields = list(owner.fields) if owner else []
        unread = owner.unread if owner else ""
        for part in call.args[1:-1]:
            parent = self.model(part, scope, depth + 1)
            unread = unread or ("a parent of the model is not known" if parent is None else parent.unread)
            fields = _joined(fields, parent.fields if parent else ())
        last = self.model(call.args[-1], scope, depth + 1) if len(call.args) > 1 else None
        if last is not None:
            fields, unread = _joined(fields, last.fields), unread or last.unread
        node = call.args[-1] if last is None and len(call.args) > 1 else None
        found = self._whole(self._named(call, scope), fields, node, call, scope)
        return replace(found, unread=found.unread or unread)

    def _named(self, call: ast.Call, scope: Scope) -> Model:
        place = self.program.place(call, scope)
        name = text_of(self.program, argument(call, 0, "name"), scope) or f"{_UNNAMED}{call.lineno}"
        return Model(
            name, f"{scope.module}.{name}", place, unread="the model refers to itself while it is made"
        )

    def _whole(
        self, model: Model, inherited: list[ModelField], node: ast.expr | None, call: ast.Call, scope: Scope
    ) -> Model:
        own = self._table(node, scope) if node is not None else []
        if own is None:
            return replace(model, unread="the fields of the model are computed")
        fields = _joined(inherited, own)
        for key, value, place in self._later.get(call, []):
            fields = _joined(fields, [self.fields.read(key, value, place)])
        if any(field.unread for field in fields):
            return replace(model, unread="whether the model's fields must be there cannot be known")
        strict = constant(self.program, argument(call, 3, "strict"), scope) is True
        return replace(model, fields=tuple(fields), strict=strict, unread="")

    def _table(self, node: ast.expr, scope: Scope) -> list[ModelField] | None:
        found = self._entries(node, scope)
        if found is None:
            return None
        fields = []
        for key, value, inner in found:
            name = text_of(self.program, key, inner)
            if name is None:
                return None
            fields.append(self.fields.read(name, value, inner))
        return fields

    def _entries(self, node: ast.expr, scope: Scope) -> Table | None:
        found = entries(self.program, node, scope)
        return (
            found
            if found is not None
            else made_table(self.program, self.instances, node, scope, self._entries)
        )

    def _by_name(self, name: str) -> Schema:
        for call, scope in self._by_first_argument.get(name, []):
            model = self.model(call, scope)
            if model is not None:
                return self._referred(model)
        return unknown("no model has this name")

    @cached_property
    def _by_first_argument(self) -> dict[str, list[tuple[ast.Call, Scope]]]:
        """The calls of the modules by the text that they are given first."""
        found: dict[str, list[tuple[ast.Call, Scope]]] = {}
        for module in self._modules:
            for scope in module.scope.descend():
                for call in scope.calls:
                    first = call.args[0] if call.args else None
                    if isinstance(first, ast.Constant) and isinstance(first.value, str):
                        found.setdefault(first.value, []).append((call, scope))
        return found

    @cached_property
    def _later(self) -> dict[ast.Call, list[tuple[str, ast.expr, Scope]]]:
        """The fields that are put into models after these were made (`node["children"] = …`)."""
        found: dict[ast.Call, list[tuple[str, ast.expr, Scope]]] = {}
        for module in self._modules:
            for statement in module.tree.body:
                target = statement.targets[0] if isinstance(statement, ast.Assign) else None
                if not (isinstance(target, ast.Subscript) and isinstance(statement, ast.Assign)):
                    continue
                owner = self.program.resolve(target.value, module.scope)
                name = text_of(self.program, target.slice, module.scope)
                if name and isinstance(owner, ValueTarget) and isinstance(owner.node, ast.Call):
                    found.setdefault(owner.node, []).append((name, statement.value, module.scope))
        return found


def _joined(first: Iterable[ModelField], second: Iterable[ModelField]) -> list[ModelField]:
    found = {field.name: field for field in first}
    found.update({field.name: field for field in second})
    return list(found.values())


def _object(fields: Iterable[ModelField], path: str) -> Schema:
    properties = {}
    required = []
    for field in fields:
        elsewhere = {"x-path": field.place.path} if field.place.path != path else {}
        properties[field.name] = {**field.schema, "x-line": field.place.line, **elsewhere}
        if field.required:
            required.append(field.name)
    whole: Schema = {"type": "object", "properties": properties}
    return normalise({**whole, "required": sorted(required)} if required else whole)


def _promised(schema: Json) -> None:
    """Marks what a written schema requires at any depth: it is only documented, and answers are said to have it."""
    for part in schema if isinstance(schema, list) else [schema]:
        if not isinstance(part, dict):
            continue
        properties = part.get("properties")
        required = part.get("required")
        for name in required if isinstance(required, list) else ():
            if isinstance(properties, dict) and isinstance(properties.get(name), dict):
                properties[name]["x-always"] = True
        for inner in properties.values() if isinstance(properties, dict) else ():
            _promised(inner)
        for keyword in ("items", "additionalProperties", "allOf", "anyOf", "oneOf"):
            _promised(part.get(keyword))
