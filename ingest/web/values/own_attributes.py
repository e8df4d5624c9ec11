"""Attributes of the object whose method is read, under the names by which a scope of one object knows them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ingest.web.syntax.copies import copy_of
from ingest.web.syntax.naming import name_at

OF_SELF = "self."
"""What such a name begins with."""


def with_names(call: ast.Call, knows: Callable[[str], bool]) -> ast.Call:
    """A call with names in the place of `self.name`, of those that are known: a copy, unless it has none."""
    names = _Names(knows)
    copied: ast.Call = names.visit(copy_of(call))
    return copied if names.put else call


class _Names(ast.NodeTransformer):
    def __init__(self, knows: Callable[[str], bool]) -> None:
        self.knows = knows
        self.put = False

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        own = isinstance(node.value, ast.Name) and node.value.id == "self"
        if not own or not self.knows(OF_SELF + node.attr):
            return node
        self.put = True
        return name_at(OF_SELF + node.attr, node)
