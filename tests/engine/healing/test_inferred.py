"""Tests that no fact stands behind an assertion which the test itself calls inferred."""

from __future__ import annotations

import pytest

from engine.healing.proven import code_is_wrong
from healer.analysing.analysing import analyse
from healer.evidence import Ruling
from planner.cases import Case, Layer, Technique
from planner.generator import Assertion
from planner.validator import Frame, Outcome, Verdict

NODE = "tests/test_notes.py::test_notes"
FACT = "spec:response:GET /notes#200"


@pytest.mark.parametrize("inferred", [True, False])
def test_code_is_never_wrong_by_an_inferred_assertion(inferred: bool) -> None:
    (line,) = Assertion("assert second == first", (FACT,), inferred=inferred).lines
    text = f"def test_notes(client):\n    first = second = 1\n    {line}\n"
    frames = (Frame("tests/test_notes.py", 3, "test_notes", "test"),)
    outcome = Outcome(node=NODE, verdict=Verdict.FAILED, exception="AssertionError", frames=frames)
    case = Case(
        id="notes",
        description="",
        subject="GET /notes",
        aspect="responses",
        technique=Technique.REPEATABLE,
        layer=Layer.INTEGRATION,
        cites=(FACT,),
    )
    found = code_is_wrong([analyse(outcome, lambda path: text)], {NODE: case}, lambda identifier: None)
    assert (found is None) == inferred
    assert found is None or found.ruling is Ruling.CODE_WRONG
