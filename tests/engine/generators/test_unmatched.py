"""A text that only a pattern refuses: the nearest one to a text that is taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.generators.values.schema_values import NoValueError, outside
from engine.generators.values.unmatched import unmatched
from graph.facts import Json
from planner.contracts.violations import violations


@pytest.mark.parametrize(
    ("schema", "taken", "expected"),
    [
        ({"pattern": "^[a-z0-9-]{3,20}$"}, "docs", "docs" + "s" * 17),
        ({"pattern": "^[a-z]+$"}, "docs", "DOCS"),
        ({"pattern": r"^\d{5}$"}, "12345", "123455"),
        ({"pattern": "^[A-Z]{2}$", "maxLength": 2}, "DE", "D"),
        ({"pattern": "^[A-Z]{2}$", "maxLength": 2, "minLength": 2}, "DE", "de"),
        ({"pattern": "^.*$"}, "anything", None),
    ],
)
def test_the_nearest_text_that_a_pattern_refuses(
    schema: dict[str, Json], taken: str, expected: str | None
) -> None:
    assert unmatched({"type": "string", **schema}, taken) == expected


def test_where_no_text_is_known_that_a_pattern_takes_none_is_made_up() -> None:
    with pytest.raises(NoValueError):
        outside({"type": "string", "pattern": "^(?=.*never)(?!.*never).+$"}, "pattern", "code")
    with pytest.raises(NoValueError):
        outside({"type": "string", "pattern": "^.*$"}, "pattern", "code")


@given(st.from_regex(r"\A[a-f]{1,4}-[0-9]{2,6}\Z"))
def test_what_is_found_breaks_the_pattern_and_nothing_else(taken: str) -> None:
    schema: dict[str, Json] = {"type": "string", "pattern": "^[a-f]{1,4}-[0-9]{2,6}$", "maxLength": 30}
    found = unmatched(schema, taken)
    assert found is not None
    assert [each.keyword for each in violations(schema, found, "")] == ["pattern"]
