"""What a function's header says: its parameters, what it returns, and which kind of function it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.compiled import compiled
from graph.facts import Json, Kind
from ingest.python.scopes import Scope
from ingest.python.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

POSITIONAL_ONLY = "positional-only"
POSITIONAL_OR_KEYWORD = "positional-or-keyword"
VAR_POSITIONAL = "var-positional"
KEYWORD_ONLY = "keyword-only"
VAR_KEYWORD = "var-keyword"

# Most parameter lists are plain names on one line; splitting them as text saves touching their nodes.
_PLAIN = compiled(rb"\([ \t]*([^\W\d]\w*(?:[ \t]*,[ \t]*[^\W\d]\w*)*)?[ \t]*,?[ \t]*\)")

_PROPERTIES = frozenset({"property", "cached_property", "abstractproperty", "getter"})
_IMPLICIT_CLASSMETHODS = frozenset({"__init_subclass__", "__class_getitem__"})

Parameter = list[Json]
"""Name, kind, annotation or None, default or None, line."""


def parameters(source: Source, node: Node) -> list[Parameter]:
    """The parameters of a parameter list in their order, the receiver included."""
    start, end = node.start_byte, node.end_byte
    plain = _PLAIN.fullmatch(source.data, start, end)
    if plain is None:
        return _parameters(source, node)
    if plain[1] is None:
        return []
    line = source.line(start)
    return [
        [name.strip(), POSITIONAL_OR_KEYWORD, None, None, line]
        for name in plain[1].decode("ascii").split(",")
    ]


def returns(source: Source, function: Node) -> str | None:
    """The text of the return annotation; None where there is none."""
    annotation = function.child_by_field_name("return_type")
    return None if annotation is None else source.flat(annotation)


def function_kind(scope: Scope) -> str:
    """`function`, `method`, `classmethod`, `staticmethod`, `property`, `setter` or `deleter`."""
    if scope.parent is None or scope.parent.kind is not Kind.CLASS:
        return "function"
    for decorator in scope.decorators:
        head, _, last = decorator.partition("(")[0].rpartition(".")
        if last in _PROPERTIES:
            return "property"
        if head and last in ("setter", "deleter"):
            return last
        if last in ("staticmethod", "abstractstaticmethod"):
            return "staticmethod"
        if last in ("classmethod", "abstractclassmethod"):
            return "classmethod"
    if scope.name == "__new__":
        return "staticmethod"
    return "classmethod" if scope.name in _IMPLICIT_CLASSMETHODS else "method"


def is_overload(scope: Scope) -> bool:
    """Whether this is one of several `@overload` signatures of a function."""
    return any(decorator.rpartition(".")[2] == "overload" for decorator in scope.decorators)


def _parameters(source: Source, node: Node) -> list[Parameter]:
    listed: list[Parameter] = []
    kind = POSITIONAL_OR_KEYWORD
    for child in node.named_children:
        name: Node | None = child
        annotation = default = None
        form = child.type
        if form == "positional_separator":
            for parameter in listed:
                parameter[1] = POSITIONAL_ONLY
            continue
        if form == "keyword_separator":
            kind = KEYWORD_ONLY
            continue
        if form in ("default_parameter", "typed_default_parameter"):
            name = child.child_by_field_name("name")
            default = _optional(source, child.child_by_field_name("value"))
            annotation = _optional(source, child.child_by_field_name("type"))
        elif form == "typed_parameter":
            name = child.named_child(0)
            annotation = _optional(source, child.child_by_field_name("type"))
        if name is None or name.type not in _NAMED:
            continue
        own, after = _NAMED[name.type] or kind, kind
        if own == VAR_POSITIONAL:
            after = KEYWORD_ONLY
        listed.append(
            [source.text(name).lstrip("* "), own, annotation, default, source.line(name.start_byte)]
        )
        kind = after
    return listed


_NAMED = {"identifier": "", "list_splat_pattern": VAR_POSITIONAL, "dictionary_splat_pattern": VAR_KEYWORD}


def _optional(source: Source, node: Node | None) -> str | None:
    return None if node is None else source.flat(node)
