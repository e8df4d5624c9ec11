"""The rule about the keys of typed dictionaries."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, listing
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.CLASS, changes=("required",))
def key_required_mismatch(pair: Pair) -> Iterator[Finding]:
    """A key of a typed dictionary is required on one side only.

    ## Why it matters
    Who relies on the wrong side leaves the key out, or reads it unasked and meets a `KeyError`.

    ## How to fix
    Write the same totality, `Required` and `NotRequired` on both sides.
    """
    for difference in pair.changed("required"):
        sides = [
            f"requires {listing(names)} {side} only"
            for names, side in ((difference.spec, "in the stub"), (difference.code, "in the code"))
            if names
        ]
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} {' and '.join(sides)}",
            hint="Write the same totality, Required and NotRequired on both sides.",
        )
