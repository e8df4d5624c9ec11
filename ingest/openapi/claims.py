"""The claims of a contract's descriptions."""

from __future__ import annotations

from collections.abc import Iterator

from graph.facts import Json
from ingest.claims.reading import as_aspect, read_claims
from ingest.openapi.node import Node

_LONGEST = 20_000


def described(node: Node, *keywords: str) -> dict[str, Json]:
    """The aspect `claims` of what the descriptions of one node say; a claim without a subject is about the node."""
    claims = []
    for keyword in keywords or ("description",):
        text = node.get(keyword)
        if isinstance(text, str) and len(text) <= _LONGEST:
            claims += read_claims(text, node.tree.line(node.value, keyword))
    return as_aspect(claims)


def described_fields(node: Node, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, dict[str, Json]]]:
    """The claims of the properties that are written inside a schema, under the paths of their fields."""
    if depth > 6 or not isinstance(node.value, dict):
        return
    for name, inner in node.mapping("properties").members(extensions=True):
        if found := described(inner):
            yield f"{prefix}{name}", found
        yield from described_fields(inner, f"{prefix}{name}.", depth + 1)
    items = node.member("items")
    if items is not None and isinstance(items.value, dict):
        yield from described_fields(items, f"{prefix.removesuffix('.')}[].", depth + 1)
