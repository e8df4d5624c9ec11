"""The types that expressions have by their text alone: literals, displays, and calls such as `str(…)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graph.facts import Kind
from graph.patterns import pattern
from ingest.python.scopes import Scope
from ingest.python.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_PLAIN_STRING = pattern(rb"[rRuUbB]?(\"|')[^\"'\\\n]{0,40}\1")
_PREFIX = pattern(rb"[A-Za-z]*")
_INTEGER = pattern(rb"[1-9]\d{0,17}|0")
_BY_FORM = {
    "none": "None",
    "true": "Literal[True]",
    "false": "Literal[False]",
    "integer": "int",
    "float": "float",
    "list": "list",
    "list_comprehension": "list",
    "dictionary": "dict",
    "dictionary_comprehension": "dict",
    "set": "set",
    "set_comprehension": "set",
    "tuple": "tuple",
    "expression_list": "tuple",
    "not_operator": "bool",
}
TELLING_CALLS = {
    **{name: name for name in ("str", "int", "float", "bool", "bytes", "list", "dict", "set", "tuple")},
    **{"frozenset": "frozenset", "len": "int", "repr": "str", "sorted": "list", "isinstance": "bool"},
    **{"issubclass": "bool", "callable": "bool", "hasattr": "bool", "id": "int", "ord": "int", "chr": "str"},
    **{"any": "bool", "all": "bool", "hash": "int", "ascii": "str", "hex": "str"},
}
_HOLDING = frozenset({"tuple", "expression_list", "list", "set", "dictionary"})
_MOST_HELD = 6
_DEEPEST = 2
_UNTOLD_ITEM = "Any"
_OF_TEXT = pattern(rb"\s*\.\s*(?:join|format|strip|lower|upper|replace)\s*\(")


def shown_types(source: Source, node: Node, scope: Scope, depth: int = 0) -> Iterator[str]:
    """The types that a returned expression may have, as annotations; nothing where the text does not tell."""
    form = node.type
    if form == "parenthesized_expression" and (inner := node.named_child(0)) is not None:
        yield from shown_types(source, inner, scope, depth)
    elif form == "conditional_expression":
        children = node.named_children
        for child in (children[0], children[-1]) if len(children) == 3 else ():
            yield from shown_types(source, child, scope, depth)
    elif form == "integer" and _INTEGER.fullmatch(text := source.data[node.start_byte : node.end_byte]):
        yield f"Literal[{text.decode('ascii')}]"
    elif form == "string":
        yield _string(source, node)
    elif form == "call":
        yield from _called(source, node, scope)
    elif form == "comparison_operator":
        if any(child.type in ("is", "is not", "in", "not in") for child in node.children):
            yield "bool"
    elif form in _HOLDING:
        yield _BY_FORM[form] + _held(source, node, scope, depth)
    elif form in _BY_FORM:
        yield _BY_FORM[form]


def _held(source: Source, display: Node, scope: Scope, depth: int) -> str:
    """What a display holds, as the arguments of its type (`[int, Any]`); empty where the text tells of none of it."""
    items = [child for child in display.named_children if child.type != "comment"]
    if not 0 < len(items) <= _MOST_HELD or depth >= _DEEPEST:
        return ""
    if any("splat" in child.type or "ERROR" in child.type for child in items):
        return ""
    if display.type != "dictionary":
        types = [_plain(source, child, scope, depth) for child in items]
        listed = types if _BY_FORM[display.type] == "tuple" else [_together(types)]
    else:
        sides = (child.child_by_field_name(field) for field in ("key", "value") for child in items)
        types = [_UNTOLD_ITEM if side is None else _plain(source, side, scope, depth) for side in sides]
        listed = [_together(types[: len(items)]), _together(types[len(items) :])]
    return "" if set(listed) == {_UNTOLD_ITEM} else f"[{', '.join(listed)}]"


def _plain(source: Source, node: Node, scope: Scope, depth: int) -> str:
    """The type of one item, without the value of a literal, or `Any`."""
    found = (_unvalued(text) for text in shown_types(source, node, scope, depth + 1))
    return " | ".join(dict.fromkeys(found)) or _UNTOLD_ITEM


def _unvalued(text: str) -> str:
    """The type of a shown literal's value; any other type as it is."""
    if not text.startswith("Literal["):
        return text
    first = text[len("Literal[")]
    by_number = "bool" if first in "TF" else "int"
    return {"b": "bytes", "B": "bytes"}.get(first, "str") if first not in "TF0123456789" else by_number


def _together(types: list[str]) -> str:
    """The type of all items of a list; `Any` where that of one is not told."""
    return _UNTOLD_ITEM if _UNTOLD_ITEM in types else " | ".join(dict.fromkeys(types))


def _string(source: Source, node: Node) -> str:
    data = source.data[node.start_byte : node.end_byte]
    if _PLAIN_STRING.fullmatch(data):
        return f"Literal[{data.decode('utf-8', 'replace')}]"
    return "bytes" if b"b" in _prefix(source, node) else "str"


def _prefix(source: Source, string: Node) -> bytes:
    """The letters before a string's quotes, in lower case."""
    match = _PREFIX.match(source.data, string.start_byte)
    return match[0].lower() if match else b""


def _called(source: Source, node: Node, scope: Scope) -> Iterator[str]:
    """The type of `str(…)`, `len(…)` and their like, and of a text's own methods."""
    function = node.child_by_field_name("function")
    if function is None:
        return
    if function.type == "identifier":
        name = source.text(function)
        if name in TELLING_CALLS and not _is_bound(name, scope):
            yield TELLING_CALLS[name]
    elif function.type == "attribute":
        owner = function.child_by_field_name("object")
        if owner is not None and owner.type == "string" and _OF_TEXT.match(source.data, owner.end_byte):
            yield "bytes" if b"b" in _prefix(source, owner) else "str"


def _is_bound(name: str, scope: Scope) -> bool:
    """Whether a builtin's name means something else within a function."""
    holder: Scope | None = scope
    while holder is not None and holder.kind is not Kind.MODULE:
        if name in holder.bound:
            return True
        holder = holder.parent
    return False
