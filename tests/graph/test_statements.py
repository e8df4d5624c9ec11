"""One sentence per fact, made of what the fact says and nothing else."""

from __future__ import annotations

import pytest

from graph.facts import Fact, Kind, Location, Tag
from graph.statements import statement


@pytest.mark.parametrize(
    ("aspects", "words"),
    [
        ({"role": "visitor", "want": "see books"}, "US-1: visitor wants: see books."),
        (
            {"role": "auditor", "want": "a log", "benefit": "prove it"},
            "US-1: auditor wants: a log; benefit: prove it.",
        ),
        ({}, "US-1 is the story Browse."),
    ],
)
def test_a_story_is_told_in_the_words_of_its_parts(aspects: dict[str, str], words: str) -> None:
    source = Location("stories.md", 1, 3)
    fact = Fact(
        tag=Tag.SPEC, kind=Kind.STORY, key="US-1", name="Browse", source=source, aspects=dict(aspects)
    )
    assert statement(fact) == words
