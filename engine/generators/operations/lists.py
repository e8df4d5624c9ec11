"""Tests of lists: their order, how much of them is shown, and what they are narrowed by."""

from __future__ import annotations

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.listing import brought_by, brought_into_list
from engine.generators.operations.parts import (
    Parts,
    member_of,
    ready,
    spoken,
    status_assertion,
    succeeds,
    words_of,
)
from engine.generators.operations.requests import Sent, asked, with_value
from engine.generators.operations.scenes import Scene
from engine.generators.operations.stage import Stage
from engine.generators.operations.two_things import another, key_of, making, two_apart, with_field
from engine.generators.source import Expression, literal, name_of
from engine.generators.values.other_values import other
from engine.generators.values.schema_values import NoValueError, valid
from planner.cases import Case
from planner.contracts.filters import ignores_case
from planner.contracts.lists import first_page, is_paged, limit_of, most_of, page_of
from planner.contracts.operations import Answer, Operation
from planner.contracts.resources import identity_of
from planner.contracts.things import Thing, things
from planner.generator import Assertion


def ordered(case: Case, operation: Operation, stage: Stage) -> Parts:
    """Of two that are made, the one that comes first stands before the other: the older, or the smaller by a field."""
    lister = stage.operations.get(str(case.target["read"]))
    place = stage.list_in(lister) if lister is not None else None
    by, names = str(case.target.get("by", "")), ("earlier", "later")
    key = _identity(operation, stage) or by
    if lister is None or lister.success is None or place is None or not key:
        raise NoValueError(f"a list that shows what {operation.key} made first")
    scene, sent = ready(operation, stage)
    former, latter = sent, another(sent, stage)
    if by:
        former, latter, names = *_apart(former, latter, by), ("larger", "smaller")
        if case.target.get("newest"):  # The order of making is no help there, either.
            former, latter, names = latter, former, ("smaller", "larger")
    arrange = [*scene.lines, *making(names[0], former), *making(names[1], latter)]
    arrange += [line for name in names for line in brought_into_list(lister, name, scene, stage)]
    act = [f"response = {reading_all(lister, scene, stage).call()}", *unless_full(lister, place)]
    is_turned = bool(case.target.get("newest")) or bool(by)
    first, second = reversed(names) if is_turned else names
    asserts = [
        status_assertion("response", lister.success),
        Assertion(keys_of("listed", key, place), case.cites),
        Assertion(
            f"assert listed.index({key_of(first, operation, key)}) < listed.index({key_of(second, operation, key)})",
            case.cites,
        ),
    ]
    return Parts("", arrange, act, asserts, scene.cites)


def _identity(maker: Operation, stage: Stage) -> str | None:
    """The field that identifies what an operation makes, as the paths of single things name it; else an id."""
    made = next((each for each in things(stage.operations.values()) if each.maker.key == maker.key), None)
    return (made.key() if made is not None else None) or identity_of(maker, "id")


def sorted_as_asked(case: Case, operation: Operation, stage: Stage) -> Parts:
    """Of two that are made, the smaller by a field stands before the other, where that is asked for; or behind it."""
    if is_paged(operation) and limit_of(operation) is None:
        raise NoValueError(f"how many {operation.key} lists in all: it shows a page of them")
    thing, _, _, _ = listed_things(operation, stage)
    parts = ordered(
        msgspec.structs.replace(case, target={**case.target, "read": operation.key}), thing.maker, stage
    )
    listing = reading_all(operation, stage.scene(thing.maker), stage)
    asked_for = case.target["query"]
    asked_for = asked_for if isinstance(asked_for, dict) else {}
    parts.act[0] = (
        f"response = {msgspec.structs.replace(listing, query={**listing.query, **asked_for}).call()}"
    )
    parts.name = f"test_{spoken(operation)}_is_sorted_by_{name_of(str(case.target['by']))}"
    return parts


def _apart(former: Sent, latter: Sent, by: str) -> tuple[Sent, Sent]:
    """Both requests with two values of a field, the larger one first, so that the order of making is no help."""
    schema = split_null(former.operation.body.schema if former.operation.body else {})[0]["properties"][by]
    body = former.body if isinstance(former.body, dict) else {}
    value = body[by] if by in body else valid(schema, by)
    second = latter.body.get(by) if isinstance(latter.body, dict) else None
    is_own = (
        isinstance(second, str) and isinstance(value, str) and second != value
    )  # No other test has it, either.
    values = sorted([value, second if is_own else other(schema, value, by)])
    return with_field(former, by, values[1]), with_field(latter, by, values[0])


def limited(case: Case, operation: Operation, stage: Stage) -> Parts:
    """Of two that are made, the list gives one where one is asked for."""
    where, scene, made, sent = _two_listed(operation, stage)
    assert operation.success is not None, "it was looked for"
    one = with_value(sent, member_of(case, operation), 1)
    asserts = [
        status_assertion("response", operation.success),
        Assertion(f"assert len(response.json(){where}) == 1", case.cites, inferred=True),
    ]
    name = f"test_{spoken(operation)}_gives_no_more_than_its_limit"
    return Parts(name, made, [f"response = {one.call()}"], asserts, scene.cites)


def paged(case: Case, operation: Operation, stage: Stage) -> Parts:
    """Of two that are made, one stands on a page of one, and another one on the next."""
    where, scene, made, sent = _two_listed(operation, stage)
    assert operation.success is not None, "it was looked for"
    member, limit = member_of(case, operation), limit_of(operation)
    if limit is None:
        raise NoValueError(f"how {operation.key} is told to show one only")
    start = first_page(member) if member == page_of(operation) else 0
    first, second = (with_value(with_value(sent, limit, 1), member, start + more) for more in (0, 1))
    asserts = [
        status_assertion("response", operation.success),
        Assertion(f"assert len(response.json(){where}) == 1", case.cites, inferred=True),
        Assertion(f"assert response.json(){where} != first.json(){where}", case.cites, inferred=True),
    ]
    name = f"test_{spoken(operation)}_shows_others_at_another_{words_of(member)}"
    arrange = [*made, f"first = {first.call()}", succeeds("first", operation)]
    return Parts(name, arrange, [f"response = {second.call()}"], asserts, scene.cites)


def _two_listed(operation: Operation, stage: Stage) -> tuple[str, Scene, list[str], Sent]:
    """Where a list stands in its answer, the scene, the lines that make two things for it, and its request."""
    maker, where = stage.operations.get(f"POST {operation.path}"), stage.list_in(operation)
    if maker is None or where is None or operation.success is None:
        raise NoValueError(f"two that {operation.key} lists")
    scene, sent = ready(maker, stage)
    made = [*asked("one", sent), succeeds("one", maker)]
    made += [*asked("other", another(sent, stage)), succeeds("other", maker)]
    made += [line for name in ("one", "other") for line in brought_into_list(operation, name, scene, stage)]
    return where, scene, [*scene.lines, *made], stage.request(operation, scene)


def filtered(case: Case, operation: Operation, stage: Stage) -> Parts:
    """What a list is narrowed by, as its contract lets suppose."""
    if is_paged(operation) and limit_of(operation) is None:
        raise NoValueError(f"how many {operation.key} lists in all: it shows a page of them")
    parts = narrowed(case, operation, stage)
    parts.name = f"test_{spoken(operation)}_is_narrowed_by_{words_of(member_of(case, operation))}"
    parts.assertions = [
        msgspec.structs.replace(each, inferred="listed" in each.text or "others" in each.text)
        for each in parts.assertions
    ]
    return parts


def narrowed(case: Case, operation: Operation, stage: Stage) -> Parts:
    """What has the value stands in the list, what has another does not."""
    member = member_of(case, operation)
    thing, place, key, success = listed_things(operation, stage)
    scene, sent = ready(thing.maker, stage)
    bringing = stage.operations.get(str(case.target.get("act", "")))
    if bringing is not None:
        value: object = case.target["value"]
        lines = [*making("wanted", sent), *making("rest", another(sent, stage))]
        lines += brought_by(bringing, key_of("wanted", thing.maker, key), scene, stage)
    else:
        value, lines = two_apart(thing, member, scene, sent, stage)
    lines += [
        line for name in ("wanted", "rest") for line in brought_into_list(operation, name, scene, stage)
    ]
    listing = reading_all(operation, scene, stage)
    wanted, rest = (key_of(name, thing.maker, key) for name in ("wanted", "rest"))
    asked_for = value
    if (
        isinstance(value, str)
        and not isinstance(value, Expression)
        and (case.target.get("caseless") or ignores_case(member.description))
    ):
        asked_for = value.swapcase()
    act = [f"response = {with_value(listing, member, asked_for).call()}", *unless_full(operation, place)]
    asserts = [
        status_assertion("response", success),
        Assertion(keys_of("listed", key, place), case.cites),
        Assertion(f"assert {wanted} in listed", case.cites),
        Assertion(f"assert {rest} not in listed", case.cites),
    ]
    if isinstance(value, bool):
        act.append(f"opposite = {with_value(listing, member, not value).call()}")
        asserts += [
            Assertion(keys_of("others", key, place, "opposite"), case.cites),
            Assertion(f"assert {rest} in others", case.cites),
            Assertion(f"assert {wanted} not in others", case.cites),
        ]
    return Parts("", [*scene.lines, *lines], act, asserts, scene.cites)


def listed_things(operation: Operation, stage: Stage) -> tuple[Thing, str, str, Answer]:
    """What an operation lists, where the list stands in its answer, what identifies each thing, and that answer."""
    every = things(stage.operations.values())
    thing = next((each for each in every if each.lister and each.lister.key == operation.key), None)
    place = stage.list_in(operation)
    key = thing.key() if thing is not None else None
    if thing is None or place is None or key is None or operation.success is None:
        raise NoValueError(f"what {operation.key} lists")
    return thing, place, key, operation.success


def reading_all(lister: Operation, scene: Scene, stage: Stage) -> Sent:
    """The request that lists as much as its limit lets it."""
    sent, limit = stage.request(lister, scene), limit_of(lister)
    return sent if limit is None else with_value(sent, limit, most_of(limit))


def unless_full(lister: Operation, place: str, answer: str = "response") -> list[str]:
    """The lines that leave a test undecided where a list shows so many that there may be more on other pages.

    So it is where tests share a service that keeps what all of them make.
    """
    limit = limit_of(lister)
    if limit is None or not is_paged(lister):
        return []
    shown = f"{answer}.json(){place}"
    return [
        f"if {answer}.status_code == 200 and len({shown}) >= {most_of(limit)}:",
        '    pytest.skip("the list may go on, on other pages: it is full of what is there already")',
    ]


def keys_of(name: str, key: str, place: str, answer: str = "response") -> str:
    """The line that names what identifies each thing in the list that was answered."""
    return f"{name} = [each[{literal(key)}] for each in {answer}.json(){place}]"
