"""The form of values that a program keeps by itself, as JSON: what all that is put into a store has in common."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from typing import TypeAlias

from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, normalise
from ingest.web.answers.stores import Stores
from ingest.web.program.targets import ClassTarget
from ingest.web.schemas.json_results import unshown
from ingest.web.syntax.scopes import Scope
from ingest.web.values.kept_places import Written

Schemas: TypeAlias = Callable[[ast.expr, Scope], Schema]
Agreed: TypeAlias = Callable[[Schema, Schema], Schema]
_MANY = 60


class StoredValues:
    """Works out schemas of what stores hold; `schema` reads one expression, `agreed` what two have in common."""

    def __init__(self, stores: Stores, schema: Schemas, agreed: Agreed) -> None:
        self.stores = stores
        self._schema = schema
        self._agreed = agreed
        self._active: list[Hashable] = []

    def of(self, node: ast.expr, scope: Scope) -> Schema | None:
        """The schema of a stored value, or of a list of them; None where the expression is neither."""
        key = self.stores.element(node, scope)
        if key is not None:
            return self._element(key)
        key = self.stores.elements(node, scope)
        if key is not None:
            return normalise({"type": "array", "items": self._element(key)})
        return None

    def class_of(self, node: ast.expr, scope: Scope) -> ClassTarget | None:
        """The one class of the values of the store that an expression takes one from."""
        key = self.stores.element(node, scope)
        written = self.stores.written(key) if key is not None else None
        if written is None or written.open or not written.values:
            return None
        found = {self.stores.instances.of(value, inner) for value, inner in written.values}
        only = found.pop()
        return only if isinstance(only, ClassTarget) and not found else None

    def _element(self, key: Hashable) -> Schema:
        if key in self._active:
            return unknown("the value is made of others of its kind")
        self._active.append(key)
        try:
            return self._made(self.stores.written(key))
        finally:
            self._active.pop()

    def _made(self, written: Written) -> Schema:
        if written.open or not written.values or len(written.values) > _MANY:
            return unknown("what is kept here cannot all be seen")
        found = [self._schema(value, scope) for value, scope in written.values]
        if any(is_unknown(each) for each in found):
            return unknown("what is kept here cannot all be seen")
        if not all(each.get("type") == "object" and "properties" in each for each in found):
            whole = found[0]
            for other in found[1:]:
                whole = self._agreed(whole, other)
            return whole
        return self._object(found, written)

    def _object(self, found: list[Schema], written: Written) -> Schema:
        merged = [self._schema(value, scope) for value, scope in written.merged]
        if written.loose or not all(each.get("type") == "object" for each in merged):
            return {"type": "object"}
        properties: dict[str, Schema] = {}
        for each in found:
            for name, schema in each["properties"].items():
                properties[name] = self._agreed(properties[name], schema) if name in properties else schema
        required = set.intersection(*(set(each.get("required", ())) for each in found)) - written.removed
        homes = {scope for _, scope in written.values}
        for name, values in written.fields.items():
            if name in properties and any(placed is None or placed[1] in homes for placed in values):
                # What made the value may change it before anybody sees it.
                properties[name] = unshown(properties[name])
            for placed in values:
                later = self._schema(*placed) if placed else unknown("the value may be changed later")
                if name in properties:
                    properties[name] = self._agreed(properties[name], later)
                elif placed:
                    properties[name] = later
        for each in merged:
            for name, later in each.get("properties", {}).items():
                properties[name] = self._agreed(properties[name], later) if name in properties else later
        if not all("properties" in each for each in merged):
            # Any field may have been changed to anything.
            properties = dict.fromkeys(properties, unknown("the value may be changed later"))
        whole: Schema = {"type": "object", "properties": properties, "required": sorted(required)}
        complete = all(each.get("x-complete") for each in (*found, *merged))
        return normalise({**whole, "x-complete": True} if complete else whole)
