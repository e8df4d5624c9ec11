"""The checklist: every mistake with its line, and nothing lost of what a person wrote into it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import ConfigurationError
from planner.cases import Case, Layer, Proof, Status, Technique, Term
from planner.checklist import Checklist, load, parse, render, save

FIRST = Case(
    id="post-todos-201-a1b2c3",
    description="A to-do is added",
    subject="POST /todos",
    aspect="responses.201",
    technique=Technique.SUCCESS,
    layer=Layer.INTEGRATION,
    cites=("spec:response:POST /todos#201",),
    target={"operation": "POST /todos", "status": "201"},
    priority=41.5,
    why=(Term("severity", 40.0, "the contract promises it: no code"), Term("cost", 1.5, "cheap")),
    proof=Proof(twins=3, twins_green=3, mutants=4, mutants_killed=4, real="red"),
)
SECOND = msgspec.structs.replace(
    FIRST, id="get-todos-200-d4e5f6", description="To-dos are listed: all # of them"
)


def test_what_is_written_is_read_again() -> None:
    text = render(Checklist(), [FIRST, SECOND])
    assert parse(text).cases == (FIRST, SECOND)


def test_that_it_cannot_be_written_is_told_with_its_own_name(tmp_path: Path) -> None:
    file = tmp_path / "gone" / "test_execution_state.yaml"
    with pytest.raises(
        ConfigurationError, match=r"test_execution_state\.yaml: cannot be written: No such file or directory$"
    ):
        save(file, Checklist(), [FIRST])


def test_nothing_is_written_where_nothing_changed(tmp_path: Path) -> None:
    file = tmp_path / "test_execution_state.yaml"
    save(file, Checklist(), [FIRST])
    stamp = file.stat().st_mtime_ns
    checklist = load(file)
    save(file, checklist, checklist.cases)
    assert file.stat().st_mtime_ns == stamp


def test_comments_and_own_words_survive_a_change_of_one_key() -> None:
    text = """\
# our plan
test_cases:
  # the most important one
  - id: a  # keep this first
    description: >
      A long
      story
    # why it waits
    status: PENDING  # until Monday
    # nothing below

  # the other one
  - status: PASSED
    id: b
# the end
"""
    checklist = parse(text)
    first, second = checklist.cases
    assert (first.description, second.status) == ("A long story\n", Status.PASSED)
    changed = msgspec.structs.replace(first, status=Status.GENERATED, digest="abc")
    assert render(checklist, [changed, second]) == text.replace(
        "    status: PENDING  # until Monday\n", "    status: GENERATED  # until Monday\n    digest: abc\n"
    )


def test_a_case_can_be_removed_and_one_added() -> None:
    text = render(Checklist(), [FIRST, SECOND])
    checklist = parse(text)
    assert render(checklist, [SECOND]) == render(Checklist(), [SECOND])
    third = msgspec.structs.replace(FIRST, id="c")
    assert parse(render(checklist, [third, FIRST])).cases == (third, FIRST)
    assert parse(render(checklist, [])).cases == ()


def test_an_entry_by_hand_needs_only_an_id() -> None:
    (case,) = parse("test_cases:\n  - id: mine\n").cases
    assert (case.status, case.description) == (Status.PENDING, "mine")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "test_cases:\n  - id: a\n    status: DONE\n",
            "state.yaml:3: `status`: there is no 'DONE'; write one of PENDING, GENERATED",
        ),
        (
            "test_cases:\n  - id: a\n    statsu: PASSED\n",
            "state.yaml:3: unknown key `statsu`; did you mean `status`?",
        ),
        (
            "test_cases:\n  - id: a\n  - id: b\n  - id: a\n",
            "state.yaml:4: the id `a` stands in line 2 already",
        ),
        (
            "test_cases:\n  - id: a\n    retry_count: many\n",
            "state.yaml:3: `retry_count`: Expected `int`, got `str`",
        ),
        ("test_cases:\n  - a\n", "state.yaml:2: a case is a mapping"),
        ("cases: []\n", "state.yaml:1: there is no list `test_cases:`"),
        ("test_cases: []\nother: 1\n", "state.yaml:2: unknown key `other`"),
        ("test_cases:\n  - id: a\n   status: X\n", "state.yaml:3:"),
        ("test_cases:\n  - description: no id\n", "`id`"),
    ],
)
def test_each_mistake_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        parse(text, "state.yaml")
    assert message in str(error.value)


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(ConfigurationError) as error:
        parse("test_cases:\n  - id: a\n    status: DONE\n  - id: b\n    layer: L9\n", "state.yaml")
    assert [line.split(":")[1] for line in str(error.value).splitlines()] == ["3", "5"]


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    file = tmp_path / "test_execution_state.yaml"
    file.write_bytes(b"test_cases: []\n\xff")
    with pytest.raises(ConfigurationError, match=r"yaml:2: is not UTF-8"):
        load(file)


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30)
CASES = st.lists(
    st.builds(
        Case,
        id=st.text("abcdef-", min_size=1, max_size=8),
        description=WORDS,
        subject=WORDS,
        aspect=WORDS,
        technique=st.sampled_from(Technique),
        layer=st.sampled_from(Layer),
        cites=st.lists(WORDS, max_size=2).map(tuple),
        target=st.dictionaries(WORDS, WORDS | st.integers() | st.booleans() | st.none(), max_size=2),
        status=st.sampled_from(Status),
        last_error=WORDS,
        retry_count=st.integers(0, 9),
    ),
    max_size=4,
    unique_by=lambda case: case.id,
)


@given(CASES, CASES)
def test_any_cases_replace_any_others_without_loss(before: list[Case], after: list[Case]) -> None:
    checklist = parse(render(Checklist(), before))
    assert checklist.cases == tuple(before)
    assert parse(render(checklist, after)).cases == tuple(after)
