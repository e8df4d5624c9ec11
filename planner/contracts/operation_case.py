"""One test case about an operation of a contract."""

from __future__ import annotations

from graph.facts import Json
from planner.cases import Case, Layer, Technique
from planner.contracts.operations import Operation
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
