"""Tests with a second caller, whose account is made as the first one's is, and who has made nothing."""

from __future__ import annotations

import msgspec

from engine.generators.operations.listing import brought_into_list
from engine.generators.operations.lists import keys_of, listed_things, reading_all
from engine.generators.operations.parts import (
    Parts,
    answer_of,
    control,
    problem,
    ready,
    spoken,
    status_assertion,
    succeeds,
)
from engine.generators.operations.requests import CALLERS
from engine.generators.operations.scenes import content_of
from engine.generators.operations.stage import Stage
from engine.generators.source import literal
from engine.generators.values.schema_values import NoValueError
from planner.cases import Case
from planner.contracts.operations import Operation
from planner.contracts.parties import hides_from_others
from planner.generator import Assertion

STRANGER = CALLERS[1]
"""The fixture with the headers of the second caller."""


def refused_to_others(case: Case, operation: Operation, stage: Stage) -> Parts:
    """What one caller made is refused to another."""
    answer = answer_of(operation, str(case.target["status"]))
    scene, sent = ready(operation, stage)
    if not scene.created:
        raise NoValueError(f"what a caller of {operation.key} made")
    if hides_from_others(operation, stage.operations.values()):
        raise NoValueError(f"a thing of another caller that {operation.key} does not call unknown")
    arrange = [*scene.lines, *control(operation, sent)]
    act = [f"response = {msgspec.structs.replace(sent, caller=STRANGER).call()}"]
    name = f"test_{spoken(operation)}_is_refused_with_{answer.status}_to_another_caller"
    return Parts(name, arrange, act, problem(answer), scene.cites, negative=True)


def refused_to_its_owner(case: Case, operation: Operation, stage: Stage) -> Parts:
    """Whoever made a thing is refused what others may do with it."""
    answer = answer_of(operation, str(case.target["status"]))
    scene, sent = ready(operation, stage)
    arrange = [*scene.lines, *control(operation, sent)]
    act = [f"response = {msgspec.structs.replace(sent, caller=STRANGER).call()}"]
    name = f"test_{spoken(operation)}_is_refused_with_{answer.status}_for_what_is_ones_own"
    return Parts(name, arrange, act, problem(answer), scene.cites, negative=True)


def shown_to_its_owner(case: Case, operation: Operation, stage: Stage) -> Parts:
    """What one caller made stands in the list of that one, and not in that of another."""
    thing, place, key, success = listed_things(operation, stage)
    scene, sent = ready(thing.maker, stage)
    listing = reading_all(operation, scene, stage)
    made = f"{content_of('made', thing.maker.success)[0]}[{literal(key)}]"
    act = [
        f"own = {listing.call()}",
        f"response = {msgspec.structs.replace(listing, caller=STRANGER).call()}",
    ]
    asserts = [
        status_assertion("response", success),
        Assertion(keys_of("shown", key, place, "own"), case.cites),
        Assertion(keys_of("others", key, place), case.cites),
        Assertion(f"assert {made} in shown", case.cites),
        Assertion(f"assert {made} not in others", case.cites),
    ]
    arrange = [*scene.lines, f"made = {sent.call()}", succeeds("made", thing.maker)]
    arrange += brought_into_list(operation, "made", scene, stage)
    return Parts("", arrange, act, asserts, scene.cites)
