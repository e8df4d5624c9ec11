"""Schemas that both sides compose of parts, so that each part is compared with its like."""

from __future__ import annotations

import msgspec

from crossval.compare.alternatives import matched, named_alike, reference_name, written_alike
from crossval.compare.components import Node
from graph.schema_algebra import ANNOTATIONS, PLACES

_BESIDE = ANNOTATIONS | PLACES


class Rest(msgspec.Struct, frozen=True):
    """What both sides say beside the named schemas that they are composed of, as pairs of likes.

    `plain` is what they say by their own keywords; `choices` are alternatives that stand side by side. What is left of
    these after the pairs is in `ours` and `theirs`.
    """

    plain: tuple[Node, Node] | None
    choices: list[tuple[Node, Node]]
    ours: list[Node]
    theirs: list[Node]


def composed_alike(spec: Node, code: Node) -> list[tuple[Node, Node]]:
    """The references of both sides to named schemas that a value has to fit too, where their names are the same."""
    return list(matched(_named(spec), _named(code), named_alike))


def rest(spec: Node, code: Node) -> Rest | None:
    """What stands beside the named schemas of both sides; None where it cannot be told which part is which.

    That can be told only where all else is alike: a part that only one side has may say what another part leaves open.
    """
    alike = len(composed_alike(spec, code))
    if not len(_named(spec)) == len(_named(code)) == alike:
        return None
    ours, theirs = _beside(spec), _beside(code)
    for _ in matched(ours, theirs, written_alike):
        continue
    if any("not" in part.schema or "x-unknown" in part.schema for part in (*ours, *theirs)):
        return None
    plain = [[part for part in side if "anyOf" not in part.schema] for side in (ours, theirs)]
    if len(plain[0]) != len(plain[1]) or len(plain[0]) > 1:
        return None
    ours, theirs = ([part for part in side if "anyOf" in part.schema] for side in (ours, theirs))
    if len(ours) != len(theirs):
        return None
    fielded = bool(alike or ours)
    own = (_object(plain[0][0], fielded=fielded), _object(plain[1][0], fielded=fielded)) if plain[0] else None
    return Rest(own, list(matched(ours, theirs, _chosen_alike)), ours, theirs)


def fields_beside(spec: Node, code: Node, *, settled: bool) -> tuple[Node, Node] | None:
    """Both sides with the fields that stand beside their alternatives, where any do and can be compared.

    Where all alternatives are `settled`, a side that names no fields beside them has none there.
    """
    named = ["properties" in node.schema for node in (spec, code)]
    both = settled and "anyOf" in spec.schema and "anyOf" in code.schema
    if not all(named) and not (any(named) and both):
        return None
    return _object(spec, fielded=True), _object(code, fielded=True)


def own_fields(*nodes: Node) -> frozenset[str]:
    """The names of the properties that any of these schemas has."""
    return frozenset(name for node in nodes for name in node.schema.get("properties", ()))


def _named(node: Node) -> list[Node]:
    """The named schemas of which a schema was merged, or with which it is joined by `allOf`, as references."""
    joined = [part["$ref"] for part in node.schema.get("allOf", ()) if "$ref" in part]
    return [
        msgspec.structs.replace(node, schema={"$ref": target}, inner=f"{node.inner}&{target}")
        for target in dict.fromkeys([*node.schema.get("x-merged", ()), *joined])
    ]


def _beside(node: Node) -> list[Node]:
    """The other parts that a value has to fit all of: own keywords, alternatives, what is excluded."""
    schema = {key: value for key, value in node.schema.items() if key not in _BESIDE}
    parts = schema.pop("allOf", None)
    if parts is None:
        plain = {key: value for key, value in schema.items() if key not in ("anyOf", "not")}
        parts = [plain, *({key: schema[key]} for key in ("anyOf", "not") if key in schema)]
    return [
        msgspec.structs.replace(
            node, schema=part, inner=f"{node.inner}&{number}" if "anyOf" in part else node.inner
        )
        for number, part in enumerate(parts)
        if part and "$ref" not in part
    ]


def _object(node: Node, *, fielded: bool) -> Node:
    """An object beside which others name fields says that it has none itself where it names none."""
    if not fielded or "properties" in node.schema:
        return node
    return msgspec.structs.replace(node, schema={**node.schema, "properties": {}})


def _chosen_alike(spec: Node, code: Node) -> bool:
    """Whether the alternatives of both are named schemas of the same names."""
    first, second = (sorted(filter(None, map(_name, node.schema["anyOf"]))) for node in (spec, code))
    return bool(first) and first == second


def _name(schema: dict[str, object]) -> str:
    return reference_name(schema.get("$ref"))
