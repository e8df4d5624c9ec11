"""Assertions of tests that by their form alone do not check what they say: `assert (total == 3, "wrong total")`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.python.module import Module

if TYPE_CHECKING:
    from tree_sitter import Node

CONSTANT, MESSAGE, MOCK = "constant", "message", "mock"
"""Why: what is asserted is a value that is true by itself; the value to compare with stands where the message belongs;
a mock has any attribute, and what it gives is true."""

# Displays that are true where there is something in them. `assert True` and `assert 1` are meant so.
_TRUE_WITH_CONTENTS = frozenset({"tuple", "list", "dictionary", "set", "string", "concatenated_string"})
_ALWAYS_TRUE = frozenset({"generator_expression", "lambda"})
_TRUTH = frozenset({"assertTrue", "assertFalse"})
# `assertTrue(found, True)` checks what is meant.
_NO_MESSAGE = frozenset({"integer", "float", "list", "tuple", "dictionary", "set"})
_TRUTHS = frozenset({"comparison_operator", "not_operator", "boolean_operator"})
# Misspelled from `assert_called_once_with` and its like; a mock gives something for each.
_OF_MOCKS = frozenset(
    {"called_once", "called_once_with", "called_with", "not_called", "any_call", "has_calls"}
)
_MOCKING = ("unittest.mock", "mock", "pytest_mock")


def why_idle(module: Module, statement: Node) -> str | None:
    """Why an `assert` statement, or a call of `assertTrue`, does not check what it says; None where it may."""
    if statement.type == "call":
        return _misplaced(module, statement)
    condition = statement.named_child(0)
    while (
        condition is not None
        and condition.type == "parenthesized_expression"
        and condition.named_child_count == 1
    ):
        condition = condition.named_child(0)
    if condition is None or condition.has_error:
        return None
    if condition.type in _ALWAYS_TRUE or (condition.type in _TRUE_WITH_CONTENTS and _has_contents(condition)):
        return CONSTANT
    named = condition.child_by_field_name("function") if condition.type == "call" else condition
    name = named.child_by_field_name("attribute") if named is not None else None
    is_misspelled = name is not None and module.source.text(name) in _OF_MOCKS
    return MOCK if is_misspelled and _mocks(module) else None


def _mocks(module: Module) -> bool:
    """Whether a file makes mocks of the standard library's kind."""
    return (
        any(each.target.startswith(_MOCKING) for each in module.imports.all)
        or b"mocker" in module.source.data
    )


def _has_contents(node: Node) -> bool:
    if node.type == "concatenated_string":
        return any(map(_has_contents, node.named_children))
    if node.type == "string":
        return any(child.type == "string_content" for child in node.named_children)
    # `[*found]` may be empty.
    return any(
        child.type not in ("list_splat", "dictionary_splat", "comment") for child in node.named_children
    )


def _misplaced(module: Module, call: Node) -> str | None:
    """`self.assertTrue(total, 3)`: nothing is compared with the 3."""
    function, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    name = None if function is None else function.child_by_field_name("attribute")
    if name is None or listed is None or module.source.text(name) not in _TRUTH:
        return None
    given = [child for child in listed.named_children if child.type != "comment"]
    # Who compares already shows what was compared: `assertTrue(1 <= n < order, (1, n, order))`.
    is_idle = len(given) == 2 and given[0].type not in _TRUTHS and given[1].type in _NO_MESSAGE
    return MESSAGE if is_idle else None
