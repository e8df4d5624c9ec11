"""A criterion as a model reads it, in requests: the form asked of it, and whether contract and words bear it out."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from engine.llm.fences import unfenced
from engine.llm.words import leaves, tells_refusal, unnamed, unread, words_of
from graph.facts import Fact, Json
from planner.contracts.operations import Operation
from planner.stories.asked import Asked, asked_of
from planner.stories.exchanges import Exchange, UnclearExchange

_REQUESTS = 4
_SUCCESS = re.compile(r"2\d\d|2XX", re.IGNORECASE)


class Request(msgspec.Struct, frozen=True):
    """A request as a model names it, with what it expects of the answer."""

    method: str
    path: str
    query: dict[str, Json] = {}
    body: Json = None
    status: str = ""
    answer: dict[str, Json] = {}


class Reply(msgspec.Struct, frozen=True):
    """The requests that check a criterion, or which piece is missing."""

    requests: list[Request]
    missing: str = ""


def schema_of(operations: Sequence[Operation]) -> dict[str, Json]:
    """The JSON schema of a reply: methods, statuses and names of the query are those that the operations have."""
    statuses = dict.fromkeys(answer.status for each in operations for answer in each.answers)
    queries = dict.fromkeys(
        each.name for operation in operations for each in operation.parameters if each.location == "query"
    )
    request: dict[str, Json] = {
        "type": "object",
        "properties": {
            "method": {"enum": list(dict.fromkeys(each.method for each in operations))},
            "path": {"type": "string"},
            "query": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in queries},
                "additionalProperties": False,
            },
            "body": {"type": ["object", "array", "null"]},
            "status": {"enum": ["", *statuses]},
            "answer": {"type": "object"},
        },
        "required": ["method", "path", "query", "body", "status", "answer"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "requests": {"type": "array", "items": request, "maxItems": _REQUESTS},
            "missing": {"type": "string"},
        },
        "required": ["requests", "missing"],
        "additionalProperties": False,
    }


def parsed(reply: str) -> Reply:
    """A reply read. Raises UnclearExchange where it does not have the form."""
    try:
        return msgspec.json.decode(unfenced(reply), type=Reply)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnclearExchange(f"requests in the form that the model was asked for ({error})") from None


def checked(reply: Reply, criterion: Fact, operations: Sequence[Operation]) -> list[Asked]:
    """The requests of a reply, once all that they name is in the contract, and all that they expect is told.

    Raises UnclearExchange with what is wrong.
    """
    if not reply.requests:
        raise UnclearExchange(reply.missing or "what to send: the model found no requests")
    if len(reply.requests) > _REQUESTS:
        raise UnclearExchange(f"fewer requests: the model found {len(reply.requests)}")
    *before, last = reply.requests
    exchanges = [
        *(Exchange(each.method, each.path, each.query, body=each.body) for each in before),
        Exchange(
            last.method,
            last.path,
            last.query,
            body=last.body,
            status=last.status,
            answer=(last.answer,) if last.answer else (),
            in_part=True,
        ),
    ]
    asked = asked_of(exchanges, operations)
    for each in asked:
        _check_names(each)
    _check_expected(asked, criterion)
    _check_whole(asked, criterion)
    return asked


def _check_names(asked: Asked) -> None:
    operation, exchange = asked.operation, asked.exchange
    known = {each.name for each in operation.parameters if each.location == "query"}
    for name in exchange.query:
        if name not in known:
            raise UnclearExchange(f"a parameter {name} of {operation.key}, which the model made up")
    if exchange.body is not None and operation.body is None:
        raise UnclearExchange(f"a body of {operation.key}, which the model made up")
    fields = operation.body.schema.get("properties") if operation.body is not None else None
    if isinstance(fields, dict) and isinstance(exchange.body, dict):
        for name in exchange.body:
            if name not in fields:
                raise UnclearExchange(
                    f"a field {name} in the body of {operation.key}, which the model made up"
                )


def _check_expected(asked: Sequence[Asked], criterion: Fact) -> None:
    """What is expected of the last answer: a documented status, and values that the criterion or a request names."""
    operation, exchange = asked[-1].operation, asked[-1].exchange
    answer = next((each for each in operation.answers if each.status == exchange.status), None)
    if answer is None:
        raise UnclearExchange(f"the status of {operation.key}: {exchange.status or 'none'} is not documented")
    if not _SUCCESS.fullmatch(exchange.status) and not tells_refusal(words_of(criterion)):
        raise UnclearExchange(f"a refusal by {operation.key}, of which the criterion says nothing")
    if (
        _SUCCESS.fullmatch(exchange.status)
        and not exchange.answer
        and exchange.status not in words_of(criterion)
    ):
        raise UnclearExchange(f"what of the answer of {operation.key} shows it: that it succeeds does not")
    sent = [leaf for each in asked for leaf in leaves([each.exchange.body, each.exchange.query])]
    fields = answer.schema.get("properties") if answer.schema is not None else None
    for said in exchange.answer:
        for name in said:
            if not isinstance(fields, dict) or name not in fields:
                raise UnclearExchange(
                    f"a field {name} in the answer of {operation.key}, which the model made up"
                )
        for value in unnamed(said, words_of(criterion), sent):
            raise UnclearExchange(
                f"where the expected {value!r} comes from: neither criterion nor request has it"
            )


def _check_whole(asked: Sequence[Asked], criterion: Fact) -> None:
    """No value that the criterion names was left out."""
    every = [each.exchange for each in asked]
    used = [leaf for each in every for leaf in leaves([each.body, each.query, list(each.answer), each.path])]
    fields = [name for each in every for told in (each.body, each.query, *each.answer) for name in told or ()]
    names = [*(each.operation.key for each in asked), *map(str, fields), every[-1].status]
    for value in unread(words_of(criterion), used, names):
        raise UnclearExchange(f"what “{value}” means: the requests leave it out")
