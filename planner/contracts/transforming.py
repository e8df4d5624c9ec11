"""Which fields of a body an operation works on, so that its answer may show them otherwise than they were sent."""

from __future__ import annotations

import itertools

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.envelopes import unwrapped
from planner.contracts.operations import Answer, Operation
from planner.contracts.resolving import Example
from planner.contracts.unknowable import is_content

_NUMBERS = ("integer", "number")


def worked_on(operation: Operation) -> frozenset[str]:
    """The fields of a body that its answer has too, and of which nobody can expect that they come back as they are.

    The examples of request and answer never have the same there; or the operation makes nothing that can be found
    again, and the field is called as what is worked on: the `text` of `POST /translate`. What an act is told in
    numbers may be added to those of its thing: the `days` of `POST /rentals/{id}/extend`.
    """
    answer = operation.success
    if operation.body is None or answer is None:
        return frozenset()
    shown = unwrapped(answer.schema)[1].get("properties", {})
    sent = split_null(operation.body.schema)[0].get("properties", {})
    both = [name for name in sent if name in shown]
    told = {name for name in both if _differs(name, operation.body.examples, answer)}
    if operation.method == "POST" and answer.status != "201" and not _identifies(shown):
        told |= {name for name in both if is_content(name)}
    if operation.method == "POST" and answer.status != "201" and "}/" in operation.path:
        told |= {name for name in both if split_null(sent[name])[0].get("type") in _NUMBERS}
    return frozenset(told)


def kept_fields(operation: Operation, body: Json) -> Json:
    """A body without the fields that the operation works on."""
    changed = worked_on(operation) if isinstance(body, dict) else frozenset()
    return {name: each for name, each in body.items() if name not in changed} if changed else body


def _differs(name: str, asked: tuple[Example, ...], answer: Answer) -> bool:
    pairs = [
        (each.value[name], other.value[name])
        for each, other in itertools.product(asked, answer.examples)
        if isinstance(each.value, dict) and name in each.value
        if isinstance(other.value, dict) and name in other.value
    ]
    return bool(pairs) and all(given != got for given, got in pairs)


def _identifies(shown: dict[str, Json]) -> bool:
    return any(name in ("id", "uuid", "slug", "key") or name.endswith(("_id", "Id")) for name in shown)
