"""Tests of what is refused, or taken, of a thing that stands in a certain way."""

from __future__ import annotations

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.answers import equal, place_in
from engine.generators.operations.parts import Parts, answer_of, problem, ready, succeeds
from engine.generators.operations.scenes import Scene
from engine.generators.operations.stage import Stage
from engine.generators.values.schema_values import NoValueError
from graph.facts import Json
from planner.cases import Case
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resolving import EXAMPLE
from planner.generator import Assertion


def standing(case: Case, operation: Operation, stage: Stage) -> Parts:
    """A thing is made that stands so, which its answer shows; then the operation refuses it, or takes it."""
    field, value = str(case.target["field"]), case.target["value"]
    maker = stage.operations.get(str(case.target["maker"]))
    if "act" in case.target:
        return _of_act(case, operation, stage)
    if maker is None or maker.body is None:
        raise NoValueError(f"an operation that makes what {operation.key} is about")
    changer = stage.operations.get(str(case.target.get("changer", "")))
    if changer is None:
        stage = stage.with_operation(made_so(maker, field, value))
    scene, sent = ready(operation, stage)
    if not scene.created:
        raise NoValueError(f"something that {operation.key} is about: no operation makes one")
    lines = [*scene.lines]
    if changer is None:
        lines.append(f"assert {equal(place_in(scene.created, field, value), value)}")
    else:
        lines += _changed(changer, operation, scene, stage, {field: value})
    act = [f"response = {sent.call()}"]
    if case.target.get("refused") is not True:
        return Parts("", lines, act, [Assertion(succeeds("response", operation), case.cites)], scene.cites)
    return Parts("", lines, act, _refused(case, operation), scene.cites, negative=True)


def _of_act(case: Case, operation: Operation, stage: Stage) -> Parts:
    """A thing is brought into a state by an act, or is not where none is named, and the operation refuses it."""
    act = stage.operations.get(str(case.target["act"]))
    scene = stage.scene(operation, as_made=True) if act is None else stage.brought_by(act, operation)
    request = [f"response = {stage.request(operation, scene).call()}"]
    return Parts("", [*scene.lines], request, _refused(case, operation), scene.cites, negative=True)


def _refused(case: Case, operation: Operation) -> list[Assertion]:
    """That the operation refuses its request, as its contract describes the status that is told."""
    status = str(case.target["status"])
    if any(answer.status == status for answer in operation.answers):
        asserts = problem(answer_of(operation, status))
        asserts[0] = Assertion(asserts[0].text, tuple(dict.fromkeys((*case.cites, *asserts[0].cites))))
    else:
        condition = f"response.status_code == {status}" if status else "400 <= response.status_code < 500"
        asserts = [Assertion(f"assert {condition}", case.cites)]
    return asserts


def made_so(maker: Operation, field: str, value: Json) -> Operation:
    """The operation that makes a thing, so that what it makes stands so."""
    assert maker.body is not None, "its caller looked"
    schema = split_null(maker.body.schema)[0]
    fields = schema.get("properties", {})
    only = {**split_null(fields.get(field, {}))[0], "enum": [value], EXAMPLE: value}
    changed = {
        **schema,
        "properties": {**fields, field: only},
        "required": list(dict.fromkeys((*schema.get("required", ()), field))),
    }
    if isinstance(schema.get(EXAMPLE), dict):
        changed[EXAMPLE] = {**schema[EXAMPLE], field: value}
    return msgspec.structs.replace(maker, body=msgspec.structs.replace(maker.body, schema=changed))


def _changed(
    changer: Operation, operation: Operation, scene: Scene, stage: Stage, change: dict[str, Json]
) -> list[str]:
    """The lines that change the thing of a scene, which the operation's path names last."""
    names = PARAMETER.findall(operation.path), PARAMETER.findall(changer.path)
    path = {**scene.path, names[1][-1]: scene.path[names[0][-1]]}
    sent = stage.request(changer, msgspec.structs.replace(scene, path=path))
    body = sent.body if isinstance(sent.body, dict) else {}
    sent = msgspec.structs.replace(sent, body={**body, **change})
    return [f"changed = {sent.call()}", succeeds("changed", changer)]
