"""Gathers the pairs of definitions, and what could not be compared about them."""

from __future__ import annotations

from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.findings import Witness, witness
from crossval.link.names.found import Found
from crossval.link.names.kinds import kind_name
from crossval.link.names.modules import Module
from crossval.pairs import Direction, Pair
from graph.facts import Fact, Kind, Unknown


class Pairing:
    """The pairs and unknowns of one alignment."""

    def __init__(self) -> None:
        self.pairs: list[Pair] = []
        self.unknown: list[Unknown] = []

    def gap(
        self,
        fact: Fact,
        *,
        spec: Witness | None = None,
        code: Witness | None = None,
        other: Fact | None,
        about: str = "",
    ) -> None:
        """Add the pair of a thing that one side lacks; `other` is the module that should have it.

        `about` is the subject where that is not the thing's own name.
        """
        self.pairs.append(
            Pair(
                kind=fact.kind,
                subject=about or subject(str(fact.kind), fact),
                place="",
                name=fact.name,
                spec=spec,
                code=code,
                spec_fact=fact if spec else other,
                code_fact=fact if code else other,
            )
        )

    def offer(self, stub: Module, code: Module, name: str, found: Found, *, spec: bool) -> None:
        """Add the pair of a name that one side's module offers from elsewhere and the other side lacks."""
        ours = stub if spec else code
        kind = found.facts[0].kind if found.facts else Kind.ATTRIBUTE
        said = kind_name(found.facts[0]) if found.facts else "attribute"
        lines = [line for local, _, line in ours.fact.aspects.get("imports", []) if local == name]
        offering = witness(ours.fact, said, lines[0] if lines else None)
        self.pairs.append(
            Pair(
                kind=kind,
                subject=f"{kind} {ours.name}.{name}",
                place="",
                name=name,
                spec=offering if spec else None,
                code=None if spec else offering,
                spec_fact=stub.fact,
                code_fact=code.fact,
            )
        )

    def compared(self, kind: str, spec: Fact, code: Fact, comparison: Comparison, *, about: str = "") -> None:
        """Add the pair of a definition, and one per place within it where the two sides differ.

        `about` is the subject where that is not the spec's own name.
        """
        said = about or subject(kind, spec)
        by_place: dict[str, list[Discrepancy]] = {"": []}
        for discrepancy in comparison.discrepancies:
            by_place.setdefault(discrepancy.place, []).append(discrepancy)
        for place, discrepancies in by_place.items():
            first = discrepancies[0].difference if place else None
            spec_line, code_line = (first.spec_line, first.code_line) if first else (0, 0)
            self.pairs.append(
                Pair(
                    kind=spec.kind,
                    subject=said,
                    place=place,
                    name=place.rpartition(".")[2] or spec.name,
                    spec=witness(spec, first.spec if first else None, spec_line or None),
                    code=witness(code, first.code if first else None, code_line or None),
                    spec_fact=spec,
                    code_fact=code,
                    direction=Direction.REQUEST if place else Direction.RESPONSE,
                    differences=tuple(discrepancy.difference for discrepancy in discrepancies),
                )
            )
        for silence in comparison.silences:
            self.note(kind, code, silence.aspect, silence.reason, about=said)

    def note(self, kind: str, fact: Fact, aspect: str, reason: str, *, about: str = "") -> None:
        """Add what is not known about an aspect of a definition, and why."""
        place = fact.source
        self.unknown.append(Unknown(about or subject(kind, fact), aspect, place.path, place.line, reason))


def subject(kind: str, fact: Fact) -> str:
    """What findings call a definition: its kind and qualified name."""
    return f"{kind} {fact.key.partition('~')[0]}"
