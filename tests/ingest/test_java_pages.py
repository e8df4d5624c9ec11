"""Pages of Java files with the facts that the reader takes from them: tests/ingest/java/*.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.facts import Extract
from ingest.ingestor import Document, Role
from ingest.java.comments import said_in
from ingest.java.reader import JavaReader
from tests.pages import Case, Pages

CASE = re.compile(
    r"^## (?P<title>[^\n]+)\n+```(?P<path>\S+)\n(?P<text>.*?)^```\n+```facts\n(?P<facts>.*?)^```$",
    re.M | re.S,
)
PAGES = Pages((Path(__file__).parent / "java").glob("*.md"), CASE, "facts")


@PAGES.each()
def test_a_page_yields_its_facts(case: Case, update: bool) -> None:
    case.holds(rendered(read(case["path"], case["text"])), update)


@given(st.text(alphabet='class C{};()/*"\n enum@.é\0<>', max_size=60))
def test_whatever_the_text_reading_it_raises_nothing(text: str) -> None:
    assert read("src/C.java", text).facts[0].key == "C"


def test_deeply_nested_types_end_somewhere() -> None:
    text = "".join(f"class C{number} {{ " for number in range(200)) + "}" * 200
    assert len(read("src/C.java", text).facts) < 100


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("// Puts a book in.", "Puts a book in."),
        (
            "/** Prices\n *  in <b>euros</b>,\n * see {@link Money money}. */",
            "Prices in euros, see Money money.",
        ),
        ("/* 3 * 4 */", "3 * 4"),
        ("/***/", ""),
    ],
)
def test_a_comment_says_its_words(comment: str, said: str) -> None:
    assert said_in(comment) == said


def read(path: str, text: str) -> Extract:
    return JavaReader().read(Document(path=path, role=Role.OTHER, text=text))


def rendered(extract: Extract) -> str:
    """The extract as text; the language, which is always Java, and empty aspects are not shown."""
    lines = []
    for fact in extract.facts:
        lines.append(f"{fact.id} {fact.source.line}-{fact.source.end_line}")
        for name, value in fact.aspects.items():
            if value and name != "language":
                lines.append(f"    {name}: {json.dumps(value)}")
    lines += [f"{edge.first} {edge.verb} {edge.second} @{edge.line}" for edge in extract.relations]
    lines += [f"skipped @{skipped.line}: {skipped.reason}" for skipped in extract.skipped]
    return "".join(line + "\n" for line in lines)
