"""What is refused since there is such a thing: the same again, or another one with what no two have in common."""

from __future__ import annotations

import contextlib

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.parts import Parts, problem, ready, succeeds
from engine.generators.operations.requests import Sent, asked
from engine.generators.operations.scenes import Scene
from engine.generators.operations.stage import Stage
from engine.generators.operations.two_things import another
from engine.generators.values.other_values import other
from engine.generators.values.schema_values import NoValueError
from planner.contracts.operations import Answer, Operation
from planner.contracts.states import told_unique
from planner.contracts.violations import keeps


def again(operation: Operation, answer: Answer, stage: Stage, name: str, caseless: str = "") -> Parts:
    """The same request a second time is refused; also with a `caseless` field in letters of the other case."""
    scene, sent = ready(operation, stage)
    first = [*scene.lines, *asked("first", sent), succeeds("first", operation)]
    second = _sharing(sent, told_unique(operation), scene, stage) if answer.status == "409" else sent
    if caseless:
        second = _in_other_case(second, sent, caseless)
    return Parts(name, first, [f"response = {second.call()}"], problem(answer), scene.cites, negative=True)


def _in_other_case(second: Sent, first: Sent, name: str) -> Sent:
    """The second request with a text of the first in letters of the other case. Raises NoValueError."""
    told = first.body.get(name) if isinstance(first.body, dict) else None
    schema = first.operation.given().get(name, {})
    ways = [each for each in (told.upper(), told.lower()) if each != told] if isinstance(told, str) else []
    fitting = [each for each in ways if keeps(schema, each)]
    if not fitting or not isinstance(second.body, dict):
        raise NoValueError(f"a {name} of {first.operation.key} in upper and lower case")
    return msgspec.structs.replace(second, body={**second.body, name: fitting[0]})


def _sharing(sent: Sent, name: str, scene: Scene, stage: Stage) -> Sent:
    """Another request with this field in common, where a conflict is about that alone, and with what names things."""
    if not name or not isinstance(sent.body, dict) or name not in sent.body or sent.operation.body is None:
        return sent
    fields = sent.operation.given()
    other_one = another(sent, stage).body
    body = dict(sent.body)
    for each, value in (other_one if isinstance(other_one, dict) else {}).items():
        if each == name or each in scene.references or stage.names_another(each, fields.get(each, {})):
            continue
        body[each] = value
        if value == sent.body.get(each) and "enum" in split_null(fields.get(each, {}))[0]:
            with contextlib.suppress(NoValueError):
                body[each] = other(fields[each], value, each)
    return msgspec.structs.replace(sent, body=body)
