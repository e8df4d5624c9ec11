"""How drf-yasg tells what it describes: what its contracts say whatever the code does is no difference."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from graph.facts import Json
from graph.schema_algebra import Schema, implied
from graph.schemas import is_unknown
from ingest.web.constants.constants import constant
from ingest.web.constants.outside_values import setting
from ingest.web.program.program import Program
from ingest.web.records.operations import Operation, Parameter

_PACKAGE: Final = "drf_yasg"
_OTHER: Final = "drf_spectacular"
_TYPED: Final = frozenset({"integer", "number", "boolean"})
_PAGING: Final = frozenset({"page", "page_size", "limit", "offset"})


def is_exporter(program: Program) -> bool:
    """Whether the project has drf-yasg, and nothing newer, describe it."""
    return program.remember(("exported by", _PACKAGE), lambda: _is_exporter(program))


def _is_exporter(program: Program) -> bool:
    given = setting(program, "INSTALLED_APPS")
    listed = constant(program, *given) if isinstance(given, tuple) else None
    apps = listed if isinstance(listed, list) else []
    if _OTHER in apps or program.importers_named((_OTHER,)):
        return False
    return _PACKAGE in apps or bool(program.importers_named((_PACKAGE,)))


def as_told(schema: Schema) -> Schema:
    """What a converter lets through: most values of paths are told as texts."""
    if schema.get("type") == "integer":
        return {"x-any-type": True}
    return implied(schema, "format") if "format" in schema else schema


def exported(operation: Operation, declared: bool) -> None:
    """Loosens what is told of an operation whatever it does: the credentials of all where none are `declared`, filters
    as texts, and the fields of PATCH as those of PUT."""
    if not declared:
        operation.security, operation.security_schemes = None, {}
    operation.parameters = [_loosened(each) for each in operation.parameters]
    if operation.method == "PATCH":
        operation.bodies = [replace(each, schema=_perhaps_demanded(each.schema)) for each in operation.bodies]


def answered_as_sent(operation: Operation) -> None:
    """Leaves open what a success holds where only the body is declared: it is told as what was sent."""
    sent = [each.schema for each in operation.bodies]
    operation.responses = [
        replace(each, content=None)
        if each.status < "300" and any(schema not in sent for schema in (each.content or {}).values())
        else each
        for each in operation.responses
    ]


def written(schema: Schema) -> Schema:
    """The schema of a serializer as its contract may have it: a reference has no room for null or for what is only
    read, and files are only read."""
    properties: dict[str, Json] = schema.get("properties", {})
    if not properties:
        return schema
    # What is not known may be a reference, too.
    loose = {
        n
        for n, each in properties.items()
        if _is_file(each) or ((_refers(each) or is_unknown(each)) and each.get("readOnly"))
    }
    told = {
        name: _loose(each) if name in loose else implied(each, "null") if _refers(each) else _listed(each)
        for name, each in properties.items()
    }
    # Fields that are only written are told of answers, too.
    told = {n: {**each, "x-always": True} if each.get("writeOnly") else each for n, each in told.items()}
    needed = [name for name in schema.get("required", ()) if name not in loose]
    return {**schema, "properties": told, "required": needed}


def _listed(schema: Schema) -> Schema:
    """A list of related rows is told to hold each once."""
    return implied(schema, "uniqueItems") if schema.get("type") == "array" else schema


def _refers(schema: Schema) -> bool:
    return "$ref" in schema or any("$ref" in each for each in schema.get("anyOf", ()))


def _is_file(schema: Schema) -> bool:
    return schema.get("type") == "string" and "format" in schema.get("x-implied", ())


def _loose(schema: Schema) -> Schema:
    kept = {key: value for key, value in schema.items() if key not in ("readOnly", "x-always")}
    return implied(implied(kept, "null"), "required")


def _loosened(parameter: Parameter) -> Parameter:
    filters = parameter.place == "query" and parameter.name not in _PAGING
    if filters and "format" in parameter.schema:
        return replace(parameter, schema=implied(parameter.schema, "format"))
    if not filters or parameter.schema.get("type") not in _TYPED:
        return parameter
    return replace(parameter, schema={"x-any-type": True})


def _perhaps_demanded(schema: Schema) -> Schema:
    properties = schema.get("properties", {})
    return {**schema, "properties": {name: implied(each, "required") for name, each in properties.items()}}
