"""How schemas in normal form combine: all of them at once, or any of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from graph.facts import Json
from graph.schema_types import admits, common_types, type_of, type_of_names, types_of

Schema: TypeAlias = dict[str, Json]

PLACES = frozenset({"x-line", "x-path", "x-merged", "x-shown"})
"""Where a schema was read, of which named ones it was merged, and values that were seen; two schemas that differ in
nothing else are equal."""

ANNOTATIONS = frozenset(
    {
        "default",
        "readOnly",
        "writeOnly",
        "deprecated",
        "x-always",
        "x-among",
        "x-answered",
        "x-hidden",
        "x-named",
        "x-implied",
        "x-open",
        "x-partial",
        "x-unchecked",
    }
)
"""What is said about a value without narrowing it; it may stand beside a `$ref`."""

_OUTSIDE = PLACES | ANNOTATIONS
_COMPOSED = frozenset({"$ref", "anyOf", "allOf", "not", "x-unknown"})
_GREATEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_LEAST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_EQUAL = ("multipleOf", "pattern", "format", "contentMediaType", "discriminator")


def unknown(reason: str) -> Schema:
    """A schema of which is only known why it cannot be known; it equals everything."""
    return {"x-unknown": reason}


def implied(schema: Schema, *keywords: str) -> Schema:
    """The schema of a value of which a contract may state these keywords or leave them out, as it likes."""
    return {**schema, "x-implied": sorted({*schema.get("x-implied", ()), *keywords})}


def without_places(schema: Json) -> Json:
    """The same schema without what it was read from, for comparing two by `==`."""
    if isinstance(schema, dict):
        return {key: without_places(value) for key, value in schema.items() if key not in PLACES}
    if isinstance(schema, list):
        return [without_places(value) for value in schema]
    return schema


def is_plain(schema: Schema) -> bool:
    """Whether a schema speaks by its own keywords alone and is not composed of others."""
    return _COMPOSED.isdisjoint(schema)


def tidy(plain: Schema) -> Schema:
    """The same schema without keywords that say nothing, its types and enumerated values in agreement."""
    for bound, exclusive, sign in (("minimum", "exclusiveMinimum", 1), ("maximum", "exclusiveMaximum", -1)):
        if bound in plain and exclusive in plain:
            del plain[bound if plain[exclusive] * sign >= plain[bound] * sign else exclusive]
    for keyword in ("minLength", "minItems", "minProperties"):
        if plain.get(keyword, 1) <= 0:
            del plain[keyword]
    for keyword in ("required", "prefixItems"):
        if not plain.get(keyword, True):
            del plain[keyword]
    if plain.get("properties") == {} and "x-complete" not in plain:
        del plain["properties"]
    for keyword in ("items", "additionalProperties"):
        if isinstance(plain.get(keyword), dict) and not plain[keyword].keys() - PLACES:
            del plain[keyword]
    if "enum" in plain:
        _tidy_values(plain)
    return plain


def all_of(parts: Sequence[Schema]) -> Schema:
    """The schema of a value that fits all of these, as one schema where that is exact, else as `allOf`."""
    if len(parts) == 1:
        return dict(parts[0])
    outside = _outside(parts)
    members = [member for part in parts for member in part.get("allOf", [part])]
    for member in members:
        if "x-unknown" in member:
            return {"x-unknown": member["x-unknown"], **outside}
    plains: list[Schema] = []
    composed: dict[str, Schema] = {}
    for member in members:
        plain = {key: value for key, value in member.items() if key not in _OUTSIDE and key not in _COMPOSED}
        if plain:
            _merge_into(plains, plain)
        for keyword in _COMPOSED & member.keys():
            atom = {keyword: member[keyword]}
            composed[_text(atom)] = atom
    atoms = [*plains, *(composed[text] for text in sorted(composed))]
    keywords = [keyword for atom in atoms for keyword in atom]
    if len(atoms) <= 1:
        return {**(atoms[0] if atoms else {}), **outside}
    if len(plains) <= 1 and "$ref" not in keywords and max(map(keywords.count, ("anyOf", "not"))) <= 1:
        return {**{key: value for atom in atoms for key, value in atom.items()}, **outside}
    return {"allOf": sorted(atoms, key=_text), **outside}


def any_of(members: Sequence[Schema]) -> Schema:
    """The schema of a value that fits any of these: a list of types where they are plain, else `anyOf`."""
    alternatives = _Alternatives()
    for member in members:
        nested = member["anyOf"] if member.keys() - PLACES == {"anyOf"} else [member]
        for alternative in nested:
            if not alternative.keys() - PLACES:
                return {}
            alternatives.add(alternative)
    return alternatives.schema()


class _Alternatives:
    """Alternatives sorted by what they say: whole types, enumerated values, anything else."""

    def __init__(self) -> None:
        self._types: set[str] = set()
        self._values: list[Json] = []
        self._others: dict[str, Schema] = {}

    def add(self, alternative: Schema) -> None:
        """Take one alternative in; null is taken out of it, so that it is found once."""
        if is_plain(alternative):
            types = types_of(alternative)
            if types != {"null"} and "null" in types:
                self._types.add("null")
                alternative = _without_null(alternative)
            said = alternative.keys() - PLACES
            if said == {"type"}:
                self._types |= types_of(alternative)
                return
            if said == {"type", "enum"} and all(admits(types, value) for value in alternative["enum"]):
                self._values.extend(alternative["enum"])
                return
        self._others.setdefault(_text(alternative), alternative)

    def schema(self) -> Schema:
        """All alternatives as one schema."""
        others = [self._others[text] for text in sorted(self._others) if not self._covers(self._others[text])]
        if values := [value for value in self._values if not admits(self._types, value)]:
            others.append(tidy({"enum": values}))
        null = "null" in self._types and not any(is_plain(other) and not types_of(other) for other in others)
        whole = self._types - {"null"}
        if not others:
            return {"type": type_of_names(self._types)}
        if len(others) == 1 and not whole:
            if not null:
                return others[0]
            if is_plain(others[0]):
                return tidy({**others[0], "type": type_of_names({*types_of(others[0]), "null"})})
        names = type_of_names(whole) if whole else []
        members = [{"type": name} for name in (names if isinstance(names, list) else [names])]
        members.extend([{"type": "null"}] if null else [])
        return {"anyOf": sorted([*members, *others], key=_text)}

    def _covers(self, other: Schema) -> bool:
        types = types_of(other)
        wider = self._types | ({"integer"} if "number" in self._types else set())
        return is_plain(other) and bool(types) and types <= wider


def _merge_into(plains: list[Schema], plain: Schema) -> None:
    for index, before in enumerate(plains):
        merged = _merged(before, plain)
        if merged is not None:
            plains[index] = merged
            return
    plains.append(plain)


def _merged(first: Schema, second: Schema) -> Schema | None:
    """The one plain schema that says what two say, or None where no single schema says exactly that."""
    first, second = _unveiled(first, second), _unveiled(second, first)
    if _properties_clash(first, second) or _clash(first, second):
        return None
    merged = {**first, **second}
    for keyword in merged.keys() & first.keys() & second.keys():
        one, other = first[keyword], second[keyword]
        if keyword in _GREATEST:
            merged[keyword] = max(one, other)
        elif keyword in _LEAST:
            merged[keyword] = min(one, other)
        elif keyword == "type":
            merged[keyword] = type_of_names(common_types(first, second))
        elif keyword == "enum":
            texts = {_text(value) for value in other}
            merged[keyword] = [value for value in one if _text(value) in texts]
        elif keyword == "required":
            merged[keyword] = sorted({*one, *other})
        elif keyword == "properties":
            shared = {name: all_of([one[name], other[name]]) for name in one.keys() & other.keys()}
            merged[keyword] = {**one, **other, **shared}
        elif keyword in ("items", "additionalProperties"):
            merged[keyword] = False if one is False or other is False else all_of([one, other])
    return tidy(merged)


def _unveiled(schema: Schema, other: Schema) -> Schema:
    """The schema without `format: password`, which narrows nothing, where the other one states a format."""
    if schema.get("format") == "password" != other.get("format", "password"):
        return {key: value for key, value in schema.items() if key != "format"}
    return schema


def _clash(first: Schema, second: Schema) -> bool:
    if any(key in first and key in second and first[key] != second[key] for key in _EQUAL):
        return True
    if "type" in first and "type" in second and not common_types(first, second):
        return True
    if "enum" in first and "enum" in second:
        texts = {_text(value) for value in first["enum"]}
        if texts.isdisjoint(_text(value) for value in second["enum"]):
            return True
    if "prefixItems" in first or "prefixItems" in second:
        one, other = ([schema.get(key) for key in ("prefixItems", "items")] for schema in (first, second))
        return [None, None] not in (one, other) and without_places(one) != without_places(other)
    return False


def _properties_clash(first: Schema, second: Schema) -> bool:
    """Whether one schema's `additionalProperties` speaks of properties that only the other one names."""
    one, other = first.get("properties", {}).keys(), second.get("properties", {}).keys()
    if "additionalProperties" in first and not other <= one:
        return True
    return "additionalProperties" in second and not one <= other


def _outside(parts: Iterable[Schema]) -> Schema:
    """Annotations and place of a combination: the first part that has them gives them."""
    outside: Schema = {}
    for part in parts:
        for keyword in ANNOTATIONS & part.keys():
            outside.setdefault(keyword, part[keyword])
        if "x-line" in part and PLACES.isdisjoint(outside):
            outside.update((keyword, part[keyword]) for keyword in PLACES & part.keys())
    return outside


def _without_null(schema: Schema) -> Schema:
    rest = {**schema, "type": type_of_names(types_of(schema) - {"null"})}
    if "enum" in rest:
        rest["enum"] = [value for value in rest["enum"] if value is not None]
    return rest


def _tidy_values(plain: Schema) -> None:
    distinct = {_text(value): value for value in plain.pop("enum")}
    types = types_of(plain) or {type_of(value) for value in distinct.values()}
    present = {text: value for text, value in distinct.items() if value is not None}
    present = {text: value for text, value in present.items() if admits(types, value)} or present
    if "null" in types and present:
        # Authors who write `nullable` beside `enum` mean it, though JSON Schema would also want null in the list.
        present["null"] = None
    elif "null" in types and distinct:
        types = {"null"}
    if types:
        plain["type"] = type_of_names(types)
    if present:
        plain["enum"] = [present[text] for text in sorted(present)]


def _text(value: Json) -> str:
    return json.dumps(without_places(value), sort_keys=True)
