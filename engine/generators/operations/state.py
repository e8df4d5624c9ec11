"""Tests of what the state must show: created is readable, changed is kept, removed is gone, reading changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.accounts import check_shown
from engine.generators.operations.answers import equal, is_decimal, place_in
from engine.generators.operations.echoes import echoed
from engine.generators.operations.listing import brought_into_list, peopled
from engine.generators.operations.lists import reading_all
from engine.generators.operations.parts import Parts, ready, spoken, status_assertion, succeeds
from engine.generators.operations.removal import named_for
from engine.generators.operations.requests import Sent, asked
from engine.generators.operations.scenes import Scene, content_of
from engine.generators.operations.stage import Stage
from engine.generators.operations.two_things import one_before, unless_alone
from engine.generators.source import Expression, literal, name_of
from engine.generators.values.in_order import in_order
from engine.generators.values.other_values import other
from engine.generators.values.schema_values import NoValueError
from graph.facts import Json
from planner.cases import Case
from planner.contracts.changing import changes_parts
from planner.contracts.envelopes import unwrapped
from planner.contracts.kinds import kind_of
from planner.contracts.lists import is_paged, limit_of, total_header_of, total_of
from planner.contracts.moments import is_moving, steady_fields
from planner.contracts.operations import Operation, State
from planner.contracts.paths import PARAMETER
from planner.generator import Assertion


def read_back(case: Case, operation: Operation, stage: Stage) -> Parts:
    """What was created or changed is read."""
    reader = stage.operations.get(str(case.target["read"]))
    if reader is None or reader.success is None or operation.success is None:
        raise NoValueError(f"an operation that reads what {operation.key} makes")
    if "field" in case.target:
        return _brought_about(case, operation, reader, stage)
    if case.target.get("list"):
        return _listed(case, operation, reader, stage)
    is_change = operation.method != "POST" or changes_parts(operation, stage.operations.values())
    return (_changed if is_change else _created)(operation, reader, stage)


def repeatable(case: Case, operation: Operation, stage: Stage) -> Parts:
    """Reading twice gives the same."""
    scene = peopled(operation, stage)
    sent = stage.request(operation, scene)
    answer = operation.success
    assert answer is not None, "planned only where there is a success"
    compared = ["json()" if answer.schema is not None else "status_code"]
    if answer.is_open and answer.schema is not None:
        compared = ["content"]  # It may be a page or a file, of which the contract says as little.
    steady = steady_fields(answer.schema) if answer.schema is not None else None
    if steady is not None:
        compared = [f"json()[{literal(name)}]" for name in steady]
    if not compared:
        raise NoValueError(f"what stays in an answer to {operation.key}: it tells of the moment")
    asserts = [
        status_assertion("second", answer),
        *(Assertion(f"assert second.{each} == first.{each}", case.cites, inferred=True) for each in compared),
    ]
    name = f"test_{spoken(operation)}_gives_the_same_twice"
    act = [f"first = {sent.call()}", f"second = {sent.call()}"]
    return Parts(name, [*scene.lines], act, asserts, scene.cites)


def differing(operation: Operation, scene: Scene, stage: Stage) -> Sent:
    """A request that changes what is there into something else. Raises NoValueError where nothing else can be sent."""
    sent = stage.request(operation, scene)
    body = operation.body
    if body is None or not isinstance(sent.body, dict):
        raise NoValueError(f"a body with which {operation.key} changes something")
    before = scene.sent if isinstance(scene.sent, dict) else {}
    fields = split_null(body.schema)[0].get("properties", {})
    sent = _under_the_same_name(sent, operation, scene)
    assert isinstance(sent.body, dict), "it was one before"
    changed = dict(_differing(sent.body, before, fields, scene))
    if not changed:
        raise NoValueError(f"another value with which {operation.key} changes something")
    return msgspec.structs.replace(sent, body=in_order({**sent.body, **changed}, fields))


def _under_the_same_name(sent: Sent, operation: Operation, scene: Scene) -> Sent:
    """The request with the field by which the path names the thing as it is, so that it is found afterwards."""
    place = scene.path.get("".join(PARAMETER.findall(operation.path)[-1:]), "")
    body = sent.body if isinstance(sent.body, dict) else {}
    made = scene.sent if isinstance(scene.sent, dict) and not scene.created else {}
    named = [name for name in body if scene.created and place == f"{scene.created}[{literal(name)}]"]
    named += [name for name in body if name in made and place == repr(made[name])]
    return msgspec.structs.replace(sent, body={**body, **{name: Expression(place) for name in named}})


def _differing(
    body: dict[str, Json], before: dict[str, Json], fields: dict[str, Json], scene: Scene
) -> Iterator[tuple[str, Json]]:
    """Each field with a value that is not the one it had; an identity keeps its value."""
    shown = {name for name in scene.shown if scene.created}
    has_other = any(
        "enum" not in split_null(fields.get(name, {}))[0] and not isinstance(each, Expression)
        for name, each in body.items()
    )
    names = list(body) or [name for name in fields if fields[name].get("readOnly") is not True][:1]
    for name in names:
        schema = fields.get(name, {})
        if isinstance(body.get(name), Expression) or name == "id" or name.endswith("_id"):
            continue
        if has_other and "enum" in split_null(schema)[0]:
            continue  # Not every choice can be made after another one, and it may tell of which type others are.
        if split_null(schema)[0].get("type") == "boolean" and name in shown and name not in before:
            yield name, Expression(f"not {scene.created}[{literal(name)}]")
            continue
        try:
            yield name, other(schema, before.get(name, body.get(name)), name)
        except NoValueError:
            continue


def _listed(case: Case, operation: Operation, lister: Operation, stage: Stage) -> Parts:
    where = stage.list_in(lister)
    if lister.success is None or where is None:
        raise NoValueError(f"an operation that lists what {operation.key} makes")
    check_shown(lister, operation, stage)
    scene, sent = ready(operation, stage)
    total = total_of(lister) if is_paged(lister) else None
    if total is None and limit_of(lister) is None and is_paged(lister):
        raise NoValueError(f"how many {lister.key} lists in all: it shows a page of them")
    read = (stage.request(lister, scene) if total is not None else reading_all(lister, scene, stage)).call()
    now = f"response.json()[{literal(total)}]" if total is not None else f"len(response.json(){where})"
    then = now.replace("response", "before", 1)
    is_made = succeeds("created", operation)
    shown = brought_into_list(lister, "created", scene, stage)
    earlier = [] if shown else one_before(sent, stage)
    arrange = [*scene.lines, *earlier, f"before = {read}", succeeds("before", lister)]
    act = [*asked("created", sent), *(unless_alone("created", operation) if earlier else ())]
    act += [*([is_made, *shown] if shown else []), f"response = {read}"]
    asserts = [
        *([] if shown else [Assertion(is_made, case.cites)]),
        status_assertion("response", lister.success),
        Assertion(f"assert {now} == {then} + 1", case.cites, inferred=True),
    ]
    if (header := total_header_of(lister)) is not None:
        after, first = (f"int({each}.headers[{literal(header)}])" for each in ("response", "before"))
        asserts.append(Assertion(f"assert {after} == {first} + 1", case.cites, inferred=True))
    name = f"test_what_{spoken(operation)}_made_is_listed"
    return Parts(name, arrange, act, asserts, scene.cites)


def _brought_about(case: Case, operation: Operation, reader: Operation, stage: Stage) -> Parts:
    """What an act brings a thing to is read of it afterwards."""
    scene, sent = ready(operation, stage)
    field, value = str(case.target["field"]), case.target["value"]
    assert isinstance(value, str | bool), "states are"
    names = PARAMETER.findall(reader.path), PARAMETER.findall(operation.path)
    path = {name: scene.path[other] for name, other in zip(*names, strict=True)}
    read = stage.request(reader, msgspec.structs.replace(scene, path=path)).call()
    assert reader.success is not None, "its caller looked"
    act = [*asked("done", sent), succeeds("done", operation), f"response = {read}"]
    asserts = [
        status_assertion("response", reader.success),
        Assertion(
            f"assert {equal(place_in(content_of('response', reader.success)[0], field, value), value)}",
            case.cites,
        ),
    ]
    name = f"test_after_{spoken(operation)}_it_is_{name_of(State(field, value).word)}"
    return Parts(name, [*scene.lines], act, asserts, scene.cites)


def _created(operation: Operation, reader: Operation, stage: Stage) -> Parts:
    scene = stage.scene(reader, whole=True)
    assert reader.success is not None, "its caller looked"
    act = [f"response = {stage.request(reader, scene).call()}"]
    read, schema = content_of("response", reader.success)
    asserts = [
        status_assertion("response", reader.success),
        *_same(read, scene.created, reader, operation),
        *echoed(scene.sent, schema, read, reader.success.fact, shaped=False),
    ]
    name = f"test_what_{spoken(operation)}_made_can_be_read"
    return Parts(name, [*scene.lines], act, asserts, scene.cites)


def _changed(operation: Operation, reader: Operation, stage: Stage) -> Parts:
    assert reader.success is not None, "its caller looked"
    scene = stage.scene(operation)
    if named_for(reader, operation, scene, stage) != scene:
        raise NoValueError(
            f"whether a thing that {operation.key} changes keeps the name by which {reader.key} finds it"
        )
    sent = differing(operation, scene, stage)
    arrange = [*scene.lines, *asked("changed", sent), succeeds("changed", operation)]
    act = [f"response = {stage.request(reader, scene).call()}"]
    if reader.success.is_open:
        return _shown_otherwise(operation, reader, scene, sent, stage)
    shown, schema = content_of("response", reader.success)
    told = list(echoed(sent.body, schema, shown, reader.success.fact, shaped=False))
    if not told:
        raise NoValueError(f"a field that {operation.key} changes and {reader.key} shows")
    if changes_parts(operation, stage.operations.values()) and isinstance(scene.sent, dict):
        rest = {name: each for name, each in scene.sent.items() if name not in (sent.body or {})}
        told += echoed(rest, schema, shown, reader.success.fact, shaped=False)
    asserts = [status_assertion("response", reader.success), *told]
    return Parts(f"test_what_{spoken(operation)}_changed_is_read", arrange, act, asserts, scene.cites)


def _shown_otherwise(
    operation: Operation, reader: Operation, scene: Scene, sent: Sent, stage: Stage
) -> Parts:
    """After another content a reading whose shape is open says something else."""
    assert reader.success is not None and operation.success is not None, "its caller looked"
    usual, read = stage.request(operation, scene), stage.request(reader, scene).call()
    arrange = [
        *scene.lines,
        *(*asked("usual", usual), succeeds("usual", operation)),
        *(f"before = {read}", succeeds("before", reader)),
        *(*asked("changed", sent), succeeds("changed", operation)),
    ]
    cites = (operation.success.fact, reader.success.fact)
    differs = Assertion("assert response.json() != before.json()", cites, inferred=True)
    asserts = [status_assertion("response", reader.success), differs]
    name = f"test_what_{spoken(operation)}_changed_is_read"
    return Parts(name, arrange, [f"response = {read}"], asserts, scene.cites)


def _same(read: str, made: str, reader: Operation, maker: Operation) -> list[Assertion]:
    """That what is read equals what was made, in the fields that both answers have.

    What was not sent, may be null and left out is left to the reading: it may be worked out there alone.
    """
    assert reader.success is not None and maker.success is not None, "asked only where both succeed"
    shown, given = unwrapped(reader.success.schema)[1], unwrapped(maker.success.schema)[1]
    every, theirs = shown.get("properties", {}), given.get("properties", {})
    sure = {*shown.get("required", ())} & {*given.get("required", ())}
    cites = (maker.success.fact, reader.success.fact)
    sent = {each.name for each in maker.members() if each.location == "body"}
    ours = {
        name: each
        for name, each in every.items()
        if not is_decimal(each)
        and not is_moving(name, each)
        and _is_shown_alike(each, theirs.get(name))
        and (name in sent or name in sure or not split_null(each)[1])
    }
    if made and ours and set(ours) == set(every) == set(theirs):
        return [Assertion(f"assert {read} == {made}", cites, inferred=True)]
    return [
        Assertion(f"assert {_field(read, name, sure)} == {_field(made, name, sure)}", cites, inferred=True)
        for name in ours
        if made and name in theirs
    ]


def _is_shown_alike(ours: dict[str, Json], theirs: dict[str, Json] | None) -> bool:
    """Whether two answers show a field in the same way, and not one its name and the other the thing of that name."""
    if theirs is None:
        return True
    items = (split_null(each)[0].get("items") or {} for each in (ours, theirs))
    return kind_of(ours) == kind_of(theirs) and len({str(kind_of(each)) for each in items}) == 1


def _field(answer: str, name: str, sure: set[str]) -> str:
    """The expression for a field of an answer, which may lack it where it is not among the sure ones."""
    return f"{answer}[{literal(name)}]" if name in sure else f"{answer}.get({literal(name)})"
