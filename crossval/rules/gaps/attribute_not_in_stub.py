"""The rule about public attributes of the code that its stub leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from crossval.findings import Finding, FindingKind, Severity, witness
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.ATTRIBUTE, kind=FindingKind.GAP)
def attribute_not_in_stub(pair: Pair) -> Iterator[Finding]:
    """The code has a public attribute that its stub does not declare.

    ## Why it matters
    Type checkers read the stub alone: to them the attribute does not exist, and each use of it is an error.
    A name that is neither written in capitals nor annotated may be a detail: a note.

    ## How to fix
    Declare the attribute in the stub, or mark it as private with a leading underscore.
    """
    if pair.code is not None and pair.spec is None and pair.spec_fact is not None and not _is_loaded(pair):
        finding = pair.missing(
            f"The code defines {pair.subject}, which the stub {pair.spec_fact.source.path} does not declare",
            hint=f"Declare {pair.name} in the stub, or begin its name with an underscore.",
        )
        meant = pair.name.isupper() or _is_annotated(pair)
        yield msgspec.structs.replace(
            finding,
            related=(witness(pair.spec_fact),),
            severity=Severity.WARNING if meant else Severity.NOTE,
        )


def _is_loaded(pair: Pair) -> bool:
    """Whether a call brings something of this name from elsewhere, as an import would: `get_model("shop", "Cart")`."""
    aspects = pair.code_fact.aspects if pair.code_fact is not None else {}
    value = str(aspects.get("value", ""))
    return bool(aspects.get("loaded")) or (
        re.fullmatch(rf"[\w.]+\(\s*(['\"])[\w.]+\1,\s*(['\"]){re.escape(pair.name)}\2\)", value) is not None
    )


def _is_annotated(pair: Pair) -> bool:
    return pair.code_fact is not None and bool(pair.code_fact.aspects.get("annotation"))
