"""What marshmallow's schemas make of objects (`schema.dump(order)`), for answers that are put together by hand."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import is_unknown
from ingest.web.constants.constants import constant
from ingest.web.marshmallow.uses import Use
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

if TYPE_CHECKING:
    from ingest.web.answers.stores import Stores
    from ingest.web.marshmallow.schemas import Marshmallow

_PACKAGES = ("marshmallow", "marshmallow_dataclass", "flask_marshmallow", "marshmallow_sqlalchemy")


def marshmallow_of(program: Program, instances: Instances) -> Marshmallow | None:
    """The one reader of marshmallow's schemas of a program; None where it has none."""
    if not program.importers_named(_PACKAGES):
        return None
    from ingest.web.marshmallow.schemas import Marshmallow

    return program.remember(("marshmallow",), lambda: Marshmallow(program, instances))


def dumped(
    program: Program, instances: Instances, node: ast.Call, scope: Scope, stores: Stores | None = None
) -> Schema | None:
    """The form of `schema.dump(value)`; None for any other call, or where the schema is not known.

    A helper may be told the schema, or its class, by the call that is being read (`stores`).
    """
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "dump" or not node.args:
        return None
    marshmallow = marshmallow_of(program, instances)
    use = marshmallow.use(*_told(node.func.value, scope, stores)) if marshmallow is not None else None
    if marshmallow is None or use is None:
        return None
    found = _spelled(marshmallow, marshmallow.schema(use), ())
    many = argument(node, 1, "many")
    if many is None:
        return found
    listed = constant(program, many, scope)
    return {"type": "array", "items": found} if listed is True else found if listed is False else None


def _told(node: ast.expr, scope: Scope, stores: Stores | None) -> tuple[ast.expr, Scope]:
    """What a schema's expression stands for, with its scope: `schema(many=True)` of a helper that is told the class."""
    if stores is None:
        return node, scope
    made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    named = node.func if isinstance(node, ast.Call) else node
    given = stores.argument(named.id, scope) if isinstance(named, ast.Name) else None
    if given is None:
        return node, scope
    if not made or not isinstance(node, ast.Call):
        return given
    constants = all(
        isinstance(each, ast.Constant) for each in (*node.args, *(k.value for k in node.keywords))
    )
    call = ast.copy_location(ast.Call(given[0], node.args, node.keywords), node)
    return (call, given[1]) if constants else (node, scope)


def written_out(program: Program, instances: Instances, node: ast.Call, scope: Scope) -> ast.Call | None:
    """The call of `dump` that an answer is (`schema.dump(order)`, `schema.jsonify(order)`); None for any other call."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ("dump", "jsonify") or not node.args:
        return None
    marshmallow = marshmallow_of(program, instances)
    if marshmallow is None or marshmallow.use(node.func.value, scope) is None:
        return None
    function = ast.copy_location(ast.Attribute(node.func.value, "dump", ast.Load()), node.func)
    return ast.copy_location(ast.Call(function, node.args, node.keywords), node)


def _spelled(marshmallow: Marshmallow, schema: Schema, within: tuple[str, ...]) -> Schema:
    """What is answered by a schema: its fields are spelled out, since what they are checked for is no promise."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition(":")[2]
        target = marshmallow.classes.get(name)
        if target is None or name in within:
            return unknown("the value is made of others of its kind")
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return {**_spelled(marshmallow, marshmallow.whole(Use(target)), (*within, name)), **rest}
    made: Schema = {}
    for key, value in schema.items():
        if key == "properties":
            shown = {name: inner for name, inner in value.items() if inner.get("writeOnly") is not True}
            needed = schema.get("required", ())
            columns = bool(within) and marshmallow.has_model(within[-1])
            made[key] = {
                name: _dumped(inner, _spelled(marshmallow, inner, within), name in needed, columns)
                for name, inner in shown.items()
            }
            made["required"] = sorted(name for name, inner in shown.items() if inner.get("x-always") is True)
            made["x-complete"] = True
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            inner = _spelled(marshmallow, value, within)
            made[key] = inner if is_unknown(inner) or "properties" in inner else implied(inner, "null")
        elif key in ("anyOf", "oneOf", "allOf"):
            made[key] = [_spelled(marshmallow, inner, within) for inner in value]
        elif key not in ("required", "default", "readOnly", "additionalProperties", "x-always"):
            made[key] = value
    return made


def _dumped(field: Schema, spelled: Schema, needed: bool, columns: bool) -> Schema:
    """A field as it is answered: marshmallow writes null for what is not filled in; columns tell what they take."""
    if needed or columns or is_unknown(spelled) or "default" in field:
        return spelled
    return implied(spelled, "null")
