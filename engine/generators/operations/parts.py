"""What tests of operations are made of: their parts, the assertions on statuses, and the words of their names."""

from __future__ import annotations

import re

import msgspec

from engine.generators.operations.answers import shape
from engine.generators.operations.requests import Sent, answered, asked
from engine.generators.operations.scenes import Scene
from engine.generators.operations.stage import Stage
from engine.generators.source import literal, name_of
from engine.generators.values.schema_values import NoValueError
from planner.cases import Case
from planner.contracts.operations import ITEM, Answer, Member, Operation
from planner.contracts.resources import singular
from planner.contracts.states import statuses_of_invalid
from planner.generator import Assertion

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Parts(msgspec.Struct):
    """What a test is made of, beside what its case says."""

    name: str
    arrange: list[str] = []
    act: list[str] = []
    assertions: list[Assertion] = []
    cites: tuple[str, ...] = ()
    negative: bool = False


def ready(operation: Operation, stage: Stage) -> tuple[Scene, Sent]:
    """What must exist before an operation can succeed, and the smallest request that does."""
    scene = stage.scene(operation)
    return scene, stage.request(operation, scene)


def control(operation: Operation, sent: Sent) -> list[str]:
    """That the request is taken as it is, so that a refusal has no other reason than the one thing that is wrong.

    What would be gone afterwards is not tried: a DELETE is its own control.
    """
    if operation.method == "DELETE" or operation.success is None:
        return []
    return [*asked("taken", sent), succeeds("taken", operation)]


def status_assertion(name: str, answer: Answer) -> Assertion:
    """That an answer has its documented status."""
    return Assertion(f"assert {answered(name, answer.status)}", (answer.fact,))


def header_assertions(name: str, answer: Answer) -> list[Assertion]:
    """That an answer has the headers that are documented as required, and those that a creation always tells."""
    return [
        Assertion(f"assert {literal(header['name'])} in {name}.headers", (answer.fact,))
        for header in answer.headers.values()
        if header.get("required") is True
    ]


def problem(answer: Answer) -> list[Assertion]:
    """That a refusal has its documented status and shape."""
    assertions = [status_assertion("response", answer), *header_assertions("response", answer)]
    if answer.schema is not None and (body := list(shape(answer.schema, "problem", answer.fact))):
        assertions += [Assertion("problem = response.json()", (answer.fact,)), *body]
    return assertions


def success_status(operation: Operation) -> str:
    """The status with which an operation succeeds. Raises NoValueError where none is documented."""
    if operation.success is None:
        raise NoValueError(f"the status with which {operation.key} succeeds")
    return operation.success.status


def succeeds(name: str, operation: Operation) -> str:
    """The statement that an answer is the success of an operation."""
    status, made = success_status(operation), {answer.status for answer in operation.answers}
    if operation.method == "PUT" and "201" in made and status in ("200", "204"):
        # What is put is new, or there before.
        return f"assert {name}.status_code in ({status}, 201)"
    return f"assert {answered(name, status)}"


def refused(operation: Operation, case: Case, *, is_controlled: bool = False) -> Assertion:
    """That a request is refused: with the documented status for invalid input, where there is one.

    A path that names nothing is refused anyhow, so that without such a status nothing can be seen there. Routes may
    also not take what a path has of another type, unless the answer tells the place of each fault: with a control
    (`is_controlled`) a 404 is a refusal as well, and without one nothing can be said where the status may be about
    other values of the request.
    """
    is_path = str(case.target.get("place", "")).startswith("path.")
    alone = all(each.location == "path" for each in operation.members())
    by_status = {answer.status: answer for answer in operation.answers}
    status = next(iter(statuses_of_invalid(operation)), None)
    if is_path and (status is None or not (is_controlled or alone)):
        raise NoValueError(f"the status with which {operation.key} refuses what cannot be in its path")
    # What is looked up in vain, where that is documented too, is refused as what cannot be in the path would be.
    unseen = not is_controlled or "404" in by_status
    if is_path and unseen and not tells_places(by_status[str(status)]):
        raise NoValueError(f"whether {operation.key} finds no route or refuses what cannot be in its path")
    if is_path and is_controlled and not tells_places(by_status[str(status)]):
        return Assertion(f"assert response.status_code in (404, {status})", case.cites)
    if status is not None and case.target.get("bound") == "format" and "404" in by_status:
        # What is in no such format names nothing, so that it may also be looked up in vain.
        return Assertion(f"assert response.status_code in (404, {status})", case.cites)
    if status is not None and operation.own_refusal:
        return Assertion(f"assert response.status_code in ({status}, {operation.own_refusal})", case.cites)
    if status is not None:
        return Assertion(f"assert response.status_code == {status}", case.cites)
    return Assertion("assert 400 <= response.status_code < 500", case.cites)


def tells_places(answer: Answer) -> bool:
    """Whether a refusal lists faults, each with its place in the request (`detail[].loc`), as FastAPI's do."""
    detail = (answer.schema or {}).get("properties", {}).get("detail", {})
    return "loc" in (detail.get("items") or {}).get("properties", {})


def member_of(case: Case, operation: Operation) -> Member:
    """The value that a case is about. Raises NoValueError where the operation does not take it."""
    for member in operation.values():
        if member.place == case.target["place"]:
            return member
    raise NoValueError(f"the value {case.target['place']}, which {operation.key} does not take")


def answer_of(operation: Operation, status: str) -> Answer:
    """The documented answer of a status. Raises NoValueError where there is none."""
    for answer in operation.answers:
        if answer.status == status:
            return answer
    raise NoValueError(f"the answer {status}, which {operation.key} does not document")


def group_of(path: str) -> str:
    """The name of the file that holds an operation's tests: the first literal segment that is no version or `api`."""
    words = [part for part in path.strip("/").split("/") if part and not part.startswith("{")]
    plain = [
        word for word in words if word.lower() != "api" and not (word[:1] in "vV" and word[1:].isdigit())
    ]
    return name_of((plain or words or ["root"])[0])


def named(operation: Operation, answer: Answer, scene: Scene) -> str:
    """A name for what an operation answered, which nothing in its scene has: `todo`, or `todos` for a list."""
    words = [part for part in operation.path.strip("/").split("/") if part and not part.startswith("{")]
    last = name_of(words[-1]) if words else ""
    many = last if singular(last) != last else group_of(operation.path)
    name = many if (answer.schema or {}).get("type") == "array" else name_of(singular(many))
    is_taken = any(line.startswith(f"{name} = ") for line in scene.lines)
    return f"{name}_shown" if is_taken else name


def spoken(operation: Operation) -> str:
    """The operation as words of a name: what its contract calls it (`add_todo`), else its method and path."""
    called = str(operation.fact.aspects.get("operation_id") or "")
    made_up = f"{re.sub(r'[^a-zA-Z0-9_]', '_', operation.path)}_{operation.method.lower()}"
    words = name_of(_CAMEL.sub("_", called.removesuffix(made_up)).rpartition(".")[2])
    if called and words.count("_") in range(1, 6) and not words.endswith("_"):
        return words
    parts = [name_of(part.strip("{}")) for part in operation.path.strip("/").split("/") if part]
    return "_".join([operation.method.lower(), *(parts or ["root"])])


def words_of(member: Member) -> str:
    """The words of a value's place: `address_street`."""
    parts = [part for part in member.path if part not in ("body", ITEM)]
    return name_of(_CAMEL.sub("_", " ".join([*parts, "item"] if member.is_item else parts)))


def snake(bound: str) -> str:
    """A keyword as words of a name: `max_length`."""
    return _CAMEL.sub("_", bound).lower()
