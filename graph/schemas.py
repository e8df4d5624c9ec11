"""The normal form of schemas: two spellings of one type become equal (docs/FACTS.md says how)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import TypeAlias

from graph.facts import Json

Schema: TypeAlias = dict[str, Json]

PLACES = frozenset({"x-line", "x-path"})
"""Where a schema was read; two schemas that differ in nothing else are equal."""

ANNOTATIONS = frozenset({"default", "readOnly", "writeOnly", "deprecated"})
"""What is said about a value without narrowing it; it may stand beside a `$ref`."""

_DEPTH = 100
_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_COUNTS = ("minLength", "minItems", "minProperties")
_COMPOSED = ("$ref", "anyOf", "allOf", "not", "x-unknown")
_NULL: Schema = {"type": "null"}


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
    outside = {key: value for key, value in schema.items() if key in ANNOTATIONS or key in PLACES}
    inside = {key: value for key, value in schema.items() if key not in outside}
    return normalise({**outside, "anyOf": [inside, _NULL]})


def unknown(reason: str) -> Schema:
    """A schema of which is only known why it cannot be known; it equals everything."""
    return {"x-unknown": reason}


def is_unknown(schema: Schema) -> bool:
    """Whether nothing can be said about the values of this schema."""
    return "x-unknown" in schema


def without_places(schema: Json) -> Json:
    """The same schema without the lines and paths it was read from, for comparing two by `==`."""
    if isinstance(schema, dict):
        return {key: without_places(value) for key, value in schema.items() if key not in PLACES}
    if isinstance(schema, list):
        return [without_places(value) for value in schema]
    return schema


def _too_deep(value: Json) -> bool:
    level = [value]
    for _ in range(_DEPTH):
        level = (
            [
                child
                for parent in level
                for child in (parent.values() if isinstance(parent, dict) else parent)
                if isinstance(child, dict | list)
            ]
            if all(isinstance(parent, dict | list) for parent in level)
            else []
        )
        if not level:
            return False
    return True


def _text(value: Json) -> str:
    return json.dumps(without_places(value), sort_keys=True)


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
            parts.append(_any_of([_normal(member) for member in members]))
    if isinstance(schema.get("$ref"), str):
        parts.append({"$ref": schema["$ref"]})
    if "not" in schema:
        parts.append({"not": _normal(schema["not"])})
    whole = _all_of(parts)
    if schema.get("unevaluatedProperties") is False and _is_plain(whole):
        whole.setdefault("additionalProperties", False)
    if schema.get("nullable") is True or schema.get("x-nullable") is True:
        outside = {key: value for key, value in whole.items() if key in ANNOTATIONS or key in PLACES}
        inside = {key: value for key, value in whole.items() if key not in outside}
        whole = {**_any_of([inside, _NULL]), **outside}
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
    for keyword in ("uniqueItems", "readOnly", "writeOnly", "deprecated"):
        if schema.get(keyword) is True:
            own[keyword] = True
    for keyword in ("default", "x-line"):
        if keyword in schema:
            own[keyword] = schema[keyword]
    discriminator = schema.get("discriminator")
    if isinstance(discriminator, str):
        own["discriminator"] = {"propertyName": discriminator}
    elif isinstance(discriminator, dict):
        own["discriminator"] = discriminator
    if isinstance(schema.get("required"), list):
        own["required"] = sorted({name for name in schema["required"] if isinstance(name, str)})
    _own_types(schema, own)
    _own_bounds(schema, own)
    _own_children(schema, own)
    return _tidy(own)


def _own_types(schema: Schema, own: Schema) -> None:
    named = schema.get("type", [])
    names = {"null" if name is None else name for name in (named if isinstance(named, list) else [named])}
    if names == {"file"}:
        own.update(type="string", format="binary")
    elif strange := sorted(str(name) for name in names if name not in _TYPES):
        own["x-unknown"] = f"JSON Schema has no type {', '.join(strange)}"
    elif names:
        own["type"] = _type(names)
    if isinstance(schema.get("enum"), list):
        own["enum"] = schema["enum"]
    if "const" in schema and all(_text(schema["const"]) == _text(value) for value in own.get("enum", ())[:1]):
        own["enum"] = [schema["const"]]
    if own.get("contentMediaType") == "application/octet-stream" and "format" not in own:
        del own["contentMediaType"]
        own["format"] = "binary"
    if schema.get("contentEncoding") == "base64":
        own.setdefault("format", "byte")


def _own_bounds(schema: Schema, own: Schema) -> None:
    for keyword in (*_LOWER, *_UPPER, "multipleOf"):
        number = _number(schema.get(keyword))
        if number is not None:
            own[keyword] = number
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if schema.get(exclusive) is True and bound in own:
            own[exclusive] = own.pop(bound)


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
        own["properties"] = {name: _normal(value) for name, value in schema["properties"].items()}
    if "patternProperties" in schema:
        own["additionalProperties"] = unknown("the names of properties are given by patterns")
    elif "additionalProperties" in schema:
        rest = schema["additionalProperties"]
        own["additionalProperties"] = False if rest is False else _normal(rest)


def _number(value: Json) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() else value
    return value


def _tidy(plain: Schema) -> Schema:
    """Drops what says nothing, and makes types and enumerated values agree."""
    for bound, exclusive, sign in (
        ("minimum", "exclusiveMinimum", 1),
        ("maximum", "exclusiveMaximum", -1),
    ):
        if bound in plain and exclusive in plain:
            del plain[bound if plain[exclusive] * sign >= plain[bound] * sign else exclusive]
    for keyword in _COUNTS:
        if plain.get(keyword, 1) <= 0:
            del plain[keyword]
    for keyword in ("required", "properties", "prefixItems"):
        if not plain.get(keyword, True):
            del plain[keyword]
    for keyword in ("items", "additionalProperties"):
        if isinstance(plain.get(keyword), dict) and not plain[keyword].keys() - PLACES:
            del plain[keyword]
    if "enum" in plain:
        _tidy_values(plain)
    return plain


def _tidy_values(plain: Schema) -> None:
    distinct = {_text(value): value for value in plain.pop("enum")}
    values = [distinct[text] for text in sorted(distinct)]
    types = _types(plain) or {_type_of(value) for value in values}
    present = [value for value in values if value is not None]
    present = [value for value in present if _admits(types, value)] or present
    if "null" in types and present:
        # Authors who write `nullable` beside `enum` mean it, though JSON Schema would also want null in the list.
        present = sorted([*present, None], key=_text)
    elif "null" in types:
        types = {"null"}
    if types:
        plain["type"] = _type(types)
    if present:
        plain["enum"] = present


def _types(schema: Schema) -> set[str]:
    named = schema.get("type", [])
    return set(named) if isinstance(named, list) else {named}


def _type(names: Iterable[str]) -> str | list[str]:
    distinct = set(names)
    if "number" in distinct:
        distinct.discard("integer")
    ordered = sorted(distinct)
    return ordered[0] if len(ordered) == 1 else ordered


def _type_of(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if float(value).is_integer() else "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def _admits(types: set[str], value: Json) -> bool:
    name = _type_of(value)
    return name in types or (name == "integer" and "number" in types)


def _is_plain(schema: Schema) -> bool:
    return not any(keyword in schema for keyword in _COMPOSED)
