"""The ways in which a twin breaks what a criterion claims, by the sort of behaviour that it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crossval.compare.components import split_null
from engine.twins.mutation import Mutation
from planner.cases import Case
from planner.contracts.confidential import unshown_secrets
from planner.contracts.envelopes import unwrapped
from planner.contracts.operations import Answer, Operation
from planner.stories.exchanges import Exchange


def criterion_mutations(case: Case, operation: Operation, reader: Operation | None) -> Iterator[Mutation]:
    """The mutations that the test of a criterion must notice."""
    like, key = case.target.get("like"), operation.key
    place = str(case.target.get("place", ""))
    match like:
        case "starts":
            within = unwrapped(operation.success.schema if operation.success is not None else None)[0]
            field = str(case.target["field"])
            kind = "field-null" if case.target.get("filled") is True else "field-other"
            yield _of_field(kind, operation, f"{within}.{field}" if within else field)
        case "moves" | "undoes":
            yield Mutation(kind="unmoved", operation=key)
        case "bound":
            bound, value = str(case.target["bound"]), case.target["value"]
            yield Mutation(kind="stricter", operation=key, place=place, value=value)
            if not (bound == "minLength" and value == 0):
                yield Mutation(kind="unenforced", operation=key, place=place, keyword=bound)
        case "optional":
            yield Mutation(kind="demands", operation=key, place=place)
        case "required":
            yield Mutation(kind="unenforced", operation=key, place=place, keyword="required")
        case "unlisted":
            yield Mutation(kind="unenforced", operation=key, place=place, keyword="enum")
        case "gone":
            yield Mutation(kind="forgetful", operation=key)
        case "missing" | "again" | "succeeds":
            yield from _statuses(operation, str(case.target["status"]))
            if case.target.get("caseless"):
                yield Mutation(kind="cased", operation=key)
        case "standing":
            if case.target.get("refused") is True:
                yield Mutation(kind="unrefused", operation=key)
            yield from _statuses(operation, str(case.target["status"]))
        case "auth":
            yield Mutation(kind="auth", operation=key)
        case "others" | "not-own" | "password":
            yield Mutation(kind="auth", operation=key)
            yield from _statuses(operation, str(case.target["status"]))
        case "unshown":
            if operation.success is not None:
                yield from of_secrets(operation, operation.success)
        case "own":
            yield Mutation(kind="auth", operation=key)
        case "order" if reader is not None:
            yield Mutation(kind="reversed", operation=reader.key)
        case "closed":
            yield Mutation(kind="unenforced", operation=key, place=place, keyword="additionalProperties")
        case "hidden" if reader is not None:
            yield Mutation(kind="unfiltered", operation=reader.key)
        case "filter":
            yield Mutation(kind="unfiltered", operation=key)
        case "toggled" if reader is not None:
            yield Mutation(kind="forgetful", operation=key)
            yield _of_field("field-other", reader, str(case.target["field"]))
        case "scenario":
            yield Mutation(kind="forgetful", operation=key)
            if reader is not None and place:
                yield Mutation(kind="unfiltered", operation=reader.key)


def told_mutations(exchanges: Sequence[Exchange], operation: Operation) -> Iterator[Mutation]:
    """The mutations that the test of a criterion must notice which tells requests and their answers."""
    for number, exchange in enumerate(exchanges):
        if not exchange.is_told:
            continue
        yield _of_answer("told-status", operation, number)
        for header in exchange.told_headers:
            yield _of_answer("told-header", operation, number, header)
        if exchange.listed is not None:
            yield _of_answer("told-left-out", operation, number)
            if exchange.listed.ordered and len(exchange.listed.values) > 1:
                yield _of_answer("told-turned", operation, number)
        for place in exchange.counted:
            yield _of_answer("told-count", operation, number, place)
        for answer in exchange.answer:
            names = list(answer) if isinstance(answer, dict) else []
            for name in names or [""]:
                yield _of_answer("told-field", operation, number, name)
            if not exchange.in_part:
                yield _of_answer("told-more", operation, number)


def of_secrets(operation: Operation, answer: Answer) -> Iterator[Mutation]:
    """That an answer tells a secret which the request has to have."""
    body = split_null(operation.body.schema)[0] if operation.body is not None else {}
    shown = split_null(answer.schema or {})[0].get("properties")
    if not isinstance(shown, dict):
        return
    sent = [name for name in body.get("required", ()) if name in body.get("properties", {})]
    for name in unshown_secrets(sent, shown):
        yield Mutation(kind="leaky", operation=operation.key, fact=answer.fact, place=name)


def _of_answer(kind: str, operation: Operation, number: int, place: str = "") -> Mutation:
    return Mutation(kind=kind, operation=operation.key, place=place, value=number)


def _of_field(kind: str, operation: Operation, field: str) -> Mutation:
    fact = operation.success.fact if operation.success is not None else ""
    return Mutation(kind=kind, operation=operation.key, fact=fact, place=field)


def _statuses(operation: Operation, status: str) -> Iterator[Mutation]:
    for answer in operation.answers:
        if answer.status == status:
            yield Mutation(kind="status", operation=operation.key, fact=answer.fact, value=418)
