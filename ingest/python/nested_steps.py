"""Steps that step definitions run by themselves: the texts that code hands to behave's `execute_steps`; and definitions
that are no decorators."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from graph.compiled import compiled
from ingest.python.module import Module

if TYPE_CHECKING:
    from tree_sitter import Node

_CALL = compiled(rb"\bexecute_steps\(")
_CALLED = compiled(rb"\b(?:given|when|then|step)\(", re.IGNORECASE)
_FORMATTED = compiled(r"%(?:\(\w+\))?[-#0 +]*\d*(?:\.\d+)?[a-zA-Z]")
HOLE = "{}"
"""What stands for a computed part of a text."""


def nested_steps(module: Module) -> list[str]:
    """The steps that the file's code runs, a line each with its keyword; `HOLE` stands for what is computed."""
    data = module.source.data
    if b"execute_steps(" not in data:
        return []
    found: list[str] = []
    for match in _CALL.finditer(data):
        opening = module.root.descendant_for_byte_range(match.end() - 1, match.end())
        node = opening.parent if opening is not None else None
        if node is not None and node.type == "argument_list" and (given := _first(node)) is not None:
            found += map(str.strip, _text(module.source.text(given)).split("\n"))
    return list(dict.fromkeys(filter(None, found)))


def steps_by_calls(module: Module) -> int:
    """The line of a statement that defines a step without a decorator, `given(text)(function)`; 0 if there is none."""
    data = module.source.data
    if b")(" not in data or not any(name in data for name in (b"behave", b"pytest_bdd", b"radish")):
        return 0
    for match in _CALLED.finditer(data):
        opening = module.root.descendant_for_byte_range(match.end() - 1, match.end())
        call = opening.parent.parent if opening is not None and opening.parent is not None else None
        around = call.parent if call is not None and call.type == "call" else None
        if around is not None and around.type == "call" and around.child_by_field_name("function") == call:
            return module.source.line(match.start())
    return 0


def _first(arguments: Node) -> Node | None:
    values = (child for child in arguments.named_children if child.type != "comment")
    value = next(values, None)
    return value.child_by_field_name("value") if value and value.type == "keyword_argument" else value


def _text(expression: str) -> str:
    try:
        return _said(ast.parse(f"({expression})", mode="eval").body)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return HOLE


def _said(value: ast.expr) -> str:
    match value:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(_said, parts))
        case ast.BinOp(left=left, op=ast.Mod()):
            return _FORMATTED.sub(HOLE, _said(left))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _said(left) + _said(right)
        case ast.Call(func=ast.Attribute(value=text, attr="format" | "format_map")):
            return re.sub(r"\{[^{}]*\}", HOLE, _said(text))
        case ast.Call(func=ast.Attribute(value=text, attr="strip" | "lstrip" | "rstrip" | "encode")):
            return _said(text)
        case ast.Call(func=ast.Attribute(attr="dedent") | ast.Name(id="dedent"), args=[text]):
            return _said(text)
        case _:
            return HOLE
