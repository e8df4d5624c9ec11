"""HTTP requests in the code of tests: `client.get(f"/books/{book}")` and its kin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.compiled import compiled
from ingest.python.module import Module

if TYPE_CHECKING:
    from tree_sitter import Node

METHODS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "trace"})
REQUEST = "request"

_HOLE = "{}"
_SERVER = compiled(r"https?://[^/?#]*")
_PERCENT = compiled(r"%(?:\(\w+\))?[sdir]")
_FORMAT = compiled(r"\{[^{}]*\}")
_MAXIMUM_DEPTH = 20
_ADDRESS_KEYWORDS = ("url", "path")

Constants = dict[str, "Node"]
"""Names of the module that are assigned once → the assigned expression."""


def constants(module: Module) -> Constants:
    """The module's names whose value is known to be one expression."""
    found: Constants = {}
    twice = set()
    for item in module.assignments:
        if item.scope is not module.scopes.module:
            continue
        value = item.node.child_by_field_name("right") if item.node is not None else None
        if value is None or item.changes or item.name in found:
            twice.add(item.name)
        else:
            found[item.name] = value
    return {name: value for name, value in found.items() if name not in twice}


def request(module: Module, call: Node, name: str, known: Constants) -> tuple[str, str] | None:
    """Method and path of a call that requests one, path parameters as `{}`; None if it is no readable request."""
    listed = call.child_by_field_name("arguments")
    if listed is None:
        return None
    arguments = [
        child for child in listed.named_children if child.type not in ("keyword_argument", "comment")
    ]
    method = name.upper()
    if name == REQUEST:
        literal = _text(module, arguments[0], known, 0) if arguments else None
        if literal is None or literal.lower() not in METHODS:
            return None
        method, arguments = literal.upper(), arguments[1:]
    address = arguments[0] if arguments else _keyword(module, listed)
    path = None if address is None else _text(module, address, known, 0)
    if path is None:
        return None
    path = _SERVER.sub("", path, count=1).partition("?")[0].partition("#")[0]
    return (method, path) if path.startswith(("/", _HOLE + "/")) else None


def _keyword(module: Module, arguments: Node) -> Node | None:
    """The value of `url=` or `path=`."""
    for child in arguments.named_children:
        name = child.child_by_field_name("name") if child.type == "keyword_argument" else None
        if name is not None and module.source.text(name) in _ADDRESS_KEYWORDS:
            return child.child_by_field_name("value")
    return None


def _text(module: Module, node: Node, known: Constants, depth: int) -> str | None:
    """The text that an expression gives, with `{}` for what is not known before it runs; None if nothing is known."""
    if depth > _MAXIMUM_DEPTH:
        return None
    if node.type == "string":
        return _string(module, node)
    if node.type == "concatenated_string":
        parts = [_text(module, child, known, depth + 1) for child in node.named_children]
        return "".join(part or "" for part in parts)
    if node.type == "identifier":
        value = known.get(module.source.text(node))
        return None if value is None else _text(module, value, known, depth + 1)
    if node.type == "parenthesized_expression" and node.named_child_count == 1:
        inner = node.named_child(0)
        return None if inner is None else _text(module, inner, known, depth + 1)
    if node.type == "binary_operator":
        return _combined(module, node, known, depth)
    if node.type == "call":
        return _formatted(module, node, known, depth)
    return None


def _string(module: Module, node: Node) -> str | None:
    parts = []
    for child in node.named_children:
        if child.type == "string_start" and "b" in module.source.text(child).lower():
            return None
        if child.type == "string_content":
            parts.append(module.source.text(child))
        elif child.type == "interpolation":
            parts.append(_HOLE)
    return "".join(parts)


def _combined(module: Module, node: Node, known: Constants, depth: int) -> str | None:
    """`left + right` and `left % values`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return None
    first = _text(module, left, known, depth + 1)
    if operator.type == "%":
        return None if first is None else _PERCENT.sub(_HOLE, first)
    second = _text(module, right, known, depth + 1)
    if operator.type != "+" or (first is None and second is None):
        return None
    return (_HOLE if first is None else first) + (_HOLE if second is None else second)


def _formatted(module: Module, node: Node, known: Constants, depth: int) -> str | None:
    """`"…".format(…)`."""
    function = node.child_by_field_name("function")
    if function is None or function.type != "attribute":
        return None
    name, value = function.child_by_field_name("attribute"), function.child_by_field_name("object")
    if name is None or value is None or module.source.text(name) != "format":
        return None
    template = _text(module, value, known, depth + 1)
    return None if template is None else _FORMAT.sub(_HOLE, template)
