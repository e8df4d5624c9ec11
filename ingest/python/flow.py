"""What functions do when they run: whom they call, what they raise, whether they yield."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from graph.facts import Kind
from graph.patterns import pattern
from ingest.python.query import Captures
from ingest.python.scopes import Scope, Scopes
from ingest.python.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = r"[A-Za-z_\x80-\xff][\w\x80-\xff]*"
_DOTTED = rf"{_NAME}(?:\.{_NAME})*"
CALLEE = pattern(rf"((?:super\(\)\.{_NAME}|{_DOTTED}))[ \t]*\(".encode("latin-1"))
"""A call's function, if it is a plain dotted name or a method of `super()`, up to the opening parenthesis."""

_RAISED = pattern(rf"raise[ \t]+({_DOTTED})[ \t]*(?:\(|\n|;|#|\Z|from\b)".encode("latin-1"))
# `raise`, or `raise error` with a variable, within a handler: what was caught goes on.
_RAISED_AGAIN = pattern(rb"\braise[ \t]*(?:[a-z_]\w*[ \t]*)?(?:[\n;#.]|from\b|\Z)")
_MAKING = frozenset({"__init__", "__new__"})
_ACCESSORS = frozenset({"setter", "deleter"})
_UNTOLD = "?"
_CATCH_ALL = frozenset({"Exception", "BaseException"})


def read_yields(source: Source, found: Captures, scopes: Scopes) -> None:
    """Fill in `generator` of every function."""
    for node in found.get("yield", ()):
        scope = scopes.at(node.start_byte)
        if scope.kind is Kind.FUNCTION and not _within_lambda(source, node):
            scope.generator = True


def read_flow(source: Source, found: Captures, scopes: Scopes) -> None:
    """Fill in `calls` and `raises` of every function, and `always_raises` of constructors and setters."""
    _read_calls(source, found, scopes)
    ending = False
    for node in found.get("raise", ()):
        place = node.start_byte
        scope = scopes.at(place)
        if scope.kind is not Kind.FUNCTION:
            continue
        match = _RAISED.match(source.data, place)
        name = "" if match is None else match[1].decode("utf-8", "replace")
        is_told = bool(name) and _is_exception(name, scope, scopes)
        if is_told and not _is_caught(source, node, scope.node, name):
            scope.raises.append((name, place))
        if (scope.name in _MAKING or scope.form in _ACCESSORS) and _is_end(source, node, scope):
            scope.always_raises = name if is_told else _UNTOLD
            ending = True
    for node in found.get("return", ()) if ending else ():
        scopes.at(node.start_byte).always_raises = ""


def _read_calls(source: Source, found: Captures, scopes: Scopes) -> None:
    data, bounds, owners = source.data, scopes.bounds, scopes.owners
    function, callee = Kind.FUNCTION, CALLEE.match
    for node in found.get("call", ()):
        start = node.start_byte
        scope = owners[bisect_right(bounds, start) - 1]
        if scope.kind is function:
            match = callee(data, start)
            if match is not None:
                scope.calls.setdefault(match[1], start)


def _is_exception(name: str, scope: Scope, scopes: Scopes) -> bool:
    """Whether a name after `raise` surely means an exception: no variable, and by its spelling no function."""
    root, _, rest = name.partition(".")
    holder: Scope | None = scope
    while holder is not None:
        if root == holder.receiver and rest:
            break
        if root in holder.bound:
            return False
        if (holder, name) in scopes.members:
            return scopes.members[holder, name].kind is Kind.CLASS
        holder = holder.parent
    return name.rpartition(".")[2].lstrip("_")[:1].isupper()


def _is_end(source: Source, node: Node, scope: Scope) -> bool:
    """Whether a statement is the last one of a function's body, which is no generator."""
    is_last = node.end_byte >= scope.end - 1 and source.column(node.start_byte) == source.column(scope.body)
    return is_last and not scope.generator


def _within_lambda(source: Source, node: Node) -> bool:
    if b"lambda" not in source.data:
        return False
    parent = node.parent
    while parent is not None and parent.type != "function_definition":
        if parent.type == "lambda":
            return True
        parent = parent.parent
    return False


def _is_caught(source: Source, node: Node, function: Node, name: str) -> bool:
    """Whether a `try` within the function surely catches this exception and does not raise again."""
    child, parent = node, node.parent
    while parent is not None and parent != function:
        if parent.type == "try_statement" and child == parent.child_by_field_name("body"):
            for clause in parent.named_children:
                if clause.type == "except_clause" and _catches(source, clause, name):
                    return _RAISED_AGAIN.search(source.data, clause.start_byte, clause.end_byte) is None
        child, parent = parent, parent.parent
    return False


def _catches(source: Source, clause: Node, name: str) -> bool:
    """Whether an `except` names this very exception, or the class of all."""
    value = clause.child_by_field_name("value")
    if value is None:
        return True
    caught = value.named_child(0) if value.type == "as_pattern" else value
    if caught is None:
        return False
    names = caught.named_children if caught.type == "tuple" else [caught]
    return any(text == name or text in _CATCH_ALL for text in map(source.text, names))
