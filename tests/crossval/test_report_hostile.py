"""Whatever a project's words hold, they are words in every form of a report: no markup, link, command or escape."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from crossval.findings import Finding, FindingKind, Severity, Silenced, Witness
from crossval.report import difference
from crossval.report.formats import FORMATS, shown_as
from crossval.report.markup import LIMIT
from crossval.report.report import Report, Since, make_report
from crossval.report.shown import Manner, Shown
from crossval.rules.registry import RULES
from graph.changes import Changes
from graph.facts import Fact, Kind, Location, Skipped, Tag, Unknown
from tests.crossval.test_report_laws import FORBIDDEN

HOSTILE = {
    "a script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "the end of a CDATA section and an entity": "]]><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
    "Markdown links": "[click](javascript:alert(1)) ![p](https://evil.example/p.png) <https://evil.example>",
    "bare links": "https://evil.example/x www.evil.example root@evil.example",
    "a reference definition": "[spec]: https://evil.example",
    "a mention and references": "@everyone #1 !2 ~bug %3 $4 GH-5 org/repo#6",
    "a table and its end": "| a | b |\n|---|---|\n\n# Heading\n\n- item\n> quote",
    "code and its end": "``` ` ```` ~~~\n```\n# out\n</code></details>",
    "terminal escapes": "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x9b32m\x08\x7f",
    "right-to-left overrides and tags": "\u202egnp.exe\u2066\u2069\u061c\u200e\U000e0041\u2028",
    "workflow commands": "::error file=x::owned",
    "workflow commands on a line of their own": "x\n::set-output name=a::b\r\n  ::stop-commands::t\n",
    "old commands in the middle": "a ##[set-output name=a]b ##vso[task.setvariable variable=a]b",
    "escapes of workflow commands": "%0A::error::x%0D%25",
    "formulas": "=cmd|' /C calc'!A0",
    "placeholders": "{0} {{1}} %s ${HOME} $(id) `id`",
    "lone surrogates and what no XML has": "caf\udce9 \ud800 \ufffe \uffff \x00",
    "a very long line": "x" * 1_000_000,
    "a very long line of marks": "[`<*_" * 20_000,
}
_LARGE = 100_000


def hostile_report(words: str) -> Report:
    """A report whose every text from the project is these words."""
    path = words[:300]  # file systems take no longer names
    places = [Witness(f"{tag}:function:{words}", path, 1, words) for tag in ("spec", "code", "test")]
    finding = Finding(
        rule="response-undeclared",
        subject=words,
        aspect=words,
        message=words,
        hint=words,
        spec=places[0],
        code=places[1],
        related=(places[2],),
        affects=(words, words),
        confidence=0.5,
    )
    gap = Finding(
        rule="operation-not-implemented",
        kind=FindingKind.GAP,
        severity=Severity.WARNING,
        subject="s",
        aspect="a",
        message=f"said {words}",
        spec=Witness("spec:x:y", f"folder/{path}", 1),
    )
    return make_report(
        [finding, gap],
        [Unknown(f"file {words}", words, path, 1, words), Unknown(words, words, path, 1, words)],
        [Skipped(path, 1, words)],
        facts={},
        sources=1,
        seconds=0.5,
        silenced=[Silenced(finding, words, path, 1)],
        suppressed=1,
        since=Since(words, 1, 2),
    )


def told(value: Any) -> Iterator[str]:
    """Every text of a JSON document, keys included, as a program reads it."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from told(each)
    elif isinstance(value, list):
        for each in value:
            yield from told(each)
    elif isinstance(value, str):
        yield value


def check_text(text: str, words: str) -> None:
    assert "\t" not in text
    for line in text.splitlines():
        assert not line.lstrip().startswith("::")


def check_json(text: str, words: str) -> None:
    document = json.loads(text)
    assert len(document["findings"]) == 2
    encodable = words.encode("utf-8", "ignore").decode() == words
    assert not encodable or document["findings"][0]["message"] in (words, f"said {words}"), (
        "values as they were read"
    )


def check_ndjson(text: str, words: str) -> None:
    kinds = [json.loads(line)["type"] for line in text.split("\n")[:-1]]
    assert kinds == ["finding", "finding", "unknown", "unknown", "skipped", "summary"]


def check_sarif(text: str, words: str) -> None:
    (run,) = json.loads(text)["runs"]
    assert len(text) < len(json.dumps(run["tool"])) * 2 + 40 * _LARGE
    messages = [each["message"]["text"] for each in run["results"]]
    messages += [each["message"]["text"] for each in run["invocations"][0]["toolExecutionNotifications"]]
    for message in messages:
        assert all(link.isdigit() for link in re.findall(r"(?<!\\)\]\(([^)]*)\)", message))
    for each in told([run["results"], run["invocations"]]):
        assert FORBIDDEN.search(each) is None, "nor is anything hidden in what a viewer decodes"


def check_markdown(text: str, words: str) -> None:
    _check_inert(text)
    rows = [line for line in text.split("\n") if line.startswith(("| 🔴", "| 🟡"))]
    assert len(rows) == 2 and all(line.count("|") == 5 for line in rows)


def _check_inert(text: str) -> None:
    assert len(text.encode()) <= LIMIT
    tags: list[str] = []
    for token in _tokens(MarkdownIt("commonmark").enable("table").parse(text)):
        assert token.type not in {"link_open", "image", "autolink", "s_open", "hr", "blockquote_open"}, token
        if token.type in {"html_inline", "html_block"}:
            tags += re.findall(r"<[^>]*>", token.content)
        if token.type == "heading_open":
            assert token.tag == "h3"
        if token.type == "text" and tags[-1:] != ["<code>"]:  # in code, hosts look for nothing
            assert not re.search(r"[@#]\w", token.content), (
                "a mention needs its sign and its name in one text"
            )
            assert "://" not in token.content
    assert set(tags) <= _TAGS
    for tag in ("code", "span", "details", "summary"):
        assert tags.count(f"<{tag}>") == tags.count(f"</{tag}>")


_TAGS = {
    "<!-- crossfact report -->",
    "<code>",
    "</code>",
    "<span>",
    "</span>",
    "<br>",
    "<details>",
    "</details>",
    "<summary>",
    "</summary>",
}


def check_github(text: str, words: str) -> None:
    lines = text.splitlines()
    commands = [line for line in lines if line.startswith("::")]
    assert len(commands) == 3
    for line in commands:
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert match, line[:200]
        properties = match[2].split(",")
        assert [each.partition("=")[0] for each in properties] == ["file", "line", "title"]
        assert len(match[3]) < _LARGE
    assert lines[: len(commands)] == commands
    assert not any(line.lstrip().startswith("::") for line in lines[len(commands) :])


def check_gitlab(text: str, words: str) -> None:
    issues = json.loads(text)
    assert len({issue["fingerprint"] for issue in issues}) == 2
    for each in told(issues):
        assert FORBIDDEN.search(each) is None


def check_junit(text: str, words: str) -> None:
    root = ElementTree.fromstring(text)
    assert {each.tag for each in root.iter()} <= {
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "skipped",
        "system-out",
    }
    assert len(root.findall(".//failure")) == 1
    for element in root.iter():
        for each in (*element.attrib.values(), element.text or ""):
            assert FORBIDDEN.search(each) is None


CHECKS: dict[str, Callable[[str, str], None]] = {
    "text": check_text,
    "json": check_json,
    "ndjson": check_ndjson,
    "sarif": check_sarif,
    "markdown": check_markdown,
    "github": check_github,
    "gitlab": check_gitlab,
    "junit": check_junit,
}


def _tokens(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _tokens(token.children or [])


@pytest.mark.parametrize("concise", [False, True])
@pytest.mark.parametrize("words", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"html"}))
def test_hostile_words_are_words(form: str, words: str, concise: bool) -> None:
    """CF-6.3"""
    if concise and form != "text":
        return
    report = hostile_report(words)
    shown = Shown(
        report=report,
        texts=lambda path: [words.replace("\n", "\r"), words],
        rules=lambda: RULES,
        version="1.0.0",
        manner=Manner(concise=concise, silenced=True, strict=True, verbose=True),
    )
    begun = time.perf_counter()
    text = shown_as(form, shown)
    assert time.perf_counter() - begun < 20
    text.encode()
    assert FORBIDDEN.search(text) is None
    assert "##[" not in text and "##vso[" not in text
    CHECKS[form](text, words)


@pytest.mark.parametrize("words", HOSTILE.values(), ids=HOSTILE)
def test_hostile_words_are_words_in_a_difference_too(words: str) -> None:
    findings = hostile_report(words).findings
    kept = words.encode("utf-8", "backslashreplace").decode()  # as the store keeps them
    older, newer = (
        Fact(
            tag=Tag.CODE,
            kind=Kind.FUNCTION,
            key=kept,
            name=kept,
            source=Location(kept[:300], 1, 2),
            aspects={"docstring": f"{kept}{number}"},
        )
        for number in (1, 2)
    )
    facts = Changes((newer,) * 9, (older,), ((older, newer),))
    shown = difference.Revisions(words, words, facts, findings, findings, 1)
    texts = [difference.text(shown, colour=False), difference.markdown(shown), difference.document(shown)]
    for text in texts:
        text.encode()
        assert FORBIDDEN.search(text) is None
        assert "##[" not in text and "##vso[" not in text
    json.loads(texts[2])
    _check_inert(texts[1])


def test_every_form_is_looked_at() -> None:
    assert set(FORMATS) - {"html"} == set(CHECKS), "HTML is looked at in a browser's own words"
