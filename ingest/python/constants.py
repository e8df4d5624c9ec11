"""The values that a module binds to a name once, and never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.patterns import pattern
from ingest.python.module import Module

if TYPE_CHECKING:
    from tree_sitter import Node

_CHANGES = (
    rb"\b%s(?:\.(?:append|add|extend|insert|update|pop|remove|discard|clear|setdefault)\("
    rb"|\[[^]\n]*\][ \t]*=[^=])"
)


def constant_text(module: Module, name: str, before: int) -> str | None:
    """The text of the value that the module binds to a name once, and never changes."""
    value = constant_node(module, name, before)
    return None if value is None else module.source.text(value)


def constant_node(module: Module, name: str, before: int) -> Node | None:
    """The value that the module binds to a name once, and never changes."""
    scope = module.scopes.module
    bound = [each for each in module.assignments if each.scope is scope and each.name == name]
    value = bound[0].node.child_by_field_name("right") if len(bound) == 1 and bound[0].node else None
    if (
        value is None
        or bound[0].start > before
        or pattern(_CHANGES % name.encode()).search(module.source.data)
    ):
        return None
    return value
