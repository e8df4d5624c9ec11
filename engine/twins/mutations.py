"""The ways in which a twin breaks one claim of its spec, and which of them a test must notice."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.compare.components import split_null
from engine.generators.operations.effects import affecting
from engine.generators.values.schema_values import inside
from engine.twins.criterion_mutations import criterion_mutations, of_secrets
from engine.twins.mutation import Mutation
from graph.facts import Json
from planner.cases import Case, Technique
from planner.contracts.effect_cases import kept_options
from planner.contracts.envelopes import unwrapped
from planner.contracts.lists import limit_of, offset_of
from planner.contracts.operations import Answer, Operation

_OTHER = {"200": 202, "201": 202, "202": 200, "204": 202}


def mutations(case: Case, operation: Operation, reader: Operation | None) -> Iterator[Mutation]:
    """The mutations that break what a case claims, and that its test must therefore notice."""
    match case.technique:
        case Technique.SUCCESS | Technique.ERROR | Technique.EXAMPLE:
            answer = next(
                (each for each in operation.answers if each.status == case.target.get("status")), None
            )
            if answer is not None:
                yield from _of_answer(operation, answer)
            if answer is not None and any(each.status == answer.status for each in operation.barriers):
                yield Mutation(kind="unrefused", operation=operation.key)
            if answer is not None and case.technique is Technique.SUCCESS:
                yield from of_secrets(operation, answer)
        case Technique.WHOLE:
            for name in kept_options(operation):
                assert operation.success is not None, "planned only where there is one"
                fact, within = operation.success.fact, unwrapped(operation.success.schema)[0]
                place = f"{within}.{name}" if within else name
                yield Mutation(kind="field-changed", operation=operation.key, fact=fact, place=place)
        case Technique.CRITERION:
            yield from criterion_mutations(case, operation, reader)
        case Technique.BOUND_BROKEN:
            yield _unenforced(case, operation, str(case.target["bound"]))
        case Technique.BOUND_KEPT:
            yield _stricter(case, operation)
        case Technique.REQUIRED_MISSING:
            yield _unenforced(case, operation, "required")
        case Technique.WRONG_TYPE:
            yield _unenforced(case, operation, "type")
        case Technique.UNKNOWN_VALUE:
            yield _unenforced(case, operation, "enum")
        case Technique.UNKNOWN_FIELD:
            yield _unenforced(case, operation, "additionalProperties")
        case Technique.DEFAULT:
            place = str(case.target["place"])
            yield Mutation(
                kind="default", operation=operation.key, place=place, value=_other_default(operation, place)
            )
        case Technique.EFFECT:
            for place in affecting(case, operation):
                yield Mutation(kind="ignored", operation=operation.key, place=place)
        case Technique.SAYS:
            yield Mutation(kind="silent", operation=operation.key)
        case Technique.AUTH_MISSING:
            kind = "unasked" if case.target.get("given") == "unknown" else "auth"
            yield Mutation(kind=kind, operation=operation.key)
        case Technique.READ_BACK:
            yield Mutation(kind="forgetful", operation=operation.key)
            if reader is not None:
                yield Mutation(kind="forgetful", operation=reader.key)
        case Technique.GONE:
            yield Mutation(kind="forgetful", operation=operation.key)
        case Technique.LIMITED:
            yield Mutation(kind="unlimited", operation=operation.key)
        case Technique.PAGED:
            yield Mutation(kind="unpaged", operation=operation.key)
        case Technique.NARROWED:
            yield Mutation(kind="unfiltered", operation=operation.key)
        case Technique.SORTED:
            yield Mutation(kind="unsorted", operation=operation.key)
        case Technique.REPEATABLE:
            if operation.success is not None:
                yield _status(operation, operation.success)


def _other_default(operation: Operation, place: str) -> Json:
    """Another default: of a limit or an offset one by which a list of one thing shows nothing."""
    limit, offset = limit_of(operation), offset_of(operation)
    if limit is not None and limit.place == place:
        return 0
    return 1000 if offset is not None and offset.place == place else "something else"


def _of_answer(operation: Operation, answer: Answer) -> Iterator[Mutation]:
    yield _status(operation, answer)
    if answer.schema is None:
        return
    for place, schema, required in _fields(answer.schema, "", 3):
        if required:
            yield Mutation(kind="field-removed", operation=operation.key, fact=answer.fact, place=place)
        if isinstance(split_null(schema)[0].get("type"), str) and not split_null(schema)[1]:
            yield Mutation(kind="field-changed", operation=operation.key, fact=answer.fact, place=place)


def _status(operation: Operation, answer: Answer) -> Mutation:
    other = _OTHER.get(answer.status, 418)
    return Mutation(kind="status", operation=operation.key, fact=answer.fact, value=other)


def _unenforced(case: Case, operation: Operation, keyword: str) -> Mutation:
    return Mutation(
        kind="unenforced", operation=operation.key, place=str(case.target["place"]), keyword=keyword
    )


def _stricter(case: Case, operation: Operation) -> Mutation:
    """A bound that is off by one: the last value that it should let through, or its size, is refused."""
    place, bound = str(case.target["place"]), str(case.target["bound"])
    value: Json = case.target["value"]
    member = next((each for each in operation.values() if each.place == place), None)
    if member is not None and bound.startswith("exclusive"):
        value = inside(member.schema, bound, member.name)
    return Mutation(kind="stricter", operation=operation.key, place=place, value=value)


def _fields(schema: dict[str, Json], place: str, depth: int) -> Iterator[tuple[str, dict[str, Json], bool]]:
    plain, nullable = split_null(schema)
    if depth == 0 or (nullable and place):
        return
    required = plain.get("required", ())
    for name, each in plain.get("properties", {}).items():
        if each.get("writeOnly") is True or name not in required:
            continue
        below = f"{place}.{name}" if place else name
        yield below, each, True
        yield from _fields(each, below, depth - 1)
    items = plain.get("items")
    if isinstance(items, dict):
        yield from _fields(items, f"{place}.[]" if place else "[]", depth - 1)
