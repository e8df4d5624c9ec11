"""Tests of lists that do not show all: what stands otherwise is not in them, and is once it stands so."""

from __future__ import annotations

from engine.generators.operations.listing import brought_by, brought_into_list
from engine.generators.operations.lists import keys_of, listed_things, reading_all
from engine.generators.operations.parts import Parts, ready, status_assertion, succeeds
from engine.generators.operations.scenes import content_of
from engine.generators.operations.stage import Stage
from engine.generators.source import literal
from engine.generators.values.schema_values import NoValueError
from planner.cases import Case
from planner.contracts.operations import Operation
from planner.generator import Assertion


def hidden(case: Case, operation: Operation, stage: Stage) -> Parts:
    """What was made, or brought into a state, is not listed; where an act leads to what is, it is listed after that."""
    lister = stage.operations.get(str(case.target["read"]))
    if lister is None:
        raise NoValueError(f"a list of what {operation.key} makes")
    _, place, key, success = listed_things(lister, stage)
    scene, sent = ready(operation, stage)
    made = f"{content_of('made', operation.success)[0]}[{literal(key)}]"
    arrange = [*scene.lines, f"made = {sent.call()}", succeeds("made", operation)]
    act = stage.operations.get(str(case.target["act"]))
    if act is not None:
        arrange += brought_by(act, made, scene, stage)
    read = reading_all(lister, scene, stage).call()
    asserts = [
        status_assertion("response", success),
        Assertion(keys_of("listed", key, place), case.cites),
        Assertion(f"assert {made} not in listed", case.cites),
    ]
    lines = [f"response = {read}"]
    shown = brought_into_list(lister, "made", scene, stage) if act is None else []
    if shown:
        lines += [*shown, f"then = {read}"]
        asserts += [
            Assertion(keys_of("shown", key, place, "then"), case.cites),
            Assertion(f"assert {made} in shown", case.cites, inferred=True),
        ]
    return Parts("", arrange, lines, asserts, scene.cites)
