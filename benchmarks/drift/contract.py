"""A contract as the operators see it: operations, parameters, bodies, responses and schemas, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

import msgspec

from benchmarks.drift.records import Json

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_ALTERNATIVES = ("anyOf", "oneOf", "allOf")
_HOST = re.compile(r"^[a-z]+://[^/]*")
Pointer: TypeAlias = tuple[str | int, ...]


class Operation(msgspec.Struct, frozen=True):
    """One operation and where it stands."""

    method: str
    path: str
    pointer: Pointer
    value: dict[str, Json]

    @property
    def subject(self) -> str:
        """As reports name it."""
        return f"{self.method.upper()} {self.path}"


class Part(msgspec.Struct, frozen=True):
    """A parameter, a body, or one response of an operation; `pointer` leads to where it is written out."""

    operation: Operation
    key: str
    pointer: Pointer
    value: dict[str, Json]


class SchemaPlace(msgspec.Struct, frozen=True):
    """A schema where it is written out.

    `subjects` are those under which a difference here may be reported, `segments` the names that lead to it. The
    place of a field has its object's pointer as `owner`. A difference in the type of a named schema may be reported
    where it is used: `uses` are the subjects and segments of those places.
    """

    pointer: Pointer
    subjects: tuple[str, ...]
    segments: tuple[str, ...]
    schema: dict[str, Json]
    parameter: bool = False
    owner: Pointer | None = None
    uses: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()

    @property
    def alternative(self) -> bool:
        """Whether it is one of several schemas that stand for one value."""
        return self.pointer[-2] in _ALTERNATIVES

    @property
    def text(self) -> str:
        """The place in words."""
        return f"{self.subjects[0]} {'.'.join(self.segments)}"


def at(document: Mapping[str, Json], pointer: Pointer) -> Json:
    """What stands at a pointer."""
    value: Json = document
    for key in pointer:
        value = value[key]
    return value


class Contract:
    """One contract. `own_responses` are statuses that the framework adds, which no operator touches."""

    def __init__(self, document: dict[str, Json], own_responses: frozenset[str] = frozenset()) -> None:
        self.document = document
        self._own = own_responses
        self._found: dict[Pointer, SchemaPlace] = {}
        self._users: dict[Pointer, dict[Pointer, None]] = {}

    @cached_property
    def base(self) -> str:
        """The base path of the first server, or of OpenAPI 2.0."""
        servers = self.document.get("servers") or [{}]
        written = self.document.get("basePath") or servers[0].get("url", "")
        return _HOST.sub("", written).rstrip("/")

    @cached_property
    def operations(self) -> list[Operation]:
        """All operations, in the order of the document."""
        return [
            Operation(method, path, ("paths", path, method), item[method])
            for path, item in self.document.get("paths", {}).items()
            for method in METHODS
            if isinstance(item.get(method), dict)
        ]

    @cached_property
    def parameters(self) -> list[Part]:
        """All parameters of all operations; one that a whole path has counts with its first operation."""
        found: dict[Pointer, Part] = {}
        for operation in self.operations:
            for place in (operation.pointer, operation.pointer[:-1]):
                for index, _ in enumerate(at(self.document, place).get("parameters", ())):
                    pointer = self.followed((*place, "parameters", index))
                    value = at(self.document, pointer)
                    found.setdefault(
                        pointer, Part(operation, f"{value['in']}.{value['name']}", pointer, value)
                    )
        return list(found.values())

    @cached_property
    def bodies(self) -> list[Part]:
        """All request bodies."""
        found = []
        for operation in self.operations:
            if "requestBody" in operation.value:
                pointer = self.followed((*operation.pointer, "requestBody"))
                found.append(Part(operation, "body", pointer, at(self.document, pointer)))
        return found

    @cached_property
    def responses(self) -> list[Part]:
        """All responses but those that the framework adds by itself."""
        return [
            Part(operation, status, pointer, at(self.document, pointer))
            for operation in self.operations
            for status in operation.value.get("responses", {})
            if status not in self._own
            for pointer in [self.followed((*operation.pointer, "responses", status))]
        ]

    @cached_property
    def schemas(self) -> list[SchemaPlace]:
        """Every schema that a request or a response reaches, once where it is written out."""
        self._found = {}
        for part in self.parameters:
            if "schema" in part.value:
                segments = ("parameters", *part.key.split("."))
                self._visit((*part.pointer, "schema"), part.operation.subject, segments, parameter=True)
        for part in (*self.bodies, *self.responses):
            stem = ("body",) if part.key == "body" else ("responses", part.key)
            for media_type, content in part.value.get("content", {}).items():
                if "schema" in content:
                    pointer = (*part.pointer, "content", media_type, "schema")
                    self._visit(pointer, part.operation.subject, stem)
        return [
            msgspec.structs.replace(
                place,
                uses=tuple(
                    (self._found[user].subjects, self._found[user].segments)
                    for user in self._users.get(place.pointer, ())
                ),
            )
            for place in self._found.values()
        ]

    def followed(self, pointer: Pointer) -> Pointer:
        """Where what stands at a pointer is written out: references within the document are followed, as far as they
        name anything."""
        seen: set[Pointer] = set()
        before = pointer
        while pointer not in seen:
            seen.add(pointer)
            try:
                value = at(self.document, pointer)
            except LookupError:
                return before
            before = pointer
            reference = value.get("$ref") if isinstance(value, dict) else None
            if not isinstance(reference, str) or not reference.startswith("#/"):
                break
            pointer = tuple(step.replace("~1", "/").replace("~0", "~") for step in reference[2:].split("/"))
        return pointer

    def _visit(
        self,
        pointer: Pointer,
        operation: str,
        segments: tuple[str, ...],
        *,
        parameter: bool = False,
        owner: Pointer | None = None,
    ) -> None:
        schema = at(self.document, pointer)
        if not isinstance(schema, dict):
            return
        before = self._found.get(pointer)
        named = len(pointer) > 2 and pointer[:2] == ("components", "schemas")
        first = (f"schema {pointer[2]}",) if named else ()
        if before is not None:
            if operation in before.subjects:
                return
            subjects = (*before.subjects, operation)
        else:
            subjects = (*first, operation)
        self._found[pointer] = SchemaPlace(pointer, subjects, segments, schema, parameter, owner)
        for below, inner, holder in _below(pointer, schema, segments):
            self._visit(below, operation, inner, parameter=parameter, owner=holder)
        if "$ref" in schema:
            target = self.followed(pointer)
            self._users.setdefault(target, {})[pointer] = None
            self._visit(target, operation, (), parameter=False)


def _below(
    pointer: Pointer, schema: dict[str, Json], segments: tuple[str, ...]
) -> Iterator[tuple[Pointer, tuple[str, ...], Pointer | None]]:
    properties = schema.get("properties")
    for name in properties if isinstance(properties, dict) else ():
        yield (*pointer, "properties", name), (*segments, name), pointer
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            yield (*pointer, keyword), segments, None
    for keyword in (*_ALTERNATIVES, "prefixItems"):
        for index, _ in enumerate(schema.get(keyword, ())):
            yield (*pointer, keyword, index), segments, None
