"""What a schema admits where it is used: through names, alternatives and null."""

from __future__ import annotations

import msgspec

from crossval.compare.components import Components, Node, own_types, split_null
from graph.facts import Json
from graph.schema_algebra import Schema, is_plain, without_places
from graph.schemas import is_unknown, normalise

_DEPTH = 10


class Admitted:
    """Reads nodes, with what the components say that they refer to."""

    def __init__(self, known: Components) -> None:
        self._known = known

    def without_null(self, use: Node) -> tuple[Node, bool, bool]:
        """What a node admits besides null, whether it admits null, and whether it is named by a `$ref`."""
        schema, null = split_null(self._enumerated(use))
        if "anyOf" in schema:
            schema, more = split_null(self._enumerated(msgspec.structs.replace(use, schema=schema)))
            null = null or more
        current = msgspec.structs.replace(use, schema=schema)
        named = False
        for _ in range(_DEPTH):
            if "$ref" not in current.schema:
                break
            target = self._known.resolved(current)
            schema, inner_null = split_null(target.schema)
            null = null or inner_null
            named = target.component is not None and not is_unknown(schema)
            current = msgspec.structs.replace(target, schema=schema)
        return current, null, named

    def may_admit_null(self, use: Node) -> bool:
        """Whether one of several alternatives is not known, so that null may be what it admits."""
        inner = (
            [self._known.resolved(member).schema for member in members(use)] if "anyOf" in use.schema else []
        )
        return any(is_unknown(schema) or admits_anything(schema) for schema in inner)

    def _enumerated(self, use: Node) -> Schema:
        """The node's schema; alternatives that are all enumerations, named ones among them, as the one they make."""
        alternatives = use.schema.get("anyOf")
        if not isinstance(alternatives, list) or not any("$ref" in member for member in alternatives):
            return use.schema
        values: list[Json] = []
        for member in members(use):
            inner = self._known.resolved(member).schema
            if inner.get("type") == "null":
                values.append(None)
            elif isinstance(inner.get("enum"), list) and is_plain(inner):
                values.extend(inner["enum"])
            else:
                return use.schema
        outside = {key: value for key, value in use.schema.items() if key != "anyOf"}
        return normalise({**outside, "enum": values})

    def types(self, node: Node) -> frozenset[str] | None:
        """The types of the node's values, through alternatives and names; None where it does not say."""
        return self._types(node, set())

    def _types(self, node: Node, seen: set[str]) -> frozenset[str] | None:
        own = own_types(node.schema)
        if "anyOf" not in node.schema:
            return own
        found: frozenset[str] = frozenset()
        for member in members(node):
            inner, _, named = self.without_null(member)
            if named and inner.fact.id in seen:
                continue
            if named:
                seen.add(inner.fact.id)
            types = self._types(inner, seen)
            if types is None:
                return own
            found |= types
        return found if own is None else _common(found, own)

    def clash(self, spec: Node, code: Node) -> tuple[frozenset[str], frozenset[str]] | None:
        """The types of two nodes, parts of composed ones included, where no value has one of either."""
        first, second = (_bound(node.schema) or self.types(node) for node in (spec, code))
        if not first or not second or _common(first, second) or _common(second, first):
            return None
        return first, second


def undecidable(spec: Schema, code: Schema) -> str:
    """Why two schemas cannot be compared keyword by keyword; empty where they can."""
    same = without_places(spec.get("not")) == without_places(code.get("not"))
    for schema in (code, spec):
        if is_unknown(schema):
            return str(schema["x-unknown"])
        if "allOf" in schema or ("not" in schema and not same):
            return "schemas composed with allOf or not are not compared"
    if admits_anything(code) and not admits_anything(spec):
        return "the code does not say which values it takes here"
    return ""


def admits_anything(schema: Schema) -> bool:
    """Whether a schema says nothing of the types of its values."""
    return "anyOf" not in schema and "$ref" not in schema and own_types(schema) is None


def _common(types: frozenset[str], own: frozenset[str]) -> frozenset[str]:
    """Which of these types the own ones admit too: an integer is a number."""
    return types & (own | {"integer"} if "number" in own else own)


def _bound(schema: Schema) -> frozenset[str] | None:
    """The types that all parts of a composed schema leave, where they say so themselves."""
    stated = [types for part in schema.get("allOf", ()) if (types := own_types(part)) is not None]
    return frozenset.intersection(*stated) if stated else None


def members(node: Node) -> list[Node]:
    """The alternatives of a node; the node itself where it has none."""
    alternatives = node.schema.get("anyOf")
    if not isinstance(alternatives, list):
        return [node]
    return [
        msgspec.structs.replace(node, schema=member, inner=f"{node.inner}|{number}")
        for number, member in enumerate(alternatives)
    ]
