"""The test cases that a contract's operations ask for: each documented behaviour, each bound from both sides, state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crossval.compare.components import split_null
from graph.facts import Json
from planner.cases import Case, Technique
from planner.contracts.effect_cases import effect_cases
from planner.contracts.example_cases import example_cases
from planner.contracts.list_cases import list_cases
from planner.contracts.lists import limit_of, offset_of
from planner.contracts.operation_case import operation_case
from planner.contracts.operations import Body, Member, Operation, is_json
from planner.contracts.schemes import refuses_unknown, wrong_credentials
from planner.contracts.state_cases import state_cases
from planner.contracts.things import things

# What may be, and what must be.
_BOUNDS = {
    "minLength": ("have as few as {} characters", "have at least {} characters"),
    "maxLength": ("have as many as {} characters", "have at most {} characters"),
    "minimum": ("be as little as {}", "be at least {}"),
    "maximum": ("be as much as {}", "be at most {}"),
    "exclusiveMinimum": ("be just above {}", "be more than {}"),
    "exclusiveMaximum": ("be just below {}", "be less than {}"),
    "minItems": ("have as few as {} items", "have at least {} items"),
    "maxItems": ("have as many as {} items", "have at most {} items"),
    "multipleOf": ("be a multiple of {}", "be a multiple of {}"),
}
_ONE_SIDED = frozenset(
    {"multipleOf"}
)  # `uniqueItems` is what sets are exported as, which take an item twice.
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_FORMATS = frozenset({"date", "date-time", "uuid", "email", "uri"})
"""Formats whose values are of another type for nearly every implementation, or which each framework can check."""
_OPEN = frozenset({"body", "query"})
_AUTHENTICATION = ("401", "403")
_UNKNOWN = "401"
_INVALID = frozenset({"400", "422"})


def contract_cases(operations: Iterable[Operation]) -> Iterator[Case]:
    """The cases of all operations, in the order of operations; what one behaviour needs is in `target`."""
    every = list(operations)
    kinds = things(every)
    for operation in every:
        yield from _answers(operation)
        yield from _refusals(operation)
        yield from state_cases(operation, every)
        yield from list_cases(operation, every, kinds)
        yield from effect_cases(operation, every)
        yield from example_cases(operation)


def _answers(operation: Operation) -> Iterator[Case]:
    success = operation.success
    if success is not None:
        words = success.description or f"answered with {success.status}"
        yield operation_case(
            operation,
            Technique.SUCCESS,
            f"{operation.key} succeeds: {words}",
            f"responses.{success.status}",
            {"status": success.status},
            (success.fact,),
        )
    for answer in operation.answers:
        if not answer.status.isdigit() or not answer.status.startswith("4"):
            continue
        technique = Technique.AUTH_MISSING if answer.status in _AUTHENTICATION else Technique.ERROR
        words = answer.description or f"can be answered with {answer.status}"
        yield operation_case(
            operation,
            technique,
            f"{operation.key} is refused with {answer.status}: {words}",
            f"responses.{answer.status}",
            {"status": answer.status},
            (answer.fact,),
        )
    told = {answer.status for answer in operation.answers}
    unknown = next((each for each in operation.answers if each.status == _UNKNOWN), None)
    if operation.secured and unknown and refuses_unknown(unknown) and wrong_credentials(operation):
        yield operation_case(
            operation,
            Technique.AUTH_MISSING,
            f"{operation.key} is refused with credentials that nobody has",
            f"responses.{_UNKNOWN}",
            {"status": _UNKNOWN, "given": "unknown"},
            (unknown.fact,),
        )
    if operation.secured and not told.intersection(_AUTHENTICATION):
        yield operation_case(
            operation,
            Technique.AUTH_MISSING,
            f"{operation.key} is refused without credentials",
            "security",
            {},
            (operation.fact.id,),
        )


def _refusals(operation: Operation) -> Iterator[Case]:
    if operation.body is not None and is_closed(operation.body):
        yield operation_case(
            operation,
            Technique.UNKNOWN_FIELD,
            f"{operation.key} takes only the fields that are listed",
            "body",
            {"place": "body"},
            (operation.body.fact,),
        )
    for member in operation.values():
        if member.schema.get("readOnly") is True:
            continue
        if member.location == "path" and not _is_refused_in_path(operation):
            continue
        if member.location in ("query", "header", "cookie") and _refuses_other_things(operation):
            continue
        if member in (limit_of(operation), offset_of(operation)) and not _tells_of_refusals(operation):
            continue  # Many a page is shown whatever is asked for.
        plain, _ = split_null(member.schema)
        if member.required and member.location != "path" and not member.is_sent_anyhow:
            yield _about(
                operation,
                member,
                Technique.REQUIRED_MISSING,
                f"is required: {operation.key} without it is refused",
            )
        for bound, (kept, broken) in _BOUNDS.items():
            if (
                bound in plain
                and not isinstance(plain[bound], bool)
                and not _is_of_routes(member, bound, plain)
            ):
                more: dict[str, Json] = {"bound": bound, "value": plain[bound]}
                if member.location != "path" and bound not in _ONE_SIDED:
                    yield _about(
                        operation, member, Technique.BOUND_KEPT, f"may {kept.format(plain[bound])}", more
                    )
                told = f"must {broken.format(plain[bound])}"
                yield _about(operation, member, Technique.BOUND_BROKEN, told, more)
        if _is_of_a_pattern(plain) and member.location in _OPEN:
            more = {"bound": "pattern", "value": plain["pattern"]}
            told = f"must match {plain['pattern']}"
            yield _about(operation, member, Technique.BOUND_BROKEN, told, more)
        if plain.get("format") in _FORMATS and plain.get("type") == "string" and member.location in _OPEN:
            told = f"must be in the format {plain['format']}"
            more = {"bound": "format", "value": plain["format"]}
            yield _about(operation, member, Technique.BOUND_BROKEN, told, more)
        if isinstance(plain.get("enum"), list):
            yield _about(operation, member, Technique.UNKNOWN_VALUE, "takes only the values that are listed")
        elif _has_wrong_type(operation, member, plain):
            yield _about(operation, member, Technique.WRONG_TYPE, f"must be {_article(plain['type'])}")
        if "default" in member.schema and member.location == "body":
            yield _about(
                operation,
                member,
                Technique.DEFAULT,
                "has its default when left out",
                {"value": member.schema["default"]},
            )


def _is_of_routes(member: Member, bound: str, plain: dict[str, Json]) -> bool:
    """Whether a bound says no more than that a path has something there: without it, another route is asked for."""
    return member.location == "path" and bound == "minLength" and plain[bound] == 1


def is_closed(body: Body) -> bool:
    """Whether a body in JSON may have no other fields than those that its schema lists."""
    plain = split_null(body.schema)[0]
    return (
        is_json(body.media_type)
        and plain.get("additionalProperties") is False
        and bool(plain.get("properties"))
    )


def _is_of_a_pattern(plain: dict[str, Json]) -> bool:
    """Whether a text is told by its pattern alone which texts it may be."""
    is_text = plain.get("type") == "string" and isinstance(plain.get("pattern"), str)
    return is_text and not {"enum", "const", "format"} & set(plain)


def _refuses_other_things(operation: Operation) -> bool:
    """Whether a contract tells of refusals, and of none for an invalid request, which may be answered as others are."""
    statuses = {answer.status for answer in operation.answers}
    told = any(status.startswith("4") for status in statuses)
    return told and not (_INVALID | {"default", "4XX"}) & statuses


def _tells_of_refusals(operation: Operation) -> bool:
    return any(answer.status.startswith("4") or answer.status == "default" for answer in operation.answers)


def _is_refused_in_path(operation: Operation) -> bool:
    """Whether a status tells a path with an invalid part from one that names nothing, which is refused anyhow.

    Where both are documented, and something else can be invalid, the one of invalid requests may be about that.
    """
    statuses = {answer.status for answer in operation.answers}
    if not _INVALID & statuses:
        return False
    return "404" not in statuses or all(each.location == "path" for each in operation.members())


def _has_wrong_type(operation: Operation, member: Member, plain: dict[str, Json]) -> bool:
    """Whether a value of another type can be sent that nobody can read as one of this type."""
    kind = plain.get("type")
    is_form = operation.body is not None and operation.body.media_type in _FORMS
    if member.location == "body" and not is_form:
        return kind in ("integer", "number", "boolean", "array", "object", "string")
    return member.location in ("query", "path", "body") and kind in ("integer", "number", "boolean")


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aio" else f"a {kind}"


def _about(
    operation: Operation,
    member: Member,
    technique: Technique,
    words: str,
    more: dict[str, Json] | None = None,
) -> Case:
    place = member.place
    aspect = place if member.location == "body" else f"parameters.{place}"
    target: dict[str, Json] = {"place": place, **(more or {})}
    name = f"an item of {member.name}" if member.is_item else member.name
    return operation_case(
        operation, technique, f"{name} of {operation.key} {words}", aspect, target, (member.fact,)
    )
