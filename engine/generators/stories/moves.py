"""Tests of what a request changes of the thing that it is for, and of what its removal gives back."""

from __future__ import annotations

import msgspec

from engine.generators.operations.parts import Parts, ready, status_assertion, succeeds
from engine.generators.operations.requests import asked
from engine.generators.operations.scenes import Scene, content_of
from engine.generators.operations.stage import Stage
from engine.generators.source import literal
from engine.generators.values.schema_values import NoValueError
from planner.cases import Case
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import called, identity_of
from planner.generator import Assertion


def moved(case: Case, operation: Operation, stage: Stage) -> Parts:
    """The numbers of a thing before a request and after it differ by what is told."""
    reader = _reader(case, operation, stage)
    scene, sent = ready(operation, stage)
    through = next((str(each["through"]) for each in case.target["moves"] if each.get("through")), "")
    read = _reading(reader, operation, scene, stage, through)
    arrange = [*scene.lines, f"before = {read}", succeeds("before", reader)]
    act = [*asked("done", sent), f"response = {read}"]
    asserts = [Assertion(succeeds("done", operation), case.cites)]
    assert reader.success is not None, "its caller looked"
    asserts.append(status_assertion("response", reader.success))
    body = sent.body if isinstance(sent.body, dict) else {}
    for each in case.target["moves"]:
        now, then = (_number(name, each["field"], reader) for name in ("response", "before"))
        amount = each["by"] if not isinstance(each["by"], str) else body.get(each["by"])
        if amount is None:
            raise NoValueError(f"the {each['by']} that {operation.key} is sent")
        change = f" {'-' if each['sign'] < 0 else '+'} {literal(amount)}" if amount else ""
        asserts.append(Assertion(f"assert {now} == {then}{change}", case.cites))
    return Parts("", arrange, act, asserts, scene.cites)


def undone(case: Case, operation: Operation, stage: Stage) -> Parts:
    """What a thing took is there again when it was removed."""
    reader, maker = _reader(case, operation, stage), stage.operations.get(str(case.target["made"]))
    if maker is None or maker.success is None or reader.success is None:
        raise NoValueError(f"an operation that makes what {operation.key} removes")
    name = PARAMETER.findall(operation.path)[-1]
    key = identity_of(maker, name)
    if key is None:
        raise NoValueError(f"what identifies what {maker.key} makes")
    scene, sent = ready(maker, stage)
    read, made = _reading(reader, maker, scene, stage), called(maker.path)
    content = content_of(made, maker.success)[0]
    gone = stage.request(
        operation, msgspec.structs.replace(scene, path={**scene.path, name: f"{content}[{literal(key)}]"})
    )
    arrange = [
        *scene.lines,
        f"before = {read}",
        succeeds("before", reader),
        *asked(made, sent),
        succeeds(made, maker),
    ]
    arrange += [f"between = {read}", succeeds("between", reader)]
    act = [f"removed = {gone.call()}", f"response = {read}"]
    now, then, between = (
        _number(each, str(case.target["field"]), reader) for each in ("response", "before", "between")
    )
    asserts = [
        Assertion(succeeds("removed", operation), case.cites),
        Assertion(f"assert {between} != {then}", case.cites),
        Assertion(f"assert {now} == {then}", case.cites),
    ]
    return Parts("", arrange, act, asserts, scene.cites)


def _reader(case: Case, operation: Operation, stage: Stage) -> Operation:
    reader = stage.operations.get(str(case.target["read"]))
    if reader is None or reader.success is None:
        raise NoValueError(f"an operation that reads what {operation.key} changes")
    return reader


def _reading(reader: Operation, operation: Operation, scene: Scene, stage: Stage, through: str = "") -> str:
    """The request that reads the thing which an operation's path names last, or which a field of its own names."""
    names = zip(PARAMETER.findall(reader.path), PARAMETER.findall(operation.path), strict=False)
    path = {name: scene.path[other] for name, other in names}
    if through:
        named = scene.references.get(through) or (scene.created and f"{scene.created}[{literal(through)}]")
        if not named:
            raise NoValueError(f"which one {operation.key} changes beside its own")
        path = {PARAMETER.findall(reader.path)[-1]: named}
    return stage.request(reader, msgspec.structs.replace(scene, path=path)).call()


def _number(name: str, field: str, reader: Operation) -> str:
    return f"{content_of(name, reader.success)[0]}[{literal(field)}]"
