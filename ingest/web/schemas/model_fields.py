"""Data classes: the libraries that they belong to, their fields, and the objects that these make."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import normalise
from ingest.web.constants.enums import is_enum
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape
from ingest.web.program.targets import ClassTarget
from ingest.web.schemas.configs import Config
from ingest.web.schemas.facets import Facets
from ingest.web.syntax.naming import uncalled

FIELD_BASES = frozenset({"BaseModel", "SQLModel", "RootModel", "GenericModel", "BaseSettings"})
_STRUCTS = frozenset({"Struct"})
_ATTRS = frozenset({"define", "frozen", "mutable", "s", "attrs", "dataclass", "attributes"})


class Family(StrEnum):
    """The libraries whose classes are read as schemas."""

    PYDANTIC = "pydantic"
    DATACLASS = "dataclass"
    MSGSPEC = "msgspec"
    ATTRS = "attrs"
    TYPED_DICT = "typed-dict"
    NAMED_TUPLE = "named-tuple"
    ENUM = "enum"
    GENERATED = "generated"
    ROW = "row"


class ModelField(msgspec.Struct, frozen=True):
    """One property of a class: its name in JSON and in Python, its schema, and whether a request must have it.

    `answered` is its name in answers where that is another than in requests. It is `unnamed` where its names in JSON
    cannot be told, and `computed` where only answers have it.
    """

    name: str
    attribute: str
    schema: Schema
    required: bool
    shape: Shape
    facets: Facets
    place: Location
    answered: str = ""
    unnamed: bool = False
    computed: bool = False


def family_of(program: Program, target: ClassTarget) -> Family | None:
    """To which library's data classes this belongs."""
    if is_enum(program, target):
        return Family.ENUM
    if program.is_a(target, {"pydantic", "sqlmodel", "pydantic_settings"}, FIELD_BASES):
        return Family.PYDANTIC
    if program.is_a(target, {"msgspec"}, _STRUCTS):
        return Family.MSGSPEC
    if program.is_a(target, {"typing", "typing_extensions"}, {"TypedDict"}):
        return Family.TYPED_DICT
    if program.is_a(target, {"typing"}, {"NamedTuple"}):
        return Family.NAMED_TUPLE
    for decorator in target.node.decorator_list:
        call = uncalled(decorator)
        found = program.resolve(call, target.scope)
        if program.is_a(found, {"dataclasses", "pydantic"}, {"dataclass"}):
            return Family.DATACLASS
        if program.is_a(found, {"attr", "attrs"}, _ATTRS):
            return Family.ATTRS
    return None


def named_in_answers(fields: Iterable[ModelField]) -> list[ModelField]:
    """The fields as a framework has them that asks for them by their aliases and answers by their names in Python."""
    return [replace(f, answered=f.attribute if f.name != f.attribute else "") for f in fields]


def object_of(fields: list[ModelField], config: Config, path: str) -> Schema:
    """The schema of an object with these properties; `path` is the file of its class."""
    properties = {}
    for found in fields:
        elsewhere = {"x-path": found.place.path} if found.place.path != path else {}
        own = {**found.schema, "x-line": found.place.line, **elsewhere}
        if found.answered:
            properties[found.answered] = {**own, "readOnly": True}
            own = {key: value for key, value in own.items() if key != "x-always"} | {"writeOnly": True}
        properties[found.name] = own
    whole: Schema = {"type": "object", "properties": properties}
    required = sorted(
        name
        for found in fields
        for name in (found.name, found.answered)
        if name and (found.required or (found.computed and found.schema.get("x-always") is True))
    )
    if required:
        whole["required"] = required
    if config.extra is not None:
        whole["additionalProperties"] = config.extra
    return normalise(whole)


def rewritten(schema: Schema, reason: str) -> Schema:
    """A field's schema once something gives its value another form: one that was kept from answers may still be."""
    secret = any(part.get("writeOnly") for part in (schema, *schema.get("anyOf", ())))
    return implied(unknown(reason), "writeOnly") if secret else unknown(reason)


def hashable(value: object) -> object:
    """The value with tuples for its lists, so that it can be told from others."""
    return tuple(map(hashable, value)) if isinstance(value, list) else value


def type_of_values(values: tuple[object, ...]) -> Schema:
    """The `type` keyword that enumerated values have together."""
    names = {str: "string", int: "integer", bool: "boolean", float: "number", type(None): "null"}
    kinds = sorted({names[type(value)] for value in values if type(value) in names})
    return {"type": kinds[0] if len(kinds) == 1 else kinds} if kinds else {}
