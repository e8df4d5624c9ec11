"""What a parameter of a list lets through: things with a value, with at least or at most so much, or with a text."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Literal

import msgspec

from crossval.compare.claims import words
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.confidential import is_credential
from planner.contracts.lists import SHOWING, narrowed_field
from planner.contracts.operations import Member, Operation
from planner.contracts.references import maker_of_reference
from planner.contracts.resources import list_place, singular
from planner.contracts.things import Thing

# Of a thing that is put away, a list shows the others as well, or those only: nobody can tell by the name.
_AWAY = frozenset(
    {"archived", "deleted", "removed", "hidden", "expired", "closed", "inactive", "disabled", "is_deleted"}
    | {"is_archived", "is_hidden", "is_closed", "is_disabled"}
)
# Values that say which other ones a thing needs, so that it cannot be made with another of them alone.
_DECIDING = frozenset({"type", "kind", "category_type", "method", "mode"})
_CONFLICT = "409"
_LEAST, _MOST = frozenset({"min", "minimum", "gte", "least"}), frozenset({"max", "maximum", "lte", "most"})
_OF_TEXT = frozenset({"q", "query", "search", "text", "keyword", "term"})
_ONLY = re.compile(r"\bonly\b|\bfilter", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?:at least|at most|or more|or less|or fewer|no (?:more|less|fewer|later|earlier)|more than|less than|up to"
    r"|minimum|maximum)\b",
    re.I,
)
_PART = re.compile(
    r"\b(?:part of|contain\w*|search\w*|substring|text in|words? (?:in|of)|occurs? in|match\w*)\b", re.I
)
_CASELESS = re.compile(
    r"\bcase[\s-]?insensitive|\bignor\w+\s+(?:the\s+)?case\b|\b(?:in any|whatever the) case\b"
    r"|\b(?:in\s+)?(?:any|whatever|whichever|different)\s+(?:mix\s+of\s+)?(?:letter|upper\s+(?:or|and)\s+lower)\s+case\b"
    r"|\bupper\s+(?:or|and)\s+lower\s+case\s+do(?:es)?\s+not\s+matter\b|\bcase\s+does\s*n[o’'\s]*t\s+matter\b"
    r"|\b(?:regardless\s+of|without\s+regard\s+to)\s+(?:upper|lower|letter|the\s+)?\s*(?:case|capitals)\b",
    re.I,
)
_NUMBERS = frozenset({"integer", "number"})


class Filter(msgspec.Struct, frozen=True):
    """The field that a parameter is held against, and how."""

    field: str
    how: Literal["is", "least", "most", "part"]

    def lets_through(self, value: Json, wanted: Json) -> bool:
        """Whether a thing with this value is listed where `wanted` is asked for."""
        if self.how == "part":
            return isinstance(value, str) and isinstance(wanted, str) and wanted.lower() in value.lower()
        if self.how == "is" or not isinstance(value, int | float) or not isinstance(wanted, int | float):
            return bool(value == wanted)
        return value >= wanted if self.how == "least" else value <= wanted


def told_filter(member: Member, given: Mapping[str, Json], listed: Mapping[str, Json]) -> Filter | None:
    """What a parameter's own words say that it lets through; None where its name alone would have to tell it.

    `given` are the fields that things are made of, `listed` those that a list shows of each.
    """
    if member.location != "query":
        return None
    fields = {name: split_null(each)[0] for name, each in given.items() if name in listed}
    kind, said = split_null(member.schema)[0].get("type"), member.description
    if kind in _NUMBERS:
        numbers = [
            name for name, each in fields.items() if each.get("type") in _NUMBERS and "enum" not in each
        ]
        if member.name in numbers:
            is_one = _ONLY.search(said) and not _BOUND.search(said)
            return Filter(member.name, "is") if is_one else None
        return next(filter(None, (_bounding(words(member.name), name) for name in numbers)), None)
    is_text = kind == "string" and not {"enum", "format"} & set(split_null(member.schema)[0])
    if is_text and member.name not in fields and (member.name.lower() in _OF_TEXT or _PART.search(said)):
        told = set(words(said))
        found = [
            name
            for name, each in fields.items()
            if each.get("type") == "string"
            and not {"enum", "format"} & set(each)
            and set(words(name)) <= told | set(map(singular, told))
        ]
        return Filter(found[0], "part") if found and _PART.search(f"{said} {member.name}") else None
    return None


def is_told_of_bound(member: Member) -> bool:
    """Whether words say that what has just so much is let through as well, or is not."""
    return _BOUND.search(member.description) is not None


def ignores_case(words: str) -> bool:
    """Whether words say that texts are the same however their letters are written."""
    return _CASELESS.search(words) is not None


def _bounding(name: tuple[str, ...], field: str) -> Filter | None:
    """A bound for a field by its name: `min_price`, `price_max`, `maxPrice`."""
    first, last, own = name[:1], name[-1:], words(field)
    if own == name[1:] or own == name[:-1]:
        mark = {*(first if own == name[1:] else ()), *(last if own == name[:-1] else ())}
        if len(name) > 1 and mark & _LEAST:
            return Filter(field, "least")
        if len(name) > 1 and mark & _MOST:
            return Filter(field, "most")
    return None


def narrows(member: Member, thing: Thing) -> bool:
    """Whether a parameter of a list surely is a filter: its words say so, or it is called and typed as a field that
    things are given.

    What names other things is left out: a thing with another of them needs that as well; and so are numbers without
    words, of which so many may be asked for at least (`?beds=2`).
    """
    kind = split_null(member.schema)[0].get("type")
    given, item = thing.given(), listed_fields(thing)
    name = narrowed_field(member, item)
    if member.location != "query" or {(name or "").lower(), member.name.lower()} & (SHOWING | _AWAY):
        return False
    if told_filter(member, given, item) is not None:
        return True
    if name is None or is_credential(name) or name.lower().endswith("id") or name.lower() in _DECIDING:
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


def narrows_to_another(member: Member, thing: Thing, operations: Collection[Operation]) -> bool:
    """Whether a parameter of a list is called as a field that has to name another thing: `?doctor_id=5` of visits."""
    given, item, body = thing.given(), listed_fields(thing), thing.maker.body
    is_required = body is not None and member.name in split_null(body.schema)[0].get("required", ())
    if member.location != "query" or not is_required or member.name not in item:
        return False
    found = maker_of_reference(member.name, given[member.name], operations)
    kinds = {
        split_null(each)[0].get("type") for each in (member.schema, given[member.name], item[member.name])
    }
    return found is not None and found[0].key != thing.maker.key and len(kinds) == 1


def listed_fields(thing: Thing) -> dict[str, Json]:
    """The fields of each of the things that are listed."""
    schema = split_null((thing.lister and thing.lister.success and thing.lister.success.schema) or {})[0]
    place = list_place(thing.lister) if thing.lister is not None else None
    listed = split_null(schema.get("properties", {}).get(place, {}))[0] if place else schema
    fields = split_null(listed.get("items") or {})[0].get("properties", {})
    return fields if isinstance(fields, dict) else {}


def _conflicts(operation: Operation) -> bool:
    return any(answer.status == _CONFLICT for answer in operation.answers)
