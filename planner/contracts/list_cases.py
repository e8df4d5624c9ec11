"""The test cases for what the parameters of a list promise: that it is cut, has pages, and is narrowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crossval.compare.components import split_null
from graph.facts import Json
from planner.cases import Case, Technique
from planner.contracts.confidential import is_credential
from planner.contracts.lists import SHOWING, limit_of, narrowed_field, offset_of, page_of
from planner.contracts.operation_case import parameter_case
from planner.contracts.operations import Member, Operation
from planner.contracts.resources import list_place
from planner.contracts.things import Thing

# Of a thing that is put away, a list shows the others as well, or those only: nobody can tell by the name.
_AWAY = frozenset(
    {"archived", "deleted", "removed", "hidden", "expired", "closed", "inactive", "disabled", "is_deleted"}
    | {"is_archived", "is_hidden", "is_closed", "is_disabled"}
)
# Values that say which other ones a thing needs, so that it cannot be made with another of them alone.
_DECIDING = frozenset({"type", "kind", "category_type", "method", "mode"})
_CONFLICT = "409"


def list_cases(operation: Operation, every: Sequence[Operation], kinds: Sequence[Thing]) -> Iterator[Case]:
    """The cases of an operation that lists what another one makes; `kinds` are the things of the contract."""
    success = operation.success
    if operation.method != "GET" or success is None or list_place(operation) is None:
        return
    maker = next((each for each in every if each.key == f"POST {operation.path}"), None)
    if maker is None:
        return
    limit = limit_of(operation)
    if limit is not None:
        yield parameter_case(
            operation,
            Technique.LIMITED,
            f"{operation.key} gives no more than its {limit.name}",
            limit,
            success,
        )
    turned = offset_of(operation) or page_of(operation)
    if limit is not None and turned is not None:
        yield parameter_case(
            operation,
            Technique.PAGED,
            f"Another {turned.name} of {operation.key} shows others",
            turned,
            success,
        )
    for thing in kinds:
        if thing.lister is not None and thing.lister.key == operation.key:
            for member in operation.parameters:
                if narrows(member, thing):
                    yield parameter_case(
                        operation,
                        Technique.NARROWED,
                        f"{operation.key} is narrowed by {member.name}",
                        member,
                        success,
                    )


def narrows(member: Member, thing: Thing) -> bool:
    """Whether a parameter of a list surely is a filter: it is called and typed as a field that things are given.

    What names other things is left out: a thing with another of them needs that as well; and so are numbers, of which
    so many may be asked for at least (`?beds=2`).
    """
    kind = split_null(member.schema)[0].get("type")
    given, item = thing.given(), _item(thing)
    name = narrowed_field(member, item)
    if member.location != "query" or name is None or {name.lower(), member.name.lower()} & (SHOWING | _AWAY):
        return False
    if is_credential(name) or name.lower().endswith("id") or name.lower() in _DECIDING:
        return False
    if name != member.name:
        return name in given and narrowed_field(member, given) == name and kind == "string"
    if name in given:
        settable = given[name]
    else:
        changer = thing.changer
        if kind != "boolean" or changer is None or _conflicts(changer):
            return False
        settable = thing.changes().get(name, {})
    kinds = {split_null(each)[0].get("type") for each in (member.schema, settable, item[name])}
    formats = {split_null(each)[0].get("format") for each in (member.schema, settable, item[name])}
    return len(kinds) == len(formats) == 1 and kind in ("string", "boolean") and formats <= {None, "date"}


def _item(thing: Thing) -> dict[str, Json]:
    """The fields of each of the things that are listed."""
    schema = split_null((thing.lister and thing.lister.success and thing.lister.success.schema) or {})[0]
    place = list_place(thing.lister) if thing.lister is not None else None
    listed = split_null(schema.get("properties", {}).get(place, {}))[0] if place else schema
    fields = split_null(listed.get("items") or {})[0].get("properties", {})
    return fields if isinstance(fields, dict) else {}


def _conflicts(operation: Operation) -> bool:
    return any(answer.status == _CONFLICT for answer in operation.answers)
