"""Compares what prose claims with what a contract, the code or another sentence states."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from crossval.pairs import Pair
from graph.facts import Json
from graph.schema_algebra import Schema

_SIZES = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}
_TEXTUAL = frozenset({"characters", "digits", "letters"})
# A number in a schema does not say its unit, so a measure cannot be held against it.
_MEASURES = frozenset({"seconds", "bytes", "months", "years", "percent", "times", "length"})
_BOUNDED = frozenset({"must", "may", "should"})


class ClaimPair(Pair, frozen=True, kw_only=True):
    """A claim and what another witness states about the same thing.

    `claimed` and `stated` are the two in words, `target` names the thing, `against` says who states it: `contract`,
    `code` or `story`. `confidence` is how surely both speak of one thing; `soft` marks claims that only should hold.
    """

    claimed: str
    stated: str
    target: str
    against: str
    aspect: str
    confidence: float = 1.0
    soft: bool = False


class Stated(msgspec.Struct, frozen=True):
    """What a schema states about a claim: the keyword, its value, and whether it agrees."""

    keyword: str
    value: Json
    agrees: bool


def against_schema(claim: Json, schema: Schema, required: bool | None) -> Stated | None:
    """What a schema states about a claim; None where it says nothing, or nothing that could be compared."""
    if claim.get("negated") or claim["modality"] not in _BOUNDED or "x-unknown" in schema or "$ref" in schema:
        return None
    kind = claim["kind"]
    if kind == "required":
        value = claim["value"]
        return Stated("required", required, value is required) if required is not None else None
    if claim.get("condition"):
        return None
    if kind == "quantity":
        return _bound(claim, schema)
    if kind == "enumeration" and isinstance(schema.get("enum"), list):
        values = [each for each in schema["enum"] if each is not None]
        return Stated("enum", values, _lists(claim["value"], [values, *schema.get("x-called", ())]))
    if kind == "default" and schema.get("default", ...) is None and claim.get("value") is not None:
        # Where null is the default, what is used in its place is told elsewhere.
        return None
    if kind == "default" and "default" in schema and not claim.get("unit"):
        value = claim.get("value")
        called = [schema["default"], *schema.get("x-default-called", ())]
        agrees = same(schema["default"], value) or (
            "enum" in schema and isinstance(value, str) and _plain(value) in map(_plain, called)
        )
        return Stated("default", schema["default"], agrees)
    if kind == "format" and isinstance(schema.get("format"), str):
        return Stated("format", schema["format"], _formats_agree(claim["value"], schema["format"]))
    return None


def _lists(claimed: list[Json], lists: Iterable[list[Json]]) -> bool:
    """Whether what is claimed are the words of one of these lists, whose letters may be large or small."""
    return any(sorted(map(_plain, claimed)) == sorted(map(_plain, each)) for each in lists)


def _plain(value: Json) -> str:
    """A value as people write it: `In review`, `in_review` and `IN-REVIEW` are one."""
    return re.sub(r"[\s_-]+", "", str(value)).casefold()


def same(one: Json, other: Json) -> bool:
    """Whether two literals are one value; numbers and texts that write them count as equal."""
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    return one == other or str(one) == str(other)


def _bound(claim: Json, schema: Schema) -> Stated | None:
    names = _keywords(claim, schema)
    if names is None:
        return None
    lower, upper = names
    comparator, value = claim["comparator"], claim["value"]
    if comparator == "=":
        stated = [(name, schema[name]) for name in names if name in schema]
        wrong = next(((name, found) for name, found in stated if found != value), None)
        if wrong is not None:
            return Stated(*wrong, False)
        return Stated(lower, value, True) if stated else None
    name = lower if comparator[0] == ">" else upper
    found = _inclusive(schema, name)
    if found is None:
        return None
    step = _step(schema, name)
    wanted = value if comparator in (">=", "<=") else value + (step if comparator == ">" else -step)
    if step == 0 and comparator in ("<", ">"):
        return None
    return Stated(name, found, found == wanted)


def _keywords(claim: Json, schema: Schema) -> tuple[str, str] | None:
    """The keywords for the smallest and largest that fit the claim's unit and the schema's type."""
    unit, kind = claim.get("unit", ""), schema.get("type")
    kinds = [each for each in (kind if isinstance(kind, list) else [kind]) if each != "null"]
    if len(kinds) != 1 or unit in _MEASURES:
        return None
    if unit in _TEXTUAL:
        return _SIZES["string"] if kinds[0] == "string" else None
    if kinds[0] == "array":
        return _SIZES["array"]
    return ("minimum", "maximum") if kinds[0] in ("integer", "number") else None


def _inclusive(schema: Schema, name: str) -> float | None:
    """The bound as one that is included; None where there is none, or where only an excluded one is given."""
    if name in schema:
        found: float = schema[name]
        return found
    excluded = {"minimum": ("exclusiveMinimum", 1), "maximum": ("exclusiveMaximum", -1)}.get(name)
    if excluded is None or excluded[0] not in schema or schema.get("type") != "integer":
        return None
    near: float = schema[excluded[0]] + excluded[1]
    return near


def _step(schema: Schema, name: str) -> int:
    """1 where the bound counts whole things, else 0."""
    return int(name not in ("minimum", "maximum") or schema.get("type") == "integer")


def _formats_agree(claimed: str, stated: str) -> bool:
    alike = {"uri": {"uri", "url", "iri", "uri-reference"}, "email": {"email", "idn-email"}}
    dates = {"date", "date-time"}
    return stated == claimed or stated in alike.get(claimed, ()) or (claimed in dates and stated in dates)


def status_declared(status: int, declared: list[str]) -> bool:
    """Whether one of these declared statuses (`404`, `4XX`, `default`) is this one."""
    return any(
        each in (str(status), f"{status // 100}XX", "default") for each in map(str.upper, declared)
    ) or ("default" in declared)


def words(text: str) -> tuple[str, ...]:
    """The words of a name or a phrase, in small letters and singular: `page_size`, `NewReviews`, `email address`."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", text)
    return tuple(singular(part.lower()) for part in parts)


def singular(word: str) -> str:
    """The word without the ending of its plural."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]
    return word
