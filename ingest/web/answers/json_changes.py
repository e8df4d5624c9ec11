"""Lists and objects that a function makes step by step: what they hold when they are answered."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, implied, without_places
from graph.schemas import is_unknown, normalise
from ingest.web.answers.stores import Stores
from ingest.web.constants.constants import Missing
from ingest.web.program.calls import has_stars, named_arguments
from ingest.web.program.targets import External, FunctionTarget
from ingest.web.schemas.json_results import Schemas, agreed
from ingest.web.syntax.changes import Changes, changes_of
from ingest.web.syntax.scopes import Scope

_DEPTH = 3


def is_empty(node: ast.expr | None) -> bool:
    """Whether an expression makes an object without fields: `{}` or `dict()`."""
    if isinstance(node, ast.Dict):
        return not node.keys
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict"
    return named and isinstance(node, ast.Call) and not (node.args or node.keywords)


class Changed:
    """Works out what is left of a value after what its function does to it; `schema` tells of what is added."""

    def __init__(self, stores: Stores, schema: Schemas) -> None:
        self._stores = stores
        self._instances = stores.instances
        self._schema = schema

    def as_left(
        self, made: Schema, name: str, scope: Scope, depth: int, source: ast.expr | None = None
    ) -> Schema:
        """A list or an object of this function, with what is added to it before it is answered.

        Only of what its `source` makes as an empty one all that it holds is what is set by name.
        """
        changes = changes_of(name, scope, lambda call, given: self._leaves_alone(call, given, scope, 0))
        if changes is None:
            return {"type": made["type"]}
        if made["type"] == "array":
            return self._grown(made, changes, scope, depth)
        properties, required = dict(made.get("properties", {})), set(made.get("required", ()))
        for node, always in changes.dropped:
            met, key = self._met(changes, node, scope), str(node.value)
            if met is False:
                continue
            required.discard(key)
            if (always or met is True) and key not in (name for name, _, _ in changes.set):
                properties.pop(key, None)
        for value, always in changes.spread:
            met = self._met(changes, value, scope)
            more = self._spread(value, scope, depth) if met is not False else {}
            if more is None:
                return {"type": made["type"]}
            needed = set(more.get("required", ()))
            for key, later in more.get("properties", {}).items():
                _put(properties, required, key, later, key in needed and (always or met is True))
        for key, value, always in changes.set:
            met = self._met(changes, value, scope)
            if met is not False:
                _put(properties, required, key, self._schema(value, scope, depth + 1), always or met is True)
        for key, value in changes.filled:
            held = properties.get(key, {})
            if held.get("type") != "array":
                return {"type": made["type"]}
            item = self._schema(value, scope, depth + 1)
            properties[key] = {**held, "items": agreed(held["items"], item) if "items" in held else item}
        if not (changes.set or changes.dropped or changes.filled or changes.spread):
            return made
        if not properties:
            return {"type": made["type"]}
        whole: Schema = {"type": "object", "properties": properties, "required": sorted(required)}
        complete = made.get("x-complete") or is_empty(source)
        return normalise({**whole, "x-complete": True} if complete else whole)

    def _spread(self, value: ast.expr, scope: Scope, depth: int) -> Schema | None:
        """All that an object holds whose fields are put into another; None where it may hold more."""
        more = self._stores.further(value, scope)
        if more is not None and not more[0]:
            return {}
        if is_empty(value):
            return {}
        found = self._schema(value, scope, depth + 1)
        return found if found.get("x-complete") is True else None

    def _met(self, changes: Changes, value: ast.expr, scope: Scope) -> bool | None:
        """Whether the branch of a change is taken, by what the call that is being read gives; None if not known."""
        test, holds = changes.under.get(value, (None, True))
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, holds = test.operand, not holds
        if not isinstance(test, ast.Name):
            return None
        more = self._stores.further(test, scope)
        if more is not None:
            return bool(more[0]) is holds
        found = self._stores.told(test.id, scope)
        return None if isinstance(found, Missing) else bool(found) is holds

    def _grown(self, made: Schema, changes: Changes, scope: Scope, depth: int) -> Schema:
        if changes.set or changes.dropped or changes.filled or changes.spread:
            return {"type": "array"}
        parts = [self._schema(value, scope, depth + 1) for value in changes.added]
        parts += [made["items"]] if "items" in made else []
        if not parts:
            return made
        whole = parts[0]
        for other in parts[1:]:
            whole = agreed(whole, other)
        return normalise({"type": "array", "items": whole})

    def _leaves_alone(self, call: ast.Call, given: ast.expr, scope: Scope, depth: int) -> bool:
        """Whether a call changes nothing of what it is given: functions outside do not, and who only looks at it."""
        called = self._instances.callee(call.func, scope)
        if isinstance(called, External):
            return True
        if not isinstance(called, FunctionTarget) or depth > _DEPTH or has_stars(call):
            return False
        held = {name for name, value in named_arguments(call, called) if name and value is given}
        inner = called.body
        return len(held) == 1 and all(
            changes_of(name, inner, lambda c, g: self._leaves_alone(c, g, inner, depth + 1)) == Changes()
            for name in held
        )


def _put(properties: dict[str, Schema], required: set[str], key: str, later: Schema, always: bool) -> None:
    """Sets a field; what is set in each run stands in the place of what was there."""
    kept = key in properties and not always
    properties[key] = _either(properties[key], later) if kept else later
    required |= {key} if always else set()


def _either(held: Schema, later: Schema) -> Schema:
    """What a field is that is one thing, and may be set to another; whether None that it begins as is ever left, only
    a run can tell."""
    if held != {"type": "null"} and without_places(held) != {"type": "null"}:
        whole = agreed(held, later)
        return implied(whole, "null") if "null" in held.get("x-implied", ()) and "type" in whole else whole
    return later if is_unknown(later) or "type" not in later else implied(later, "null")
