"""Tests of what a class derives from: as far as there are facts, nearest first."""

from __future__ import annotations

from graph.facts import Fact, Kind
from planner.functions.ancestors import ancestors, base_names, is_mapping, only_of
from tests.engine.generators.drafting import source_of

STUB = """
class Plain(MutableMapping[str, int]): ...
class Own(Plain): ...
class Small(Own, Other[str]): ...
class Round(Round): ...
"""


def classes(stub: str) -> dict[str, list[Fact]]:
    """The classes of a stub by name."""
    found: dict[str, list[Fact]] = {}
    for fact in source_of({"shop.pyi": stub}).facts(kinds={Kind.CLASS}):
        found.setdefault(fact.name, []).append(fact)
    return found


def test_bases_are_followed_as_far_as_they_are_known() -> None:
    every = classes(STUB)
    (small,) = every["Small"]
    assert base_names(small) == ["Own", "Other"]
    assert [each.name for each in ancestors(small, only_of(every))] == ["Own", "Plain"]
    assert is_mapping(small, only_of(every))
    assert not is_mapping(small, lambda name: None)


def test_a_name_that_two_classes_have_stands_for_none() -> None:
    every = classes(STUB)
    every["Own"] *= 2
    assert not list(ancestors(every["Small"][0], only_of(every)))


def test_a_class_that_derives_from_itself_ends() -> None:
    every = classes(STUB)
    assert len(list(ancestors(every["Round"][0], only_of(every)))) == 5
