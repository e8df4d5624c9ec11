"""Tests of schemas as tests of operations see them, with their references followed."""

from __future__ import annotations

import pytest

from planner.contracts.resolving import FACT, Resolver


@pytest.mark.parametrize(
    ("pattern", "values"),
    [
        ("^(asc|desc)$", ["asc", "desc"]),
        ("^(?:in_progress|done)$", ["in_progress", "done"]),
        ("^(a+|b)$", None),
        ("(asc|desc)", None),
        ("^(asc)$", None),
    ],
)
def test_a_pattern_that_lists_texts_is_an_enumeration(pattern: str, values: list[str] | None) -> None:
    told = Resolver({}).resolved({"anyOf": [{"type": "string", "pattern": pattern}]}, "spec:field:A.b")
    whole = {FACT: "spec:field:A.b", "type": "string"}
    kept = {**whole, "pattern": pattern} if values is None else {**whole, "enum": values}
    assert told["anyOf"] == [kept]
