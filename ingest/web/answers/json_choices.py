"""Values that are one of several, parts of others, and lists of what stands there, as JSON."""

from __future__ import annotations

import ast

from graph.schema_algebra import PLACES, Schema, unknown, without_places
from graph.schemas import is_unknown, normalise, nullable
from ingest.web.answers.json_branches import Branches
from ingest.web.constants.constants import constant
from ingest.web.program.program import Program
from ingest.web.schemas.json_results import BY_HAND, Schemas, agreed, unshown
from ingest.web.syntax.scopes import Scope
from ingest.web.values.narrowing import Tested


class Choices:
    """Works out such values; `schema` gives the form of each part."""

    def __init__(self, program: Program, schema: Schemas, branches: Branches) -> None:
        self._program = program
        self._schema = schema
        self._branches = branches

    def either(self, node: ast.IfExp, scope: Scope, depth: int) -> Schema:
        """What `first if test else second` gives."""
        if (holds := self._branches.holds(node.test, scope, depth)) is not None:
            return self._schema(node.body if holds else node.orelse, scope, depth + 1)
        first, second = self._schema(node.body, scope, depth + 1), self._schema(node.orelse, scope, depth + 1)
        if second == {"type": "null"} and not is_unknown(first):
            return nullable(first)
        if first == {"type": "null"} and not is_unknown(second):
            return nullable(second)
        return agreed(first, second)

    def first_of(self, first: ast.expr, others: list[ast.expr], scope: Scope, depth: int) -> Schema:
        """`first or second`: what is left of the first is never null or empty."""
        found = self._schema(first, scope, depth + 1)
        for other in others:
            # Whether the first is ever empty cannot be known.
            later = unshown(self._schema(other, scope, depth + 1))
            kinds = found.get("type")
            if found == {"type": "null"}:
                found = later
            elif isinstance(kinds, list) and "null" in kinds and later != {"type": "null"}:
                kept = [kind for kind in kinds if kind != "null"]
                found = agreed(normalise({**found, "type": kept[0] if len(kept) == 1 else kept}), later)
            elif later == {"type": "null"} and not is_unknown(found):
                found = nullable(found)
            else:
                found = agreed(found, later)
        return found

    def listed(self, elements: list[ast.expr], scope: Scope, depth: int) -> Schema:
        """The list of these elements; of what items is told where they are alike."""
        found = [self._schema(element, scope, depth + 1) for element in elements]
        if found and all(without_places(part) == without_places(found[0]) for part in found):
            return normalise({"type": "array", "items": found[0]})
        return {"type": "array"}

    def part(self, node: ast.Subscript, scope: Scope, depth: int) -> Schema:
        """A slice of a list, or a field of an object whose fields are known."""
        if isinstance(node.slice, ast.Slice):
            whole = self._schema(node.value, scope, depth + 1)
            return whole if whole.get("type") == "array" else unknown(BY_HAND)
        name = constant(self._program, node.slice, scope)
        if isinstance(name, str) and isinstance(node.value, ast.Name | ast.Subscript | ast.Call):
            owner = self._schema(node.value, scope, depth + 1)
            found = owner.get("properties", {}).get(name)
            if isinstance(found, dict):
                return {key: value for key, value in found.items() if key not in PLACES}
        return unknown(BY_HAND)


def as_tested(schema: Schema, node: ast.expr, scope: Scope) -> Schema:
    """The form of a variable without null, where the tests on the way to it have left None out."""
    kinds = schema.get("type")
    if not isinstance(node, ast.Name) or not isinstance(kinds, list) or "null" not in kinds:
        return schema
    if not Tested(node, scope.node).leave_out(ast.Constant(None)):
        return schema
    kept = [kind for kind in kinds if kind != "null"]
    return normalise({**schema, "type": kept[0] if len(kept) == 1 else kept})
