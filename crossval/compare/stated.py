"""What a contract states of values beside the one that is compared: it tells what leaving something out means."""

from __future__ import annotations

import msgspec

from crossval.compare.components import Node
from graph.facts import Fact, Json, Kind, Tag


class Needs(msgspec.Struct, frozen=True):
    """Whether spec and code require a field, and whether the spec says of any field beside it that it is required."""

    spec: bool
    code: bool
    stated: bool

    @classmethod
    def of(cls, name: str, spec: Node, code: Node) -> Needs:
        """What the schemas that hold a field say of it."""
        return cls(requires(spec, name), requires(code, name), bool(spec.schema.get("required")))


def requires(owner: Node, name: str) -> bool:
    """Whether an object's schema requires a field."""
    required = owner.schema.get("required")
    return isinstance(required, list) and name in required


def document_of(fact: Fact) -> str:
    """The document that states a fact."""
    return fact.document or fact.source.path


def admits_null_in_requests(fact: Fact) -> bool:
    """Whether a contract states here of a value in requests that it may be null."""
    used = fact.kind is Kind.BODY or (
        fact.kind is Kind.SCHEMA and "request" in fact.aspects.get("used_in", ())
    )
    return used and fact.tag is Tag.SPEC and _names_null(fact.aspects.get("schema"))


def _names_null(schema: Json) -> bool:
    if isinstance(schema, list):
        return any(map(_names_null, schema))
    if not isinstance(schema, dict):
        return False
    kind = schema.get("type")
    if kind == "null" or (isinstance(kind, list) and "null" in kind):
        return True
    inner = [schema.get(key) for key in ("items", "additionalProperties", "anyOf", "allOf", "prefixItems")]
    properties = schema.get("properties")
    return any(map(_names_null, [*inner, *(properties.values() if isinstance(properties, dict) else ())]))
