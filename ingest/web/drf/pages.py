"""The form of the pages that pagination gives: the framework's own, or what a project's class writes down."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any, Final

from graph.schema_algebra import Schema
from graph.schemas import normalise
from ingest.web.constants.constants import MISSING, Missing, constant
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope

_ITEMS: Final = "x-items-stand-here"
_WORDS: Final = frozenset({"example", "examples", "description", "title"})
_LINK: Schema = {"type": ["null", "string"], "format": "uri"}
_DEPTH = 20

Wrap = Callable[[Schema], Schema]


def usual_page(kind: str, items: Schema) -> Schema:
    """The page of one of the framework's paginations around a schema of all its items."""
    properties: dict[str, Schema] = {"next": dict(_LINK), "previous": dict(_LINK), "results": items}
    required = ["results"]
    if kind != "CursorPagination":
        properties["count"] = {"type": "integer"}
        required = ["count", "results"]
    # Before version 3.15 the framework wrote down no field of a page as required.
    return {"type": "object", "properties": properties, "required": required, "x-by-framework": True}


def written_page(program: Program, method: FunctionTarget, kind: str) -> Wrap | None:
    """What `get_paginated_response_schema(self, schema)` makes of a schema; None where that cannot be read."""
    node = method.node
    names = [argument.arg for argument, _ in parameters(node)]
    if not isinstance(node, Function) or len(names) != 2:
        return None
    reader = _Reader(program, method.body, names[1], kind)
    for statement in node.body:
        match statement:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.Assign(targets=[target], value=value):
                if not reader.bound(target, value):
                    return None
            case ast.Return(value=ast.expr() as value):
                return _around(reader.value(value))
            case _:
                return None
    return None


def _around(whole: Any) -> Wrap | None:
    return (lambda items: normalise(_within(whole, items))) if isinstance(whole, dict) else None


class _Reader:
    """Works out what the statements of one method make; `values` are its variables so far."""

    def __init__(self, program: Program, scope: Scope, name: str, kind: str) -> None:
        self.program = program
        self.scope = scope
        self.kind = kind
        self.values: dict[str, Any] = {name: {_ITEMS: True}}

    def bound(self, target: ast.expr, node: ast.expr) -> bool:
        """Notes an assignment; tells whether it could be read."""
        made = self.value(node)
        if isinstance(made, Missing):
            return False
        if isinstance(target, ast.Name):
            self.values[target.id] = made
            return True
        owner = self._owner(target.value) if isinstance(target, ast.Subscript) else None
        key = constant(self.program, target.slice, self.scope) if isinstance(target, ast.Subscript) else None
        if not isinstance(owner, dict) or not isinstance(key, str):
            return False
        owner[key] = made
        return True

    def _owner(self, node: ast.expr) -> Any:
        """The value itself, and no copy of it, that is about to be changed."""
        if isinstance(node, ast.Name):
            return self.values.get(node.id)
        if isinstance(node, ast.Subscript):
            owner = self._owner(node.value)
            key = constant(self.program, node.slice, self.scope)
            return owner.get(key) if isinstance(owner, dict) and isinstance(key, str) else None
        return None

    def value(self, node: ast.expr, depth: int = 0) -> Any:
        """The constant that an expression makes, with a mark where the argument stands; else `MISSING`."""
        if depth > _DEPTH:
            return MISSING
        match node:
            case ast.Name(id=used) if used in self.values:
                return self.values[used]
            case ast.Call(
                func=ast.Attribute(attr="get_paginated_response_schema", value=ast.Call()), args=[given]
            ):
                items = self.value(given, depth + 1)
                return copy.deepcopy(usual_page(self.kind, items)) if isinstance(items, dict) else MISSING
            case ast.Dict(keys=keys, values=values):
                return self._dictionary(keys, values, depth)
            case ast.List(elts=elements):
                parts = [self.value(element, depth + 1) for element in elements]
                return MISSING if any(isinstance(part, Missing) for part in parts) else parts
        return constant(self.program, node, self.scope)

    def _dictionary(self, keys: list[ast.expr | None], values: list[ast.expr], depth: int) -> Any:
        found: dict[str, Any] = {}
        for key, value in zip(keys, values, strict=True):
            if key is None:
                inner = self.value(value, depth + 1)
                if not isinstance(inner, dict) or _ITEMS in inner:
                    return MISSING
                found.update(copy.deepcopy(inner))
                continue
            word = constant(self.program, key, self.scope)
            if word in _WORDS:
                # What only tells people something may be worked out as it likes.
                continue
            inner = self.value(value, depth + 1)
            if not isinstance(word, str) or isinstance(inner, Missing):
                return MISSING
            found[word] = inner
        return found


def _within(value: Any, items: Schema) -> Any:
    if isinstance(value, dict):
        return items if _ITEMS in value else {key: _within(inner, items) for key, inner in value.items()}
    return [_within(part, items) for part in value] if isinstance(value, list) else value
