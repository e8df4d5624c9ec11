"""Holds what docstrings claim against the signatures and bodies below them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from crossval.findings import witness
from graph.facts import Fact, Json, Kind, Tag
from graph.literals import literal_value
from graph.patterns import pattern

if TYPE_CHECKING:
    from crossval.compare.claims import ClaimPair

_BACKSLASHES = pattern(r"\\+")
_SENTINELS = frozenset({"None", "...", "NotSet", "MISSING", "UNSET", "_UNSET", "Undefined"})


def docstring_pairs(functions: Iterable[Fact]) -> Iterator[ClaimPair]:
    """A pair for each default that a docstring states and its function's signature states otherwise, and for each
    exception that it says is never raised and the body raises."""
    for fact in functions:
        claims = fact.aspects.get("claims")
        if not claims or fact.tag is Tag.TEST or fact.aspects.get("overload"):
            continue
        defaults = {name: (default, line) for name, _, _, default, line in fact.aspects.get("parameters", ())}
        for claim in claims:
            if claim["kind"] == "default" and claim.get("subject") in defaults and not claim.get("condition"):
                yield from _default(fact, claim, *defaults[claim["subject"]])
            elif claim["kind"] == "raises" and claim.get("negated") and not claim.get("condition"):
                yield from _never(fact, claim)


def _default(fact: Fact, claim: Json, written: str | None, line: int) -> Iterator[ClaimPair]:
    if written is None or written in _SENTINELS or claim.get("unit") or claim.get("value") is None:
        return
    from crossval.compare.claims import same

    value = literal_value(written)
    # An empty text stands for what the body puts in its place.
    if value in (None, "") or not isinstance(value, bool | int | float | str) or same(value, claim["value"]):
        return
    if (
        isinstance(claim["value"], str)
        and isinstance(value, str)
        and _spelled(claim["value"]) == _spelled(value)
    ):
        return
    # "Defaults to one" of a flag, a name in the place of its value, an expression: other words for the same.
    if isinstance(value, bool) is not isinstance(claim["value"], bool):
        return
    if isinstance(value, str) is not isinstance(claim["value"], str):
        return
    yield _pair(fact, claim, f"the default {written}", written, line, f"signature.{claim['subject']}.default")


def _spelled(text: str) -> str:
    """A text however it is escaped: a line feed may be `\\n` or, in a docstring, `\\\\n`; one that a decorator fills
    by `%` says `%%` for each `%`."""
    escaped = text.encode("unicode_escape").decode("ascii").replace("%%", "%")
    return _BACKSLASHES.sub("/", escaped)


def _never(fact: Fact, claim: Json) -> Iterator[ClaimPair]:
    for name, line in fact.aspects.get("raises", ()):
        if name.rpartition(".")[2] == str(claim["value"]).rpartition(".")[2]:
            yield _pair(fact, claim, f"that {name} is raised", name, line, f"raises.{name}")
            return


def _pair(fact: Fact, claim: Json, text: str, value: Json, line: int, aspect: str) -> ClaimPair:
    # Most docstrings are right, and what makes pairs of claims loads all that compares schemas.
    from crossval.compare.claim_words import claimed
    from crossval.compare.claims import ClaimPair

    return ClaimPair(
        kind=Kind.CRITERION,
        subject=f"function {fact.unnumbered}",
        place="claims",
        name=fact.unnumbered,
        spec=msgspec.structs.replace(witness(fact, claim["words"]), line=claim["line"]),
        code=witness(fact, value, line),
        spec_fact=fact,
        code_fact=fact,
        claimed=claimed(claim),
        stated=text,
        target=str(claim.get("subject") or fact.key),
        against="code",
        aspect=aspect,
    )
