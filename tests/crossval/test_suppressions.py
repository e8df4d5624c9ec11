from __future__ import annotations

import pytest

from crossval.findings import Finding, FindingKind, Severity, Witness
from crossval.suppressions import suppress
from graph.facts import Suppression

KNOWN = ("response-undeclared", "type-mismatch", "unused-suppression")
SPEC = Witness("spec:operation:GET /books", "openapi.yaml", 31)
CODE = Witness("code:operation:GET /books", "app/main.py", 57)
UNDECLARED = Finding(
    rule="response-undeclared", subject="GET /books", aspect="responses.409", message="", spec=SPEC, code=CODE
)


def note(
    path: str = "app/main.py",
    first: int = 57,
    last: int = 57,
    rules: tuple[str, ...] = ("response-undeclared",),
    reason: str = "the gateway answers this",
) -> Suppression:
    return Suppression(path=path, line=first, rules=rules, reason=reason, first=first, last=last)


@pytest.mark.parametrize("suppression", [note(), note("openapi.yaml", 20, 40), note(first=50, last=57)])
def test_a_suppression_on_either_side_silences_the_finding(suppression: Suppression) -> None:
    result = suppress([UNDECLARED], [suppression], known=KNOWN)
    assert result.findings == []
    assert [each.finding for each in result.silenced] == [UNDECLARED]


@pytest.mark.parametrize(
    "suppression",
    [note("app/other.py"), note(first=58, last=60), note(first=50, last=56), note(rules=("type-mismatch",))],
)
def test_another_file_line_or_rule_silences_nothing_and_the_suppression_is_unused(
    suppression: Suppression,
) -> None:
    result = suppress([UNDECLARED], [suppression], known=KNOWN)
    assert UNDECLARED in result.findings
    (defect,) = (finding for finding in result.findings if finding != UNDECLARED)
    assert result.silenced == []
    assert (defect.rule, defect.kind, defect.severity) == (
        "unused-suppression",
        FindingKind.DEFECT,
        Severity.WARNING,
    )
    assert (defect.primary.path, defect.primary.line) == (suppression.path, suppression.line)
    assert suppression.rules[0] in defect.message


def test_evidence_that_is_only_related_is_not_covered() -> None:
    finding = Finding(
        rule="response-undeclared", subject="s", aspect="a", message="", spec=SPEC, code=None, related=(CODE,)
    )
    assert suppress([finding], [note()], known=KNOWN).silenced == []


def test_without_a_reason_it_silences_nothing_and_is_reported_once() -> None:
    """CF-4.2"""
    result = suppress([UNDECLARED], [note(reason="  ")], known=KNOWN)
    assert [finding.rule for finding in result.findings] == [
        "response-undeclared",
        "suppression-without-reason",
    ]


def test_an_unknown_rule_is_reported_with_the_nearest_known_one_and_not_called_unused() -> None:
    result = suppress([UNDECLARED], [note(rules=("response-undeclard", "response-undeclared"))], known=KNOWN)
    (defect,) = result.findings
    assert defect.rule == "suppression-unknown-rule"
    assert "`response-undeclard`" in defect.message
    assert defect.hint == "Did you mean `response-undeclared`?"
    assert [each.finding for each in result.silenced] == [UNDECLARED]


def test_a_suppression_that_names_no_rule_silences_nothing() -> None:
    result = suppress([UNDECLARED], [note(rules=())], known=KNOWN)
    assert [finding.rule for finding in result.findings] == [
        "response-undeclared",
        "suppression-unknown-rule",
    ]


def test_each_rule_of_a_suppression_is_judged_by_itself() -> None:
    result = suppress([UNDECLARED], [note(rules=("response-undeclared", "type-mismatch"))], known=KNOWN)
    (defect,) = result.findings
    assert defect.rule == "unused-suppression"
    assert "`type-mismatch`" in defect.message


def test_a_suppression_of_a_rule_that_did_not_run_is_not_called_unused() -> None:
    assert suppress([], [note()], known=KNOWN, ran=("type-mismatch",)).findings == []


def test_two_suppressions_of_one_finding_are_both_used() -> None:
    assert suppress([UNDECLARED], [note(), note("openapi.yaml", 31, 31)], known=KNOWN).findings == []


def test_what_is_wrong_with_a_suppression_cannot_be_suppressed() -> None:
    blanket = note(first=1, last=99, rules=("unused-suppression",))
    result = suppress([], [note(), blanket], known=KNOWN)
    assert [finding.rule for finding in result.findings] == ["unused-suppression", "unused-suppression"]
    assert result.silenced == []


def test_a_defect_in_a_spec_speaks_for_the_spec() -> None:
    (defect,) = suppress([], [note("openapi.yaml", 3, 3)], known=KNOWN).findings
    assert defect.code is None
    assert defect.spec is not None and defect.spec.line == 3


def test_the_order_of_suppressions_and_repetitions_change_nothing() -> None:
    notes = [note(first=line, last=line) for line in (9, 3, 3, 5)]
    first = suppress([UNDECLARED], notes, known=KNOWN)
    assert first == suppress([UNDECLARED], notes[::-1], known=KNOWN)
    assert [finding.primary.line for finding in first.findings] == [3, 5, 9, 57]
