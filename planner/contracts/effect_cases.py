"""The test cases for what an answer owes to its request, where a contract leaves the answer's shape open.

A contract that gives an answer no schema says nothing of its content. What it does say is which values the request
carries, and a value that changes nothing would not be asked for: so another value gives another answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crossval.compare.components import split_null
from graph.facts import Json
from planner.cases import Case, Technique
from planner.contracts.chosen_names import is_made
from planner.contracts.confidential import is_credential
from planner.contracts.envelopes import unwrapped
from planner.contracts.lists import SHOWING, limit_of, offset_of
from planner.contracts.operation_case import operation_case, parameter_case
from planner.contracts.operations import Answer, Member, Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.referring import names_thing
from planner.contracts.resolving import EXAMPLE
from planner.contracts.resources import list_place, singular

_LACKING = frozenset({"404", "410", "4XX"})
# Texts for people; one for programs, as text/csv, may have nothing to list.
_WRITTEN = frozenset({"text/html", "text/plain", "text/markdown"})
_KEPT = ("string", "integer", "number", "boolean")
_CHANGING = frozenset({"POST", "PUT", "PATCH"})
# Values that say how a request is treated on its way.
_TREATING = re.compile(
    r"(?i)^(accept|if|sec|content|access-control|cache|x-(request|correlation|forwarded|trace|b3|amzn|csrf))(-|$)"
    r"|^(user-agent|traceparent|tracestate|origin|referer|host|idempotency[-_]key|prefer|range|date|via|dnt|te)$"
    r"|^(format|lang|language|locale)$"
    r"|^(timeout|wait|dry[-_]?run|async|debug|nonce|no[-_]?cache|callback|callback[-_]?url)$"
    r"|(request|trace|correlation)[-_]?id$"
)
# What a server may say of a thing by itself.
_OWN = re.compile(
    r"(?i)(^|_)(u?u?id|ids|slug|by|at|on|owner|author|user|role|version|revision|status|state|created|updated|modified|"
    r"verified|active|disabled|enabled|admin|superuser|staff|total|count|balance|etag|hash|href|self)$"
    r"|(?-i:[a-z](Ids?|At|By)$)"
)


def effect_cases(operation: Operation, every: Sequence[Operation]) -> Iterator[Case]:
    """The cases of an operation for values that change its answer, and for defaults that can be given as well."""
    answer = operation.success
    if answer is None or operation.method not in ("GET", *_CHANGING) or not _is_reachable(operation, every):
        return
    if operation.method == "GET":
        yield from _defaults(operation, answer, every)
    elif kept_options(operation):
        yield operation_case(
            operation,
            Technique.WHOLE,
            f"{operation.key} takes and shows what may be left out",
            "body",
            {"status": answer.status},
            (operation.body.fact if operation.body is not None else operation.fact.id, answer.fact),
        )
    if operation.method == "GET" and answer.schema is None and _is_written(answer):
        yield _says(operation, answer)
    if not answer.is_open or answer.status == "202":  # What is only accepted is acknowledged, always alike.
        return
    affecting = [member for member in operation.parameters if _affects(member, operation, every)]
    if operation.method != "GET":  # Beside its content, a command is told how to do what it does.
        affecting = [member for member in affecting if member.location == "path"]
    for member in affecting:
        yield parameter_case(
            operation,
            Technique.EFFECT,
            f"Another {member.name} gives another answer of {operation.key}",
            member,
            answer,
        )
    if _shows_its_content(operation) and not _is_conflicting(operation):
        assert operation.body is not None, "it shows it"
        yield operation_case(
            operation,
            Technique.EFFECT,
            f"Another content gives another answer of {operation.key}",
            "body",
            {"place": "body"},
            (operation.body.fact, answer.fact),
        )
    if operation.method == "GET" and not affecting:
        yield _says(operation, answer)


def _shows_its_content(operation: Operation) -> bool:
    """Whether an answer is about what was sent. A command (`POST /search`, `POST /forecast`) may find or work out the
    same of another content, or only acknowledge it; a collection (`POST /items`) has what it is given.
    """
    if operation.body is None or operation.method not in _CHANGING:
        return False
    last = operation.path.rstrip("/").rpartition("/")[2]
    if operation.method == "PATCH" and not last.startswith("{") and singular(last) == last:
        return (
            False  # A part of one thing that is set, as `/orders/{id}/status`: it may only be acknowledged.
        )
    return operation.method != "POST" or last.startswith("{") or singular(last) != last


def _says(operation: Operation, answer: Answer) -> Case:
    words = f"{operation.key} says something"
    return operation_case(operation, Technique.SAYS, words, "responses", {}, (answer.fact,))


def _is_written(answer: Answer) -> bool:
    return answer.media_type.partition(";")[0].strip().lower() in _WRITTEN


def kept_options(operation: Operation) -> list[str]:
    """The fields of a body that may be left out, and that the answer has as well: plain ones, no identities.

    What a server may want to say itself (who, when, whether allowed) is left out, and what has several spellings.
    """
    answer, body = operation.success, operation.body
    if answer is None or answer.schema is None or body is None or EXAMPLE in answer.schema or answer.examples:
        return []
    taken, shown = split_null(body.schema)[0], unwrapped(answer.schema)[1].get("properties")
    if not isinstance(shown, dict) or EXAMPLE in body.schema or body.examples:
        return []
    return [
        name
        for name, each in taken.get("properties", {}).items()
        if name in shown
        and name not in taken.get("required", ())
        and each.get("readOnly") is not True
        and split_null(each)[0].get("type") == split_null(shown[name])[0].get("type")
        and (split_null(each)[0].get("type") in _KEPT or (_is_of_texts(each) and _is_of_texts(shown[name])))
        and split_null(each)[0].get("format") in (None, "date", "int32", "int64", "float", "double")
        and not _OWN.search(name)
        and not is_credential(name)
        and not names_thing(name, each, ())
    ]


def _is_of_texts(schema: dict[str, Json]) -> bool:
    """Whether a value is a list of texts."""
    plain = split_null(schema)[0]
    return plain.get("type") == "array" and split_null(plain.get("items") or {})[0].get("type") == "string"


def _is_reachable(operation: Operation, every: Sequence[Operation]) -> bool:
    """Whether what the path names is there, or can be made: the contract says where it may be lacking."""
    if not any(answer.status in _LACKING for answer in operation.answers):
        return True
    return all(is_made(operation.path, name, every) for name in PARAMETER.findall(operation.path))


def _affects(member: Member, operation: Operation, every: Sequence[Operation]) -> bool:
    """Whether a parameter says what is answered; what names a thing that is made has its own tests."""
    if member.location == "path":
        return not is_made(operation.path, member.name, every) and operation.method != "POST"
    name = member.name.lower()
    if member.is_sent_anyhow or name in SHOWING or _lists_what_is_made(operation, every):
        return False
    return not _TREATING.search(name) and not is_credential(name)


def _lists_what_is_made(operation: Operation, every: Sequence[Operation]) -> bool:
    """Whether an answer shows what others make: what narrows that may leave all of it, or there may be none."""
    path = operation.path.rstrip("/")
    return any(each.method == "POST" and each.path.rstrip("/") == path for each in every)


def _is_conflicting(operation: Operation) -> bool:
    """Whether something that is made once cannot be made again with one value changed."""
    return any(answer.status == "409" for answer in operation.answers)


def _defaults(operation: Operation, answer: Answer, every: Sequence[Operation]) -> Iterator[Case]:
    """A default that is given is as one that is left out; planned where the answer can show it."""
    makers = {each.path.rstrip("/") for each in every if each.method == "POST"}
    cuts = {each.place for each in (limit_of(operation), offset_of(operation)) if each is not None}
    is_filled = list_place(operation) is not None and operation.path.rstrip("/") in makers
    for member in operation.parameters:
        default = member.schema.get("default")
        is_shown = answer.is_open or (is_filled and member.place in cuts)
        if default is None or isinstance(default, list | dict) or member.required or not is_shown:
            continue
        yield parameter_case(
            operation,
            Technique.DEFAULT,
            f"{member.name} of {operation.key} has its default when left out",
            member,
            answer,
            {"value": default},
        )
