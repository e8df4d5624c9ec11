"""One sentence per fact, made of what the fact says and nothing else."""

from __future__ import annotations

import pytest

from graph.facts import Fact, Json, Kind, Location, Tag
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


@pytest.mark.parametrize(
    ("aspects", "words"),
    [
        ({"text": "At most\n  20 books"}, "AC-1 demands: At most 20 books."),
        (
            {
                "title": "Long pages",
                "given": ["a page"],
                "text": 'Given a page\n| 1 | 2 |\n"""\nGiven none of this\n"""\nThen it ends',
            },
            "AC-1 (Long pages) demands: Given a page; Then it ends.",
        ),
    ],
)
def test_a_criterion_is_told_on_one_line_without_tables_and_texts(
    aspects: dict[str, Json], words: str
) -> None:
    source = Location("stories.md", 1, 3)
    fact = Fact(tag=Tag.SPEC, kind=Kind.CRITERION, key="AC-1", name="Pages", source=source, aspects=aspects)
    assert statement(fact) == words
