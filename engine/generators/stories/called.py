"""Tests of a call that a criterion tells: written as an example of its function, cited as the criterion's."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine.generators.functions.doctests import shown
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.written import Written
from engine.generators.source import name_of
from graph.facts import Fact, Kind
from planner.cases import Case, Technique

LIKE = "called"
"""What a case's target says of a criterion that was read as a call: `function`, `example` and `expected` beside it."""


def called(case: Case, fact: Fact, surface: Surface) -> Written:
    """The test of a case whose target has a call of a function and what it gives. Raises NoTestError."""
    if fact.kind is not Kind.FUNCTION:
        raise NoTestError(f"a function to call: {fact.key} is none")
    written = shown(case, with_example(fact, case), surface)
    written.name = name_of(f"test_{case.description}")[:90].rstrip("_")
    return written


def with_examples(fact: Fact, cases: Iterable[Case]) -> Fact:
    """A function with the calls of such cases among the examples of its docstring."""
    for case in cases:
        fact = with_example(fact, case)
    return fact


def with_example(fact: Fact, case: Case) -> Fact:
    """A function with the call of a case as the only example, or the last one, of its docstring."""
    doc = fact.aspects.get("doc")
    known = doc if isinstance(doc, dict) else {}
    row = [str(case.target.get("example", "")), str(case.target.get("expected", "")), fact.source.line]
    more = {**known, "examples": [*known.get("examples", ()), row]}
    return msgspec.structs.replace(fact, aspects={**fact.aspects, "doc": more})


def is_called(case: Case) -> bool:
    """Whether a case is about a call that a criterion tells."""
    target = case.target
    return case.technique is Technique.CRITERION and target.get("like") == LIKE and "function" in target
