"""Follows the references of a contract's schemas, and puts to each part the fact and the example that belong to it."""

from __future__ import annotations

import re

import msgspec

from graph.facts import Fact, Json, Kind

_DEPTH = 8
_CHOICE = re.compile(r"\^\((?:\?:)?([\w -]+(?:\|[\w -]+)+)\)\$")
FACT = "x-fact"
"""The keyword that names, on a schema whose references were followed, the fact that states it."""
EXAMPLE = "example"
"""The keyword that has, on a schema whose references were followed, the first value that the contract gives for it."""

REFERS = "x-refers"
"""The keyword that names what makes the thing which a number names: an operation's key, `USER`, or nothing made."""
USER = "user"
"""What a number refers to that names somebody whom no operation makes."""


class Example(msgspec.Struct, frozen=True):
    """A value that a contract gives as an example: of which fact, on which line, and its name where it has one."""

    value: Json
    fact: str
    line: int
    name: str = ""


class Resolver:
    """Follows the references of schemas; a schema that holds itself ends in one that allows anything."""

    def __init__(self, facts: dict[str, Fact]) -> None:
        self._facts = facts

    def resolved(self, schema: Json, fact: str, seen: tuple[str, ...] = ()) -> dict[str, Json]:
        """The schema without references, each part with the id of the fact that states it under `x-fact`."""
        if not isinstance(schema, dict):
            return {}
        target = schema.get("$ref")
        if isinstance(target, str):
            found = self._facts.get(target)
            if found is None or target in seen or len(seen) > _DEPTH:
                return {FACT: fact}
            beside = {key: value for key, value in schema.items() if key not in ("$ref", "x-line", "x-path")}
            whole = self.resolved(found.aspects.get("schema"), found.id, (*seen, target))
            return {**whole, **_exemplified(found), **beside}
        return {
            FACT: fact,
            **{key: self._part(key, value, fact, seen) for key, value in _listing(schema).items()},
        }

    def _part(self, key: str, value: Json, fact: str, seen: tuple[str, ...]) -> Json:
        if key == "properties" and isinstance(value, dict):
            return {name: self._property(each, self._field(fact, name), seen) for name, each in value.items()}
        if key in ("items", "additionalProperties", "not") and isinstance(value, dict):
            return self.resolved(value, fact, seen)
        if key in ("anyOf", "allOf", "prefixItems") and isinstance(value, list):
            return [self.resolved(each, fact, seen) for each in value]
        return value

    def _property(self, schema: Json, fact: str, seen: tuple[str, ...]) -> dict[str, Json]:
        found = self._facts.get(fact)
        field = _exemplified(found) if found is not None and found.kind is Kind.FIELD else {}
        return {**self.resolved(schema, fact, seen), **field}

    def _field(self, owner: str, name: str) -> str:
        field = f"{owner.replace(':schema:', ':field:', 1)}.{name}"
        return field if field in self._facts else owner


def _listing(schema: dict[str, Json]) -> dict[str, Json]:
    """The schema with the texts that its pattern lists, `^(asc|desc)$`, as what they are: an enumeration."""
    match = _CHOICE.fullmatch(str(schema.get("pattern", ""))) if "enum" not in schema else None
    if match is None or schema.get("type") not in (None, "string"):
        return schema
    return {**{key: each for key, each in schema.items() if key != "pattern"}, "enum": match[1].split("|")}


def examples_of(fact: Fact, media_type: str = "") -> tuple[Example, ...]:
    """The examples of a fact as a whole, of one media type of a response where it is given."""
    return tuple(
        Example(each["value"], fact.id, int(each["line"]), str(each.get("name", "")))
        for each in fact.aspects.get("examples", ())
        if "place" not in each and each.get("media_type", media_type) == media_type
    )


def with_examples(schema: dict[str, Json], fact: Fact, media_type: str = "") -> dict[str, Json]:
    """A resolved schema with the examples that the fact has for it and for the properties written inside."""
    for each in fact.aspects.get("examples", ()):
        if "place" in each:
            schema = _placed(schema, str(each["place"]).split("."), each["value"])
    return {**schema, **_exemplified(fact, media_type)}


def _exemplified(fact: Fact, media_type: str = "") -> dict[str, Json]:
    whole = examples_of(fact, media_type)
    return {EXAMPLE: whole[0].value} if whole else {}


def _placed(schema: dict[str, Json], path: list[str], value: Json) -> dict[str, Json]:
    name, *rest = path
    inner = schema.get("properties", {}).get(name.removesuffix("[]"))
    if not isinstance(inner, dict):
        return schema
    if not rest:
        changed = {EXAMPLE: value, **inner}
    elif name.endswith("[]"):
        changed = {**inner, "items": _placed(inner.get("items", {}), rest, value)}
    else:
        changed = _placed(inner, rest, value)
    return {**schema, "properties": {**schema["properties"], name.removesuffix("[]"): changed}}
