"""Tests of what an answer owes to its request, where nothing is said of its shape; all of it is inferred."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.echoes import echoed
from engine.generators.operations.listing import peopled
from engine.generators.operations.parts import (
    Parts,
    member_of,
    named,
    ready,
    spoken,
    status_assertion,
    succeeds,
    words_of,
)
from engine.generators.operations.requests import Sent, asked, is_file, with_value, without
from engine.generators.operations.scenes import Scene, content_of
from engine.generators.operations.stage import Stage
from engine.generators.source import Expression, name_of
from engine.generators.values.distinct import is_of_one
from engine.generators.values.other_values import other
from engine.generators.values.schema_values import NoValueError, valid
from engine.generators.values.texts import as_label
from graph.facts import Json
from planner.cases import Case
from planner.contracts.chosen_names import Place
from planner.contracts.effect_cases import kept_options
from planner.contracts.operations import Answer, Member, Operation
from planner.contracts.transforming import kept_fields
from planner.generator import Assertion

_WHOLE = "body"


def affecting(case: Case, operation: Operation) -> list[str]:
    """The places of the values that the test of an effect changes, one after the other."""
    place = str(case.target["place"])
    body = operation.body
    if place != _WHOLE or body is None:
        return [place]
    try:
        whole = Stage([operation]).request(operation, Scene(), whole=True)
    except NoValueError:
        return [place]
    fields = [name for name, _ in _changed(whole)]
    return [f"{_WHOLE}.{name}" for name in fields] if isinstance(whole.body, dict) else [place]


def effect(case: Case, operation: Operation, stage: Stage) -> Parts:
    """Another value gives another answer; of a body one field after the other."""
    answer = _answer(operation)
    scene = stage.scene(operation)
    if case.target["place"] == _WHOLE:
        usual = stage.request(operation, scene, whole=True)
        return _of_body(operation, answer, scene, usual, stage.naming(operation))
    member = member_of(case, operation)
    sent = stage.request(operation, scene)
    usual = sent if member.required else without(sent, member)
    changed = with_value(sent, member, _another(member, sent))
    arrange = [*scene.lines, *asked("usual", usual), succeeds("usual", operation)]
    asserts = [status_assertion("response", answer), _differs("response", operation, case.cites, member)]
    name = f"test_{spoken(operation)}_answers_another_{words_of(member)}_otherwise"
    return Parts(name, arrange, asked("response", changed), asserts, scene.cites)


def whole(case: Case, operation: Operation, stage: Stage) -> Parts:
    """What may be left out is taken, and comes back."""
    answer = _answer(operation)
    scene = stage.scene(operation, optional=True)
    sent = stage.request(operation, scene, whole=True)
    options = kept_options(operation)
    if answer.schema is None or not isinstance(sent.body, dict):
        raise NoValueError(f"what {operation.key} may leave out")
    thing = named(operation, answer, scene)
    given = dict(_given(sent, options))
    sent = msgspec.structs.replace(sent, body={**sent.body, **given})
    content, schema = content_of("response", answer)
    echo = list(echoed(kept_fields(operation, given), schema, thing, answer.fact))
    if not echo:
        raise NoValueError(f"what {operation.key} may leave out")
    asserts = [
        status_assertion("response", answer),
        Assertion(f"{thing} = {content}", (answer.fact,)),
        *echo,
    ]
    name = f"test_{spoken(operation)}_takes_what_may_be_left_out"
    return Parts(name, [*scene.lines], asked("response", sent), asserts, scene.cites)


def _given(sent: Sent, options: list[str]) -> Iterator[tuple[str, Json]]:
    """What is given for what may be left out: another value than its default where there is one."""
    fields = sent.operation.given()
    for name in options:
        if isinstance(sent.body, dict) and name in sent.body:
            value = sent.body[name]
            with contextlib.suppress(NoValueError):
                value = other(fields[name], value, name) if value == fields[name].get("default") else value
            items = split_null(fields[name])[0].get("items") or {}
            yield name, [as_label(items, each) for each in value] if isinstance(value, list) else value


def says(case: Case, operation: Operation, stage: Stage) -> Parts:
    """A reading says something."""
    answer = _answer(operation)
    scene, sent = ready(operation, stage)
    nothing = (
        'response.content.strip() not in (b"", b"null")' if answer.is_open else "response.content.strip()"
    )
    text = f"assert {nothing}"
    told = Assertion(text, case.cites, inferred=True)
    asserts = [status_assertion("response", answer), told]
    name = f"test_{spoken(operation)}_says_something"
    return Parts(name, [*scene.lines], [f"response = {sent.call()}"], asserts, scene.cites)


def explicit_default(case: Case, operation: Operation, stage: Stage) -> Parts:
    """What is left out and what is given as its default are answered alike."""
    member, answer = member_of(case, operation), _answer(operation)
    if operation.method == "PATCH" or (operation.method == "POST" and _is_kept(operation, stage)):
        raise NoValueError(f"whether {operation.key} answers alike twice")
    scene = peopled(operation, stage)
    sent = stage.request(operation, scene)
    explicit = with_value(sent, member, case.target["value"])
    arrange = [*scene.lines, *asked("explicit", explicit), succeeds("explicit", operation)]
    told, shown = "response.json()", "explicit.json()"
    if operation.method == "POST" and answer.schema is not None and answer.schema.get("type") == "object":
        arrange.append(f"again = {explicit.call()}.json()  # What tells of the moment differs.")
        arrange.append("same = {k for k, v in explicit.json().items() if again.get(k) == v}")
        told, shown = (f"{{k: {each}.get(k) for k in same}}" for each in (told, shown))
    same = Assertion(f"assert {told} == {shown}", case.cites, inferred=True)
    asserts = [status_assertion("response", answer), same]
    name = f"test_{spoken(operation)}_gives_{words_of(member)}_its_default"
    return Parts(name, arrange, [f"response = {without(sent, member).call()}"], asserts, scene.cites)


def _answer(operation: Operation) -> Answer:
    if operation.success is None:
        raise NoValueError(f"the status with which {operation.key} succeeds")
    return operation.success


def _is_kept(operation: Operation, stage: Stage) -> bool:
    """Whether something shows what the operation makes, so that a second one is another thing."""
    path = operation.path.rstrip("/")
    return any(
        each.method == "GET" and (each.path.rstrip("/") == path or each.path.startswith(f"{path}/"))
        for each in stage.operations.values()
    )


def _of_body(
    operation: Operation, answer: Answer, scene: Scene, usual: Sent, naming: Collection[Place]
) -> Parts:
    """What is made under a name that its client chooses, or that one thing alone has, is made under another one, since
    it may be made only once."""
    assert operation.body is not None, "planned only where there is one"
    act: list[str] = []
    asserts: list[Assertion] = []
    alone = (
        {*naming, *((name,) for name in usual.body if is_of_one(name))}
        if isinstance(usual.body, dict)
        else ()
    )
    for field, body in _changed(usual):
        if alone and (field,) not in alone:
            continue
        name = f"with_other_{name_of(field)}" if field else "response"
        act += asked(name, msgspec.structs.replace(usual, body=body))
        asserts += [
            status_assertion(name, answer),
            _differs(name, operation, (operation.body.fact, answer.fact)),
        ]
    if not act:
        raise NoValueError(f"another content of {operation.key}")
    arrange = [*scene.lines, *asked("usual", usual), succeeds("usual", operation)]
    return Parts(
        f"test_{spoken(operation)}_answers_another_content_otherwise", arrange, act, asserts, scene.cites
    )


def _changed(usual: Sent) -> Iterator[tuple[str, Json]]:
    """The body with each of its fields changed in turn, by the field's name; as a whole where it has none."""
    assert usual.operation.body is not None, "asked only where there is one"
    schema = usual.operation.body.schema
    if not isinstance(usual.body, dict):
        yield "", other(schema, usual.body, "body")
        return
    plain = split_null(schema)[0]
    fields = plain.get("properties", {})
    for name, value in usual.body.items():
        if isinstance(value, Expression) or name not in fields or is_file(fields[name]):
            continue
        if "enum" in split_null(fields[name])[0] and name not in plain.get("required", ()):
            continue  # Another choice may ask for other fields.
        try:
            yield name, {**usual.body, name: other(fields[name], value, name)}
        except NoValueError:
            continue


def _another(member: Member, sent: Sent) -> Json:
    """A value that a parameter does not have anyhow, as a single one where it is no query."""
    first = valid(member.schema, member.name)
    default = member.schema.get("default")
    value = other(member.schema, first, member.name) if member.required or first == default else first
    if member.location in ("header", "cookie") and isinstance(value, list):
        return value[0] if value else ""
    return value


def _differs(
    name: str, operation: Operation, cites: tuple[str, ...], member: Member | None = None
) -> Assertion:
    """That an answer is another one than usual; a PUT may also say nothing at all, and what narrows a list that is
    empty leaves it so.
    """
    is_narrowing = member is not None and member.location == "query" and operation.method == "GET"
    nothing = "usual.json() in ([], {}) or " if is_narrowing else ""
    nothing = "usual.json() is None or " if operation.method == "PUT" else nothing
    return Assertion(f"assert {nothing}{name}.json() != usual.json()", cites, inferred=True)
