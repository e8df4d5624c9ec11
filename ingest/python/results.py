"""What functions show of their results: values whose type the text tells, and bodies that end without a `return`."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from graph.facts import Json, Kind
from graph.patterns import pattern
from ingest.python.query import Captures
from ingest.python.scopes import Scope, Scopes
from ingest.python.shown_types import TELLING_CALLS, shown_types
from ingest.python.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_BARE = len("return")
_UNTOLD_TYPE = "?"
_SIMPLE = frozenset(
    {"assignment", "augmented_assignment", "pass_statement", "delete_statement", "import_statement"}
    | {"import_from_statement", "global_statement", "nonlocal_statement", "function_definition"}
    | {"class_definition", "decorated_definition", "for_statement"}
)
_WORDS = frozenset({b"None", b"True", b"False", b"not"})
# Most functions return names, attributes and what other functions return: one look at the text passes them over.
_UNTOLD = pattern(rb"return[ \t]+([A-Za-z_][\w.]*)(?:\Z|\()")
_TELLING = pattern(rb"[\s)](?:if|in|is|not)[\s(]")


def read_results(source: Source, found: Captures, scopes: Scopes) -> None:
    """Fill in `returned` and `ends` of every function."""
    with_value: dict[Scope, Node] = {}
    untold: set[Scope] = set()
    for node in found.get("return", ()):
        scope = scopes.at(node.start_byte)
        if scope.kind is not Kind.FUNCTION or scope.lost:
            continue
        if node.end_byte - node.start_byte <= _BARE:
            _add(scope, "None", source.line(node.start_byte))
            continue
        with_value[scope] = node
        value = None if _is_untold(source, node) else node.named_child(0)
        types = [] if value is None else list(shown_types(source, value, scope))
        if not types:
            untold.add(scope)
        for text in types:
            _add(scope, text, source.line(node.start_byte))
    for scope, last in with_value.items():
        if scope in untold and scope.returned:
            scope.returned.append([_UNTOLD_TYPE, source.line(last.start_byte)])
        if scope.generator:
            scope.returned.clear()
        elif source.column(last.start_byte) != source.column(scope.body) or not _is_last(last, scope):
            body = scope.node.child_by_field_name("body")
            if body is not None and not body.has_error and _completes(source, body):
                scope.ends = source.line(scope.end - 1)
            elif body is not None and not body.has_error:
                scope.ends_unless = _exhausted(source, body)


def _add(scope: Scope, text: str, line: int) -> None:
    if all(known[0] != text for known in scope.returned):
        scope.returned.append([text, line])


def _is_untold(source: Source, statement: Node) -> bool:
    """Whether the text of a `return` shows at once that it does not tell its value's type."""
    start, end = statement.start_byte, statement.end_byte
    match = _UNTOLD.match(source.data, start, end)
    if match is None or (match.end() < end and match[1].decode("ascii", "replace") in TELLING_CALLS):
        return False
    return match[1] not in _WORDS and _TELLING.search(source.data, match.end(), end) is None


def _is_last(statement: Node, scope: Scope) -> bool:
    """Whether a statement of the body's own level is the one that the function ends with."""
    return statement.end_byte >= scope.end - 1


def _completes(source: Source, block: Node) -> bool:
    """Whether running a block surely may reach its end; false as well where that is not known."""
    statements = [child for child in block.named_children if child.type != "comment"]
    if not statements:
        return False
    last = statements[-1]
    form = last.type
    if form == "if_statement":
        return _branch_completes(source, last, statements)
    if form == "with_statement":
        body = last.child_by_field_name("body")
        return body is not None and _completes(source, body)
    if form == "try_statement":
        return _try_completes(source, last)
    if form == "for_statement":
        return last.child_by_field_name("alternative") is None and not _tries_again(source, last)
    if form == "expression_statement":
        inner = last.named_child(0)
        return inner is not None and inner.type in _SIMPLE
    return form in _SIMPLE


def _tries_again(source: Source, loop: Node) -> bool:
    """Whether each round of a loop returns or fails, and a handler may raise: few live through the last one."""
    body = loop.child_by_field_name("body")
    statements = (
        [child for child in body.named_children if child.type != "comment"] if body is not None else []
    )
    if not statements or statements[-1].type != "try_statement":
        return False
    tried = statements[-1].child_by_field_name("body")
    handlers = (child for child in statements[-1].named_children if child.type == "except_clause")
    raising = any(b"raise" in source.data[each.start_byte : each.end_byte] for each in handlers)
    return raising and tried is not None and not _completes(source, tried)


def _branch_completes(source: Source, statement: Node, statements: list[Node]) -> bool:
    """Whether an `if`, the last of some statements, may be left downwards.

    Conditions that all test one thing may cover all that it can be.
    """
    alternatives = statement.children_by_field_name("alternative")
    blocks = [statement.child_by_field_name("consequence")]
    closed = False
    for alternative in alternatives:
        closed = closed or alternative.type == "else_clause"
        blocks.append(
            alternative.child_by_field_name("body") or alternative.child_by_field_name("consequence")
        )
    if any(block is not None and _completes(source, block) for block in blocks):
        return True
    if closed:
        return False
    chain = list(takewhile(lambda each: each.type == "if_statement", reversed(statements)))
    held = [each.child_by_field_name("condition") for each in (*chain, *alternatives)]
    tested = {_tested(source, condition) if condition is not None else "" for condition in held}
    if len(held) == 1:
        return held[0] is not None and held[0].type not in ("true", "integer")
    return len(tested) > 1 or tested == {""}


def _tested(source: Source, condition: Node) -> str:
    """What a condition compares with one value or type of several; empty where it is of another form."""
    if condition.type == "call":
        function, listed = (
            condition.child_by_field_name("function"),
            condition.child_by_field_name("arguments"),
        )
        subject = listed.named_child(0) if listed is not None and listed.named_child_count else None
        is_type_test = function is not None and source.text(function) in ("isinstance", "issubclass")
        return source.text(subject) if is_type_test and subject is not None else ""
    if condition.type == "comparison_operator":
        operators = {child.type for child in condition.children if not child.is_named}
        subject = condition.named_child(0)
        return source.text(subject) if operators <= {"==", "is", "in"} and subject is not None else ""
    return ""


def _exhausted(source: Source, block: Node) -> str:
    """The plain name whose values alone decide whether a body that ends with conditions can reach its end."""
    statements = [child for child in block.named_children if child.type != "comment"]
    last = statements[-1] if statements else None
    if last is None or last.type != "if_statement":
        return ""
    alternatives = last.children_by_field_name("alternative")
    if any(alternative.type == "else_clause" for alternative in alternatives):
        return ""
    chain = takewhile(lambda each: each.type == "if_statement", reversed(statements))
    held = [each.child_by_field_name("condition") for each in (*chain, *alternatives)]
    compared = {
        _tested(source, condition)
        for condition in held
        if condition is not None and condition.type == "comparison_operator"
    }
    sure = len(compared) == 1 and all(each is not None and each.type != "call" for each in held)
    name = compared.pop() if sure else ""
    return name if name.isidentifier() else ""


def _try_completes(source: Source, statement: Node) -> bool:
    """Whether a `try` may be left downwards: through its body, its `else` or one of its handlers."""
    parts = {child.type: child for child in statement.named_children}
    if "finally_clause" in parts:
        return False
    end = parts.get("else_clause")
    body = end.child_by_field_name("body") if end is not None else statement.child_by_field_name("body")
    if body is not None and _completes(source, body):
        return True
    handlers = [child for child in statement.named_children if child.type == "except_clause"]
    blocks = (child for handler in handlers for child in handler.named_children if child.type == "block")
    return any(_completes(source, block) for block in blocks)


def results(source: Source, scope: Scope) -> dict[str, Json]:
    """The aspects `returned`, `ends`, `ends_unless`, `gives` and `only_stores`, each only where it says something."""
    aspects: dict[str, Json] = {}
    if scope.returned:
        aspects["returned"] = scope.returned
    if scope.ends:
        aspects["ends"] = scope.ends
    if scope.ends_unless:
        aspects["ends_unless"] = [scope.ends_unless, source.line(scope.end - 1)]
    if scope.gives is not None:
        aspects["gives"] = scope.gives
    if scope.only_stores:
        aspects["only_stores"] = True
    return aspects
