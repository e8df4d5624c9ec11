"""Voluptuous's schemas, as JSON Schema."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graph.facts import Json
from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, normalise, nullable
from ingest.web.constants.constants import Missing, constant, entries
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External, ValueTarget
from ingest.web.schemas.held_schemas import held
from ingest.web.syntax.scopes import Scope

_DEPTH = 10
_KINDS: dict[str, Schema] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "dict": {"type": "object"},
    "list": {"type": "array"},
}
_TEXTS: dict[str, Schema] = {
    "Email": {"type": "string", "format": "email"},
    "Url": {"type": "string", "format": "uri"},
    "FqdnUrl": {"type": "string", "format": "uri"},
    "Date": {"type": "string"},
    "Datetime": {"type": "string"},
}
_SAME = frozenset({"Strip", "Lower", "Upper", "Title", "Capitalize"})
_OPEN = unknown("what voluptuous checks here is not known")


def voluptuous_schema(program: Program, written: ast.expr, scope: Scope, made: ast.Call | None) -> Schema:
    """What a schema of voluptuous accepts; `made` is the call that makes it, whose options are minded."""
    needed = constant(program, argument(made, 1, "required"), scope) is True
    found = _Reading(program, needed).value(written, scope, 0)
    return (
        found if found.get("type") == "object" else unknown("what the body is held against is not constant")
    )


class _Reading:
    def __init__(self, program: Program, needed: bool) -> None:
        self.program = program
        self.needed = needed

    def value(self, node: ast.expr, scope: Scope, depth: int) -> Schema:
        """What a validator accepts."""
        if depth > _DEPTH:
            return dict(_OPEN)
        if isinstance(node, ast.Call):
            return self.made(node, scope, depth)
        if isinstance(node, ast.Dict):
            return self.object(node, scope, depth)
        if isinstance(node, ast.List):
            items = [self.value(each, scope, depth + 1) for each in node.elts]
            return normalise({"type": "array", **({"items": items[0]} if len(items) == 1 else {})})
        if isinstance(node, ast.Constant):
            return {"type": "null"} if node.value is None else {"enum": [node.value]}
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and target.node is not None and target.node is not node:
            return self.value(target.node, target.scope, depth + 1)
        if isinstance(target, External) and target.root == "builtins" and target.name in _KINDS:
            return dict(_KINDS[target.name])
        if isinstance(target, External) and target.root == "voluptuous":
            return dict(_TEXTS.get(target.name, _OPEN))
        return dict(_OPEN)

    def object(self, node: ast.Dict, scope: Scope, depth: int) -> Schema:
        """What a dictionary of validators accepts; keys are texts, or marked as required or optional."""
        properties: dict[str, Json] = {}
        required = []
        for key, value, place in entries(self.program, node, scope) or []:
            marker = self.program.resolve(key.func, place) if isinstance(key, ast.Call) else None
            mark = marker.name if isinstance(marker, External) and marker.root == "voluptuous" else ""
            written = argument(key, 0, "schema") if isinstance(key, ast.Call) else key
            name = constant(self.program, written, place)
            if not isinstance(name, str) or (isinstance(key, ast.Call) and not mark) or mark == "Remove":
                return unknown("the keys of the body are not all known")
            given = argument(key, None, "default") if isinstance(key, ast.Call) else None
            default, stands = constant(self.program, given, place), given is not None
            found = self.value(value, place, depth + 1)
            must = mark == "Required" or (not mark and self.needed)
            needed = must and not stands
            required += [name] if needed else []
            found = held(found, needed)
            if stands and default is not None and not isinstance(default, Missing):
                found = {**found, "default": default}
            properties[name] = found
        whole: Schema = {"type": "object", "properties": properties, "required": sorted(required)}
        # That it refuses other fields by itself, few contracts by hand care to say.
        return normalise({**whole, "x-complete": True}) if properties else {"type": "object"}

    def made(self, node: ast.Call, scope: Scope, depth: int) -> Schema:
        """What a validator accepts that a call makes."""
        target = self.program.resolve(node.func, scope)
        if not isinstance(target, External) or target.root != "voluptuous":
            return dict(_OPEN)
        inner = [self.value(each, scope, depth + 1) for each in node.args]
        match target.name:
            case "Schema":
                needed, self.needed = (
                    self.needed,
                    constant(self.program, argument(node, 1, "required"), scope) is True,
                )
                found = self.value(node.args[0], scope, depth + 1) if node.args else dict(_OPEN)
                self.needed = needed
                return found
            case "All" | "And":
                return _all(inner)
            case "Any" | "Or":
                return _any(inner)
            case "Maybe" if inner:
                return nullable(inner[0])
            case "In":
                chosen = constant(self.program, argument(node, 0, "container"), scope)
                return {"enum": chosen} if isinstance(chosen, list) and chosen else dict(_OPEN)
            case "Range":
                return self.limits(
                    node, scope, "min minimum exclusiveMinimum", "max maximum exclusiveMaximum"
                )
            case "Length":
                return self.limits(node, scope, "min shortest shortest", "max longest longest")
            case "Match":
                pattern = constant(self.program, argument(node, 0, "pattern"), scope)
                if not isinstance(pattern, str):
                    return dict(_OPEN)
                return {"type": "string", "pattern": pattern if pattern.startswith("^") else "^" + pattern}
        return dict(_TEXTS.get(target.name, _OPEN))

    def limits(self, node: ast.Call, scope: Scope, *sides: str) -> Schema:
        """The limits that a call gives; they are told of their own, since the type stands elsewhere."""
        found: Schema = {}
        for position, side in enumerate(sides):
            name, keyword, strict = side.split()
            value = constant(self.program, argument(node, position, name), scope)
            whole = constant(self.program, argument(node, position + 2, f"{name}_included"), scope)
            if isinstance(value, int | float) and not isinstance(value, bool):
                found[strict if whole is False else keyword] = value
        return found


def _all(parts: Iterable[Schema]) -> Schema:
    """What passes each of several validators."""
    whole: Schema = {}
    for part in parts:
        if is_unknown(part):
            # What changes the value, or asks more of it, leaves the rest as it is.
            continue
        whole = {**whole, **part}
    sizes = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}
    low, high = sizes.get(str(whole.get("type")), ("", ""))
    for name, keyword in (("shortest", low), ("longest", high)):
        value = whole.pop(name, None)
        if keyword and value is not None:
            whole[keyword] = value
    if "enum" in whole:
        whole.pop("type", None)
    return normalise(whole) if "type" in whole or "enum" in whole else dict(_OPEN)


def _any(parts: list[Schema]) -> Schema:
    """What passes one of several validators."""
    null = [part for part in parts if part == {"type": "null"}]
    rest = [part for part in parts if part != {"type": "null"}]
    if not rest or any(is_unknown(part) for part in rest):
        return dict(_OPEN)
    if all(part.keys() == {"enum"} for part in rest):
        found: Schema = {"enum": [value for part in rest for value in part["enum"]]}
    elif len(rest) == 1:
        found = rest[0]
    else:
        found = normalise({"anyOf": list(rest)})
    return nullable(found) if null else found
