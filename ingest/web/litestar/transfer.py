"""What Litestar's data transfer objects leave of a model in a body or an answer, and how they call its fields."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise, nullable
from ingest.web.constants.constants import Missing, constant
from ingest.web.litestar.names import PACKAGE
from ingest.web.litestar.pages import page_schema
from ingest.web.litestar.rows import ROOTS, uses_plugin
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, External, Target, ValueTarget, unsubscripted
from ingest.web.schemas.aliases import STRUCT_SPELLINGS, struct_spelling
from ingest.web.schemas.model_fields import Family, ModelField
from ingest.web.schemas.models import Models
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of

UNREAD = "a data transfer object gives the data its form"
_FAMILIES = {
    "DataclassDTO": Family.DATACLASS,
    "MsgspecDTO": Family.MSGSPEC,
    "PydanticDTO": Family.PYDANTIC,
    "AttrsDTO": Family.ATTRS,
    "SQLAlchemyDTO": Family.ROW,
}
_HIDDEN = {True: ("private", "read-only"), False: ("private", "write-only")}
_MARKS = {"PRIVATE": "private", "READ_ONLY": "read-only", "WRITE_ONLY": "write-only"}


class _Rules(msgspec.Struct, frozen=True):
    """What one data transfer object says: the model it is for, and what it does to the fields."""

    model: ClassTarget
    family: Family
    exclude: frozenset[str] = frozenset()
    include: frozenset[str] = frozenset()
    renamed: tuple[tuple[str, str], ...] = ()
    strategy: str = ""
    depth: int = 1
    partial: bool = False
    hides: bool = True

    def within(self, name: str) -> _Rules:
        """The rules for what lies within a field."""
        start = f"{name}."

        def cut(names: Iterable[str]) -> frozenset[str]:
            return frozenset(each.removeprefix(start) for each in names if each.startswith(start))

        renamed = tuple((old.removeprefix(start), new) for old, new in self.renamed if old.startswith(start))
        return replace(self, exclude=cut(self.exclude), include=cut(self.include), renamed=renamed)


class Transfers:
    """Reads data transfer objects of one program."""

    def __init__(self, program: Program, models: Models) -> None:
        self.program = program
        self.models = models

    def schema(self, shape: Shape, dto: Target, sent: bool) -> Schema:
        """The schema of data of this type behind a data transfer object; `sent` tells that requests hold it."""
        rules = self._rules(dto)
        return unknown(UNREAD) if rules is None else self._transferred(shape, rules, sent)

    def of_rows(self, shape: Shape, sent: bool) -> Schema | None:
        """The schema of rows, a list or a page of them, as the plugin transfers them; None for any other data."""
        parts = [shape, *shape.members, *(inner for part in shape.members for inner in part.arguments)]
        rows = [part.target for part in parts if isinstance(part.target, ClassTarget)]
        rows = [owner for owner in rows if self.models.family(owner) is Family.ROW]
        if not rows or not uses_plugin(self.program):
            return None
        return self._transferred(shape, _Rules(rows[0], Family.ROW), sent)

    def _transferred(self, shape: Shape, rules: _Rules, sent: bool) -> Schema:
        target = shape.target
        if isinstance(target, External) and target.name == "DTOData" and len(shape.arguments) == 1:
            shape = shape.arguments[0]
        paged = page_schema(self.models, shape)
        if paged is not None:
            items = self._shape(shape.arguments[-1], rules, sent, 0)
            properties = {**paged["properties"], "items": {"type": "array", "items": items, "x-always": True}}
            return normalise({**paged, "properties": properties})
        if not self._concerns(shape, rules):
            plain = all(part.kind is not ShapeKind.CLASS for part in shape.members)
            return self.models.schema(shape) if plain else unknown(UNREAD)
        return self._outer(shape, rules, sent)

    def _concerns(self, shape: Shape, rules: _Rules) -> bool:
        """Whether the model, or a list of it or None, is what is transferred."""
        parts = shape.members
        inner = parts[0].arguments[0] if parts[0].kind is ShapeKind.ARRAY and parts[0].arguments else parts[0]
        made = inner.target.node if isinstance(inner.target, ClassTarget) else None
        return len(parts) == 1 and made is rules.model.node

    def _outer(self, shape: Shape, rules: _Rules, sent: bool) -> Schema:
        only = shape.members[0]
        many = only.kind is ShapeKind.ARRAY
        found = self._object(rules.model, rules, sent, 0)
        found = normalise({"type": "array", "items": found}) if many else found
        return nullable(found) if shape.nullable else found

    def _object(self, owner: ClassTarget, rules: _Rules, sent: bool, depth: int) -> Schema:
        fields = self.models.fields(owner)
        if fields is None or any(field.name != field.attribute or field.answered for field in fields):
            return unknown(UNREAD)
        properties: dict[str, Schema] = {}
        required: list[str] = []
        for field in fields:
            name = field.attribute
            mark = self._mark(owner, name)
            if mark is None:
                return unknown(UNREAD)
            private = mark in _HIDDEN[sent] or (rules.hides and name.startswith("_") and not mark)
            chosen = {each.partition(".")[0] for each in rules.include}
            if private or name in rules.exclude or (chosen and name not in chosen):
                continue
            if self._is_too_deep(field.shape, rules, depth):
                continue
            called = self._called(name, rules)
            properties[called] = self._field(field, rules.within(name), sent, depth)
            if field.required and not rules.partial:
                required.append(called)
        whole: Schema = {"type": "object", "properties": properties, "x-line": owner.node.lineno}
        return normalise({**whole, "required": sorted(required)} if required else whole)

    def _field(self, field: ModelField, rules: _Rules, sent: bool, depth: int) -> Schema:
        schema = field.schema
        if self._nested(field.shape, rules):
            kept = {key: schema[key] for key in ("x-always",) if key in schema}
            schema = {**self._shape(field.shape, rules, sent, depth + 1), **kept}
        if rules.partial:
            schema = {key: value for key, value in schema.items() if key not in ("default", "x-always")}
        return {**schema, "x-line": field.place.line}

    def _shape(self, shape: Shape, rules: _Rules, sent: bool, depth: int) -> Schema:
        match shape.kind:
            case ShapeKind.CLASS if self._nested(shape, rules) and isinstance(shape.target, ClassTarget):
                return self._object(shape.target, rules, sent, depth)
            case ShapeKind.ARRAY | ShapeKind.SET if shape.arguments:
                items = self._shape(shape.arguments[0], rules.within("0"), sent, depth)
                return normalise({"type": "array", "items": items})
            case ShapeKind.MAPPING if len(shape.arguments) == 2:
                values = self._shape(shape.arguments[1], rules.within("1"), sent, depth)
                return normalise({"type": "object", "additionalProperties": values})
            case ShapeKind.UNION if len(shape.members) == 1:
                position = shape.arguments.index(shape.members[0])
                found = self._shape(shape.members[0], rules.within(str(position)), sent, depth)
                return nullable(found) if shape.nullable else found
            case ShapeKind.UNION | ShapeKind.TUPLE if self._nested(shape, rules):
                return unknown(UNREAD)
        return self.models.schema(shape)

    def _nested(self, shape: Shape, rules: _Rules) -> bool:
        """Whether models of the object's own family lie within a type."""
        if shape.kind is ShapeKind.CLASS and isinstance(shape.target, ClassTarget):
            return not shape.arguments and self.models.family(shape.target) is rules.family
        return any(self._nested(part, rules) for part in shape.arguments)

    def _is_too_deep(self, shape: Shape, rules: _Rules, depth: int) -> bool:
        return depth >= rules.depth and self._nested(shape, rules)

    def _called(self, name: str, rules: _Rules) -> str:
        own = dict(rules.renamed).get(name)
        if own is not None:
            return own
        return (struct_spelling(rules.strategy).written(name) or name) if rules.strategy else name

    def _mark(self, owner: ClassTarget, name: str) -> str | None:
        """What `dto_field(…)` marks a field as; an empty text where nothing does, None where it cannot be known."""
        for base in self.program.ancestry(owner):
            if not isinstance(base, ClassTarget):
                continue
            for statement in base.node.body:
                target = statement.target if isinstance(statement, ast.AnnAssign) else None
                if isinstance(target, ast.Name) and target.id == name:
                    return self._marked(statement, base.body)
        return ""

    def _marked(self, statement: ast.stmt, scope: Scope) -> str | None:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Call):
                continue
            made = self.program.resolve(node.func, scope)
            if isinstance(made, External) and made.root in PACKAGE and made.name in ("dto_field", "DTOField"):
                written = argument(node, 0, "mark")
                named = self.program.resolve(written, scope)
                if isinstance(named, External):
                    return _MARKS.get(named.name)
                value = constant(self.program, written, scope)
                return value if isinstance(value, str) else None
        return ""

    def _rules(self, dto: Target) -> _Rules | None:
        """What a data transfer object says; None where that cannot be known."""
        if isinstance(dto, ValueTarget) and isinstance(dto.node, ast.Subscript):
            made = self.program.resolve(dto.node.value, dto.scope)
            configured = self._configured(made) if isinstance(made, ClassTarget) else None
            return self._of(self._kind(made), dto.node.slice, dto.scope, configured)
        if not isinstance(dto, ClassTarget):
            return None
        for base in self.program.ancestry(dto):
            if not isinstance(base, ClassTarget):
                continue
            for node in base.node.bases:
                made = self.program.resolve(unsubscripted(node), base.scope)
                kind = self._kind(made)
                if kind and isinstance(node, ast.Subscript):
                    return self._of(kind, node.slice, base.scope, self._configured(dto))
        return None

    def _kind(self, target: Target | None) -> str:
        return next((name for name in _FAMILIES if self.program.is_a(target, ROOTS, {name})), "")

    def _configured(self, dto: ClassTarget) -> tuple[ast.expr | None, Scope] | None:
        found = self.program.class_member(dto, "config")
        return (found.node, found.scope) if isinstance(found, ValueTarget) else None

    def _of(
        self, kind: str, model: ast.expr, scope: Scope, configured: tuple[ast.expr | None, Scope] | None
    ) -> _Rules | None:
        shape = shape_of(self.program, model, scope)
        if not kind or not isinstance(shape.target, ClassTarget) or shape.arguments:
            return None
        if self.models.family(shape.target) is not _FAMILIES[kind]:
            return None
        rules = _Rules(shape.target, _FAMILIES[kind])
        if configured is None and shape.metadata:
            configured = shape.metadata[0]
        if configured is None:
            return rules
        call, place = configured
        if not isinstance(call, ast.Call) or call.args or has_stars(call):
            return None
        return self._configure(rules, call, place)

    def _configure(self, rules: _Rules, call: ast.Call, scope: Scope) -> _Rules | None:
        for keyword in call.keywords:
            value = constant(self.program, keyword.value, scope)
            match keyword.arg, value:
                case (_, Missing()):
                    return None
                case "exclude", list():
                    rules = replace(rules, exclude=frozenset(map(str, value)))
                case "include", list():
                    rules = replace(rules, include=frozenset(map(str, value)))
                case "rename_fields", dict():
                    rules = replace(rules, renamed=tuple((str(old), str(new)) for old, new in value.items()))
                case "rename_strategy", None:
                    continue
                case "rename_strategy", str() if value in STRUCT_SPELLINGS:
                    rules = replace(rules, strategy=value)
                case "max_nested_depth", int():
                    rules = replace(rules, depth=value)
                case "partial", bool():
                    rules = replace(rules, partial=value)
                case "underscore_fields_private", bool():
                    rules = replace(rules, hides=value)
                case (("forbid_unknown_fields" | "experimental_codegen_backend"), _):
                    continue
                case "include_implicit_fields", False | "hybrid-only":
                    continue
                case _:
                    return None
        return rules
