"""Proves cases as a run does: each test is green on all twins, and red on those that break what its case claims."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.generators.stories.criterion import CriterionGenerator
from engine.twins.http import Twin
from engine.twins.mutations import mutations
from engine.twins.replies import VARIANTS
from engine.twins.strangers import STRANGER
from graph.source import Memory
from ingest.gherkin_features import GherkinReader
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.stories.reader import StoryReader
from planner.cases import Case, Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft
from planner.stories.carriers import carriers
from planner.stories.cases import story_cases
from planner.stories.promises import promised
from tests.engine.generators.performing import performed

_STORY = "# D-1: {noun}\n\nAs a customer I want {noun}.\n\n## Acceptance criteria\n\n{criteria}\n"


def source_of(contract: str, noun: str, *sentences: str, feature: str = "") -> Memory:
    """The facts of a contract, of a feature, and of a story about things of this noun with these criteria."""
    told = _STORY.format(noun=noun, criteria="\n".join(f"- {each}" for each in sentences))
    read = [
        OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=contract, root="")),
        StoryReader().read(Document(path="a.md", role=Role.STORY, text=told, root="")),
    ]
    if feature:
        read.append(GherkinReader().read(Document(path="a.feature", role=Role.STORY, text=feature, root="")))
    return Memory(read)


def of_stories(source: Memory) -> list[Case]:
    """The cases of criteria that were read."""
    return [each for each in story_cases(source) if each.target.get("like")]


def of_contract(source: Memory, key: str, technique: Technique, status: str = "", read: str = "") -> Case:
    """The one case of an operation with this technique, of this status and with this reader where one is given."""
    found = [
        each
        for each in contract_cases(read_operations(source))
        if (each.target["operation"], each.technique) == (key, technique)
        and status in ("", each.target.get("status"))
        and read in ("", each.target.get("read"))
    ]
    assert len(found) == 1, [each.description for each in found]
    return found[0]


def prove(source: Memory, *cases: Case) -> str:
    """The statements of the last case's test, after all were proven together."""
    whole = tuple(promised(carriers(source), [*of_stories(source), *cases]))
    by_key, written = {each.key: each for each in whole}, ""
    for case, draft in _drafts(source, cases):
        run, operation = _asking(performed(draft)), by_key[str(case.target["operation"])]
        for variant in VARIANTS:
            run(Twin(whole, variant))
        broken = list(mutations(case, operation, by_key.get(str(case.target.get("read")))))
        assert broken
        for mutation in broken:
            with pytest.raises((AssertionError, KeyError, AttributeError)):
                run(Twin(whole, VARIANTS[0], mutation))
        written = draft.source.rpartition('"""')[2]
    return written


def _asking(test: Callable[..., None]) -> Callable[..., None]:
    """The test with the headers of the callers that it takes."""
    given = {"auth": {"Authorization": "Bearer twin"}, "stranger": {"Authorization": f"Bearer {STRANGER}"}}
    taken = inspect.signature(test).parameters
    return partial(test, **{name: each for name, each in given.items() if name in taken})


def _drafts(source: Memory, cases: Sequence[Case]) -> Iterator[tuple[Case, Draft]]:
    target = Application("", "app:app")
    context = Context(source=source, application=target, options={"auth": "entered"})
    for case in cases:
        writer = CriterionGenerator() if case.technique is Technique.CRITERION else ContractGenerator()
        draft = writer.generate(case, context)
        assert isinstance(draft, Draft), draft
        yield case, draft
