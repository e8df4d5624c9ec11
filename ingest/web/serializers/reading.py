"""What readers of fields and columns need of the reader of serializers that uses them."""

from __future__ import annotations

import ast
from typing import Protocol

from graph.schema_algebra import Schema
from ingest.web.constants.constants import Constant, Missing
from ingest.web.django.models import DjangoModels
from ingest.web.django.relations import Relations
from ingest.web.django.settings import Settings
from ingest.web.django.tables import ModelClass
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape
from ingest.web.program.targets import ClassTarget, FunctionTarget, Target
from ingest.web.schemas.model_fields import Family
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope


class FieldReading(Protocol):
    """The reader of serializers' fields; `FieldReader` says what each method gives."""

    def kind(self, call: ast.Call, scope: Scope) -> str:
        """The framework's name for the class of a field; empty where it is another one."""
        ...

    def limited(self, schema: Schema, options: dict[str, tuple[ast.expr, Scope]]) -> Schema:
        """The schema with the limits that keywords of a field put on it."""
        ...

    def is_field(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a call makes something that a serializer takes for a field."""
        ...

    def is_stated(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a call makes a serializer in the ways of drf-spectacular."""
        ...

    def value(self, call: ast.Call, scope: Scope, name: str, owner: ClassTarget | None) -> Schema:
        """The schema of a field's value, without null."""
        ...

    def given(self, call: ast.Call, scope: Scope, name: str, position: int | None = None) -> Constant:
        """The constant that an argument of a field is given."""
        ...


class SerializerReading(Protocol):
    """The reader of serializers, as its parts see it; `SerializerModels` says what each method gives."""

    program: Program
    settings: Settings
    tables: DjangoModels
    reader: FieldReading
    relations: Relations

    def family(self, target: ClassTarget) -> Family | None:
        """The kind of data class that this is; None where it is none."""
        ...

    def schema(self, shape: Shape) -> Schema:
        """The schema of an annotation."""
        ...

    def of_value(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Schema | None:
        """The schema of what stands for a type in a declaration."""
        ...

    def partial(self, schema: Schema) -> Schema:
        """A serializer's schema as PATCH takes it."""
        ...

    def inline(self, entries: list[tuple[str, ast.expr, Scope]], owner: ClassTarget | None = None) -> Schema:
        """The schema of fields that are given by name."""
        ...

    def annotated(self, target: ClassTarget, keyword: str) -> tuple[ast.expr, Scope] | None:
        """What `extend_schema_serializer` says by a keyword of a class, or of the nearest of its bases."""
        ...

    def is_one_sided(self, schema: Schema) -> bool:
        """Whether this names a serializer whose fields are all only given, or all only taken."""
        ...

    def is_serializer(self, target: Target | None) -> bool:
        """Whether this is a serializer class."""
        ...

    def reference(self, target: ClassTarget) -> Schema:
        """The reference to a class's schema."""
        ...

    def listed(self, schema: Schema, call: ast.Call, scope: Scope) -> Schema:
        """The schema of many, where a call says so."""
        ...

    def override(self, target: ClassTarget) -> Schema | None:
        """What is declared in place of the class itself."""
        ...

    def result(self, function: FunctionTarget, serializer: ClassTarget | None = None) -> Schema:
        """The schema of what a method gives, be it one of a serializer."""
        ...

    def attribute(self, serializer: ClassTarget | None, name: str) -> Schema:
        """The schema of an attribute of a serializer's model."""
        ...

    def model_of(self, serializer: ClassTarget) -> ModelClass | None:
        """The model of a `ModelSerializer`."""
        ...

    def meta(self, serializer: ClassTarget, name: str) -> Target | None:
        """What a name of a serializer's `Meta` stands for."""
        ...

    def decimals_as_text(self) -> bool | Missing:
        """Whether decimals are written as text where a field does not say."""
        ...

    def limited(self, schema: Schema, options: dict[str, tuple[ast.expr, Scope]]) -> Schema:
        """The schema with the limits that keywords of a field put on it."""
        ...

    def decorators(
        self, node: ast.ClassDef | Function, scope: Scope, name: str
    ) -> list[tuple[ast.Call, Scope]]:
        """The calls of drf-spectacular's decorator of this name that stand on a class or function."""
        ...
