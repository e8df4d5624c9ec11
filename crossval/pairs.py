"""Pairs: the spec's and the code's word on one thing, and where the two differ."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from crossval.findings import Finding, Witness, witness
from graph.facts import Fact, Json, Kind, Tag


class Direction(StrEnum):
    """Which way data flows: it decides whom a difference breaks."""

    REQUEST = "request"
    RESPONSE = "response"
    BOTH = "both"
    NONE = "none"


class Stricter(StrEnum):
    """Which witness admits less; `NEITHER` where the two cannot be ordered."""

    SPEC = "spec"
    CODE = "code"
    NEITHER = "neither"


class SourceText(str):
    """Python's own spelling of a value that JSON has no word for (`()`, `{1}`): messages show it as it is."""

    __slots__ = ()


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One aspect in which both witnesses speak and differ.

    `change` is the aspect's own name (`type`, `required`, `minimum`, …). `spec_line` and `code_line` are 0 where
    the pair's own line is the place.
    """

    change: str
    spec: Json
    code: Json
    stricter: Stricter = Stricter.NEITHER
    spec_line: int = 0
    code_line: int = 0


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """One thing, as both witnesses tell it; a silent side is `None`.

    `subject` and `place` are the finding's subject and aspect (`GET /books`, `parameters.query.limit`; place is
    empty for the subject itself). `spec_fact` and `code_fact` are the whole facts where there are some.
    """

    kind: Kind
    subject: str
    place: str
    name: str
    spec: Witness | None
    code: Witness | None
    spec_fact: Fact | None = None
    code_fact: Fact | None = None
    direction: Direction = Direction.NONE
    differences: tuple[Difference, ...] = ()
    affects: tuple[str, ...] = ()

    @property
    def promise(self) -> str:
        """What the spec is called in a sentence: `stub`, or `interface` where it is a module of ordinary Python."""
        fact = self.spec_fact
        plain = fact is not None and fact.tag is Tag.SPEC and fact.source.path.endswith(".py")
        return "interface" if plain else "stub"

    def changed(self, *changes: str) -> Iterator[Difference]:
        """The differences in any of these aspects."""
        return (d for d in self.differences if d.change in changes)

    def breaks(self, difference: Difference) -> bool:
        """Whether a client that trusts the spec is broken: by stricter requests or by looser responses."""
        if difference.stricter is Stricter.CODE:
            return self.direction is not Direction.RESPONSE
        if difference.stricter is Stricter.SPEC:
            return self.direction is not Direction.REQUEST
        return True

    def missing(self, message: str, *, hint: str = "", aspect: str = "") -> Finding:
        """The finding that one side lacks this thing (`aspect` defaults to the place, or `exists`)."""
        return Finding(
            subject=self.subject,
            aspect=aspect or self.place or "exists",
            message=message,
            hint=hint,
            spec=self.spec,
            code=self.code,
            affects=self.affects,
        )

    def differs(self, difference: Difference, message: str, *, hint: str = "") -> Finding:
        """The finding that both sides speak of this aspect, and differ."""
        assert self.spec is not None and self.code is not None, "a difference has two witnesses"
        return Finding(
            subject=self.subject,
            aspect=f"{self.place}.{difference.change}" if self.place else difference.change,
            message=message,
            hint=hint,
            spec=msgspec.structs.replace(
                self.spec, value=_plain(difference.spec), line=difference.spec_line or self.spec.line
            ),
            code=msgspec.structs.replace(
                self.code, value=_plain(difference.code), line=difference.code_line or self.code.line
            ),
            affects=self.affects,
        )


def _plain(value: Json) -> Json:
    return str(value) if isinstance(value, SourceText) else value


def one_sided(fact: Fact) -> Pair:
    """The pair of a fact with nothing on the other side; it shows the fact's key."""
    in_spec, shown = fact.tag is Tag.SPEC, witness(fact, fact.key)
    return Pair(
        kind=fact.kind,
        subject=fact.key,
        place="",
        name=fact.name,
        spec=shown if in_spec else None,
        code=None if in_spec else shown,
        spec_fact=fact if in_spec else None,
        code_fact=None if in_spec else fact,
        affects=(fact.key,),
    )
