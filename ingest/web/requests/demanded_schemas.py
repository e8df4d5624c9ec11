"""Schemas with what a handler demands of a value, as its refusals tell it."""

from __future__ import annotations

from graph.schema_algebra import Schema
from graph.schemas import normalise, nullable
from ingest.web.constants.constants import Missing
from ingest.web.requests.conditions import Demand

_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_SIZES = {
    "longest": {"string": "maxLength", "array": "maxItems", "object": "maxProperties"},
    "shortest": {"string": "minLength", "array": "minItems", "object": "minProperties"},
}


def demanded(schema: Schema, demand: Demand) -> Schema:
    """The schema with one more thing demanded of the value."""
    keyword, value = demand.keyword, demand.value
    if keyword == "required":
        return schema
    whole: Schema = {k: v for k, v in schema.items() if k != "x-unknown"}
    if keyword == "type":
        others = {name for sizes in _SIZES.values() for kind, name in sizes.items() if kind != value}
        plain = {k: v for k, v in whole.items() if k != "x-any-type" and k not in others}
        if whole.get("type") not in (None, value):
            return schema
        made = normalise({**plain, "type": value})
        return nullable(made) if demand.absent and demand.part.place == "json" else made
    if keyword == "enum":
        return normalise(
            {k: v for k, v in whole.items() if k not in ("x-any-type", "type")} | {"enum": value}
        )
    if keyword == "pattern":
        return normalise({**whole, "type": whole.get("type", "string"), "pattern": value})
    kind = whole.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), None)
    kind = kind if isinstance(kind, str) else demand.part.type if demand.part.place != "json" else ""
    if keyword in _SIZES:
        names = [_SIZES[keyword][kind]] if kind in _SIZES[keyword] else list(_SIZES[keyword].values())
        if kind in ("integer", "number", "boolean"):
            return schema
        whole.update(dict.fromkeys(names, value))
    elif keyword in _NUMBERS:
        if kind == "string" and not demand.part.is_number:
            return schema
        if demand.part.is_number:
            whole["type"] = demand.part.type
        whole[keyword] = value
    return normalise(whole if "type" in whole or "enum" in whole else {**whole, "x-any-type": True})


def refuses_default(demand: Demand) -> bool:
    """Whether what stands in for a missing value is refused, so that the value must be there."""
    default = demand.part.default
    if demand.absent or isinstance(default, Missing) or default is None:
        return False
    match demand.keyword, demand.value:
        case "enum", list(chosen):
            return default not in chosen
        case "shortest", int(least):
            return isinstance(default, str | list) and len(default) < least
        case "minimum", int(least) | float(least):
            return isinstance(default, int | float) and default < least
    return False
