"""What is asked of serializers by the schemas that name them."""

from __future__ import annotations

import ast

from graph.facts import Kind, Tag, fact_id
from graph.schema_algebra import Schema
from ingest.web.constants.constants import constant
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, Target
from ingest.web.schemas.models import Models
from ingest.web.serializers.applied import stated
from ingest.web.serializers.members import MAKERS, SERIALIZERS
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope


class NamedSerializers(Models):
    """Tells serializers from other classes, and of which kind the serializer is that a schema refers to."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._looked: set[str] = set()

    def is_serializer(self, target: Target | None) -> bool:
        """Whether this is a serializer class."""
        return self.program.is_a(target, MAKERS, SERIALIZERS)

    def meta(self, serializer: ClassTarget, name: str) -> Target | None:
        """What a name of a serializer's `Meta` stands for."""
        meta = self.program.class_member(serializer, "Meta")
        found = self.program.class_member(meta, name) if isinstance(meta, ClassTarget) else None
        return None if isinstance(found, External) and found.root == "rest_framework" else found

    def decorators(
        self, node: ast.ClassDef | Function, scope: Scope, name: str
    ) -> list[tuple[ast.Call, Scope]]:
        """See `stated`."""
        return stated(self.program, node, scope, name)

    def named(self, schema: Schema) -> ClassTarget | None:
        """The class that a schema refers to; None where it is no reference to one."""
        return self.classes.get(str(schema.get("$ref", "")).removeprefix(fact_id(Tag.CODE, Kind.SCHEMA, "")))

    def lists_itself(self, schema: Schema) -> bool:
        """Whether many of what this schema names are written by a class of the serializer's choice."""
        target = self.named(schema)
        return target is not None and self.meta(target, "list_serializer_class") is not None

    def is_single(self, schema: Schema) -> bool:
        """Whether `extend_schema_serializer(many=False)` says that what this schema names is never one of many."""
        target = self.named(schema)
        said = self.annotated(target, "many") if target is not None else None
        return said is not None and constant(self.program, *said) is False

    def annotated(self, target: ClassTarget, keyword: str) -> tuple[ast.expr, Scope] | None:
        """What `extend_schema_serializer` says by a keyword of a class, or of the nearest of its bases."""
        for owner in self.program.ancestry(target):
            if isinstance(owner, ClassTarget):
                for call, place in self.decorators(owner.node, owner.scope, "extend_schema_serializer"):
                    said = argument(call, None, keyword)
                    if said is not None and constant(self.program, said, place) not in ([], None):
                        return said, place
        return None

    def is_empty(self, schema: Schema) -> bool:
        """Whether this names a serializer that neither takes nor gives anything."""
        target = self.named(schema)
        return target is not None and self.is_serializer(target) and self.fields(target) == []

    def takes_nothing(self, schema: Schema) -> bool:
        """Whether this names a serializer whose fields are all only given."""
        target = self.named(schema)
        fields = self.fields(target) if target is not None and self.is_serializer(target) else None
        return bool(fields) and all(each.schema.get("readOnly") for each in fields or ())

    def is_one_sided(self, schema: Schema) -> bool:
        """Whether this names a serializer whose fields are all only given, or all only taken, or that declares none."""
        target = self.named(schema)
        if target is None or target.qualified in self._looked or not self.is_serializer(target):
            return False
        if self._declares_none(target):
            return True
        self._looked.add(target.qualified)
        fields = self.fields(target) or []
        self._looked.discard(target.qualified)
        sides = [side for side in ("readOnly", "writeOnly") if all(each.schema.get(side) for each in fields)]
        return bool(fields and sides)

    def _declares_none(self, target: ClassTarget) -> bool:
        """Whether a plain serializer declares no fields, so that all that it gives it makes by hand."""
        if not self.program.is_a(target, {"rest_framework"}, {"Serializer"}) or self.program.is_a(
            target, {"rest_framework"}, {"ModelSerializer"}
        ):
            return False
        own = [each for each in self.program.ancestry(target) if not isinstance(each, External)]
        return all(
            isinstance(each, ClassTarget)
            and not any(isinstance(part, ast.Assign | ast.AnnAssign | ast.If) for part in each.node.body)
            for each in own
        )

    def partial(self, schema: Schema) -> Schema:
        """A serializer's schema as PATCH takes it: nothing is required."""
        target = self.named(schema)
        if target is None:
            return {key: value for key, value in schema.items() if key != "required"}
        whole = self.inlined(target)
        return {
            key: value for key, value in whole.items() if key != "required" and (key != "properties" or value)
        }

    def inlined(self, target: ClassTarget) -> Schema:
        """The schema of a class to stand elsewhere: each of its properties tells the file that it is written in."""
        whole, path = self.whole(target), target.scope.path
        properties = {
            name: {**inner, "x-path": inner.get("x-path", path)}
            for name, inner in whole.get("properties", {}).items()
        }
        return {**whole, "properties": properties} if properties else whole
