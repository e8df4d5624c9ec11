"""What the forms for code hosts, CI servers and streams say of a report."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from crossval.findings import Finding, FindingKind, Severity, Silenced, Witness
from crossval.report.formats import shown_as
from crossval.report.json_report import finding_document
from crossval.report.markdown import MARKER
from crossval.report.markup import LIMIT
from crossval.report.report import Report, Since, make_report
from crossval.report.shown import Manner, Shown
from crossval.rules.registry import RULES
from graph.facts import Skipped, Tag, Unknown

SOURCES = {
    "app/main.py": ["import api", "@api.get('/books')", "def books(): ..."],
    "openapi.yaml": ["paths:"],
}
UNDECLARED = Finding(
    rule="response-undeclared",
    subject="GET /books",
    aspect="responses.409",
    message="GET /books can answer 409: 100 % of the time, which the contract does not declare",
    hint="Declare it.",
    spec=Witness("spec:operation:GET /books", "openapi.yaml", 1),
    code=Witness("code:operation:GET /books", "app/main.py", 2),
)
GAP = Finding(
    rule="operation-not-implemented",
    kind=FindingKind.GAP,
    severity=Severity.WARNING,
    subject="GET /authors",
    aspect="exists",
    message="No route answers GET /authors",
    spec=Witness("spec:operation:GET /authors", "a,b.yaml", 7),
)
TWO_MODULES = Unknown("file app/old.py", "source", "app/old.py", 1, "two modules of one name")


def report_of(*findings: Finding, unknown: Iterable[Unknown] = (), **more: Any) -> Report:
    facts = {Tag.SPEC: 2, Tag.CODE: 3, Tag.TEST: 1}
    return make_report(findings, unknown, facts=facts, sources=2, seconds=0.5, **more)


def told(form: str, report: Report, **more: Any) -> str:
    return shown_as(
        form, Shown(report=report, texts=SOURCES.get, rules=lambda: RULES, version="1.0.0", **more)
    )


def test_github_gets_one_command_per_finding_with_everything_escaped_that_has_a_meaning() -> None:
    assert told("github", report_of(UNDECLARED, GAP, unknown=[TWO_MODULES]), prefix="shop/").splitlines() == [
        "::warning file=shop/a%2Cb.yaml,line=7,title=operation-not-implemented (crossfact)::"
        "No route answers GET /authors",
        "::error file=shop/app/main.py,line=2,title=response-undeclared (crossfact)::"
        "GET /books can answer 409: 100 %25 of the time, which the contract does not declare"
        "%0Aspec: shop/openapi.yaml:1%0Ahelp: Declare it.",
        "::notice file=shop/app/old.py,line=1,title=not compared (crossfact)::two modules of one name",
        "1 error, 1 warning in 2 sources (3 code, 2 spec, 1 test facts)",
    ]


def test_gitlab_gets_the_issues_that_its_merge_requests_show() -> None:
    issues = json.loads(told("gitlab", report_of(UNDECLARED, GAP), prefix="shop/"))
    assert [
        (each["check_name"], each["severity"], each["location"], each["fingerprint"]) for each in issues
    ] == [
        (
            GAP.rule,
            "minor",
            {"path": "shop/a,b.yaml", "lines": {"begin": 7, "end": 7}},
            f"{GAP.fingerprint}:1",
        ),
        (
            UNDECLARED.rule,
            "major",
            {"path": "shop/app/main.py", "lines": {"begin": 2, "end": 2}},
            f"{UNDECLARED.fingerprint}:1",
        ),
    ]
    assert issues[1]["description"] == UNDECLARED.message
    assert [each["path"] for each in issues[1]["other_locations"]] == ["shop/openapi.yaml"]


def test_junit_fails_for_what_the_run_fails_for_and_passes_rules_that_found_nothing() -> None:
    root = ElementTree.fromstring(told("junit", report_of(UNDECLARED, GAP)))
    assert root.attrib == {
        "name": "crossfact",
        "tests": str(len(RULES)),
        "failures": "1",
        "errors": "0",
        "skipped": "0",
    }
    (failure,) = root.findall(".//failure")
    assert (failure.get("type"), failure.get("message")) == (UNDECLARED.rule, UNDECLARED.message)
    assert "> 2 | @api.get('/books')" in (failure.text or "")
    (passed,) = root.findall(".//testcase[@classname='a,b.yaml']")
    assert [each.tag for each in passed] == ["system-out"], "a warning does not make the run fail"
    suites = {suite.get("name"): suite for suite in root}
    assert set(suites) == {f"crossfact.{rule.family}" for rule in RULES}
    assert sum(int(suite.get("tests", "0")) for suite in root) == len(RULES)


def test_junit_follows_the_severity_that_makes_a_run_fail_and_skips_what_is_silenced() -> None:
    report = report_of(GAP, silenced=[Silenced(UNDECLARED, "the gateway answers this", "app/main.py", 2)])
    root = ElementTree.fromstring(
        told("junit", report, fail_on=Severity.WARNING, manner=Manner(silenced=True))
    )
    assert (root.get("failures"), root.get("skipped")) == ("1", "1")
    (skipped,) = root.findall(".//skipped")
    assert skipped.get("message") == "the gateway answers this"
    assert ElementTree.fromstring(told("junit", report, fail_on=None)).get("failures") == "0"


def test_a_comment_shows_the_worst_first_and_folds_the_lines_of_both_sides() -> None:
    text = told("markdown", report_of(GAP, UNDECLARED, unknown=[TWO_MODULES]))
    assert text.startswith(f"{MARKER}\n### crossfact: 1 error, 1 warning\n\n| severity |")
    rows = [line for line in text.split("\n") if line.startswith(("| 🔴", "| 🟡"))]
    assert rows == [
        "| 🔴 error | <code>response-undeclared</code> | <code>app/main.py&#58;2</code> | "
        "GET /books can answer 409&#58; 100 % of the time, which the contract does not declare |",
        "| 🟡 warning | <code>operation-not-implemented</code> | <code>a,b.yaml&#58;7</code> | "
        "No route answers GET /authors |",
    ]
    assert "```text\nspec openapi.yaml:1\n> 1 | paths:\ncode app/main.py:2\n" in text
    assert "Help: Declare it." in text
    assert "- <code>app/old.py</code>: two modules of one name" in text


def test_a_comment_without_findings_says_so_and_how_much_was_compared() -> None:
    text = told("markdown", report_of(since=Since("main", 2, 40)))
    assert "### crossfact: no new disagreement found ✅" in text
    assert "2 findings removed, 40 stayed" in text
    assert "<details>" not in text


def test_a_comment_of_many_findings_fits_and_tells_how_many_did_not() -> None:
    many = [
        Finding(
            rule="type-mismatch",
            subject=f"s{i}",
            aspect="a",
            message=f"Nr {i}: {'äöü ' * 40}",
            code=Witness("code:x:y", "app/main.py", 2),
        )
        for i in range(2_000)
    ]
    text = told("markdown", report_of(*many))
    assert LIMIT - 4_000 < len(text.encode()) <= LIMIT
    rows = text.count("\n| 🔴 error")
    assert f"{2_000 - rows} findings more did not fit into a comment." in text
    assert text.count("<details>") == text.count("</details>") == 1


@pytest.mark.parametrize("form", ["sarif", "json"])
def test_five_thousand_findings_take_less_than_two_seconds(form: str) -> None:
    many = [
        msgspec.structs.replace(UNDECLARED, subject=f"GET /books/{number}", affects=("GET /books",) * 5)
        for number in range(5_000)
    ]
    report = report_of(*many)
    begun = time.process_time()
    text = told(form, report)
    assert time.process_time() - begun < 2
    assert text.count('"response-undeclared"') >= 5_000


def test_a_stream_has_a_document_per_line_and_ends_with_the_summary() -> None:
    report = report_of(GAP, unknown=[TWO_MODULES], suppressed=3, since=Since("main", 1, 2))
    report = make_report(
        report.findings,
        report.unknown,
        [Skipped("x.py", 0, "too large")],
        facts={},
        sources=2,
        seconds=0.5,
        suppressed=3,
        since=report.since,
    )
    lines = [json.loads(line) for line in told("ndjson", report).splitlines()]
    assert [line.pop("type") for line in lines] == ["finding", "unknown", "skipped", "summary"]
    assert lines[0] == finding_document(GAP)
    assert lines[2] == {"path": "x.py", "line": None, "reason": "too large"}
    assert (lines[3]["version"], lines[3]["suppressed"], lines[3]["gaps"]) == (1, 3, 1)
    assert lines[3]["since"] == {"name": "main", "removed": 1, "stayed": 2}


def test_text_lists_what_is_left_out_where_that_is_asked_for() -> None:
    report = report_of(silenced=[Silenced(UNDECLARED, "the gateway answers this", "app/main.py", 2)])
    assert "the gateway answers this" not in told("text", report)
    shown = told("text", report, manner=Manner(silenced=True))
    assert "Left out (1):\n  app/main.py:2: error[response-undeclared]: GET /books can" in shown
    assert "    app/main.py:2: the gateway answers this" in shown


@pytest.mark.parametrize(
    ("path", "shown"), [("::error::x.py", "./::error::x.py:2"), (" ::e", "./ ::e:2"), ("a::b", "a::b:2")]
)
def test_no_line_of_text_is_a_command_to_a_ci_server(path: str, shown: str) -> None:
    finding = Finding(rule="r", subject="s", aspect="a", message="m", code=Witness("code:x:y", path, 2))
    assert told("text", report_of(finding), manner=Manner(concise=True)).startswith(f"{shown}: error[r]: m")
