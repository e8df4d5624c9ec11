"""The fields of marshmallow schemas: one call such as `Integer(required=True)` as a property."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from graph.facts import Json, Location
from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import is_unknown, normalise, nullable
from ingest.web.constants.constants import MISSING, Missing, constant, entries, enum_members
from ingest.web.constants.enums import is_enum
from ingest.web.marshmallow.field_types import ANYTHING, COMPUTED, NAMES, PLAIN, ROOTS
from ingest.web.marshmallow.validators import validated
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.schemas.own_fields import works_out
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, returned

if TYPE_CHECKING:
    from ingest.web.marshmallow.columns import Column

_DEPTH = 8
_SAID = frozenset(
    {
        *(
            "format",
            "pattern",
            "enum",
            "type",
            "deprecated",
            "readOnly",
            "writeOnly",
            "uniqueItems",
            "multipleOf",
        ),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
    }
)
"""The keywords that documentation takes from a field's metadata."""
_CHECKED = "valid"
"""What the attributes are called by which it adds checks."""
_LIMITS = ("enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems")
_TOLD = ("metadata", "required", "allow_none", "default", "data_key", "dump_only", "load_only")
"""What an attribute is called by which the `__init__` of a field class says what its fields take."""
_ISO = (None, "iso", "iso8601")
_FORMATTED = frozenset({"DateTime", "NaiveDateTime", "AwareDateTime", "Date", "Time", "LocalDateTime"})
"""The fields for which `format` is an option of their own, and not a word for the documentation."""


class SchemaField(msgspec.Struct, frozen=True):
    """One field of a schema: its name in JSON and in Python, and its schema, marked where it goes one way only.

    `unread` tells that its name, or whether it must be there, cannot be known.
    """

    name: str
    attribute: str
    schema: Schema
    required: bool
    place: Location
    unread: bool = False

    @property
    def loaded(self) -> bool:
        """Whether requests may hold it."""
        return self.schema.get("readOnly") is not True


class _Made(msgspec.Struct, frozen=True):
    """A field's type by its library's name, and the call that makes it (None: given as a bare class).

    The project may make its fields in a way of its `own`, or only put further checks on their values (`checked`).
    """

    kind: str
    call: ast.Call | None
    scope: Scope
    own: bool = False
    checked: bool = False


Nested = Callable[[ast.Call, Scope], Schema]
"""Gives the schema of a `Nested(…)` or `Pluck(…)`."""


class FieldReader:
    """Reads fields of one program; `nested` reads those that hold another schema."""

    def __init__(self, program: Program, instances: Instances, nested: Nested) -> None:
        self.program = program
        self.instances = instances
        self.nested = nested

    def read(self, attribute: str, node: ast.expr, scope: Scope) -> SchemaField | None:
        """The field that an expression makes under a name; None where it makes none."""
        place = self.program.place(node, scope)
        if isinstance(node, ast.IfExp):
            either = self.read(attribute, node.body, scope) or self.read(attribute, node.orelse, scope)
            chosen = unknown("a condition chooses the field")
            return SchemaField(attribute, attribute, chosen, False, place) if either is not None else None
        made = self._made(node, scope, 0)
        if made is None:
            return None
        if made.call is None:
            return SchemaField(
                attribute, attribute, {**self._schema(made, 0), "x-always": True}, False, place
            )
        if has_stars(made.call):
            return SchemaField(
                attribute, attribute, unknown("the field's options are computed"), False, place
            )
        key = argument(made.call, None, "data_key", "load_from")
        name = constant(self.program, key, made.scope) if key is not None else None
        if isinstance(name, Missing):
            return SchemaField(attribute, attribute, unknown("the field's key is computed"), False, place)
        required = self._flag(made, "required")
        schema = self._marked(self._schema(made, 0), made)
        return SchemaField(str(name or attribute), attribute, schema, required, place)

    def schema(self, node: ast.expr, scope: Scope, depth: int = 0) -> Schema:
        """The schema of the values of an inner field, such as the items of a list."""
        made = self._made(node, scope, 0)
        if made is None or depth > _DEPTH:
            return unknown("the field is not known")
        return self._schema(made, depth + 1)

    def _made(self, node: ast.expr, scope: Scope, depth: int) -> _Made | None:
        target = self.program.resolve(node, scope)
        if target is None:
            target = self.instances.callee(node, scope)
        if not isinstance(target, ValueTarget):
            kind = self._kind(target)
            return _Made(kind, None, scope, *self._ways(target)) if kind else None
        if not isinstance(target.node, ast.Call):
            return None
        made = self._callee(target.node.func, target.scope)
        kind = self._kind(made)
        if kind:
            return _Made(kind, target.node, target.scope, *self._ways(made))
        if isinstance(made, FunctionTarget) and depth < _DEPTH:
            values = returned(made)
            return self._made(*values[0], depth + 1) if len(values) == 1 else None
        return None

    def _callee(self, node: ast.expr, scope: Scope) -> Target | None:
        found = self.program.resolve(node, scope)
        return found if found is not None else self.instances.callee(node, scope)

    def _kind(self, target: Target | None) -> str:
        """The library's name of a field class; empty for what is none."""
        for base in self.program.ancestry(target) if isinstance(target, ClassTarget) else [target]:
            if isinstance(base, External) and base.root in ROOTS and base.name in NAMES:
                return base.name
        return ""

    def _ways(self, target: Target | None) -> tuple[bool, bool]:
        """Whether the project makes the fields of a class in a way of its own, and whether it checks more of them."""
        if not isinstance(target, ClassTarget):
            return False, False
        bases = self.program.ancestry(target)
        classes = [base for base in bases if isinstance(base, ClassTarget)]
        own = any(works_out(base, *_TOLD) for base in classes) or self._kind(target) in ANYTHING
        return own, any(works_out(base, _CHECKED) for base in classes)

    def on_column(self, field: SchemaField, node: ast.expr, scope: Scope, column: Column) -> SchemaField:
        """A field that is made from a column, with what the call says beside it or against it."""
        made = self._made(node, scope, 0)
        if made is None or made.call is None:
            return field
        schema = {key: value for key, value in column.schema.items() if key != "x-always"}
        checks = argument(made.call, None, "validate")
        if checks is not None and not is_unknown(schema):
            # What the call says takes the place of the length that the column allows.
            schema.pop("maxLength", None)
            schema = validated(self.program, schema, checks, made.scope)
        if not is_unknown(schema):
            schema = self._said(schema, made)
        if argument(made.call, None, "allow_none") is not None and not is_unknown(schema):
            schema = {**schema, "type": [kind for kind in _types(schema) if kind != "null"]}
            schema = nullable(normalise(schema)) if self._may_be_null(made) else normalise(schema)
        written = argument(made.call, None, "required")
        required = constant(self.program, written, made.scope) if written is not None else column.required
        unread = field.unread or not isinstance(required, bool)
        return replace(field, schema=self._marked(schema, made), required=required is True, unread=unread)

    def _schema(self, made: _Made, depth: int) -> Schema:
        if made.own:
            return unknown("the field is made in a way of its own")
        schema = self._plain(made, depth)
        if made.checked and not is_unknown(schema):
            schema = implied(schema, *_LIMITS)
        if made.call is None or is_unknown(schema):
            return schema
        schema = validated(self.program, schema, argument(made.call, None, "validate"), made.scope)
        schema = self._said(schema, made)
        return nullable(schema) if self._may_be_null(made) else schema

    def _plain(self, made: _Made, depth: int) -> Schema:
        if made.kind in ANYTHING:
            return {}
        if made.kind in COMPUTED or made.kind == "auto_field":
            return unknown("the field's values are computed")
        if made.kind == "Decimal" and self._flag(made, "as_string"):
            return unknown("the number is written as a text")
        if made.kind == "DateTime" and made.call is not None:
            return self._moment(made)
        if made.kind in PLAIN:
            return dict(PLAIN[made.kind])
        if made.kind in ("Nested", "Pluck"):
            return (
                self.nested(made.call, made.scope) if made.call is not None else unknown("nothing is nested")
            )
        if made.kind == "Enum":
            return self._enum(made)
        return self._container(made, depth)

    def _container(self, made: _Made, depth: int) -> Schema:
        listed = made.kind not in ("Dict", "Mapping")
        node = argument(made.call, 0, "cls_or_instance") if listed else argument(made.call, 1, "values")
        inner = self.schema(node, made.scope, depth) if node is not None else {}
        if listed:
            return normalise({"type": "array", "items": inner})
        return normalise({"type": "object", "additionalProperties": inner})

    def _moment(self, made: _Made) -> Schema:
        node = argument(made.call, 0, "format")
        form = constant(self.program, node, made.scope) if node is not None else None
        if form in _ISO:
            return {"type": "string", "format": "date-time"}
        if isinstance(form, Missing):
            return unknown("the format of the time is not constant")
        return {"type": "number"} if str(form).startswith("timestamp") else {"type": "string"}

    def _enum(self, made: _Made) -> Schema:
        target = self.program.resolve(argument(made.call, 0, "enum"), made.scope)
        members = (
            enum_members(self.program, target)
            if isinstance(target, ClassTarget) and is_enum(self.program, target)
            else None
        )
        if not members:
            return unknown("the members of the enum are not constant")
        return normalise({"enum": list(members.values()) if self._by_value(made) else list(members)})

    def _said(self, schema: Schema, made: _Made) -> Schema:
        """The schema with what the field's metadata says for the documentation."""
        assert made.call is not None, "a bare class says nothing"
        said: dict[str, Json] = {}
        for keyword in made.call.keywords:
            if keyword.arg in _SAID and not (keyword.arg == "format" and made.kind in _FORMATTED):
                said[keyword.arg] = constant(self.program, keyword.value, made.scope)
        for key, value, inner in (
            entries(self.program, argument(made.call, None, "metadata"), made.scope) or []
        ):
            name = constant(self.program, key, inner)
            if isinstance(name, str) and name in _SAID:
                said[name] = constant(self.program, value, inner)
        if not said:
            return schema
        if any(isinstance(value, Missing) for value in said.values()):
            return unknown("what the field's metadata says is not constant")
        return normalise({**schema, **said})

    def _marked(self, schema: Schema, made: _Made) -> Schema:
        """The schema with its default, and with the way that its values go."""
        found = dict(schema)
        default = self._default(made)
        if not isinstance(default, Missing) and default is not None and not is_unknown(found):
            found["default"] = default
        if self._flag(made, "dump_only"):
            found["readOnly"] = True
        if self._flag(made, "load_only"):
            found["writeOnly"] = True
        else:
            found["x-always"] = True
        return found

    def _default(self, made: _Made) -> Json | Missing:
        """What stands for a value that is not given; a member of an enumeration as it is written."""
        node = argument(made.call, None, "load_default", "missing")
        by_name = made.kind == "Enum" and not self._by_value(made)
        if by_name and isinstance(node, ast.Attribute):
            return node.attr
        return MISSING if by_name else constant(self.program, node, made.scope)

    def _by_value(self, made: _Made) -> bool:
        node = argument(made.call, None, "by_value")
        return node is not None and constant(self.program, node, made.scope) is not False

    def _may_be_null(self, made: _Made) -> bool:
        node = argument(made.call, None, "allow_none")
        if node is not None:
            return constant(self.program, node, made.scope) is True
        default = argument(made.call, None, "load_default", "missing")
        return is_none(default)

    def _flag(self, made: _Made, name: str) -> bool:
        return constant(self.program, argument(made.call, None, name), made.scope) is True


def _types(schema: Schema) -> list[Json]:
    kinds = schema.get("type", [])
    return list(kinds) if isinstance(kinds, list) else [kinds]
