"""Which refusals speak of how a thing stands, by a contract's words."""

from __future__ import annotations

import msgspec
import pytest

from graph.facts import Fact, Json, Kind, Location, Tag
from planner.contracts.operations import Answer, Member, Operation
from planner.contracts.states import (
    condition_in_words,
    is_its_own_doing,
    is_vague,
    statuses_of_invalid,
    unready,
)


def operation(path: str = "/things/{id}/do", **answers: str) -> Operation:
    aspects: dict[str, Json] = {}
    fact = Fact(
        tag=Tag.SPEC,
        kind=Kind.OPERATION,
        key=f"POST {path}",
        name="",
        source=Location("a.yaml", 1, 1),
        aspects=aspects,
    )
    told = tuple(Answer(status.strip("_"), None, words, "f", "") for status, words in answers.items())
    return Operation(
        key=fact.key,
        method="POST",
        path=path,
        fact=fact,
        parameters=(),
        body=None,
        answers=told,
        secured=False,
    )


@pytest.mark.parametrize(
    "words",
    [
        "Empty, or already ordered",
        "It does not run",
        "Not your turn, taken, or over",
        "Nothing was measured yet",
        "It would exceed the budget",
    ],
)
def test_what_was_just_made_may_be_so(words: str) -> None:
    assert unready(operation(_409=words)) == f"409 ({words})"


@pytest.mark.parametrize(
    "words",
    [
        "Conflict",
        "Already ordered",
        "There is no such book",
        "Used up or expired",
        "The email is not unique",
        "No spots left",
        "Room not available",
        "The doctor has another appointment then",
    ],
)
def test_what_was_just_made_is_not_so_yet(words: str) -> None:
    assert unready(operation(_409=words)) is None


def test_of_two_statuses_for_wrong_requests_one_may_be_of_a_state() -> None:
    both = operation(_400="What is wrong", _422="Different currencies, or not enough funds")
    assert unready(both) == "422 (Different currencies, or not enough funds)"
    assert statuses_of_invalid(both) == ["400"]
    alone = operation(_422="The name must not be empty")
    assert unready(alone) is None
    assert statuses_of_invalid(alone) == ["422"]


@pytest.mark.parametrize(
    ("path", "words", "own"),
    [
        ("/carts/{id}/order", "already ordered", True),
        ("/carts/{id}/lines", "already ordered", False),
        ("/polls/{id}/votes", "you have already voted", True),
        ("/teams/{id}/players", "the name is already taken", True),
        ("/books", "already lent", True),
        ("/lots/{id}/bids", "conflict", True),
    ],
)
def test_what_happened_already_is_the_doing_of_the_operation_or_not(path: str, words: str, own: bool) -> None:
    assert is_its_own_doing(operation(path), words) is own


@pytest.mark.parametrize(
    ("words", "is_asked"),
    [
        ("Lists must contain at least `steps` elements.", True),
        ("The weights have to add up to 1.", True),
        ("The passwords must match.", True),
        ("The letter must already be sealed, otherwise 400.", True),
        ("The letter must not be sent twice, otherwise 409.", False),
        ("A name must have at most 80 characters.", False),
        ("The caller must be let in. It gives at most ten.", False),
    ],
)
def test_what_only_words_ask_of_a_request_is_known(words: str, is_asked: bool) -> None:
    asked = operation(_200="Done")
    asked.fact.aspects["description"] = f"Plans something. {words}"
    name = Member("body.name", "body", ("body", "name"), {"type": "string", "maxLength": 80}, True, "f")
    asked = msgspec.structs.replace(asked, parameters=(name,))
    assert condition_in_words(asked) == (words if is_asked else None)


@pytest.mark.parametrize("words", ["Not possible now.", "It cannot be done", "Not possible at the moment"])
def test_some_words_say_no_more_than_that_it_is_refused(words: str) -> None:
    assert is_vague(unready(operation(_409=words)) or "")


@pytest.mark.parametrize("words", ["Not enough money", "The job is not running", "Not possible for guests"])
def test_others_tell_a_state(words: str) -> None:
    assert not is_vague(f"409 ({words})")


def test_what_was_done_before_is_what_the_operation_does() -> None:
    cancel = operation("/things/{id}/cancel", _409="It was cancelled before")
    assert unready(cancel) is None
    assert is_its_own_doing(cancel, "it was cancelled before")
    assert not is_its_own_doing(operation("/things/{id}/ship", _409=""), "it was cancelled before")
