"""The blocks of a statement are found and changed alike, whatever kind of statement it is."""

from __future__ import annotations

import ast

import pytest

from ingest.web.syntax.blocks import blocks, with_blocks

STATEMENTS = [
    "if a:\n    b\nelse:\n    c",
    "for a in b:\n    c\nelse:\n    d",
    "with a:\n    b",
    "try:\n    a\nexcept B:\n    b\nelse:\n    c\nfinally:\n    d",
    "try:\n    a\nexcept* B:\n    b",
    "match a:\n    case 1:\n        b\n    case _:\n        c",
]


def double(block: list[ast.stmt]) -> list[ast.stmt]:
    return [*block, *block]


@pytest.mark.parametrize("text", STATEMENTS)
def test_each_block_is_changed_and_the_statement_itself_stays_as_it_was(text: str) -> None:
    statement = ast.parse(text).body[0]
    made = with_blocks(statement, double)
    assert [len(block) for block in blocks(made)] == [2 * len(block) for block in blocks(statement)]
    assert ast.unparse(statement) == text


def test_a_statement_without_blocks_is_copied_as_it_is() -> None:
    statement = ast.parse("a = b").body[0]
    assert ast.unparse(with_blocks(statement, double)) == "a = b"
