"""Tests of what is refused for the sake of other things: some that are there, too little, or one that is not there."""

from __future__ import annotations

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.nowhere import NOWHERE
from engine.generators.operations.parts import Parts, problem, ready
from engine.generators.operations.references import referred
from engine.generators.operations.requests import answered, asked
from engine.generators.operations.stage import Stage
from engine.generators.source import Expression, literal, name_of
from engine.generators.values.distinct import name_in_path, tag_of
from engine.generators.values.schema_values import NoValueError, valid
from graph.facts import Json
from planner.contracts.conflicts import Holding, exceeding_of, holding_of, lacking_of, not_zero_of
from planner.contracts.operations import Answer, Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import called
from planner.contracts.supplies import raising


def conflicting(operation: Operation, answer: Answer, stage: Stage, name: str) -> Parts | None:
    """The test of a refusal whose words speak of other things; None where they do not, or not surely of which."""
    every = stage.operations.values()
    if (holding := holding_of(operation, answer, every)) is not None:
        return _held(operation, answer, holding, stage, name)
    if (field := not_zero_of(operation, answer, every)) is not None:
        return _not_zero(operation, answer, field, stage, name)
    if exceeding_of(operation, answer, every) is not None:
        return _exceeded(operation, answer, stage, name)
    return _lacking(operation, answer, stage, name)


def _held(operation: Operation, answer: Answer, holding: Holding, stage: Stage, name: str) -> Parts:
    """A thing that others are in is not removed."""
    maker, last = holding.maker, PARAMETER.findall(operation.path)[-1]
    assert maker.success is not None, "it would hold nothing"
    scene, sent = ready(maker, stage)
    if holding.field:
        identity = scene.references.get(holding.field)
    else:
        identity = scene.path.get(PARAMETER.findall(maker.path)[-1])
    if identity is None:
        raise NoValueError(f"what {maker.key} is made for")
    held = f"held_{called(maker.path)}"
    arrange = [*scene.lines, *asked(held, sent), f"assert {answered(held, maker.success.status)}"]
    there = msgspec.structs.replace(scene, path={**scene.path, last: identity})
    act = [f"response = {stage.request(operation, there).call()}"]
    cites = tuple(dict.fromkeys((*scene.cites, maker.success.fact)))
    return Parts(
        f"{name}_with_{called(maker.path)}_in_it", arrange, act, problem(answer), cites, negative=True
    )


def _not_zero(operation: Operation, answer: Answer, field: str, stage: Stage, name: str) -> Parts | None:
    """A thing of which a number is not zero is refused; None where nothing tells what raises it."""
    supply = raising(field, operation, stage.operations.values())
    if supply is None:
        return None
    scene = stage.scene(operation)
    scene = stage.with_acts(scene, [supply.operation], {supply.amount: supply.number})
    act = [f"response = {stage.request(operation, scene).call()}"]
    ending = f"_where_{name_of(field)}_is_not_zero"
    return Parts(f"{name}{ending}", [*scene.lines], act, problem(answer), scene.cites, negative=True)


def _exceeded(operation: Operation, answer: Answer, stage: Stage, name: str) -> Parts:
    """One more than there is is not taken."""
    found = exceeding_of(operation, answer, stage.operations.values())
    scene = stage.scene(operation, supplied=False)
    sent = stage.request(operation, scene)
    if found is None or not scene.created or not isinstance(sent.body, dict):
        raise NoValueError(f"how much of it there is for {operation.key}")
    if found.field not in scene.shown and found.most is None:
        raise NoValueError(f"how much of it there is: {operation.key} is about things that may not show it")
    more = Expression(f"{scene.created}[{literal(found.field)}] + 1") if found.most is None else found.most
    sent = msgspec.structs.replace(sent, body={**sent.body, found.amount: more})
    act = [f"response = {sent.call()}"]
    ending = f"_for_more_than_is_{found.field}"
    return Parts(f"{name}{ending}", [*scene.lines], act, problem(answer), scene.cites, negative=True)


def _lacking(operation: Operation, answer: Answer, stage: Stage, name: str) -> Parts | None:
    """What names something that is not there is not taken."""
    found = lacking_of(operation, answer, stage.operations.values())
    if found is None:
        return None
    field, maker = found
    scene, sent = ready(operation, stage)
    fields = operation.given()
    made, is_list = referred(field, fields[field], stage.operations.values())
    identity = split_null(maker.shown().get(made[1], {}))[0] if made is not None else {}
    kind = "uuid" if identity.get("format") == "uuid" else str(identity.get("type"))
    if is_list or kind not in NOWHERE or not isinstance(sent.body, dict):
        raise NoValueError(f"a {field} that names nothing")
    lost: Json = NOWHERE[kind]
    if "pattern" in split_null(fields[field])[0]:
        lost = name_in_path(fields[field], valid(fields[field], field), tag_of(f"{stage.tag} nothing"))
    sent = msgspec.structs.replace(sent, body={**sent.body, field: lost})
    act = [f"response = {sent.call()}"]
    ending = f"_where_there_is_no_such_{called(maker.path)}"
    return Parts(f"{name}{ending}", [*scene.lines], act, problem(answer), scene.cites, negative=True)
