"""Names that a module gives itself through a variable that holds its names: `g = globals()`, then `g["X"] = …`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from graph.facts import Kind
from graph.patterns import pattern
from ingest.python.module import Module

if TYPE_CHECKING:
    from tree_sitter import Node

_READING = frozenset({"get", "items", "keys", "values", "copy"})
_UPDATE = "update"


def uses_of_namespace(module: Module, call: Node) -> list[Node] | None:
    """The places where a variable that holds the module's names, and nothing else, may give it more of them.

    `call` is the `globals()` that is bound to the variable. None where it is not bound so, or where something that
    cannot be followed is done with it: it is handed on, or used within a function.
    """
    bound = call.parent
    left = bound.child_by_field_name("left") if bound is not None and bound.type == "assignment" else None
    if bound is None or left is None or left.type != "identifier":
        return None
    name = module.source.text(left)
    if bound.child_by_field_name("right") != call:
        return None
    found = []
    for node in _places(module, name):
        if node == left:
            continue
        if module.scopes.at(node.start_byte).kind is not Kind.MODULE:
            return None
        held = _use(module, node)
        if held is None:
            return None
        if held:
            found.append(node)
    return found


def _places(module: Module, name: str) -> Iterator[Node]:
    """Where a name stands in code, as a name of its own."""
    data = module.source.data
    for match in pattern(rb"(?<![\w.])%s\b" % name.encode()).finditer(data):
        node = module.root.descendant_for_byte_range(match.start(), match.end())
        if node is not None and node.type == "identifier":
            yield node


def _use(module: Module, node: Node) -> bool | None:
    """Whether what is done with the variable may make names; None where that is not told."""
    above = node.parent
    if above is None:
        return None
    outer = above.parent
    match above.type:
        case "subscript" if above.child_by_field_name("value") == node and outer is not None:
            if outer.type in ("delete_statement", "augmented_assignment"):
                return None
            return outer.type == "assignment" and outer.child_by_field_name("left") == above
        case "attribute" if outer is not None and outer.type == "call":
            method = module.source.text(above).rpartition(".")[2]
            return method == _UPDATE if method == _UPDATE or method in _READING else None
        case "comparison_operator":
            return False
        case "delete_statement":
            return False
        case "expression_list" if outer is not None and outer.type == "delete_statement":
            return False
        case _:
            return None


def late_name(call: Node, plain: Callable[[Node], str]) -> str:
    """The name that a function gives its module when it is called: `globals()["X"] = …`; empty where none is told.

    `plain` gives the text of a string that is written out, else an empty text.
    """
    above = call.parent
    outer = above.parent if above is not None else None
    if above is None or above.type != "subscript" or outer is None or outer.type != "assignment":
        return ""
    key = above.child_by_field_name("subscript")
    return plain(key) if key is not None and outer.child_by_field_name("left") == above else ""
