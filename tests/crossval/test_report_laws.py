"""Laws of all renderers, over reports whose every text is hostile."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.findings import Finding, FindingKind, Severity, Witness
from crossval.report import json_report
from crossval.report.report import Report, make_report
from crossval.report.text import render
from graph.facts import Skipped, Tag, Unknown

SCHEMA = Path(__file__).parents[2] / "docs" / "check.schema.json"
SGR = re.compile(r"\x1b\[[0-9;]*m")
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)

hostile = st.text(
    st.one_of(
        st.sampled_from("\x1b[31m\x07\x9b\r\n\t\u202e\u2066\u2028\x7f\U000e0041値e\u0301"),
        st.characters(codec="utf-8"),
    ),
    max_size=8,
)
on_disk = st.one_of(hostile, st.just("caf\udce9/\x1b]0;owned\x07.py"))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), hostile),
    lambda children: st.lists(children, max_size=2) | st.dictionaries(hostile, children, max_size=2),
    max_leaves=4,
)
witnesses = st.builds(
    Witness,
    fact=st.one_of(on_disk, st.just("spec:response:GET /books/{id}#404")),
    path=on_disk,
    line=st.integers(0, 5),
    value=values,
)


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    spec, code = draw(
        st.tuples(st.none(), witnesses) | st.tuples(witnesses, st.none()) | st.tuples(witnesses, witnesses)
    )
    return Finding(
        subject=draw(hostile),
        aspect=draw(hostile),
        message=draw(on_disk),
        spec=spec,
        code=code,
        hint=draw(on_disk),
        related=tuple(draw(st.lists(witnesses, max_size=2))),
        affects=tuple(draw(st.lists(on_disk, max_size=9))),
        confidence=draw(st.floats(0, 1)),
        rule=draw(st.sampled_from(["response-undeclared", "type-mismatch"])),
        kind=draw(st.sampled_from(FindingKind)),
        severity=draw(st.sampled_from(Severity)),
    )


reports = st.builds(
    make_report,
    st.lists(findings(), max_size=3),
    st.lists(st.builds(Unknown, on_disk, on_disk, on_disk, st.integers(0, 9), on_disk), max_size=2),
    st.lists(st.builds(Skipped, on_disk, st.integers(0, 9), on_disk), max_size=3),
    facts=st.dictionaries(st.sampled_from(Tag), st.integers(0, 9)),
    sources=st.integers(0, 9),
    seconds=st.floats(0, 100),
    suppressed=st.integers(0, 2),
    baselined=st.integers(0, 2),
)


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@given(
    report=reports,
    lines=st.none() | st.lists(hostile, max_size=6),
    width=st.integers(1, 200),
    colour=st.booleans(),
    concise=st.booleans(),
    strict=st.booleans(),
    verbose=st.booleans(),
)
def test_text_never_fails_and_never_lets_a_control_character_through(
    report: Report,
    lines: list[str] | None,
    width: int,
    colour: bool,
    concise: bool,
    strict: bool,
    verbose: bool,
) -> None:
    text = render(
        report,
        lambda path: lines,
        width=width,
        colour=colour,
        concise=concise,
        strict=strict,
        verbose=verbose,
    )
    text.encode()
    assert FORBIDDEN.search(SGR.sub("", text) if colour else text) is None
    assert "\t" not in text
    if concise and report.findings:
        assert len(text.split("\n\n")[0].split("\n")) == len(report.findings)


@given(report=reports)
def test_json_always_validates_and_is_the_same_twice(
    report: Report, validator: jsonschema.Draft202012Validator
) -> None:
    text = json_report.render(report)
    validator.validate(json.loads(text))
    assert FORBIDDEN.search(text) is None
    assert json_report.render(report) == text
    text.encode()


def test_the_schema_refuses_what_the_contract_does_not_name(
    validator: jsonschema.Draft202012Validator,
) -> None:
    report = make_report([], facts={}, sources=0, seconds=0.0)
    document = json.loads(json_report.render(report))
    assert validator.is_valid(document)
    assert not validator.is_valid({**document, "extra": 1})
    assert not validator.is_valid({**document, "version": 2})
    assert not validator.is_valid({**document, "skipped": [{"path": "a", "line": 0, "reason": ""}]})
