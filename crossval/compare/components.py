"""The named schemas of both witnesses, and the ways from a schema to what it refers to."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from crossval.findings import Witness
from graph.facts import Fact, Json, Kind
from graph.schema_algebra import ANNOTATIONS, Schema, unknown

_NULL = "null"


class Node(msgspec.Struct, frozen=True):
    """A schema with the place it was read from.

    `fact` is the evidence; `component` is the schema fact where the schema is named, and `inner` the dotted
    path from the component to this schema, `|` before the number of an alternative.
    """

    schema: Schema
    fact: Fact
    path: str
    line: int
    component: Fact | None = None
    inner: str = ""

    def witness(self, value: Json = None) -> Witness:
        """The evidence that this schema gives."""
        return Witness(fact=self.fact.id, path=self.path, line=self.line, value=value)


def node(fact: Fact, schema: Schema) -> Node:
    """The schema that a fact states."""
    path, line = place(schema, fact.source.path, fact.source.line)
    return Node(schema=schema, fact=fact, path=path, line=line)


def place(schema: Schema, path: str, line: int) -> tuple[str, int]:
    """Where a schema was read: as it says itself, else as given."""
    return schema.get("x-path", path), schema.get("x-line", line)


class Components:
    """Schema and field facts, found by id and followed from `$ref` to `$ref`."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._by_id = {fact.id: fact for fact in facts}

    def resolved(self, start: Node) -> Node:
        """The node with its `$ref` followed to the end, and annotations beside a `$ref` kept; a `$ref` that leads
        nowhere or in a circle is unknown."""
        current, seen = start, {""}
        while isinstance(target := current.schema.get("$ref"), str):
            fact = self._find(target, current.fact)
            if fact is None or fact.id in seen:
                reason = f"{target} is not among the facts" if fact is None else f"{target} refers to itself"
                return msgspec.structs.replace(current, schema=unknown(reason))
            seen.add(fact.id)
            beside = {key: value for key, value in current.schema.items() if key in ANNOTATIONS}
            schema = {**fact.aspects.get("schema", {"x-unknown": "its schema is not stated"}), **beside}
            path, line = place(fact.aspects.get("schema", {}), fact.source.path, fact.source.line)
            current = Node(schema=schema, fact=fact, path=path, line=line, component=fact)
        return current

    def child(self, parent: Node, schema: Schema, step: str) -> Node:
        """The node of a schema inside another one; `step` is `title` for a property and `[]` for items."""
        inner = (
            f"{parent.inner}.{step}".removeprefix(".") if step[:1] not in ("[", "*") else parent.inner + step
        )
        path, line = place(schema, parent.path, parent.line)
        fact = parent.fact
        if parent.component is not None:
            key = f"{parent.component.tag}:field:{parent.component.key}.{inner}"
            fact = self._find(key, parent.component) or fact
        return Node(schema=schema, fact=fact, path=path, line=line, component=parent.component, inner=inner)

    def _find(self, target: str, near: Fact) -> Fact | None:
        found = self._by_id.get(target)
        return found or self._by_id.get(f"{target}@{near.document or near.source.path}")


KINDS = (Kind.SCHEMA, Kind.FIELD)
"""The kinds of fact that `Components` is made of."""


def split_null(schema: Schema) -> tuple[Schema, bool]:
    """The schema without null, and whether it admitted null."""
    kind, alternatives, values = schema.get("type"), schema.get("anyOf"), schema.get("enum")
    if isinstance(alternatives, list):
        rest = [member for member in alternatives if member.get("type") != _NULL]
        if len(rest) < len(alternatives):
            outside = {key: value for key, value in schema.items() if key != "anyOf"}
            return ({**rest[0], **outside} if len(rest) == 1 else {**outside, "anyOf": rest}), True
    if isinstance(kind, list) and _NULL in kind:
        names = [name for name in kind if name != _NULL]
        without = {**schema, "type": names[0] if len(names) == 1 else names}
        if isinstance(values, list):
            without["enum"] = [value for value in values if value is not None]
        return without, True
    return schema, False


def own_types(schema: Schema) -> frozenset[str] | None:
    """The JSON types that a schema without `$ref` and alternatives admits; None where it does not say."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return frozenset({kind})
    if isinstance(kind, list):
        return frozenset(kind)
    if "properties" in schema:
        return frozenset({"object"})
    if "items" in schema:
        return frozenset({"array"})
    values = schema.get("enum")
    return frozenset(map(_type_of, values)) if isinstance(values, list) and values else None


def _type_of(value: Json) -> str:
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "integer", float: "number", list: "array", dict: "object"}
    return names.get(type(value), _NULL)
