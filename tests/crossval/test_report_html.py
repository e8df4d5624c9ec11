"""The HTML report is one file that asks nobody for anything, and in which nothing from a project is markup."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

import crossval.report.html.page as page_module
from crossval.findings import Finding, FindingKind, Severity, Witness
from crossval.report.html.page import SCRIPTS, show
from crossval.report.html.sources import Sources
from crossval.report.report import make_report
from crossval.report.shown import Shown
from crossval.report.surroundings import CaseFigures, Surroundings
from crossval.report.threads import Strand, Thread
from crossval.rules.registry import RULES
from graph.facts import Fact, Kind, Location, Skipped, Tag, Unknown, Verb
from graph.part import Edge, Part

FOLDER = Path(page_module.__file__).parent
HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "<img src=x onerror=alert(1)>",
    "]]><svg onload=alert(1)>",
    "javascript:alert(1)",
    "{{ script }}{{ data }}",
    "\x1b[31mred\x07",
    "\u202egnp.exe\u2066",
    "\ud800 alone",
    "a\u2028b\u2029c",
    "constructor",
    "__proto__",
    "x" * 1_000_000,
)


class Elements(HTMLParser):
    """The start tags of a page with their attributes, and the text in each script and style."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] in ("script", "style"):
            self.texts.append((str(self.tags[-1][1].get("type") or self.tags[-1][0]), data))

    def only(self, kind: str) -> str:
        """The text of the one script or style of this kind."""
        (text,) = [text for each, text in self.texts if each == kind and text.strip()]
        return text


def data_of(page: str) -> Any:
    return json.loads(Elements(page).only("application/json"))


def fact(tag: Tag, kind: Kind, key: str, path: str = "app.py", **aspects: Any) -> Fact:
    return Fact(tag=tag, kind=kind, key=key, name=key, source=Location(path, 2, 3), aspects=aspects)


def shown(*words: str) -> Shown:
    """A report whose every text is one of these words, with stories, tests and a part of the graph."""
    word = itertools.cycle(words)
    findings = [
        Finding(
            rule=RULES[0].name,
            kind=FindingKind.CONTRADICTION,
            severity=Severity.WARNING,
            subject=next(word),
            aspect=next(word),
            message=next(word),
            hint=next(word),
            spec=Witness(f"spec:operation:{each}", each, 2, each),
            code=Witness(f"code:operation:{each}", each, 2, {each: [each]}),
            related=(Witness(f"test:test:{each}", each, 1),),
            affects=(each,),
        )
        for each in words
    ]
    facts = [fact(Tag.SPEC, Kind.OPERATION, each, each, summary=each) for each in words]
    facts.append(fact(Tag.CODE, Kind.OPERATION, words[0], words[0], handler=words[0]))
    part = Part(
        tuple(facts),
        (Edge(Verb.CONTRADICTS, len(words), 0, 0.5, next(word)),),
        (1,) * len(facts),
        {facts[0].id: (0,)},
    )
    story = fact(Tag.SPEC, Kind.STORY, next(word), want=next(word))
    strand = Strand(facts[0], 0.5, next(word))
    report = make_report(
        findings,
        [Unknown(*(next(word), next(word), next(word)), 1, next(word))],
        [Skipped(next(word), 0, next(word))],
        facts={},
        sources=1,
        seconds=0.5,
    )
    case = CaseFigures(
        id=next(word),
        description=next(word),
        subject=next(word),
        technique="success",
        layer="L2",
        status="HEALED",
        priority=1.0,
        cites=(next(word),),
        error=next(word),
        twins_green=3,
        twins=3,
        mutants_killed=2,
        mutants=2,
        holds=True,
        heals=({next(word)[:20]: next(word)},),
    )
    thread = Thread(
        story, ({"kind": "outcome", "value": words[0]},), (strand,), (strand,), report.findings[:1]
    )
    return Shown(
        report=report,
        texts=lambda path: [f"{path} first", f"{path} second", "third", *words],
        rules=lambda: RULES,
        version="1",
        name=next(word),
        threads=lambda: [thread],
        surroundings=lambda: Surroundings((case,), part),
    )


PLAIN = show(shown("GET /books", "POST /books"))


def test_the_policy_allows_this_script_and_this_style_and_nothing_else() -> None:
    elements = Elements(PLAIN)
    (policy,) = [
        each["content"] or ""
        for tag, each in elements.tags
        if each.get("http-equiv") == "Content-Security-Policy"
    ]

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    assert policy.startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{digest(elements.only('script'))}';" in policy
    assert f"style-src 'sha256-{digest(elements.only('style'))}';" in policy
    assert "unsafe" not in policy and "http" not in policy


def test_the_page_names_no_address_but_places_in_itself() -> None:
    for tag, attributes in Elements(PLAIN).tags:
        assert "src" not in attributes, tag
        assert (attributes.get("href") or "#").startswith(("#", "data:,")), tag
    assert "@import" not in PLAIN and "url(" not in PLAIN


def test_scripts_make_text_and_never_markup_and_ask_no_network() -> None:
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|fetch\(|XMLHttpRequest"
        r"|WebSocket|sendBeacon|EventSource|import\(|https?://(?!www\.w3\.org/2000/svg)"
    )
    for name in SCRIPTS:
        assert not re.search(forbidden, (FOLDER / name).read_text(encoding="utf-8")), name


def test_every_part_of_the_script_is_in_the_page() -> None:
    assert sorted(SCRIPTS) == sorted(file.name for file in FOLDER.glob("*.js"))


@pytest.mark.parametrize("word", HOSTILE, ids=lambda word: ascii(word)[:20])
def test_a_hostile_fact_changes_no_element_of_the_page(word: str) -> None:
    page = show(shown(word))
    assert Elements(page).tags == Elements(PLAIN).tags
    assert page.replace("\n", "").isprintable()
    page.encode("utf-8")
    assert len(page) < 400_000


def test_data_holds_no_character_that_could_end_its_block() -> None:
    page = show(shown(*HOSTILE))
    block = page.partition('id="data">')[2].partition("</script>")[0]
    assert not set("<>&") & set(block)
    assert "\\u003cscript" in block
    assert data_of(page)["findings"]


def test_the_same_report_gives_the_same_bytes() -> None:
    assert show(shown("GET /books", "POST /books")) == PLAIN


def test_findings_come_with_both_sides_and_the_lines_around_them() -> None:
    data = data_of(PLAIN)
    first = data["findings"][0]
    assert first["spec"] == ["spec:operation:GET /books", "GET /books", 2, "GET /books"]
    assert first["code"][3] == '{"GET /books":["GET /books"]}'
    lines = ["GET /books first", "GET /books second", "third", "GET /books", "POST /books"]
    assert data["sources"]["GET /books"] == [[1, *lines]]
    assert data["rules"][first["rule"]]["summary"] == RULES[0].summary


def test_stories_come_with_code_tests_findings_and_claims() -> None:
    (story,) = data_of(PLAIN)["stories"]
    assert story["claims"] == ["outcome GET /books"]
    assert [each[0] for each in (*story["code"], *story["tests"])] == ["spec:operation:GET /books"] * 2
    assert story["findings"] == [0]


def test_tests_come_with_their_proofs_and_heals() -> None:
    (case,) = data_of(PLAIN)["cases"]
    assert (case["twins_green"], case["twins"], case["mutants_killed"], case["mutants"]) == (3, 3, 2, 2)
    assert case["holds"] is True and len(case["heals"]) == 1


def test_the_picture_has_a_ring_around_the_facts_of_a_finding() -> None:
    data = data_of(PLAIN)
    picture, finding = data["picture"], data["findings"][0]
    centres, first, *_ = picture["rings"][finding["ring"]]
    assert (centres, first) == (2, 0)
    assert picture["edges"][0][:3] == [picture["verbs"].index("contradicts"), 2, 0]
    assert all(len(each) == 9 for each in picture["facts"])


def test_a_report_without_anything_is_a_page_too() -> None:
    empty = Shown(
        report=make_report([], facts={}, sources=0, seconds=0.0),
        texts=lambda _: None,
        rules=lambda: RULES,
        version="1",
    )
    assert data_of(show(empty))["findings"] == []


def test_sources_are_cut_and_stop_at_their_budget() -> None:
    sources = Sources(lambda path: ["x" * 1_000, "\tshort"] * 50, budget=1_000)
    sources.take("a", 1, 1)
    sources.take("a", 4, 4)
    sources.take("b", 1, 100)
    document = sources.document()
    (first, long), second = document["a"]
    assert (first, second) == (1, [4, "    short"])
    assert isinstance(long, str) and len(long) == 240 and long.endswith("…")
    assert sum(len(str(text)) for runs in document.values() for run in runs for text in run) < 1_300


def test_files_that_cannot_be_read_leave_no_lines() -> None:
    told = msgspec.structs.replace(shown("GET /books"), texts=lambda _: None)
    assert data_of(show(told))["sources"] == {}
