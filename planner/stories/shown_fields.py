"""Which field of an operation's answer words name."""

from __future__ import annotations

from collections.abc import Collection

from crossval.compare.claims import words as words_of
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.envelopes import unwrapped
from planner.contracts.operations import Operation
from planner.contracts.resources import called, list_place, singular
from planner.stories.step_words import ARTICLES, choices

Field = tuple[str, dict[str, Json]]
"""The name of a field, and its schema."""


def shown_field(words: str, value: str, operation: Operation, nouns: Collection[str]) -> Field | None:
    """The one field of which words tell a value: by its name, or by the thing where the value is one of its choices.

    `the balance`, and `the loan is "open"`; `nouns` are those of all things. None behind an envelope.
    """
    if unwrapped(operation.success.schema if operation.success is not None else None)[0]:
        return None
    named = [each for each in words_of(words) if each not in ARTICLES]
    told = [each for each in named if singular(each) not in nouns]
    shown = operation.shown()
    found = [(name, each) for name, each in shown.items() if list(words_of(name)) == told]
    told = told[:-1] if told[1:] and told[-1] == "shown" else told
    found = (
        found
        or [  # `the reason shown` of `closed_reason`
            (name, each)
            for name, each in shown.items()
            if told and list(words_of(name))[-len(told) :] == told
        ]
    )
    if len(found) == 1:
        return found[0]
    known = {*nouns, "it", called(operation.path), *_results(operation)}
    if not named or any(singular(each) not in known for each in named):
        return None
    found = [(name, each) for name, each in operation.shown().items() if value in choices(each)]
    return found[0] if len(found) == 1 else None


def _results(operation: Operation) -> set[str]:
    """What an operation's answer is called where it is described as one word: `The order`."""
    described = words_of(operation.success.description) if operation.success is not None else ()
    found = [each for each in described if each not in {*ARTICLES, "new"}]
    return set(found) if len(found) == 1 else set()


def counted_field(words: str, operation: Operation) -> str | None:
    """The list in an operation's answer that words name, or its only one without words; None where there is none."""
    if unwrapped(operation.success.schema if operation.success is not None else None)[0]:
        return None
    lists = [name for name, each in operation.shown().items() if split_null(each)[0].get("type") == "array"]
    told = [singular(each) for each in words_of(words) if each not in ARTICLES]
    found = [name for name in lists if not told or [singular(each) for each in words_of(name)] == told]
    return found[0] if len(found) == 1 else None


def listing(operation: Operation | None) -> str | None:
    """The place of the list that an operation answers with, empty for the whole answer; None where it is none."""
    return list_place(operation) if operation is not None else None
