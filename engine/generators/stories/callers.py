"""Who of two callers sends each request of a story: nobody bids for what is their own, its owner accepts bids."""

from __future__ import annotations

from collections.abc import Sequence

from engine.generators.operations.requests import CALLERS
from engine.generators.values.schema_values import NoValueError
from planner.contracts.lifecycles import Subject
from planner.contracts.operations import Operation
from planner.contracts.parties import is_for_the_other, not_own, offered_within, owners
from planner.contracts.paths import PARAMETER, matched
from planner.stories.asked import Asked
from planner.stories.retold import NAMED


def callers(asked: Sequence[Asked], operations: Sequence[Operation]) -> list[str]:
    """The fixture with the headers of who sends each request; the first caller but where that one may not.

    Raises NoValueError where there are more than two.
    """
    found: list[str] = []
    people = list(dict.fromkeys(each.exchange.by for each in asked if each.exchange.by.startswith(NAMED)))
    if len(people) > len(CALLERS):
        raise NoValueError(f"a third caller beside {people[0].strip(NAMED)} and {people[1].strip(NAMED)}")
    for number, each in enumerate(asked):
        if each.exchange.by in people:
            found.append(CALLERS[people.index(each.exchange.by)])
            continue
        made, owned = _made_last(each), _owned_by(each.exchange.by, asked[:number])
        if owned is not None:
            found.append(found[owned])
            continue
        maker = found[made] if made is not None else CALLERS[0]
        within = {one.key for one in offered_within(each.operation, operations)}
        is_offered = made is not None and asked[made].operation.key in within
        if is_offered:
            is_other = is_for_the_other(each.operation, operations)
            found.append(_other(maker) if is_other else maker)
        else:
            found.append(_other(maker) if not_own(each.operation, operations) is not None else CALLERS[0])
    return found


def _owned_by(role: str, asked: Sequence[Asked]) -> int | None:
    """The number of the first request that made what shows its owner under this name; None where none did."""
    for number, each in enumerate(asked):
        subject = Subject("", "", each.operation)
        if role and each.operation.method == "POST" and role in owners(subject):
            return number
    return None


def _made_last(asked: Asked) -> int | None:
    """The number of the request that made what the path of another one names last; None where none did."""
    names = PARAMETER.findall(asked.operation.path)
    told = (matched(asked.operation.path, asked.exchange.path) or {}).get(names[-1], "") if names else ""
    source = asked.sources.get(told.strip("{}")) if told.startswith("{") else None
    return source[0] if source is not None else None


def _other(caller: str) -> str:
    return CALLERS[1] if caller == CALLERS[0] else CALLERS[0]
