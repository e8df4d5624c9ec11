"""One test case about an operation of a contract."""

from __future__ import annotations

from graph.facts import Json
from planner.cases import Case, Layer, Technique
from planner.contracts.operations import Answer, Member, Operation
from planner.identity import case_id


def operation_case(
    operation: Operation,
    technique: Technique,
    description: str,
    aspect: str,
    target: dict[str, Json],
    cites: tuple[str, ...],
) -> Case:
    """The case of one behaviour of an operation; `target` says what exactly is checked, beside the operation."""
    whole: dict[str, Json] = {"operation": operation.key, **target}
    return Case(
        id=case_id(operation.key, technique, whole),
        description=description,
        subject=operation.key,
        aspect=aspect,
        technique=technique,
        layer=Layer.INTEGRATION,
        cites=tuple(dict.fromkeys(cites)),
        target=whole,
    )


def parameter_case(
    operation: Operation,
    technique: Technique,
    description: str,
    member: Member,
    answer: Answer,
    more: dict[str, Json] | None = None,
) -> Case:
    """The case of what a parameter does to an answer; `more` stands in the target beside the parameter's place."""
    target: dict[str, Json] = {"place": member.place, **(more or {})}
    cites = (member.fact, answer.fact)
    return operation_case(operation, technique, description, f"parameters.{member.place}", target, cites)
