"""The types of arguments that step files register for the matcher `parse` of behave: `register_type(Number=number)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graph.compiled import compiled
from ingest.python.module import Module

if TYPE_CHECKING:
    from tree_sitter import Node

_CALL = compiled(rb"\bregister_type\(")


def step_types(module: Module) -> dict[str, str]:
    """The names of the types that the file registers, each with the function that reads it; empty for what is
    computed."""
    data = module.source.data
    if b"register_type(" not in data:
        return {}
    found: dict[str, str] = {}
    for match in _CALL.finditer(data):
        opening = module.root.descendant_for_byte_range(match.end() - 1, match.end())
        node = opening.parent if opening is not None else None
        if node is None or node.type != "argument_list":
            continue
        for name, reader in _given(module, node):
            found[name] = "" if found.get(name, reader) != reader else reader
    return found


def _given(module: Module, arguments: Node) -> list[tuple[str, str]]:
    try:
        call = ast.parse(f"register_type{module.source.text(arguments)}", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
    keywords = call.keywords if isinstance(call, ast.Call) else []
    return [
        (each.arg, each.value.id if isinstance(each.value, ast.Name) else "") for each in keywords if each.arg
    ]
