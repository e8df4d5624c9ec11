"""marshmallow schemas: classes with what they inherit and configure, and the ways in which one is used."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from graph.facts import Kind, Tag, fact_id
from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, normalise
from ingest.web.constants.constants import Missing, constant
from ingest.web.marshmallow.field_types import GENERATED_NAMES
from ingest.web.marshmallow.fields import FieldReader, SchemaField
from ingest.web.marshmallow.hooks import reshapes, wraps
from ingest.web.marshmallow.uses import Use, UseReader
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, ValueTarget
from ingest.web.schemas.named_schemas import NamedField, NamedSchema
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_DEPTH = 5


class Marshmallow:
    """Gives each use of a schema its JSON Schema, and remembers which classes were referred to."""

    def __init__(self, program: Program, instances: Instances) -> None:
        self.program = program
        self.uses = UseReader(program, instances)
        self.reader = FieldReader(program, instances, self._nested)
        self.classes: dict[str, ClassTarget] = {}
        self._depth = 0
        self._open: list[ast.ClassDef] = []

    def use(self, node: ast.expr | None, scope: Scope) -> Use | None:
        """What an expression names as a schema: a class, an instance, a dictionary of fields; else None."""
        return self.uses.read(node, scope)

    def schema(self, use: Use) -> Schema:
        """The schema of one use; a class that is used as it stands is referred to by fact id."""
        found = self._one(use)
        if use.many and use.target is not None and self._wraps_lists(use.target):
            return unknown("a hook of the schema changes what is written as a whole")
        return normalise({"type": "array", "items": found}) if use.many and not is_unknown(found) else found

    def _wraps_lists(self, target: ClassTarget) -> bool:
        owners = [each for each in self.uses.ancestry(target) if isinstance(each, ClassTarget)]
        return any(reshapes(each, whole=True) for each in owners)

    def fields(self, use: Use) -> list[SchemaField] | None:
        """The fields of one use; None where they cannot all be known."""
        if use.unread:
            return None
        if use.target is None:
            found = self._tabled(use)
        else:
            found = self._declared(use.target)
        if found is None:
            return None
        kept = [
            field
            for field in found
            if (use.only is None or field.attribute in use.only) and field.attribute not in use.exclude
        ]
        if use.partial:
            kept = [replace(f, required=False) if use.is_partial(f.attribute) else f for f in kept]
        return kept

    def named(self) -> Iterator[NamedSchema]:
        """Every class that was referred to, and those that it refers to."""
        done: set[str] = set()
        while waiting := sorted(self.classes.keys() - done):
            for key in waiting:
                done.add(key)
                yield self._named(key, self.classes[key])

    def _named(self, key: str, target: ClassTarget) -> NamedSchema:
        with self.program.trail() as paths:
            whole = self.whole(Use(target), target.scope.path)
            fields = self._declared(target) or []
        place = self.program.place(target.node, target.scope)
        named = tuple(NamedField(f.name, f.required, f.place) for f in sorted(fields, key=lambda f: f.name))
        return NamedSchema(key, target.node.name, place, whole, named, frozenset(paths))

    def _one(self, use: Use) -> Schema:
        if use.target is not None and use.plain:
            self.classes.setdefault(use.target.qualified, use.target)
            return {"$ref": fact_id(Tag.CODE, Kind.SCHEMA, use.target.qualified)}
        if self._depth > _DEPTH:
            return unknown("the schema is nested too deeply")
        self._depth += 1
        try:
            return self.whole(use, "")
        finally:
            self._depth -= 1

    def whole(self, use: Use, path: str = "") -> Schema:
        """The schema of one use with its properties, read from `path`; unknown where they cannot all be known."""
        fields = self.fields(use)
        if fields is None:
            return unknown(use.unread or "the fields of the schema cannot all be known")
        properties = {}
        for field in fields:
            elsewhere = {"x-path": field.place.path} if field.place.path != path else {}
            properties[field.name] = {**field.schema, "x-line": field.place.line, **elsewhere}
        whole: Schema = {"type": "object", "properties": properties}
        required = sorted(field.name for field in fields if field.required)
        if required:
            whole["required"] = required
        said = self._of_unknown_fields(use)
        if said in ("", "raise"):
            whole["additionalProperties"] = False
        if not said:
            # Refusing is the default, which neither exports nor contracts by hand care to say.
            whole["x-implied"] = ["additionalProperties"]
        return normalise(whole)

    def _of_unknown_fields(self, use: Use) -> str:
        """What happens to fields that the schema does not name, as it says; empty where it does not."""
        if use.unknown:
            return use.unknown
        said = self._option(use.target, "unknown") if use.target is not None else None
        if isinstance(said, External):
            return said.name.lower()
        return "" if said is None else str(said)

    def _tabled(self, use: Use) -> list[SchemaField] | None:
        if use.paginated is not None:
            return self.uses.pagination(use.paginated)
        found = []
        for key, value, scope in use.table or ():
            name = constant(self.program, key, scope)
            field = self.reader.read(str(name), value, scope)
            if not isinstance(name, str) or field is None or field.unread:
                return None
            found.append(field)
        return found

    def _declared(self, target: ClassTarget) -> list[SchemaField] | None:
        entered = self._open.count(target.node)
        if entered > 1:
            # A schema within itself within itself: what lies deeper is not looked at.
            return None
        self._open.append(target.node)
        try:
            if entered:
                return self._read(target)
            return self.program.remember(("marshmallow", target.node), lambda: self._read(target))
        finally:
            self._open.pop()

    def _read(self, target: ClassTarget) -> list[SchemaField] | None:
        found: dict[str, SchemaField] = {}
        loose = False
        for owner in reversed(self.uses.ancestry(target)):
            if isinstance(owner, External) and owner.name == "SQLAlchemyAutoSchema":
                generated = self._generated(target)
                if generated is None:
                    return None
                found.update(generated)
            elif owner is None or (isinstance(owner, External) and owner.name in GENERATED_NAMES):
                return None
            if not isinstance(owner, ClassTarget):
                continue
            self.program.saw(owner.scope.path)
            loose = loose or reshapes(owner)
            if reshapes(owner, whole=True) or wraps(owner):
                return None
            for name, value in _assigned(owner):
                field = self.reader.read(name, value, owner.body)
                if field is not None:
                    found[name] = self._from_column(target, field, value, owner.body)
                elif is_none(value):
                    found.pop(name, None)
        fields = self._configured(target, list(found.values()))
        if fields is None or any(field.unread for field in fields):
            return None
        if not loose:
            return fields
        # A hook may leave out what need not be there; that it takes away more cannot be known.
        return [
            f if f.required else replace(f, schema={k: v for k, v in f.schema.items() if k != "x-always"})
            for f in fields
        ]

    def _generated(self, target: ClassTarget) -> dict[str, SchemaField] | None:
        """The fields that are made from the columns of the model that `Meta` names; None where it is not known."""
        model = self._model(target)
        foreign, related = self._option(target, "include_fk"), self._option(target, "include_relationships")
        if model is None or {type(foreign), type(related)} - {bool, type(None)}:
            return None
        from ingest.web.marshmallow.columns import columns_of
        from ingest.web.marshmallow.relations import relationships_of

        self.program.saw(model.scope.path)
        found = {
            each.name: SchemaField(
                each.name, each.name, each.schema, each.required, self.program.place(each.node, model.scope)
            )
            for each in columns_of(self.reader.instances, model, foreign is True)
        }
        keys: Schema = {**unknown("keys of other rows stand for them"), "x-always": True}
        for name, node in relationships_of(self.program, model) if related else ():
            found[name] = SchemaField(name, name, keys, False, self.program.place(node, model.scope))
        return found

    def _from_column(
        self, target: ClassTarget, field: SchemaField, value: ast.expr, scope: Scope
    ) -> SchemaField:
        """A field that is made from a column (`auto_field()`), with what the column says."""
        called = value.func if isinstance(value, ast.Call) else None
        model = self._model(target)
        if last_name(called) != "auto_field":
            return field
        if model is None:
            # Whether requests must hold it, the column decides.
            return replace(field, unread=True)
        from ingest.web.marshmallow.columns import column_of

        assert isinstance(value, ast.Call), "auto_field is called"
        named = value.args[0].value if value.args and isinstance(value.args[0], ast.Constant) else None
        column = column_of(self.reader.instances, model, str(named or field.attribute))
        if column is None or field.unread or has_stars(value):
            return replace(field, unread=True)
        return self.reader.on_column(field, value, scope, column)

    def has_model(self, name: str) -> bool:
        """Whether the fields of a class of this qualified name are made from columns, which say what may be null."""
        target = self.classes.get(name)
        return target is not None and self._model(target) is not None

    def _model(self, target: ClassTarget) -> ClassTarget | None:
        found = self._option(target, "model")
        return found if isinstance(found, ClassTarget) else None

    def _configured(self, target: ClassTarget, fields: list[SchemaField]) -> list[SchemaField] | None:
        """The fields as the class's `Meta` leaves them."""
        names: dict[str, set[str]] = {}
        for option in ("fields", "additional", "include", "exclude", "dump_only", "load_only"):
            value = self._option(target, option)
            if isinstance(value, list):
                names[option] = {str(member) for member in value}
            elif value is not None:
                return None
        if "include" in names:
            return None
        known = {field.attribute for field in fields}
        place = self.program.place(target.node, target.scope)
        for name in sorted((names.get("fields", set()) | names.get("additional", set())) - known):
            inferred = {**unknown("the values give the field its type"), "x-always": True}
            fields = [*fields, SchemaField(name, name, inferred, False, place)]
        kept = [
            field
            for field in fields
            if ("fields" not in names or field.attribute in names["fields"])
            and field.attribute not in names.get("exclude", set())
        ]
        for option, mark in (("dump_only", "readOnly"), ("load_only", "writeOnly")):
            marked = names.get(option, set())
            kept = [replace(f, schema={**f.schema, mark: True}) if f.attribute in marked else f for f in kept]
        return kept

    def _option(self, target: ClassTarget, name: str) -> object | None:
        """What the nearest `Meta` says: a constant, something external, or None where it says nothing."""
        for owner in self.uses.ancestry(target):
            if not isinstance(owner, ClassTarget) or "Meta" not in owner.body.bindings:
                continue
            meta = self.program.class_member(owner, "Meta")
            if not isinstance(meta, ClassTarget):
                return Missing()
            found = self.program.class_member(meta, name)
            if isinstance(found, ValueTarget):
                return constant(self.program, found.node, found.scope)
            outside = isinstance(found, External) and found.root != "builtins"
            return found if outside or isinstance(found, ClassTarget) else None
        return None

    def _nested(self, call: ast.Call, scope: Scope) -> Schema:
        use = self.uses.nested(call, scope)
        if use is None:
            return unknown("the nested schema is not known")
        if self._depth > _DEPTH:
            return unknown("the schema is nested too deeply")
        field = constant(self.program, argument(call, 1, "field_name"), scope)
        plucks = isinstance(call.func, ast.Name | ast.Attribute) and self.uses.is_pluck(call, scope)
        if not plucks:
            return self.schema(use)
        inner = next((f for f in self.fields(use) or () if f.attribute == field), None)
        if inner is None:
            return unknown("the plucked field is not known")
        plain = {k: v for k, v in inner.schema.items() if k not in ("x-always", "readOnly", "writeOnly")}
        return normalise({"type": "array", "items": plain}) if use.many else plain


def _assigned(owner: ClassTarget) -> Iterator[tuple[str, ast.expr]]:
    for statement in owner.node.body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    yield target.id, statement.value
        elif (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and statement.value is not None
        ):
            yield statement.target.id, statement.value
