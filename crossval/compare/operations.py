"""Compares one operation of the contract with the one of the code that answers the same requests."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.alignment import Alignment
from crossval.compare.answers import compare_answers
from crossval.compare.bodies import compare_bodies
from crossval.compare.http import Habits, Match, Operation, placed, told
from crossval.compare.request_parameters import compare_parameters
from crossval.compare.schemas import SchemaComparison
from crossval.compare.security import scopes_difference, security_difference
from crossval.pairs import Difference
from graph.facts import Kind


def compare_operations(
    spec: Operation, code: Operation, schemas: SchemaComparison, habits: Habits | None = None
) -> Alignment:
    """The pairs of an operation and of all that belongs to it; what lies in components stays in `schemas`."""
    match = Match(spec, code, schemas, habits)
    match.add(Kind.OPERATION, "", spec=told(spec.fact), code=told(code.fact), differences=_differences(match))
    compare_parameters(match)
    compare_bodies(match)
    compare_answers(match)
    return match.alignment


def _differences(match: Match) -> Iterator[Difference]:
    security = security_difference(match)
    security = security or scopes_difference(match)
    if security is not None:
        yield placed(security, match.spec.fact, match.code.fact, "security")
    spec, code = match.spec.fact.aspects, match.code.fact.aspects
    first, second = spec.get("deprecated"), code.get("deprecated")
    if isinstance(first, bool) and isinstance(second, bool) and first != second:
        difference = Difference(change="deprecated", spec=first, code=second)
        yield placed(difference, match.spec.fact, match.code.fact, "deprecated")
    names = spec.get("operation_id"), code.get("operation_id")
    if all(names) and names[0] != names[1]:
        difference = Difference(change="operationId", spec=names[0], code=names[1])
        yield placed(difference, match.spec.fact, match.code.fact, "operation_id")
