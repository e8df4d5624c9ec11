"""Names as `djangorestframework-camel-case` writes them on the wire, and takes them back from there."""

from __future__ import annotations

import re
from typing import Final

from graph.schema_algebra import Schema, unknown

_JOINT: Final = re.compile(r"([a-z0-9]?)_([a-z0-9])")
_BEGIN: Final = re.compile(
    r"([a-z0-9]|[A-Z]?(?=[A-Z0-9](?=[a-z0-9]|(?<![A-Z])$)))"
    r"([A-Z]|(?<=[a-z])[0-9](?=[0-9A-Z]|$)|(?<=[A-Z])[0-9](?=[0-9]|$))"
)
_ONE: Final = ("items", "additionalProperties", "not")
_MANY: Final = ("anyOf", "oneOf", "allOf", "prefixItems")


def camelised(name: str) -> str:
    """The name that is sent: `book_title` as `bookTitle`."""
    return _JOINT.sub(lambda found: found[1] + found[2].upper(), name)


def underscored(name: str) -> str:
    """The name that is made of one that came: `bookTitle` as `book_title`, by the library's usual options."""
    return _BEGIN.sub(r"\1_\2", name).lower()


def in_camel_case(schema: Schema) -> Schema:
    """A schema with the names of all properties as they are sent; what it refers to stays as it is."""
    whole = dict(schema)
    if isinstance(properties := schema.get("properties"), dict):
        whole["properties"] = {camelised(name): _property(name, inner) for name, inner in properties.items()}
    if isinstance(required := schema.get("required"), list):
        whole["required"] = sorted(camelised(name) for name in required)
    for key in _ONE:
        if isinstance(inner := schema.get(key), dict):
            whole[key] = in_camel_case(inner)
    for key in _MANY:
        if isinstance(parts := schema.get(key), list):
            whole[key] = [in_camel_case(part) if isinstance(part, dict) else part for part in parts]
    return whole


def _property(name: str, schema: Schema) -> Schema:
    """A property, of which nothing is known where its name does not come back as it was sent."""
    whole = in_camel_case(schema)
    if schema.get("readOnly") or underscored(camelised(name)) in (name, name.lower()):
        return whole
    kept = {key: value for key, value in whole.items() if key in ("x-line", "x-path")}
    lost = unknown("the name that is sent is not taken for this field")
    return {**lost, **kept, "x-hidden": True, "x-implied": ["required"]}
