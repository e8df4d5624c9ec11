"""The test cases that a contract's examples ask for: a request that is given as one, and what it is answered with."""

from __future__ import annotations

from collections.abc import Iterator

from graph.facts import Json
from planner.cases import Case, Layer, Technique
from planner.contracts.operations import Answer, Operation
from planner.contracts.resolving import Example
from planner.identity import case_id

_MOST = 6


def example_cases(operation: Operation) -> Iterator[Case]:
    """The cases of an operation's examples of bodies, at most six; one without an answer of its own must succeed."""
    if operation.body is None:
        return
    for number, request in enumerate(operation.body.examples[:_MOST]):
        found = answer_to(operation, request)
        if found is None and (number == 0 or operation.success is None):
            continue  # The first example is what the test of the success sends anyhow.
        answer, example = found or (operation.success, None)
        assert answer is not None, "looked at above"
        told = f"`{request.name}` of {operation.key}" if request.name else f"{operation.key}"
        gives = "answered as in its own example" if example else f"answered with {answer.status}"
        target: dict[str, Json] = {
            "operation": operation.key, "status": answer.status, "name": request.name, "number": number,
        }  # fmt: skip
        yield Case(
            id=case_id(operation.key, Technique.EXAMPLE, target),
            description=f"The example {told} is {gives}",
            subject=operation.key,
            aspect=f"responses.{answer.status}",
            technique=Technique.EXAMPLE,
            layer=Layer.INTEGRATION,
            cites=(operation.body.fact, answer.fact),
            target=target,
        )


def answer_to(operation: Operation, request: Example) -> tuple[Answer, Example] | None:
    """The answer that belongs to an example of a request: the one of its name, or the only one of the success."""
    assert operation.body is not None, "examples of requests are those of bodies"
    if request.name:
        for answer in operation.answers:
            for example in answer.examples:
                if example.name == request.name:
                    return answer, example
        return None
    success = operation.success
    if success is not None and len(success.examples) == 1 and len(operation.body.examples) == 1:
        return success, success.examples[0]
    return None


def example_of(operation: Operation, body: Json) -> tuple[Answer, Json] | None:
    """The answer and its example that belong to a body, where that body is an example; ids may be others."""
    for request in operation.body.examples if operation.body is not None else ():
        if _is_like(request.value, body) and (found := answer_to(operation, request)) is not None:
            return found[0], found[1].value
    return None


def _is_like(example: Json, body: Json) -> bool:
    if not isinstance(example, dict) or not isinstance(body, dict):
        return bool(example == body)
    return example.keys() == body.keys() and all(
        body[name] == each or name.lower().endswith("id") for name, each in example.items()
    )
