"""Walks over trees give the same nodes in the same order as Python's own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ingest.web.syntax.copies import copy_of
from ingest.web.syntax.walks import children_of, is_within, nodes_of

SOURCE = """
@route("/books", methods=["GET"])
async def books(limit: int = 10, *, after: str | None = None, **rest: str) -> list[str]:
    match after:
        case {"name": [first, *others]} if first > limit:
            del first
    with opened() as found, other:
        return [f"{x!r}" async for x in found[1:-limit] if not x or (y := x) < limit]
"""
TREES = [ast.parse(SOURCE), ast.parse(Path(__file__).read_text(encoding="utf-8"))]


def plain(nodes: object) -> list[ast.AST]:
    assert hasattr(nodes, "__iter__")
    return [node for node in nodes if not isinstance(node, ast.expr_context)]


@pytest.mark.parametrize("tree", TREES)
def test_all_nodes_but_contexts_are_walked_in_the_order_of_python(tree: ast.Module) -> None:
    assert nodes_of(tree) == plain(ast.walk(tree))
    for node in ast.walk(tree):
        assert children_of(node) == plain(ast.iter_child_nodes(node))


@pytest.mark.parametrize("tree", TREES)
def test_a_copy_says_the_same_with_nodes_of_its_own(tree: ast.Module) -> None:
    copied = copy_of(tree)
    assert ast.dump(copied, include_attributes=True) == ast.dump(tree, include_attributes=True)
    placed = {node for node in nodes_of(tree) if hasattr(node, "lineno")}
    assert placed and not placed & set(nodes_of(copied))


def test_an_expression_is_within_itself_and_what_is_around_it_only() -> None:
    call = ast.parse("f(a,\n  b)").body[0]
    other = ast.parse("f(a,\n  b)").body[0]
    assert isinstance(call, ast.Expr) and isinstance(other, ast.Expr) and isinstance(call.value, ast.Call)
    first = call.value.args[0]
    assert is_within(first, call.value) and is_within(first, first)
    assert (
        not is_within(call.value, first) and not is_within(first, other.value) and not is_within(first, None)
    )
