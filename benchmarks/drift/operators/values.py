"""Changes to what one value may be: its type, its bounds, its pattern; the same for parameters and for fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from benchmarks.drift.changes import Change, Operator, about_schema, core, core_of, drop_at, set_at
from benchmarks.drift.contract import Contract, SchemaPlace, at
from benchmarks.drift.records import Json

_OTHER = {"integer": "string", "number": "string", "string": "integer", "boolean": "string"}
_KEPT_WITH_ANY_TYPE = ("title", "description", "deprecated")
_BOUNDS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "minItems", "maxItems"),
)
_FORMATS = {"date-time": "date", "date": "date-time", "uuid": "date", "email": "uuid", "uri": "uuid"}
_SAYS_TYPE = ("type", "format", "enum", "nullable")
Places = Callable[[Contract], Iterable[SchemaPlace]]


def _parameters(contract: Contract) -> list[SchemaPlace]:
    return [place for place in contract.schemas if place.parameter and not place.alternative]


def _fields(contract: Contract) -> list[SchemaPlace]:
    return [place for place in contract.schemas if not place.parameter and not place.alternative]


def _type_changed(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        pointer, schema = core_of(place)
        new = _other_type(contract, schema)
        if new:
            kept = {key: schema[key] for key in _KEPT_WITH_ANY_TYPE if key in schema}
            yield Change(place.text, set_at(pointer, {**kept, "type": new}), about_schema(place, *_SAYS_TYPE))


def _other_type(contract: Contract, schema: dict[str, Json]) -> str:
    if "$ref" in schema:
        meant = _meant(contract, schema["$ref"])
        if meant is None:
            return ""
        return "integer" if meant.get("type") == "string" else "string"
    kind = schema.get("type")
    if isinstance(kind, str):
        return _OTHER.get(kind, "string")
    return "boolean" if {"anyOf", "oneOf"} & schema.keys() else ""


def _meant(contract: Contract, reference: str) -> dict[str, Json] | None:
    """The schema that a reference stands for; None where it leads to nothing in the document."""
    try:
        found: dict[str, Json] = at(contract.document, contract.followed(tuple(_steps(reference))))
    except LookupError:
        return None
    return found


def _steps(reference: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in reference.removeprefix("#/").split("/")]


def _default_changed(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        before = place.schema.get("default")
        after = _other_value(contract, place, before)
        if after is not None:
            yield Change(
                place.text, set_at((*place.pointer, "default"), after), about_schema(place, "default")
            )


def _other_value(contract: Contract, place: SchemaPlace, value: Json) -> Json:
    """Another value of the same type; one that an enumeration allows."""
    _, schema = core_of(place)
    if "$ref" in schema:
        schema = _meant(contract, schema["$ref"]) or {}
    others = [each for each in schema.get("enum", ()) if each != value]
    if "enum" in schema or "const" in schema:
        return others[0] if others and value is not None else None
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return f"{value}x" if "format" not in schema and "pattern" not in schema else None
    return None


def _enum_value_removed(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        pointer, schema = core_of(place)
        values = schema.get("enum", ())
        if len(values) > 1:
            apply = set_at((*pointer, "enum"), values[:-1])
            yield Change(place.text, apply, about_schema(place, "enum"))


def _enum_value_added(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        pointer, schema = core_of(place)
        values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
        kinds = {type(value) for value in values}
        if len(kinds) == 1 and kinds <= {str, int}:
            new = "drifted" if kinds == {str} else max(values) + 1
            changed = {key: value for key, value in schema.items() if key != "const"}
            apply = set_at(pointer, {**changed, "enum": [*values, new]})
            yield Change(place.text, apply, about_schema(place, "enum"))


def _bound_changed(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        pointer, schema = core_of(place)
        for keyword in _BOUNDS:
            value = schema.get(keyword)
            if isinstance(value, int | float) and not isinstance(value, bool):
                apply = set_at((*pointer, keyword), value + 1)
                yield Change(f"{place.text} {keyword}", apply, about_schema(place, *_BOUNDS))


def _bound_removed(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        pointer, schema = core_of(place)
        for keyword in _BOUNDS:
            if isinstance(schema.get(keyword), int | float):
                expected = about_schema(place, *_BOUNDS)
                yield Change(f"{place.text} {keyword}", drop_at((*pointer, keyword)), expected)


def _bound_added(places: Places, contract: Contract) -> Iterator[Change]:
    new = {
        "integer": ("minimum", 3),
        "number": ("maximum", 99.5),
        "string": ("maxLength", 37),
        "array": ("maxItems", 9),
    }
    for place in places(contract):
        pointer, schema = core_of(place)
        kind = schema.get("type")
        if (
            isinstance(kind, str)
            and kind in new
            and not {"enum", "const", "format", *_BOUNDS} & schema.keys()
        ):
            keyword, value = new[kind]
            apply = set_at((*pointer, keyword), value)
            yield Change(place.text, apply, about_schema(place, *_BOUNDS))


def _pattern_changed(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        pointer, schema = core_of(place)
        if "pattern" in schema:
            apply = set_at((*pointer, "pattern"), "^drift[a-f]+$")
            yield Change(place.text, apply, about_schema(place, "pattern"))


def _pattern_removed(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        pointer, schema = core_of(place)
        if "pattern" in schema:
            yield Change(place.text, drop_at((*pointer, "pattern")), about_schema(place, "pattern"))


def _format_changed(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        pointer, schema = core_of(place)
        new = _FORMATS.get(schema.get("format", ""))
        if new:
            yield Change(place.text, set_at((*pointer, "format"), new), about_schema(place, "format"))


def _format_removed(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        pointer, schema = core_of(place)
        if schema.get("format") in _FORMATS:
            yield Change(place.text, drop_at((*pointer, "format")), about_schema(place, "format"))


def _format_added(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        pointer, schema = core_of(place)
        free = not {"enum", "const", "format", "pattern", "contentMediaType", *_BOUNDS} & schema.keys()
        if schema.get("type") == "string" and free:
            yield Change(place.text, set_at((*pointer, "format"), "date-time"), about_schema(place, "format"))


def _nullable_flipped(places: Places, contract: Contract) -> Iterator[Change]:
    for place in places(contract):
        schema = place.schema
        way = core(schema)
        beside = {key: value for key, value in schema.items() if key in ("title", "default", "description")}
        new: Json
        if way:
            new = {**beside, **at(schema, way)}
        elif schema.get("nullable") is True:
            new = {key: value for key, value in schema.items() if key != "nullable"}
        elif isinstance(schema.get("type"), str) and not {"enum", "const"} & schema.keys():
            new = {**schema, "type": [schema["type"], "null"]}
        elif "$ref" in schema:
            new = {**beside, "anyOf": [{"$ref": schema["$ref"]}, {"type": "null"}]}
        else:
            continue
        if place.owner is not None:
            yield Change(place.text, set_at(place.pointer, new), about_schema(place, "nullable", "type"))


_KINDS = {
    "type-changed": _type_changed,
    "default-changed": _default_changed,
    "enum-value-removed": _enum_value_removed,
    "enum-value-added": _enum_value_added,
    "bound-changed": _bound_changed,
    "bound-removed": _bound_removed,
    "bound-added": _bound_added,
    "pattern-changed": _pattern_changed,
    "pattern-removed": _pattern_removed,
    "format-changed": _format_changed,
    "format-removed": _format_removed,
    "format-added": _format_added,
}

OPERATORS = (
    *(Operator(f"parameter-{name}", partial(change, _parameters)) for name, change in _KINDS.items()),
    *(Operator(f"field-{name}", partial(change, _fields)) for name, change in _KINDS.items()),
    Operator("field-nullable-flipped", partial(_nullable_flipped, _fields)),
)
