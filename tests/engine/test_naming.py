"""What users may call the cases of a plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.naming import must_be_called
from graph.errors import UsageError
from planner.cases import Case, Layer, Technique
from planner.checklist import FILE, Checklist, save
from tests.commands import inside

CASES = [
    Case(
        id="get-books-success-200-a1b2c3",
        subject="GET /books",
        aspect="responses.200",
        description="GET /books succeeds",
        cites=(),
        priority=0.0,
        technique=Technique.SUCCESS,
        layer=Layer.INTEGRATION,
        node="tests/crossfact/test_books.py::test_list_books_is_answered_with_200",
    )
]


@pytest.mark.parametrize("name", ["get-books", CASES[0].id, CASES[0].node])
def test_a_case_is_called_by_its_id_its_beginning_or_its_test(name: str) -> None:
    must_be_called(CASES, (name,))


def test_a_name_that_no_case_has_is_a_mistake() -> None:
    with pytest.raises(UsageError, match=r"no case of the plan is called \."):
        must_be_called(CASES, ("get-books", "."))


def test_commands_say_what_is_not_there_instead_of_that_nothing_is(tmp_path: Path) -> None:
    save(tmp_path / FILE, Checklist(), CASES)
    assert inside(tmp_path, "status", "--status", "FAILED").stdout == "None of 1 test case is FAILED.\n"
    done = inside(tmp_path, "run", "shelf")
    assert done.returncode == 2
    assert "no case of the plan is called shelf" in done.stderr
