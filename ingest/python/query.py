"""The Python grammar and the one query whose captures are all that the reader touches of a syntax tree."""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from graph.compiled import compiled

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser, Query, Tree

# Walking a tree node by node in Python costs several times what parsing costs. The four captures of a function
# stand in one pattern, so that their lists, once sorted, run in step. The library works out what each pattern within
# a pattern may match whenever a process begins, which takes as long as reading a small package: what an assignment
# is to is therefore told by its node (`_told_apart`).
_QUERY = """
(function_definition name: (identifier) @function.name parameters: (parameters) @function.parameters
  body: (block) @function.body) @function
(class_definition name: (identifier) @class.name body: (block) @class.body) @class
(decorated_definition) @decorated
(import_statement) @import
(import_from_statement) @import
(assignment) @assign
(augmented_assignment) @augment
(type_alias_statement) @alias
(delete_statement) @delete
(for_statement left: (_) @bind)
(for_in_clause left: (_) @bind)
(as_pattern_target) @bind
(named_expression) @named
(lambda_parameters) @bind
(case_pattern) @bind.case
(global_statement) @global
(nonlocal_statement) @nonlocal
(call) @call
(raise_statement) @raise
(return_statement) @return
(yield) @yield
(assert_statement) @assert
"""

_PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern"})
_OF_OBJECTS = {"identifier": "assign.attribute", "attribute": "assign.chain"}

# What nests deeper nobody wrote, and beyond 32,768 levels the library's time grows with their square.
_MAXIMUM_DEPTH = 5_000

_start_byte = attrgetter("start_byte")

Captures = dict[str, "list[Node]"]
"""Capture name → nodes in source order; names without a node are absent."""


_LONG_RUN = 100
# Each line has one reading: a run that is too short is given up without trying its lines otherwise.
_RUN_OF_COMMENTS = compiled(rb"(?m)^(?:[ \t]*+#[^\n]*+\n(?:[ \t]*+\n)*){%d,}" % _LONG_RUN)
_VISIBLE = compiled(rb"[^\n]")


def parse(data: bytes) -> Tree:
    """The syntax tree of UTF-8 text; broken parts of it are ERROR and MISSING nodes.

    Places are those of the text, but long runs of comment lines are no nodes: the grammar reads each line of a run
    once more for every line before it.
    """
    if data.count(b"#") >= _LONG_RUN:
        data = _RUN_OF_COMMENTS.sub(lambda run: _VISIBLE.sub(b" ", run.group()), data)
    return _parser().parse(data)


def captures(root: Node) -> Captures:
    """All that the reader looks at in a tree."""
    from tree_sitter import QueryCursor

    cursor = QueryCursor(_query())
    cursor.set_max_start_depth(_MAXIMUM_DEPTH)
    # The library hands the nodes of a name over as a set; nodes that begin at the same byte stay in no order.
    return {
        name: sorted(nodes, key=_start_byte) for name, nodes in _told_apart(cursor.captures(root)).items()
    }


def _told_apart(found: Captures) -> Captures:
    """The captures with assignments by what they are to: a name, an attribute of a name or of another, or several."""
    for node in found.pop("assign", ()):
        left = node.child_by_field_name("left")
        if left is None:
            continue
        if left.type == "identifier":
            found.setdefault("assign.name", []).append(node)
        elif left.type in _PATTERNS:
            found.setdefault("assign.pattern", []).append(left)
        elif left.type == "attribute" and (name := _OF_OBJECTS.get(_type_of(left, "object"))):
            found.setdefault(name, []).append(node)
    found["augment"] = [node for node in found.get("augment", ()) if _type_of(node, "left") == "identifier"]
    names = (node.child_by_field_name("name") for node in found.pop("named", ()))
    found.setdefault("bind", []).extend(name for name in names if name is not None)
    return found


def _type_of(node: Node, field: str) -> str:
    child = node.child_by_field_name(field)
    return child.type if child is not None else ""


def first_error(root: Node) -> int:
    """Where the first part of a tree begins that is no Python to the grammar."""
    node = root
    while not node.is_error or node is root:
        broken = next((child for child in node.children if child.has_error or child.is_missing), None)
        if broken is None:
            break
        node = broken
    return node.start_byte


@cache
def _language() -> Language:
    from tree_sitter import Language

    return Language(_binding().language())


def _binding() -> Any:
    """The compiled part of `tree_sitter_python` alone: its face imports much for what is not used here."""
    from importlib import util
    from importlib.machinery import PathFinder

    package = util.find_spec("tree_sitter_python")
    places = package.submodule_search_locations if package is not None else None
    spec = PathFinder.find_spec("tree_sitter_python._binding", places) if places else None
    if spec is None or spec.loader is None:
        import tree_sitter_python

        return tree_sitter_python
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _parser() -> Parser:
    from tree_sitter import Parser

    return Parser(_language())


@cache
def _query() -> Query:
    from tree_sitter import Query

    return Query(_language(), _QUERY)
