"""The test cases for what the parameters of a list promise: that it is cut, has pages, and is narrowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graph.facts import Json
from planner.cases import Case, Technique
from planner.contracts.filters import narrows, narrows_to_another
from planner.contracts.listed import act_to_be_found
from planner.contracts.lists import limit_of, offset_of, page_of
from planner.contracts.operation_case import operation_case, parameter_case
from planner.contracts.operations import Answer, Operation
from planner.contracts.resources import list_place
from planner.contracts.sorting import sorting_of
from planner.contracts.things import Thing


def list_cases(operation: Operation, every: Sequence[Operation], kinds: Sequence[Thing]) -> Iterator[Case]:
    """The cases of an operation that lists what another one makes; `kinds` are the things of the contract."""
    success = operation.success
    if operation.method != "GET" or success is None or list_place(operation) is None:
        return
    maker = next((each for each in every if each.key == f"POST {operation.path}"), None)
    if maker is None:
        return
    limit = limit_of(operation)
    if limit is not None:
        yield parameter_case(
            operation,
            Technique.LIMITED,
            f"{operation.key} gives no more than its {limit.name}",
            limit,
            success,
        )
    turned = offset_of(operation) or page_of(operation)
    if limit is not None and turned is not None:
        yield parameter_case(
            operation,
            Technique.PAGED,
            f"Another {turned.name} of {operation.key} shows others",
            turned,
            success,
        )
    for thing in kinds:
        if thing.lister is not None and thing.lister.key == operation.key:
            yield from _sorted(operation, thing, success)
            for member in operation.parameters:
                if narrows(member, thing) or narrows_to_another(member, thing, every):
                    yield parameter_case(
                        operation,
                        Technique.NARROWED,
                        f"{operation.key} is narrowed by {member.name}",
                        member,
                        success,
                    )
                elif (found := act_to_be_found(operation, member, every)) is not None:
                    state, act = found
                    yield parameter_case(
                        operation,
                        Technique.NARROWED,
                        f"{operation.key} is narrowed by {member.name} to what {act.key} brought about",
                        member,
                        success,
                        {"value": state.value, "act": act.key},
                    )


def _sorted(operation: Operation, thing: Thing, success: Answer) -> Iterator[Case]:
    sorting = sorting_of(operation, thing)
    if sorting is not None:
        target: dict[str, Json] = {"place": sorting.place, "by": sorting.field, "query": dict(sorting.query)}
        words = f"{operation.key} is sorted by {sorting.field} where that is asked for"
        place = f"parameters.{sorting.place}"
        yield operation_case(
            operation, Technique.SORTED, words, place, {**target, "newest": sorting.down}, (success.fact,)
        )
