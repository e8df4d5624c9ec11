"""Notes in comments that silence findings."""

from __future__ import annotations

import time

from graph.facts import Suppression
from ingest.suppressions import note, scan


def test_a_comment_at_the_end_of_a_line_covers_that_line() -> None:
    text = "get:\n  limit: 5  # crossfact: ignore[bound-mismatch] the proxy limits it\n"
    assert scan(text, "a.yaml") == [
        Suppression("a.yaml", 2, ("bound-mismatch",), "the proxy limits it", 2, 2)
    ]  # fmt: skip


def test_a_comment_alone_covers_the_next_line_that_says_something() -> None:
    text = "  #crossfact:ignore[a, b-c] why\r\n\r\n# more\r\n  get: {}\r\n"
    assert scan(text, "a.yaml") == [Suppression("a.yaml", 1, ("a", "b-c"), "why", 4, 4)]


def test_several_comments_above_one_line_all_cover_it() -> None:
    found = scan("# crossfact: ignore[a] x\n# crossfact: ignore[b] y\nget: {}", "a.yaml")
    assert [(s.line, s.first) for s in found] == [(1, 3), (2, 3)]


def test_a_missing_reason_and_missing_rules_are_kept_as_such() -> None:
    assert scan("a: 1 # crossfact: ignore[a]", "a.yaml") == [Suppression("a.yaml", 1, ("a",), "", 1, 1)]
    assert scan("a: 1 # crossfact: ignore", "a.yaml") == [Suppression("a.yaml", 1, (), "", 1, 1)]


def test_comments_of_markup_end_before_their_end() -> None:
    found = scan("# Title <!-- crossfact: ignore[a] it is so -->\n", "a.md", ("<!--",))
    assert found == [Suppression("a.md", 1, ("a",), "it is so", 1, 1)]


def test_other_words_are_no_note() -> None:
    assert scan("# crossfact: ignored\n# see crossfact: ignore[a]\ncrossfact: ignore[a] b\n", "a.yaml") == []
    assert note("# nothing", "a.py", 1, 1, 1) is None


def test_a_note_at_the_end_of_the_text_covers_itself() -> None:
    assert scan("a: 1\n# crossfact: ignore[a] b", "a.yaml")[0].first == 2


def test_hostile_lines_take_no_time() -> None:
    text = (
        "# crossfact:" * 20_000
        + "\n"
        + "# crossfact: ignore[" * 20_000
        + "\n"
        + " " * 100_000
        + "# crossfact:"
    )
    began = time.process_time()
    scan(text, "a.yaml", ("#", "<!--"))
    assert time.process_time() - began < 2
