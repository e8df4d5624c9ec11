"""Which findings a test would show: a red test that no finding predicts is no expected one."""

from __future__ import annotations

import pytest

from crossval.findings import Finding, Witness
from planner.cases import Case, Layer, Technique
from planner.priority import concerns

READY = "spec:operation:GET /ready"


def finding(aspect: str, fact: str = READY, subject: str = "GET /ready") -> Finding:
    return Finding(
        subject=subject, aspect=aspect, message="m", spec=Witness(fact=fact, path="openapi.yaml", line=1)
    )


def case(technique: Technique, aspect: str, subject: str = "GET /ready", cites: str = READY) -> Case:
    return Case(
        id="c",
        description="d",
        subject=subject,
        aspect=aspect,
        technique=technique,
        layer=Layer.INTEGRATION,
        cites=(cites,),
    )


@pytest.mark.parametrize(
    ("aspect", "shown"), [("exists", True), ("security", True), ("responses.503", False), ("body", False)]
)
def test_a_refusal_without_credentials_shows_what_is_found_about_them_or_the_whole_operation(
    aspect: str, shown: bool
) -> None:
    assert concerns(finding(aspect), case(Technique.AUTH_MISSING, "security")) is shown


def test_a_test_of_a_status_shows_what_is_found_about_its_answer() -> None:
    told = finding("responses.200.schema")
    assert concerns(told, case(Technique.SUCCESS, "responses.200"))
    assert not concerns(told, case(Technique.ERROR, "responses.404"))


def test_a_criterion_shows_what_is_found_about_an_operation_that_it_cites() -> None:
    assert concerns(finding("responses.409"), case(Technique.CRITERION, "claims", "criterion AC-1"))


def test_another_operation_is_not_concerned() -> None:
    other = finding("security", "spec:operation:GET /live", "GET /live")
    assert not concerns(other, case(Technique.AUTH_MISSING, "security"))
