"""What the validators of a marshmallow field say about its values."""

from __future__ import annotations

import ast
import re

from graph.facts import Json
from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import Missing, constant, elements, enum_members
from ingest.web.constants.enums import is_enum
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, ValueTarget
from ingest.web.syntax.scopes import Scope

_ROOTS = frozenset({"marshmallow", "apiflask", "flask_marshmallow", "webargs"})
_SIZES = {"string": "Length", "array": "Items"}


def validated(program: Program, schema: Schema, node: ast.expr | None, scope: Scope) -> Schema:
    """The schema narrowed by `validate=…`; what a function of the project checks is not seen.

    It is unknown where a validator that the library knows is given values that are not constant.
    """
    found = dict(schema)
    for validator, inner in _listed(program, node, scope):
        said = _said(program, validator, inner, found)
        if said is None:
            return unknown("the values of a validator are not constant")
        found = _tightened(found, said)
    return normalise(found)


def _listed(program: Program, node: ast.expr | None, scope: Scope) -> list[tuple[ast.Call, Scope]]:
    if node is None:
        return []
    parts = elements(program, node, scope)
    found: list[tuple[ast.Call, Scope]] = []
    for part, inner in parts if parts is not None else [(node, scope)]:
        target = program.resolve(part, inner)
        if not (isinstance(target, ValueTarget) and isinstance(target.node, ast.Call)):
            continue
        made = program.resolve(target.node.func, target.scope)
        if isinstance(made, External) and made.root in _ROOTS:
            if made.name == "And":
                for argument_node in target.node.args:
                    found += _listed(program, argument_node, target.scope)
            else:
                found.append((target.node, target.scope))
    return found


def _said(program: Program, call: ast.Call, scope: Scope, schema: Schema) -> Schema | None:
    made = program.resolve(call.func, scope)
    name = made.name if isinstance(made, External) else ""
    if name in ("Range", "Length", "OneOf", "Equal", "Regexp") and has_stars(call):
        return None
    match name:
        case "Range":
            return _range(program, call, scope, schema)
        case "Length":
            return _length(program, call, scope, schema)
        case "OneOf":
            values = choices(program, argument(call, 0, "choices"), scope)
            return None if values is None else {"enum": values}
        case "Equal":
            value = constant(program, argument(call, 0, "comparable"), scope)
            return None if isinstance(value, Missing) else {"enum": [value]}
        case "Regexp":
            pattern = _pattern(program, argument(call, 0, "regex"), scope)
            return None if pattern is None else {"pattern": pattern}
        case "Email":
            return {"format": "email"}
        case "URL":
            return {"format": "uri"}
        case "ContainsOnly":
            return None
    return {}


def choices(program: Program, node: ast.expr | None, scope: Scope) -> list[Json] | None:
    """The values that a list of choices holds: a constant, an enum's members, or one made of them; else None."""
    value = constant(program, node, scope)
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return list(value)
    if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp) and len(node.generators) == 1:
        return _members(program, node, scope)
    return None


def _members(
    program: Program, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, scope: Scope
) -> list[Json] | None:
    """`[e.value for e in Colour]` and `[e.name for e in Colour]`."""
    loop = node.generators[0]
    target = program.resolve(loop.iter, scope)
    if loop.ifs or not isinstance(target, ClassTarget) or not is_enum(program, target):
        return None
    members = enum_members(program, target)
    if members is None or not isinstance(node.elt, ast.Attribute):
        return None
    return list(members.values()) if node.elt.attr == "value" else list(members)


def _range(program: Program, call: ast.Call, scope: Scope, schema: Schema) -> Schema | None:
    kinds = schema.get("type")
    if not {"integer", "number"} & set([kinds] if isinstance(kinds, str) else kinds or ()):
        return {}
    found: Schema = {}
    for position, name, plain in ((0, "min", "minimum"), (1, "max", "maximum")):
        node = argument(call, position, name)
        value = constant(program, node, scope) if node is not None else None
        if isinstance(value, Missing):
            return None
        inclusive = constant(program, argument(call, None, f"{name}_inclusive"), scope)
        if value is not None and inclusive is False:
            # Generators document such a limit as if the value itself were within.
            found = implied(found, plain, f"exclusive{plain.capitalize()}")
        elif value is not None:
            found[plain] = value
    return found


def _length(program: Program, call: ast.Call, scope: Scope, schema: Schema) -> Schema | None:
    unit = _SIZES.get(str(schema.get("type")))
    if unit is None:
        return {}
    values: dict[str, Json] = {}
    for position, name in ((0, "min"), (1, "max"), (None, "equal")):
        node = argument(call, position, name)
        value = constant(program, node, scope) if node is not None else None
        if isinstance(value, Missing):
            return None
        if value is not None:
            values[name] = value
    if "equal" in values:
        values = {"min": values["equal"], "max": values["equal"]}
    return {f"{name}{unit}": value for name, value in values.items()}


def _pattern(program: Program, node: ast.expr | None, scope: Scope) -> str | None:
    target = program.resolve(node, scope)
    if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
        made = program.resolve(target.node.func, target.scope)
        if made != External("re.compile"):
            return None
        node, scope = argument(target.node, 0, "pattern"), target.scope
    value = constant(program, node, scope)
    return value if isinstance(value, str) else None


def _tightened(schema: Schema, said: Schema) -> Schema:
    found = dict(schema)
    for keyword, value in said.items():
        old = found.get(keyword)
        if isinstance(old, int | float) and isinstance(value, int | float):
            value = max(old, value) if re.match("min|exclusiveMin", keyword) else min(old, value)
        if keyword == "enum" and isinstance(old, list):
            value = [member for member in old if member in value]
        found[keyword] = value
    return found
