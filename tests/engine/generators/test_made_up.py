"""The fixture `made_up` of the conftest: what a test made up may be refused, and nothing else goes unseen."""

from __future__ import annotations

import contextlib
import importlib
import signal
import threading
from contextlib import AbstractContextManager
from typing import Any

import pytest

from engine.generators.applications.shared_fixtures import conftest
from planner.cases import Technique
from planner.generator import Draft
from tests.engine.generators.drafting import answers, needed, written

Block = AbstractContextManager[None]
made_up = importlib.import_module("engine.generators.applications.conftests.made_up").made_up
_WATCHED = importlib.import_module("engine.generators.applications.conftests.made_up")._watched
_STUB = "def label(number: int) -> str: ...\n"


class UnknownCodeError(Exception):
    """What a package raises for a value that is not known to it."""


def refuse(error: Exception) -> None:
    """What code does that is called by a test."""
    raise error


@pytest.mark.parametrize(
    "error",
    [
        ValueError("no such"),
        KeyError("v"),
        FileNotFoundError("x.shp"),
        UnknownCodeError("zz"),
        TypeError("no item class"),
        AttributeError("fields", obj=int, name="fields"),
    ],
)
def test_a_refusal_of_what_was_made_up_leaves_the_test_undecided(made_up: Block, error: Exception) -> None:
    with (
        pytest.raises(
            pytest.skip.Exception, match=f"what the test made up is refused: {type(error).__name__}"
        ),
        made_up,
    ):
        refuse(error)


@pytest.mark.parametrize(
    "error",
    [
        NotImplementedError(),
        ImportError("shop"),
        AttributeError("label"),
        AttributeError("label", obj=pytest, name="label"),
        AttributeError("label", obj=None, name="label"),
        AttributeError("label", obj=UnknownCodeError, name="label"),
        TypeError("label() takes 0 positional arguments but 1 was given"),
        TypeError("Shop.label() got an unexpected keyword argument 'number'"),
        AssertionError(),
    ],
)
def test_what_is_missing_or_called_otherwise_is_red(made_up: Block, error: Exception) -> None:
    with pytest.raises(type(error)), made_up:
        refuse(error)


def test_what_the_test_itself_cannot_do_with_a_result_is_red(made_up: Block) -> None:
    result: Any = object()
    with pytest.raises(TypeError), made_up:
        list(result)


def test_what_a_call_with_made_up_values_gives_is_looked_at_outside_of_the_block() -> None:
    text = written({"shop.pyi": _STUB}, Technique.RETURNS)
    assert "    with made_up:\n        found = label(1)\n\n    assert isinstance(found, str)\n" in text
    assert "def test_label_returns_str(made_up):" in text


def test_a_value_that_an_example_shows_may_not_be_refused() -> None:
    stub = 'def label(number: int) -> str:\n    """A label.\n\n    >>> len(label(3))\n    5\n    """\n'
    text = written({"shop.pyi": stub}, Technique.RETURNS)
    assert "    found = label(3)\n" in text
    assert "made_up" not in text


def test_a_conftest_that_can_compare_has_the_block() -> None:
    text = conftest(None, signatures=True)
    compile(text, "conftest.py", "exec")
    assert "def made_up():" in text
    assert text.count("import contextlib\n") == 1
    assert "made_up" not in conftest(None)


# The first alarm may ring within a callback of the garbage collector, which swallows it; the next one ends the call.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_call_that_computes_for_ever_with_what_was_made_up_leaves_the_test_undecided(
    made_up: Block, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(_WATCHED.__globals__, "_SECONDS", 0.05)
    former = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(pytest.skip.Exception, match="is refused: no end after"), made_up:
        while True:
            with contextlib.suppress(Exception):
                refuse(ValueError("no such"))
    assert signal.getsignal(signal.SIGVTALRM) == former
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    assert signal.getitimer(signal.ITIMER_REAL)[1] == 0


def test_a_call_that_waits_for_ever_is_ended_and_an_alarm_of_others_stays(
    made_up: Block, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(_WATCHED.__globals__, "_WAITING", 0.05)
    rung: list[int] = []
    former = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 60)
        with pytest.raises(pytest.skip.Exception, match="is refused: no end after"), made_up:
            threading.Event().wait()
        assert 50 < signal.getitimer(signal.ITIMER_REAL)[0] < 60
        signal.raise_signal(signal.SIGALRM)
        assert rung == [signal.SIGALRM]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def test_a_class_that_is_made_up_is_only_asked_questions() -> None:
    taken = "def KIND(item_class: type) -> RESULT: ...\n"
    text = written(
        {"shop.pyi": taken.replace("KIND", "is_item").replace("RESULT", "bool")}, Technique.RETURNS
    )
    assert "is_item(int)" in text
    stub = taken.replace("KIND", "fields").replace("RESULT", "list")
    assert "which class may stand for `item_class`" in needed({"shop.pyi": stub}, Technique.RETURNS)


@pytest.mark.parametrize(("name", "known"), [("ean", False), ("european", True), ("label", True)])
def test_what_the_letters_of_a_class_name_is_of_a_form(name: str, known: bool) -> None:
    stub = f"class EuropeanArticleNumber13:\n    def __init__(self, {name}: str) -> None: ...\n"
    stub += "    def __str__(self) -> str: ...\n"
    answer = next(iter(answers({"shop.pyi": stub}, Technique.RETURNS)))
    assert isinstance(answer, Draft) is known
    assert known or "of which form that is" in str(answer)
