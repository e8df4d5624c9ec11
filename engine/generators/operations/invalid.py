"""Tests of the status for what is wrong in a request itself, by the first of its values that can be wrong."""

from __future__ import annotations

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.controls import before
from engine.generators.operations.parts import (
    Parts,
    problem,
    ready,
    refused,
    spoken,
    succeeds,
    tells_places,
    words_of,
)
from engine.generators.operations.requests import FORM, MULTIPART, Sent, asked, with_value, without
from engine.generators.operations.stage import Stage
from engine.generators.values.schema_values import NoValueError, unknown_value, wrong_type
from planner.cases import Case
from planner.contracts.operations import Answer, Member, Operation
from planner.contracts.states import is_vague, unready
from planner.generator import Assertion


def invalid(operation: Operation, answer: Answer, stage: Stage, name: str) -> Parts:
    """A request that is wrong in one of its values is refused with the status for that."""
    scene, sent, taken = before(operation, stage)
    for member in operation.members():
        if member.location == "path" or member.is_sent_anyhow:
            continue
        try:
            wrong, told = _wrongly(sent, member, operation)
        except NoValueError:
            continue
        arrange = [*scene.lines, *taken]
        act = [f"response = {wrong.call()}"]
        return Parts(f"{name}_{told}", arrange, act, problem(answer), scene.cites, negative=True)
    return _of_no_such_name(operation, answer, stage, name)


_FOREIGN = "no_such_field"


def unknown_field(case: Case, operation: Operation, stage: Stage) -> Parts:
    """A body with a field that its schema does not list is refused, beside one that is taken without it."""
    scene, sent, taken = before(operation, stage)
    if not isinstance(sent.body, dict):
        raise NoValueError(f"a body of fields that {operation.key} takes")
    wrong = msgspec.structs.replace(sent, body={**sent.body, _FOREIGN: "anything"})
    name = f"test_{spoken(operation)}_refuses_a_field_that_is_not_listed"
    asserts = [refused(operation, case, is_controlled=bool(taken))]
    act = [f"response = {wrong.call()}"]
    return Parts(name, [*scene.lines, *taken], act, asserts, scene.cites, negative=True)


def _wrongly(sent: Sent, member: Member, operation: Operation) -> tuple[Sent, str]:
    """A request that is wrong in one of its values, and what is wrong with it in words."""
    if member.required:
        return without(sent, member), f"without_{words_of(member)}"
    try:
        value = wrong_type(member.schema, carrier(operation, member))
    except NoValueError:
        if "enum" not in split_null(member.schema)[0]:
            raise
        return with_value(
            sent, member, unknown_value(member.schema)
        ), f"for_{words_of(member)}_that_is_not_listed"
    return with_value(sent, member, value), f"for_{words_of(member)}_of_another_type"


def _of_no_such_name(operation: Operation, answer: Answer, stage: Stage, name: str) -> Parts:
    """A request whose path names what cannot be there, beside one that is taken: it may be looked up in vain as well.

    Where a contract has both answers, it does not tell which comes first; where it has no 404, routes may not take it,
    unless the answer tells the place of each fault, as only what has taken a request can.
    """
    refusal = unready(operation)
    if refusal is not None and is_vague(refusal):
        raise NoValueError(f"a state in which {operation.key} is not refused with {refusal}")
    scene, sent = ready(operation, stage)
    for member in (each for each in operation.members() if each.location == "path"):
        try:
            wrong = with_value(sent, member, wrong_type(member.schema, "path"))
        except NoValueError:
            continue
        vain = next((each for each in operation.answers if each.status == "404"), None)
        asserts = problem(answer)
        if vain is not None or not tells_places(answer):
            cites = (*asserts[0].cites, *([vain.fact] if vain is not None else []))
            if vain is None or vain.schema != answer.schema:
                asserts = [_unless_vain(each) for each in asserts]
            asserts[0] = Assertion(f"assert response.status_code in (404, {answer.status})", cites)
        control = Assertion(succeeds("taken", operation), (answer.fact,))
        act = [f"response = {wrong.call()}", *asked("taken", sent)]
        ending = f"for_{words_of(member)}_of_another_type"
        return Parts(f"{name}_{ending}", [*scene.lines], act, [*asserts, control], scene.cites, negative=True)
    raise NoValueError(f"a request that {operation.key} refuses with {answer.status}")


def _unless_vain(assertion: Assertion) -> Assertion:
    """What holds of an answer, but for one that says that there is no such thing: it has a shape of its own."""
    statement, _, rest = assertion.text.partition(" ")
    if statement == "assert":
        return Assertion(f"assert response.status_code == 404 or {rest}", assertion.cites)
    return Assertion(
        assertion.text.replace("response.json()", "{} if response.status_code == 404 else response.json()"),
        assertion.cites,
    )


def carrier(operation: Operation, member: Member) -> str:
    """The member's location; `form` for a body of which all is sent as text."""
    body = operation.body
    is_form = member.location == "body" and body is not None and body.media_type in (FORM, MULTIPART)
    return "form" if is_form else member.location
