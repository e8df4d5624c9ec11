"""Values that are taken from what a request was read as, on their way into answers."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, unknown
from graph.schemas import nullable
from ingest.web.answers.json_marshmallow import marshmallow_of
from ingest.web.answers.stores import Stores
from ingest.web.constants.constants import constant
from ingest.web.marshmallow.hooks import makes_objects
from ingest.web.program.calls import has_stars
from ingest.web.program.targets import ClassTarget
from ingest.web.schemas.json_results import BY_HAND, Schemas, agreed, unshown
from ingest.web.syntax.scopes import Scope

_AS_SENT = frozenset({"string", "integer", "number", "boolean"})
_TEXTS = frozenset({"email", "uri", "url"})


class TakenValues:
    """Works out such values; `schema` gives the form of one expression."""

    def __init__(self, stores: Stores, schema: Schemas) -> None:
        self._stores = stores
        self._program = stores.program
        self._schema = schema

    def of(self, node: ast.Call, scope: Scope, depth: int) -> Schema:
        """What `body.get("title", "none")` gives, or `schema.load(body)`; unknown for any other call."""
        if not isinstance(node.func, ast.Attribute) or not node.args or has_stars(node):
            return unknown(BY_HAND)
        if node.func.attr == "get" and isinstance(node.func.value, ast.Name):
            return self._field(node, node.func.value, scope, depth)
        return self._loaded(node, node.func, scope) if node.func.attr == "load" else unknown(BY_HAND)

    def _field(self, node: ast.Call, owner: ast.Name, scope: Scope, depth: int) -> Schema:
        name = constant(self._program, node.args[0], scope)
        held = self._schema(owner, scope, depth + 1).get("properties", {}) if isinstance(name, str) else {}
        found = held.get(name)
        if not isinstance(found, dict):
            return unknown(BY_HAND)
        default = node.args[1] if len(node.args) > 1 else ast.Constant(None)
        instead = unshown(self._schema(default, scope, depth + 1))
        return nullable(found) if instead == {"type": "null"} else agreed(found, instead)

    def _loaded(self, node: ast.Call, function: ast.Attribute, scope: Scope) -> Schema:
        """The dictionary that a schema of marshmallow makes, where its fields stay what JSON has."""
        marshmallow = marshmallow_of(self._program, self._stores.instances)
        use = marshmallow.use(function.value, scope) if marshmallow is not None else None
        if marshmallow is None or use is None or use.many or len(node.args) > 1 or node.keywords:
            return unknown(BY_HAND)
        owners = self._program.ancestry(use.target) if use.target is not None else []
        made = any(isinstance(each, ClassTarget) and makes_objects(each) for each in owners)
        fields = None if made else marshmallow.fields(use)
        properties = {each.attribute: _as_sent(each.schema) for each in fields or ()}
        known = {name: schema for name, schema in properties.items() if schema is not None}
        return {"type": "object", "properties": known} if known else unknown(BY_HAND)


def _as_sent(schema: Schema) -> Schema | None:
    """The type of a field that is loaded as it was sent; None where it becomes a value of another kind."""
    kinds = schema.get("type")
    named = set(kinds if isinstance(kinds, list) else [kinds])
    if (
        not named - {"null"}
        or not named <= _AS_SENT | {"null"}
        or schema.get("format", "email") not in _TEXTS
    ):
        return None
    return {"type": kinds}
