"""Tests of a contract's own examples: the request that it shows is answered as it shows."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.answers import equal, place_in, shape, without_weaker
from engine.generators.operations.contract import Stages, written
from engine.generators.operations.echoes import echoed
from engine.generators.operations.parts import (
    Parts,
    answer_of,
    control,
    header_assertions,
    named,
    problem,
    ready,
    spoken,
    status_assertion,
)
from engine.generators.operations.references import naming
from engine.generators.operations.requests import answered
from engine.generators.operations.stage import Stage
from engine.generators.source import Expression, name_of
from engine.generators.values.schema_values import NoValueError
from graph.facts import Json
from planner.cases import Case, Technique
from planner.contracts.example_cases import answer_to
from planner.contracts.operations import FACT, Answer, Operation
from planner.contracts.resources import identity_like
from planner.contracts.transforming import kept_fields
from planner.contracts.violations import keeps
from planner.generator import Assertion, Context, Declined, Draft

_PASSING = frozenset({"date-time", "date", "time", "uuid", "uri", "url"})
_DEPTH = 3


class ExamplesGenerator:
    """Writes one test per example of a request: it is sent, and what its own example says comes back."""

    name = "examples"

    def __init__(self) -> None:
        self._stages = Stages()

    def takes(self, case: Case) -> bool:
        """See `Generator.takes`."""
        return case.technique is Technique.EXAMPLE and isinstance(case.target.get("operation"), str)

    def generate(self, case: Case, context: Context) -> Draft | Declined:
        """See `Generator.generate`."""
        return written(case, context, self._stages.of(context.source), _example)


def _example(case: Case, operation: Operation, stage: Stage) -> Parts:
    number = int(case.target.get("number", 0))
    if operation.body is None or number >= len(operation.body.examples):
        raise NoValueError(f"the example {case.target.get('name') or number} of {operation.key}")
    request = operation.body.examples[number]
    answer = answer_of(operation, str(case.target["status"]))
    kept = keeps(operation.body.schema, request.value)
    found = answer_to(operation, request)
    if found is None and not kept:
        raise NoValueError(
            f"the example answer that belongs to `{request.name or number}`, which the schema does not allow"
        )
    scene, sent = ready(operation, stage)
    usual = sent
    body = request.value
    if isinstance(body, dict):
        body = naming(body, scene.references)
    sent = msgspec.structs.replace(sent, body=body)
    told = f"_{name_of(request.name)}" if request.name else ""
    act = [f"response = {sent.call()}"]
    if not answer.is_success:
        name = f"test_{spoken(operation)}_refuses_its_example{told}"
        arrange = [*scene.lines, *control(operation, usual)]
        return Parts(name, arrange, act, problem(answer), scene.cites, negative=True)
    assertions = [status_assertion("response", answer), *header_assertions("response", answer)]
    thing = named(operation, answer, scene)
    checked = list(_answer(operation, answer, body, found[1].value if found else None, thing))
    if checked:
        assertions += [Assertion(f"{thing} = response.json()", (answer.fact,)), *checked]
    name = f"test_{spoken(operation)}_takes_its_example{told}"
    return Parts(name, [*scene.lines], act, assertions, scene.cites)


def _answer(
    operation: Operation, answer: Answer, body: Json, example: Json, thing: str
) -> Iterator[Assertion]:
    """The assertions on an answer: its shape, and exactly what the example says where that can be known."""
    if answer.schema is None:
        return
    kept = kept_fields(operation, body)
    exact = list(echoed(kept, answer.schema, thing, answer.fact)) if example is None else []
    if example is not None:
        computed = answered("x", answer.status).endswith("200") and _is_computed(answer)
        exact = list(_exactly(operation, answer.schema, body, example, thing, answer.fact, computed))
    yield from without_weaker(list(shape(answer.schema, thing, answer.fact)), exact)
    yield from exact


def _is_computed(answer: Answer) -> bool:
    """Whether an answer is only worked out from its request: nothing in it tells one stored thing from another."""
    return identity_like(split_null(answer.schema or {})[0]) is None


def _exactly(
    operation: Operation,
    schema: dict[str, Json],
    body: Json,
    example: Json,
    place: str,
    fact: str,
    computed: bool,
    depth: int = _DEPTH,
) -> Iterator[Assertion]:
    """What the example says of each field whose value does not depend on the server alone."""
    plain, _ = split_null(schema)
    if not isinstance(example, dict) or depth == 0:
        return
    defaults = operation.given()
    for name, value in example.items():
        field = plain.get("properties", {}).get(name)
        if not isinstance(field, dict):
            continue
        is_sure = name in plain.get("required", ())
        if value is None and not is_sure:
            continue  # It may as well be left out.
        inner, told = place_in(place, name, value, sure=is_sure), str(field.get(FACT, fact))
        sent = body.get(name) if isinstance(body, dict) else None
        if isinstance(sent, Expression):
            yield Assertion(f"assert {equal(inner, sent)}", (fact, told))
        elif isinstance(value, dict):
            yield from _exactly(operation, field, sent, value, inner, fact, computed, depth - 1)
        elif sent == value or _is_known(field, value, defaults.get(name, {}), computed):
            yield Assertion(f"assert {equal(inner, value)}", tuple(dict.fromkeys((fact, told))))


def _is_known(field: dict[str, Json], value: Json, sent: dict[str, Json], computed: bool) -> bool:
    """Whether a value that was not sent can be known: a flag, one of an enumeration, a default, or worked out."""
    plain, _ = split_null(field)
    if plain.get("format") in _PASSING or plain.get("readOnly") is True:
        return False
    if value is None or isinstance(value, bool) or "enum" in plain:
        return True
    return computed or ("default" in sent and sent["default"] == value)
