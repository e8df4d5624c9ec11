"""The normal form of schemas: two spellings of one type become equal (docs/FACTS.md says how)."""

from __future__ import annotations

import math

from graph.facts import Json
from graph.schema_algebra import ANNOTATIONS, PLACES, all_of, any_of, is_plain, tidy
from graph.schema_algebra import Schema as Schema
from graph.schema_algebra import implied as implied
from graph.schema_algebra import unknown as unknown
from graph.schema_algebra import without_places as without_places
from graph.schema_types import type_of_names

_DEPTH = 100
_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_FLAGS = (
    *("uniqueItems", "readOnly", "writeOnly", "deprecated"),
    *("x-always", "x-answered", "x-complete", "x-any-type", "x-hidden", "x-named", "x-text-too"),
    *("x-by-framework", "x-partial", "x-page"),
)
_NAMES = ("x-implied", "x-unchecked", "x-merged", "x-among", "x-open")
_BOUNDS = (
    *("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"),
    *("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"),
    "multipleOf",
)


def normalise(schema: Json) -> Schema:
    """The normal form of a JSON Schema (any draft OpenAPI uses) whose `$ref`s are fact ids; idempotent.

    A schema nested more than 100 levels deep is unknown.
    """
    if not _too_deep(schema):
        normal = _normal(schema)
        if not _too_deep(normal):
            return normal
    return unknown(f"the schema is nested more than {_DEPTH} levels deep")


def union(*schemas: Schema) -> Schema:
    """The schema of a value that fits any of these; of none, the schema that nothing fits."""
    return normalise({"anyOf": list(schemas)}) if schemas else {"not": {}}


def nullable(schema: Schema) -> Schema:
    """The schema of the same values or null; what is said about the value (a default, say) stays outside."""
    return normalise({**schema, "nullable": True})


def is_unknown(schema: Schema) -> bool:
    """Whether nothing can be said about the values of this schema."""
    return "x-unknown" in schema


def _too_deep(value: Json) -> bool:
    level = [value]
    for _ in range(_DEPTH):
        level = [child for parent in level for child in _containers(parent)]
        if not level:
            return False
    return True


def _containers(value: Json) -> list[Json]:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [child for child in children if isinstance(child, dict | list)]


def _normal(schema: Json) -> Schema:
    if schema is True:
        return {}
    if schema is False:
        return {"not": {}}
    if not isinstance(schema, dict):
        return unknown("not a schema")
    parts = [_own(schema)]
    parts.extend(_normal(member) for member in _list(schema.get("allOf")))
    for keyword in ("anyOf", "oneOf"):
        if members := _list(schema.get(keyword)):
            parts.append(any_of([_normal(member) for member in members]))
    if isinstance(schema.get("$ref"), str):
        parts.append({"$ref": schema["$ref"]})
    if "not" in schema:
        parts.append({"not": _normal(schema["not"])})
    whole = all_of(parts)
    if schema.get("unevaluatedProperties") is False and is_plain(whole):
        whole.setdefault("additionalProperties", False)
    if schema.get("nullable") is True or schema.get("x-nullable") is True:
        outside = {key: value for key, value in whole.items() if key in ANNOTATIONS or key in PLACES}
        inside = {key: value for key, value in whole.items() if key not in outside}
        whole = {**any_of([inside, {"type": "null"}]), **outside}
    return whole


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _own(schema: Schema) -> Schema:
    """What a schema says by its own keywords, apart from how it is composed of others."""
    own: Schema = {}
    if "x-unknown" in schema:
        own["x-unknown"] = str(schema["x-unknown"])
    for keyword in ("format", "pattern", "contentMediaType", "x-path"):
        if isinstance(schema.get(keyword), str):
            own[keyword] = schema[keyword]
    for keyword in _FLAGS:
        if schema.get(keyword) is True:
            own[keyword] = True
    for keyword in _NAMES:
        if names := _list(schema.get(keyword)):
            own[keyword] = sorted({str(name) for name in names})
    if shown := _list(schema.get("x-shown")):
        own["x-shown"] = sorted({str(value) for value in shown})
    for keyword in ("default", "x-line"):
        if keyword in schema:
            own[keyword] = schema[keyword]
    discriminator = schema.get("discriminator")
    if isinstance(discriminator, str):
        own["discriminator"] = {"propertyName": discriminator}
    elif isinstance(discriminator, dict):
        own["discriminator"] = discriminator
    own["required"] = sorted({name for name in _list(schema.get("required")) if isinstance(name, str)})
    _own_types(schema, own)
    _own_bounds(schema, own)
    _own_children(schema, own)
    return tidy(own)


def _own_types(schema: Schema, own: Schema) -> None:
    named = schema.get("type", [])
    names = {
        "null" if name is None else str(name) for name in (named if isinstance(named, list) else [named])
    }
    if names == {"file"}:
        own.update(type="string", format="binary")
    elif strange := sorted(names - _TYPES):
        own["x-unknown"] = f"JSON Schema has no type {', '.join(strange)}"
    elif names:
        own["type"] = type_of_names(names)
    if isinstance(schema.get("enum"), list):
        own["enum"] = schema["enum"]
    if "const" in schema:
        own["enum"] = [schema["const"]]
    if own.get("contentMediaType") == "application/octet-stream" and "format" not in own:
        del own["contentMediaType"]
        # Bytes inside JSON are text in base64; a file, or a body, has them as they are.
        own["format"] = "byte" if schema.get("contentEncoding") == "base64" else "binary"
    elif schema.get("contentEncoding") == "base64":
        own.setdefault("format", "byte")


def _own_bounds(schema: Schema, own: Schema) -> None:
    for keyword in _BOUNDS:
        number = _number(schema.get(keyword))
        if number is not None:
            own[keyword] = number
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if schema.get(exclusive) is True and bound in own:
            own[exclusive] = own.pop(bound)


def _number(value: Json) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _own_children(schema: Schema, own: Schema) -> None:
    items = schema.get("items")
    prefix = schema.get("prefixItems")
    if isinstance(items, list):
        prefix = items
    elif "items" in schema:
        own["items"] = _normal(items)
    if isinstance(prefix, list):
        own["prefixItems"] = [_normal(item) for item in prefix]
    if isinstance(schema.get("properties"), dict):
        own["properties"] = {str(name): _normal(value) for name, value in schema["properties"].items()}
    if "patternProperties" in schema:
        own["additionalProperties"] = unknown("the names of properties are given by patterns")
    elif "additionalProperties" in schema:
        rest = schema["additionalProperties"]
        own["additionalProperties"] = False if rest is False else _normal(rest)
