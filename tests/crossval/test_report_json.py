from __future__ import annotations

import json

from crossval.findings import Finding, FindingKind, Severity, Witness
from crossval.report.json_report import render
from crossval.report.report import make_report
from graph.facts import Skipped, Tag, Unknown

OPERATION = "GET /books/{id}"
UNDECLARED = Finding(
    rule="response-undeclared",
    subject=OPERATION,
    aspect="responses.409",
    message=f"{OPERATION} can answer 409 (OutOfPrint), which the contract does not declare",
    spec=Witness(f"spec:operation:{OPERATION}", "openapi.yaml", 31, ["200", "404"]),
    code=Witness(f"code:operation:{OPERATION}", "app/main.py", 57, ["200", "404", "409"]),
    affects=(OPERATION,),
)
GAP = Finding(
    rule="operation-not-implemented",
    kind=FindingKind.GAP,
    severity=Severity.WARNING,
    subject="GET /authors",
    aspect="exists",
    message="No route answers GET /authors",
    spec=Witness("spec:operation:GET /authors", "openapi.yaml", 0),
)


def test_the_document_is_the_published_contract_to_the_letter() -> None:
    report = make_report(
        [UNDECLARED],
        [Unknown("GET /books", "parameters.query.limit.type", "app/main.py", 12, "no annotation")],
        [Skipped("app/old.py", 0, "not UTF-8"), Skipped("app/new.py", 3, "syntax error")],
        facts={Tag.SPEC: 41, Tag.CODE: 97, Tag.TEST: 12},
        sources=14,
        seconds=0.4123,
    )
    assert json.loads(render(report)) == {
        "version": 1,
        "summary": {
            "facts": {"spec": 41, "code": 97, "test": 12},
            "gaps": 0,
            "contradictions": 1,
            "defects": 0,
            "sources": 14,
            "seconds": 0.41,
        },
        "findings": [
            {
                "rule": "response-undeclared",
                "kind": "contradiction",
                "severity": "error",
                "confidence": 1.0,
                "subject": OPERATION,
                "aspect": "responses.409",
                "message": UNDECLARED.message,
                "spec": {
                    "fact": f"spec:operation:{OPERATION}",
                    "path": "openapi.yaml",
                    "line": 31,
                    "value": ["200", "404"],
                },
                "code": {
                    "fact": f"code:operation:{OPERATION}",
                    "path": "app/main.py",
                    "line": 57,
                    "value": ["200", "404", "409"],
                },
                "related": [],
                "affects": [OPERATION],
                "fingerprint": UNDECLARED.fingerprint,
            }
        ],
        "unknown": [
            {
                "subject": "GET /books",
                "aspect": "parameters.query.limit.type",
                "path": "app/main.py",
                "line": 12,
                "reason": "no annotation",
            }
        ],
        "skipped": [
            {"path": "app/new.py", "line": 3, "reason": "syntax error"},
            {"path": "app/old.py", "line": None, "reason": "not UTF-8"},
        ],
    }


def test_a_silent_side_is_null_and_a_whole_file_is_shown_on_its_first_line() -> None:
    (finding,) = json.loads(render(make_report([GAP], facts={}, sources=1, seconds=0)))["findings"]
    assert finding["code"] is None
    assert finding["spec"]["line"] == 1


def test_the_order_of_input_changes_no_byte() -> None:
    unknown = [
        Unknown("b", "x", "b.py", 1, ""),
        Unknown("a", "x", "b.py", 1, ""),
        Unknown("c", "x", "a.py", 9, ""),
    ]
    first = make_report([UNDECLARED, GAP], unknown, facts={}, sources=1, seconds=0)
    second = make_report([GAP, UNDECLARED], unknown[::-1], facts={}, sources=1, seconds=0)
    assert render(first) == render(second)
    assert [finding.rule for finding in first.findings] == [
        "response-undeclared",
        "operation-not-implemented",
    ]
    assert [each.subject for each in first.unknown] == ["c", "a", "b"]


def test_keys_of_values_are_sorted_and_large_numbers_are_written_whole() -> None:
    value = {"maximum": 10**30, "a": 1}
    finding = Finding(
        subject="s", aspect="a", message="", rule="r", code=Witness("code:field:x", "a.py", 1, value)
    )
    text = render(make_report([finding], facts={}, sources=1, seconds=0))
    assert '"a": 1,\n' in text
    assert f'"maximum": {10**30}' in text
