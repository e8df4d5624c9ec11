"""Changes that no client could see: order, names of components, words, and other spellings of the same types."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.drift.changes import Change, Document, Operator
from benchmarks.drift.contract import Contract
from benchmarks.drift.records import Json

_Rewrite = Callable[[dict[str, Json]], dict[str, Json]]
_SCHEMA_MAPPINGS = ("properties", "patternProperties", "$defs")
_REFERENCE = "#/components/schemas/"


def _whole(change: Callable[[Document], None], contract: Contract) -> Iterator[Change]:
    """One change to the whole document, where it changes anything."""
    trial = copy.deepcopy(contract.document)
    change(trial)
    if json.dumps(trial) != json.dumps(contract.document):
        yield Change("the document", change)


def _reordered(value: Json) -> None:
    """Every mapping back to front, and every list whose order means nothing."""
    if isinstance(value, dict):
        for key, inner in value.items():
            _reordered(inner)
            if key in ("required", "parameters", "tags", "anyOf", "oneOf", "enum") and isinstance(
                inner, list
            ):
                inner.reverse()
        entries = list(value.items())
        value.clear()
        value.update(reversed(entries))
    elif isinstance(value, list):
        for inner in value:
            _reordered(inner)


def _words_changed(value: Json, inside: str = "") -> None:
    """Other titles, descriptions, summaries and tags."""
    if isinstance(value, list):
        for inner in value:
            _words_changed(inner)
    if not isinstance(value, dict):
        return
    for key, inner in list(value.items()):
        if (
            inside not in _SCHEMA_MAPPINGS
            and key in ("description", "summary", "title")
            and isinstance(inner, str)
        ):
            value[key] = f"{inner} (said otherwise)"
        elif key not in ("example", "examples", "default", "enum", "const"):
            _words_changed(inner, key if inside not in _SCHEMA_MAPPINGS else "")
    if "responses" in value and inside in ("get", "put", "post", "delete", "patch"):
        value["tags"] = ["drift"]


def _schemas_rewritten(rewrite: _Rewrite, document: Document) -> None:
    """Apply a rewriting to every schema of a document, innermost first."""

    def walk(value: Json, is_schema: bool, is_mapping: bool = False) -> Json:
        if isinstance(value, list):
            return [walk(inner, is_schema) for inner in value]
        if not isinstance(value, dict):
            return value
        if is_mapping:
            return {key: walk(inner, True) for key, inner in value.items()}
        found = {}
        for key, inner in value.items():
            if key in ("example", "examples", "default", "enum", "const", "discriminator", "security"):
                found[key] = inner
            elif key in ("schemas", *_SCHEMA_MAPPINGS):
                found[key] = walk(inner, True, is_mapping=True)
            else:
                found[key] = walk(inner, is_schema or key == "schema")
        return rewrite(found) if is_schema else found

    changed = walk(document, False)
    document.clear()
    document.update(changed)


def _examples(schema: dict[str, Json]) -> dict[str, Json]:
    return {**schema, "examples": ["an example"]} if schema.get("type") == "string" else schema


def _null_in_type(schema: dict[str, Json]) -> dict[str, Json]:
    members = schema.get("anyOf")
    if not isinstance(members, list) or len(members) != 2 or {"type": "null"} not in members:
        return schema
    (rest,) = [member for member in members if member != {"type": "null"}]
    if not isinstance(rest.get("type"), str) or "enum" in rest or "const" in rest:
        return schema
    outside = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**rest, **outside, "type": [rest["type"], "null"]}


def _null_as_keyword(schema: dict[str, Json]) -> dict[str, Json]:
    found = _null_in_type(schema)
    types = found.get("type")
    if isinstance(types, list) and "null" in types and len(types) == 2:
        return {**found, "type": next(each for each in types if each != "null"), "nullable": True}
    members = schema.get("anyOf")
    if isinstance(members, list) and {"type": "null"} in members:
        rest = [member for member in members if member != {"type": "null"}]
        outside = {key: value for key, value in schema.items() if key != "anyOf"}
        key = "allOf" if len(rest) == 1 else "anyOf"
        return {**outside, key: rest, "nullable": True}
    return schema


def _to_3_0(document: Document) -> None:
    """The same contract in OpenAPI 3.0, where null, constants and exclusive bounds are written otherwise."""
    if not str(document.get("openapi", "")).startswith("3.1"):
        return

    def rewrite(schema: dict[str, Json]) -> dict[str, Json]:
        found = dict(_null_as_keyword(schema))
        if "const" in found:
            found["enum"] = [found.pop("const")]
        for keyword in ("Minimum", "Maximum"):
            bound = found.get(f"exclusive{keyword}")
            if isinstance(bound, int | float) and not isinstance(bound, bool):
                found[f"exclusive{keyword}"] = True
                found[keyword.lower()] = bound
        if found.get("contentMediaType") == "application/octet-stream":
            del found["contentMediaType"]
            found["format"] = "binary"
        examples = found.pop("examples", None)
        return {**found, "example": examples[0]} if isinstance(examples, list) and examples else found

    keeps_3_1 = ("prefixItems", "webhooks", "patternProperties", "contentEncoding")
    if any(f'"{word}"' in json.dumps(document) for word in keeps_3_1):
        return
    _schemas_rewritten(rewrite, document)
    document["openapi"] = "3.0.3"


def _other_spellings(schema: dict[str, Json]) -> dict[str, Json]:
    found = dict(schema)
    if "const" in found:
        found["enum"] = [found.pop("const")]
    elif isinstance(found.get("enum"), list) and len(found["enum"]) == 1:
        found["const"] = found.pop("enum")[0]
    if found.get("type") == "integer":
        for exclusive, plain, step in (
            ("exclusiveMinimum", "minimum", 1),
            ("exclusiveMaximum", "maximum", -1),
        ):
            bound = found.get(exclusive)
            if isinstance(bound, int | float) and not isinstance(bound, bool) and plain not in found:
                found[plain] = int(found.pop(exclusive)) + step
    if found.get("type") in ("string", "array") and "enum" not in found:
        keyword = "minLength" if found["type"] == "string" else "minItems"
        found.setdefault(keyword, 0)
    return found


def _references_wrapped(schema: dict[str, Json]) -> dict[str, Json]:
    if "$ref" not in schema:
        return schema
    rest = {key: value for key, value in schema.items() if key != "$ref"}
    return {**rest, "allOf": [{"$ref": schema["$ref"]}]}


def _components_renamed(document: Document) -> None:
    schemas = document.get("components", {}).get("schemas", {})
    names = {f"{_REFERENCE}{name}": f"{_REFERENCE}{name}Renamed" for name in schemas}

    def walk(value: Json) -> None:
        for key, inner in list(value.items()) if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, str) and inner in names:
                value[key] = names[inner]
            elif isinstance(inner, dict | list):
                walk(inner)

    walk(document)
    if schemas:
        document["components"]["schemas"] = {f"{name}Renamed": schema for name, schema in schemas.items()}


def _components_inlined(document: Document) -> None:
    """Every reference to a schema that does not contain itself is replaced by what it refers to."""
    schemas = document.get("components", {}).get("schemas", {})

    def expanded(value: Json, seen: tuple[str, ...]) -> Json:
        if isinstance(value, list):
            return [expanded(inner, seen) for inner in value]
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref")
        if isinstance(reference, str) and reference.startswith(_REFERENCE):
            name = reference.removeprefix(_REFERENCE)
            if name in seen or _recursive(schemas, name):
                return value
            beside = {key: inner for key, inner in value.items() if key != "$ref"}
            return {**expanded(copy.deepcopy(schemas[name]), (*seen, name)), **beside}
        return {
            key: inner if key == "discriminator" else expanded(inner, seen) for key, inner in value.items()
        }

    document["paths"] = expanded(document["paths"], ())


def _recursive(schemas: dict[str, Json], name: str) -> bool:
    """Whether a schema leads back to itself, or is one that a discriminator names."""
    waiting, seen = [name], set()
    while waiting:
        text = json.dumps(schemas.get(waiting.pop()))
        if "discriminator" in text:
            return True
        for other in schemas:
            if f'"{_REFERENCE}{other}"' in text and other not in seen:
                seen.add(other)
                waiting.append(other)
    return name in seen


def _parameters_shared(document: Document) -> None:
    """Parameters are written once among the components, and operations refer to them."""
    shared: dict[str, Json] = {}
    for item in document.get("paths", {}).values():
        for operation in item.values():
            parameters = operation.get("parameters", []) if isinstance(operation, dict) else []
            for index, parameter in enumerate(parameters):
                if "$ref" not in parameter:
                    name = f"Parameter{len(shared) + 1}"
                    shared[name] = parameter
                    parameters[index] = {"$ref": f"#/components/parameters/{name}"}
    if shared:
        document.setdefault("components", {}).setdefault("parameters", {}).update(shared)


def _server_named(document: Document) -> None:
    if "servers" not in document:
        document["servers"] = [{"url": "https://api.example.com"}]


def _security_hoisted(document: Document) -> None:
    """What most operations ask for stands at the top, and the others say what differs."""
    operations = [
        operation
        for item in document.get("paths", {}).values()
        for operation in item.values()
        if isinstance(operation, dict)
    ]
    stated = [operation["security"] for operation in operations if operation.get("security")]
    if not stated or "security" in document:
        return
    common = stated[0]
    document["security"] = common
    for operation in operations:
        if operation.get("security") == common:
            del operation["security"]
        else:
            operation.setdefault("security", [])


_WHOLE: dict[str, Callable[[Document], None]] = {
    "reordered": _reordered,
    "words-changed": _words_changed,
    "examples-added": partial(_schemas_rewritten, _examples),
    "null-in-type": partial(_schemas_rewritten, _null_in_type),
    "openapi-3.0": _to_3_0,
    "other-spellings": partial(_schemas_rewritten, _other_spellings),
    "references-wrapped": partial(_schemas_rewritten, _references_wrapped),
    "components-renamed": _components_renamed,
    "components-inlined": _components_inlined,
    "parameters-shared": _parameters_shared,
    "server-named": _server_named,
    "security-hoisted": _security_hoisted,
}

OPERATORS = tuple(Operator(name, partial(_whole, change), neutral=True) for name, change in _WHOLE.items())
