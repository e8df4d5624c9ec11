"""Tests of lists: their order, how much of them is shown, and what they are narrowed by."""

from __future__ import annotations

import re

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
from engine.generators.operations.scenes import Scene, content_of
from engine.generators.operations.stage import Stage
from engine.generators.source import Expression, literal, name_of
from engine.generators.values.distinct import distinct, tag_of
from engine.generators.values.in_order import in_order
from engine.generators.values.other_values import other
from engine.generators.values.schema_values import NoValueError, valid
from engine.generators.values.texts import as_label
from planner.cases import Case
from planner.contracts.filters import Filter, ignores_case, is_told_of_bound, listed_fields, told_filter
from planner.contracts.lists import first_page, is_paged, limit_of, most_of, narrowed_field, page_of
from planner.contracts.operations import Answer, Member, Operation
from planner.contracts.resources import called, identity_of
from planner.contracts.things import Thing, things
from planner.contracts.violations import keeps
from planner.generator import Assertion

_MADE = re.compile(r"(\w+) = ")


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
    arrange = [*scene.lines, *_making(names[0], former), *_making(names[1], latter)]
    arrange += [line for name in names for line in brought_into_list(lister, name, scene, stage)]
    act = [f"response = {reading_all(lister, scene, stage).call()}", *_unless_full(lister, place)]
    is_turned = bool(case.target.get("newest")) or bool(by)
    first, second = reversed(names) if is_turned else names
    asserts = [
        status_assertion("response", lister.success),
        Assertion(keys_of("listed", key, place), case.cites),
        Assertion(
            f"assert listed.index({_key(first, operation, key)}) < listed.index({_key(second, operation, key)})",
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
    values = sorted([value, other(schema, value, by)])
    return _set(former, by, values[1]), _set(latter, by, values[0])


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
        lines = [*_making("wanted", sent), *_making("rest", another(sent, stage))]
        lines += brought_by(bringing, _key("wanted", thing.maker, key), scene, stage)
    else:
        value, lines = _two(thing, member, scene, sent, stage)
    lines += [
        line for name in ("wanted", "rest") for line in brought_into_list(operation, name, scene, stage)
    ]
    listing = reading_all(operation, scene, stage)
    wanted, rest = (_key(name, thing.maker, key) for name in ("wanted", "rest"))
    asked_for = value
    if (
        isinstance(value, str)
        and not isinstance(value, Expression)
        and (case.target.get("caseless") or ignores_case(member.description))
    ):
        asked_for = value.swapcase()
    act = [f"response = {with_value(listing, member, asked_for).call()}", *_unless_full(operation, place)]
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


def another(sent: Sent, stage: Stage) -> Sent:
    """The request for a second thing that is not equal to the first."""
    if sent.operation.body is None or not isinstance(sent.body, dict):
        return sent
    fields = split_null(sent.operation.body.schema)[0].get("properties", {})
    body = dict(sent.body)
    is_conflicting = any(answer.status == "409" for answer in sent.operation.answers)
    for name, each in sent.body.items():
        is_choice = "enum" in split_null(fields.get(name, {}))[0]  # Which of them conflicts, nobody tells.
        if isinstance(each, str) and not name.endswith("id") and not (is_conflicting and is_choice):
            try:
                body[name] = other(fields.get(name, {}), each, name)
            except NoValueError:
                continue
    if stage.tag:
        body = distinct(sent.operation, body, tag_of(f"{stage.tag} another"), stage.naming(sent.operation))
    return msgspec.structs.replace(sent, body=in_order(body, fields))


def reading_all(lister: Operation, scene: Scene, stage: Stage) -> Sent:
    """The request that lists as much as its limit lets it."""
    sent, limit = stage.request(lister, scene), limit_of(lister)
    return sent if limit is None else with_value(sent, limit, most_of(limit))


def _unless_full(lister: Operation, place: str) -> list[str]:
    """The lines that leave a test undecided where a list shows so many that there may be more on other pages.

    So it is where tests share a service that keeps what all of them make.
    """
    limit = limit_of(lister)
    if limit is None or not is_paged(lister):
        return []
    shown = f"response.json(){place}"
    return [
        f"if response.status_code == 200 and len({shown}) >= {most_of(limit)}:",
        '    pytest.skip("the list may go on, on other pages: it is full of what is there already")',
    ]


def _two(thing: Thing, member: Member, scene: Scene, sent: Sent, stage: Stage) -> tuple[object, list[str]]:
    """The lines that make one thing with the value and one with another, and the value."""
    second = another(sent, stage)
    made = [*_making("wanted", sent), *_making("rest", second)]
    told = told_filter(member, thing.given(), listed_fields(thing))
    name = told.field if told is not None else narrowed_field(member, thing.given()) or member.name
    if isinstance(sent.body, dict) and isinstance(named := sent.body.get(name), Expression):
        return named, [*_making("wanted", sent), *_of_another(thing, name, second, scene, stage)]
    if told is not None:
        return _two_told_apart(thing, member, told, sent, second)
    if name in thing.given():
        schema = thing.given()[name]
        if name != member.name:
            return _two_of_many(thing, member, name, sent, second)
        value = sent.body[name] if isinstance(sent.body, dict) and name in sent.body else valid(schema, name)
        rest = other(schema, value, name)
        if isinstance(rest, str) and str(value).lower() in rest.lower():
            value, rest = rest, value  # A part of a text may be found as well.
        ours, theirs = _set(sent, name, value), _set(second, name, rest)
        return value, [*_making("wanted", ours), *_making("rest", theirs)]
    changer = thing.changer
    key = thing.key()
    schema = thing.changes().get(name, {})
    plain = split_null(schema)[0]
    values = [True, False] if plain.get("type") == "boolean" else plain.get("enum", [])[:2]
    if changer is None or key is None or len(values) < 2:
        raise NoValueError(f"a {called(thing.maker.path)} with another {name}")
    lines = list(made)
    for owner, value in zip(("wanted", "rest"), values, strict=True):
        last = changer.path.rpartition("{")[2].rstrip("}/")
        identity = _key(owner, thing.maker, key)
        there = msgspec.structs.replace(scene, path={**scene.path, last: identity})
        change = _set(stage.request(changer, there), name, value)
        lines.append(f"changed = {change.call()}")
        lines.append(succeeds("changed", changer))
    return values[0], lines


def _of_another(thing: Thing, name: str, second: Sent, scene: Scene, stage: Stage) -> list[str]:
    """The lines that make a second thing, of which a field names another one than that of the first."""
    inner = stage.of(f"{stage.tag} another").scene(thing.maker)
    anew = [each for each in inner.lines if each not in scene.lines]
    made = {match[1] for each in anew if (match := _MADE.match(each)) is not None}
    if name not in inner.references or not made:
        raise NoValueError(f"another value for {name}")
    renamed = re.compile(rf"(?<![\w\"'.])(?:{'|'.join(map(re.escape, sorted(made)))})(?=[ .\[\])])")
    lines = [each for each in inner.lines if each in anew or renamed.search(each) is not None]
    lines = [renamed.sub(lambda match: f"other_{match[0]}", each) for each in lines]
    named = renamed.sub(lambda match: f"other_{match[0]}", inner.references[name])
    return [*lines, *_making("rest", _set(second, name, Expression(named)))]


def _two_told_apart(
    thing: Thing, member: Member, told: Filter, sent: Sent, second: Sent
) -> tuple[object, list[str]]:
    """The lines that make one thing which a parameter lets through and one which it does not, and its value."""
    schema = thing.given()[told.field]
    body = sent.body if isinstance(sent.body, dict) else {}
    value = body[told.field] if told.field in body else valid(schema, told.field)
    rest = other(schema, value, told.field)
    if told.lets_through(rest, value):
        value, rest = rest, value
    if told.lets_through(rest, value) or not keeps(member.schema, value):
        raise NoValueError(f"two {called(thing.maker.path)}s of which {member.name} lets one through")
    within = value
    if told.how in ("least", "most") and not is_told_of_bound(member) and isinstance(value, int | float):
        # Whether the bound itself is let through, nobody tells.
        beyond = value + 1 if told.how == "least" else value - 1
        within = beyond if keeps(schema, beyond) else value
    ours, theirs = _set(sent, told.field, within), _set(second, told.field, rest)
    return value, [*_making("wanted", ours), *_making("rest", theirs)]


def _two_of_many(
    thing: Thing, member: Member, name: str, sent: Sent, second: Sent
) -> tuple[object, list[str]]:
    """The lines that make one thing of whose texts one is the value, and one of which none is, and the value."""
    items = split_null(split_null(thing.given()[name])[0].get("items") or {})[0]
    value = as_label(items, valid(items, member.name))
    rest = other(items, value, member.name)
    ours, theirs = _set(sent, name, [value]), _set(second, name, [rest])
    return value, [*_making("wanted", ours), *_making("rest", theirs)]


def _making(name: str, sent: Sent) -> list[str]:
    """The lines that make a thing, the answer being called so; a request that fails is seen as what it is."""
    return [f"{name} = {sent.call()}", succeeds(name, sent.operation)]


def _key(name: str, maker: Operation, key: str) -> str:
    """The expression for what identifies a thing, of which the answer that made it has this name."""
    return f"{content_of(name, maker.success)[0]}[{literal(key)}]"


def _set(sent: Sent, name: str, value: object) -> Sent:
    body = sent.body if isinstance(sent.body, dict) else {}
    return msgspec.structs.replace(sent, body={**body, name: value})


def keys_of(name: str, key: str, place: str, answer: str = "response") -> str:
    """The line that names what identifies each thing in the list that was answered."""
    return f"{name} = [each[{literal(key)}] for each in {answer}.json(){place}]"
