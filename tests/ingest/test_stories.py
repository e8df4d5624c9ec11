from __future__ import annotations

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graph.facts import Extract, Fact, Kind
from ingest.ingestor import Document, Role
from ingest.stories.identifiers import Keys, is_id, slug, split_id
from ingest.stories.reader import StoryReader, looks_like_stories
from ingest.stories.sentence import Sentence, parse_sentence

WORDS = st.lists(st.sampled_from(["book", "list", "order", "mail", "shop", "cart"]), min_size=1, max_size=3)
LINES = st.sampled_from(
    [
        *(
            "# User stories",
            "## US-1: Search",
            "## Search",
            "### Acceptance criteria",
            "## Notes",
            "### AC-1.1 x",
        ),
        *(
            "As a reader, I want to search so that I find.",
            "As a",
            "I want to read",
            "so that I learn",
            "- As a reader",
        ),
        *(
            "- [ ] fast",
            "- [x] AC-1.2: exact",
            "1. given",
            "- Given a",
            "- When b",
            "- Then c",
            "  - nested",
            "> quoted",
        ),
        *(
            "Given a, when b, then c",
            "Scenario: x",
            "**Priority:** high",
            "Done when:",
            "```gherkin",
            "```",
            "",
            "---",
        ),
        *(
            "| As a | I want | So that |",
            "|---|---|---|",
            "| reader | to read | I learn |",
            "| a |",
            "id: US-1",
            "<!-- x -->",
        ),
        *(
            "text",
            "AC:",
            "[Criterion 1]",
            "In order to read",
            "Feature: x",
            "\t- tab",
            "Notes:",
            "<b>x",
            "[REQ-2] y",
        ),
    ]
)


def read(text: str) -> Extract:
    return StoryReader().read(Document("stories.md", Role.STORY, text))


def story(title: list[str], want: list[str]) -> str:
    return f"## {' '.join(title)}\n\nAs a reader, I want to {' '.join(want)} so that I am glad.\n\n- it works\n\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("As a reader, I want to find it so that I buy.", Sentence("reader", "find it", "I buy")),
        ("as the owner of a shop we would like bills, so we pay", Sentence("owner of a shop", "bills", "we pay")),
        ("In order to pay, as an admin I need a bill", Sentence("admin", "a bill", "pay")),
        ("As a user I'd like to be able to log in", Sentence("user", "log in", "")),
        ("As a user who can't read, I want to see v1.2. More.", Sentence("user who can't read", "see v1.2", "")),
        ("As a result, I want to add", None),
        ("As a last resort we can wait so that nothing breaks", None),
        ("As a <role>, I want <goal> so that <benefit>", None),
        ("As a (user type), I want (task) so that (goal)", None),
        ("As a user, you want it", None),
        ("He said: as a user I want it so that I win", None),
        ("", None),
    ],
)  # fmt: skip
def test_a_sentence_is_told_from_what_resembles_one(text: str, sentence: Sentence | None) -> None:
    assert parse_sentence(text) == sentence


@pytest.mark.parametrize(
    ("text", "identifier", "rest"),
    [
        ("US-3: Search", "US-3", "Search"),
        ("us-3 search", "US-3", "search"),
        ("[REQ-12] Passwords", "REQ-12", "Passwords"),
        ("STORY-7: x", "STORY-7", "x"),
        ("AC 1.2: x", "AC-1.2", "x"),
        ("AC1 – x", "AC1", "x"),
        ("Search (US-3)", "US-3", "Search"),
        ("CF-1.1 Every finding", "CF-1.1", "Every finding"),
        ("AC-1", "AC-1", ""),
        ("Story 3: Search", "", "Story 3: Search"),
        ("UTF-8 Support", "", "UTF-8 Support"),
        ("S3 upload", "", "S3 upload"),
        ("A 404-page", "", "A 404-page"),
    ],
)
def test_an_explicit_id_is_taken_off_a_title(text: str, identifier: str, rest: str) -> None:
    assert split_id(text) == (identifier, rest)


def test_a_slug_is_typeable_and_bounded() -> None:
    assert slug("Überprüfung: der Straße & co_x!") == "uberprufung-der-strasse-co-x"
    assert slug("日本 語") == "日本-語"
    assert slug("a-very long " * 9) == "a-very-long-a-very-long-a-very-long-a-very-long-a-very-long"
    assert len(slug("x" * 99)) == 60


@given(st.text(max_size=80))
def test_a_slug_of_a_slug_is_itself(text: str) -> None:
    assert slug(slug(text)) == slug(text)
    assert re.fullmatch(r"[\w-]*", slug(text))


@given(st.lists(st.sampled_from(["US-1", "US-1.1", "US-1.2", "a", "b"]), max_size=12))
def test_keys_are_never_given_twice(names: list[str]) -> None:
    keys = Keys({name for name in names if is_id(name)})
    given_keys = [keys.explicit(name) if is_id(name) else keys.numbered("US-1", 1) for name in names]
    assert len(set(given_keys)) == len(given_keys)


@given(
    st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4, unique_by=lambda pair: tuple(pair[0])),
    WORDS,
    st.data(),
)
def test_inserting_a_story_renames_no_other(
    stories: list[tuple[list[str], list[str]]], want: list[str], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(stories)))
    with_more = [*stories[:place], (["entirely", "new"], want), *stories[place:]]
    before = {fact.id for fact in read("# Stories\n\n" + "".join(story(*one) for one in stories)).facts}
    after = {fact.id for fact in read("# Stories\n\n" + "".join(story(*one) for one in with_more)).facts}
    assert after - before == {"spec:story:entirely-new", "spec:criterion:entirely-new.1"}
    assert before <= after


@given(st.lists(LINES, max_size=16))
def test_any_page_is_read_with_unique_keys_and_lines_inside_it(lines: list[str]) -> None:
    text = "\n".join(lines)
    extract = read(text)
    ids = [fact.id for fact in extract.facts]
    assert len(set(ids)) == len(ids)
    for fact in extract.facts:
        assert 1 <= fact.source.line <= fact.source.end_line <= max(len(lines), 1), fact
        assert fact.name
    stories = {fact.id for fact in extract.facts if fact.kind is Kind.STORY}
    contained = [edge.second for edge in extract.relations]
    assert {edge.first for edge in extract.relations} <= stories
    assert sorted(contained + list(stories)) == sorted(ids)
    assert looks_like_stories(text) or not ids


@given(st.lists(LINES, max_size=16), st.sampled_from(["\r\n", "\r"]))
@example(["## US-1: Search", "### Acceptance criteria"], "\r")
def test_line_ends_change_nothing(lines: list[str], end: str) -> None:
    assert read(end.join(lines)) == read("\n".join(lines))


@given(st.text(max_size=200))
def test_arbitrary_text_is_read_without_an_error(text: str) -> None:
    read(text + "\n\nAcceptance criteria:\n- x\n\nAs a user, I want it so that\n" + text)


@pytest.mark.parametrize(
    "text",
    ["> " * 5000 + "x", "- " * 5000, "[" * 6000, "*a " * 6000, "As a " * 20000, "<" * 20000, "`" * 20000,
     "| a " * 5000 + "\n" + "|-" * 5000, "AC-" + "1." * 20000, "A-" * 20000, "Given " * 10000, "I want " * 9000,
     "scenario" + " " * 50000],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_hostile_pages_are_read_in_good_time(text: str) -> None:
    start = time.process_time()
    for prefix in ("acceptance criteria\n\n", "As a user, I want it so that I win.\n\n- ", "## US-1 "):
        read(prefix + text)
    assert time.process_time() - start < 5


def test_priority_and_tags_are_kept() -> None:
    fact = facts("## US-1\n**Priority:** High\n\nAs a user, I want it so that I win.\n\nLabels: a, `b`\n")[0]
    assert (fact.aspects["priority"], fact.aspects["tags"]) == ("High", ["a", "b"])


def facts(text: str) -> list[Fact]:
    return read(text).facts
