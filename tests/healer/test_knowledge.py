"""What healing has learnt orders the next attempts, holds no text of a project, and survives hostile files."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import StoreError
from healer.analysis import Analysis, Category
from healer.knowledge import Experience, Knowledge, shape
from healer.movements import Cause

MISSING = Analysis(
    node="tests/test_cart.py::test_add",
    file="tests/test_cart.py",
    category=Category.ATTRIBUTE_ERROR,
    message="'SecretCart' object has no attribute 'add_item'",
)
TABLE = ["names", "calls", "model"]


def first(knowledge: Knowledge, analysis: Analysis = MISSING) -> dict[str, int]:
    """How often each healer is asked first in 200 draws."""
    random = Random(7)
    counts = dict.fromkeys(TABLE, 0)
    for _ in range(200):
        counts[knowledge.order(TABLE, analysis, [Cause.RENAMED], random)[0]] += 1
    return counts


def test_who_knows_nothing_keeps_to_the_table_mostly() -> None:
    counts = first(Knowledge())
    assert counts["names"] > counts["calls"] > counts["model"]
    assert set(Knowledge().order(TABLE, MISSING, [], Random(1))) == set(TABLE)


def test_what_held_is_asked_first_and_what_failed_last() -> None:
    knowledge = Knowledge()
    for _ in range(20):
        knowledge.learn(MISSING, [Cause.RENAMED], "model", "update", held=True)
        knowledge.learn(MISSING, [Cause.RENAMED], "names", "update", held=False)
    counts = first(knowledge)
    assert counts["model"] > 150
    assert counts["names"] < 5


def test_other_failures_say_little() -> None:
    knowledge = Knowledge()
    for _ in range(20):
        knowledge.learn(MISSING, [Cause.MOVED], "model", "update", held=True)
    other = msgspec.structs.replace(MISSING, category=Category.TIMEOUT)
    assert first(knowledge, other) == first(Knowledge(), other)


def test_a_heal_that_a_person_reverts_failed() -> None:
    knowledge = Knowledge()
    knowledge.learn(MISSING, [Cause.RENAMED], "names", "update", held=True)
    knowledge.revert(MISSING, [Cause.RENAMED], "names", "update")
    (experience,) = knowledge.experiences()
    assert (experience.healed, experience.failed, experience.reverted) == (0, 1, 1)


def test_nothing_of_the_project_is_kept() -> None:
    knowledge = Knowledge()
    knowledge.learn(MISSING, [Cause.RENAMED], "names", "update", held=True)
    text = knowledge.encoded().decode()
    assert "secret" not in text.lower()
    assert "item" not in text
    assert "_ object has no attribute _" in text
    assert [each.shape for each in knowledge.counts()] == [""]


@given(st.text(max_size=300), st.sampled_from(Category))
def test_a_shape_has_words_of_python_only(message: str, category: Category) -> None:
    found = shape(msgspec.structs.replace(MISSING, message=message, category=category))
    assert len(found) <= 120
    assert found.isascii()
    assert "'" not in found


def test_assertions_keep_their_operator_alone() -> None:
    failed = msgspec.structs.replace(
        MISSING, category=Category.ASSERTION_FAILURE, message="assert 'pin' == '1234'"
    )
    assert shape(failed) == "assert =="


def test_what_is_written_is_read_again() -> None:
    knowledge = Knowledge()
    knowledge.learn(MISSING, [Cause.RENAMED, Cause.MOVED], "names", "patch", held=True)
    knowledge.learn(MISSING, [], "model", "rewrite", held=False)
    assert Knowledge.decoded(knowledge.encoded()).experiences() == knowledge.experiences()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"version": 9, "experiences": []}',
        b'{"version": 1, "experiences": [{"category": "ATTRIBUTE_ERROR", "healer": "../x", "method": "update"}]}',
        b'{"version": 1, "experiences": [{"category": "MADE_UP", "healer": "names", "method": "update"}]}',
        b'{"version": 1, "experiences": [{"category": "TIMEOUT", "healer": "x", "method": "update", "healed": -1}]}',
        b'{"version": 1, "experiences": [{"category": "TIMEOUT", "healer": "x", "method": "y", "healed": 1e99}]}',
        b'{"version": 1, "experiences": [], "code": "import os"}',
        b"[" * 100_000,
        b'{"version": 1, "experiences": [' + b" " * 6_000_000 + b"]}",
    ],
    ids=range(11),
)
def test_a_damaged_or_hostile_file_is_no_knowledge(content: bytes) -> None:
    with pytest.raises(StoreError, match="what healing has learnt"):
        Knowledge.decoded(content)


def test_similar_cases_are_those_of_the_same_cause_and_message() -> None:
    knowledge = Knowledge(
        others=[Experience(category=Category.TIMEOUT, healer="names", method="update", cause=Cause.MOVED)]
    )
    knowledge.learn(MISSING, [Cause.RENAMED], "names", "update", held=True)
    other = msgspec.structs.replace(MISSING, category=Category.NAME_ERROR, message="name 'x' is not defined")
    knowledge.learn(other, [Cause.REMOVED], "calls", "patch", held=True)
    found = knowledge.similar(MISSING, [Cause.RENAMED])
    assert [(each.healer, each.cause) for each in found] == [("names", Cause.RENAMED)]
