"""The fields that a serializer declares, as schemas of the values that they read and write."""

from __future__ import annotations

import ast
from typing import Final

from graph.facts import Json
from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import MISSING, Constant, Missing, constant, text_of
from ingest.web.django.columns import (
    BOUNDS,
    SLUG,
    UNICODE_SLUG,
    choice_values,
    decimal_bounds,
    decimal_pattern,
    ended,
    enumerated,
    left_empty,
    unlimited,
)
from ingest.web.django.relations import Reverse
from ingest.web.django.tables import Column, ModelClass
from ingest.web.django.validators import ANY_LIMIT, validated
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.serializers.field_classes import field_class
from ingest.web.serializers.reading import SerializerReading
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope

READ_ONLY: Final = frozenset(
    {"SerializerMethodField", "ReadOnlyField", "StringRelatedField", "HyperlinkedIdentityField"}
)
# A file is sent as its content, and given as its address, or as null where there is none.
_FILE: Schema = {"type": "string", "x-implied": ["format", "maxLength", "null"]}
_TEXT: Schema = {"type": "string", "x-implied": ["filled"]}
_NUMBER: Schema = {"type": "number", "x-implied": list(BOUNDS)}
_PLAIN: Final[dict[str, Schema]] = {
    "BooleanField": {"type": "boolean"},
    "NullBooleanField": {"type": ["boolean", "null"]},
    "CharField": _TEXT,
    "RegexField": _TEXT,
    "EmailField": {**_TEXT, "format": "email"},
    "URLField": {**_TEXT, "format": "uri"},
    "SlugField": {**_TEXT, "pattern": SLUG, "x-implied": ["filled", "pattern"]},
    "UUIDField": {"type": "string", "format": "uuid"},
    "IntegerField": {"type": "integer"},
    "FloatField": {"type": "number"},
    "DurationField": {"type": "string"},
    "DateTimeField": {"type": "string", "format": "date-time"},
    "DateField": {"type": "string", "format": "date"},
    "TimeField": {"type": "string", "format": "time"},
    "JSONField": {},
    "FileField": _FILE,
    "ImageField": _FILE,
    "StringRelatedField": {"type": "string"},
    "HyperlinkedRelatedField": {"type": "string", "format": "uri"},
    "HyperlinkedIdentityField": {"type": "string", "format": "uri"},
}
_FORMS: Final = {"DateTimeField": "DATETIME_FORMAT", "DateField": "DATE_FORMAT", "TimeField": "TIME_FORMAT"}
_UNLIMITED: Final = frozenset(
    {
        *("ChoiceField", "MultipleChoiceField", "DecimalField", "IPAddressField"),
        *("PrimaryKeyRelatedField", "SlugRelatedField", "HyperlinkedRelatedField", "ManyRelatedField"),
    }
)
"""Fields of which limits by validators are not worked out."""
_LIMITS: Final = {
    "max_length": "maxLength",
    "min_length": "minLength",
    "max_value": "maximum",
    "min_value": "minimum",
}


class FieldReader:
    """Reads the calls that make serializer fields."""

    def __init__(self, models: SerializerReading) -> None:
        self.models = models
        self.program = models.program

    def kind(self, call: ast.Call, scope: Scope) -> str:
        """The framework's name for the class of a field; empty where it is another one."""
        target = self.program.resolve(call.func, scope)
        if isinstance(target, ClassTarget):
            owners = [o for o in self.program.ancestry(target) if isinstance(o, External)]
            target = owners[0] if owners else None
        return target.name if isinstance(target, External) and target.root == "rest_framework" else ""

    def is_field(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a call makes something that a serializer takes for a field."""
        if self.is_stated(call, scope):
            return True
        target = self.program.resolve(call.func, scope)
        if isinstance(target, ClassTarget):
            return self.models.is_serializer(target) or any(
                isinstance(owner, External) and owner.name.endswith(("Field", "Serializer"))
                for owner in self.program.ancestry(target)
            )
        return isinstance(target, External) and target.name.endswith(("Field", "Serializer"))

    def is_stated(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a call makes a serializer in the ways of drf-spectacular."""
        made = self.program.resolve(uncalled(call.func), scope)
        name = "lazy_serializer" if isinstance(call.func, ast.Call) else "inline_serializer"
        return isinstance(made, External) and made.root == "drf_spectacular" and made.name == name

    def value(self, call: ast.Call, scope: Scope, name: str, owner: ClassTarget | None) -> Schema:
        """The schema of a field's value, without null."""
        if has_stars(call):
            return unknown("the field is made with arguments that cannot be seen")
        if self.is_stated(call, scope):
            return self.models.of_value(call, scope) or {}
        target = self.program.resolve(call.func, scope)
        if isinstance(target, ClassTarget):
            if self.models.is_serializer(target):
                whole = self.models.reference(target)
                if self.given(call, scope, "partial") is True:
                    whole = self.models.partial(whole)
                return self.models.listed(whole, call, scope)
            override = self.models.override(target)
            if override is not None:
                return override
        own = field_class(self.program, target)
        if own.opaque:
            return unknown("the field gives its values a form of its own")
        kind = self.kind(call, scope)
        if self.given(call, scope, "many") is True and kind.endswith(("RelatedField", "IdentityField")):
            return {"type": "array", "items": self._single(kind, call, scope, name, owner)}
        whole = own.loosened(self._single(kind, call, scope, name, owner))
        if argument(call, None, "validators") is not None and kind in _UNLIMITED and "x-unknown" not in whole:
            whole = implied(whole, *ANY_LIMIT)
        return whole

    def given(self, call: ast.Call, scope: Scope, name: str, position: int | None = None) -> Constant:
        """The constant that an argument of a field is given, else `MISSING`."""
        node = argument(call, position, name)
        return constant(self.program, node, scope) if node is not None else MISSING

    def limited(self, schema: Schema, options: dict[str, tuple[ast.expr, Scope]]) -> Schema:
        """The schema with the limits that keywords of a field put on it."""
        result = dict(schema)
        for name, keyword in _LIMITS.items():
            if name not in options or "x-unknown" in schema:
                continue
            value = constant(self.program, *options[name])
            if isinstance(value, int | float) and not isinstance(value, bool):
                place = keyword.replace("Length", "Items") if schema.get("type") == "array" else keyword
                result[place] = value
            elif value is not None:
                result = implied(result, keyword)
        if "validators" in options and "x-unknown" not in schema:
            validated(self.program, result, *options["validators"])
        return result

    def _single(
        self, kind: str, call: ast.Call, scope: Scope, name: str, owner: ClassTarget | None
    ) -> Schema:
        options = {k.arg: (k.value, scope) for k in call.keywords if k.arg is not None}
        match kind:
            case "SerializerMethodField":
                return self._method(call, scope, name, owner)
            case "ReadOnlyField":
                source = self.given(call, scope, "source")
                return self.models.attribute(owner, source if isinstance(source, str) else name)
            case "ChoiceField" | "MultipleChoiceField":
                return self._choice(kind, call, scope)
            case "ListField" | "DictField" | "HStoreField" | "ManyRelatedField" | "ListSerializer":
                return self.limited(self._container(kind, call, scope, name, owner), options)
            case "PrimaryKeyRelatedField" | "SlugRelatedField":
                return self._related(kind, call, scope, name, owner)
            case "DecimalField":
                return self._decimal(call, scope)
            case "IPAddressField":
                return self._address(call, scope)
            case "RegexField":
                pattern = text_of(self.program, argument(call, 0, "regex"), scope)
                known: Schema = (
                    {"pattern": ended(pattern)} if pattern else {"x-implied": ["filled", "pattern"]}
                )
                return self.limited({**_TEXT, **known}, options)
        if kind not in _PLAIN:
            return unknown(f"the field {kind or 'is of a class that'} is not known")
        if kind in _FORMS and not self._is_usual(kind, call, scope):
            # A moment that is written in a form of its own is a text all the same.
            return {"type": "string", "x-implied": ["format"]}
        plain = dict(_PLAIN[kind])
        if kind == "SlugField" and argument(call, None, "allow_unicode") is not None:
            unicode = self.given(call, scope, "allow_unicode") is True
            plain["pattern"] = UNICODE_SLUG if unicode else plain["pattern"]
        return self.limited(plain, options)

    def _is_usual(self, kind: str, call: ast.Call, scope: Scope) -> bool:
        """Whether moments are written as the framework does by itself."""
        written = argument(call, 0, "format")
        if written is not None:
            # Without a form a moment stays what it is, and the renderer writes it down in the usual one.
            return constant(self.program, written, scope) in (None, "iso-8601")
        if field_class(self.program, self.program.resolve(call.func, scope)).attribute("format") is not None:
            return False
        return self.models.settings.rest(_FORMS[kind]) is None or not self.models.settings.found

    def _method(self, call: ast.Call, scope: Scope, name: str, owner: ClassTarget | None) -> Schema:
        written = self.given(call, scope, "method_name", 0)
        method = written if isinstance(written, str) else f"get_{name}"
        found = self.program.class_member(owner, method) if owner is not None else None
        if not isinstance(found, FunctionTarget):
            return unknown("the method of the field is not known")
        return self.models.result(found, owner)

    def _choice(self, kind: str, call: ast.Call, scope: Scope) -> Schema:
        node = argument(call, 0, "choices")
        values = choice_values(self.program, node, scope) if node is not None else None
        if values is None:
            whole = unknown("the choices are not constant")
        else:
            whole = enumerated(values)
            whole = left_empty(whole) if self.given(call, scope, "allow_blank") is True else whole
        return {"type": "array", "items": whole} if kind == "MultipleChoiceField" else whole

    def _container(
        self, kind: str, call: ast.Call, scope: Scope, name: str, owner: ClassTarget | None
    ) -> Schema:
        child = argument(call, None, "child", "child_relation")
        if child is None:
            own = field_class(self.program, self.program.resolve(call.func, scope))
            child, scope = own.attribute("child") or (None, scope)
        inner: Schema = {}
        if isinstance(child, ast.Call):
            inner = self.value(child, scope, name, owner)
            if self.given(child, scope, "allow_null") is True:
                inner = normalise({"anyOf": [inner, {"type": "null"}]})
        elif child is not None:
            inner = unknown("what the list holds is not known")
        if kind == "HStoreField" and child is None:
            inner = {"type": ["null", "string"]}
        if kind in ("DictField", "HStoreField"):
            return {"type": "object", "additionalProperties": inner}
        return {"type": "array", "items": inner}

    def _related(
        self, kind: str, call: ast.Call, scope: Scope, name: str, owner: ClassTarget | None
    ) -> Schema:
        if argument(call, None, "pk_field") is not None:
            return unknown("the key is written by a field of its own")
        tables = self.models.tables
        model: ModelClass | None = None
        plain: Column | None = None
        queryset = argument(call, None, "queryset")
        if queryset is not None:
            model = tables.model_of_queryset(queryset, scope)
        elif owner is not None and (own := self.models.model_of(owner)) is not None:
            source = self.given(call, scope, "source")
            path = (source if isinstance(source, str) else name).split(".")
            found = self.models.relations.follow(own, path)
            if isinstance(found, Column):
                model = tables.related(found)
                plain = found if found.kind != "ManyToManyField" else None
            elif isinstance(found, Reverse):
                model = found.model
        if kind == "PrimaryKeyRelatedField" and plain is not None and plain.given("to_field") is not None:
            # What the row itself holds is written, and looked up as the key.
            return (
                unlimited(tables.value(plain))
                if queryset is None
                else unknown("the key is written otherwise")
            )
        if kind == "PrimaryKeyRelatedField":
            return tables.key(model)
        slug = self.given(call, scope, "slug_field", 0)
        column = tables.table(model).columns.get(str(slug)) if model is not None else None
        known = unlimited(tables.value(column)) if column is not None else None
        return known or unknown("the column of the slug is not known")

    def _address(self, call: ast.Call, scope: Scope) -> Schema:
        written = self.given(call, scope, "protocol", 0)
        form = written.lower() if isinstance(written, str) else ""
        if form in ("ipv4", "ipv6"):
            return {**_TEXT, "format": form}
        return {"type": "string", "x-implied": ["filled", "format"]}

    def _decimal(self, call: ast.Call, scope: Scope) -> Schema:
        written: Json | Missing = self.given(call, scope, "coerce_to_string")
        if argument(call, None, "coerce_to_string") is None:
            written = self.models.decimals_as_text()
        if isinstance(written, Missing):
            return unknown("whether decimals are written as text is not known")
        digits, places = (
            self.given(call, scope, "max_digits", 0),
            self.given(call, scope, "decimal_places", 1),
        )
        if not written:
            options = {k.arg: (k.value, scope) for k in call.keywords if k.arg is not None}
            return self.limited({**_NUMBER, **decimal_bounds(digits, places)}, options)
        form: Schema = {"type": "string", "format": "decimal", "x-implied": ["pattern", *BOUNDS]}
        if isinstance(digits, int) and isinstance(places, int):
            form["pattern"] = decimal_pattern(digits, places)
        return form
