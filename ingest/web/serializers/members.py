"""Which fields a serializer lists: declared ones of its own and its bases, those of its model, and what hides them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from graph.schema_algebra import Schema, implied, unknown
from ingest.web.constants.constants import constant
from ingest.web.program.shapes import ANY
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.schemas.facets import Facets
from ingest.web.schemas.model_fields import ModelField
from ingest.web.serializers.columns import ColumnReader
from ingest.web.serializers.properties import declared, direction
from ingest.web.serializers.reading import SerializerReading
from ingest.web.serializers.reshaping import reshaping
from ingest.web.serializers.tokens import TOKENS, as_tokens, login_name
from ingest.web.syntax.scopes import Scope

_ROOTS = frozenset({"rest_framework", "rest_framework_gis", "drf_writable_nested", "drf_spectacular"})
MAKERS: Final = _ROOTS | {"rest_flex_fields"}
SERIALIZERS: Final = frozenset(
    {
        "BaseSerializer",
        "Serializer",
        "ModelSerializer",
        "HyperlinkedModelSerializer",
        "WritableNestedModelSerializer",
        "FlexFieldsModelSerializer",
        "ListSerializer",
    }
)
_ADDED: Final = {
    "rest_flex_fields": frozenset({"FlexFieldsModelSerializer", "FlexFieldsSerializerMixin"}),
    "drf_queryfields": frozenset({"QueryFieldsMixin"}),
    "drf_dynamic_fields": frozenset({"DynamicFieldsMixin"}),
    "django_restql": frozenset({"DynamicFieldsMixin"}),
    "taggit": frozenset({"TaggitSerializer"}),
}
"""Bases of other packages that only take fields away where a request asks for it."""


class _Members(msgspec.Struct):
    """What was read of a serializer: `partial` where it may lack some of the fields and have others, `doubted` where a
    base may write them in a form of its own."""

    fields: list[ModelField]
    partial: bool = False
    doubted: bool = False


class MemberReader:
    """Reads the classes of one program's serializers."""

    def __init__(self, models: SerializerReading) -> None:
        self.models = models
        self.program = models.program
        self.columns = ColumnReader(models)

    def fields(self, target: ClassTarget) -> list[ModelField] | None:
        """The fields of a serializer in order; None where they cannot all be known."""
        found = self._read(target)
        return found.fields if found is not None and not found.partial else None

    def part(self, target: ClassTarget) -> tuple[list[ModelField], list[str]] | None:
        """Fields that a serializer has if it has fields of these names, and the directions in which nothing is known
        of them; None where nothing is known at all."""
        found = self._read(target)
        if found is None or not found.fields:
            return None
        opened = {*self.opened(target), *(("response",) if found.doubted else ())}
        return [_if_there(field) for field in found.fields], sorted(opened)

    def _read(self, target: ClassTarget) -> _Members | None:
        self.program.saw(target.scope.path)
        found = _Members([])
        answered: set[str] = set()
        changed: set[str] = set()
        taken: set[str] = set()
        chosen: set[str] = set()
        for owner in self.program.ancestry(target):
            if owner is None or (isinstance(owner, External) and not _is_plain(owner)):
                found.partial = found.doubted = True
            elif isinstance(owner, ClassTarget):
                made = reshaping(owner.node)
                if made is None or any(map(_is_called, owner.node.body)):
                    return None
                chosen |= {name for each in owner.node.body if _is_choosing(each) for name in _stored(each)}
                found.partial |= made.renamed or any(map(_is_choosing, owner.node.body))
                answered |= made.answered
                changed |= made.changed | _put_from_outside(owner)
                taken |= made.taken
        if self.program.is_a(target, MAKERS, {"ListSerializer"}) or not self.program.is_a(
            target, MAKERS, SERIALIZERS - {"BaseSerializer"}
        ):
            return None
        listed = self._listed_fields(target, changed)
        if listed is None:
            listed = self.columns.part(target, self._declarations(target, changed))
            found.partial = True
        fields = self._without_hidden(target, listed)
        fields = as_tokens(self.models, target, fields) if fields is not None else None
        if fields is None:
            return None
        known = [_perhaps(field) if field.name in taken else field for field in fields]
        whole = self._written_by_hand(target, known, answered, changed)
        found.fields = [field for field in whole if field.name not in chosen]
        return found

    def opened(self, target: ClassTarget) -> list[str]:
        """The directions in which a serializer makes all that it has by hand."""
        owners = (owner for owner in self.program.ancestry(target) if isinstance(owner, ClassTarget))
        made = [found for owner in owners if (found := reshaping(owner.node)) is not None]
        return sorted({each for found in made for each in found.open})

    def _written_by_hand(
        self, target: ClassTarget, fields: list[ModelField], answered: set[str], changed: set[str]
    ) -> list[ModelField]:
        """The fields, with what is set by hand in answers open: it may be of any form, or not be there; so are those
        that are made otherwise than they are declared, of which requests may demand any."""
        made = unknown("the field is changed when it is made")
        may: Schema = {**made, "x-implied": ["required"]}
        fields = [
            replace(f, schema={**may, **direction(f.schema)}, required=False) if f.name in changed else f
            for f in fields
        ]
        answered = answered | changed
        place = self.program.place(target.node, target.scope)
        open_ = unknown("the value is written by hand in answers")
        kept = [
            replace(f, schema={**open_, **direction(f.schema)}) if f.name in answered - changed else f
            for f in fields
        ]
        added = sorted(answered - {field.name for field in fields})
        hidden: Schema = {**open_, "readOnly": True, "x-hidden": True}
        asked: Schema = {**may, "x-hidden": True}
        schemas = [asked if name in changed else hidden for name in added]
        return kept + [
            ModelField(name, name, dict(schema), False, ANY, Facets(), place)
            for name, schema in zip(added, schemas, strict=True)
        ]

    def _listed_fields(self, target: ClassTarget, changed: set[str]) -> list[ModelField] | None:
        written = self._declarations(target, changed)
        names = SERIALIZERS - {"BaseSerializer", "Serializer", "ListSerializer"}
        if self.program.is_a(target, MAKERS, names):
            return self.columns.fields(target, written)
        made = [declared(self.models, name, call, scope, target) for name, (call, scope) in written.items()]
        return [field for field in made if field is not None]

    def _declarations(self, target: ClassTarget, changed: set[str]) -> dict[str, tuple[ast.Call, Scope]]:
        """The fields that a serializer and its bases declare in their bodies; those of which only a choice is known
        are added to those that are changed."""
        found: dict[str, tuple[ast.Call, Scope]] = {}
        for owner in reversed(self.program.ancestry(target)):
            collected = isinstance(owner, ClassTarget) and (
                self.models.is_serializer(owner) or any(k.arg == "metaclass" for k in owner.node.keywords)
            )
            for name, value in _bound(owner.node) if isinstance(owner, ClassTarget) else []:
                assert isinstance(owner, ClassTarget)
                made = self._made(value, owner.body)
                if owner.scope.module == TOKENS:
                    name = login_name(self.models, name)
                if not collected:
                    # The framework takes no fields from classes that are not serializers themselves.
                    continue
                if made is None:
                    # Whatever else has the name of a field takes its place.
                    found.pop(name, None)
                    if self._may_be_field(value, owner.body):
                        changed.add(name)
                    continue
                found[name] = made
                if isinstance(value, ast.IfExp | ast.BoolOp) or self._decorated(value, owner.body):
                    changed.add(name)
        return found

    def _made(self, value: ast.expr | None, scope: Scope) -> tuple[ast.Call, Scope] | None:
        """The call that makes a field, or the first that may; None for what is no field."""
        if isinstance(value, ast.Name | ast.Attribute):
            target = self.program.resolve(value, scope)
            if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call | ast.IfExp | ast.BoolOp):
                return self._made(target.node, target.scope)
        if isinstance(value, ast.Call) and self._decorated(value, scope):
            return value, scope
        choices = [value]
        if isinstance(value, ast.IfExp):
            choices = [value.body, value.orelse]
        elif isinstance(value, ast.BoolOp):
            choices = list(value.values)
        for each in choices:
            if isinstance(each, ast.Call) and self.models.reader.is_field(each, scope):
                return each, scope
        return None

    def _may_be_field(self, value: ast.expr | None, scope: Scope) -> bool:
        """Whether a value is made by a class that itself is made, or by a function, so that it may be a field."""
        if not isinstance(value, ast.Call):
            return False
        target = self.program.resolve(value.func, scope)
        return target is None or isinstance(target, ValueTarget | FunctionTarget)

    def _decorated(self, value: ast.expr | None, scope: Scope) -> bool:
        """Whether a field, or the class of one, is given to `extend_schema_field(…)`."""
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Call):
            value = value.func
            made = self.program.resolve(value.func, scope)
            if isinstance(made, External) and made.name == "extend_schema_field":
                return True
        return False

    def _without_hidden(
        self, target: ClassTarget, fields: list[ModelField] | None
    ) -> list[ModelField] | None:
        many = self.models.annotated(target, "many")
        if many is not None and constant(self.program, *many) is not False:
            return None
        left_out = self.models.annotated(target, "exclude_fields")
        names = constant(self.program, *left_out) if left_out is not None else None
        hidden = {str(name) for name in names} if isinstance(names, list) else set()
        return [field for field in fields if field.name not in hidden] if fields is not None else None


def _bound(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a class body binds, with what an assignment gives them."""
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, None


def _put_from_outside(owner: ClassTarget) -> set[str]:
    """The names of fields that statements beside a class put into it: `Books._declared_fields["kind"] = …`."""
    body = owner.scope.node.body
    found: set[str] = set()
    for statement in body if isinstance(body, list) else []:
        match statement:
            case ast.Assign(
                targets=[
                    ast.Subscript(
                        value=ast.Attribute(attr="_declared_fields", value=ast.Name(id=name)),
                        slice=ast.Constant(value=str(field)),
                    )
                ]
            ) if name == owner.node.name:
                found.add(field)
    return found


def _perhaps(field: ModelField) -> ModelField:
    """A field that is taken away on a condition, so that a contract may have it or not."""
    schema = {**implied(field.schema, "required"), "x-hidden": True}
    return replace(field, schema=schema)


def _if_there(field: ModelField) -> ModelField:
    """A field that a serializer may have or not."""
    schema = {**implied(field.schema, "required"), "x-hidden": True}
    if schema.get("writeOnly") is not True:
        schema["x-always"] = True
    return replace(field, schema=schema, required=False)


def _is_called(statement: ast.stmt) -> bool:
    """Whether a statement of a class body calls something that may bind names: `vars().update(…)`."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)


def _is_choosing(statement: ast.stmt) -> bool:
    """Whether a statement of a class body may bind names or not."""
    return isinstance(statement, ast.If | ast.For | ast.While | ast.Try | ast.With)


def _stored(node: ast.AST) -> Iterator[str]:
    return (
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )


def _is_plain(base: External) -> bool:
    """Whether a base from outside of the project has no fields of its own and gives values no other form."""
    return base.root in {*_ROOTS, "builtins", "typing"} or base.name in _ADDED.get(base.root, ())
