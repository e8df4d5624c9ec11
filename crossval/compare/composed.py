"""Schemas that both sides compose of named ones, so that each named schema is compared with its like."""

from __future__ import annotations

import msgspec

from crossval.compare.alternatives import matched, named_alike
from crossval.compare.components import Node


def composed_alike(spec: Node, code: Node) -> list[tuple[Node, Node]]:
    """The references of both sides to named schemas that a value has to fit too, where their names are the same."""
    return list(matched(_composed(spec), _composed(code), named_alike))


def plain_parts(spec: Node, code: Node) -> tuple[Node, Node] | None:
    """What both sides say themselves beside the named schemas that they are composed of, where these are all alike."""
    parts = []
    for node in (spec, code):
        own = [part for part in node.schema.get("allOf", ()) if "$ref" not in part]
        if (
            len(own) != 1
            or "properties" not in own[0]
            or len(_composed(node)) != len(composed_alike(spec, code))
        ):
            return None
        parts.append(msgspec.structs.replace(node, schema=own[0]))
    return parts[0], parts[1]


def own_fields(*nodes: Node) -> frozenset[str]:
    """The names of the properties that any of these schemas has."""
    return frozenset(name for node in nodes for name in node.schema.get("properties", ()))


def _composed(node: Node) -> list[Node]:
    """The named schemas of which a schema was merged, or with which it is joined by `allOf`, as references."""
    joined = [part["$ref"] for part in node.schema.get("allOf", ()) if "$ref" in part]
    return [
        msgspec.structs.replace(node, schema={"$ref": target}, inner=f"{node.inner}&{target}")
        for target in dict.fromkeys([*node.schema.get("x-merged", ()), *joined])
    ]
