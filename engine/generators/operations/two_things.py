"""Two things of which a list shows one where it is narrowed: how each is made, and by which value it is told."""

from __future__ import annotations

import re

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.parts import succeeds
from engine.generators.operations.requests import Sent, asked
from engine.generators.operations.scenes import Scene, content_of
from engine.generators.operations.stage import Stage
from engine.generators.source import Expression, literal
from engine.generators.values.distinct import distinct, tag_of
from engine.generators.values.in_order import in_order
from engine.generators.values.other_values import other
from engine.generators.values.schema_values import NoValueError, valid
from engine.generators.values.texts import as_label
from planner.contracts.filters import Filter, is_told_of_bound, listed_fields, told_filter
from planner.contracts.lists import narrowed_field
from planner.contracts.operations import Member, Operation
from planner.contracts.resources import called
from planner.contracts.things import Thing
from planner.contracts.violations import keeps

_MADE = re.compile(r"(\w+) = ")


def two_apart(
    thing: Thing, member: Member, scene: Scene, sent: Sent, stage: Stage
) -> tuple[object, list[str]]:
    """The lines that make one thing with the value and one with another, and the value."""
    second = another(sent, stage)
    made = [*making("wanted", sent), *making("rest", second)]
    told = told_filter(member, thing.given(), listed_fields(thing))
    name = told.field if told is not None else narrowed_field(member, thing.given()) or member.name
    if isinstance(sent.body, dict) and isinstance(named := sent.body.get(name), Expression):
        return named, [*making("wanted", sent), *_of_another(thing, name, second, scene, stage)]
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
        ours, theirs = with_field(sent, name, value), with_field(second, name, rest)
        return value, [*making("wanted", ours), *making("rest", theirs)]
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
        identity = key_of(owner, thing.maker, key)
        there = msgspec.structs.replace(scene, path={**scene.path, last: identity})
        change = with_field(stage.request(changer, there), name, value)
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
    return [*lines, *making("rest", with_field(second, name, Expression(named)))]


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
    ours, theirs = with_field(sent, told.field, within), with_field(second, told.field, rest)
    return value, [*making("wanted", ours), *making("rest", theirs)]


def _two_of_many(
    thing: Thing, member: Member, name: str, sent: Sent, second: Sent
) -> tuple[object, list[str]]:
    """The lines that make one thing of whose texts one is the value, and one of which none is, and the value."""
    items = split_null(split_null(thing.given()[name])[0].get("items") or {})[0]
    value = as_label(items, valid(items, member.name))
    rest = other(items, value, member.name)
    ours, theirs = with_field(sent, name, [value]), with_field(second, name, [rest])
    return value, [*making("wanted", ours), *making("rest", theirs)]


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


def one_before(sent: Sent, stage: Stage) -> list[str]:
    """The lines that make an earlier thing of the same kind, so that a list that shows one at most is noticed.

    None where what is made stands within another thing or in conflict with others, or two of them would be equal.
    """
    operation = sent.operation
    if "{" in operation.path or any(answer.status == "409" for answer in operation.answers):
        return []
    earlier = another(sent, stage)
    if earlier.body == sent.body:
        return []
    return [*asked("earlier", earlier), succeeds("earlier", operation)]


def unless_alone(name: str, operation: Operation) -> list[str]:
    """The lines that leave a test undecided where a second thing is refused, since there may be one of them alone."""
    told = f"whether there may be two of what {operation.key} makes, the contract does not tell: "
    return [
        f"if {name}.status_code in (400, 403, 409, 422):",
        f"    pytest.skip({literal(told)} + str({name}.content))",
    ]


def making(name: str, sent: Sent) -> list[str]:
    """The lines that make a thing, the answer being called so; a request that fails is seen as what it is."""
    return [f"{name} = {sent.call()}", succeeds(name, sent.operation)]


def key_of(name: str, maker: Operation, key: str) -> str:
    """The expression for what identifies a thing, of which the answer that made it has this name."""
    return f"{content_of(name, maker.success)[0]}[{literal(key)}]"


def with_field(sent: Sent, name: str, value: object) -> Sent:
    """The request with another value of a field of its body."""
    body = sent.body if isinstance(sent.body, dict) else {}
    return msgspec.structs.replace(sent, body={**body, name: value})
