"""Which things fields of a body name by the code's own columns alone, where a contract shows a bare number.

Exporters write a foreign key (`genre = ForeignKey(BookCategory)`) as a whole number. Nothing is claimed of it: a
request that is to be taken only needs such a thing to be there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json, Kind, Tag
from graph.source import FactSource
from planner.contracts.entrances import is_registration
from planner.contracts.operations import FACT, Operation
from planner.contracts.references import maker_of_reference
from planner.contracts.referring import TOLD_VALUES
from planner.contracts.resolving import REFERS, USER
from planner.contracts.resources import called, collection_of, identity_of, singular

_RELATION = re.compile(
    r"""\b(?:\w*ForeignKey|OneToOneField|ManyToManyField|ParentalKey)\(\s*(?:to\s*=\s*|model_name\s*=\s*)?["']?(?P<to>[\w.]+)"""
)
# What SQLAlchemy is told is a table and its column; Django is told an application and its model.
_COLUMN, _TABLE = re.compile(r"\.[a-z_]+$"), re.compile(r"^(?:tb|tbl|t)_")
_USERS = re.compile(r"(?i)(?:^|\.)(?:auth_user_model|get_user_model|users?)$")
_FORMS = re.compile(r"^Patched|(?:Model|Serializer|Schema)$")

Columns = Mapping[str, list[tuple[str, str]]]
"""By the name of a column: its model, and the model or table that it refers to."""


def with_relations(operations: Iterable[Operation], source: FactSource) -> list[Operation]:
    """The operations, of whose bodies those numbers are marked that the code's columns tell to name other things."""
    every = list(operations)
    columns = _columns(source) if any(each.body is not None for each in every) else {}
    return [_marked(each, columns, every) for each in every] if columns else every


def _columns(source: FactSource) -> Columns:
    found: dict[str, list[tuple[str, str]]] = {}
    for fact in source.facts(tag=Tag.CODE, kinds={Kind.ATTRIBUTE}):
        match = _RELATION.search(str(fact.aspects.get("value", "")))
        if match is not None:
            model, _, name = fact.key.rpartition(".")
            found.setdefault(name, []).append((_model(model), match["to"]))
    return found


def _marked(operation: Operation, columns: Columns, operations: Collection[Operation]) -> Operation:
    body = operation.body
    plain = split_null(body.schema)[0] if body is not None else {}
    fields = plain.get("properties", {})
    if body is None or plain is not body.schema or not isinstance(fields, dict):
        return operation
    told = {
        name: _referring(each, refers)
        for name, each in fields.items()
        if (refers := _referred(name, each, operation, columns, operations)) is not None
    }
    if not told:
        return operation
    schema = {**body.schema, "properties": {**fields, **told}}
    return msgspec.structs.replace(operation, body=msgspec.structs.replace(body, schema=schema))


def _referred(
    name: str,
    schema: dict[str, Json],
    operation: Operation,
    columns: Columns,
    operations: Collection[Operation],
) -> str | None:
    """What a number names, or the numbers of a list: the key of what makes it, `USER`, or nothing that is made."""
    plain = split_null(schema)[0]
    is_list = plain.get("type") == "array"
    one = split_null(plain.get("items") or {})[0] if is_list else plain
    column = name if name in columns else name.removesuffix("_id")
    if column not in columns or one.get("type") != "integer" or TOLD_VALUES & {*schema, *plain, *one}:
        return None
    told = operation.body.schema.get(FACT, "") if operation.body is not None else ""
    owners = {_model(str(told)), called(operation.path).replace("_", "")}
    targets = {to for _, to in columns[column]}
    if len(targets) > 1:
        targets = {to for owner, to in columns[column] if owner in owners}
    if len(targets) != 1:
        return None
    target = targets.pop()
    maker = _maker_of(target, operations)
    if maker is not None:
        return maker.key
    is_told = maker_of_reference(singular(name) if is_list else name, one, operations) is not None
    return None if is_told else USER if _USERS.search(_COLUMN.sub("", target)) else ""


def _maker_of(target: str, operations: Iterable[Operation]) -> Operation | None:
    """The only operation that makes things of a model or a row of a table."""
    made = [
        each
        for each in operations
        if each.method == "POST" and "{" not in each.path and identity_of(each, "id") is not None
    ]
    table = _COLUMN.sub("", target)
    name = _TABLE.sub("", table)
    wanted = {_model(table), _model(name), singular(_model(name))}
    found = [
        each for each in made if {called(collection_of(each.path)).replace("_", ""), _shown_as(each)} & wanted
    ]
    if not found and _USERS.search(table):
        found = [each for each in made if is_registration(each)]
    return found[0] if len(found) == 1 else None


def _shown_as(operation: Operation) -> str:
    schema = operation.success.schema if operation.success is not None else None
    return _model(str((schema or {}).get(FACT, "")))


def _model(name: str) -> str:
    """What a model, a table or a schema is called for, in small letters: `bookcategory` for `shop.BookCategory`."""
    last = re.split(r"[.:]", name)[-1]
    return (_FORMS.sub("", last) or last).replace("_", "").lower()


def _referring(schema: dict[str, Json], refers: str) -> dict[str, Json]:
    items = schema.get("items")
    inner = {"items": {**items, REFERS: refers}} if isinstance(items, dict) else {}
    return {**schema, **inner, REFERS: refers}
