"""Finds claims of stories that contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

import msgspec

from crossval.compare.claim_words import claimed
from crossval.compare.claims import ClaimPair, words
from crossval.findings import witness
from graph.facts import Fact, Json, Kind

_KINDS = frozenset({"quantity", "enumeration", "default", "format", "required"})
# Words that stand for different things in different stories.
_ANYTHING = frozenset(
    {
        *(
            "page",
            "list",
            "title",
            "name",
            "text",
            "value",
            "number",
            "field",
            "request",
            "response",
            "search",
            "result",
        ),
        *(
            "description",
            "message",
            "item",
            "entry",
            "file",
            "upload",
            "form",
            "image",
            "answer",
            "id",
            "user",
            "order",
        ),
        *(
            "status",
            "date",
            "type",
            "code",
            "size",
            "length",
            "it",
            "system",
            "application",
            "table",
            "query",
            "timeout",
        ),
    }
)
_MOST = 200


class _Said:
    """One claim, by whom it is made and within which story."""

    def __init__(self, fact: Fact, story: str, claim: Json) -> None:
        self.fact, self.story, self.claim = fact, story, claim


def conflicts(told: Iterable[Fact], parents: Mapping[str, Fact]) -> Iterator[ClaimPair]:
    """A pair for each two claims, without conditions, which cannot both hold: one subject, one unit, two values.

    Claims of different stories are only compared where the subject says enough by itself.
    """
    groups: dict[tuple[str, ...], list[_Said]] = {}
    for fact in told:
        story = parents.get(fact.id, fact).id
        for claim in fact.aspects.get("claims", ()):
            if claim["kind"] in _KINDS and claim.get("subject") and _is_firm(claim):
                key = (claim["kind"], claim.get("unit", ""), *words(claim["subject"]))
                groups.setdefault(key, []).append(_Said(fact, story, claim))
    for key, group in groups.items():
        for one, other in combinations(group[:_MOST], 2):
            if one.fact.id == other.fact.id and one.claim["words"] == other.claim["words"]:
                continue
            if one.story != other.story and len(key) < 4 and key[2] in _ANYTHING:
                continue
            if _excludes(one.claim, other.claim):
                yield _pair(one, other)


def _is_firm(claim: Json) -> bool:
    return not claim.get("condition") and not claim.get("negated") and claim["modality"] in ("must", "may")


def _excludes(one: Json, other: Json) -> bool:
    """Whether two claims of one kind about one subject cannot both be meant."""
    if one["kind"] == "enumeration":
        return sorted(map(str, one["value"])) != sorted(map(str, other["value"]))
    if one["kind"] != "quantity":
        return bool(one.get("value") != other.get("value"))
    first, second = one["comparator"], other["comparator"]
    if first == second:
        return bool(one["value"] != other["value"])
    lower, upper = (one, other) if first[0] == ">" or second[0] == "<" else (other, one)
    if lower["comparator"][0] in "<" or upper["comparator"][0] == ">":
        return False
    strict = lower["comparator"] == ">" or upper["comparator"] == "<"
    return bool(lower["value"] > upper["value"] or (strict and lower["value"] == upper["value"]))


def _pair(one: _Said, other: _Said) -> ClaimPair:
    return ClaimPair(
        kind=Kind.CRITERION,
        subject=f"{other.fact.kind} {other.fact.key}",
        place="claims",
        name=str(other.claim["subject"]),
        spec=msgspec.structs.replace(witness(other.fact, other.claim["words"]), line=other.claim["line"]),
        code=msgspec.structs.replace(witness(one.fact, one.claim["words"]), line=one.claim["line"]),
        spec_fact=other.fact,
        code_fact=one.fact,
        claimed=claimed(other.claim),
        stated=claimed(one.claim),
        target=f"{one.fact.kind} {one.fact.key}",
        against="story",
        aspect=str(other.claim["kind"]),
    )
