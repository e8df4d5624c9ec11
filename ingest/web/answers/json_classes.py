"""Objects that models and data classes give as JSON, and of which class an expression's value is."""

from __future__ import annotations

import ast
from collections.abc import Callable

from graph.facts import Json
from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import normalise, nullable
from ingest.web.answers.stored_values import StoredValues
from ingest.web.program.calls import argument
from ingest.web.program.queried import Queried
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ParameterTarget, ValueTarget
from ingest.web.schemas.model_fields import Family, ModelField
from ingest.web.schemas.models import Models
from ingest.web.schemas.sqlalchemy_columns import choices_of
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotated_values import AnnotatedValues
from ingest.web.values.instances import Instances, returned
from ingest.web.values.specialised import called_by

_DEPTH = 6
_TOLD = frozenset({Family.DATACLASS, Family.MSGSPEC})
_WITHIN = _TOLD | {Family.PYDANTIC, Family.TYPED_DICT}
_PLAIN_OPTIONS = frozenset({"frozen", "kw_only", "eq", "order", "gc", "weakref", "dict"})
_DECODES = frozenset({"msgspec.json.decode", "msgspec.convert"})
_VALIDATE = frozenset({"model_validate", "model_validate_json", "parse_obj", "parse_raw"})


class DumpedClasses:
    """Works out what dumped instances hold; `stored` and `annotated` tell of what class values are."""

    def __init__(
        self, models: Models, instances: Instances, stored: StoredValues, annotated: AnnotatedValues
    ) -> None:
        self.program = instances.program
        self.models = models
        self.instances = instances
        self.stored = stored
        self.annotated = annotated
        stores = stored.stores
        self.queried = Queried(instances.program, instances.callee, stores.argument, lambda: stores.rounds)

    def spelled_out(self, reference: str) -> Schema:
        """The object that a dumped class gives, to be changed by a function."""
        owner = next((c for c in self.models.classes.values() if reference.endswith(f":{c.qualified}")), None)
        return self._by_attributes(owner) if owner is not None else {"type": "object"}

    def _by_attributes(self, owner: ClassTarget) -> Schema:
        fields = self.models.fields(owner)
        if fields is None:
            return {"type": "object"}
        kept = {field.attribute: _held(field) for field in fields}
        whole: Schema = {"type": "object", "properties": kept, "required": sorted(kept)}
        return normalise({**whole, "x-complete": True})

    def model(self, node: ast.expr, scope: Scope, named: bool = False) -> Schema:
        """The object that a model or data class gives; `named` tells that its fields have their names in Python."""
        owner = self._validated(node, scope) or self.of(node, scope)
        if not isinstance(owner, ClassTarget) or self.models.family(owner) not in (
            Family.PYDANTIC,
            Family.DATACLASS,
            Family.NAMED_TUPLE,
        ):
            return unknown("of which class the value is cannot be known")
        # What its fields are checked for is no promise of the answer, so what it holds is told, and not the class.
        if self.models.family(owner) is not Family.PYDANTIC:
            return self._told(owner, ())
        renamed = any(field.attribute != field.name for field in self.models.fields(owner) or [])
        return self._told(owner, ()) if named or not renamed else self.models.reference(owner)

    def instance(self, node: ast.expr, scope: Scope) -> Schema | None:
        """The object that an instance of a data class or struct becomes as JSON; None for what is none."""
        owner = self.of(node, scope)
        if isinstance(owner, ClassTarget) and self.models.family(owner) is Family.GENERATED:
            # Such a class was made of the contract, so that what it says was promised once.
            return self.models.reference(owner)
        if not isinstance(owner, ClassTarget) or self.models.family(owner) not in _TOLD:
            return None
        if any(keyword.arg not in _PLAIN_OPTIONS for keyword in owner.node.keywords):
            return None
        return self._told(owner, ())

    def _told(self, owner: ClassTarget, within: tuple[ast.AST, ...]) -> Schema:
        """The object of a data class, the data classes within it spelled out too."""
        whole = self._by_attributes(owner)
        if owner.node in within or len(within) > _DEPTH:
            return unknown("the value is made of others of its kind")
        return _each_reference(whole, lambda name: self._within(name, (*within, owner.node)))

    def _within(self, reference: str, within: tuple[ast.AST, ...]) -> Schema | None:
        for inner in list(self.models.classes.values()):
            if reference.endswith(f":{inner.qualified}") and self.models.family(inner) in _WITHIN:
                return self._told(inner, within)
        return None

    def of(self, node: ast.expr, scope: Scope) -> ClassTarget | External | None:
        """The class of a value, also of one that the program keeps."""
        found = self.instances.of(node, scope)
        if isinstance(found, ClassTarget):
            return found
        told = self._told_by_call(node, scope, 0)
        if isinstance(told, ClassTarget):
            return told
        kept = self.stored.class_of(node, scope) or self.annotated.class_of(node, scope)
        return kept or self.queried.one(node, scope) or self._chosen(node, scope) or found

    def _chosen(self, node: ast.expr, scope: Scope) -> ClassTarget | None:
        """The enumeration of which a column's value is a member."""
        owner = self.of(node.value, scope) if isinstance(node, ast.Attribute) else None
        if not isinstance(owner, ClassTarget) or not isinstance(node, ast.Attribute):
            return None
        found = self.instances.attribute(owner, node.attr)
        return choices_of(self.instances, found.node, found.scope) if isinstance(found, ValueTarget) else None

    def method(self, node: ast.Attribute, scope: Scope) -> FunctionTarget | None:
        """The method of the project that an attribute of a value is."""
        owner = self.of(node.value, scope)
        found = self.instances.attribute(owner, node.attr) if isinstance(owner, ClassTarget) else None
        return found if isinstance(found, FunctionTarget) else None

    def _told_by_call(self, node: ast.expr, scope: Scope, depth: int) -> ClassTarget | None:
        """The class that a helper makes something of, which is told it (`await read(request, Order)`)."""
        if depth > _DEPTH:
            return None
        if isinstance(node, ast.Await):
            return self._told_by_call(node.value, scope, depth + 1)
        if isinstance(node, ast.Name):
            target = self.program.resolve(node, scope)
            if isinstance(target, ParameterTarget):
                given = self.stored.stores.argument(target.name, target.scope)
                # An annotation that names a class of the project was taken before; others tell less than the call.
                found = self.of(*given) if given is not None else None
                return found if isinstance(found, ClassTarget) else None
            if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call | ast.Await):
                return self._told_by_call(target.node, target.scope, depth + 1)
            return None
        called = called_by(self.instances, node, scope) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and isinstance(called, External) and called.dotted in _DECODES:
            written = argument(node, None if called.name == "decode" else 1, "type")
            named = self.program.resolve(written, scope) if written is not None else None
            return named if isinstance(named, ClassTarget) else None
        if not isinstance(called, FunctionTarget):
            return called if isinstance(called, ClassTarget) else self._validating(node, scope)
        made = {self._told_by_call(value, inner, depth + 1) for value, inner in returned(called)}
        return made.pop() if len(made) == 1 else None

    def _validated(self, node: ast.expr, scope: Scope) -> ClassTarget | None:
        """The class of `Model.model_validate(…)`, also behind a name."""
        target = self.program.resolve(node, scope)
        return self._validating(target.node, scope) if isinstance(target, ValueTarget) else None

    def _validating(self, call: ast.expr | None, scope: Scope) -> ClassTarget | None:
        function = call.func if isinstance(call, ast.Call) else None
        if not isinstance(function, ast.Attribute) or function.attr not in _VALIDATE:
            return None
        found = self.program.resolve(function.value, scope)
        return found if isinstance(found, ClassTarget) else None


def _held(field: ModelField) -> Schema:
    """What an instance holds under a name; where the class fills it in, a contract may leave it optional."""
    held = {key: value for key, value in field.schema.items() if key not in ("default", "x-always")}
    return held if field.required else implied(held, "required")


def plain_schema(models: Models, shape: Shape) -> Schema | None:
    """The schema of plain values, lists of them and their enumerations; None for what has another form as JSON."""
    if shape.kind is ShapeKind.UNION and len(shape.members) == 1:
        inner = plain_schema(models, shape.members[0])
        return nullable(inner) if inner is not None and shape.nullable else inner
    if shape.kind is ShapeKind.SCALAR and "format" not in shape.schema and "type" in shape.schema:
        return {"type": shape.schema["type"]}
    if shape.kind is ShapeKind.LITERAL:
        return models.schema(shape)
    if isinstance(shape.target, ClassTarget) and models.family(shape.target) is Family.TYPED_DICT:
        # It is a dictionary already, and what type checkers hold it against.
        return models.schema(shape)
    if shape.kind is ShapeKind.ARRAY and shape.arguments:
        items = plain_schema(models, shape.arguments[0])
        return normalise({"type": "array", "items": items}) if items is not None else {"type": "array"}
    return None


def _each_reference(schema: Schema, instead: Callable[[str], Schema | None]) -> Schema:
    """The schema with each reference replaced by what `instead` gives for it, where it gives something."""

    def replaced(value: Json) -> Json:
        if isinstance(value, list):
            return [replaced(each) for each in value]
        if not isinstance(value, dict):
            return value
        found = instead(value["$ref"]) if isinstance(value.get("$ref"), str) else None
        if found is not None:
            return {**{k: v for k, v in value.items() if k != "$ref"}, **found}
        return {key: replaced(each) for key, each in value.items()}

    made = replaced(schema)
    assert isinstance(made, dict), "an object stays one"
    return made


def is_whole(call: ast.Call) -> bool:
    """Whether a model is dumped with all of its fields."""
    return all(keyword.arg in ("mode", "indent", "by_alias") for keyword in call.keywords)


def true_of(call: ast.Call) -> set[str | None]:
    """The keywords of a call that are given as true."""
    return {k.arg for k in call.keywords if isinstance(k.value, ast.Constant) and k.value.value is True}
